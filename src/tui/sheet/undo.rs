//! The dialog before a decision is taken back: what it was, and what stands afterwards.

use super::Sheet;
use crate::tui::line::Line;
use crate::tui::model::Made;
use crate::tui::theme::Role;

pub fn sheet(made: &Made, width: usize) -> Sheet {
    let mut sheet = Sheet { yes: "undo it", ..Sheet::default() };
    sheet.title.put(Role::TitleFocused, "Undo the last decision on ").quote(Role::TitleFocused, &made.server);
    sheet.title.put(Role::TitleFocused, "?");
    for line in &made.lines {
        let mut shown = Line::of(Role::Text, "  ");
        shown.quote(Role::Text, line);
        sheet.lines.extend(shown.wrap(width, 4));
    }
    sheet.lines.push(Line::default());
    let text = "The baseline goes back to what it was, and the items need a decision again. The log keeps both. If one of \
                them was decided again since, nothing changes.";
    sheet.lines.extend(Line::of(Role::Dim, text).wrap(width, 0));
    sheet.foot.push(Line::default());
    sheet
}
