//! Lines that wait to be written.

use bytes::{Buf as _, Bytes};
use std::collections::VecDeque;
use std::io;
use tokio::io::{AsyncWrite, AsyncWriteExt as _};

/// Bytes that may wait before more are taken in.
const MUCH: usize = 256 << 10;

/// Bytes of a line from which on it is not copied to stand in one part with its end.
const LONG: usize = 16 << 10;

/// What waits for one reader.
#[derive(Debug, Default)]
pub(super) struct Outgoing {
    parts: VecDeque<Bytes>,
    length: usize,
}

impl Outgoing {
    /// A whole line without its end.
    pub fn line(&mut self, line: Bytes) {
        if line.len() > LONG {
            self.part(line);
            self.part(Bytes::from_static(b"\n"));
        } else {
            self.part([&line[..], b"\n"].concat().into());
        }
    }

    /// A part of a line.
    pub fn part(&mut self, part: Bytes) {
        if !part.is_empty() {
            self.length += part.len();
            self.parts.push_back(part);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether so much waits that no more is to be taken in.
    pub fn is_much(&self) -> bool {
        self.length > MUCH
    }

    /// Takes the first part off.
    pub fn pop(&mut self) -> Option<Bytes> {
        let part = self.parts.pop_front()?;
        self.length -= part.len();
        Some(part)
    }

    /// Writes some of it. Cancel-safe where the writer is.
    pub async fn write_to(&mut self, writer: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        let Some(part) = self.parts.front_mut() else { return Ok(()) };
        let written = writer.write(part).await?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        part.advance(written);
        self.length -= written;
        if part.is_empty() {
            self.parts.pop_front();
        }
        Ok(())
    }
}
