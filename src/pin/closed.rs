//! Objects of our own files, read member by member: a missing one and one too many are refused by their JSON Pointer.
//!
//! A member that nobody reads could show one thing in a review and mean another, so none is skipped.

use crate::canon::Pointer;
use crate::text::visible;
use serde_json::{Map, Value};
use std::fmt;

/// What is wrong with the shape of a file of ours, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misshapen {
    /// From the file's root.
    pub at: Pointer,
    /// One sentence. It may quote the file: [`fmt::Display`] escapes it.
    pub problem: String,
}

impl Misshapen {
    /// A problem at a place.
    pub fn new(at: Pointer, problem: impl Into<String>) -> Self {
        Self { at, problem: problem.into() }
    }
}

impl fmt::Display for Misshapen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = if self.at.as_str().is_empty() { "the file" } else { self.at.as_str() };
        write!(f, "{}: {}", visible(at), visible(&self.problem))
    }
}

impl std::error::Error for Misshapen {}

/// An object whose members are all known.
pub struct Closed {
    members: Map<String, Value>,
    at: Pointer,
}

impl Closed {
    /// Takes an object that may have the members `known` and no others.
    pub fn open(value: Value, at: Pointer, known: &[&str]) -> Result<Self, Misshapen> {
        let Value::Object(members) = value else { return Err(Misshapen::new(at, "expected an object")) };
        if let Some(name) = members.keys().find(|name| !known.contains(&name.as_str())) {
            return Err(Misshapen::new(at.child(name), format!("unknown member{}", nearest(name, known))));
        }
        Ok(Self { members, at })
    }

    /// Where the object stands.
    pub fn at(&self) -> &Pointer {
        &self.at
    }

    /// Where a member stands.
    pub fn place(&self, name: &str) -> Pointer {
        self.at.child(name)
    }

    /// Whether a member is there and not taken yet.
    pub fn has(&self, name: &str) -> bool {
        self.members.contains_key(name)
    }

    /// A member's value.
    pub fn take(&mut self, name: &str) -> Result<Value, Misshapen> {
        self.members
            .remove(name)
            .ok_or_else(|| Misshapen::new(self.at.clone(), format!("the member `{name}` is missing")))
    }

    /// A member that is a string.
    pub fn string(&mut self, name: &str) -> Result<String, Misshapen> {
        match self.take(name)? {
            Value::String(text) => Ok(text),
            _ => Err(self.wrong(name, "a string")),
        }
    }

    /// A member that is a string or null.
    pub fn string_or_null(&mut self, name: &str) -> Result<Option<String>, Misshapen> {
        match self.take(name)? {
            Value::String(text) => Ok(Some(text)),
            Value::Null => Ok(None),
            _ => Err(self.wrong(name, "a string or null")),
        }
    }

    /// A member that is a list.
    pub fn list(&mut self, name: &str) -> Result<Vec<Value>, Misshapen> {
        match self.take(name)? {
            Value::Array(list) => Ok(list),
            _ => Err(self.wrong(name, "a list")),
        }
    }

    /// A member that is a list of strings.
    pub fn strings(&mut self, name: &str) -> Result<Vec<String>, Misshapen> {
        let list = self.list(name)?.into_iter();
        let strings: Option<Vec<_>> = list.map(|entry| entry.as_str().map(str::to_owned)).collect();
        strings.ok_or_else(|| self.wrong(name, "a list of strings"))
    }

    /// A member that has a text form.
    pub fn parsed<T: std::str::FromStr<Err = String>>(&mut self, name: &str) -> Result<T, Misshapen> {
        self.string(name)?.parse().map_err(|problem: String| Misshapen::new(self.place(name), problem))
    }

    /// A member that is one of a list of words, or another text of one form; `expected` says which.
    pub fn word<T: std::str::FromStr>(&mut self, name: &str, expected: &str) -> Result<T, Misshapen> {
        self.string(name)?.parse().map_err(|_| self.wrong(name, expected))
    }

    /// What a member should have been.
    pub fn wrong(&self, name: &str, expected: &str) -> Misshapen {
        Misshapen::new(self.place(name), format!("expected {expected}"))
    }
}

/// `; is it NAME?` for a name close enough to be a slip.
fn nearest(name: &str, known: &[&str]) -> String {
    let close = |entry: &&str| strsim::jaro_winkler(name, entry);
    let best = known.iter().copied().max_by(|a, b| close(a).total_cmp(&close(b)));
    match best {
        Some(best) if close(&best) > 0.7 => format!("; did you mean `{best}`?"),
        _ => String::new(),
    }
}
