//! Canonical bytes (RFC 8785), and the same text indented for files that people review.

use serde_json::{Number, Value};
use std::fmt::Write as _;

/// The canonical text of a value read by the strict reader.
pub fn jcs(value: &Value) -> String {
    // A `Value` holds only finite numbers and string keys: there is nothing that serde_jcs could refuse.
    serde_jcs::to_string(value).unwrap_or_default()
}

/// What RFC 8785 writes for one number.
pub(super) fn number_text(number: &Number) -> String {
    serde_jcs::to_string(number).unwrap_or_default()
}

/// The canonical text with one member or element a line, indented by one blank a level. Characters for which `escape`
/// says yes stand as `\uXXXX`, so that a reviewer sees what is there; reading gives the same value back.
pub fn indented(value: &Value, escape: &dyn Fn(char) -> bool) -> String {
    let mut text = String::new();
    write_value(&mut text, value, 0, escape);
    text.push('\n');
    text
}

/// The canonical text on one line, with characters escaped as [`indented`] does.
pub fn line(value: &Value, escape: &dyn Fn(char) -> bool) -> String {
    let canonical = jcs(value);
    let mut text = String::with_capacity(canonical.len() + 1);
    write_escaped(&mut text, &canonical, escape);
    text.push('\n');
    text
}

fn write_value(text: &mut String, value: &Value, level: usize, escape: &dyn Fn(char) -> bool) {
    let line = |text: &mut String, level: usize| {
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', level));
    };
    match value {
        Value::Object(map) if !map.is_empty() => {
            let mut members: Vec<_> = map.iter().collect();
            // RFC 8785, section 3.2.3: by UTF-16 code units.
            members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            for (index, (key, value)) in members.into_iter().enumerate() {
                text.push(if index == 0 { '{' } else { ',' });
                line(text, level + 1);
                write_string(text, key, escape);
                text.push_str(": ");
                write_value(text, value, level + 1, escape);
            }
            line(text, level);
            text.push('}');
        }
        Value::Array(list) if !list.is_empty() => {
            for (index, value) in list.iter().enumerate() {
                text.push(if index == 0 { '[' } else { ',' });
                line(text, level + 1);
                write_value(text, value, level + 1, escape);
            }
            line(text, level);
            text.push(']');
        }
        Value::String(string) => write_string(text, string, escape),
        other => text.push_str(&jcs(other)),
    }
}

fn write_string(text: &mut String, string: &str, escape: &dyn Fn(char) -> bool) {
    write_escaped(text, &jcs(&Value::String(string.to_owned())), escape);
}

/// Outside of strings canonical text is plain ASCII: whatever is escaped stands in one.
fn write_escaped(text: &mut String, canonical: &str, escape: &dyn Fn(char) -> bool) {
    for character in canonical.chars() {
        if escape(character) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(character);
        }
    }
}
