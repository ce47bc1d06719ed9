//! The last line: the most useful keys of what has the focus, whole hints only; or what just happened, until a key.

use super::Canvas;
use crate::tui::action::{Action, Context};
use crate::tui::line::Line;
use crate::tui::model::{Model, Pane};
use crate::tui::theme::Role;
use ratatui::layout::{Position, Rect};

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) -> Option<Position> {
    if let Some(notice) = &model.notice {
        let role = if notice.warning { Role::Warning } else { Role::Notice };
        let mut line = Line::of(role, " ");
        line.quote(role, &notice.text);
        canvas.line(rect.x, rect.y, rect.width, line);
        return None;
    }
    if model.help.is_none() && model.dialog.is_none() && (model.items.typing || model.events_list.typing) {
        let filter = if model.items.typing { &model.items.filter } else { &model.events_list.filter };
        let mut line = Line::of(Role::Key, " /");
        line.quote(Role::Input, filter.text());
        let at = rect.x + u16::try_from(line.width()).unwrap_or(u16::MAX).min(rect.width.saturating_sub(1));
        let words = "   drift new gone ok rejected unknown, or text   enter keeps  esc clears";
        if line.width() + words.len() < usize::from(rect.width) {
            line.put(Role::Hint, words);
        }
        canvas.line(rect.x, rect.y, rect.width, line);
        return Some(Position::new(at, rect.y));
    }
    let mut line = Line::default();
    let always = ends(model);
    let room = usize::from(rect.width).saturating_sub(always.width());
    for hint in hints(model) {
        if line.width() + hint.width() <= room {
            line.join(hint);
        }
    }
    line.join(always);
    canvas.line(rect.x, rect.y, rect.width, line);
    None
}

fn hint(model: &Model, action: Action, contexts: &[Context]) -> Option<Line> {
    let row = model.keymap.rows(contexts).find(|row| row.action == action)?;
    let mut line = Line::of(Role::Key, format!(" {}", row.keys.first()?));
    line.put(Role::Hint, format!(" {} ", row.hint));
    Some(line)
}

/// Help and quit stand at the end of every bar.
fn ends(model: &Model) -> Line {
    let mut line = Line::default();
    for action in [Action::Help, Action::Quit] {
        line.join(hint(model, action, &[Context::Everywhere]).unwrap_or_default());
    }
    line
}

fn hints(model: &Model) -> Vec<Line> {
    let contexts = model.live();
    let first = contexts.first().copied().unwrap_or(Context::Browse);
    let shown = |action: Action| match (first, action) {
        (Context::Browse, Action::RecordBaseline) => first_contact(model),
        (Context::Browse, Action::Approve | Action::Reject | Action::Skip) => {
            matches!(model.pane, Pane::Items | Pane::Change) && !first_contact(model)
        }
        (Context::Browse, Action::Digests) => matches!(model.pane, Pane::Items | Pane::Change),
        (Context::Browse, Action::RecordSnapshot) => model.pane == Pane::Servers,
        _ => true,
    };
    let rows = model.keymap.rows(&contexts).filter(|row| !row.hint.is_empty() && row.context != Context::Everywhere);
    rows.filter(|row| shown(row.action)).filter_map(|row| hint(model, row.action, &[row.context])).collect()
}

fn first_contact(model: &Model) -> bool {
    let review = model.selected_server().and_then(|server| server.look.review.as_ref());
    review.is_some_and(|review| review.first_contact)
}
