//! Where the secrets stand in the texts of a launch.
//!
//! One search serves both uses: masking replaces what it finds, [`super::Secrets`] collects it.

use super::names::{has_token_prefix, is_digest_name, is_secret_name, looks_random};
use crate::text::MASK;
use std::ops::Range;

/// A stretch of a text that is secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) at: Range<usize>,
    /// What it is called; none where the mask is nothing at all (user info of a URL).
    pub(super) name: Option<String>,
}

/// How a launch's text is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    /// As written: `${VAR}` says where a secret is, and is none.
    Written,
    /// Expanded: whatever looks like a reference is part of a value.
    Expanded,
}

impl Search {
    pub(super) fn in_args<S: AsRef<str>>(self, args: &[S]) -> Vec<Vec<Span>> {
        let mut option: Option<&str> = None;
        let mut found = Vec::with_capacity(args.len());
        for arg in args {
            let arg = arg.as_ref();
            let before = option.take();
            let is_option = arg.len() > 1 && arg.starts_with('-') && !arg.contains(char::is_whitespace);
            found.push(match before {
                Some(name) if !is_option && is_header_option(name) => self.in_header(arg),
                Some("-u" | "--user") if !is_option => self.in_user(arg),
                Some(name) if !is_option && is_secret_name(name) => self.in_secret(arg, name),
                Some(name) if !is_option => self.in_argument(arg, Some(name)),
                _ => match arg.split_once('=') {
                    Some((name, header)) if is_header_option(name) => shifted(self.in_header(header), name.len() + 1),
                    _ => self.in_argument(arg, None),
                },
            });
            if is_option && !arg.contains('=') {
                option = Some(arg);
            }
        }
        found
    }

    /// `Name: value`: a header's value is secret whatever its name.
    fn in_header(self, text: &str) -> Vec<Span> {
        match text.split_once([':', '=']) {
            Some((name, value)) => shifted(self.in_secret(value, name.trim()), name.len() + 1),
            None => self.in_argument(text, None),
        }
    }

    /// `user:password`.
    fn in_user(self, text: &str) -> Vec<Span> {
        match text.split_once(':') {
            Some((user, password)) => shifted(self.in_secret(password, "password"), user.len() + 1),
            None => self.in_argument(text, None),
        }
    }

    /// The literal stretches of a value that is secret by its name: all but references and the scheme word.
    pub(super) fn in_secret(self, value: &str, name: &str) -> Vec<Span> {
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
        for reference in self.references(value) {
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

    /// Where `${…}`, `{{…}}` and masks stand, and a value that is `$NAME` or `%NAME%` as a whole.
    fn references(self, text: &str) -> Vec<Range<usize>> {
        if self == Self::Expanded {
            return Vec::new();
        }
        let name =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
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
            } else if rest.starts_with(MASK) {
                rest.find('>').map(|end| end + 1)
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
    pub(super) fn in_argument(self, text: &str, under: Option<&str>) -> Vec<Span> {
        let mut spans = self.urls(text);
        self.pairs(text, &mut spans);
        self.options(text, &mut spans);
        find_words(text, under, &mut spans);
        let kept = self.references(text);
        // A reference says where the secret is, not what it is; its default is a value like any other.
        spans.retain(|span| {
            !kept.iter().any(|reference| reference.start <= span.at.start && span.at.end <= reference.end)
        });
        for reference in kept {
            let inside = &text[reference.clone()];
            let Some(colon) = inside.find(":-") else { continue };
            let (name, default) = (inside[2..colon].to_owned(), &inside[colon + 2..inside.len() - 1]);
            let found = if is_secret_name(&name) { self.in_secret(default, &name) } else { self.urls(default) };
            spans.extend(shifted(found, reference.start + colon + 2));
        }
        spans
    }

    /// `name=value`, `name: value`, `"name": "value"` with a secret-looking name.
    fn pairs(self, text: &str, spans: &mut Vec<Span>) {
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
            spans.extend(shifted(self.in_secret(&text[from..end], name), from));
        }
    }

    /// `--name value` inside of one text: a command line that a shell is given.
    fn options(self, text: &str, spans: &mut Vec<Span>) {
        for (at, _) in text.match_indices('-') {
            let starts = text[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == '"' || c == '\'');
            let option = text[at..].split(char::is_whitespace).next().unwrap_or_default();
            if !starts || !is_secret_name(option) || option.contains('=') {
                continue;
            }
            let rest = &text[at + option.len()..];
            let value = rest.trim_start();
            let from = text.len() - value.len();
            let (from, end) = match value.chars().next() {
                Some('-') | None => continue,
                Some(quote @ ('"' | '\'')) => {
                    (from + 1, value[1..].find(quote).map_or(text.len(), |end| from + 1 + end))
                }
                Some(_) => (from, value.find(char::is_whitespace).map_or(text.len(), |end| from + end)),
            };
            spans.extend(shifted(self.in_secret(&text[from..end], option), from));
        }
    }

    /// User info, secret query and fragment values and random-looking path segments of every URL in `text`.
    fn urls(self, text: &str) -> Vec<Span> {
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
                        spans.extend(shifted(self.in_secret(value, name), value_at));
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
}

fn is_header_option(name: &str) -> bool {
    matches!(name, "-H" | "--header" | "--headers")
}

fn shifted(spans: Vec<Span>, by: usize) -> Vec<Span> {
    spans.into_iter().map(|span| Span { at: span.at.start + by..span.at.end + by, ..span }).collect()
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

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
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
