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

/// A value that is written while it is made: of a long list only one element is in memory.
pub enum Part<'a> {
    /// A value as it is.
    Value(Value),
    /// An object of these members.
    Object(Vec<(&'static str, Part<'a>)>),
    /// A list, element by element.
    List(Box<dyn Iterator<Item = Part<'a>> + 'a>),
}

impl std::fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Value(value) => f.debug_tuple("Value").field(value).finish(),
            Self::Object(members) => f.debug_tuple("Object").field(members).finish(),
            Self::List(_) => f.debug_struct("List").finish_non_exhaustive(),
        }
    }
}

impl From<Value> for Part<'_> {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// The same text as [`indented`] of the whole, made part by part.
pub fn indented_parts(part: Part<'_>, escape: &dyn Fn(char) -> bool) -> String {
    let mut text = String::new();
    write_part(&mut text, part, 0, escape);
    text.push('\n');
    text
}

fn write_part(text: &mut String, part: Part<'_>, level: usize, escape: &dyn Fn(char) -> bool) {
    let mut begun = false;
    match part {
        Part::Value(value) => write_value(text, &value, level, escape),
        Part::Object(mut members) => {
            members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            for (key, part) in members {
                begin(text, &mut begun, '{', level + 1);
                write_key(text, key, escape);
                write_part(text, part, level + 1, escape);
            }
            end(text, begun, ['{', '}'], level);
        }
        Part::List(parts) => {
            for part in parts {
                begin(text, &mut begun, '[', level + 1);
                write_part(text, part, level + 1, escape);
            }
            end(text, begun, ['[', ']'], level);
        }
    }
}

fn begin(text: &mut String, begun: &mut bool, open: char, level: usize) {
    text.push(if std::mem::replace(begun, true) { ',' } else { open });
    line_break(text, level);
}

fn end(text: &mut String, begun: bool, [open, close]: [char; 2], level: usize) {
    if begun {
        line_break(text, level);
    } else {
        text.push(open);
    }
    text.push(close);
}

fn line_break(text: &mut String, level: usize) {
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', level));
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
    let mut begun = false;
    match value {
        Value::Object(map) => {
            let mut members: Vec<_> = map.iter().collect();
            // RFC 8785, section 3.2.3: by UTF-16 code units.
            members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            for (key, value) in members {
                begin(text, &mut begun, '{', level + 1);
                write_key(text, key, escape);
                write_value(text, value, level + 1, escape);
            }
            end(text, begun, ['{', '}'], level);
        }
        Value::Array(list) => {
            for value in list {
                begin(text, &mut begun, '[', level + 1);
                write_value(text, value, level + 1, escape);
            }
            end(text, begun, ['[', ']'], level);
        }
        Value::String(string) => write_string(text, string, escape),
        other => text.push_str(&jcs(other)),
    }
}

fn write_key(text: &mut String, key: &str, escape: &dyn Fn(char) -> bool) {
    write_string(text, key, escape);
    text.push_str(": ");
}

fn write_string(text: &mut String, string: &str, escape: &dyn Fn(char) -> bool) {
    if string.chars().all(|c| matches!(c, ' '..='~') && !matches!(c, '"' | '\\') && !escape(c)) {
        // Nothing in it is written in another way (RFC 8785, section 3.2.2.2).
        text.push('"');
        text.push_str(string);
        text.push('"');
        return;
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_read_as_the_whole_does() {
        let whole = json!({"b": [{"x": 1}, []], "a": {}, "none": [], "é\u{200b}": "\u{200b}"});
        let list = || [json!({"x": 1}), json!([])].into_iter().map(Part::Value);
        let parts = Part::Object(vec![
            ("b", Part::List(Box::new(list()))),
            ("é\u{200b}", json!("\u{200b}").into()),
            ("none", Part::List(Box::new(std::iter::empty()))),
            ("a", Part::Object(Vec::new())),
        ]);
        let escape = |c: char| c == '\u{200b}';
        assert_eq!(indented_parts(parts, &escape), indented(&whole, &escape));
    }
}
