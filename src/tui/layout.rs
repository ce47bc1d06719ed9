//! Where everything stands at a size. Shared by `update`, which needs to know what was on the screen, and `view`.
//!
//! From 100 columns the main screen shows its panes side by side; below, the panes are stacked and the one that has the
//! keys is open, the others are their titles. Panes have a title line and no frame: one line between two is enough.

use super::model::{Model, Pane, Screen};
use ratatui::layout::Rect;

/// Columns and rows that are needed at least.
pub const MINIMUM: (u16, u16) = (40, 10);
/// Columns from which panes stand side by side.
const WIDE: u16 = 100;

/// How a pane is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A title line and the content below it.
    Open,
    /// The title line alone.
    Title,
}

/// The parts of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The first line.
    pub header: Rect,
    /// Between the two.
    pub whole: Rect,
    /// The same without the notice.
    pub body: Rect,
    /// What just happened, above the last line; of no height where there is nothing or it fits beside the hints.
    pub notice: Rect,
    /// The last line.
    pub hints: Rect,
    /// The panes of the main screen.
    pub panes: Vec<(Pane, Rect, Shape)>,
}

/// Whether nothing can be shown.
pub fn too_small(size: (u16, u16)) -> bool {
    size.0 < MINIMUM.0 || size.1 < MINIMUM.1
}

/// Whether panes stand side by side.
pub fn is_wide(size: (u16, u16)) -> bool {
    size.0 >= WIDE
}

/// Whether a dialog or the help lies over the screen.
pub fn is_covered(model: &Model) -> bool {
    model.dialog.is_some() || model.help.is_some()
}

/// Where everything stands, with `focus` having the keys and `told` rows of notice.
pub fn places(size: (u16, u16), focus: Pane, told: u16) -> Places {
    let (width, height) = size;
    // A notice takes rows from what stands at the bottom: nothing else moves as it comes and goes.
    let whole = Rect::new(0, 1.min(height), width, height.saturating_sub(2));
    let body = Rect { height: whole.height.saturating_sub(told), ..whole };
    let mut panes = if is_wide(size) { side_by_side(whole, focus) } else { stacked(whole, focus) };
    for (_, rect, _) in &mut panes {
        *rect = rect.intersection(body);
    }
    Places {
        header: Rect::new(0, 0, width, 1.min(height)),
        whole,
        body,
        notice: Rect::new(0, body.bottom(), width, told),
        hints: Rect::new(0, height.saturating_sub(1), width, u16::from(height > 1)),
        panes,
    }
}

/// The column between the left panes and the right ones, where there are two.
pub fn separator(places: &Places) -> Option<u16> {
    let left =
        places.panes.iter().filter(|(_, rect, _)| rect.x == places.body.x).map(|(_, rect, _)| rect.right()).max()?;
    (left < places.body.right()).then_some(left)
}

fn side_by_side(body: Rect, focus: Pane) -> Vec<(Pane, Rect, Shape)> {
    let left = (body.width / 4).clamp(32, 40);
    let right = body.width - left - 1;
    let column = |y, height| Rect::new(body.x, body.y + y, left, height);
    let wide = |y, height| Rect::new(body.x + left + 1, body.y + y, right, height);
    if body.height < 16 {
        let events = focus == Pane::Events;
        let change = focus == Pane::Change;
        return vec![
            (if events { Pane::Events } else { Pane::Servers }, column(0, body.height), Shape::Open),
            (if change { Pane::Change } else { Pane::Items }, wide(0, body.height), Shape::Open),
        ];
    }
    let servers = body.height * 3 / 5;
    let items = body.height * 2 / 5;
    vec![
        (Pane::Servers, column(0, servers), Shape::Open),
        (Pane::Events, column(servers, body.height - servers), Shape::Open),
        (Pane::Items, wide(0, items), Shape::Open),
        (Pane::Change, wide(items, body.height - items), Shape::Open),
    ]
}

fn stacked(body: Rect, focus: Pane) -> Vec<(Pane, Rect, Shape)> {
    if body.height < 14 {
        return vec![(focus, body, Shape::Open)];
    }
    let mut y = body.y;
    let open = body.height - 3;
    Pane::ALL
        .into_iter()
        .map(|pane| {
            let (height, shape) = if pane == focus { (open, Shape::Open) } else { (1, Shape::Title) };
            let place = (pane, Rect::new(body.x, y, body.width, height), shape);
            y += height;
            place
        })
        .collect()
}

/// What a pane's content has of its rectangle.
pub fn inner(rect: Rect, shape: Shape) -> Rect {
    match shape {
        Shape::Open => Rect::new(rect.x, rect.y.saturating_add(1), rect.width, rect.height.saturating_sub(1)),
        Shape::Title => Rect::new(rect.x, rect.y, rect.width, 0),
    }
}

/// The same with a blank column on either side: where text is read, not rows.
fn page(rect: Rect) -> Rect {
    let rect = inner(rect, Shape::Open);
    Rect::new(rect.x.saturating_add(1), rect.y, rect.width.saturating_sub(2), rect.height)
}

/// The items pane's content: the column names, the rows, and in a stacked layout the words of the selected row.
pub fn items(size: (u16, u16), content: Rect) -> [Rect; 3] {
    let foot = if !is_wide(size) && content.height >= 12 { 5 } else { 0 };
    let head = u16::from(content.height > 3);
    let rows = content.height.saturating_sub(head + foot);
    [
        Rect { height: head, ..content },
        Rect { y: content.y + head, height: rows, ..content },
        Rect { y: content.y + head + rows, height: foot, ..content },
    ]
}

/// A pane of the main screen, where it is open.
fn open_pane(model: &Model, pane: Pane) -> Option<Rect> {
    let places = model.places();
    let open = places.panes.into_iter().find(|(other, _, shape)| *other == pane && *shape == Shape::Open);
    open.map(|(_, rect, _)| rect)
}

/// Its content.
pub fn pane_content(model: &Model, pane: Pane) -> Option<Rect> {
    open_pane(model, pane).map(|rect| inner(rect, Shape::Open))
}

/// Where the rows of items are, if they are shown.
pub fn item_rows(model: &Model) -> Option<Rect> {
    pane_content(model, Pane::Items).map(|content| items(model.size, content)[1])
}

/// Where events are listed, if they are.
pub fn event_rows(model: &Model) -> Option<Rect> {
    match model.screen {
        Screen::Events => Some(inner(model.places().body, Shape::Open)),
        Screen::Browse => pane_content(model, Pane::Events),
        _ => None,
    }
}

/// Where a server's details are.
pub fn details(model: &Model) -> Rect {
    page(model.places().body)
}

/// Where versions are listed.
pub fn versions(model: &Model) -> Rect {
    inner(model.places().body, Shape::Open)
}

/// Where what was found is listed.
pub fn search(model: &Model) -> Rect {
    inner(model.places().body, Shape::Open)
}

/// The queue's content: the column names, the rows, and where there is room the change of the selected row.
pub fn queue(model: &Model) -> [Rect; 3] {
    let places = model.places();
    let content = inner(places.whole, Shape::Open);
    let foot = if content.height >= 14 { content.height * 3 / 5 } else { 0 };
    let head = u16::from(content.height > 3);
    let rows = content.height.saturating_sub(head + foot);
    [
        Rect { height: head, ..content },
        Rect { y: content.y + head, height: rows, ..content },
        Rect { y: content.y + head + rows, height: foot, ..content },
    ]
    .map(|rect| rect.intersection(places.body))
}

/// Where the document of the selected entry is shown, if it is.
pub fn document(model: &Model) -> Option<Rect> {
    if too_small(model.size) {
        return None;
    }
    match model.screen {
        Screen::Change | Screen::Digests => Some(page(model.places().body)),
        Screen::Browse => open_pane(model, Pane::Change).map(page),
        // A server that waits as a whole has no change to show.
        Screen::Queue => {
            let foot = queue(model)[2];
            let selected = model.queue_index().and_then(|at| model.queue.get(at));
            (foot.height > 2 && selected.is_some_and(|row| row.entry().is_some())).then(|| page(foot))
        }
        _ => None,
    }
}

/// A dialog over the screen: its frame, its content and its foot, for so many lines of each.
pub fn sheet(size: (u16, u16), wanted: u16, lines: usize, foot: usize) -> [Rect; 3] {
    let cells = |lines: usize| u16::try_from(lines).unwrap_or(u16::MAX);
    // Beside a narrow dialog only scraps of lines could be read.
    let width = if is_wide(size) { wanted.min(size.0) } else { size.0 };
    let foot = cells(foot).min(size.1.saturating_sub(3));
    let height = cells(lines).saturating_add(foot).saturating_add(2).min(size.1.saturating_sub(if size.1 >= 16 {
        2
    } else {
        0
    }));
    let frame = Rect::new((size.0 - width) / 2, (size.1 - height) / 2, width, height);
    let inside =
        Rect::new(frame.x + 2.min(width), frame.y + 1.min(height), width.saturating_sub(4), height.saturating_sub(2));
    let foot = foot.min(inside.height);
    let content = Rect { height: inside.height - foot, ..inside };
    [frame, content, Rect { y: content.y + content.height, height: foot, ..inside }]
}
