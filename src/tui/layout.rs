//! Where everything stands at a size. Shared by `update`, which needs to know what was on the screen, and `view`.
//!
//! ```text
//!  header                                        from 140 columns home has the servers at its left; the servers screen
//! ─ title ───────────────── definition ─         has them there from 100 on, below that above the items
//!  rows
//! ─ the selected one ────────── 1 of 5 ─
//!  its change
//! ─ what is fine ───────────────────────
//!  hints
//! ```

use super::calm;
use super::failure;
use super::model::{Model, Pane, Screen};
use super::notice;
use ratatui::layout::{Constraint, Layout, Rect};

/// Columns and rows that are needed at least.
pub const MINIMUM: (u16, u16) = (40, 10);
/// Columns from which panes stand side by side.
const WIDE: u16 = 100;
/// Columns from which home has the servers at its left.
const WIDEST: u16 = 140;
/// Columns of the servers there.
const SIDE: u16 = 34;

/// The first line, the last one, and what is between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    pub header: Rect,
    /// Between the two.
    pub whole: Rect,
    /// The same without the notice.
    pub body: Rect,
    pub hints: Rect,
}

/// The parts of home; without height where there is no room for one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HomePlaces {
    /// The servers at the left.
    pub servers: Rect,
    /// The title line over the rows.
    pub title: Rect,
    pub rows: Rect,
    /// What the selected row is about, with its title line.
    pub below: Rect,
    /// What is fine.
    pub foot: Rect,
}

pub fn too_small(size: (u16, u16)) -> bool {
    size.0 < MINIMUM.0 || size.1 < MINIMUM.1
}

pub fn is_wide(size: (u16, u16)) -> bool {
    size.0 >= WIDE
}

/// Header, body and hints. A notice takes rows from what stands at the bottom: nothing else moves as it comes and
/// goes, nor under a dialog.
pub fn places(model: &Model) -> Places {
    let (width, height) = model.size;
    let told = if model.is_covered() { 0 } else { u16::try_from(notice::rows(model).len()).unwrap_or(0) };
    let heights = [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)];
    let [header, whole, hints] = rows(Rect::new(0, 0, width, height), heights);
    let body = Rect { height: whole.height.saturating_sub(told), ..whole };
    Places { header, whole, body, hints }
}

/// What is between header and hints, without its title line.
pub fn body(model: &Model) -> Rect {
    inner(places(model).body)
}

/// Rows of events, and below them where there is room the selected one in full: a line about many items names them.
pub fn events(model: &Model) -> [Rect; 2] {
    let content = body(model);
    let detail = if content.height >= 14 { content.height / 3 } else { 0 };
    rows(content, [Constraint::Fill(1), Constraint::Length(detail)])
}

/// The same with a blank column on either side: where text is read, not rows.
pub fn page(model: &Model) -> Rect {
    text(places(model).body)
}

/// So many rows or columns; more than a screen has are as many as it can have.
pub fn cells(many: usize) -> u16 {
    u16::try_from(many).unwrap_or(u16::MAX)
}

fn rows<const N: usize>(rect: Rect, heights: [Constraint; N]) -> [Rect; N] {
    Layout::vertical(heights).areas(rect)
}

fn columns<const N: usize>(rect: Rect, widths: [Constraint; N]) -> [Rect; N] {
    Layout::horizontal(widths).areas(rect)
}

/// What a pane's content has of its rectangle: all but the title line.
pub fn inner(rect: Rect) -> Rect {
    Rect::new(rect.x, rect.y.saturating_add(1), rect.width, rect.height.saturating_sub(1))
}

fn text(rect: Rect) -> Rect {
    let rect = inner(rect);
    Rect::new(rect.x.saturating_add(1), rect.y, rect.width.saturating_sub(2), rect.height)
}

/// Where the parts of home stand: the list takes what it needs of two fifths, the change has the rest. Where nothing waits
/// the servers have its place, and stand at the left no more.
pub fn home(model: &Model) -> HomePlaces {
    let Places { whole: body, body: free, .. } = places(model);
    let is_calm = model.home.all == 0;
    let (servers, body) = if body.width >= WIDEST && !is_calm {
        let [servers, _, body] = columns(body, [Constraint::Length(SIDE), Constraint::Length(1), Constraint::Fill(1)]);
        (servers, body)
    } else {
        (Rect::default(), body)
    };
    let foot = u16::from(body.height >= 10);
    let room = body.height.saturating_sub(1 + foot);
    let calm = || calm::lines(model, usize::from(body.width)).len();
    let wanted = cells(if is_calm { calm() } else { model.home.rows.len() }).max(1);
    let list = if room < 8 { room } else { wanted.min((room * 2 / 5).max(3)) };
    let [title, rows, below, foot] =
        rows(body, [Constraint::Length(1), Constraint::Length(list), Constraint::Fill(1), Constraint::Length(foot)]);
    let [servers, title, rows, below, foot] = [servers, title, rows, below, foot].map(|rect| rect.intersection(free));
    HomePlaces { servers, title, rows, below, foot }
}

pub fn servers(model: &Model) -> Vec<(Pane, Rect)> {
    let Places { whole, body, .. } = places(model);
    let mut panes = panes(model, whole);
    for (_, rect) in &mut panes {
        *rect = rect.intersection(body);
    }
    panes
}

fn panes(model: &Model, body: Rect) -> Vec<(Pane, Rect)> {
    if is_wide(model.size) {
        let left = (body.width / 4).clamp(SIDE - 2, SIDE + 6);
        let [servers, _, right] = columns(body, [Constraint::Length(left), Constraint::Length(1), Constraint::Fill(1)]);
        let wanted = cells(model.listed.entries.len()).saturating_add(2);
        let wanted = wanted.saturating_add(told(model, right.width, u16::MAX));
        // Where nothing is listed the pane says what the server needs, and there is no change to read.
        let nothing = model.listed.entries.is_empty() && model.listed.items.filter.is_empty();
        let [items, change] = if body.height < 16 || nothing {
            let change = model.listed.pane == Pane::Change;
            if change { [Rect::default(), right] } else { [right, Rect::default()] }
        } else {
            rows(right, [Constraint::Length(wanted.clamp(4, body.height / 2)), Constraint::Fill(1)])
        };
        let panes = [(Pane::Servers, servers), (Pane::Items, items), (Pane::Change, change)];
        return panes.into_iter().filter(|(_, rect)| rect.height > 0).collect();
    }
    if body.height < 14 || model.listed.pane == Pane::Change {
        return vec![(model.listed.pane, body)];
    }
    let wanted = cells(model.servers.len()).saturating_add(1);
    let [servers, items] = rows(body, [Constraint::Length(wanted.clamp(2, body.height / 3)), Constraint::Fill(1)]);
    vec![(Pane::Servers, servers), (Pane::Items, items)]
}

/// Lines of standard error over the items of a server that failed.
pub const STDERR: usize = 3;

/// The parts of an items pane: why the server fails, the column names and the rows.
pub fn items(model: &Model, content: Rect) -> [Rect; 3] {
    // It leaves room for rows where there are some.
    let most = if model.listed.entries.is_empty() { content.height } else { content.height / 2 };
    let told = told(model, content.width, most);
    let head = u16::from(content.height - told > 3);
    rows(content, [Constraint::Length(told), Constraint::Length(head), Constraint::Fill(1)])
}

/// Rows that say why the selected server fails, of at most so many.
fn told(model: &Model, width: u16, most: u16) -> u16 {
    let (width, room) = (usize::from(width).saturating_sub(2), [STDERR, usize::from(most)]);
    let failure = |server| failure::lines(server, &model.setup.zone, width, room).len();
    cells(model.selected_server().map_or(0, failure)).min(most)
}

/// The rows of versions, and the preview beside or below them; of no height where there is no room.
pub fn versions(model: &Model) -> [Rect; 2] {
    let body = places(model).body;
    if is_wide(model.size) {
        let list = (body.width / 2).min(64);
        let [list, _, preview] = columns(body, [Constraint::Length(list), Constraint::Length(1), Constraint::Fill(1)]);
        return [inner(list), text(preview)];
    }
    if body.height < 14 {
        return [inner(body), Rect::default()];
    }
    let list = model.versions.recorded.as_ref().and_then(|list| list.rows.as_ref()).map_or(0, Vec::len);
    let wanted = cells(list).saturating_add(1);
    let [list, preview] = rows(body, [Constraint::Length(wanted.clamp(4, body.height / 2)), Constraint::Fill(1)]);
    [inner(list), text(preview)]
}

/// What differs between two versions as rows, and the selected one below.
pub fn compared(model: &Model) -> [Rect; 2] {
    let body = places(model).body;
    let many = model.versions.compared.as_ref().map_or(0, |compared| compared.entries.len());
    let wanted = cells(many).saturating_add(1);
    let [list, detail] = rows(body, [Constraint::Length(wanted.min(body.height / 3 + 1).max(2)), Constraint::Fill(1)]);
    [inner(list), text(detail)]
}

/// A pane of the servers screen, where it is open.
fn open_pane(model: &Model, pane: Pane) -> Option<Rect> {
    servers(model).into_iter().find(|(other, _)| *other == pane).map(|(_, rect)| rect)
}

/// Where the rows of servers are, if they are shown: on home where nothing else needs the person.
pub fn server_rows(model: &Model) -> Option<Rect> {
    match model.screen() {
        Screen::Home if model.home.all == 0 => Some(inner(home(model).below)),
        Screen::Home => None,
        _ => open_pane(model, Pane::Servers).map(inner),
    }
}

/// Where the rows of items are, if they are shown.
pub fn item_rows(model: &Model) -> Option<Rect> {
    open_pane(model, Pane::Items).map(|rect| items(model, inner(rect))[2])
}

/// Where what is read is shown, if anything is.
pub fn document(model: &Model) -> Option<Rect> {
    if too_small(model.size) {
        return None;
    }
    match model.screen() {
        Screen::Change | Screen::Digests | Screen::Details => Some(page(model)),
        Screen::Versions => Some(versions(model)[1]).filter(|place| place.height > 0),
        Screen::Compared => Some(compared(model)[1]),
        Screen::Servers => open_pane(model, Pane::Change).map(text),
        // A server that waits as a whole has no change to show.
        Screen::Home => {
            let below = home(model).below;
            let on_item = model.home.row().is_some_and(|row| row.entry().is_some());
            (below.height > 2 && on_item).then(|| text(below))
        }
        _ => None,
    }
}

/// A dialog over the screen: its frame, its content and its foot, for so many lines of each.
pub fn sheet(size: (u16, u16), wanted: u16, lines: usize, foot: usize) -> [Rect; 3] {
    // Beside a narrow dialog only scraps of lines could be read.
    let width = if is_wide(size) { wanted.min(size.0) } else { size.0 };
    let foot = cells(foot).min(size.1.saturating_sub(3));
    let margin = if size.1 >= 16 { 2 } else { 0 };
    let height = cells(lines).saturating_add(foot).saturating_add(2).min(size.1.saturating_sub(margin));
    let frame = Rect::new((size.0 - width) / 2, (size.1 - height) / 2, width, height);
    let inside =
        Rect::new(frame.x + 2.min(width), frame.y + 1.min(height), width.saturating_sub(4), height.saturating_sub(2));
    let foot = foot.min(inside.height);
    let content = Rect { height: inside.height - foot, ..inside };
    [frame, content, Rect { y: content.y + content.height, height: foot, ..inside }]
}
