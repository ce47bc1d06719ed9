//! The items of the selected server: state and name keep their width, the rest gives way.

use super::Canvas;
use super::table::{Columns, filter};
use crate::decisions::BaselineState;
use crate::drift::Effect;
use crate::monitor::Phase;
use crate::review::ApprovalState;
use crate::surface::Overall;
use crate::tui::approval::{WHO, about, column, told};
use crate::tui::failure;
use crate::tui::layout;
use crate::tui::line::{Line, Role};
use crate::tui::model::{Entry, EntryId, Model, Pane, Server, SortKey, Waiting};
use crate::tui::waits;
use crate::tui::words::{count, severity_role, state_role, state_word};
use ratatui::layout::{Constraint, Rect};

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let focused = model.listed.pane == Pane::Items;
    let content = layout::inner(rect);
    let [told, head, list] = layout::items(model, content);
    let (entries, scroll) = (&model.listed.entries, model.listed.items.scroll);
    let more = canvas.around(scroll, entries.len(), list.height);
    canvas.title(rect, focused, title(model, focused, usize::from(rect.width)), &[more]);
    let Some(server) = model.selected_server() else { return };
    let page = Rect::new(told.x + 1, told.y, told.width.saturating_sub(2), told.height);
    let room = [layout::STDERR, usize::from(page.height)];
    canvas.lines(page, failure::lines(server, &model.setup.zone, usize::from(page.width), room));
    if model.listed.entries.is_empty() {
        let place = Rect { y: head.y + 1, height: content.bottom().saturating_sub(head.y + 1), ..page };
        canvas.lines(place, empty(model, server, place));
        return;
    }
    let shown = entries.iter().skip(scroll).take(usize::from(list.height));
    let rows: Vec<_> = shown.map(|entry| cells(model, server, entry, list.width)).collect();
    let columns = Columns(widths(model, list.width, &rows));
    columns.draw(canvas, head, [names(model)], (0, None), false);
    let at = model.entry_index().and_then(|at| at.checked_sub(scroll));
    columns.draw(canvas, list, rows, (0, at), focused);
}

/// Server, counts, filter, trouble; in a narrow place without what can be seen elsewhere.
fn title(model: &Model, focused: bool, width: usize) -> Line {
    let role = if focused { Role::TitleFocused } else { Role::Title };
    let Some(server) = model.selected_server() else { return Line::of(role, "Items") };
    Line::first_that_fits([false, true].map(|short| one_title(model, server, role, short)), width.saturating_sub(4))
}

fn one_title(model: &Model, server: &Server, role: Role, short: bool) -> Line {
    let mut line = Line::quoted(role, &server.look.id);
    // What no file names any more has no launch.
    if !short && !matches!(server.look.phase, Phase::Unwatched(_)) {
        line.put(Role::Dim, format!(" ({})", server.look.launch.transport_word()));
    }
    filter(&mut line, &model.listed.items);
    if let Some(review) = &server.look.review {
        let all = review.rows.len();
        let shown = model.listed.entries.len();
        let filtered = !model.listed.items.filter.is_empty();
        let many = if filtered { format!("{shown} of {}", count(all, "item")) } else { count(all, "item") };
        if !short || filtered {
            line.put(Role::Dim, format!("  {many}"));
        }
        let counts = review.counts;
        for (many, state) in [
            (counts.drifted, ApprovalState::Drifted),
            (counts.new, ApprovalState::New),
            (counts.gone, ApprovalState::Gone),
            (counts.rejected, ApprovalState::Rejected),
        ] {
            if many > 0 {
                line.put(Role::Text, "  ").put(state_role(state), format!("{many} {}", state_word(state)));
            }
        }
        if review.first_contact {
            line.put(Role::Text, "  ").put(Role::Warning, "first contact");
        }
    }
    line.join(waits::marked(model)).join(trouble(server));
    line
}

/// Why what is shown may be old or in part.
fn trouble(server: &Server) -> Line {
    let mut line = Line::default();
    let look = &server.look;
    // Why it fails stands over its items.
    if let (Some(reason), Phase::Unwatched(_)) = (&look.stale, &look.phase) {
        line.put(Role::Stale, "  not watched: ").quote(Role::Stale, &reason.text);
    } else if look.stale.is_none()
        && let Some(Overall::Partial(reason)) = look.surface.as_ref().map(|surface| surface.overall())
    {
        line.put(Role::StateUnknown, "  partial: ").quote(Role::StateUnknown, &reason.text);
    }
    line
}

/// What stands there while there are no rows.
fn empty(model: &Model, server: &Server, place: Rect) -> Vec<Line> {
    let look = &server.look;
    let words = match &look.phase {
        _ if !model.listed.items.filter.is_empty() => "Nothing fits the filter; esc clears it",
        // Its reason stands above.
        Phase::Retrying { .. } => "",
        Phase::Idle if look.baseline == BaselineState::Verifying => "Verifying its baseline",
        Phase::Idle if look.review.is_some() => "No items",
        _ => match Waiting::whole(server) {
            Some(what) => {
                let headline = waits::headline(model, server, &what);
                let headline = headline.fit(usize::from(place.width), model.setup.glyphs.ellipsis);
                return [headline].into_iter().chain(waits::lines(model, server, &what, place)).collect();
            }
            None => return vec![waits::connection(model, server)],
        },
    };
    vec![Line::of(Role::Dim, words)]
}

/// Columns from which a digest and from which both have room.
const ONE_DIGEST: u16 = 60;
const BOTH_DIGESTS: u16 = 96;

/// State, item, change, digest, approval: as many as the width has room for.
fn widths(model: &Model, width: u16, shown: &[[Line; 5]]) -> [Option<Constraint>; 5] {
    let longest = model.listed.entries.iter().map(|entry| waits::full_name(entry).width() + 2).max().unwrap_or(0);
    let most = usize::from(width) / if width >= ONE_DIGEST { 4 } else { 2 };
    let name = u16::try_from(longest.clamp(8, most.max(8))).unwrap_or(8);
    let wide = |from, long, short| Constraint::Length(if width >= from { long } else { short });
    let beside = |cells| Some(cells).filter(|_| width >= ONE_DIGEST);
    let approval = column(shown.iter().map(|[.., approval]| approval), width);
    let (digest, approval) = (beside(wide(BOTH_DIGESTS, 19, 10)), beside(approval));
    [Some(Constraint::Length(STATE)), Some(Constraint::Length(name)), Some(Constraint::Fill(1)), digest, approval]
}

/// The sign and the longest state word.
const STATE: u16 = 10;

fn names(model: &Model) -> [Line; 5] {
    let sort = model.listed.sort;
    let arrow = if sort.reversed { model.setup.glyphs.rising } else { model.setup.glyphs.falling };
    let label = |key: Option<SortKey>, text: &str| {
        let sorted = key == Some(sort.key);
        Line::of(Role::Column, if sorted { format!("{text} {arrow}") } else { text.to_owned() })
    };
    [
        label(Some(SortKey::State), "  state"),
        label(Some(SortKey::Name), "item"),
        label(Some(SortKey::Severity), "change"),
        label(None, "definition"),
        label(None, "approval"),
    ]
}

fn cells(model: &Model, server: &Server, entry: &Entry, width: u16) -> [Line; 5] {
    let glyphs = &model.setup.glyphs;
    let row = server.row_of(&entry.id);
    let skipped = row.is_some_and(|row| model.session.is_skipped(&server.look.id, row));
    let mut state = Line::default();
    let role = state_role(entry.state);
    if row.is_some_and(|row| model.session.is_marked(&server.look.id, row)) {
        state.put(Role::Key, glyphs.marked);
    } else if skipped {
        state.put(Role::Dim, glyphs.skipped);
    } else {
        state.put(role, glyphs.state(entry.state));
    }
    state.put(role, format!(" {}", state_word(entry.state)));
    let mut name = Line::default();
    if matches!(entry.id, EntryId::Group(_)) {
        let sign = if entry.opened { glyphs.falling } else { glyphs.current };
        name.put(Role::Key, sign).put(Role::Text, " ");
    }
    name.join(waits::full_name(entry));
    let mut change = Line::default();
    if let Some(severity) = entry.severity {
        change.put(severity_role(severity), glyphs.severity(severity)).put(Role::Text, " ");
    }
    change.join(told(server, entry, skipped));
    if entry.effect == Some(Effect::Breaking) {
        change.put(Role::Text, "  ").put(Role::EffectBreaking, "breaking");
    }
    let [digest, approval] = about(model, server, entry, [width >= BOTH_DIGESTS, width >= WHO]);
    [state, name, change, digest, approval]
}
