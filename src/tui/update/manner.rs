//! How a diff is shown: one or both sides, wrapped or cut, as text or as JSON, with how much around it.

use crate::tui::action::Action;
use crate::tui::document;
use crate::tui::layout;
use crate::tui::model::Model;

pub fn act(model: &mut Model, action: Action) {
    let manner = &mut model.reading.manner;
    match action {
        Action::MoreContext => manner.context = (manner.context * 2).clamp(1, 10_000),
        Action::LessContext => manner.context /= 2,
        Action::SideBySide => beside(model),
        Action::Wrap => manner.wrap = !manner.wrap,
        Action::Json => {
            let marks = model.reading.document.as_ref().is_some_and(|(_, document)| document.marks);
            manner.form = manner.form.next(marks);
        }
        _ => {}
    }
}

/// Both sides beside each other, or one below the other again.
fn beside(model: &mut Model) {
    model.reading.manner.beside = !model.reading.manner.beside;
    let place = layout::document(model).unwrap_or_else(|| layout::page(model));
    let room = usize::from(place.width) >= document::BESIDE;
    if model.reading.manner.beside && !room {
        model.warn("side by side needs 110 columns");
    }
}
