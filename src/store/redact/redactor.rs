//! The secret values that were passed to servers, found wherever they come back.

use super::cut::{cuts, parts_before};
use super::names::{has_token_prefix, is_secret_name, looks_secret};
use super::search::{Search, Span};
use super::spans::marker;
use crate::canon::scan;
use crate::text::UNRESERVED;
use aho_corasick::AhoCorasick;
use base64::Engine as _;
use percent_encoding::utf8_percent_encode;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

/// A shorter value could be any word, and hides nothing.
const SHORTEST: usize = 4;
/// Values that hide nothing either: sought in texts they would be found everywhere.
const WORDS: &str = "\
    admin basic bearer changeme default disabled enabled false guest localhost none null password root secret test token \
    true user";
/// Headers that every client sends.
const PUBLIC_HEADERS: &str = "\
    accept accept-charset accept-encoding accept-language cache-control connection content-type host \
    mcp-protocol-version origin pragma referer user-agent";
/// From this length on a value is found inside longer words too.
const ANYWHERE: usize = 20;

/// Gathers the values that a launch passes, *expanded*: what the redactor then knows.
#[derive(Clone, Default)]
pub struct Secrets {
    known: Vec<(String, String)>,
}

impl Secrets {
    /// A header's value is secret whatever its name. Under a name that says nothing of a secret, a value like `us-east-1`
    /// is not sought in texts: half of them hold it.
    pub fn header(&mut self, name: &str, value: &str) {
        let public = PUBLIC_HEADERS.split(' ').any(|header| name.eq_ignore_ascii_case(header));
        let word = value.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        let short_word = word && value.len() < 16;
        if is_secret_name(name) || looks_secret(value) || !(public || short_word) {
            self.value(name, value);
        }
    }

    /// An environment variable: secret by its name or its looks, or in part (a URL with a password).
    pub fn variable(&mut self, name: &str, value: &str) {
        if is_secret_name(name) || looks_secret(value) {
            self.value(name, value);
        } else {
            self.spans(value, Search::Expanded.in_argument(value, Some(name)));
        }
    }

    /// The arguments of a command.
    pub fn args<S: AsRef<str>>(&mut self, args: &[S]) {
        for (arg, spans) in args.iter().zip(Search::Expanded.in_args(args)) {
            self.spans(arg.as_ref(), spans);
        }
    }

    /// An endpoint.
    pub fn url(&mut self, url: &str) {
        self.spans(url, Search::Expanded.in_argument(url, None));
    }

    /// A value that is secret for sure.
    pub fn value(&mut self, name: &str, value: &str) {
        for span in Search::Expanded.in_secret(value, name) {
            let secret = &value[span.at];
            self.push(name, secret);
            let decoded = base64::engine::general_purpose::STANDARD.decode(secret).ok();
            // `Basic` credentials come back decoded as often as not.
            if let Some((user, password)) = decoded.and_then(|bytes| {
                let text = String::from_utf8(bytes).ok()?;
                text.split_once(':').map(|(user, password)| (user.to_owned(), password.to_owned()))
            }) && value.to_ascii_lowercase().starts_with("basic ")
            {
                self.push(name, &format!("{user}:{password}"));
                self.push(name, &password);
            }
        }
        for line in value.lines().map(str::trim).filter(|line| line.len() >= ANYWHERE && line.len() < value.len()) {
            if !line.starts_with("-----") {
                self.push(name, line);
            }
        }
    }

    /// All that `other` gathered.
    pub fn extend(&mut self, other: &Self) {
        self.known.extend_from_slice(&other.known);
    }

    fn spans(&mut self, text: &str, spans: Vec<Span>) {
        for Span { at, name } in spans {
            let secret = &text[at];
            if let Some(name) = name {
                self.value(&name, secret);
                continue;
            }
            let user_info = secret.trim_end_matches('@');
            let (user, password) = user_info.split_once(':').unwrap_or(("", user_info));
            let lone_user = user.is_empty() && !looks_secret(password) && password.len() < 8;
            if !lone_user {
                self.push("password", password);
            }
        }
    }

    fn push(&mut self, name: &str, secret: &str) {
        let secret = secret.trim();
        let number = secret.len() < 6 && secret.bytes().all(|byte| byte.is_ascii_digit());
        let word = WORDS.split(' ').any(|word| secret.eq_ignore_ascii_case(word));
        if secret.len() >= SHORTEST && !number && !word {
            self.known.push((name.trim_start_matches('-').to_owned(), secret.to_owned()));
        }
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.known.len())
    }
}

/// Knows the secret values that were passed, and masks them at word edges in any text. Cheap to clone, and what one clone
/// learns all know; one that knows nothing changes nothing.
#[derive(Clone, Default)]
pub struct Redactor {
    known: Arc<RwLock<Option<Arc<Inner>>>>,
}

struct Inner {
    search: AhoCorasick,
    patterns: Vec<(String, String)>,
}

impl Redactor {
    /// A redactor of the gathered values, each in the spellings in which it may come back: as it is, as a JSON string,
    /// percent-encoded, and as a token of a JSON Pointer.
    pub fn new(secrets: &Secrets) -> Self {
        Self::of(patterns(secrets))
    }

    /// Takes in values that are passed from now on: a token is had while the program runs.
    pub fn learn(&self, secrets: &Secrets) {
        let more = Self::new(secrets);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let before = Self { known: Arc::new(RwLock::new(known.take())) };
        *known = before.and(&more).inner();
    }

    /// What it knows at this moment.
    fn inner(&self) -> Option<Arc<Inner>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// One that knows what either knows.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let (Some(own), Some(others)) = (self.inner(), other.inner()) else {
            return Self { known: Arc::new(RwLock::new(self.inner().or_else(|| other.inner()))) };
        };
        let mut patterns = own.patterns.clone();
        for pattern in &others.patterns {
            if !patterns.iter().any(|(known, _)| *known == pattern.0) {
                patterns.push(pattern.clone());
            }
        }
        Self::of(patterns)
    }

    fn of(patterns: Vec<(String, String)>) -> Self {
        if patterns.is_empty() {
            return Self::default();
        }
        let search = AhoCorasick::new(patterns.iter().map(|(pattern, _)| pattern));
        // It fails only past 2^31 states: then nothing would be known, and the values are far too large to be secrets.
        Self { known: Arc::new(RwLock::new(search.ok().map(|search| Arc::new(Inner { search, patterns })))) }
    }

    /// `text` with every known value as `<redacted NAME>`.
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let Some(inner) = self.inner() else { return text.into() };
        let found = inner.found_or_cut(text);
        if found.is_empty() { text.into() } else { masked(text, &found).into() }
    }

    /// A line of a log or of standard error: known values, and every word that starts as published tokens do.
    pub fn mask_log(&self, text: &str) -> String {
        let inner = self.inner();
        let mut found: Vec<(Range<usize>, &str)> = inner.iter().flat_map(|inner| inner.found_or_cut(text)).collect();
        let breaks = |c: char| c.is_whitespace() || "\"'`=,;(){}[]<>|&?:".contains(c);
        let mut at = 0;
        for word in text.split(breaks) {
            if has_token_prefix(word) {
                found.push((at..at + word.len(), "token"));
            }
            at += word.len();
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
        found.sort_by_key(|(at, _)| (at.start, std::cmp::Reverse(at.end)));
        masked(text, &found)
    }

    /// The name of the first known value that a definition's JSON contains, in any spelling that JSON allows.
    pub fn find(&self, json: &[u8]) -> Option<String> {
        self.inner()?.find(json).map(str::to_owned)
    }

    /// Whether it knows nothing.
    pub fn is_empty(&self) -> bool {
        self.inner().is_none()
    }
}

/// The gathered values, each in the spellings in which it may come back.
fn patterns(secrets: &Secrets) -> Vec<(String, String)> {
    let mut patterns: Vec<(String, String)> = Vec::new();
    for (name, secret) in &secrets.known {
        let json = serde_json::Value::from(secret.as_str()).to_string();
        let json = json[1..json.len() - 1].to_owned();
        let percent = utf8_percent_encode(secret, &UNRESERVED).to_string();
        let token = secret.replace('~', "~0").replace('/', "~1");
        for spelling in [secret.clone(), json, percent, token] {
            if !patterns.iter().any(|(known, _)| *known == spelling) {
                patterns.push((spelling, name.clone()));
            }
        }
    }
    patterns
}

impl Inner {
    /// The name of the first known value in a definition's JSON.
    fn find(&self, json: &[u8]) -> Option<&str> {
        if let Some((_, name)) = self.found(json).into_iter().next() {
            return Some(name);
        }
        let mut at = 0;
        while let Some(quote) = json.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'"')) {
            let start = at + quote;
            let Ok(end) = scan::skip_string(json, start) else { return None };
            if json[start..end].contains(&b'\\') {
                let (text, _) = scan::unescape(json, start..end);
                if let Some((_, name)) = self.found(text.as_bytes()).into_iter().next() {
                    return Some(name);
                }
            }
            at = end;
        }
        None
    }

    /// Every known value, and what is left of one where the text was cut.
    fn found_or_cut(&self, text: &str) -> Vec<(Range<usize>, &str)> {
        let mut found = self.found(text.as_bytes());
        found.extend(self.cut(text.as_bytes()));
        found.sort_by_key(|(at, _)| (at.start, std::cmp::Reverse(at.end)));
        found
    }

    /// Every known value at word edges, by its place; of two at one place the longer first.
    fn found(&self, text: &[u8]) -> Vec<(Range<usize>, &str)> {
        let edge = |range: &Range<usize>| {
            range.len() >= ANYWHERE
                || !(joins(text, range.start.wrapping_sub(1), range.start) || joins(text, range.end - 1, range.end))
        };
        let mut found: Vec<_> = self
            .search
            .find_overlapping_iter(text)
            .map(|hit| (hit.range(), self.patterns[hit.pattern()].1.as_str()))
            .filter(|(range, _)| edge(range))
            .collect();
        found.sort_by_key(|(at, _)| (at.start, std::cmp::Reverse(at.end)));
        found
    }

    /// The first part of a value before each place where a text was cut: most of a value is no less secret than all of it.
    fn cut(&self, text: &[u8]) -> Vec<(Range<usize>, &str)> {
        let cuts = cuts(text);
        let fits = |part: &Range<usize>| {
            let inside = || joins(text, part.start.wrapping_sub(1), part.start);
            part.len() >= ANYWHERE || part.len() >= SHORTEST && !inside()
        };
        let mut found = Vec::new();
        for (pattern, name) in self.patterns.iter().filter(|_| !cuts.is_empty()) {
            let parts = parts_before(&cuts, text, pattern.as_bytes(), fits);
            found.extend(parts.into_iter().map(|range| (range, name.as_str())));
        }
        found
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redactor({})", self.inner().map_or(0, |inner| inner.patterns.len()))
    }
}

/// Whether the bytes at two neighbouring places belong to one word.
fn joins(text: &[u8], left: usize, right: usize) -> bool {
    let word =
        |at: usize| text.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80);
    word(left) && word(right)
}

/// Overlapping stretches become one mask, named by the first.
fn masked(text: &str, found: &[(Range<usize>, &str)]) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for (at, name) in found {
        if at.start >= done {
            masked.push_str(&text[done..at.start]);
            masked.push_str(&marker(name));
        }
        done = done.max(at.end);
    }
    masked.push_str(&text[done..]);
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor() -> Redactor {
        let mut secrets = Secrets::default();
        secrets.header("Authorization", "Bearer hunter2!");
        secrets.header("X-Mode", "production");
        secrets.header("X-Region", "us-east-1");
        secrets.header("Accept", "application/json");
        secrets.variable("AUTH", "true");
        secrets.variable("DB_PASSWORD", "${ecret");
        secrets.args(&["--pass", "$dollar1"]);
        secrets.variable("TOKEN", "abc1");
        secrets.variable("SLASH_TOKEN", "ab/cd~9");
        secrets.variable("LOG", "info");
        secrets.args(&["--password", "s3cr\"t", "plain"]);
        secrets.url("https://ana:p4ss@a.example/?sig=q7ZkT2mVx9LbW4sRcY1NfG8h");
        Redactor::new(&secrets)
    }

    #[test]
    fn known_values_are_masked_at_word_edges() {
        let redactor = redactor();
        for (text, masked) in [
            ("got hunter2!", "got <redacted Authorization>"),
            ("token=abc1.", "token=<redacted TOKEN>."),
            ("xabc1y abc12", "xabc1y abc12"),
            ("production info plain", "production info plain"),
            ("true us-east-1 application/json", "true us-east-1 application/json"),
            ("${ecret and $dollar1", "<redacted DB_PASSWORD> and <redacted pass>"),
            ("ana:p4ss", "ana:<redacted password>"),
            ("x=q7ZkT2mVx9LbW4sRcY1NfG8hzz", "x=<redacted sig>zz"),
            (r#"{"p":"s3cr\"t"}"#, r#"{"p":"<redacted password>"}"#),
            ("s3cr%22t", "<redacted password>"),
            ("/p/ab~1cd~09/x", "/p/<redacted SLASH_TOKEN>/x"),
            ("the `x q7ZkT2mVx9LbW4…` is long", "the `x <redacted sig>…` is long"),
            (
                "hunter hunt… hun… xhunt… hunter2!…",
                "hunter <redacted Authorization>… hun… xhunt… <redacted Authorization>…",
            ),
            ("nothing", "nothing"),
        ] {
            assert_eq!(redactor.mask(text), masked);
        }
    }

    #[test]
    fn secret_in_a_definition_is_found_in_any_spelling() {
        let redactor = redactor();
        assert_eq!(redactor.find(br#"{"name":"x","description":"use abc1 now"}"#).as_deref(), Some("TOKEN"));
        assert_eq!(redactor.find(br#"{"d":"use \u0061bc1 now"}"#).as_deref(), Some("TOKEN"));
        assert_eq!(redactor.find(br#"{"d":"abc12"}"#), None);
        assert_eq!(Redactor::default().find(b"abc1"), None);
    }

    #[test]
    fn a_value_is_masked_as_a_json_text_spells_it() {
        let mut secrets = Secrets::default();
        secrets.variable("DB_PASSWORD", "p\"ss\\w0rd-9x");
        let redactor = Redactor::new(&secrets);
        // What a server writes into a message of its own that quotes JSON.
        assert_eq!(
            redactor.mask(r#"got {"password":"p\"ss\\w0rd-9x"}"#),
            r#"got {"password":"<redacted DB_PASSWORD>"}"#
        );
        assert_eq!(redactor.mask_log(r#"got "p\"ss\\w0rd-9x""#), r#"got "<redacted DB_PASSWORD>""#);
    }

    #[test]
    fn every_clone_knows_what_one_learns() {
        let (redactor, mut later) = (redactor(), Secrets::default());
        let clone = redactor.clone();
        later.value("access token", "at-5f2c-9d");
        redactor.learn(&later);
        assert_eq!(clone.mask("abc1 at-5f2c-9d"), "<redacted TOKEN> <redacted access token>");
        let nothing = Redactor::default();
        nothing.clone().learn(&later);
        assert_eq!(nothing.mask("at-5f2c-9d"), "<redacted access token>");
    }

    #[test]
    fn log_lines_lose_tokens_that_nobody_passed() {
        let line = "auth: ghp_16C7e42F292c6912E7710c838347Ae178B4a ok";
        assert_eq!(redactor().mask_log(line), "auth: <redacted token> ok");
        assert_eq!(Redactor::default().mask(line), line);
    }

    #[test]
    fn debugging_output_holds_no_value() {
        let mut secrets = Secrets::default();
        secrets.value("TOKEN", "hunter2");
        assert!(!format!("{secrets:?} {:?}", Redactor::new(&secrets)).contains("hunter2"));
    }
}
