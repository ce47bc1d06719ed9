//! The last line: what just happened, until a key; then the most useful keys of what has the focus, whole hints only.

use super::Canvas;
use crate::pin::DecisionState;
use crate::tui::action::{Action, Context};
use crate::tui::keymap::Binding;
use crate::tui::layout::{self, Places};
use crate::tui::line::{Line, Role};
use crate::tui::model::{Ask, Entry, List, Model, Pane, Screen, Waiting};
use crate::tui::notice;
use crate::tui::sheet::sheet;
use ratatui::layout::{Position, Rect};

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) -> Option<Position> {
    let width = usize::from(rect.width);
    if let Some(typed) = typed(model) {
        return draw_typed(canvas, model, rect, typed);
    }
    let mut line = Line::default();
    if let Some(told) = notice::beside_hints(model) {
        line.join(told).put(Role::Text, "  ");
    }
    let always = ends(model);
    let room = width.saturating_sub(always.width());
    for hint in hints(model) {
        if line.width() + hint.width() <= room {
            line.join(hint);
        }
    }
    line.join(always);
    canvas.line(rect.x, rect.y, rect.width, line);
    None
}

/// What just happened and is too long for a place beside the hints.
pub fn draw_notice(canvas: &mut Canvas<'_>, model: &Model, places: &Places) {
    let rows = notice::rows(model);
    let many = u16::try_from(rows.len()).unwrap_or(0);
    // On few rows a dialog takes them all, and only its lower edge can be covered.
    let below = if model.is_covered() && model.size.1 < 16 { places.hints.bottom() } else { places.hints.y };
    let rect = Rect { y: below.saturating_sub(many), height: many, ..places.hints };
    canvas.clear(rect);
    canvas.lines(rect, rows);
}

/// While keys go into a text: what those that are no letters do, as `text_key` of `update` has it, and the list whose filter
/// it is where that stands in the last row. A letter is a letter there, so no key of the keymap without ctrl or alt is a hint.
type Typed<'a> = (&'static [(&'static str, &'static str)], Option<&'a List>);

fn typed(model: &Model) -> Option<Typed<'_>> {
    const FILTER: Typed<'_> = (&[("enter", "keep the filter"), ("esc", "clear it")], None);
    const SEARCH: Typed<'_> = (&[("enter", "search"), ("up down", "move"), ("esc", "clear it")], None);
    const TEXT: Typed<'_> = (&[("tab", "to the buttons"), ("esc", "leave the text"), ("ctrl-u", "clear it")], None);
    match (&model.help, &model.dialog, model.filtered().and_then(|rows| model.list_of(rows))) {
        (Some(help), ..) => help.typing.then_some(FILTER),
        (None, Some(dialog), _) => dialog.typing.then_some(TEXT),
        (None, None, Some(list)) if list.typing && model.screen() == Screen::Search => Some(SEARCH),
        (None, None, Some(list)) => list.typing.then_some((FILTER.0, Some(list))),
        (None, None, None) => None,
    }
}

fn draw_typed(canvas: &mut Canvas<'_>, model: &Model, rect: Rect, (keys, list): Typed<'_>) -> Option<Position> {
    let mut line = Line::default();
    let mut cursor = None;
    if let Some(list) = list {
        line.put(Role::Key, " /").quote(Role::Input, list.filter.text());
        let at = rect.x + u16::try_from(line.width()).unwrap_or(u16::MAX).min(rect.width.saturating_sub(1));
        cursor = Some(Position::new(at, rect.y));
        line.put(Role::Text, "  ");
    }
    let keys = keys.iter().map(|(key, words)| key_and_words(key, words));
    let words = list.filter(|list| list.filter.is_empty());
    let words = words.map(|_| Line::of(Role::Hint, "  drift new gone ok, or text"));
    let chord = model.setup.keymap.rows(&[Context::Everywhere]).find(|row| row.action == Action::QuitNow);
    let chord = chord.and_then(|row| row.keys.iter().find(|key| key.is_chord()));
    let quit = chord.map(|key| key_and_words(&key.to_string(), "quit"));
    for hint in keys.chain(words).chain(quit) {
        if line.width() + hint.width() <= usize::from(rect.width) {
            line.join(hint);
        }
    }
    canvas.line(rect.x, rect.y, rect.width, line);
    cursor
}

fn key_and_words(key: &str, words: &str) -> Line {
    let mut line = Line::of(Role::Key, format!(" {key}"));
    line.put(Role::Hint, format!(" {words} "));
    line
}

fn hint(model: &Model, action: Action, contexts: &[Context]) -> Option<Line> {
    let row = model.setup.keymap.rows(contexts).find(|row| row.action == action)?;
    Some(key_and_words(&row.keys.first()?.to_string(), words(model, row)))
}

/// What a key does where the person is, in a word or two; empty where it is not hinted at.
fn words(model: &Model, row: &Binding) -> &'static str {
    let selected = model.selected_server().and_then(Waiting::whole);
    let what = match (row.context, model.home.row()) {
        (Context::Home, Some(row)) => Some(&row.what),
        (Context::Home, None) if row.action == Action::Open => return "items",
        // Other needs of a server are told on home.
        (Context::Servers, _) => {
            selected.as_ref().filter(|what| matches!(what, Waiting::Consent | Waiting::Input | Waiting::SignIn))
        }
        _ => None,
    };
    match (row.action, what) {
        (Action::ApproveMarked, _) if !model.session.marked_launches.is_empty() => "start marked",
        (Action::Open, Some(Waiting::Consent)) => "start…",
        (Action::Open, Some(Waiting::Input)) => "answer",
        (Action::Open, Some(Waiting::SignIn)) => "sign in",
        (Action::Open, Some(Waiting::FirstContact(_))) => "record",
        (Action::Open, Some(Waiting::Unwatched)) => "accept",
        (Action::Open, Some(Waiting::Refused | Waiting::Policy)) => "details",
        (Action::Mark, Some(Waiting::Consent)) => "mark",
        (Action::Reject, Some(Waiting::Unwatched)) => "leave open",
        _ => row.hint,
    }
}

/// Help and quit stand at the end of every bar.
fn ends(model: &Model) -> Line {
    let mut line = hint(model, Action::Help, &[Context::Everywhere]).unwrap_or_default();
    let top = model.screen() == Screen::Home && !model.is_covered();
    if let Some(key) = model.setup.keymap.key(Action::Quit, &[Context::Everywhere]) {
        line.put(Role::Key, format!(" {key}")).put(Role::Hint, if top { " quit " } else { " back " });
    }
    line
}

fn hints(model: &Model) -> Vec<Line> {
    let contexts = model.live();
    let first = contexts.first().copied().unwrap_or(Context::Home);
    if model.servers.is_empty() && matches!(first, Context::Home | Context::Servers) {
        return Vec::new();
    }
    let rows = model.setup.keymap.rows(&contexts).filter(|row| row.context != Context::Everywhere);
    let rows = rows.filter(|row| !words(model, row).is_empty() && is_useful(model, first, row.action));
    rows.filter_map(|row| hint(model, row.action, &[row.context])).collect()
}

/// Whether a key does something where the person is.
fn is_useful(model: &Model, context: Context, action: Action) -> bool {
    use Action::{Copy, Json, MoreContext, NextChange, NextServer, SideBySide};
    let list = matches!(context, Context::Home | Context::Servers);
    let decision = matches!(action, Action::Approve | Action::Reject | Action::Skip);
    let pane = model.listed.pane;
    match (context, action) {
        (Context::Home, _) if model.home.rows.is_empty() => {
            matches!(action, Action::Open | Action::NextPane | Action::Filter | Action::Details)
        }
        (Context::Home, _) if decision && on_server(model) => {
            action == Action::Reject && model.home.row().is_some_and(|row| row.what == Waiting::Unwatched)
        }
        (Context::Home, Action::Digests) => !on_server(model),
        (Context::Home, Action::RecordSnapshot) => false,
        _ if list && action == Action::RecordBaseline => first_contact(model),
        // They are told where a change has the whole screen.
        (Context::Home | Context::Servers, NextChange | MoreContext | SideBySide | Json | Copy | NextServer) => false,
        (Context::Servers, Action::Approve | Action::Reject)
            if model.selected_server().is_some_and(|server| server.look.needs_watching()) =>
        {
            true
        }
        (Context::Servers, Action::Digests) => pane != Pane::Servers && model.selected_entry().is_some(),
        (Context::Servers, Action::RecordSnapshot | Action::Snapshots | Action::Details) => pane == Pane::Servers,
        (Context::Servers, _) if decision && pane == Pane::Servers => false,
        (Context::Versions, Action::RecordSnapshot) => {
            model.versions.recorded.as_ref().is_some_and(|versions| versions.item.is_none())
        }
        (_, Action::ApproveMarked) if !model.session.marked_launches.is_empty() => true,
        (_, Action::ApproveMarked | Action::RejectMarked) => !model.session.marked.is_empty(),
        (_, Action::Approve) => is_decidable(model, DecisionState::Approved),
        (_, Action::Reject) => is_decidable(model, DecisionState::Rejected),
        (_, Action::Skip) => model.selected_entry().is_some_and(Entry::needs_decision) && !first_contact(model),
        (Context::Change | Context::Digests, Action::Bottom) => {
            layout::document(model).is_some_and(|page| model.reading.below(page.height) > 0)
        }
        (Context::Dialog, Action::Bottom) => is_unread(model),
        (Context::Dialog, Action::Confirm) => {
            let open = model.dialog.as_ref().is_some_and(|dialog| dialog.moved.is_none() && !dialog.wants_number());
            open && !is_unread(model)
        }
        (Context::Dialog, Action::Note) => {
            let dialog = model.dialog.as_ref();
            dialog.is_some_and(|dialog| matches!(dialog.ask, Ask::Decide(_)) && dialog.moved.is_none())
        }
        (_, Action::Bottom) => false,
        _ => true,
    }
}

/// Whether the selected row of home stands for a server as a whole.
fn on_server(model: &Model) -> bool {
    model.home.row().is_some_and(|row| row.entry().is_none())
}

fn is_unread(model: &Model) -> bool {
    sheet(model).is_some_and(|(sheet, _)| sheet.unread)
}

/// Whether a decision on what is selected, each member of a group, is possible.
fn is_decidable(model: &Model, verdict: DecisionState) -> bool {
    let (rows, server) = (model.selected_rows(), model.selected_server());
    !rows.is_empty() && server.is_some_and(|server| rows.iter().all(|row| server.refusal(row, verdict).is_none()))
}

fn first_contact(model: &Model) -> bool {
    model.selected_server().is_some_and(|server| server.look.is_first_contact())
}
