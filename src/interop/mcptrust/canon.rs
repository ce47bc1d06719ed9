//! Its two canonical forms of JSON, neither of which is RFC 8785.

use crate::canon::{escaped, jcs};
use serde_json::{Number, Value};
use std::cmp::Ordering;
use strum::IntoStaticStr;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Canon {
    /// Go's own writer: members by their UTF-8, `<`, `>`, `&` and line separators escaped, -0 kept.
    V1,
    /// Members by UTF-16, nothing but controls escaped; other numbers than safe integers as `%g` writes them.
    V2,
}

word!(Canon);

impl Canon {
    fn order(self, a: &str, b: &str) -> Ordering {
        match self {
            Self::V1 => a.cmp(b),
            Self::V2 => a.encode_utf16().cmp(b.encode_utf16()),
        }
    }
}

/// A member that is a text; empty where it is none, as for programs of Go.
pub(super) fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value.get(member).and_then(Value::as_str).unwrap_or_default()
}

/// The canonical text of a value.
pub fn canon(value: &Value, form: Canon) -> String {
    let mut text = String::new();
    write(&mut text, value, form);
    text
}

fn write(text: &mut String, value: &Value, form: Canon) {
    match value {
        Value::Object(map) => {
            let mut members: Vec<_> = map.iter().collect();
            members.sort_by(|(a, _), (b, _)| form.order(a, b));
            text.push('{');
            for (at, (key, value)) in members.into_iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                string(text, key, form);
                text.push(':');
                write(text, value, form);
            }
            text.push('}');
        }
        Value::Array(list) => {
            text.push('[');
            for (at, value) in list.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                write(text, value, form);
            }
            text.push(']');
        }
        Value::String(characters) => string(text, characters, form),
        Value::Number(number) => text.push_str(&number_text(number, form)),
        Value::Null => text.push_str("null"),
        Value::Bool(flag) => text.push_str(if *flag { "true" } else { "false" }),
    }
}

fn string(text: &mut String, characters: &str, form: Canon) {
    let written = jcs(&Value::String(characters.to_owned()));
    if form == Canon::V2 {
        text.push_str(&written);
        return;
    }
    text.push_str(&html_escaped(&written));
}

/// JSON text as Go's writer escapes it for HTML: such characters stand in strings alone.
pub(super) fn html_escaped(json: &str) -> String {
    escaped(json, &|character| matches!(character, '<' | '>' | '&' | '\u{2028}' | '\u{2029}'))
}

/// The largest integer up to which a double tells each from the next.
const SAFE: f64 = 9_007_199_254_740_991.0;

fn number_text(number: &Number, form: Canon) -> String {
    let Some(double) = number.as_f64() else { return number.to_string() };
    let is_zero = double == 0.0;
    match form {
        Canon::V1 if is_zero && double.is_sign_negative() => "-0".to_owned(),
        Canon::V2 if !is_zero && (double.fract() != 0.0 || double.abs() > SAFE) => general(double),
        // For these Go's writer and ECMAScript's agree.
        Canon::V1 | Canon::V2 => jcs(&Number::from_f64(double).map_or(Value::Null, Value::Number)),
    }
}

/// Go's `strconv.FormatFloat(double, 'g', -1, 64)`: the fewest digits, with an exponent of at least two digits below 1e-4
/// and from 1e6 on.
fn general(double: f64) -> String {
    let shortest = format!("{double:e}");
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if !(-4..6).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    format!("{double}")
}
