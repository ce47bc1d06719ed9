//! Event-stream framing (HTML Living Standard, 9.2.6): bytes in, the joined data of each event out. Bounded.

use super::lines::TooLong;
use bytes::{Bytes, BytesMut};

/// What was read of a stream and is not yet an event.
#[derive(Debug)]
pub(super) struct Events {
    buffer: BytesMut,
    /// Bytes at the front of the buffer that hold no line end.
    searched: usize,
    data: Vec<u8>,
    /// Whether the event has a data line; an event without one is none.
    has_data: bool,
    name: Vec<u8>,
    /// The line before ended in CR: an LF now belongs to that end.
    after_return: bool,
    /// Whether a byte order mark could still come.
    at_start: bool,
    limit: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// Its type; empty where none is given.
    pub name: Vec<u8>,
    /// Its data lines, joined.
    pub data: Bytes,
}

impl Events {
    /// For events of at most `limit` bytes of data.
    pub fn new(limit: usize) -> Self {
        Self {
            buffer: BytesMut::new(),
            searched: 0,
            data: Vec::new(),
            has_data: false,
            name: Vec::new(),
            after_return: false,
            at_start: true,
            limit,
        }
    }

    /// Takes what came.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.buffer.extend_from_slice(chunk);
    }

    /// The next whole event, if there is one.
    pub fn take(&mut self) -> Result<Option<Event>, TooLong> {
        while let Some(line) = self.line()? {
            if line.is_empty() {
                let name = std::mem::take(&mut self.name);
                let data = std::mem::take(&mut self.data);
                if std::mem::take(&mut self.has_data) {
                    return Ok(Some(Event { name, data: data.into() }));
                }
                continue;
            }
            self.field(&line)?;
        }
        Ok(None)
    }

    fn field(&mut self, line: &[u8]) -> Result<(), TooLong> {
        let colon = memchr::memchr(b':', line).unwrap_or(line.len());
        let value = line.get(colon + 1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match &line[..colon] {
            b"data" => {
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                if self.data.len() + value.len() > self.limit {
                    return Err(TooLong);
                }
                self.data.extend_from_slice(value);
            }
            // A name longer than any that counts is none of them.
            b"event" => value[..value.len().min(64)].clone_into(&mut self.name),
            // Comments keep a connection alive; ids and retry times are of no use without resuming a stream.
            _ => {}
        }
        Ok(())
    }

    /// Drops bytes at the front that belong to no line.
    fn skip(&mut self, count: usize) {
        let _ = self.buffer.split_to(count);
        self.searched = self.searched.saturating_sub(count);
    }

    /// The next line without its end, which is CR LF, LF or CR.
    fn line(&mut self) -> Result<Option<BytesMut>, TooLong> {
        if self.after_return && self.buffer.first() == Some(&b'\n') {
            self.skip(1);
        }
        self.after_return &= self.buffer.is_empty();
        if self.at_start && self.buffer.starts_with(b"\xEF\xBB\xBF") {
            self.skip(3);
            self.at_start = false;
        }
        let Some(at) = memchr::memchr2(b'\n', b'\r', &self.buffer[self.searched..]) else {
            self.searched = self.buffer.len();
            // Room for the name of the field.
            return if self.searched > self.limit + 64 { Err(TooLong) } else { Ok(None) };
        };
        self.at_start = false;
        let at = self.searched + at;
        let mut line = self.buffer.split_to(at + 1);
        self.searched = 0;
        self.after_return = line[at] == b'\r';
        line.truncate(at);
        Ok(Some(line))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
mod tests {
    use super::*;

    fn events(chunks: &[&[u8]]) -> Vec<(String, String)> {
        let mut events = Events::new(1000);
        let mut found = Vec::new();
        for chunk in chunks {
            events.feed(chunk);
            while let Some(event) = events.take().unwrap() {
                found.push((String::from_utf8(event.name).unwrap(), String::from_utf8(event.data.to_vec()).unwrap()));
            }
        }
        found
    }

    #[test]
    fn events_are_framed_however_they_are_cut() {
        let text: &[u8] =
            b"\xEF\xBB\xBF: hello\nevent: message\ndata: {\"a\":\ndata:1}\r\nid: 7\r\n\r\ndata\n\n\nevent: x\n\ndata:  y\rdata:z\r\rdata: cut";
        let expected = [("message", "{\"a\":\n1}"), ("", ""), ("", " y\nz")];
        let expected: Vec<_> = expected.iter().map(|(name, data)| ((*name).to_owned(), (*data).to_owned())).collect();
        assert_eq!(events(&[text]), expected);
        let single: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(events(&single), expected);
        let pairs: Vec<&[u8]> = text.chunks(2).collect();
        assert_eq!(events(&pairs), expected);
    }

    #[test]
    fn data_over_the_limit_is_refused_in_any_lines() {
        let mut one = Events::new(1000);
        one.feed(&[b'x'; 1100]);
        assert!(one.take().is_err());
        let mut many = Events::new(1000);
        for _ in 0..20 {
            many.feed(b"data: ");
            many.feed(&[b'x'; 90]);
            many.feed(b"\n");
        }
        assert!(many.take().is_err());
    }
}
