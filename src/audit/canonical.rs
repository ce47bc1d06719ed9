//! The canonical text of a record, by the contract's own rules, which are not RFC 8785: strings in NFC and without blanks at
//! their ends, only `"` and `\` escaped, controls and bare numbers refused.

use serde_json::Value;
use std::borrow::Cow;
use unicode_normalization::{UnicodeNormalization as _, is_nfc};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

/// The members of a record that are hashed. Others may stand beside them, and are not.
const HASHED: [&str; 8] =
    ["event_id", "event_type", "extensions", "occurred_at", "outcome", "previous_hash", "principal_id", "tool_name"];

/// The longest string, in UTF-16 units, and the deepest nesting.
const LONGEST: usize = 8192;
const DEEPEST: usize = 64;

/// Why a record has no canonical text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCanonical {
    /// Cc in Unicode: C0, DEL and C1.
    #[error("a string holds a control character")]
    Control,
    /// The contract has none.
    #[error("a bare number")]
    Number,
    /// More than [`LONGEST`].
    #[error("a string is longer than 8192 UTF-16 units")]
    Long,
    /// More than [`DEEPEST`].
    #[error("nested deeper than 64 levels")]
    Deep,
    /// One of the eight, or all of it.
    #[error("the member `{0}` is missing")]
    Missing(&'static str),
}

/// What the hash of a record is over.
pub fn preimage(record: &Value) -> Result<String, NotCanonical> {
    let mut text = String::with_capacity(768);
    for (at, name) in HASHED.into_iter().enumerate() {
        text.push(if at == 0 { '{' } else { ',' });
        text.push('"');
        text.push_str(name);
        text.push_str("\":");
        write(&mut text, record.get(name).ok_or(NotCanonical::Missing(name))?, 1)?;
    }
    text.push('}');
    Ok(text)
}

fn write(text: &mut String, value: &Value, depth: usize) -> Result<(), NotCanonical> {
    if depth > DEEPEST {
        return Err(NotCanonical::Deep);
    }
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(truth) => text.push_str(if *truth { "true" } else { "false" }),
        Value::Number(_) => return Err(NotCanonical::Number),
        Value::String(string) => write_string(text, string)?,
        Value::Array(list) => {
            text.push('[');
            for (at, element) in list.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                write(text, element, depth + 1)?;
            }
            text.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by(|(a, _), (b, _)| a.as_bytes().cmp(b.as_bytes()));
            text.push('{');
            for (at, (name, value)) in members.into_iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                write_string(text, name)?;
                text.push(':');
                write(text, value, depth + 1)?;
            }
            text.push('}');
        }
    }
    Ok(())
}

fn write_string(text: &mut String, string: &str) -> Result<(), NotCanonical> {
    text.push('"');
    if string.len() <= LONGEST
        && string.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'))
    {
        text.push_str(string.trim_matches(' '));
    } else {
        let normal: Cow<'_, str> = if is_nfc(string) { string.into() } else { string.nfc().collect::<String>().into() };
        let normal = normal.trim_matches(' ');
        if normal.encode_utf16().count() > LONGEST {
            return Err(NotCanonical::Long);
        }
        for character in normal.chars() {
            if character.general_category() == GeneralCategory::Control {
                return Err(NotCanonical::Control);
            }
            if matches!(character, '"' | '\\') {
                text.push('\\');
            }
            text.push(character);
        }
    }
    text.push('"');
    Ok(())
}
