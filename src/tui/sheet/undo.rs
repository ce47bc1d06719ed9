//! The dialog before a decision is taken back: what it was, and what stands afterwards.

use super::Sheet;
use crate::tui::line::Line;
use crate::tui::model::Made;
use crate::tui::theme::Role;

pub fn sheet(made: &Made, width: usize) -> Sheet {
    let mut sheet = Sheet { yes: "take it back", ..Sheet::default() };
    sheet.title.put(Role::TitleFocused, "Take back the last decision on ").quote(Role::TitleFocused, &made.server);
    sheet.title.put(Role::TitleFocused, "?");
    for line in &made.lines {
        let mut shown = Line::of(Role::Text, "  ");
        shown.quote(Role::Text, line);
        sheet.lines.extend(shown.wrap(width, 4));
    }
    sheet.lines.push(Line::default());
    let text = "What stood in the baseline before stands there again, and what is served waits for a decision again. The \
                log keeps both. Where one of these items was decided on again since, nothing is taken back.";
    sheet.lines.extend(Line::of(Role::Dim, text).wrap(width, 0));
    sheet.foot.push(Line::default());
    sheet
}
