//! The dialog before it is accepted that a server is not watched.

use super::Sheet;
use crate::surface::Reason;
use crate::tui::line::Line;
use crate::tui::model::{Dialog, Model};
use crate::tui::theme::Role;
use crate::tui::words::count;

pub fn sheet(model: &Model, dialog: &Dialog, reason: &Reason, width: usize) -> Sheet {
    let mut sheet = Sheet { yes: "accept that it is not watched", ..Sheet::default() };
    sheet.title.put(Role::TitleFocused, "Leave ").quote(Role::TitleFocused, &dialog.server);
    sheet.title.put(Role::TitleFocused, " unwatched?");
    let mut why = Line::default();
    why.quote(Role::Text, &reason.text);
    sheet.lines.extend(why.wrap(width, 0));
    let baseline = model.server_of(&dialog.server).and_then(|server| server.look.baseline.present());
    sheet.lines.push(Line::default());
    if let Some(baseline) = baseline {
        let pins = count(baseline.pins.len(), "pin");
        let text = format!("Its baseline has {pins}; nothing is compared with them while it is not watched.");
        sheet.lines.extend(Line::of(Role::Text, text).wrap(width, 0));
    }
    let text = "Accepting is written to its baseline and the log; `check` then exits 0. The pins stay, and the next decision \
                on this server ends it.";
    sheet.lines.extend(Line::of(Role::Dim, text).wrap(width, 0));
    sheet.foot.push(Line::default());
    sheet
}
