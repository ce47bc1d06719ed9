//! The words that rules look for, by what they do, in the languages that a poisoned text is likely to be written in. All
//! are found in one pass over the folded text.

mod words;

use super::fold::fold;
use aho_corasick::{AhoCorasick, MatchKind};
use std::sync::LazyLock;

/// What a word or phrase does in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// Not, never, without.
    Not,
    /// Must, always, it is required.
    Must,
    /// Tell, mention, inform.
    Tell,
    /// Show, display, ask.
    Show,
    /// The user.
    User,
    /// Know, notice, see.
    Know,
    /// This, that, what you did.
    This,
    /// Hide, keep secret.
    Hide,
    /// Secretly; without anyone's knowledge.
    Secretly,
    /// Silently, quietly: honest of failures.
    Silently,
    /// Before, first.
    Before,
    /// When, whenever, after.
    When,
    /// Any, every, all, other.
    Any,
    /// Any tool of others, in words.
    Tool,
    /// Call, invoke, use.
    Call,
    /// A tool of others.
    OtherTool,
    /// What the user wrote, or has.
    Private,
    /// Nothing goes before it.
    Gate,
    /// What other tools send or write.
    Mail,
    /// A phone or account number, a wallet.
    Literal,
    /// A name as programs write it: `send_email`.
    Identifier,
    /// This tool.
    ThisTool,
    /// Turn, answer, conversation: what a model does without tools.
    Turn,
    /// Ignore, forget, override.
    Ignore,
    /// Previous, above, system.
    Prior,
    /// Instructions, rules, prompt.
    Instruction,
    /// You are now; from now on.
    NewRole,
    /// A token of chat templates.
    ChatToken,
    /// A tag or label that claims the system's voice.
    SystemTag,
    /// A tag that claims weight.
    WeightTag,
    /// Words to the model itself.
    Model,
    /// Read, open, cat, collect.
    Read,
    /// Pass, put, append, include.
    Pass,
    /// Send, upload, forward.
    Send,
    /// Base64, encode.
    Encode,
    /// A file of secrets.
    SecretFile,
    /// A file that may hold secrets.
    ConfigFile,
    /// Password, key, token.
    Secret,
    /// Contents, results, data.
    Content,
    /// The conversation, the system prompt.
    Context,
    /// Whole, verbatim, everything.
    Whole,
    /// Parameter, argument, field.
    Parameter,
    /// Change, replace, redirect.
    Tamper,
    /// Set, use, add: honest of parameters.
    Set,
    /// Recipient, amount, path.
    Target,
    /// Regardless of what the user said.
    Defy,
    /// Redefines, changes how another tool works.
    Redefine,
    /// Instead of, prefer.
    Prefer,
    /// Deprecated, broken, unsafe.
    Bad,
    /// Detects, scans, attack, such as.
    Detect,
    /// Urgent, mandatory, otherwise it fails.
    Pressure,
    /// A shell command that fetches.
    Fetch,
    /// A shell that runs what it is given.
    Shell,
    /// A command that no documentation needs.
    Attack,
    /// Markup that does something when it is shown.
    Active,
    /// Blind copies.
    Copy,
    /// A web address.
    Url,
    /// A mail address.
    Email,
}

impl Class {
    /// The set of this class alone.
    pub(super) const fn set(self) -> Set {
        Set(1 << self as u64)
    }
}

/// A set of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Set(u64);

impl Set {
    pub(super) const fn and(self, class: Class) -> Self {
        Self(self.0 | class.set().0)
    }

    pub(super) const fn has(self, class: Class) -> bool {
        self.0 & class.set().0 != 0
    }
}

/// A word found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) class: Class,
    /// Folded offset.
    pub(super) start: usize,
    /// Folded offset.
    pub(super) end: usize,
    /// The number of its sentence.
    pub(super) sentence: usize,
}

/// An entry: its class, and whether a word may go on before or after it.
struct Entry {
    class: Class,
    bound_before: bool,
    bound_after: bool,
}

struct Lexicon {
    automaton: Option<AhoCorasick>,
    entries: Vec<Entry>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut entries = Vec::new();
    let mut patterns = Vec::new();
    for (class, phrases) in words::WORDS {
        for phrase in phrases.split('|').filter(|phrase| !phrase.trim().is_empty()) {
            let phrase = phrase.trim();
            let stem = phrase.ends_with('*');
            let mut folded = Vec::new();
            phrase.trim_end_matches('*').chars().for_each(|character| fold(character, &mut folded));
            let (first, last) = (folded.first().copied(), folded.last().copied());
            entries.push(Entry {
                class: *class,
                bound_before: first.is_some_and(is_spaced),
                bound_after: !stem && last.is_some_and(is_spaced),
            });
            patterns.push(folded.into_iter().collect::<String>());
        }
    }
    let automaton = AhoCorasick::builder().match_kind(MatchKind::Standard).build(&patterns).ok();
    Lexicon { automaton, entries }
});

/// Whether a character belongs to a word of a script that parts words by spaces.
fn is_spaced(character: char) -> bool {
    let spaceless = matches!(
        character,
        '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{11FF}' | '\u{1780}'..='\u{17FF}' | '\u{2E80}'..='\u{D7FF}'
            | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}'
    );
    (character.is_alphanumeric() || character == '_') && !spaceless
}

/// Every word of the lexicon in a folded text, by its start.
pub(super) fn marks(folded: &str) -> Vec<Mark> {
    let mut found = Vec::new();
    if let Some(automaton) = &LEXICON.automaton {
        for hit in automaton.find_overlapping_iter(folded) {
            let entry = &LEXICON.entries[hit.pattern().as_usize()];
            let before = folded[..hit.start()].chars().next_back();
            let after = folded[hit.end()..].chars().next();
            let parted = (!entry.bound_before || !before.is_some_and(is_spaced))
                && (!entry.bound_after || !after.is_some_and(is_spaced));
            if parted {
                found.push(Mark { class: entry.class, start: hit.start(), end: hit.end(), sentence: 0 });
            }
        }
    }
    addresses(folded, &mut found);
    identifiers(folded, &mut found);
    numbers(folded, &mut found);
    found.sort_by_key(|mark| (mark.start, mark.end));
    found
}

/// Phone numbers, IBANs and wallets.
fn numbers(folded: &str, found: &mut Vec<Mark>) {
    for opener in ["+", "0x"] {
        for (start, _) in folded.match_indices(opener) {
            let rest = &folded[start + opener.len()..];
            let inside = |c: char| if opener == "+" { c.is_ascii_digit() || c == ' ' } else { c.is_ascii_hexdigit() };
            let end =
                rest.char_indices().take(64).find(|(_, c)| !inside(*c)).map_or(rest.len().min(64), |(end, _)| end);
            let digits = rest.get(..end).unwrap_or_default().bytes().filter(|byte| *byte != b' ').count();
            if digits >= if opener == "+" { 8 } else { 4 } {
                let end = start + opener.len() + rest[..end].trim_end().len();
                found.push(Mark { class: Class::Literal, start, end, sentence: 0 });
            }
        }
    }
}

/// Words with an underscore inside.
fn identifiers(folded: &str, found: &mut Vec<Mark>) {
    let mut start = 0;
    for word in folded.split_inclusive(|c: char| !is_spaced(c)) {
        let body = word.trim_end_matches(|c: char| !is_spaced(c));
        if body.contains('_') && body.starts_with(char::is_alphabetic) {
            found.push(Mark { class: Class::Identifier, start, end: start + body.len(), sentence: 0 });
        }
        start += word.len();
    }
}

/// Web and mail addresses.
fn addresses(folded: &str, found: &mut Vec<Mark>) {
    let end_of = |from: usize| {
        let rest = &folded[from..];
        from + rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | ')' | '\'')).unwrap_or(rest.len())
    };
    let mut from = 0;
    while let Some(at) = folded[from..].find("://").map(|at| at + from) {
        let scheme = folded[..at].trim_end_matches(|c: char| c.is_ascii_alphanumeric());
        let end = end_of(at);
        if ["http", "https", "ws", "wss", "ftp"].contains(&&folded[scheme.len()..at]) {
            found.push(Mark { class: Class::Url, start: scheme.len(), end, sentence: 0 });
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
