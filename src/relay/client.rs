//! The client's side of a guard: what it said, and what it is to be told.

use super::ends::{Stdout, input};
use super::outgoing::Outgoing;
use bytes::{Bytes, BytesMut};
use tokio::sync::mpsc;

/// Bytes of the longest line of a client.
const LONGEST: usize = 64 << 20;

/// What a client said and was not judged yet.
#[derive(Debug, Default)]
pub(super) struct FromClient {
    buffer: BytesMut,
    /// Bytes at the front that hold no line end.
    searched: usize,
    /// The line that is being read is too long.
    dropping: bool,
}

impl FromClient {
    /// Whether a whole line is there.
    pub fn has_line(&self) -> bool {
        memchr::memchr(b'\n', &self.buffer[self.searched..]).is_some()
    }

    /// The next whole line, without its end.
    pub fn take(&mut self) -> Option<Bytes> {
        loop {
            let Some(at) = memchr::memchr(b'\n', &self.buffer[self.searched..]) else {
                self.searched = self.buffer.len();
                if self.searched > LONGEST {
                    self.dropping = true;
                    self.buffer = BytesMut::new();
                    self.searched = 0;
                }
                return None;
            };
            let length = self.searched + at;
            let line = self.buffer.split_to(length + 1).freeze().slice(..length);
            self.searched = 0;
            if !std::mem::take(&mut self.dropping) {
                return Some(line);
            }
        }
    }
}

/// The client's side.
pub(super) struct Client {
    pub input: mpsc::Receiver<Bytes>,
    pub output: Stdout,
    pub from: FromClient,
    pub to: Outgoing,
    pub is_open: bool,
}

impl Client {
    /// The client that started this process.
    pub fn start() -> Self {
        let (from, to) = (FromClient::default(), Outgoing::default());
        Self { input: input(), output: Stdout::start(), from, to, is_open: true }
    }

    /// Takes what was read; nothing more will come after none.
    pub fn take(&mut self, read: Option<Bytes>) {
        self.is_open = read.is_some();
        self.from.buffer.extend_from_slice(&read.unwrap_or_default());
    }

    /// Hands over what waits; whether someone still reads.
    pub async fn hand_over(&mut self) -> bool {
        while let Some(part) = self.to.pop() {
            if self.output.parts.send(part).await.is_err() {
                return false;
            }
        }
        true
    }
}
