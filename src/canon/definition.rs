//! An item's JSON in the form that a pin stores and a digest covers.

use super::reader::{Code, Codes, Reading, number, read};
use super::scan::Syntax;
use super::write::jcs;
use super::{Pointer, numeral::Numeral};
use bytes::Bytes;
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// A plain definition's RFC 8785 text: as it is, or made of the received bytes whenever it is asked for, so that what
/// was received is in memory once.
#[derive(Clone, Debug)]
pub struct Canonical(Kept);

#[derive(Clone, Debug)]
enum Kept {
    Text(Arc<str>),
    /// Bytes that were read as a plain definition.
    Received(Bytes),
}

impl Canonical {
    fn of(value: &Value) -> Self {
        Self(Kept::Text(jcs(value).into()))
    }

    /// The text.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.0 {
            Kept::Text(text) => text.as_ref().into(),
            Kept::Received(bytes) => jcs(&value_of(bytes)).into(),
        }
    }

    /// Bytes with the same value: the text, or what was received.
    fn bytes(&self) -> &[u8] {
        match &self.0 {
            Kept::Text(text) => text.as_bytes(),
            Kept::Received(bytes) => bytes,
        }
    }
}

impl PartialEq for Canonical {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Canonical {}

/// What of a definition is stored: canonical where that loses nothing, the received characters otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A plain definition.
    Plain(Canonical),
    /// Code `number` alone: RFC 8785 text with each such number as the string of its exact decimal.
    Decimal {
        /// The canonical text.
        text: Arc<str>,
        /// Where the strings stand that are numbers, sorted.
        decimals: Vec<Pointer>,
    },
    /// Any other code: the received characters.
    Text(Arc<str>),
    /// The received bytes, where they are no characters.
    Bytes(Arc<[u8]>),
}

/// An item's JSON as received, read strictly once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// What is stored.
    pub form: Form,
    /// Why it is not plain; empty for a plain one.
    pub codes: Codes,
}

impl Definition {
    /// Reads received bytes.
    pub fn read(bytes: &[u8], max_depth: usize) -> Result<Self, Syntax> {
        Ok(Self::from_reading(read(bytes, max_depth)?, bytes).0)
    }

    /// The definition of a reading of `bytes`, and the reading's value.
    pub fn from_reading(reading: Reading, bytes: &[u8]) -> (Self, Value) {
        let Reading { codes, value, decimals } = reading;
        let only = |code| codes.len() == 1 && codes.contains(&code);
        let form = if codes.is_empty() {
            Form::Plain(Canonical::of(&value))
        } else if only(Code::Number) {
            let mut exact = value.clone();
            let mut pointers: Vec<_> = decimals
                .into_iter()
                .map(|(pointer, decimal)| {
                    if let Some(place) = exact.pointer_mut(pointer.as_str()) {
                        *place = Value::String(decimal);
                    }
                    pointer
                })
                .collect();
            pointers.sort();
            Form::Decimal { text: jcs(&exact).into(), decimals: pointers }
        } else {
            match std::str::from_utf8(bytes) {
                Ok(text) => Form::Text(text.into()),
                Err(_) => Form::Bytes(bytes.into()),
            }
        };
        (Self { form, codes }, value)
    }

    /// A plain definition of a value that was read strictly.
    pub fn from_plain(value: &Value) -> Self {
        Self { form: Form::Plain(Canonical::of(value)), codes: Codes::new() }
    }

    /// A definition of stored `definition` and `decimals`; `None` where they do not fit together.
    pub fn from_decimals(value: &Value, decimals: Vec<Pointer>) -> Option<Self> {
        let exact = |pointer: &Pointer| {
            let text = value.pointer(pointer.as_str())?.as_str()?;
            Some(Numeral::parse(text).is_some_and(|numeral| numeral.to_string() == text))
        };
        let sorted = decimals.is_sorted() && !decimals.is_empty();
        let fits = sorted && decimals.iter().all(|pointer| exact(pointer) == Some(true));
        fits.then(|| Self { form: Form::Decimal { text: jcs(value).into(), decimals }, codes: [Code::Number].into() })
    }

    /// Whether one digest decides.
    pub fn is_plain(&self) -> bool {
        self.codes.is_empty()
    }

    /// Whether readers may take it for different values for another reason than a number's size: it is decided on alone.
    pub fn is_disputed(&self) -> bool {
        self.codes.iter().any(|code| *code != Code::Number)
    }

    /// The same definition, whose canonical text is made of `received`, the bytes that it was read from, when it is asked for.
    #[must_use]
    pub fn of_received(self, received: &Bytes) -> Self {
        match self.form {
            Form::Plain(_) => Self { form: Form::Plain(Canonical(Kept::Received(received.clone()))), ..self },
            Form::Decimal { .. } | Form::Text(_) | Form::Bytes(_) => self,
        }
    }

    /// The definition as most readers take it (doubles, last member wins, U+FFFD for what is no text). Exact for a plain
    /// one; with exact decimals as doubles. For digests of other systems and for display, never for a comparison of ours.
    pub fn as_read(&self) -> Value {
        match &self.form {
            Form::Plain(_) | Form::Text(_) | Form::Bytes(_) => value_of(self.bytes()),
            Form::Decimal { decimals, .. } => {
                let mut value = value_of(self.bytes());
                for pointer in decimals {
                    let Some(place) = value.pointer_mut(pointer.as_str()) else { continue };
                    if let Some(number) = place.as_str().and_then(number) {
                        *place = Value::Number(number);
                    }
                }
                value
            }
        }
    }

    /// The definition as it can be compared without loss: plain, or with the exact decimals as strings. `None` for text.
    pub fn exact(&self) -> Option<Value> {
        match &self.form {
            Form::Plain(_) | Form::Decimal { .. } => Some(value_of(self.bytes())),
            Form::Text(_) | Form::Bytes(_) => None,
        }
    }

    /// The stored characters: canonical text, or the text as received (U+FFFD where it is none).
    pub fn characters(&self) -> Cow<'_, str> {
        match &self.form {
            Form::Plain(text) => text.text(),
            Form::Decimal { text, .. } | Form::Text(text) => text.as_ref().into(),
            Form::Bytes(bytes) => String::from_utf8_lossy(bytes),
        }
    }

    /// JSON of this definition as it lies in memory, canonical or as received: for a quick look at what can be in there.
    pub fn bytes(&self) -> &[u8] {
        match &self.form {
            Form::Plain(text) => text.bytes(),
            Form::Decimal { text, .. } | Form::Text(text) => text.as_bytes(),
            Form::Bytes(bytes) => bytes,
        }
    }
}

/// The value of characters that were read before, so that they can be read again.
fn value_of(bytes: &[u8]) -> Value {
    read(bytes, usize::MAX).map(|reading| reading.value).unwrap_or_default()
}
