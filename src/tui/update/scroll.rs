//! What scrolls line by line: the help, a dialog, or the text on the screen that is shown.

use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::{help, layout, motion, sheet};

/// The first line shown, how many lines there are, and how many are shown.
type Scrolled<'a> = (&'a mut usize, usize, usize);

fn text(model: &mut Model) -> Option<Scrolled<'_>> {
    let page = layout::document(model)?;
    let lines = model.reading.lines()?.lines.len();
    Some((&mut model.reading.scroll, lines, usize::from(page.height)))
}

/// What lies over it.
fn cover(model: &mut Model) -> Option<Scrolled<'_>> {
    if model.help.is_some() {
        let (lines, [_, page]) = (help::rows(model).len(), help::places(model));
        return model.help.as_mut().map(|list| (&mut list.scroll, lines, usize::from(page.height)));
    }
    let (sheet, [_, page, _]) = sheet::sheet(model)?;
    model.dialog.as_mut().map(|dialog| (&mut dialog.scroll, sheet.body.lines.len(), usize::from(page.height)))
}

/// Scrolls what has the keys.
pub fn act(model: &mut Model, action: Action) {
    let scrolled = if model.is_covered() { cover(model) } else { text(model) };
    if let Some((at, lines, page)) = scrolled {
        *at = motion::scroll(action, *at, lines, page);
    }
}

/// Leaves no empty rows below the last line.
pub fn settle(model: &mut Model) {
    for of in [text, cover] {
        if let Some((at, lines, page)) = of(model) {
            *at = (*at).min(lines.saturating_sub(page));
        }
    }
}
