//! What differs between two definitions, member by member: texts as text, everything else as indented JSON.

use super::marks::Marks;
use super::rows::{Rows, body};
use super::{Document, Form, Source};
use crate::canon::{Definition, indented};
use crate::digest::Item;
use crate::drift::{Drift, Finding};
use crate::text::{LineKind, WordRun, is_hidden, lines, visible};
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

/// A member of a definition as it is read, or the whole where it is no object, not plain, or wanted as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Text {
    /// What stands above it.
    heading: String,
    /// The member; none for the whole.
    name: Option<String>,
    /// How it is written.
    written: String,
    /// Whether that is the string itself.
    is_string: bool,
}

impl Text {
    fn whole(heading: &str, written: String, is_string: bool) -> Self {
        Self { heading: heading.to_owned(), name: None, written, is_string }
    }
}

fn texts(definition: &Definition, json: bool) -> Vec<Text> {
    match definition.exact() {
        // As the baseline's file has it.
        Some(value) if json => vec![Text::whole("definition as JSON", wide(&indented(&value, &is_hidden)), false)],
        Some(Value::Object(members)) => {
            let known = ORDER.iter().filter_map(|name| members.get(*name).map(|value| ((*name).to_owned(), value)));
            let others = members.iter().filter(|(name, _)| !ORDER.contains(&name.as_str()));
            let member = |(name, value): (String, &Value)| Text {
                heading: name.clone(),
                name: Some(name),
                written: text_of(value),
                is_string: value.is_string(),
            };
            known.chain(others.map(|(name, value)| (name.clone(), value))).map(member).collect()
        }
        Some(value) => vec![Text::whole("", text_of(&value), value.is_string())],
        None => vec![as_received(definition)],
    }
}

fn as_received(definition: &Definition) -> Text {
    Text::whole("as received", definition.characters().into_owned(), false)
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => wide(&indented(other, &|_| false)),
    }
}

/// Two blanks a level read better on a screen than the file's one.
fn wide(text: &str) -> String {
    let wide = |line: &str| {
        let level = line.len() - line.trim_start_matches(' ').len();
        format!("{}{line}", " ".repeat(level))
    };
    text.trim_end().split('\n').map(wide).collect::<Vec<_>>().join("\n")
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
        (_, Some(now)) => one(source, document, &now, "definition", &source.findings),
        (Some(pinned), None) => one(source, document, &pinned, "definition that is pinned", &[]),
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
            field(source, document, before.as_deref(), after.as_deref(), &Marks::default());
        }
    }
}

fn both(source: &Source<'_>, document: &mut Document, pinned: &Item, now: &Item) {
    let comparable = pinned.definition.exact().is_some() == now.definition.exact().is_some();
    let (before, after) = if comparable {
        let json = source.manner.form == Form::Json;
        (texts(&pinned.definition, json), texts(&now.definition, json))
    } else {
        (vec![as_received(&pinned.definition)], vec![as_received(&now.definition)])
    };
    let find = |side: &[Text], text: &Text| side.iter().find(|other| other.name == text.name).cloned();
    let gone = before.iter().filter(|text| find(&after, text).is_none());
    for text in after.iter().chain(gone) {
        let (old, new) = (find(&before, text), find(&after, text));
        if old.as_ref().map(|old| &old.written) == new.as_ref().map(|new| &new.written) {
            continue;
        }
        let mut heading = Line::default();
        heading.quote(Role::Heading, if text.heading.is_empty() { "text" } else { &text.heading });
        match (&old, &new) {
            (None, _) => heading.put(Role::Dim, "  not there before"),
            (_, None) => heading.put(Role::Dim, "  no longer there"),
            _ => &mut heading,
        };
        document.part(heading);
        let marks = new.as_ref().map(|new| marks(&source.findings, new)).unwrap_or_default();
        let text = |side: Option<Text>| side.map(|side| side.written);
        field(source, document, text(old).as_deref(), text(new).as_deref(), &marks);
    }
}

fn marks(findings: &[Finding], text: &Text) -> Marks {
    Marks::of(findings, text.name.as_deref(), &text.written, text.is_string)
}

/// A definition that stands alone.
fn one(source: &Source<'_>, document: &mut Document, item: &Item, heading: &str, findings: &[Finding]) {
    document.heading(heading);
    for text in texts(&item.definition, source.manner.form == Form::Json) {
        let marks = marks(findings, &text);
        let named = text.name.is_some();
        let mut start = 0;
        for (at, row) in text.written.split('\n').enumerate() {
            let mut line = Line::default();
            let own = WordRun { text: visible(row), changed: false };
            document.marks |= own.text.has_marks();
            let told = source.manner.form.told();
            let body = body(std::slice::from_ref(&own), [Role::Text; 2], &marks, start, told);
            let indent = match at {
                0 if named => {
                    line.quote(Role::Dim, &text.heading).put(Role::Dim, "  ");
                    2
                }
                0 => 2,
                _ => {
                    line.put(Role::Text, "  ");
                    4
                }
            };
            line.join(body);
            document.push_text(&line, source, indent);
            start += row.len() + 1;
        }
    }
}

/// The lines of one member that differ, with the lines around them.
fn field(source: &Source<'_>, document: &mut Document, before: Option<&str>, after: Option<&str>, marks: &Marks) {
    let absent = |kind| match kind {
        LineKind::Removed => before.is_none(),
        LineKind::Added => after.is_none(),
        LineKind::Equal => false,
    };
    let mut diff = lines(before.unwrap_or_default(), after.unwrap_or_default());
    diff.retain(|line| !absent(line.kind));
    let starts = after.unwrap_or_default().split('\n').scan(0, |next, line| {
        let start = *next;
        *next += line.len() + 1;
        Some(start)
    });
    Rows { source, marks, starts: starts.collect(), digits: Rows::digits(source, &diff) }.write(document, diff);
}

/// What of a change cannot be seen by looking at the two texts, in words.
pub fn invisible(drift: &Drift) -> Vec<String> {
    let Some(now) = &drift.side.now else { return Vec::new() };
    let Some(pinned) = &drift.side.pinned else {
        let spelt = texts(&now.definition, false).into_iter().map(|text| (text.heading, tags(&text.written)));
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
    let (before, after) = (texts(&pinned.definition, false), texts(&now.definition, false));
    let mut said = Vec::new();
    for Text { name, written: new, .. } in &after {
        let Some(Text { written: old, .. }) = before.iter().find(|other| other.name == *name) else { continue };
        if old == new {
            continue;
        }
        let name = name.as_deref().unwrap_or("the text");
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
