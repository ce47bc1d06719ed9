//! Where a URI template (RFC 6570) leads after a change: what it stands for as a regular expression, so that two are compared
//! by all URIs that they make. An expansion is taken a little wider than it is, the same on both sides.

use super::shortened;
use crate::drift::{Effect, Severity};
use crate::schema::{Accepts, Budget, compare};
use serde_json::json;
use std::fmt::Write as _;

/// Schemes whose `//` is followed by a host, of many; with others it is a name.
pub(super) const HOSTED: [&str; 6] = ["http://", "https://", "ws://", "wss://", "ftp://", "file://"];

/// Characters of a template that is compared by its URIs.
const MOST: usize = 2_000;
/// Variables of one expression.
const MOST_VARIABLES: usize = 32;

/// A value as it is expanded without reserved characters; lists and pairs stand with `,` and `=`.
const VALUE: &str = "(?:[A-Za-z0-9._~,=-]|%[0-9A-Fa-f]{2})*";
/// One that `+` and `#` expand: every character of a URI.
const RESERVED: &str = "(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=\\[\\]-]|%[0-9A-Fa-f]{2})*";

/// How bad another pattern is, what it does to who reads what the old one made, and why.
pub(super) fn judge_pattern(old: &str, new: &str) -> (Severity, Effect, String) {
    let accepts = match (expression(old), expression(new)) {
        (Some(old), Some(new)) => {
            let schema = |pattern: String| json!({"type": "string", "pattern": pattern});
            compare(&schema(old), &schema(new), &Budget::default()).accepts
        }
        _ => Accepts::Undecided { reason: String::new() },
    };
    let effect = match accepts {
        Accepts::Equal | Accepts::Wider => Effect::Compatible,
        Accepts::Narrower | Accepts::Incomparable => Effect::Breaking,
        Accepts::Undecided { .. } => Effect::Unknown,
    };
    if let Some(why) = farther(old, new) {
        return (Severity::Critical, effect, why);
    }
    let (severity, why) = match accepts {
        Accepts::Wider => (Severity::Critical, "it matches every URI it did, and more"),
        Accepts::Equal => (Severity::Moderate, "it matches the same URIs"),
        Accepts::Narrower => (Severity::Moderate, "it matches fewer URIs, and no new ones"),
        Accepts::Incomparable => (Severity::Moderate, "it matches other URIs in the same place"),
        Accepts::Undecided { .. } => (Severity::Moderate, "not decided whether it reaches wider"),
    };
    (severity, effect, why.to_owned())
}

/// Why a pattern leads out of where the other one led, as its words show, whatever else is decided.
fn farther(old: &str, new: &str) -> Option<String> {
    match (origin(old), origin(new)) {
        (Some(_), None) => return Some("the caller now chooses the scheme or host".to_owned()),
        (Some(before), Some(after)) if before != after => {
            return Some(format!("its scheme or host is now `{}` (was `{}`)", shortened(&after), shortened(&before)));
        }
        _ => {}
    }
    if let Some(wide) = any_path(new).filter(|_| any_path(old).is_none()) {
        return Some(format!("`{{{}}}` matches any path, including slashes", shortened(wide)));
    }
    let (before, after) = (fixed(old), fixed(new));
    (before.len() > after.len() && before.starts_with(after) && new.contains('{'))
        .then(|| format!("its fixed prefix is now `{}` (was `{}`)", shortened(after), shortened(before)))
}

/// What stands before the first expression.
pub(super) fn fixed(template: &str) -> &str {
    template.split('{').next().unwrap_or_default()
}

/// The first expression that takes slashes: RFC 6570 expands reserved characters as they are after `+` and `#`, and
/// repeats an exploded path segment.
pub(super) fn any_path(template: &str) -> Option<&str> {
    let mut expressions = template.split('{').skip(1).map(|part| part.split('}').next().unwrap_or_default());
    expressions.find(|inside| inside.starts_with(['+', '#']) || (inside.starts_with('/') && inside.contains('*')))
}

/// The scheme, and the host where the scheme has one; none where an expression has a part in them.
pub(super) fn origin(template: &str) -> Option<String> {
    let whole = template.len() == fixed(template).len();
    let (fixed, folded) = (fixed(template), fixed(template).to_lowercase());
    if let Some(scheme) = HOSTED.iter().find(|scheme| folded.starts_with(**scheme)) {
        let rest = &folded[scheme.len()..];
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        return (whole || host.len() < rest.len()).then(|| format!("{scheme}{host}"));
    }
    fixed.split_once(':').map(|(scheme, _)| format!("{}:", scheme.to_lowercase()))
}

/// The regular expression of all URIs that a template makes; none where it is no template, or one that is not followed.
fn expression(template: &str) -> Option<String> {
    if template.len() > MOST {
        return None;
    }
    let mut made = "^".to_owned();
    let mut rest = template;
    while !rest.is_empty() {
        let literal = rest.split('{').next().unwrap_or_default();
        if literal.contains('}') {
            return None;
        }
        for letter in literal.chars() {
            if "^$\\.*+?()[]{}|/".contains(letter) {
                made.push('\\');
            }
            made.push(letter);
        }
        rest = &rest[literal.len()..];
        if let Some(opened) = rest.strip_prefix('{') {
            let (inside, behind) = opened.split_once('}')?;
            made.push_str(&expanded(inside)?);
            rest = behind;
        }
    }
    made.push('$');
    Some(made)
}

fn expanded(inside: &str) -> Option<String> {
    let operator = inside.chars().next().filter(|first| "+#./;?&".contains(*first));
    let variables: Vec<_> = inside[operator.map_or(0, char::len_utf8)..].split(',').collect();
    let is_variable = |variable: &&str| {
        let name = variable.strip_suffix('*').unwrap_or(variable);
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '%'))
    };
    if variables.len() > MOST_VARIABLES || !variables.iter().all(is_variable) {
        // A length (`{id:3}`) is not followed, nor are operators that RFC 6570 keeps for later.
        return None;
    }
    let explodes = variables.iter().any(|variable| variable.ends_with('*'));
    let many = if explodes { "*".to_owned() } else { format!("{{0,{}}}", variables.len()) };
    let names: Vec<_> = variables.iter().map(|name| name.replace('.', "\\.")).collect();
    let pair = if explodes { VALUE.to_owned() } else { format!("(?:{})=?{VALUE}", names.join("|")) };
    let mut made = String::new();
    // Writing to a string cannot fail.
    let _ = match operator {
        None => write!(made, "{VALUE}"),
        Some('+') => write!(made, "{RESERVED}"),
        Some('#') => write!(made, "(?:#{RESERVED})?"),
        Some('?') => write!(made, "(?:\\?{pair}(?:&{pair}){many})?"),
        Some('&' | ';') => write!(made, "(?:{}{pair}){many}", operator.unwrap_or_default()),
        Some(other) => write!(made, "(?:\\{other}{VALUE}){many}"),
    };
    Some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_that_reaches_wider_is_critical() {
        for (old, new) in [
            ("file:///{path}", "file:///{+path}"),
            ("file:///notes/{id}", "file:///{id}"),
            ("file:///notes/{id}", "file:///notes{/id*}"),
            ("file:///notes/{id}", "{+uri}"),
            ("https://a.example/{id}", "https://{host}/{id}"),
            ("https://a.example/{id}", "https://b.example/{id}"),
            ("https://a.example/{id}", "https://a.example.evil.example/{id}"),
            ("https://a.example/{id}", "http://a.example/{id}"),
            ("memo://{id}", "file:///{id}"),
            ("memo://a/{id}", "memo://b/{+id}"),
            ("memo://{id}/x", "memo://{id}{/rest}"),
            ("memo://a/b", "memo://a/{id}"),
            ("memo://x/{id}", "memo://x/{id}{?page}"),
            ("memo://x/{id:3}", "memo://x/{+id}"),
        ] {
            let (severity, _, why) = judge_pattern(old, new);
            assert_eq!(severity, Severity::Critical, "{old} -> {new}: {why}");
        }
    }

    #[test]
    fn a_pattern_that_reaches_no_wider_is_moderate() {
        for (old, new, effect) in [
            ("file:///{+path}", "file:///{path}", Effect::Breaking),
            ("memo://{id}", "memo://{name}", Effect::Compatible),
            ("memo://{id}", "memo://notes/{id}", Effect::Breaking),
            ("memo://a/{id}", "memo://b/{id}", Effect::Breaking),
            ("memo://x/{id}{?page}", "memo://x/{id}", Effect::Breaking),
            ("memo://{id}", "memo://fixed", Effect::Breaking),
            ("memo://{id:3}", "memo://{id}", Effect::Unknown),
            ("memo://{id", "memo://{id}", Effect::Unknown),
            ("memo://{=id}", "memo://{id}", Effect::Unknown),
        ] {
            let (severity, found, why) = judge_pattern(old, new);
            assert_eq!((severity, found), (Severity::Moderate, effect), "{old} -> {new}: {why}");
            assert_eq!(found == Effect::Unknown, why.starts_with("not decided"), "{old} -> {new}: {why}");
        }
    }
}
