//! The dialog of first contact: every item of the server, those that need a look of their own apart.

use super::Sheet;
use crate::review::RowId;
use crate::surface::Kind;
use crate::tui::effect::Target;
use crate::tui::line::Line;
use crate::tui::model::{Dialog, Model, name};
use crate::tui::theme::Role;
use crate::tui::words::count;

pub fn sheet(model: &Model, dialog: &Dialog, targets: &[Target], apart: &[(RowId, String)], width: usize) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.title.put(Role::TitleFocused, "First contact: record the baseline of ");
    sheet.title.quote(Role::TitleFocused, &dialog.server).put(Role::TitleFocused, "?");
    let text = format!(
        "{} become pins: from then on pinwatch shows whatever differs from them. Recording says that this is what \
         you saw, not that it is good.",
        count(targets.len(), "item")
    );
    sheet.lines.extend(Line::of(Role::Dim, text).wrap(width, 0));
    if !apart.is_empty() {
        sheet.lines.push(Line::default());
        let text = format!("{} apart: not recorded now, new until decided one by one", apart.len());
        sheet.lines.extend(Line::of(Role::Warning, text).wrap(width, 0));
        for (row, why) in apart {
            let mut line = Line::of(Role::SeverityCritical, format!("  {} ", model.glyphs.critical));
            item(&mut line, row);
            line.put(Role::Dim, "  ").quote(Role::Dim, why);
            sheet.lines.extend(line.wrap(width, 4));
        }
    }
    let mut last = None;
    for kind in Kind::ALL {
        let of_kind: Vec<_> = targets.iter().filter(|(row, _)| row.item.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        let heading = match kind.key_member() {
            Some(_) => count(of_kind.len(), &kind.word().replace('_', " ")),
            None => "the server itself".to_owned(),
        };
        if last.as_ref() != Some(&heading) {
            sheet.lines.push(Line::default());
            sheet.lines.push(Line::of(Role::Heading, heading.as_str()));
        }
        last = Some(heading);
        for (row, digest) in of_kind {
            let mut line = Line::of(Role::Text, "  ");
            item(&mut line, row);
            let name_width = width.saturating_sub(10);
            let mut line = line.pad(name_width, model.glyphs.ellipsis);
            line.put(Role::Text, "  ").put(Role::Digest, digest.short());
            sheet.lines.push(line);
        }
    }
    sheet.foot.push(Line::default());
    sheet.yes = "record the baseline";
    sheet
}

fn item(line: &mut Line, row: &RowId) {
    let (kind, key) = name(&row.item);
    let single = if key.is_empty() { kind } else { "" };
    line.put(Role::Text, single).quote(Role::Text, key);
    if row.copy > 0 {
        line.put(Role::Dim, format!(" #{}", row.copy + 1));
    }
}
