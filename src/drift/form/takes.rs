//! Which values a client takes in one place. Python's parser turns some values into others (`"yes"` into true), so that the
//! two refuse different ones.

use super::clients::{By, NOBODY, PYTHON, PYTHON_1, PYTHON_2, TYPESCRIPT, TYPESCRIPT_1};
use crate::surface::Kind;
use serde_json::Value;

/// One member, and who refuses what stands there.
pub(super) struct Member {
    /// Of which items.
    pub(super) kinds: &'static [Kind],
    /// The way to it; `*` is each element of a list, each member of an object.
    pub(super) path: &'static [&'static str],
    /// What every client takes.
    pub(super) takes: Takes,
    /// Who refuses an item that lacks it.
    pub(super) missing: By,
    /// Who refuses null in its place.
    pub(super) null: By,
    /// Who refuses everything else.
    pub(super) wrong: By,
}

/// A kind of value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Takes {
    Object,
    List,
    Text,
    /// A list of texts.
    Texts,
    /// true or false.
    Flag,
    Word(&'static [&'static str]),
    /// An object; TypeScript SDK 1 takes a list, too.
    Structure,
    /// The schema of one parameter: each parser has its own idea of what is none.
    Property,
    /// A text that Python SDK 1 can read as a URL.
    Uri,
    /// A whole number.
    Size,
    /// A number from 0 to 1.
    Priority,
    /// A list of `user` and `assistant`.
    Audience,
    /// A time of ISO 8601 with its offset.
    Time,
}

/// Those that Python's parser takes for true or false.
const FLAG_WORDS: [&str; 12] = ["0", "1", "off", "on", "f", "t", "false", "true", "n", "y", "no", "yes"];

impl Takes {
    /// What belongs there, as words.
    pub(super) fn words(self) -> String {
        match self {
            Self::Object | Self::Structure => "an object".to_owned(),
            Self::List => "an array".to_owned(),
            Self::Text => "a string".to_owned(),
            Self::Texts => "an array of strings".to_owned(),
            Self::Flag => "true or false".to_owned(),
            Self::Word([word]) => format!("\"{word}\""),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::Property => "a schema that is an object".to_owned(),
            Self::Uri => "an absolute URL".to_owned(),
            Self::Size => "an integer".to_owned(),
            Self::Priority => "a number from 0 to 1".to_owned(),
            Self::Audience => "an array of `user` and `assistant`".to_owned(),
            Self::Time => "a time with its offset".to_owned(),
        }
    }
}

impl Member {
    /// Who refuses a value in this place.
    pub(super) fn refused(&self, value: &Value) -> By {
        let taken = |taken: bool| if taken { NOBODY } else { self.wrong };
        let texts = |texts: &Value, fits: &dyn Fn(&str) -> bool| {
            texts.as_array().is_some_and(|list| list.iter().all(|one| one.as_str().is_some_and(fits)))
        };
        match (self.takes, value) {
            (Takes::Property, _) => property(value),
            (_, Value::Null) => self.null,
            (Takes::Structure, Value::Array(_)) => self.wrong.without(TYPESCRIPT_1),
            (Takes::Object | Takes::Structure, _) => taken(value.is_object()),
            (Takes::List, _) => taken(value.is_array()),
            (Takes::Uri, Value::String(text)) if url::Url::parse(text).is_err() => By::new(PYTHON_1, 0),
            (Takes::Text | Takes::Uri, _) => taken(value.is_string()),
            (Takes::Texts, _) => taken(texts(value, &|_| true)),
            (Takes::Audience, _) => taken(texts(value, &|word| matches!(word, "user" | "assistant"))),
            (Takes::Word(words), _) => taken(value.as_str().is_some_and(|word| words.contains(&word))),
            (Takes::Flag, Value::Bool(_)) => NOBODY,
            (Takes::Flag, _) if is_flag_to_python(value) => TYPESCRIPT,
            (Takes::Size, Value::Number(number)) => {
                if number.as_f64().is_some_and(|size| size.fract() == 0.0) {
                    NOBODY
                } else {
                    PYTHON
                }
            }
            (Takes::Size, Value::String(text)) if text.trim().parse::<i128>().is_ok() => TYPESCRIPT,
            (Takes::Priority, Value::Number(number)) => taken(is_share(number.as_f64())),
            (Takes::Priority, Value::String(text)) if is_share(text.trim().parse().ok()) => TYPESCRIPT,
            (Takes::Size | Takes::Priority, Value::Bool(_)) => TYPESCRIPT,
            (Takes::Time, Value::String(text)) => {
                if is_time(text) {
                    NOBODY
                } else {
                    TYPESCRIPT
                }
            }
            (Takes::Flag | Takes::Size | Takes::Priority | Takes::Time, _) => self.wrong,
        }
    }
}

/// A boolean schema is fine by JSON Schema and by the newest parsers.
fn property(value: &Value) -> By {
    By::new(
        match value {
            Value::Object(_) => 0,
            Value::Array(_) => PYTHON_2,
            _ if is_flag_to_python(value) => TYPESCRIPT_1,
            Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => PYTHON_2 | TYPESCRIPT_1,
        },
        0,
    )
}

/// Whether Python's parser reads it as true or false.
fn is_flag_to_python(value: &Value) -> bool {
    match value {
        Value::Bool(_) => true,
        Value::String(word) => FLAG_WORDS.contains(&word.to_lowercase().as_str()),
        Value::Number(number) => matches!(number.as_f64(), Some(0.0 | 1.0)),
        _ => false,
    }
}

fn is_share(number: Option<f64>) -> bool {
    number.is_some_and(|number| (0.0..=1.0).contains(&number))
}

/// What zod's `iso.datetime({ offset: true })` takes: seconds and an offset are not left out.
fn is_time(text: &str) -> bool {
    let Some((_, time)) = text.split_once('T') else { return false };
    let seconds = time.matches(':').count() >= 2 && !text.contains([' ', '[']);
    seconds && text.parse::<jiff::Timestamp>().is_ok()
}
