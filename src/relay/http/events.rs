//! Reads an event stream of the server and writes it again for the client (HTML Living Standard, 9.2.6), so that both read
//! the same of it: every line ends with LF, and data holds nothing that some client takes for the end of a line. The data of
//! an event is a message; long ones pass in pieces where they may.

use crate::guard::{Piece, Skim};
use bytes::{Bytes, BytesMut};

/// Bytes of a message from which on it passes in pieces.
pub(super) const LONG: usize = 64 << 10;
/// Bytes of the longest line that is not data, and of the longest id.
const LONGEST_LINE: usize = 8 << 10;
const LONGEST_ID: usize = 1 << 10;

/// What a stream may begin with.
const MARK: &[u8] = b"\xEF\xBB\xBF";
/// What a line of data begins with.
const DATA: &[u8] = b"data:";

/// How the event that is being read is treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Way {
    /// Its data is collected.
    #[default]
    Whole,
    /// It passes piece by piece.
    Pieces,
    /// Its data is thrown away.
    Dropped,
}

/// What stands before the line that is read next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// Nothing yet: a byte order mark could still come.
    Nothing,
    /// A line that ended in CR: an LF now belongs to that end.
    Return,
    Line,
}

/// Where in a line the reading is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InLine {
    /// At its beginning.
    Start,
    /// In one of data.
    Data,
    /// In one that is too long to be of use.
    Nothing,
}

/// What comes of what was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// An event: the lines of its other fields, and its data, which is to be judged.
    Event(Vec<u8>, Bytes),
    /// What passes as it is.
    Bytes(Bytes),
    /// The end of an event that passed in pieces, as it may be sent where it may end.
    End(Bytes),
    /// An event of which nothing passes but its other fields.
    Lost(Vec<u8>),
    /// Of an event that began to pass the rest may not: the stream has to be cut.
    Cut,
}

/// What was read of a stream.
#[derive(Debug)]
pub(super) struct Events {
    buffer: BytesMut,
    before: Before,
    line: InLine,
    /// The lines of other fields of the event.
    fields: Vec<u8>,
    data: Vec<u8>,
    /// Whether the event has a line of data.
    has_data: bool,
    way: Way,
    /// What is known of the message that is read, or was read last.
    pub skim: Skim,
    /// What each one begins with.
    blank: Skim,
    skimmed: usize,
    limit: usize,
    /// Whether an event had an id, by which the stream can be resumed.
    pub has_ids: bool,
}

impl Events {
    /// For events of at most `limit` bytes that have to be there as a whole; each message is skimmed with a copy of `blank`.
    pub fn new(limit: usize, blank: Skim) -> Self {
        Self {
            buffer: BytesMut::new(),
            before: Before::Nothing,
            line: InLine::Start,
            fields: Vec::new(),
            data: Vec::new(),
            has_data: false,
            way: Way::Whole,
            skim: blank.clone(),
            blank,
            skimmed: 0,
            limit,
            has_ids: false,
        }
    }

    /// Takes what came.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.buffer.extend_from_slice(chunk);
    }

    /// Whether a part of an event has passed and its end has not: nothing may stand between.
    pub fn is_inside(&self) -> bool {
        self.way == Way::Pieces
    }

    /// The next of what was read; none where more is needed. `may_pass` judges a message of which a part is there.
    pub fn take(&mut self, may_pass: impl Fn(&Skim) -> Piece) -> Option<Part> {
        loop {
            if self.line != InLine::Start {
                let end = memchr::memchr2(b'\n', b'\r', &self.buffer);
                let rest = self.buffer.split_to(end.unwrap_or(self.buffer.len()));
                if self.line == InLine::Data {
                    self.data.extend_from_slice(&rest);
                }
                if end.is_some() {
                    self.end_line();
                    self.line = InLine::Start;
                }
                if let Some(part) = self.long(&may_pass) {
                    return Some(part);
                }
                end?;
            }
            if !self.is_at_line()? {
                continue;
            }
            let Some(at) = memchr::memchr2(b'\n', b'\r', &self.buffer) else {
                if self.buffer.len() <= LONGEST_LINE {
                    return None;
                }
                self.line = InLine::Nothing;
                continue;
            };
            let line = self.buffer.split_to(at);
            self.end_line();
            if !line.is_empty() {
                if let Some(part) = self.field(&line) {
                    return Some(part);
                }
            } else if let Some(part) = self.dispatched() {
                return Some(part);
            }
        }
    }

    /// Whether a line begins that is no data; none where more is needed to know.
    fn is_at_line(&mut self) -> Option<bool> {
        let passed_over = match self.before {
            Before::Return => usize::from(*self.buffer.first()? == b'\n'),
            Before::Nothing if self.buffer.len() < MARK.len() && MARK.starts_with(&self.buffer) => return None,
            Before::Nothing if self.buffer.starts_with(MARK) => MARK.len(),
            Before::Nothing | Before::Line => 0,
        };
        let _ = self.buffer.split_to(passed_over);
        self.before = Before::Line;
        if self.buffer.len() <= DATA.len() && DATA.starts_with(&self.buffer) {
            return None;
        }
        if !self.buffer.starts_with(DATA) {
            return Some(true);
        }
        let space = usize::from(self.buffer[DATA.len()] == b' ');
        let _ = self.buffer.split_to(DATA.len() + space);
        self.begin_data();
        self.line = InLine::Data;
        Some(false)
    }

    fn begin_data(&mut self) {
        if std::mem::replace(&mut self.has_data, true) {
            self.data.push(b'\n');
        } else {
            self.skim = self.blank.clone();
        }
    }

    /// Takes the end of a line off the front.
    fn end_line(&mut self) {
        self.before = if self.buffer.split_to(1)[0] == b'\r' { Before::Return } else { Before::Line };
    }

    fn field(&mut self, line: &[u8]) -> Option<Part> {
        let colon = memchr::memchr(b':', line).unwrap_or(line.len());
        let value = line.get(colon + 1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let is_plain = value.iter().all(|byte| matches!(byte, b' '..=b'~'));
        match &line[..colon] {
            // A comment keeps the connection alive; what it says is to nobody.
            b"" if self.way == Way::Whole => return Some(Part::Bytes(Bytes::from_static(b":\n"))),
            b"data" => self.begin_data(),
            b"id" if is_plain && value.len() <= LONGEST_ID => {
                self.has_ids |= !value.is_empty();
                self.fields.extend([b"id: ", value, b"\n"].concat());
            }
            // An event of a name that nobody can read the same is none that a client takes for a message.
            b"event" if is_plain && value.len() <= 64 => self.fields.extend([b"event: ", value, b"\n"].concat()),
            b"event" => self.fields.extend(b"event: unreadable\n"),
            b"retry" if !value.is_empty() && value.len() < 10 && value.iter().all(u8::is_ascii_digit) => {
                self.fields.extend([b"retry: ", value, b"\n"].concat());
            }
            _ => {}
        }
        if self.fields.len() > LONGEST_LINE {
            self.fields.clear();
        }
        None
    }

    /// A long message, while it is read.
    fn long(&mut self, may_pass: &impl Fn(&Skim) -> Piece) -> Option<Part> {
        let is_short = self.way == Way::Whole && self.data.len() <= LONG;
        if is_short || self.data.len() == self.skimmed {
            return None;
        }
        self.skim.feed(&self.data[self.skimmed..]);
        self.skimmed = self.data.len();
        match (self.way, may_pass(&self.skim)) {
            (Way::Whole, Piece::Pass) => {
                self.way = Way::Pieces;
                let mut text = std::mem::take(&mut self.fields);
                text.extend(b"data: ");
                return Some(self.piece(text));
            }
            (Way::Whole, Piece::Wait) if self.data.len() <= self.limit => return None,
            (Way::Whole, _) => self.way = Way::Dropped,
            (Way::Pieces, Piece::Pass) => return Some(self.piece(Vec::new())),
            (Way::Pieces, _) => return Some(Part::Cut),
            (Way::Dropped, _) => {}
        }
        self.data.clear();
        self.skimmed = 0;
        None
    }

    /// What is there of the data, behind `before`. The beginning of a character that may be one to escape stays.
    fn piece(&mut self, mut before: Vec<u8>) -> Part {
        if self.data.iter().any(|byte| matches!(byte, 0x0b | 0x0c | 0x1c..=0x1e)) {
            return Part::Cut;
        }
        let open = [&b"\xE2\x80"[..], b"\xE2", b"\xC2"].into_iter().find(|open| self.data.ends_with(open));
        let rest = self.data.split_off(self.data.len() - open.map_or(0, <[u8]>::len));
        write_data(&self.data, &mut before);
        self.data = rest;
        self.skimmed = self.data.len();
        Part::Bytes(before.into())
    }

    /// An event is there.
    fn dispatched(&mut self) -> Option<Part> {
        let fields = std::mem::take(&mut self.fields);
        let data = std::mem::take(&mut self.data);
        let has_data = std::mem::take(&mut self.has_data);
        self.skimmed = 0;
        match std::mem::take(&mut self.way) {
            Way::Whole if has_data => Some(Part::Event(fields, data.into())),
            Way::Whole if fields.is_empty() => None,
            Way::Whole => Some(Part::Bytes([&fields[..], b"\n"].concat().into())),
            Way::Pieces => Some(Part::End([&data[..], b"\n", &fields, b"\n"].concat().into())),
            Way::Dropped => Some(Part::Lost(fields)),
        }
    }
}

/// An event with these other fields and this data.
pub(super) fn event(fields: &[u8], data: &[u8]) -> Bytes {
    let mut text = Vec::with_capacity(fields.len() + data.len() + 8);
    text.extend(fields);
    text.extend(b"data: ");
    write_data(data, &mut text);
    text.extend(b"\n\n");
    text.into()
}

/// Data as it stands behind `data: `. Some clients end a line also at these three characters, which JSON has in strings alone.
fn write_data(data: &[u8], text: &mut Vec<u8>) {
    let mut rest = data;
    while let Some(at) = memchr::memchr3(b'\n', 0xC2, 0xE2, rest) {
        text.extend(&rest[..at]);
        rest = &rest[at..];
        let (length, stands): (_, &[u8]) = match rest {
            [b'\n', ..] => (1, b"\ndata: "),
            [0xC2, 0x85, ..] => (2, b"\\u0085"),
            [0xE2, 0x80, 0xA8, ..] => (3, b"\\u2028"),
            [0xE2, 0x80, 0xA9, ..] => (3, b"\\u2029"),
            [other, ..] => (1, std::slice::from_ref(other)),
            [] => break,
        };
        text.extend(stands);
        rest = &rest[length..];
    }
    text.extend(rest);
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
mod tests {
    use super::*;

    /// The stream as it is written again where everything passes.
    fn again(text: &[u8], size: usize, piece: Piece) -> String {
        let mut events = Events::new(1 << 20, Skim::default());
        let mut written = Vec::new();
        for chunk in text.chunks(size) {
            events.feed(chunk);
            while let Some(part) = events.take(|_| piece) {
                match part {
                    Part::Event(fields, data) => written.extend(event(&fields, &data)),
                    Part::Bytes(bytes) | Part::End(bytes) => written.extend(bytes),
                    Part::Lost(fields) => written.extend([b"lost ", &fields[..], b"\n"].concat()),
                    Part::Cut => written.extend(b"cut"),
                }
            }
        }
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn a_stream_is_written_again_as_all_read_it() {
        let text = "\u{feff}: hello\r\nid: 7\r\nevent: message\r\ndata: {\"a\":\rdata:1}\r\n\r\nretry: 10\n\ndata\n\ndata: cut";
        let expected = ":\nid: 7\nevent: message\ndata: {\"a\":\ndata: 1}\n\nretry: 10\n\ndata: \n\n";
        for size in [1, 2, 3, 1000] {
            assert_eq!(again(text.as_bytes(), size, Piece::Wait), expected, "{size}");
        }
    }

    #[test]
    fn what_some_take_for_a_line_end_is_escaped() {
        let text = "data: {\"a\":\"x\u{2028}data: y\u{2029}\u{85}\u{2027}é\"}\nid: a\u{2028}b\nevent: x\u{85}\n\n";
        let expected = "event: unreadable\ndata: {\"a\":\"x\\u2028data: y\\u2029\\u0085\u{2027}é\"}\n\n";
        assert_eq!(again(text.as_bytes(), 1, Piece::Wait), expected);
    }

    #[test]
    fn long_data_passes_in_pieces() {
        let long = format!("{{\"a\":\"{}\u{2028}{}\"}}", "x".repeat(LONG), "é".repeat(LONG));
        let text = format!("id: 1\ndata: {long}\nid: 2\n\ndata: {{}}\n\n");
        let expected = format!("id: 1\ndata: {}\nid: 2\n\ndata: {{}}\n\n", long.replace('\u{2028}', "\\u2028"));
        for size in [1_001, 16 << 10, 1 << 20] {
            assert_eq!(again(text.as_bytes(), size, Piece::Pass), expected, "{size}");
        }
        let whole = format!("id: 1\nid: 2\ndata: {}\n\ndata: {{}}\n\n", long.replace('\u{2028}', "\\u2028"));
        assert_eq!(again(text.as_bytes(), 1_001, Piece::Wait), whole);
        assert_eq!(again(text.as_bytes(), 1_001, Piece::Drop), "lost id: 1\nid: 2\n\ndata: {}\n\n");
        let cut = text.replace('é', "\u{1c}");
        assert!(again(cut.as_bytes(), 1_001, Piece::Pass).contains("cut"));
    }
}
