//! What a long message is, while it passes in pieces: its id, its method, and whether it is an answer. Nothing of it is kept.

use super::envelope::{Envelope, folded};
use crate::canon::scan;
use crate::digest::{Hasher, Sha256};

/// The longest id or method that is read.
const LONGEST: usize = 512;

/// What becomes of a message of which a part is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// It may pass so far.
    Pass,
    /// It has to be there as a whole first.
    Wait,
    /// Nothing of it passes.
    Drop,
}

/// Where in a message a skim is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Cursor {
    #[default]
    Start,
    FirstKey,
    Key,
    KeyText,
    Colon,
    Value,
    Text,
    Scalar,
    Nested,
    NestedText,
    Behind,
    End,
}

/// A message that is read as it passes by.
#[derive(Clone, Debug, Default)]
pub struct Skim {
    place: Cursor,
    /// Open brackets of the value that is passed over.
    depth: usize,
    escaped: bool,
    /// The key, or the value, that is being read.
    text: Vec<u8>,
    /// The name of the member that is being read, where it counts.
    member: Option<&'static str>,
    seen: Vec<&'static str>,
    id: Option<Vec<u8>>,
    method: Option<Vec<u8>>,
    batch: bool,
    broken: bool,
    /// Takes the value of the result, or of the error.
    hasher: Option<Hasher>,
}

impl Skim {
    /// The same, which has the value of the answer digested.
    pub(super) fn hashing(hasher: Option<Hasher>) -> Self {
        Self { hasher, ..Self::default() }
    }

    /// Reads on.
    pub fn feed(&mut self, piece: &[u8]) {
        let mut at = 0;
        while at < piece.len() && !self.broken && !self.batch {
            let is_of_answer = self.hasher.is_some()
                && matches!(self.member, Some("result" | "error"))
                && matches!(
                    self.place,
                    Cursor::Value | Cursor::Text | Cursor::Scalar | Cursor::Nested | Cursor::NestedText
                );
            let next = self.step(piece, at);
            // Blanks before a value are none of it.
            if is_of_answer
                && self.place != Cursor::Value
                && let Some(hasher) = &mut self.hasher
            {
                hasher.update(&piece[at..next]);
            }
            at = next;
        }
    }

    /// The digest of the value of the answer; none of what is a result and an error at once.
    pub(super) fn digest(&self) -> Option<Sha256> {
        let is_one = self.has("result") != self.has("error");
        self.hasher.clone().filter(|_| is_one).map(Hasher::done)
    }

    /// Whether it is an array of messages, which is read as a whole.
    pub fn is_batch(&self) -> bool {
        self.batch
    }

    /// Whether it can be no message any more that two parsers read as the same.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// Whether it is there as a whole.
    pub fn is_whole(&self) -> bool {
        self.place == Cursor::End && !self.broken
    }

    /// The raw id, once it is known.
    pub(super) fn id(&self) -> Option<&[u8]> {
        self.id.as_deref()
    }

    /// The raw method, once it is known.
    pub(super) fn method(&self) -> Option<&[u8]> {
        self.method.as_deref()
    }

    /// Whether it has a member of this name, as far as it was read.
    pub(super) fn has(&self, name: &str) -> bool {
        self.seen.contains(&name)
    }

    /// Takes one step from `at`, and gives where the next one begins.
    fn step(&mut self, piece: &[u8], at: usize) -> usize {
        let byte = piece[at];
        match self.place {
            Cursor::KeyText => return self.string(piece, at, Cursor::Colon),
            Cursor::Text => return self.string(piece, at, Cursor::Behind),
            Cursor::NestedText => return self.string(piece, at, Cursor::Nested),
            Cursor::Nested => return self.nested(piece, at),
            Cursor::Scalar if !matches!(byte, b',' | b'}' | b' ' | b'\t' | b'\r' | b'\n') => self.keep(&[byte]),
            Cursor::Scalar => {
                self.close();
                self.place = Cursor::Behind;
                return at;
            }
            _ if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') => {}
            Cursor::Start if byte == b'{' => self.place = Cursor::FirstKey,
            Cursor::Start if byte == b'[' => self.batch = true,
            Cursor::FirstKey | Cursor::Key if byte == b'"' => {
                self.text = vec![b'"'];
                self.place = Cursor::KeyText;
            }
            Cursor::FirstKey | Cursor::Behind if byte == b'}' => self.place = Cursor::End,
            Cursor::Colon if byte == b':' => self.place = Cursor::Value,
            Cursor::Behind if byte == b',' => self.place = Cursor::Key,
            Cursor::Value => return self.open(byte, at),
            _ => self.broken = true,
        }
        at + 1
    }

    /// A value begins.
    fn open(&mut self, byte: u8, at: usize) -> usize {
        self.text.clear();
        match byte {
            b'"' => {
                self.keep(b"\"");
                self.place = Cursor::Text;
            }
            b'{' | b'[' => {
                self.depth = 1;
                self.place = Cursor::Nested;
                // An id that is no string and no number names nothing.
                self.broken |= matches!(self.member, Some("id" | "method"));
            }
            _ => {
                self.place = Cursor::Scalar;
                return at;
            }
        }
        at + 1
    }

    /// Passes over brackets to the next text or to the end of the value.
    fn nested(&mut self, piece: &[u8], at: usize) -> usize {
        for (place, byte) in piece[at..].iter().enumerate() {
            match byte {
                b'"' => {
                    self.place = Cursor::NestedText;
                    return at + place + 1;
                }
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        self.close();
                        self.place = Cursor::Behind;
                        return at + place + 1;
                    }
                }
                _ => {}
            }
        }
        piece.len()
    }

    /// Passes over the inside of a string, to `then` behind it.
    fn string(&mut self, piece: &[u8], at: usize, then: Cursor) -> usize {
        if std::mem::take(&mut self.escaped) {
            self.keep(&piece[at..=at]);
            return at + 1;
        }
        let found = memchr::memchr2(b'"', b'\\', &piece[at..]);
        let end = found.map_or(piece.len(), |found| at + found + 1);
        self.keep(&piece[at..end]);
        match found.map(|found| piece[at + found]) {
            Some(b'"') => {
                match self.place {
                    Cursor::KeyText => self.named(),
                    Cursor::Text => self.close(),
                    _ => {}
                }
                self.place = then;
            }
            Some(_) => self.escaped = true,
            None => {}
        }
        end
    }

    /// Keeps what is read of a key, or of a value that counts.
    fn keep(&mut self, bytes: &[u8]) {
        let counts = self.place == Cursor::KeyText || matches!(self.member, Some("id" | "method"));
        if !counts || matches!(self.place, Cursor::Nested | Cursor::NestedText) {
            return;
        }
        let room = LONGEST.saturating_sub(self.text.len());
        self.text.extend_from_slice(&bytes[..bytes.len().min(room)]);
        // Keys of this length are none that count.
        self.broken |= bytes.len() > room && self.place != Cursor::KeyText;
    }

    /// A key is there.
    fn named(&mut self) {
        self.member = None;
        if !self.text.ends_with(b"\"") || self.text.len() < 2 {
            return;
        }
        let (key, _) = scan::unescape(&self.text, 0..self.text.len());
        self.member = Envelope::NAMES.into_iter().find(|name| folded(&key) == **name);
        if let Some(name) = self.member {
            self.broken |= key != name || self.seen.contains(&name);
            self.seen.push(name);
        }
    }

    /// A value is there.
    fn close(&mut self) {
        let kept = match self.member.take() {
            Some("id") => &mut self.id,
            Some("method") => &mut self.method,
            _ => return,
        };
        *kept = Some(std::mem::take(&mut self.text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skim(text: &str, size: usize) -> Skim {
        let mut skim = Skim::default();
        text.as_bytes().chunks(size).for_each(|piece| skim.feed(piece));
        skim
    }

    #[test]
    fn an_id_is_found_wherever_it_is_cut() {
        for text in [
            r#"{"result":{"a":["}\"",{"id":9}]},"jsonrpc":"2.0","id":7}"#,
            r#" { "id" : 7 , "result" : "x\\" } "#,
            r#"{"\u0069d":7,"error":{}}"#,
        ] {
            for size in 1..=text.len() {
                let skim = skim(text, size);
                assert!(skim.is_whole(), "{text} {size}");
                assert_eq!(skim.id(), Some(&b"7"[..]), "{text} {size}");
            }
        }
        let method = skim(r#"{"method":"notifications/x","params":{}}"#, 3);
        assert_eq!((method.method(), method.has("result")), (Some(&br#""notifications/x""#[..]), false));
    }

    #[test]
    fn what_parsers_disagree_on_is_broken() {
        for text in [
            r#"{"id":1,"id":2}"#,
            r#"{"id":1,"ID":2}"#,
            r#"{"id":[1]}"#,
            r#"{"id":1}{"#,
            r#"{"result":1 2}"#,
            r#"{"a" 1}"#,
            "x",
        ] {
            assert!(skim(text, 2).is_broken(), "{text}");
        }
        assert!(skim("[1]", 2).is_batch());
        assert!(!skim(r#"{"id":1,"result":{"#, 2).is_whole());
        assert!(skim(&format!(r#"{{"id":"{}"}}"#, "x".repeat(LONGEST)), 7).is_broken());
        assert!(skim(&format!(r#"{{"{}":1,"id":2}}"#, "x".repeat(2 * LONGEST)), 7).is_whole());
    }
}
