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
    indented_parts(Part::Borrowed(value), escape)
}

/// A value that is written while it is made: of a long list only one element is in memory.
pub enum Part<'a> {
    /// A value as it is.
    Value(Value),
    /// The same, of somebody else.
    Borrowed(&'a Value),
    /// An object of these members.
    Object(Vec<(&'a str, Part<'a>)>),
    /// A list, element by element.
    List(Box<dyn Iterator<Item = Part<'a>> + 'a>),
}

impl std::fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Value(value) => f.debug_tuple("Value").field(value).finish(),
            Self::Borrowed(value) => f.debug_tuple("Borrowed").field(value).finish(),
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
        Part::Value(value) => write_part(text, Part::Borrowed(&value), level, escape),
        Part::Borrowed(Value::Object(map)) => {
            let members = map.iter().map(|(key, value)| (key.as_str(), Part::Borrowed(value)));
            write_part(text, Part::Object(members.collect()), level, escape);
        }
        Part::Borrowed(Value::Array(list)) => {
            write_part(text, Part::List(Box::new(list.iter().map(Part::Borrowed))), level, escape);
        }
        Part::Borrowed(Value::String(string)) => write_string(text, string, escape),
        Part::Borrowed(other) => text.push_str(&jcs(other)),
        Part::Object(mut members) => {
            // RFC 8785, section 3.2.3: by UTF-16 code units.
            members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            for (key, part) in members {
                begin(text, &mut begun, '{', level + 1);
                write_string(text, key, escape);
                text.push_str(": ");
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
    escaped(&jcs(value), escape) + "\n"
}

fn write_string(text: &mut String, string: &str, escape: &dyn Fn(char) -> bool) {
    if string.chars().all(|c| matches!(c, ' '..='~') && !matches!(c, '"' | '\\') && !escape(c)) {
        // Nothing in it is written in another way (RFC 8785, section 3.2.2.2).
        text.push('"');
        text.push_str(string);
        text.push('"');
        return;
    }
    text.push_str(&escaped(&jcs(&Value::String(string.to_owned())), escape));
}

/// JSON text with the characters for which `escape` says yes as `\uXXXX`: they must stand in strings alone.
pub fn escaped(json: &str, escape: &dyn Fn(char) -> bool) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
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
    text
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
