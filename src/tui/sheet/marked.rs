//! The dialog before a decision on everything that is marked: each item with the kind of its change, and its number to
//! be typed.

use super::Sheet;
use crate::pin::DecisionState;
use crate::review::RowId;
use crate::tui::line::Line;
use crate::tui::model::{EntryId, Marked, Model, name, waiting};
use crate::tui::theme::Role;
use crate::tui::words::{count, severity_role, state_role, state_word};

pub fn sheet(model: &Model, marked: &Marked, width: usize) -> Sheet {
    let (verb, yes) = match marked.verdict {
        DecisionState::Approved => ("Approve", "approve them"),
        DecisionState::Rejected => ("Reject", "reject them"),
    };
    let many = marked.targets.len();
    let title = Line::of(Role::TitleFocused, format!("{verb} {}?", count(many, "marked item")));
    let mut sheet = Sheet { title, yes, ..Sheet::default() };
    let mut last = None;
    for (server, (row, _)) in &marked.targets {
        if last.replace(server) != Some(server) {
            let mut heading = Line::default();
            heading.quote(Role::Heading, server);
            sheet.lines.push(heading);
        }
        sheet.lines.extend(one(model, server, row).wrap(width, 4));
    }
    if !marked.apart.is_empty() {
        sheet.lines.push(Line::default());
        let text = format!("{} left out; still marked", count(marked.apart.len(), "item"));
        sheet.lines.extend(Line::of(Role::Warning, text).wrap(width, 0));
        for (server, row, why) in &marked.apart {
            let mut line = Line::of(Role::Text, "  ");
            line.quote(Role::Text, server).put(Role::Text, " ");
            item(&mut line, row);
            line.put(Role::Dim, "  ").put(Role::Dim, *why);
            sheet.lines.extend(line.wrap(width, 4));
        }
    }
    if marked.verdict == DecisionState::Rejected {
        sheet.lines.push(Line::default());
        sheet.lines.extend(Line::of(Role::Dim, super::decide::REJECT).wrap(width, 0));
    }
    sheet.lines.push(Line::default());
    sheet.foot.push(number(model, marked.count.text(), marked.is_counted()));
    sheet.foot.push(super::decide::note(model, "note    ", &marked.note, marked.in_note, width));
    if marked.in_note {
        sheet.cursor = Some((1, super::decide::cursor("note    ", &marked.note, width)));
    }
    sheet
}

/// The number as it is typed, and whether it is the right one.
pub fn number(model: &Model, typed: &str, is_right: bool) -> Line {
    let mut number = Line::of(Role::Dim, "count   ");
    number.quote(Role::Input, if typed.is_empty() { "_" } else { typed });
    if is_right {
        number.put(Role::Notice, format!("  {}", model.glyphs.approved));
    } else {
        number.put(Role::Dim, "  type how many");
    }
    number
}

/// State, severity, name, what changed.
fn one(model: &Model, server: &str, row: &RowId) -> Line {
    let mut line = Line::of(Role::Text, "  ");
    let entries = model.server_of(server).map(waiting).unwrap_or_default();
    let Some(entry) = entries.iter().find(|(entry, _)| entry.id == EntryId::Row(row.clone())).map(|(entry, _)| entry)
    else {
        return line;
    };
    if let Some(state) = entry.state {
        line.put(state_role(state), format!("{:<6}", state_word(state)));
    }
    if let Some(severity) = entry.severity {
        line.put(severity_role(severity), format!("{} {severity:<9}", model.glyphs.severity(severity)));
    }
    item(&mut line, row);
    line.put(Role::Dim, "  ").quote(Role::Dim, &entry.summary);
    line
}

fn item(line: &mut Line, row: &RowId) {
    let (kind, key) = name(&row.item);
    line.put(Role::Text, kind).quote(Role::Text, key);
    if row.copy > 0 {
        line.put(Role::Dim, format!(" #{}", row.copy + 1));
    }
}
