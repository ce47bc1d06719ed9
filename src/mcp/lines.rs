//! Cuts a stream into lines of bounded length.

use bytes::{Bytes, BytesMut};

/// Bytes to make room for before each read.
const CHUNK: usize = 16 << 10;

/// What was read and is not yet a line.
#[derive(Debug)]
pub(super) struct Lines {
    buffer: BytesMut,
    /// Bytes at the front that hold no line end.
    searched: usize,
    limit: usize,
}

impl Lines {
    /// For lines of at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { buffer: BytesMut::new(), searched: 0, limit }
    }

    /// Where the next read goes.
    pub fn room(&mut self) -> &mut BytesMut {
        self.buffer.reserve(CHUNK);
        &mut self.buffer
    }

    /// Makes room for a message of about `length` bytes, so that it is not moved while it grows.
    pub fn expect(&mut self, length: usize) {
        let length = length.min(self.limit) + CHUNK;
        self.buffer.reserve(length.saturating_sub(self.buffer.len()));
    }

    /// Gives the memory of a long line back.
    pub fn shrink(&mut self) {
        if self.buffer.is_empty() {
            self.buffer = BytesMut::new();
        }
    }

    /// The next whole line without its end, if there is one; an error if it is longer than the limit.
    pub fn take(&mut self) -> Result<Option<Bytes>, TooLong> {
        match memchr::memchr(b'\n', &self.buffer[self.searched..]) {
            Some(at) => {
                let length = self.searched + at;
                if length > self.limit {
                    return Err(TooLong);
                }
                let mut line = self.buffer.split_to(length + 1);
                line.truncate(length);
                self.searched = 0;
                Ok(Some(line.freeze()))
            }
            None if self.buffer.len() > self.limit => Err(TooLong),
            None => {
                self.searched = self.buffer.len();
                Ok(None)
            }
        }
    }

    /// What stands after the last line end, once the stream is over.
    pub fn rest(&mut self) -> Bytes {
        self.searched = 0;
        self.buffer.split().freeze()
    }
}

/// A line over the limit.
#[derive(Debug)]
pub(super) struct TooLong;
