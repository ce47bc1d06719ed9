//! A text as words in sentences and clauses, each with where it stands. Knows no word's meaning.

use super::fold::{fold, look_alike};
use crate::text::is_hidden;

/// Bytes of a word that are read; what is longer is no word.
const LONGEST: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// Byte offset of its first character.
    pub(super) start: usize,
    /// Byte offset behind its last character.
    pub(super) end: usize,
    /// Without case, marks of letters, styles, look-alikes and hidden characters.
    pub(super) word: String,
    /// Which sentence of the text.
    pub(super) sentence: u32,
    /// Which clause of the text: a stretch between commas, colons and the like.
    pub(super) clause: u32,
    /// Whether it stands alone in backticks or quotation marks, or is followed by `(`.
    pub(super) quoted: bool,
    /// Whether it stands in a code fence or in a quotation of several words.
    pub(super) cited: bool,
    /// Whether it is written like a name of a program: `send_mail`, `sendMail`, `send-mail`.
    pub(super) name: bool,
}

/// Which breaks stand before the next word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Break {
    None,
    Clause,
    Sentence,
}

pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut reader =
        Tokenizer { text, found: Vec::new(), pending: Break::None, fence: false, citing: None, sentence: 0, clause: 0 };
    reader.read();
    reader.found
}

struct Tokenizer<'a> {
    text: &'a str,
    found: Vec<Token>,
    pending: Break,
    fence: bool,
    /// The mark that closes the quotation of several words that is open.
    citing: Option<char>,
    sentence: u32,
    clause: u32,
}

impl Tokenizer<'_> {
    fn read(&mut self) {
        let mut at = 0;
        for line in self.text.split_inclusive('\n') {
            self.line(at, line);
            at += line.len();
        }
    }

    fn line(&mut self, start: usize, line: &str) {
        let body = line.trim();
        if body.starts_with("```") || body.starts_with("~~~") {
            self.fence = !self.fence;
            self.wait(Break::Sentence);
            return;
        }
        // A paragraph, a list's entry and a heading begin a sentence; a line that was only wrapped goes on with the last.
        if body.is_empty() || begins(body) {
            self.wait(Break::Sentence);
            self.citing = None;
        }
        let mut from = None;
        for (at, character) in line.char_indices() {
            let tag = if character == '<' { tag(&line[at..]) } else { None };
            if character.is_whitespace()
                || tag.is_some()
                || from.is_some_and(|from| at - from > LONGEST && character.is_ascii())
            {
                if let Some(from) = from.take() {
                    self.chunk(start + from, &line[from..at]);
                }
                if tag.is_some() {
                    self.wait(Break::Sentence);
                    from = Some(at);
                }
            } else if from.is_none() {
                from = Some(at);
            }
        }
        if let Some(from) = from {
            self.chunk(start + from, &line[from..]);
        }
        if body.ends_with(':') {
            self.wait(Break::Sentence);
        }
    }

    fn wait(&mut self, at_least: Break) {
        self.pending = self.pending.max(at_least);
    }

    /// What stands between two blanks.
    fn chunk(&mut self, start: usize, chunk: &str) {
        let mut chunk = chunk;
        let mut start = start;
        if let Some(length) = chunk.starts_with('<').then(|| tag(chunk)).flatten() {
            self.wait(Break::Sentence);
            chunk = &chunk[length..];
            start += length;
        }
        let address = chunk.contains("://");
        let mut from = 0;
        // A word in brackets behind a name, and the two sides of `=` and of a dash, are words of their own.
        for (at, character) in chunk.char_indices() {
            let splits = matches!(character, '(' | '[' | '{' | '|' | '—' | '–' | '→')
                || (!address && matches!(character, '=' | ','));
            if splits {
                self.word(start + from, &chunk[from..at], character == '(');
                from = at + character.len_utf8();
                if matches!(character, '—' | '–' | ',' | '→' | '|') {
                    self.wait(Break::Clause);
                }
            }
        }
        self.word(start + from, &chunk[from..], false);
    }

    fn word(&mut self, start: usize, piece: &str, called: bool) {
        let head = piece.trim_start_matches(|c: char| !opens_a_word(c) || is_hidden(c));
        let lead = &piece[..piece.len() - head.len()];
        let body = head.trim_end_matches(|c: char| !closes_a_word(c) || is_hidden(c));
        let tail = &head[body.len()..];
        let body_start = start + lead.len();
        let quote = lead.chars().rev().find(|c| matches!(c, '`' | '"' | '\'' | '“' | '‘' | '«'));
        let closed = tail.chars().any(|c| matches!(c, '`' | '"' | '\'' | '”' | '’' | '»'));
        if let (Some(quote), false) = (quote, closed)
            && self.citing.is_none()
            && !body.is_empty()
            && is_closed(&self.text[body_start..], closing(quote))
        {
            self.citing = Some(closing(quote));
        }
        if !body.is_empty() {
            self.push(body_start, body, called || (quote.is_some() && closed));
        }
        if self.citing.is_some_and(|closing| tail.contains(closing) || (body.is_empty() && lead.contains(closing))) {
            self.citing = None;
        }
        for character in lead.chars().filter(|_| body.is_empty()).chain(tail.chars()) {
            match character {
                ',' | ';' | ':' => self.wait(Break::Clause),
                '!' | '?' | '。' | '！' | '？' => self.wait(Break::Sentence),
                '.' if !is_abbreviation(body) => self.wait(Break::Sentence),
                '-' if body.is_empty() => self.wait(Break::Clause),
                _ => {}
            }
        }
    }

    fn push(&mut self, start: usize, body: &str, quoted: bool) {
        if self.pending == Break::Sentence && !self.found.is_empty() {
            self.sentence += 1;
        }
        if self.pending != Break::None && !self.found.is_empty() {
            self.clause += 1;
        }
        self.pending = Break::None;
        let possessive = body.strip_suffix("'s").or_else(|| body.strip_suffix("’s")).unwrap_or(body);
        let token = Token {
            start,
            end: start + possessive.len(),
            word: folded(possessive),
            sentence: self.sentence,
            clause: self.clause,
            quoted,
            cited: self.fence || self.citing.is_some(),
            name: is_name(possessive),
        };
        self.found.push(token);
    }
}

/// A tag at the start of a text, `<IMPORTANT>`: its length.
fn tag(text: &str) -> Option<usize> {
    let end = text.bytes().take(40).position(|byte| byte == b'>')?;
    let name = text.get(1..end)?.trim_start_matches('/');
    (name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains('@')).then_some(end + 1)
}

/// Whether a line begins a sentence of its own: an entry of a list, a heading, `Args:`.
fn begins(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = digits > 0 && matches!(line.as_bytes().get(digits), Some(b'.' | b')' | b':'));
    let label = line.split_whitespace().next().is_some_and(|first| first.ends_with(':'));
    numbered || label || line.starts_with(['-', '*', '•', '#', '>', '|', '✅', '❌', '⚠', '🚨'])
}

fn opens_a_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '~' | '/' | '.' | '$' | '+' | '@' | '_' | '\\')
}

fn closes_a_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '/' | '~' | '*' | '+')
}

/// Bytes in which a quotation ends; what goes on for longer is none.
const QUOTATION: usize = 300;

/// Whether a quotation ends in its line: a stray mark cites nothing.
fn is_closed(text: &str, closing: char) -> bool {
    let inside = text.char_indices().take_while(|(at, c)| *at < QUOTATION && *c != '\n');
    let mut marks = inside.filter(|(_, c)| *c == closing);
    marks.any(|(at, c)| !text[at + c.len_utf8()..].starts_with(char::is_alphanumeric))
}

fn closing(quote: char) -> char {
    match quote {
        '“' => '”',
        '‘' => '’',
        '«' => '»',
        other => other,
    }
}

/// `e.g.`, `i.e.`, the number of a list, an initial.
fn is_abbreviation(word: &str) -> bool {
    word.len() == 1
        || word.bytes().all(|byte| byte.is_ascii_digit())
        || matches!(word, "e.g" | "i.e" | "etc" | "vs" | "incl" | "approx")
}

/// A word without what tells two ways of writing it apart.
fn folded(word: &str) -> String {
    if word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte == b'-') {
        return word.to_owned();
    }
    let latin = word.bytes().any(|byte| byte.is_ascii_alphabetic())
        || word.chars().all(|c| look_alike(c).is_some() || is_hidden(c));
    let mut characters = Vec::with_capacity(word.len());
    for character in word.chars().filter(|character| !is_hidden(*character)) {
        match look_alike(character).filter(|_| latin && !character.is_ascii()) {
            Some(letter) => characters.push(letter),
            None => fold(character, &mut characters),
        }
    }
    characters.into_iter().collect()
}

/// Whether a word is written like a name in a program.
fn is_name(word: &str) -> bool {
    let plain =
        word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':' | b'.' | b'/'));
    let bytes = word.as_bytes();
    let joined = |mark: u8| {
        bytes
            .windows(3)
            .any(|three| three[1] == mark && three[0].is_ascii_alphanumeric() && three[2].is_ascii_alphanumeric())
    };
    // `macOS`, `arXiv` and `iPhone` are no names of programs.
    let camel = bytes.iter().take(3).all(u8::is_ascii_lowercase)
        && bytes.windows(3).any(|three| {
            three[0].is_ascii_lowercase() && three[1].is_ascii_uppercase() && three[2].is_ascii_lowercase()
        });
    let kebab =
        joined(b'-') && bytes.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'-' || byte.is_ascii_digit());
    let starts = bytes.first().is_some_and(u8::is_ascii_alphabetic);
    let file = word.contains('/') || word.rsplit_once('.').is_some_and(|(_, ending)| ending.len() <= 5);
    plain && starts && !file && (joined(b'_') || camel || kebab || word.contains("__"))
}
