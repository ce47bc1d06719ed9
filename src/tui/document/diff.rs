//! The definitions side by side as lines: texts as text, everything else as indented JSON, changed words marked.

use super::{Document, Source};
use crate::canon::{Definition, indented};
use crate::digest::Item;
use crate::drift::Drift;
use crate::text::{DiffLine, LineKind, Run, WordRun, fold, is_hidden, lines, visible};
use crate::tui::line::Line;
use crate::tui::theme::Role;
use serde_json::Value;
use std::collections::BTreeSet;

/// Members in the order they are read; all others follow by name.
const ORDER: [&str; 9] = [
    "name",
    "uri",
    "uriTemplate",
    "title",
    "description",
    "inputSchema",
    "input_schema",
    "outputSchema",
    "annotations",
];

/// A definition as named texts: one a member, or one for the whole where it is no object or not plain.
fn texts(definition: &Definition) -> Vec<(String, String)> {
    match definition.exact() {
        Some(Value::Object(members)) => {
            let known = ORDER.iter().filter_map(|name| members.get(*name).map(|value| ((*name).to_owned(), value)));
            let others = members.iter().filter(|(name, _)| !ORDER.contains(&name.as_str()));
            known
                .chain(others.map(|(name, value)| (name.clone(), value)))
                .map(|(name, value)| (name, text_of(value)))
                .collect()
        }
        Some(value) => vec![(String::new(), text_of(&value))],
        None => vec![("as received".to_owned(), definition.characters().into_owned())],
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => {
            // Two blanks a level read better on a screen than the file's one.
            let text = indented(other, &|_| false);
            let wide = |line: &str| {
                let level = line.len() - line.trim_start_matches(' ').len();
                format!("{}{line}", " ".repeat(level))
            };
            text.trim_end().split('\n').map(wide).collect::<Vec<_>>().join("\n")
        }
    }
}

/// The diff of an entry with both sides, or the one definition there is.
pub fn write(source: &Source<'_>, document: &mut Document) {
    let pinned = source.drifts.first().and_then(|drift| drift.side.pinned.clone());
    let pinned = pinned.or_else(|| source.row?.pin.as_ref().map(|pin| pin.item.clone()));
    let now = source.drifts.first().and_then(|drift| drift.side.now.clone());
    let now = now.or_else(|| source.row?.now.clone());
    match (pinned, now) {
        (Some(pinned), Some(now)) if pinned.digests.surface != now.digests.surface => {
            both(source, document, &pinned, &now);
        }
        (_, Some(now)) => one(source, document, &now, "definition"),
        (Some(pinned), None) => one(source, document, &pinned, "definition that is pinned"),
        (None, None) => changes_only(source, document),
    }
}

/// Changes that no definition carries: before and after as they are.
fn changes_only(source: &Source<'_>, document: &mut Document) {
    for change in source.drifts.iter().flat_map(|drift| &drift.changes) {
        let before = change.before.as_ref().map(text_of);
        let after = change.after.as_ref().map(text_of);
        if before.is_some() || after.is_some() {
            let mut heading = Line::default();
            heading.quote(Role::Heading, change.path.as_str());
            document.part(heading);
            field(source, document, before.as_deref(), after.as_deref());
        }
    }
}

fn both(source: &Source<'_>, document: &mut Document, pinned: &Item, now: &Item) {
    let comparable = pinned.definition.exact().is_some() == now.definition.exact().is_some();
    let (before, after) = if comparable {
        (texts(&pinned.definition), texts(&now.definition))
    } else {
        let raw = |item: &Item| vec![("as received".to_owned(), item.definition.characters().into_owned())];
        (raw(pinned), raw(now))
    };
    let find = |side: &[(String, String)], name: &str| {
        side.iter().find(|(other, _)| other == name).map(|(_, text)| text.clone())
    };
    let gone = before.iter().filter(|(name, _)| find(&after, name).is_none());
    for (name, _) in after.iter().chain(gone) {
        let (old, new) = (find(&before, name), find(&after, name));
        if old == new {
            continue;
        }
        let mut heading = Line::default();
        heading.quote(Role::Heading, if name.is_empty() { "text" } else { name });
        match (&old, &new) {
            (None, _) => heading.put(Role::Dim, "  not pinned before"),
            (_, None) => heading.put(Role::Dim, "  no longer there"),
            _ => &mut heading,
        };
        document.part(heading);
        field(source, document, old.as_deref(), new.as_deref());
    }
}

/// A definition that stands alone.
fn one(source: &Source<'_>, document: &mut Document, item: &Item, heading: &str) {
    document.heading(heading);
    for (name, text) in texts(&item.definition) {
        let mut rows = text.split('\n');
        let first = rows.next().unwrap_or_default();
        let rest: Vec<_> = rows.collect();
        let mut line = Line::default();
        if !name.is_empty() {
            line.quote(Role::Dim, &name).put(Role::Dim, "  ");
        }
        json_line(&mut line, Role::Text, first);
        document.push_wrapped(&line, source.width, 2);
        for row in rest {
            let mut line = Line::of(Role::Text, "  ");
            json_line(&mut line, Role::Text, row);
            document.push_wrapped(&line, source.width, 4);
        }
    }
}

/// Indentation is ours and stays as it is; what follows passes the seam.
fn json_line(line: &mut Line, role: Role, text: &str) {
    let body = text.trim_start_matches(' ');
    let level = text.len() - body.len();
    if level <= 64 {
        line.put(role, " ".repeat(level)).quote(role, body);
    } else {
        line.quote(role, text);
    }
}

/// The lines of one member that differ, with `context` lines around them.
fn field(source: &Source<'_>, document: &mut Document, before: Option<&str>, after: Option<&str>) {
    let absent = |kind| match kind {
        LineKind::Removed => before.is_none(),
        LineKind::Added => after.is_none(),
        LineKind::Equal => false,
    };
    let mut diff = lines(before.unwrap_or_default(), after.unwrap_or_default());
    diff.retain(|line| !absent(line.kind));
    let last = diff.iter().filter_map(|line| line.old.max(line.new)).max().unwrap_or(0);
    let digits = if source.width < 60 { 0 } else { last.to_string().len().max(2) };
    for run in fold(diff, source.context) {
        match run {
            Run::Line(line) => diff_line(source, document, &line, digits),
            Run::Unchanged(many) => {
                let mark = source.glyphs.fold.repeat(3);
                let text = format!("{}{mark} {many} unchanged {mark}", " ".repeat(gutter_width(digits)));
                document.push(Line::of(Role::Gutter, text).fit(source.width, source.glyphs.ellipsis));
            }
        }
    }
}

/// `  4   4  + `: both numbers and the sign, or the sign alone.
fn gutter_width(digits: usize) -> usize {
    if digits == 0 { 2 } else { 2 * digits + 4 }
}

fn diff_line(source: &Source<'_>, document: &mut Document, line: &DiffLine, digits: usize) {
    let (sign, plain, word) = match line.kind {
        LineKind::Equal => (" ", Role::Dim, Role::Dim),
        LineKind::Removed => ("-", Role::Removed, Role::RemovedWord),
        LineKind::Added => ("+", Role::Added, Role::AddedWord),
    };
    let mut body = Line::default();
    for (at, WordRun { text, changed }) in line.runs.iter().enumerate() {
        let role = if *changed { word } else { plain };
        let shown = text.as_str();
        let level = shown.len() - shown.trim_start_matches(' ').len();
        if at == 0 && level <= 64 && shown.len() > level {
            body.put(role, " ".repeat(level));
            body.shown(role, &visible(&text.original()[level..]));
        } else {
            body.shown(role, text);
        }
    }
    let number = |number: Option<usize>| number.map_or(String::new(), |number| number.to_string());
    let room = source.width.saturating_sub(gutter_width(digits)).max(1);
    for (at, wrapped) in body.wrap(room, 0).into_iter().enumerate() {
        let mut shown = Line::default();
        if digits > 0 {
            let (old, new) = if at == 0 { (number(line.old), number(line.new)) } else { Default::default() };
            shown.put(Role::Gutter, format!("{old:>digits$} {new:>digits$} "));
        }
        shown.put(plain, format!("{sign} ")).join(wrapped);
        document.push(shown);
    }
}

/// What of a change cannot be seen by looking at the two texts, in words.
pub fn invisible(drift: &Drift) -> Vec<String> {
    let Some(now) = &drift.side.now else { return Vec::new() };
    let Some(pinned) = &drift.side.pinned else {
        let spelt = texts(&now.definition).into_iter().map(|(name, text)| (name, tags(&text)));
        return spelt.filter(|(_, spelt)| !spelt.is_empty()).map(|(name, spelt)| spells(&name, &spelt)).collect();
    };
    if pinned.digests.surface == now.digests.surface {
        return Vec::new();
    }
    if pinned.definition.exact().is_none() || now.definition.exact().is_none() {
        let equal = pinned.definition.as_read() == now.definition.as_read();
        let text = "most readers take both texts for the same JSON: they differ only in how it is written";
        return if equal { vec![text.to_owned()] } else { Vec::new() };
    }
    let (before, after) = (texts(&pinned.definition), texts(&now.definition));
    let mut said = Vec::new();
    for (name, new) in &after {
        let Some((_, old)) = before.iter().find(|(other, _)| other == name) else { continue };
        if old == new {
            continue;
        }
        let name = if name.is_empty() { "the text" } else { name };
        if let Some(how) = how_invisible(old, new) {
            said.push(format!("{name} differs only in {how}: most programs show both the same"));
        }
        let spelt = tags(new);
        let found = drift.findings.iter().any(|finding| finding.text.contains(&spelt));
        if !spelt.is_empty() && !found && spelt != tags(old) {
            said.push(spells(name, &spelt));
        }
    }
    said
}

fn spells(name: &str, spelt: &str) -> String {
    format!("hidden characters in {name} spell `{spelt}`, which a model may read")
}

/// What the TAG characters of a text spell: they are ASCII letters that nothing draws (Unicode, 23.9).
fn tags(text: &str) -> String {
    let letter =
        |c: char| u32::from(c).checked_sub(0xE0000).and_then(char::from_u32).filter(|c| matches!(c, ' '..='~'));
    text.chars().filter_map(letter).collect()
}

/// `3 hidden characters (U+200B, U+00AD)`, `white space`, or none where a reader sees the difference.
fn how_invisible(old: &str, new: &str) -> Option<String> {
    let bare = |text: &str| text.chars().filter(|c| c.is_whitespace() || !is_hidden(*c)).collect::<String>();
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let hidden = |text: &str| text.chars().filter(|c| !c.is_whitespace() && is_hidden(*c)).collect::<Vec<_>>();
    if bare(old) == bare(new) {
        let (old, new) = (hidden(old), hidden(new));
        let points: BTreeSet<_> = old.iter().chain(&new).map(|c| format!("U+{:04X}", u32::from(*c))).collect();
        let shown: Vec<_> = points.iter().take(4).cloned().collect();
        let more = if points.len() > 4 { ", …" } else { "" };
        return Some(format!(
            "hidden characters, {} pinned and {} now ({}{more})",
            old.len(),
            new.len(),
            shown.join(", ")
        ));
    }
    (squeezed(&bare(old)) == squeezed(&bare(new))).then(|| "white space".to_owned())
}
