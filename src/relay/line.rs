//! Cuts what a server says into lines: short ones are there as a whole, long ones pass in pieces where they may.

use crate::guard::{Exchange, Line, Output, Piece, Session, Skim};
use bytes::{Bytes, BytesMut};
use std::time::Duration;

/// Bytes of a line from which on it passes in pieces.
const LONG: usize = 64 << 10;
/// Bytes to make room for before each read.
const CHUNK: usize = 64 << 10;
/// What ends a line of which the rest may not pass: no parser takes it for a message.
const CUT: &[u8] = b" (cut by pinwatch)\n";

/// How the line that is being read is treated.
#[derive(Debug, Default)]
enum Way {
    /// It is collected; a long one is skimmed up to here.
    #[default]
    Whole,
    /// It passes piece by piece.
    Pieces,
    /// It is thrown away.
    Dropped,
}

/// What a server said and did not pass yet.
#[derive(Debug)]
pub(super) struct FromServer {
    buffer: BytesMut,
    /// Bytes at the front that hold no line end, and were skimmed where the line is long.
    searched: usize,
    skimmed: usize,
    skim: Skim,
    way: Way,
    /// The most that is collected of one line.
    limit: usize,
}

/// What comes of what was read.
#[derive(Debug)]
pub(super) enum Said {
    /// What the session made of a line.
    Line(Output),
    /// A part of a line that passes as it is.
    Part(Bytes),
}

impl FromServer {
    pub fn new(limit: usize) -> Self {
        Self { buffer: BytesMut::new(), searched: 0, skimmed: 0, skim: Skim::default(), way: Way::Whole, limit }
    }

    /// Where the next read goes.
    pub fn room(&mut self) -> &mut BytesMut {
        self.buffer.reserve(CHUNK);
        &mut self.buffer
    }

    /// The server says no more: what stands without an end is a line, too.
    pub fn end(&mut self) {
        if !self.buffer.is_empty() {
            self.buffer.extend_from_slice(b"\n");
        }
    }

    /// The next of what was read; none where more is needed.
    pub fn take(&mut self, session: &mut Session, now: Duration) -> Option<Said> {
        let end = memchr::memchr(b'\n', &self.buffer[self.searched..]).map(|at| self.searched + at);
        match (&self.way, end) {
            (Way::Whole, Some(end)) => {
                let line = self.cut(end + 1);
                let line = line.slice(..end);
                self.next_line();
                Some(Said::Line(session.server_said(&line, now)))
            }
            (Way::Whole, None) if self.buffer.len() > LONG => {
                if self.skimmed == 0 {
                    self.skim = session.skim();
                }
                self.skim();
                match session.may_pass(&self.skim) {
                    Piece::Pass => {
                        self.way = Way::Pieces;
                        Some(Said::Part(self.cut(self.buffer.len())))
                    }
                    Piece::Wait if self.buffer.len() <= self.limit => {
                        self.searched = self.buffer.len();
                        None
                    }
                    Piece::Wait | Piece::Drop => {
                        self.way = Way::Dropped;
                        self.take(session, now)
                    }
                }
            }
            (Way::Pieces, Some(end)) => {
                self.skim.feed(&self.buffer[..end]);
                let piece = self.cut(end + 1);
                let may_end = session.may_end(&self.skim);
                let lost = (!may_end).then(|| session.lost(&self.skim));
                self.next_line();
                match lost {
                    None => Some(Said::Part(piece)),
                    // The end of this line comes before what is said about it.
                    Some(mut output) => {
                        let cut = Bytes::from_static(&CUT[..CUT.len() - 1]);
                        output.to_client.insert(0, Line::new(Exchange::Unasked, cut));
                        Some(Said::Line(output))
                    }
                }
            }
            (Way::Pieces, None) if !self.buffer.is_empty() => {
                self.skim.feed(&self.buffer);
                let piece = self.cut(self.buffer.len());
                if session.may_pass(&self.skim) == Piece::Pass {
                    return Some(Said::Part(piece));
                }
                self.way = Way::Dropped;
                Some(Said::Part(Bytes::from_static(CUT)))
            }
            (Way::Dropped, Some(end)) => {
                let from = self.skimmed.min(end);
                self.skim.feed(&self.buffer[from..end]);
                self.cut(end + 1);
                let output = session.lost(&self.skim);
                self.next_line();
                Some(Said::Line(output))
            }
            (Way::Dropped, None) => {
                self.skim();
                self.cut(self.buffer.len());
                None
            }
            (Way::Whole | Way::Pieces, None) => {
                self.searched = self.buffer.len();
                None
            }
        }
    }

    /// Skims what was not skimmed yet.
    fn skim(&mut self) {
        self.skim.feed(&self.buffer[self.skimmed..]);
        self.skimmed = self.buffer.len();
    }

    /// Takes bytes off the front.
    fn cut(&mut self, length: usize) -> Bytes {
        (self.searched, self.skimmed) = (0, 0);
        self.buffer.split_to(length).freeze()
    }

    fn next_line(&mut self) {
        self.skim = Skim::default();
        self.way = Way::Whole;
    }
}
