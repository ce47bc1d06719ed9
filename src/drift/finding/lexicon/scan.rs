//! What no list can hold: addresses, numbers, paths, names as programs write them, other tools by what they do.

mod figures;

use super::{Class, Mark, is_spaced};
use memchr::memmem;

/// Every such mark of a folded text.
pub(super) fn marks(folded: &str, found: &mut Vec<Mark>) {
    let signs = Signs::of(folded);
    if signs.have(b":") || signs.have(b"@") {
        addresses(folded, found);
    }
    if signs.have(b"_") {
        identifiers(folded, found);
    }
    if signs.digits > 0 {
        figures::numbers(folded, found);
    }
    if signs.digits >= FEW {
        figures::accounts(folded, found);
    }
    if signs.have(b"./#") {
        places(folded, found);
    }
    others(folded, found);
    if signs.have(b"@") {
        packages(folded, found);
    }
    if signs.have(b":=") {
        switches(folded, found);
    }
    particles(folded, found);
    if signs.digits > 0 {
        figures::shares(folded, found);
        figures::sums(folded, found);
    }
}

/// Digits of the shortest account number.
const FEW: usize = 6;

/// Which signs a text holds, so that it is not searched for what needs others.
struct Signs {
    bytes: [bool; 256],
    digits: usize,
}

impl Signs {
    fn of(text: &str) -> Self {
        let mut bytes = [false; 256];
        text.bytes().for_each(|byte| bytes[usize::from(byte)] = true);
        Self { bytes, digits: text.bytes().filter(u8::is_ascii_digit).count() }
    }

    fn have(&self, any: &[u8]) -> bool {
        any.iter().any(|sign| self.bytes[usize::from(*sign)])
    }
}

/// The words that hold a byte of a kind, each with its start: what lies between two characters that are not `inside`.
/// `wanted` and what parts words are ASCII.
fn words_with(text: &str, wanted: fn(u8) -> bool, inside: fn(u8) -> bool) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + bytes.get(from..)?.iter().position(|byte| wanted(*byte))?;
        let start = bytes[from..at].iter().rposition(|byte| !inside(*byte)).map_or(from, |before| from + before + 1);
        let end = bytes[at..].iter().position(|byte| !inside(*byte)).map_or(bytes.len(), |length| at + length);
        from = (end + 1).min(bytes.len()).max(at + 1);
        Some((start, text.get(start..end).unwrap_or_default()))
    })
}

/// Bytes between a verb and its particle.
const SPLIT: usize = 48;

/// `Turn the firewall off`: a verb whose particle stands behind its object.
fn particles(folded: &str, found: &mut Vec<Mark>) {
    for at in memmem::find_iter(folded.as_bytes(), " off") {
        let from = folded[..at].char_indices().rev().take(SPLIT).last().map_or(at, |(from, _)| from);
        let object = &folded[from..at];
        let clause = object.rfind(['.', ',', ';', ':']).map_or(object, |end| &object[end + 1..]);
        let verbs = ["turn ", "turns ", "turned ", "turning ", "switch ", "switches ", "switched ", "shut "];
        if let Some(verb) = verbs.iter().filter_map(|verb| clause.rfind(verb)).max() {
            let start = at - clause.len() + verb;
            found.push(Mark { class: Class::Destroy, start, end: at + 4, sentence: 0 });
        }
    }
}

/// Members that say whether the user is asked or told.
const TOLD: [&str; 15] = [
    "show_in_ui",
    "show_in_chat",
    "tell",
    "announce",
    "notify",
    "notify_user",
    "inform_user",
    "tell_user",
    "show_user",
    "ask_user",
    "prompt_user",
    "visible",
    "user_visible",
    "confirm_with_user",
    "visible_to_user",
];

/// Members that say whether somebody is asked, and values for which nobody is.
const ASKED: [&str; 12] = [
    "ask",
    "asks",
    "confirm",
    "confirmation",
    "confirmations",
    "approval",
    "approvals",
    "consent",
    "permission",
    "permissions",
    "prompts",
    "ask_first",
];
const GIVEN: [&str; 12] =
    ["implied", "implicit", "granted", "auto", "given", "none", "off", "skip", "false", "never", "no", "assumed"];

/// `announce: false`, `"prompt_user": "never"`, `approvals: implied`.
fn switches(folded: &str, found: &mut Vec<Mark>) {
    for (at, _) in folded.match_indices([':', '=']) {
        let key = folded[..at].trim_end_matches([' ', '"', '\'']);
        let start = key.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '_').len();
        let key = &key[start..];
        let rest = &folded[at + 1..];
        if TOLD.contains(&key) {
            // A few characters stand between a member and its value; a run of signs is none.
            let blank = rest.bytes().take(4).take_while(|byte| matches!(byte, b' ' | b'"' | b'\'' | b'=')).count();
            let value = &rest[blank..];
            let off =
                ["false", "never", "nobody", "no", "off", "none", "0"].iter().find(|off| value.starts_with(**off));
            found.extend(off.map(|off| {
                let end = at + 1 + blank + off.len();
                Mark { class: Class::Hide, start, end, sentence: 0 }
            }));
        } else if ASKED.contains(&key) {
            let value = rest.trim_start_matches([' ', '"', '\'']);
            let value = &value[..value.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(value.len())];
            if GIVEN.contains(&value) {
                found.push(Mark { class: Class::Granted, start, end: at + 1, sentence: 0 });
            }
        }
    }
}

/// Packages with their scope: `@x/y`.
fn packages(folded: &str, found: &mut Vec<Mark>) {
    for (start, _) in folded.match_indices('@') {
        let rest = &folded[start + 1..];
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/' | '.')))
            .unwrap_or(rest.len());
        if folded[..start].ends_with(|c: char| c.is_alphanumeric()) {
            continue;
        }
        if rest[..end].split_once('/').is_some_and(|(scope, name)| !scope.is_empty() && !name.is_empty()) {
            found.push(Mark { class: Class::Package, start, end: start + 1 + end, sentence: 0 });
        }
    }
}

/// Top-level domains of bare host names. Those that are file endings as well are left out.
const TOPS: [&str; 38] = [
    "com", "net", "org", "io", "dev", "app", "example", "xyz", "ru", "cn", "co", "info", "biz", "site", "online",
    "cloud", "ai", "tech", "test", "top", "live", "host", "link", "click", "invalid", "de", "me", "ly", "gg", "store",
    "shop", "eu", "vip", "club", "space", "website", "win", "page",
];

/// `the mail connector`: another tool by what it does. Words that point to one of the same server's are none.
fn others(folded: &str, found: &mut Vec<Mark>) {
    for start in memmem::find_iter(folded.as_bytes(), "the ") {
        let mut words = folded[start + 4..].splitn(4, ' ');
        let (Some(which), Some(next)) = (words.next(), words.next()) else { continue };
        // `The file manager tool`.
        let longer = words.next().filter(|last| is_tool(last) && !is_tool(next));
        let what = longer.unwrap_or(next);
        let plain = which.len() > 3 && which.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        if is_tool(what) && plain && !OWN.contains(&which) && !OWN.contains(&next) {
            let length = 5 + which.len() + next.len() + longer.map_or(0, |last| 1 + last.len());
            let end = start + folded[start..start + length].trim_end_matches(|c: char| !c.is_alphanumeric()).len();
            found.push(Mark { class: Class::OtherTool, start, end, sentence: 0 });
        }
    }
}

fn is_tool(word: &str) -> bool {
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    ["tool", "connector", "plugin", "integration", "tools", "connectors", "plugins"].contains(&word)
}

/// Words before `tool` that name none.
const OWN: [&str; 24] = [
    "same",
    "right",
    "following",
    "first",
    "next",
    "current",
    "given",
    "selected",
    "main",
    "best",
    "appropriate",
    "correct",
    "resulting",
    "only",
    "above",
    "named",
    "actual",
    "whole",
    "last",
    "other",
    "relevant",
    "specific",
    "corresponding",
    "available",
];

/// Bare host names, paths and channels.
fn places(folded: &str, found: &mut Vec<Mark>) {
    let inside = |byte: u8| !matches!(byte, b' ' | b'"' | b'(' | b')' | b',' | b';' | b'<' | b'>');
    for (start, word) in words_with(folded, |byte| matches!(byte, b'.' | b'/' | b'#'), inside) {
        let body =
            word.trim_end_matches(|c: char| !(c.is_alphanumeric() || c == '/')).trim_start_matches(['\'', '[', '{']);
        let from = start + word.find(body).unwrap_or_default();
        let mut add = |class: Class| found.push(Mark { class, start: from, end: from + body.len(), sentence: 0 });
        let named =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        // `//cdn.example/x.js`: an address without its scheme.
        let host = body.trim_start_matches('/').split(['/', ':']).next().unwrap_or_default();
        let host = if body.starts_with('/') && !body.starts_with("//") { "" } else { host };
        let octets = host.split('.').filter(|part| part.parse::<u8>().is_ok()).count();
        let number = octets == 4 && host.matches('.').count() == 3;
        let domain = host.rsplit_once('.').is_some_and(|(_, top)| TOPS.contains(&top)) && host.split('.').all(named);
        if number || domain {
            add(Class::Url);
        } else if (body.starts_with('/') && body.matches('/').count() >= 2 && !body.starts_with("//"))
            || body.starts_with("~/")
        {
            add(Class::Path);
        } else if let Some(channel) = body.strip_prefix('#')
            && channel.starts_with(|c: char| c.is_ascii_alphabetic())
            && channel.bytes().any(|byte| !byte.is_ascii_hexdigit())
            && channel.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        {
            add(Class::Literal);
        }
    }
}

/// How names of variables that hold secrets end.
const SECRETS: [&str; 7] = ["_api_key", "_access_key", "_secret_key", "_private_key", "_token", "_secret", "_password"];

/// Words with an underscore inside.
fn identifiers(folded: &str, found: &mut Vec<Mark>) {
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'_', &folded.as_bytes()[from..]).map(|at| at + from) {
        let before = folded[from..at].char_indices().rev().take_while(|(_, c)| is_spaced(*c)).last();
        let start = before.map_or(at, |(start, _)| from + start);
        let end = folded[at..].find(|c: char| !is_spaced(c)).map_or(folded.len(), |length| at + length);
        let word = &folded[start..end];
        if word.starts_with(char::is_alphabetic) {
            if SECRETS.iter().any(|end| word.ends_with(end)) {
                found.push(Mark { class: Class::Secret, start, end, sentence: 0 });
            }
            found.push(Mark { class: Class::Identifier, start, end, sentence: 0 });
        }
        from = end;
    }
}

/// Web and mail addresses.
fn addresses(folded: &str, found: &mut Vec<Mark>) {
    let end_of = |from: usize| {
        let rest = &folded[from..];
        from + rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | ')' | '\'')).unwrap_or(rest.len())
    };
    let mut from = 0;
    while let Some(at) = memmem::find(&folded.as_bytes()[from..], b"://").map(|at| at + from) {
        let scheme = folded[..at].trim_end_matches(|c: char| c.is_ascii_alphanumeric());
        let end = end_of(at);
        if ["http", "https", "ws", "wss", "ftp"].contains(&&folded[scheme.len()..at]) {
            found.push(Mark { class: Class::Url, start: scheme.len(), end, sentence: 0 });
            let path = folded[at..end].trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
            // What code loads.
            if [".js", ".mjs", ".sh", ".css", ".py", ".git", ".whl", ".tgz", ".ps1"]
                .iter()
                .any(|kind| path.ends_with(kind))
            {
                found.push(Mark { class: Class::Ingredient, start: scheme.len(), end, sentence: 0 });
            }
        }
        from = end.max(at + 3);
    }
    let mut from = 0;
    while let Some(at) = folded[from..].find('@').map(|at| at + from) {
        let local = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
        // A local part has at most 64 characters (RFC 5321, 4.5.3.1.1).
        let start = folded[..at].char_indices().rev().take(64).take_while(|(_, c)| local(*c)).last();
        let rest = &folded[at + 1..];
        let domain = &rest[..rest.find(|c: char| !local(c)).unwrap_or(rest.len()).min(255)];
        let domain = domain.trim_end_matches('.');
        let top = domain.rsplit_once('.').map(|(_, top)| top);
        if let Some((start, _)) = start
            && top.is_some_and(|top| top.len() >= 2 && top.bytes().all(|byte| byte.is_ascii_alphabetic()))
        {
            found.push(Mark { class: Class::Email, start, end: at + 1 + domain.len(), sentence: 0 });
        }
        from = at + 1;
    }
}
