//! Keys of the help.

use crate::tui::action::Action;
use crate::tui::help;
use crate::tui::model::Model;
use crate::tui::motion;

pub fn act(model: &mut Model, action: Action) {
    let (rows, height) = (help::rows(model).len(), usize::from(help::places(model)[1].height));
    let Some(list) = &mut model.help else { return };
    match action {
        Action::Filter => list.typing = true,
        Action::Back if !list.filter.is_empty() => list.filter.clear(),
        Action::Help | Action::Back | Action::Quit => model.help = None,
        _ => list.scroll = motion::scroll(action, list.scroll, rows, height),
    }
}

/// No empty rows below.
pub fn settle(model: &mut Model) {
    if model.help.is_some() {
        let (rows, height) = (help::rows(model).len(), usize::from(help::places(model)[1].height));
        if let Some(list) = &mut model.help {
            list.scroll = list.scroll.min(rows.saturating_sub(height));
        }
    }
}
