//! Long messages of the server, which pass in pieces: whether one may, while only a part of it is there.

use super::from_server::changed;
use super::{Line, Output, Pending, Session, Told};
use crate::canon::scan;
use crate::guard::ask::Ask;
use crate::guard::id::Id;
use crate::guard::{Ending, Piece, Refusal, Skim};

impl Session {
    /// What becomes of a message of the server that was read so far.
    pub fn may_pass(&self, skim: &Skim) -> Piece {
        if skim.is_batch() {
            return Piece::Wait;
        }
        let is_answer = skim.has("result") || skim.has("error");
        if skim.is_broken() || skim.has("method") && is_answer {
            return Piece::Drop;
        }
        if skim.has("method") {
            let Some(method) = skim.method().filter(|method| method.len() > 1 && method[0] == b'"') else {
                return Piece::Wait;
            };
            let (method, _) = scan::unescape(method, 0..method.len());
            return if changed(&method).is_empty() { Piece::Pass } else { Piece::Wait };
        }
        let Some(raw) = skim.id() else {
            // What its id will be is known at its end: until then it may be the answer to anything that is asked.
            let is_list = self.pending.values().any(is_read);
            return if is_list || !self.own.is_empty() { Piece::Wait } else { Piece::Pass };
        };
        match Id::read(raw, Some(&(0..raw.len()))) {
            Some(id) if self.own.contains_key(&id) => Piece::Wait,
            Some(id) => self
                .pending
                .get(&self.key(id))
                .map_or(Piece::Drop, |request| if is_read(request) { Piece::Wait } else { Piece::Pass }),
            None => Piece::Wait,
        }
    }

    /// The last piece of a message is there, of which the others have passed. Whether it passes, too: without its end what
    /// passed is no message.
    pub fn may_end(&mut self, skim: &Skim) -> bool {
        if !skim.is_whole() || self.may_pass(skim) != Piece::Pass {
            return false;
        }
        let id = skim.id().filter(|_| !skim.has("method"));
        match id.and_then(|raw| Id::read(raw, Some(&(0..raw.len())))) {
            Some(id) => {
                let Some(request) = self.pending.remove(&self.key(id)) else { return false };
                self.answered_in_pieces(&request, skim);
                true
            }
            None => skim.has("method"),
        }
    }

    /// A message did not pass as a whole: whoever waits for it hears so, as far as its id was read.
    pub fn lost(&mut self, skim: &Skim) -> Output {
        let mut out = Output::default();
        out.told.push(Told::Dropped("too-large-or-unasked"));
        let Some(id) = skim.id().and_then(|raw| Id::read(raw, Some(&(0..raw.len())))) else { return out };
        if let Some(kind) = self.own.remove(&id) {
            self.fail(kind, "the answer is too large, or cannot be read", &mut out);
        }
        if let Some(request) = self.pending.remove(&self.key(id)) {
            self.ended(&request, Ending::Unreadable);
            let refusal = Refusal::Unfit("the answer is too large, or cannot be read".into());
            out.to_client.push(Line::new(request.exchange, refusal.answer(&request.raw)));
        }
        out
    }
}

/// Whether the answer to a request is read before it passes.
fn is_read(request: &Pending) -> bool {
    matches!(request.ask, Ask::List { .. } | Ask::Handshake)
}
