//! What a dialog says, as lines: the part that scrolls and the foot that stays. `update` needs to know how long it is,
//! `view` draws it.

mod baseline;
mod consent;
mod copy;
mod decide;
mod input;
mod launches;
mod marked;
mod undo;
mod unwatched;

pub use consent::lines as launch;

use super::layout;
use super::line::Line;
use super::model::{Ask, Dialog, Model};
use super::theme::Role;
use ratatui::layout::Rect;

/// A dialog as lines.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// In the frame's upper edge.
    pub title: Line,
    /// What scrolls.
    pub lines: Vec<Line>,
    /// What stays: the note, then the buttons.
    pub foot: Vec<Line>,
    /// What the confirm key does.
    pub yes: &'static str,
    /// Whether its last line is neither on the screen nor was there.
    pub unread: bool,
    /// Why the confirm key does nothing yet.
    pub hold: Option<&'static str>,
    /// Foot row and column of the text cursor, while something is typed.
    pub cursor: Option<(usize, usize)>,
}

/// The widest dialog.
const WIDTH: u16 = 84;

/// The dialog that is open, with its frame, its content's place and its foot's.
pub fn sheet(model: &Model) -> Option<(Sheet, [Rect; 3])> {
    let dialog = model.dialog.as_ref()?;
    let width = usize::from(layout::sheet(model.size, WIDTH, 1, 0)[1].width);
    let mut sheet = match &dialog.ask {
        Ask::Decide(decide) => decide::sheet(model, dialog, decide, width),
        Ask::Marked(asked) => marked::sheet(model, asked, width),
        Ask::Launches(asked) => launches::sheet(model, asked, width),
        Ask::Copy(menu) => copy::sheet(model, menu, width),
        Ask::Undo(made) => undo::sheet(made, width),
        Ask::Baseline { targets, apart } => baseline::sheet(model, dialog, targets, apart, width),
        Ask::Unwatched(reason) => unwatched::sheet(model, dialog, reason, width),
        Ask::Consent(request) => consent::sheet(dialog, request, width),
        Ask::Input(question) => input::sheet(model, dialog, question, width),
    };
    let places = layout::sheet(model.size, WIDTH, sheet.lines.len(), sheet.foot.len() + 1);
    sheet.unread = !dialog.read && dialog.scroll + usize::from(places[1].height) < sheet.lines.len();
    sheet.hold = hold(dialog, sheet.unread);
    sheet.foot.push(buttons(model, dialog, &sheet));
    Some((sheet, places))
}

/// Why the confirm key does nothing yet.
fn hold(dialog: &Dialog, unread: bool) -> Option<&'static str> {
    match &dialog.ask {
        _ if dialog.moved.is_some() => dialog.moved,
        _ if unread => Some("read to the end first"),
        ask if ask.wants_number() => Some("type the count first"),
        Ask::Input(question) if question.answer.is_empty() => Some("type an answer first"),
        Ask::Input(question) if !question.is_answered() => Some("type one of the listed answers first"),
        _ => None,
    }
}

/// Cancel has the focus; the other answer is a letter of its own.
fn buttons(model: &Model, dialog: &Dialog, sheet: &Sheet) -> Line {
    use super::action::{Action, Context};
    let yes = sheet.yes;
    if matches!(dialog.ask, Ask::Copy(_)) {
        let key = |action| model.keymap.key(action, &[Context::Menu]).unwrap_or_default();
        let mut line = Line::of(Role::Key, key(Action::Open));
        line.put(Role::Button, format!(" {yes}   "));
        line.put(Role::Key, key(Action::Cancel)).put(Role::Button, " cancel");
        return line;
    }
    let key = |action| model.keymap.key(action, &[Context::Dialog]).unwrap_or_default();
    let typed = dialog.ask.is_typed_into();
    // While keys go into a text no button has the focus, and `y` is a letter.
    let mut line = Line::of(if typed { Role::Dim } else { Role::ButtonFocused }, "[ cancel ]");
    line.put(Role::Text, "  ");
    match sheet.hold {
        Some(why) if dialog.moved.is_some() => line.put(Role::Warning, why),
        Some(why) => line.put(Role::Dim, why),
        None if typed => line.put(Role::Dim, format!("{}, then {} to {yes}", key(Action::Note), key(Action::Confirm))),
        None => line.put(Role::Key, key(Action::Confirm)).put(Role::Button, format!(" {yes}")),
    };
    line
}
