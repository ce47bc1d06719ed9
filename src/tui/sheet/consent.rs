//! The dialog before a launch that a found file names: exactly what would run or be opened.

use super::Sheet;
use crate::config::consent::ConsentRequest;
use crate::tui::line::Line;
use crate::tui::model::Dialog;
use crate::tui::theme::Role;

pub fn sheet(dialog: &Dialog, request: &ConsentRequest, width: usize) -> Sheet {
    let mut sheet = Sheet { lines: lines(request, width), ..Sheet::default() };
    sheet.title.put(Role::TitleFocused, "Start ").quote(Role::TitleFocused, &dialog.server);
    sheet.title.put(Role::TitleFocused, "?");
    sheet.foot.push(Line::default());
    sheet.yes = "agree to exactly this, and start it";
    sheet
}

/// What a person agrees to, word for word.
pub fn lines(request: &ConsentRequest, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let url = request.cwd.is_none() && request.argv.len() == 1;
    let intro = if url {
        "Watching this server opens this URL; a URL can carry a secret away."
    } else {
        "Watching this server runs this command as you."
    };
    lines.extend(Line::of(Role::Dim, intro).wrap(width, 0));
    if !request.off.is_empty() {
        lines.push(Line::default());
        for off in &request.off {
            let mut line = Line::default();
            line.quote(Role::Warning, off);
            lines.extend(line.wrap(width, 2));
        }
    }
    for note in &request.notes {
        let mut line = Line::default();
        line.quote(Role::Dim, note);
        lines.extend(line.wrap(width, 2));
    }
    if !request.changed.is_empty() {
        lines.push(Line::default());
        lines.extend(Line::of(Role::Warning, "Changed since you agreed:").wrap(width, 0));
        for change in &request.changed {
            let mut line = Line::of(Role::Warning, "  ");
            line.quote(Role::Text, change);
            lines.extend(line.wrap(width, 4));
        }
    }
    lines.push(Line::default());
    for (at, word) in request.argv.iter().enumerate() {
        let label = match (at, url) {
            (0, true) => "opens    ",
            (0, false) => "runs     ",
            _ => "         ",
        };
        let mut line = Line::of(Role::Dim, label);
        // A word with a blank in it is one word all the same.
        let quoted = word.is_empty() || word.contains(char::is_whitespace);
        line.quote(Role::Text, &if quoted { format!("'{word}'") } else { word.clone() });
        lines.extend(line.wrap(width, 9));
    }
    let mut labelled = |label: &str, text: &str| {
        let mut line = Line::of(Role::Dim, label);
        line.quote(Role::Text, text);
        lines.extend(line.wrap(width, 9));
    };
    if let Some(cwd) = &request.cwd {
        labelled("in       ", &cwd.display().to_string());
    }
    if !request.names.is_empty() {
        labelled(if url { "headers  " } else { "sets     " }, &request.names.join(", "));
    }
    if !request.variables.is_empty() {
        labelled("reads    ", &request.variables.join(", "));
    }
    labelled("named in ", &request.origin.display().to_string());
    lines
}
