//! The menu of what can be copied.

use super::Sheet;
use crate::tui::line::Line;
use crate::tui::model::{Menu, Model};
use crate::tui::theme::Role;

pub fn sheet(model: &Model, menu: &Menu, width: usize) -> Sheet {
    let mut sheet = Sheet { title: Line::of(Role::TitleFocused, "Copy"), yes: "copy", ..Sheet::default() };
    for (at, choice) in menu.choices.iter().enumerate() {
        let chosen = at == menu.at;
        let mut line = Line::of(Role::Text, if chosen { model.glyphs.current } else { " " });
        let role = if chosen { Role::ButtonFocused } else { Role::Text };
        line.put(Role::Text, " ").put(role, choice.what);
        let length = choice.text.len();
        // What is short is shown, of the rest how much it is.
        if length <= 80 {
            line.put(Role::Text, "  ").quote(Role::Dim, &choice.text);
        } else {
            line.put(Role::Dim, format!("  {length} bytes"));
        }
        sheet.lines.push(line.fit(width, model.glyphs.ellipsis));
    }
    sheet.foot.push(Line::default());
    sheet
}
