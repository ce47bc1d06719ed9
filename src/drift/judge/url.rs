//! Where the URLs of a value point: their schemes and hosts.

use serde_json::Value;
use std::collections::BTreeSet;

/// Schemes that have no `//` and still make a URL that something follows or runs.
const BARE: [&str; 7] = ["data", "javascript", "vbscript", "mailto", "blob", "file", "about"];

/// `scheme` or `scheme://host` of every URL in a value, at any depth.
pub(super) fn origins(value: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(value, &mut found);
    found
}

fn collect(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => found.extend(origin(text)),
        Value::Array(list) => list.iter().for_each(|value| collect(value, found)),
        Value::Object(map) => map.values().for_each(|value| collect(value, found)),
        _ => {}
    }
}

/// Scheme and host of a text that is a URL, as browsers read one: blanks around it and line breaks in it do not count,
/// and a backslash is a slash.
pub(super) fn origin(text: &str) -> Option<String> {
    let text: String = text.trim().chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
    let (scheme, rest) = text.split_once(':')?;
    let scheme = scheme.to_ascii_lowercase();
    let letters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.chars().all(letters) {
        return None;
    }
    let rest = rest.replace('\\', "/");
    match rest.strip_prefix("//") {
        Some(rest) => {
            let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
            let host = authority.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
            Some(format!("{scheme}://{host}"))
        }
        None if BARE.contains(&scheme.as_str()) => Some(format!("{scheme}:")),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_its_scheme_and_host() {
        for (text, expected) in [
            ("https://A.example/x.png?y", Some("https://a.example")),
            ("https://user@a.example:8443#x", Some("https://a.example:8443")),
            ("https:\\\\evil.example\\a", Some("https://evil.example")),
            ("java\nscript:alert(1)", Some("javascript:")),
            ("data:image/png;base64,AA", Some("data:")),
            ("note: something", None),
            ("plain", None),
            ("://x", None),
        ] {
            assert_eq!(origin(text).as_deref(), expected, "{text}");
        }
    }
}
