//! Where the secrets stand in a launch as written, and that launch with them masked.
//!
//! One search serves both uses: masking replaces what it finds, [`super::Secrets`] collects it.

use super::names::{has_token_prefix, is_digest_name, is_secret_name, looks_random};
use std::ops::Range;

/// A stretch of a text that is secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// Where.
    pub(super) at: Range<usize>,
    /// What it is called; none where the mask is nothing at all (user info of a URL).
    pub(super) name: Option<String>,
}

/// What stands in the place of the secret called `name`.
pub(super) fn marker(name: &str) -> String {
    format!("<redacted {}>", name.trim_start_matches('-'))
}

/// An argument vector with its secrets masked: values of secret-looking options and pairs, header values, tokens,
/// random-looking words, user info and secret query values of URLs. `${VAR}` stays as written.
pub fn mask_args<S: AsRef<str>>(args: &[S]) -> Vec<String> {
    let spans = find_in_args(args);
    args.iter().zip(spans).map(|(arg, spans)| replace(arg.as_ref(), spans)).collect()
}

/// One argument, seen by itself, with its secrets masked.
pub fn mask_argument(argument: &str) -> String {
    replace(argument, find_in_argument(argument, None))
}

/// A URL without user info, its secret query values and random-looking path segments masked.
pub fn mask_url(url: &str) -> String {
    mask_argument(url)
}

/// A value kept under `name`, masked as a whole where the name or the value is secret. References to variables, and the
/// scheme word of a credential, stay: `Bearer ${TOKEN}` is written as it is.
pub fn mask_value(name: &str, value: &str) -> String {
    let spans = if is_secret_name(name) { find_in_secret(value, name) } else { find_in_argument(value, Some(name)) };
    replace(value, spans)
}

pub(super) fn replace(text: &str, mut spans: Vec<Span>) -> String {
    spans.sort_by_key(|span| (span.at.start, std::cmp::Reverse(span.at.end)));
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for Span { at, name } in spans {
        if at.start < done {
            continue;
        }
        masked.push_str(&text[done..at.start]);
        masked.extend(name.map(|name| marker(&name)));
        done = at.end;
    }
    masked.push_str(&text[done..]);
    masked
}

/// The spans of each argument.
pub(super) fn find_in_args<S: AsRef<str>>(args: &[S]) -> Vec<Vec<Span>> {
    let mut option: Option<&str> = None;
    let mut found = Vec::with_capacity(args.len());
    for arg in args {
        let arg = arg.as_ref();
        let before = option.take();
        let is_option = arg.len() > 1 && arg.starts_with('-') && !arg.contains(char::is_whitespace);
        found.push(match before {
            Some(name) if !is_option && is_header_option(name) => find_in_header(arg),
            Some("-u" | "--user") if !is_option => find_in_user(arg),
            Some(name) if !is_option && is_secret_name(name) => find_in_secret(arg, name),
            Some(name) if !is_option => find_in_argument(arg, Some(name)),
            _ => match arg.split_once('=') {
                Some((name, header)) if is_header_option(name) => shifted(find_in_header(header), name.len() + 1),
                _ => find_in_argument(arg, None),
            },
        });
        if is_option && !arg.contains('=') {
            option = Some(arg);
        }
    }
    found
}

fn is_header_option(name: &str) -> bool {
    matches!(name, "-H" | "--header" | "--headers")
}

fn shifted(spans: Vec<Span>, by: usize) -> Vec<Span> {
    spans.into_iter().map(|span| Span { at: span.at.start + by..span.at.end + by, ..span }).collect()
}

/// `Name: value`: a header's value is secret whatever its name.
fn find_in_header(text: &str) -> Vec<Span> {
    match text.split_once([':', '=']) {
        Some((name, value)) => shifted(find_in_secret(value, name.trim()), name.len() + 1),
        None => find_in_argument(text, None),
    }
}

/// `user:password`.
fn find_in_user(text: &str) -> Vec<Span> {
    match text.split_once(':') {
        Some((user, password)) => shifted(find_in_secret(password, "password"), user.len() + 1),
        None => find_in_argument(text, None),
    }
}

/// The literal stretches of a value that is secret by its name: all but references and the scheme word.
pub(super) fn find_in_secret(value: &str, name: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut push = |at: Range<usize>| {
        let literal = &value[at.clone()];
        let start = at.start + (literal.len() - literal.trim_start().len());
        let start = start + scheme_length(&value[start..at.end]);
        let end = at.start + literal.trim_end().len();
        let only_scheme = is_scheme(value[at.start..at.end].trim());
        if start < end && !only_scheme {
            spans.push(Span { at: start..end, name: Some(name.to_owned()) });
        }
    };
    let mut literal = 0;
    for reference in references(value) {
        push(literal..reference.start);
        let text = &value[reference.clone()];
        if let Some(default) = text.find(":-") {
            push(reference.start + default + 2..reference.end - 1);
        }
        literal = reference.end;
    }
    push(literal..value.len());
    spans
}

fn is_scheme(word: &str) -> bool {
    ["bearer", "basic", "token", "digest", "apikey", "negotiate"].contains(&word.to_ascii_lowercase().as_str())
}

/// The length of a credential's scheme word and the blanks after it; 0 without one.
fn scheme_length(text: &str) -> usize {
    match text.split_once(' ') {
        Some((word, rest)) if is_scheme(word) => text.len() - rest.trim_start().len(),
        _ => 0,
    }
}

/// Where `${…}` and `{{…}}` stand, and a value that is `$NAME` or `%NAME%` as a whole.
fn references(text: &str) -> Vec<Range<usize>> {
    let name = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let percent = text.strip_prefix('%').and_then(|rest| rest.strip_suffix('%'));
    if text.strip_prefix('$').is_some_and(name) || percent.is_some_and(name) {
        return vec![Range { start: 0, end: text.len() }];
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let end = if rest.starts_with("${") {
            rest.find('}').map(|end| end + 1)
        } else if rest.starts_with("{{") {
            rest.find("}}").map(|end| end + 2)
        } else {
            None
        };
        match end {
            Some(end) => {
                found.push(at..at + end);
                at += end;
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    found
}

/// The secrets of a free text: URLs, `name=value` and `name: value` pairs, tokens and random-looking words. `under` is
/// the name it is given under.
pub(super) fn find_in_argument(text: &str, under: Option<&str>) -> Vec<Span> {
    let mut spans = find_urls(text);
    find_pairs(text, &mut spans);
    find_words(text, under, &mut spans);
    let kept = references(text);
    // A reference says where the secret is, not what it is; its default is a value like any other.
    spans.retain(|span| !kept.iter().any(|reference| reference.start <= span.at.start && span.at.end <= reference.end));
    for reference in kept {
        let inside = &text[reference.clone()];
        let Some(colon) = inside.find(":-") else { continue };
        let (name, default) = (inside[2..colon].to_owned(), &inside[colon + 2..inside.len() - 1]);
        let found = if is_secret_name(&name) { find_in_secret(default, &name) } else { find_urls(default) };
        spans.extend(shifted(found, reference.start + colon + 2));
    }
    spans
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// `name=value`, `name: value`, `"name": "value"` with a secret-looking name.
fn find_pairs(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        if !matches!(byte, b'=' | b':') {
            continue;
        }
        let before = text[..at].trim_end_matches([' ', '"', '\'', '\\']);
        let start = before.bytes().rposition(|byte| !is_name_byte(byte)).map_or(0, |at| at + 1);
        let name = &before[start..];
        // `ghcr.io/owner/token:latest` is an image, not a pair.
        let in_path = *byte == b':' && start > 0 && matches!(bytes[start - 1], b'/' | b'@');
        if in_path || !is_secret_name(name) {
            continue;
        }
        let rest = &text[at + 1..];
        let value = rest.trim_start_matches([' ', '\\']);
        let from = at + 1 + rest.len() - value.len();
        let (from, end) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                (from + 1, value[1..].find([quote, '\\']).map_or(text.len(), |end| from + 1 + end))
            }
            // The whole argument is the pair: the value may hold anything.
            _ if start == 0 && *byte == b'=' => (from, text.len()),
            _ if *byte == b':' => {
                (from, value.find([',', '}', '"', '\'', '\n', '\r']).map_or(text.len(), |end| from + end))
            }
            _ => (
                from,
                value.find([' ', ';', '&', ',', '"', '\'', '\n', '\r', '#']).map_or(text.len(), |end| from + end),
            ),
        };
        spans.extend(shifted(find_in_secret(&text[from..end], name), from));
    }
}

fn find_words(text: &str, under: Option<&str>, spans: &mut Vec<Span>) {
    let breaks = |c: char| c.is_whitespace() || "\"'`=,;(){}[]<>|&?".contains(c);
    let mut at = 0;
    let mut before = under;
    for word in text.split(breaks) {
        let public = before.is_some_and(is_digest_name);
        if has_token_prefix(word) {
            spans.push(Span { at: at..at + word.len(), name: Some("token".to_owned()) });
        } else if !public && looks_random(word) {
            spans.push(Span { at: at..at + word.len(), name: Some(under.unwrap_or("value").to_owned()) });
        }
        if !word.is_empty() {
            before = Some(word);
        }
        at += word.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
}

/// User info, secret query and fragment values and random-looking path segments of every URL in `text`.
fn find_urls(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut from = 0;
    while let Some(colon) = text[from..].find("://") {
        let start = from + colon + 3;
        let ends = |c: char| c.is_whitespace() || "\"'`<>".contains(c);
        let end = text[start..].find(ends).map_or(text.len(), |end| start + end);
        let url = &text[start..end];
        let authority = url.find(['/', '?', '#', '\\']).unwrap_or(url.len());
        if let Some(sign) = url[..authority].rfind('@') {
            spans.push(Span { at: start..start + sign + 1, name: None });
        }
        let path_end = url.find(['?', '#']).unwrap_or(url.len());
        let mut at = authority;
        for segment in url[authority..path_end].split('/') {
            if has_token_prefix(segment) || looks_random(segment) {
                spans.push(Span { at: start + at..start + at + segment.len(), name: Some("path".to_owned()) });
            }
            at += segment.len() + 1;
        }
        let mut at = path_end;
        for pair in url[path_end..].split(['?', '#', '&', ';']) {
            if let Some((name, value)) = pair.split_once('=') {
                let value_at = start + at + name.len() + 1;
                let public = is_digest_name(name);
                let secret = is_secret_name(name) || name == "code";
                if secret {
                    spans.extend(shifted(find_in_secret(value, name), value_at));
                } else if has_token_prefix(value) || (!public && looks_random(value)) || value.contains("%40") {
                    spans.push(Span { at: value_at..value_at + value.len(), name: Some(name.to_owned()) });
                }
            }
            at += pair.len() + 1;
        }
        from = end.max(start);
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_keep_what_they_mean_and_lose_what_is_secret() {
        let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
        for (args, masked) in [
            (vec!["-y", "@scope/server@1.2.3", "/home/ana/docs"], vec!["-y", "@scope/server@1.2.3", "/home/ana/docs"]),
            (vec!["--token", "hunter2", "x"], vec!["--token", "<redacted token>", "x"]),
            (vec!["--api-key=a b"], vec!["--api-key=<redacted api-key>"]),
            (vec!["-e", "GITHUB_TOKEN=hunter2"], vec!["-e", "GITHUB_TOKEN=<redacted GITHUB_TOKEN>"]),
            (vec!["--env=API_KEY=hunter2"], vec!["--env=API_KEY=<redacted API_KEY>"]),
            (vec!["--header", "X-Team: blue"], vec!["--header", "X-Team: <redacted X-Team>"]),
            (vec!["-H", "Authorization: Bearer abc"], vec!["-H", "Authorization: Bearer <redacted Authorization>"]),
            (vec!["--header=Authorization:${AUTH}"], vec!["--header=Authorization:${AUTH}"]),
            (vec!["-H", "Authorization: Bearer ${T}"], vec!["-H", "Authorization: Bearer ${T}"]),
            (vec!["--token", "${T:-hunter2}"], vec!["--token", "${T:-<redacted token>}"]),
            (vec!["${API_TOKEN:-hunter2}"], vec!["${API_TOKEN:-<redacted API_TOKEN>}"]),
            (vec!["--verbose", token], vec!["--verbose", "<redacted token>"]),
            (vec!["--no-auth", "folder"], vec!["--no-auth", "folder"]),
            (vec!["--token", "--verbose"], vec!["--token", "--verbose"]),
            (vec!["-u", "ana:hunter2"], vec!["-u", "ana:<redacted password>"]),
            (vec![r#"{"apiKey":"hunter2","n":1}"#], vec![r#"{"apiKey":"<redacted apiKey>","n":1}"#]),
            (vec!["Server=db;Password=hunter2;Port=1"], vec!["Server=db;Password=<redacted Password>;Port=1"]),
            (vec!["postgres://ana:hunter2@db/x"], vec!["postgres://db/x"]),
            (vec!["ghcr.io/owner/token:latest"], vec!["ghcr.io/owner/token:latest"]),
            (
                vec!["--rev", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"],
                vec!["--rev", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"],
            ),
            (vec!["é=✓", ""], vec!["é=✓", ""]),
        ] {
            assert_eq!(mask_args(&args), masked);
        }
    }

    #[test]
    fn urls_lose_user_info_and_secret_values() {
        for (url, masked) in [
            ("https://a.example/mcp", "https://a.example/mcp"),
            ("https://ana:pw@a.example:8080/mcp?x=1#y", "https://a.example:8080/mcp?x=1#y"),
            ("https://ana:p@w@a.example/", "https://a.example/"),
            ("https://a.example/?api_key=hunter2&q=cats", "https://a.example/?api_key=<redacted api_key>&q=cats"),
            ("https://a.example/?api_key=${KEY}", "https://a.example/?api_key=${KEY}"),
            ("https://a.example/#access_token=hunter2", "https://a.example/#access_token=<redacted access_token>"),
            ("https://a.example/s/550e8400-e29b-41d4-a716-446655440000/mcp", "https://a.example/s/<redacted path>/mcp"),
            ("https://a.example/?to=http%3A%2F%2Fana%3Apw%40b", "https://a.example/?to=<redacted to>"),
        ] {
            assert_eq!(mask_url(url), masked);
        }
    }

    #[test]
    fn a_secret_value_keeps_its_references_and_its_scheme() {
        for (name, value, masked) in [
            ("TOKEN", "hunter2", "<redacted TOKEN>"),
            ("TOKEN", "${T}", "${T}"),
            ("TOKEN", "$T", "$T"),
            ("TOKEN", "a${T}b", "<redacted TOKEN>${T}<redacted TOKEN>"),
            ("Authorization", "Basic YTpi", "Basic <redacted Authorization>"),
            ("LOG", "info", "info"),
            ("DATABASE_URL", "postgres://a:b@h/db", "postgres://h/db"),
        ] {
            assert_eq!(mask_value(name, value), masked);
        }
    }
}
