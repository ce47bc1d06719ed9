//! The dialog of first contact: what needs a look of its own first and apart, then what becomes a pin, by the first line of
//! what it says of itself. Resources are the user's data, and are counted.

use super::Sheet;
use crate::review::{Review, RowId};
use crate::surface::Kind;
use crate::tui::effect::Target;
use crate::tui::line::Line;
use crate::tui::model::{Dialog, Model, name};
use crate::tui::theme::Role;
use crate::tui::words::count;
use serde_json::Value;

/// Cells of the names before the descriptions.
const NAMES: usize = 24;
/// Resources that are listed; more are counted.
const FEW: usize = 5;

pub fn sheet(model: &Model, dialog: &Dialog, targets: &[Target], apart: &[(RowId, String)], width: usize) -> Sheet {
    let mut sheet = Sheet { yes: "record the baseline", ..Sheet::default() };
    sheet.title.put(Role::TitleFocused, "Record the baseline of ");
    sheet.title.quote(Role::TitleFocused, &dialog.server).put(Role::TitleFocused, "?");
    let text = format!(
        "Records {} as the baseline; later changes to them are shown. This says what you saw, not that it is safe.",
        count(targets.len(), "item")
    );
    sheet.lines.extend(Line::of(Role::Dim, text).wrap(width, 0));
    if !apart.is_empty() {
        sheet.lines.push(Line::default());
        let text = format!("{} not recorded: decide on each afterwards", count(apart.len(), "item"));
        sheet.lines.extend(Line::of(Role::Warning, text).wrap(width, 0));
        for (row, why) in apart {
            let mut line = Line::of(Role::SeverityCritical, format!("  {} ", model.glyphs.critical));
            item(&mut line, row);
            line.put(Role::Dim, "  ").quote(Role::Text, why);
            sheet.lines.extend(line.wrap(width, 4));
        }
    }
    let review = model.server_of(&dialog.server).and_then(|server| server.look.review.as_deref());
    let mut folded = Vec::new();
    for kind in [Kind::Tool, Kind::Prompt, Kind::ResourceTemplate, Kind::Resource] {
        let of_kind: Vec<_> = targets.iter().filter(|(row, _)| row.item.kind == kind).map(|(row, _)| row).collect();
        let many = count(of_kind.len(), &kind.word().replace('_', " "));
        if of_kind.len() > FEW && !matches!(kind, Kind::Tool | Kind::Prompt) {
            folded.push(Line::of(Role::Text, format!("+ {many}")));
            continue;
        }
        if of_kind.is_empty() {
            continue;
        }
        sheet.lines.push(Line::default());
        sheet.lines.push(Line::of(Role::Heading, many));
        for row in of_kind {
            sheet.lines.push(described(model, review, row).fit(width, model.glyphs.ellipsis));
        }
    }
    sheet.lines.push(Line::default());
    sheet.lines.extend(folded);
    for (row, _) in targets.iter().filter(|(row, _)| row.item.kind.key_member().is_none()) {
        let mut line = Line::of(Role::Text, "+ ");
        line.put(Role::Text, row.item.kind.word().replace('_', " "));
        if row.item.kind == Kind::Instructions
            && let Some(text) = first_line(review, row)
        {
            line.put(Role::Text, "  ").quote(Role::Dim, &text);
        }
        sheet.lines.push(line.fit(width, model.glyphs.ellipsis));
    }
    sheet.foot.push(Line::default());
    sheet
}

/// An item's name and the first line of its description.
fn described(model: &Model, review: Option<&Review>, row: &RowId) -> Line {
    let mut name = Line::of(Role::Text, "  ");
    item(&mut name, row);
    let mut line = if name.width() < NAMES { name.pad(NAMES, model.glyphs.ellipsis) } else { name };
    line.put(Role::Text, "  ");
    match first_line(review, row) {
        Some(text) => line.quote(Role::Dim, &text),
        None if row.item.kind == Kind::Tool => line.put(Role::Dim, "no description"),
        None => &mut line,
    };
    line
}

/// The first line with words in it: of the description, or of the text that an item is. Not escaped.
fn first_line(review: Option<&Review>, row: &RowId) -> Option<String> {
    let definition = review?.row(row)?.now.as_ref()?.definition.as_read();
    let text = match &definition {
        Value::String(text) => text.as_str(),
        other => other.get("description")?.as_str()?,
    };
    text.lines().find(|line| !line.trim().is_empty()).map(str::to_owned)
}

fn item(line: &mut Line, row: &RowId) {
    let (kind, key) = name(&row.item);
    let single = if key.is_empty() { kind } else { "" };
    line.put(Role::Text, single).quote(Role::Text, key);
    if row.copy > 0 {
        line.put(Role::Dim, format!(" #{}", row.copy + 1));
    }
}
