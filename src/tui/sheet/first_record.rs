//! A first record: what needs a look of its own first and apart, then what becomes a pin, by the first line of what it says
//! of itself. Resources are the user's data, and are counted.

use super::apart;
use crate::digest::SurfaceDigest;
use crate::interop::mcptrust::LockSays;
use crate::monitor::LOCK;
use crate::review::{FirstRecord, Row, RowId};
use crate::surface::Kind;
use crate::tui::document::Document;
use crate::tui::line::{Line, Role};
use crate::tui::model::{Model, Server};
use crate::tui::words::count;
use serde_json::Value;
use std::collections::HashMap;
use std::ops::Range;

/// Cells of the names before the descriptions.
const NAMES: usize = 24;
/// Resources that are listed; more are counted.
const FEW: usize = 5;

/// What would be recorded of a server. Of the items of a long list those on the lines that are `shown` are described alone.
pub fn first_record(
    page: &mut Document,
    model: &Model,
    server: &Server,
    (record, shown): (&FirstRecord, Range<usize>),
) {
    let glyphs = &model.setup.glyphs;
    let Some(review) = server.look.review.as_deref() else { return };
    let rows: HashMap<&RowId, &Row> = review.rows.iter().map(|row| (&row.id, row)).collect();
    let lock = server.look.lock.as_deref();
    let column = Column { says: lock.and_then(|says| says.as_ref().ok()), model };
    let left_out = record.apart.iter().map(|(row, doubt)| {
        let now = rows.get(row).and_then(|row| row.now.as_ref()).map(|item| item.digests.surface);
        let (role, sign) =
            if doubt.is_critical { (Role::SeverityCritical, glyphs.critical) } else { (Role::Warning, glyphs.unknown) };
        let mut line = column.cell(now);
        line.put(role, format!("  {sign} "));
        line.row([Role::Text; 2], row).put(Role::Dim, "  ").quote(Role::Text, &doubt.why).clone()
    });
    let text = format!("{} not recorded: decide on each afterwards", count(left_out.len(), "item"));
    apart(page, text, left_out);
    page.gap();
    let items = count(record.pins.len(), "item");
    let text = "as the baseline; later changes to them are shown. This says what you saw, not that it is safe.";
    page.words(Role::Dim, format!("Records {items} {text}"));
    if let Some(lock) = lock {
        let items = review.rows.iter().filter_map(|row| row.now.as_ref());
        told_by_lock(page, model, lock, items.map(|item| item.digests.surface));
    }
    let mut folded = Vec::new();
    for kind in [Kind::Tool, Kind::Prompt, Kind::ResourceTemplate, Kind::Resource] {
        let mut of_kind: Vec<_> = record.pins.iter().filter(|(row, _)| row.item.kind == kind).collect();
        let many = count(of_kind.len(), &kind.word().replace('_', " "));
        if of_kind.len() > FEW && !matches!(kind, Kind::Tool | Kind::Prompt) {
            folded.push(Line::of(Role::Text, format!("+ {many}")));
        } else if !of_kind.is_empty() {
            page.part(column.heading(many));
            let found = |row: &RowId| rows.get(row).and_then(|row| review.why_first(row));
            of_kind.sort_by_cached_key(|(row, _)| found(row).is_none());
            for (id, digest) in of_kind {
                let mut line = Line::of(Role::Text, " ");
                if let Some(row) = rows.get(id).filter(|_| shown.contains(&page.lines.len())) {
                    line = column.cell(Some(*digest)).join(described(row, found(id), model)).clone();
                }
                page.push(line.fit(page.width, glyphs.ellipsis));
            }
        }
    }
    page.gap();
    page.lines.extend(folded);
    for (id, digest) in record.pins.iter().filter(|(row, _)| row.item.kind.key_member().is_none()) {
        let mut line = column.cell(Some(*digest));
        line.put(Role::Text, format!("+ {}", id.item.kind.word().replace('_', " ")));
        let row = rows.get(id).filter(|_| id.item.kind == Kind::Instructions);
        if let Some(text) = row.and_then(|row| first_line(row)) {
            line.put(Role::Text, "  ").quote(Role::Dim, &text);
        }
        page.push(line.fit(page.width, glyphs.ellipsis));
    }
}

/// What a lock in the project says of each item, before it; without one there is no such column.
struct Column<'a> {
    says: Option<&'a LockSays>,
    model: &'a Model,
}

impl Column<'_> {
    /// Four cells: the column's name is that wide.
    fn cell(&self, item: Option<SurfaceDigest>) -> Line {
        let glyphs = &self.model.setup.glyphs;
        let Some(says) = self.says else { return Line::default() };
        let (role, sign) = match item.and_then(|digest| says.items.get(&digest)) {
            Some(true) => (Role::StateApproved, glyphs.approved),
            Some(false) => (Role::Warning, glyphs.differs),
            None => (Role::Dim, glyphs.none),
        };
        Line::of(role, format!(" {sign:<3}"))
    }

    fn heading(&self, text: String) -> Line {
        let mut line = Line::of(Role::Column, if self.says.is_some() { "lock  " } else { "" });
        line.put(Role::Heading, text).clone()
    }
}

/// What a lock in the project says of all that is served, and what its signs mean.
fn told_by_lock(
    page: &mut Document,
    model: &Model,
    lock: &Result<LockSays, String>,
    served: impl Iterator<Item = SurfaceDigest>,
) {
    let says = match lock {
        Err(why) => {
            page.say(&Line::quoted(Role::Warning, why), 2);
            return;
        }
        Ok(says) => says,
    };
    let (mut same, mut different, mut absent) = (0, 0, 0);
    for digest in served {
        *match says.items.get(&digest) {
            Some(true) => &mut same,
            Some(false) => &mut different,
            None => &mut absent,
        } += 1;
    }
    let glyphs = &model.setup.glyphs;
    let mut line = Line::of(Role::Dim, format!("{LOCK} here  "));
    line.put(Role::StateApproved, glyphs.approved).put(Role::Dim, format!(" {same} as locked  "));
    line.put(Role::Warning, glyphs.differs).put(Role::Dim, format!(" {different} different  "));
    line.put(Role::Dim, format!("{} {absent} not in it", glyphs.none));
    page.say(&line, 2);
    if let [first, rest @ ..] = says.gone.as_slice() {
        let mut line = Line::of(Role::Warning, "locked and not served: ");
        line.quote(Role::Text, &first.text());
        for id in rest.iter().take(FEW - 1) {
            line.put(Role::Text, ", ").quote(Role::Text, &id.text());
        }
        let more = rest.len().saturating_sub(FEW - 1);
        line.put(Role::Dim, if more > 0 { format!(" and {more} more") } else { String::new() });
        page.say(&line, 2);
    }
}

/// An item's name with what was `found` in it, which is recorded all the same, else with the first line of its description.
fn described(row: &Row, found: Option<&str>, model: &Model) -> Line {
    let glyphs = &model.setup.glyphs;
    let mut line = Line::of(Role::SeverityModerate, if found.is_some() { glyphs.moderate } else { " " });
    line.put(Role::Text, " ").quote(Role::Text, &row.id.item.key).number(&row.id);
    if line.width() < NAMES {
        line = line.pad(NAMES, glyphs.ellipsis);
    }
    line.put(Role::Text, "  ");
    match (found, first_line(row)) {
        (Some(found), _) => line.quote(Role::Text, found),
        (None, Some(text)) => line.quote(Role::Dim, &text),
        (None, None) => line.put(Role::Dim, if row.id.item.kind == Kind::Tool { "no description" } else { "" }),
    };
    line
}

/// The first line with words in it: of the description, or of the text that an item is. Not escaped.
fn first_line(row: &Row) -> Option<String> {
    let definition = row.now.as_ref()?.definition.as_read();
    let text = match &definition {
        Value::String(text) => text.as_str(),
        other => other.get("description")?.as_str()?,
    };
    text.lines().find(|line| !line.trim().is_empty()).map(str::to_owned)
}
