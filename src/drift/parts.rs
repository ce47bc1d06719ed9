//! What differs between two definitions, part by part: the texts that a model reads as text, wherever they stand, and
//! everything else as indented JSON, member by member. And what of it cannot be seen by looking.

use super::judge::SENTENCES;
use super::{Drift, Finding};
use crate::canon::{Definition, Pointer, indented, value_at};
use crate::digest::Item;
use crate::text::is_hidden;
use serde_json::{Map, Value};
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

/// A part of a definition on both sides, as it is written; none where a side lacks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub heading: String,
    /// Where it is; the root for the whole.
    pub path: Pointer,
    pub before: Option<String>,
    pub after: Option<String>,
    /// Whether it is a string as such, and not JSON.
    pub is_string: bool,
}

/// The parts in which two definitions differ, or all of one.
#[derive(Default)]
pub(crate) struct Parts {
    /// Texts, or the whole where it is not plain or wanted as JSON.
    pub texts: Vec<Part>,
    /// Members that are not text.
    pub rest: Vec<Part>,
}

impl Parts {
    /// Of a pinned and a served item, or of the one there is; as text also what `findings` quote from what is new. `json`:
    /// each definition as one text, as the baseline's file has it.
    pub fn of(pinned: Option<&Item>, now: Option<&Item>, findings: &[Finding], json: bool) -> Self {
        // Equal ones are shown as the one that they are.
        let differ = pinned.zip(now).is_none_or(|(pinned, now)| pinned.digests.surface != now.digests.surface);
        let before = pinned.filter(|_| differ).map(|item| &item.definition);
        let mut found = Self::between(before, now.map(|item| &item.definition), json);
        if let Some(now) = now.filter(|_| !json) {
            found.bring_forward(findings, pinned, now);
        }
        found
    }

    fn between(before: Option<&Definition>, after: Option<&Definition>, json: bool) -> Self {
        let exact = |side: Option<&Definition>| side.map(Definition::exact);
        let (old, new) = (exact(before), exact(after));
        if matches!(old, Some(None)) || matches!(new, Some(None)) {
            // One that is not plain is only comparable as it was received.
            let received = |side: Option<&Definition>| side.map(|definition| definition.characters().into_owned());
            return Self::whole("as received", received(before), received(after), false);
        }
        match (old.flatten(), new.flatten()) {
            // As the baseline's file has it.
            (old, new) if json => {
                let written = |side: Option<Value>| side.map(|value| wide(&indented(&value, &is_hidden)));
                Self::whole("definition as JSON", written(old), written(new), false)
            }
            (Some(Value::Object(old)), Some(Value::Object(new))) => Self::members(old, &new),
            (Some(Value::Object(old)), None) => Self::members(old, &Map::new()),
            (None, Some(Value::Object(new))) => Self::members(Map::new(), &new),
            (old, new) => {
                let is_string = old.iter().chain(&new).all(Value::is_string);
                Self::whole("text", old.as_ref().map(text_of), new.as_ref().map(text_of), is_string)
            }
        }
    }

    fn whole(heading: &str, before: Option<String>, after: Option<String>, is_string: bool) -> Self {
        let whole = Part { heading: heading.to_owned(), path: Pointer::root(), before, after, is_string };
        Self { texts: vec![whole], ..Self::default() }
    }

    fn members(mut old: Map<String, Value>, new: &Map<String, Value>) -> Self {
        let mut found = Self::default();
        for name in in_order(new.keys().chain(old.keys())) {
            let path = Pointer::root().child(&name);
            // A text inside that is shown as text is no difference of the JSON around it.
            if let (Some(before), Some(after)) = (old.get_mut(&name), new.get(&name)) {
                prose(before, after, &path, &mut found.texts);
            }
            let (before, after) = (old.get(&name), new.get(&name));
            if before == after {
                continue;
            }
            let is_string = before.into_iter().chain(after).all(Value::is_string);
            let part = Part { heading: name, path, before: before.map(text_of), after: after.map(text_of), is_string };
            if is_string { &mut found.texts } else { &mut found.rest }.push(part);
        }
        found
    }

    /// What a finding quotes from inside something that is new as a whole stands among the texts, too.
    fn bring_forward(&mut self, findings: &[Finding], pinned: Option<&Item>, now: &Item) {
        let Some(after) = now.definition.exact() else { return };
        let before = pinned.and_then(|item| item.definition.exact());
        for finding in findings.iter().filter(|finding| finding.added && finding.start < finding.end) {
            let Some(Value::String(text)) = value_at(&after, &finding.path) else { continue };
            let known = before.as_ref().is_some_and(|before| value_at(before, &finding.path).is_some());
            if !known && self.texts.iter().all(|part| part.path != finding.path && part.path != Pointer::root()) {
                self.texts.push(Part {
                    heading: heading(&finding.path),
                    path: finding.path.clone(),
                    before: None,
                    after: Some(text.clone()),
                    is_string: true,
                });
            }
        }
    }
}

/// Names of members in the order they are read, each once.
pub(super) fn in_order<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut names: Vec<String> = names.cloned().collect();
    names.sort_by_key(|name| (ORDER.iter().position(|known| known == name).unwrap_or(ORDER.len()), name.clone()));
    names.dedup();
    names
}

/// Takes texts for a model that differ out of two values: each becomes a part, and the same in both.
fn prose(before: &mut Value, after: &Value, path: &Pointer, found: &mut Vec<Part>) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            for (name, before) in before.iter_mut() {
                let Some(after) = after.get(name) else { continue };
                let path = path.child(name);
                match (&mut *before, after) {
                    (Value::String(old), Value::String(new)) if old != new && is_prose(name, old, new) => {
                        let (before, after) = (Some(std::mem::replace(old, new.clone())), Some(new.clone()));
                        found.push(Part { heading: heading(&path), path, before, after, is_string: true });
                    }
                    _ => prose(before, after, &path, found),
                }
            }
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            for (at, (before, after)) in before.iter_mut().zip(after).enumerate() {
                prose(before, after, &path.child(at), found);
            }
        }
        _ => {}
    }
}

/// Whether a text that differs is one for a model to read: some keywords hold those, however short.
fn is_prose(name: &str, old: &str, new: &str) -> bool {
    SENTENCES.contains(&name) || old.contains(char::is_whitespace) || new.contains(char::is_whitespace)
}

/// `parameter to: description`; in other places the path as it is.
fn heading(path: &Pointer) -> String {
    let tokens: Vec<_> = path.tokens().collect();
    match tokens.as_slice() {
        [name] => name.clone(),
        [schema, properties, name, rest @ ..] if schema == "inputSchema" && properties == "properties" => {
            format!("parameter {name}: {}", rest.join("/"))
        }
        _ => path.to_string(),
    }
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

impl Drift {
    /// What of a change cannot be seen by looking at the two texts, in words; but for hidden characters that a finding marks.
    pub(crate) fn invisible(&self) -> Vec<String> {
        let (Some(pinned), Some(now)) = (&self.side.pinned, &self.side.now) else { return Vec::new() };
        if pinned.digests.surface == now.digests.surface {
            return Vec::new();
        }
        if pinned.definition.exact().is_none() || now.definition.exact().is_none() {
            let equal = pinned.definition.as_read() == now.definition.as_read();
            let text = "Only the spelling differs: most readers take both texts for the same JSON.";
            return if equal { vec![text.to_owned()] } else { Vec::new() };
        }
        let parts = Parts::between(Some(&pinned.definition), Some(&now.definition), false);
        let is_marked = |part: &Part| {
            let marks = |finding: &&Finding| finding.rule == "hidden-characters" && finding.start < finding.end;
            self.findings.iter().filter(marks).any(|finding| finding.added && finding.path == part.path)
        };
        let said = |part: &Part| {
            let how = how_invisible(part.before.as_deref()?, part.after.as_deref()?, is_marked(part))?;
            Some(format!("{}: only {how}; most programs show both the same.", part.heading))
        };
        parts.texts.iter().chain(&parts.rest).filter_map(said).collect()
    }
}

/// `hidden characters differ, 0 before and 3 now (U+200B)`, unless a finding marks them; `white space differs`; or none where a
/// reader sees a difference.
fn how_invisible(old: &str, new: &str, is_marked: bool) -> Option<String> {
    let bare = |text: &str| text.chars().filter(|c| c.is_whitespace() || !is_hidden(*c)).collect::<String>();
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let hidden = |text: &str| text.chars().filter(|c| !c.is_whitespace() && is_hidden(*c)).collect::<Vec<_>>();
    if bare(old) == bare(new) {
        if is_marked {
            return None;
        }
        let (old, new) = (hidden(old), hidden(new));
        let points: BTreeSet<_> = old.iter().chain(&new).map(|c| format!("U+{:04X}", u32::from(*c))).collect();
        let shown: Vec<_> = points.iter().take(4).cloned().collect();
        let more = if points.len() > 4 { format!(" and {} more", points.len() - 4) } else { String::new() };
        return Some(format!(
            "hidden characters differ, {} before and {} now ({}{more})",
            old.len(),
            new.len(),
            shown.join(", ")
        ));
    }
    (squeezed(&bare(old)) == squeezed(&bare(new))).then(|| "white space differs".to_owned())
}
