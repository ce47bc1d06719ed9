//! Files of our own, read strictly: what is read, written again, must be what stands there.
//!
//! A member that nobody reads could show one thing in a review and mean another. So a missing member, one too many and a
//! value in another spelling are refused alike, by their JSON Pointer.

use crate::canon::{Pointer, indented, read_plain};
use crate::text::{did_you_mean, is_hidden, utf8, visible};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use serde_path_to_error::Segment;
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

/// The text of a file of this format.
pub fn to_text<T: Serialize>(format: &str, file: &T) -> String {
    #[derive(Serialize)]
    struct Tagged<'a, T> {
        format: &'a str,
        #[serde(flatten)]
        file: &'a T,
    }
    indented(&json!(Tagged { format, file }), &is_hidden)
}

/// What the text of a file of this format says.
pub fn from_text<T: Serialize + DeserializeOwned>(format: &str, text: &[u8]) -> Result<T, Misshapen> {
    let root = Pointer::root();
    let text = utf8(text).map_err(|problem| Misshapen::new(root.clone(), problem.to_string()))?;
    let mut file = read_plain(text).map_err(|problem| Misshapen::new(root.clone(), problem))?;
    match file.as_object_mut().and_then(|file| file.remove("format")) {
        Some(Value::String(found)) if found == format => strict(&file, &root),
        found => {
            let found = found.as_ref().and_then(Value::as_str).unwrap_or("none");
            Err(Misshapen::new(root.child("format"), format!("format `{found}`; this pinwatch reads {format}")))
        }
    }
}

/// What a value says that stands at `at` in its file.
pub fn strict<T: Serialize + DeserializeOwned>(value: &Value, at: &Pointer) -> Result<T, Misshapen> {
    let read: T = serde_path_to_error::deserialize(value).map_err(|error| {
        let place = error.path().iter().fold(at.clone(), |at, segment| match segment {
            Segment::Seq { index } => at.child(index),
            Segment::Map { key } => at.child(key),
            Segment::Enum { .. } | Segment::Unknown => at,
        });
        Misshapen::new(place, error.inner().to_string())
    })?;
    same(value, &json!(read), at).map(|()| read)
}

/// Refuses the first thing in which what stands there is not what would be written.
pub(super) fn same(stands: &Value, written: &Value, at: &Pointer) -> Result<(), Misshapen> {
    difference(stands, written, at).map_or(Ok(()), Err)
}

fn difference(stands: &Value, written: &Value, at: &Pointer) -> Option<Misshapen> {
    match (stands, written) {
        (Value::Object(stands), Value::Object(written)) => {
            let each = stands.iter().find_map(|(name, value)| {
                let at = at.child(name);
                if let Some(written) = written.get(name) {
                    return difference(value, written, &at);
                }
                let near = did_you_mean(name, written.keys().map(String::as_str));
                Some(Misshapen::new(at, format!("it does not belong here{near}")))
            });
            let missing = || written.keys().find(|name| !stands.contains_key(*name));
            each.or_else(|| Some(Misshapen::new(at.clone(), format!("missing field `{}`", missing()?))))
        }
        (Value::Array(stands), Value::Array(written)) if stands.len() == written.len() => {
            let mut pairs = stands.iter().zip(written).enumerate();
            pairs.find_map(|(index, (stands, written))| difference(stands, written, &at.child(index)))
        }
        _ => (stands != written).then(|| Misshapen::new(at.clone(), format!("expected {written}"))),
    }
}
