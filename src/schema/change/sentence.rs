//! One sentence a change, in plain words: the only wording of it, on every face.

use super::{SchemaChange, SchemaChangeKind};
use crate::schema::compare::Direction;
use crate::schema::keyword::{Holds, holds};
use crate::schema::node::key_of;
use serde_json::Value;
use std::collections::BTreeSet;

/// Characters of a quoted value, and of a name.
const LONGEST_QUOTE: usize = 80;
/// Values of a set that are told one by one.
const MOST_VALUES: usize = 8;

/// The change in words.
pub(super) fn of(change: &SchemaChange, direction: Direction) -> String {
    let place = Place::of(&change.pointer);
    let (before, after) = (change.before.as_ref(), change.after.as_ref());
    let (keyword, whose) = (change.keyword.as_str(), place.whose());
    match (keyword, change.kind) {
        ("", _) => format!("the whole was {} and is {}", quoted(before), quoted(after)),
        ("properties", kind) if place.last == Last::Name => declared(&place.itself(), kind, direction, (before, after)),
        ("$defs" | "definitions", SchemaChangeKind::Added) => format!("{} is new", place.itself()),
        ("$defs" | "definitions", SchemaChangeKind::Removed) => format!("{} is gone", place.itself()),
        ("$schema", _) => format!("the dialect was {} and is {}", quoted(before), quoted(after)),
        ("format", _) => format!(
            "`format`{whose} was {} and is {}: a hint by the specification, and a rule to those who check it",
            quoted(before),
            quoted(after)
        ),
        (_, SchemaChangeKind::Reordered) => format!("the values of `{keyword}`{whose} stand in another order"),
        ("required", _) => required(&place, before, after),
        ("additionalProperties" | "unevaluatedProperties", _) if is_open(before) && is_closed(after) => {
            format!("names that are not declared are refused now{}", place.inside())
        }
        ("additionalProperties" | "unevaluatedProperties", _) if is_closed(before) && is_open(after) => {
            format!("names that are not declared are accepted now{}", place.inside())
        }
        ("enum" | "type", SchemaChangeKind::Changed)
            if before.is_some_and(Value::is_array) && after.is_some_and(Value::is_array) =>
        {
            format!("`{keyword}`{whose} {}", gains(&list(before), &list(after)))
        }
        _ if place.last != Last::Keyword => by_itself(&place.itself(), change.kind, before, after),
        (_, kind) => by_itself(&format!("`{keyword}`{whose}"), kind, before, after),
    }
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
        SchemaChangeKind::Added => format!("declares one more {noun}, {path}"),
        SchemaChangeKind::Removed => format!("no longer declares the {noun} {path}"),
        _ => format!("the {noun} {path} was {} and is {}", quoted(before), quoted(after)),
    }
}

/// `X is new: 1`, `X is gone: it was 1`, `X was 1 and is 2`.
fn by_itself(what: &str, kind: SchemaChangeKind, before: Option<&Value>, after: Option<&Value>) -> String {
    match kind {
        SchemaChangeKind::Added => format!("{what} is new: {}", quoted(after)),
        SchemaChangeKind::Removed => format!("{what} is gone: it was {}", quoted(before)),
        _ => format!("{what} was {} and is {}", quoted(before), quoted(after)),
    }
}

/// What the last token of a pointer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Last {
    /// A keyword.
    #[default]
    Keyword,
    /// The name of a parameter, or of a shared definition.
    Name,
    /// A name or an index under another keyword.
    Under,
}

/// Where a pointer leads, in words.
#[derive(Default)]
struct Place {
    /// The shared definition that it lies in.
    definition: Option<String>,
    /// The names on the way; `*` for an item or a member of any name.
    names: Vec<String>,
    /// The other keywords that it stands under, with the name or index there: what tells alternatives apart.
    under: Vec<String>,
    last: Last,
}

impl Place {
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
            let of_it = if words.is_empty() { "" } else { "in " };
            words.push(format!("{of_it}the shared definition `{}`", shortened(definition)));
        }
        if !under.is_empty() {
            words.push(format!("under `{}`", shortened(&under.join("/"))));
        }
        words.join(" ")
    }

    /// What a keyword belongs to: ` of `, and what.
    fn whose(&self) -> String {
        match self.words(&self.under) {
            words if words.is_empty() => " of the whole".to_owned(),
            words if words.starts_with("under") => format!(" {words}"),
            words => format!(" of {words}"),
        }
    }

    /// Where a rule holds: ` in `, and what; nothing for the whole.
    fn inside(&self) -> String {
        match self.words(&self.under) {
            words if words.is_empty() => String::new(),
            words if words.starts_with("under") => format!(" {words}"),
            words => format!(" in {words}"),
        }
    }

    /// What the last token names.
    fn itself(&self) -> String {
        match self.under.split_last() {
            Some((last, before)) if self.last == Last::Under => match self.words(before) {
                words if words.is_empty() => format!("`{}`", shortened(last)),
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
        (false, true) => format!("gains {}", shown(&more, value)),
        (true, false) => format!("loses {}", shown(&less, value)),
        (true, true) => "is written in another way".to_owned(),
        (false, false) => format!("gains {}, loses {}", shown(&more, value), shown(&less, value)),
    }
}

fn required(place: &Place, before: Option<&Value>, after: Option<&Value>) -> String {
    let name =
        |value: &Value| value.as_str().map_or_else(|| quoted(Some(value)), |name| format!("`{}`", shortened(name)));
    let (before, after) = (list(before), list(after));
    let (more, less) = (only(&after, &before), only(&before, &after));
    let inside = place.inside();
    match (more.is_empty(), less.is_empty()) {
        (false, true) => format!("{} must be given now{inside}", shown(&more, name)),
        (true, false) => format!("{} need not be given any more{inside}", shown(&less, name)),
        (true, true) => format!("`required`{} is written in another way", place.whose()),
        (false, false) => {
            format!("{} must be given now and {} need not{inside}", shown(&more, name), shown(&less, name))
        }
    }
}
