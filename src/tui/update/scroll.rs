//! What scrolls line by line: the help, a dialog, or the text on the screen that is shown.

use crate::tui::action::Action;
use crate::tui::model::{Model, Screen};
use crate::tui::{details, help, layout, motion, sheet};
use ratatui::layout::Rect;

/// The first line shown, how many lines there are, and how many are shown.
type Scrolled<'a> = (&'a mut usize, usize, usize);

/// The text of the screen.
fn text(model: &mut Model) -> Option<Scrolled<'_>> {
    let height = |page: Rect| usize::from(page.height);
    match model.screen() {
        Screen::Details => {
            let page = layout::page(model);
            let lines = details::lines(model, model.selected_server()?, usize::from(page.width)).len();
            Some((&mut model.listed.details_scroll, lines, height(page)))
        }
        Screen::Compared => {
            let page = layout::compared(model)[1];
            let compared = model.versions.compared.as_mut()?;
            let lines = compared.document.as_ref().map_or(0, |(_, document)| document.lines.len());
            Some((&mut compared.scroll, lines, height(page)))
        }
        _ => {
            let page = layout::document(model)?;
            let lines = model.reading.lines()?.lines.len();
            Some((&mut model.reading.scroll, lines, height(page)))
        }
    }
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
