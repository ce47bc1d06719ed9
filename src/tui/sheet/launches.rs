//! The dialog before several launches that were marked: each as it was shown, and their number to be typed.

use super::Sheet;
use crate::tui::line::Line;
use crate::tui::model::{Launches, Model};
use crate::tui::theme::Role;
use crate::tui::words::count;

pub fn sheet(model: &Model, launches: &Launches, width: usize) -> Sheet {
    let many = count(launches.requests.len(), "server");
    let title = Line::of(Role::TitleFocused, format!("Start {many}?"));
    let mut sheet = Sheet { title, yes: "agree to exactly these, and start them", ..Sheet::default() };
    let intro = "Watching them runs these commands as you, or opens these URLs. You have seen each of them whole.";
    sheet.lines.extend(Line::of(Role::Dim, intro).wrap(width, 0));
    for request in &launches.requests {
        sheet.lines.push(Line::default());
        sheet.lines.push(Line::default().quote(Role::Heading, &request.server).clone());
        let mut line = Line::of(Role::Text, "  ");
        for (at, word) in request.argv.iter().enumerate() {
            line.put(Role::Text, if at > 0 { " " } else { "" });
            // A word with a blank in it is one word all the same.
            let quoted = word.is_empty() || word.contains(char::is_whitespace);
            line.quote(Role::Text, &if quoted { format!("'{word}'") } else { word.clone() });
        }
        sheet.lines.extend(line.wrap(width, 4));
        let mut line = Line::of(Role::Dim, "  named in ");
        line.quote(Role::Dim, &request.origin.display().to_string());
        sheet.lines.extend(line.wrap(width, 4));
    }
    if !launches.apart.is_empty() {
        sheet.lines.push(Line::default());
        let text = format!("{} left out, not shown to the end; still marked", count(launches.apart.len(), "server"));
        sheet.lines.extend(Line::of(Role::Warning, text).wrap(width, 0));
        for server in &launches.apart {
            let mut line = Line::of(Role::Text, "  ");
            sheet.lines.extend(line.quote(Role::Text, server).wrap(width, 4));
        }
    }
    sheet.lines.push(Line::default());
    sheet.foot.push(super::marked::number(model, launches.count.text(), launches.is_counted()));
    sheet
}
