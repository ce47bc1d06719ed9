//! One sentence a change, in plain words: the only wording of it, on every face.

use super::{Direction, SchemaChange, SchemaChangeKind};
use crate::schema::keyword::{Holds, holds};
use crate::schema::node::key_of;
use serde_json::Value;
use std::collections::BTreeSet;

/// Characters of a quoted value, and of a name.
const LONGEST_QUOTE: usize = 80;
/// Values of a set that are told one by one.
const MOST_VALUES: usize = 8;

/// The change in words, and behind it what was there, where that is gone.
pub(super) fn of(change: &SchemaChange, direction: Direction) -> (String, String) {
    let place = Trail::of(&change.pointer);
    let (before, after) = (change.before.as_ref(), change.after.as_ref());
    let (keyword, whose) = (change.keyword.as_str(), place.whose());
    let unknown = match direction {
        Direction::Input => "Unknown parameters",
        Direction::Output => "Unknown output members",
    };
    let said = match (keyword, change.kind) {
        ("", _) => from_to("The schema", before, after),
        ("properties", kind) if place.last == Last::Name => declared(&place.itself(), kind, direction, (before, after)),
        ("$defs" | "definitions", SchemaChangeKind::Added) => format!("New {}", place.itself()),
        ("$defs" | "definitions", SchemaChangeKind::Removed) => format!("Removed the {}", place.itself()),
        ("$schema", _) => from_to("Dialect", before, after),
        ("format", _) => {
            format!("{}; only some clients check it", from_to(&format!("`format`{whose}"), before, after))
        }
        (_, SchemaChangeKind::Reordered) => format!("`{keyword}`{whose} reordered"),
        ("required", _) => required(&place, before, after),
        ("additionalProperties" | "unevaluatedProperties", _) if is_open(before) && is_closed(after) => {
            format!("{unknown} are now rejected{}", place.inside())
        }
        ("additionalProperties" | "unevaluatedProperties", _) if is_closed(before) && is_open(after) => {
            format!("{unknown} are now allowed{}", place.inside())
        }
        ("enum" | "type", SchemaChangeKind::Changed)
            if before.is_some_and(Value::is_array) && after.is_some_and(Value::is_array) =>
        {
            format!("`{keyword}`{whose} {}", gains(&list(before), &list(after)))
        }
        _ if place.last != Last::Keyword => return by_itself(&place.itself(), change.kind, before, after),
        (_, SchemaChangeKind::Added) => {
            return (format!("`{keyword}`{whose} is now {}", quoted(after)), was(before));
        }
        (_, SchemaChangeKind::Removed) => {
            return (format!("{} lost its `{keyword}`", place.owner()), was(before));
        }
        (_, kind) => return by_itself(&format!("`{keyword}`{whose}"), kind, before, after),
    };
    (said, String::new())
}

/// That a name is declared, or no longer, or as something else. `path` is how it is reached.
fn declared(
    path: &str,
    kind: SchemaChangeKind,
    direction: Direction,
    (before, after): (Option<&Value>, Option<&Value>),
) -> String {
    let noun = match direction {
        Direction::Input => "parameter",
        Direction::Output => "output member",
    };
    match kind {
        SchemaChangeKind::Added => format!("New {noun} {path}"),
        SchemaChangeKind::Removed => format!("Removed {noun} {path}"),
        _ => from_to(&format!("The {noun} {path}"), before, after),
    }
}

/// `X added: 1`; `X removed` and ` (was 1)`; `X changed from 1 to 2`.
fn by_itself(what: &str, kind: SchemaChangeKind, before: Option<&Value>, after: Option<&Value>) -> (String, String) {
    match kind {
        SchemaChangeKind::Added => (format!("{what} added: {}", quoted(after)), String::new()),
        SchemaChangeKind::Removed => (format!("{what} removed"), was(before)),
        _ => (from_to(what, before, after), String::new()),
    }
}

fn from_to(what: &str, before: Option<&Value>, after: Option<&Value>) -> String {
    format!("{what} changed from {} to {}", quoted(before), quoted(after))
}

fn was(before: Option<&Value>) -> String {
    format!(" (was {})", quoted(before))
}

/// What the last token of a pointer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Keyword,
    /// The name of a parameter, or of a shared definition.
    Name,
    /// A name or an index under another keyword.
    Under,
}

/// Where a pointer leads, in words.
#[derive(Default)]
struct Trail {
    /// The shared definition that it lies in.
    definition: Option<String>,
    /// The names on the way; `*` for an item or a member of any name.
    names: Vec<String>,
    /// The other keywords that it stands under, with the name or index there: what tells alternatives apart.
    under: Vec<String>,
    last: Last,
}

impl Trail {
    fn of(pointer: &str) -> Self {
        let mut place = Self::default();
        let unescaped = |token: &str| token.replace("~1", "/").replace("~0", "~");
        let tokens: Vec<String> = pointer.split('/').skip(1).map(unescaped).collect();
        let mut rest = tokens.iter().peekable();
        while let Some(keyword) = rest.next() {
            place.last = Last::Keyword;
            match (holds(keyword), keyword.as_str()) {
                (None, _) => break,
                (Some(Holds::ByName), keyword) => {
                    let Some(name) = rest.next() else { break };
                    place.name(keyword, name);
                }
                (Some(Holds::Directly), keyword) => {
                    let index = rest.next_if(|token| token.bytes().all(|byte| byte.is_ascii_digit()));
                    match (keyword, index) {
                        (keyword, Some(index)) => {
                            place.under.push(format!("{keyword}/{index}"));
                            place.last = Last::Under;
                        }
                        _ if rest.peek().is_none() => {}
                        ("items" | "additionalItems" | "additionalProperties", _) => place.names.push("*".to_owned()),
                        (keyword, _) => place.under.push(keyword.to_owned()),
                    }
                }
            }
        }
        place
    }

    fn name(&mut self, keyword: &str, name: &str) {
        self.last = Last::Name;
        match keyword {
            "properties" => self.names.push(name.to_owned()),
            "$defs" | "definitions" => {
                *self = Self { definition: Some(name.to_owned()), last: Last::Name, ..Self::default() };
            }
            other => {
                self.under.push(format!("{other}/{name}"));
                self.last = Last::Under;
            }
        }
    }

    /// `` `options.lang` in the shared definition `D` under `anyOf/1` ``; empty for the whole.
    fn words(&self, under: &[String]) -> String {
        let mut words = Vec::new();
        if !self.names.is_empty() {
            words.push(format!("`{}`", shortened(&self.names.join("."))));
        }
        if let Some(definition) = &self.definition {
            let of_it = if words.is_empty() { "" } else { "in the " };
            words.push(format!("{of_it}shared definition `{}`", shortened(definition)));
        }
        if !under.is_empty() {
            words.push(format!("under `{}`", shortened(&under.join("/"))));
        }
        words.join(" ")
    }

    /// What a keyword belongs to: ` of `, and what.
    fn whose(&self) -> String {
        self.placed("of", " of the schema")
    }

    /// The same at the start of a sentence.
    fn owner(&self) -> String {
        match self.words(&self.under) {
            words if words.is_empty() => "The schema".to_owned(),
            words if words.starts_with("under") => format!("The schema {words}"),
            words if words.starts_with("shared") => format!("The {words}"),
            words => words,
        }
    }

    /// Where a rule holds: ` in `, and what; nothing for the whole.
    fn inside(&self) -> String {
        self.placed("in", "")
    }

    /// The words for it behind `of` or `in`; of the whole schema those that are given.
    fn placed(&self, preposition: &str, whole: &str) -> String {
        match self.words(&self.under) {
            words if words.is_empty() => whole.to_owned(),
            words if words.starts_with("under") => format!(" {words}"),
            words if words.starts_with("shared") => format!(" {preposition} the {words}"),
            words => format!(" {preposition} {words}"),
        }
    }

    /// What the last token names.
    fn itself(&self) -> String {
        match self.under.split_last() {
            Some((last, before)) if self.last == Last::Under => match self.words(before) {
                words if words.is_empty() => format!("`{}`", shortened(last)),
                words if words.starts_with("shared") => format!("`{}` of the {words}", shortened(last)),
                words => format!("`{}` of {words}", shortened(last)),
            },
            _ => self.words(&self.under),
        }
    }
}

fn is_open(value: Option<&Value>) -> bool {
    value.is_none_or(|value| *value == Value::Bool(true) || value.as_object().is_some_and(serde_json::Map::is_empty))
}

fn is_closed(value: Option<&Value>) -> bool {
    value == Some(&Value::Bool(false))
}

fn shortened(text: &str) -> String {
    crate::text::shortened(text, LONGEST_QUOTE)
}

fn quoted(value: Option<&Value>) -> String {
    value.map_or_else(|| "absent".to_owned(), |value| format!("`{}`", shortened(&value.to_string())))
}

fn list(value: Option<&Value>) -> Vec<&Value> {
    value.and_then(Value::as_array).into_iter().flatten().collect()
}

/// The values that are not also in `without`.
fn only<'a>(values: &[&'a Value], without: &[&Value]) -> Vec<&'a Value> {
    let without: BTreeSet<String> = without.iter().map(|value| key_of(value)).collect();
    values.iter().copied().filter(|value| !without.contains(&key_of(value))).collect()
}

fn shown(values: &[&Value], quoted: impl Fn(&Value) -> String) -> String {
    let mut words: Vec<String> = values.iter().take(MOST_VALUES).map(|value| quoted(value)).collect();
    if values.len() > MOST_VALUES {
        words.push(format!("{} more", values.len() - MOST_VALUES));
    }
    words.join(", ")
}

fn gains(before: &[&Value], after: &[&Value]) -> String {
    let value = |value: &Value| quoted(Some(value));
    let (more, less) = (only(after, before), only(before, after));
    match (more.is_empty(), less.is_empty()) {
        (false, true) => format!("gained {}", shown(&more, value)),
        (true, false) => format!("lost {}", shown(&less, value)),
        (true, true) => "is written differently".to_owned(),
        (false, false) => format!("gained {}, lost {}", shown(&more, value), shown(&less, value)),
    }
}

fn required(place: &Trail, before: Option<&Value>, after: Option<&Value>) -> String {
    let name =
        |value: &Value| value.as_str().map_or_else(|| quoted(Some(value)), |name| format!("`{}`", shortened(name)));
    let (before, after) = (list(before), list(after));
    let (more, less) = (only(&after, &before), only(&before, &after));
    let inside = place.inside();
    match (more.is_empty(), less.is_empty()) {
        (false, true) => format!("Now requires {}{inside}", shown(&more, name)),
        (true, false) => format!("No longer requires {}{inside}", shown(&less, name)),
        (true, true) => format!("`required`{} is written differently", place.whose()),
        (false, false) => {
            format!("Now requires {} and no longer {}{inside}", shown(&more, name), shown(&less, name))
        }
    }
}
