//! What becomes of an exchange that ends: over HTTP each request of the client has its own, and either side may leave it.

use super::{Exchange, Line, Output, Session, Told};
use crate::guard::envelope::{Envelope, messages};
use crate::guard::id::Id;
use crate::guard::{Ending, Refusal, Ruling};
use bytes::Bytes;

impl Session {
    /// Whether something of this exchange waits until a list is known.
    pub fn holds(&self, exchange: Exchange) -> bool {
        self.held.iter().any(|held| held.request.exchange == exchange)
    }

    /// Whether an answer to something of this exchange is still to come.
    pub fn awaits(&self, exchange: Exchange) -> bool {
        self.pending.values().any(|request| request.exchange == exchange)
    }

    /// Nobody waits for this exchange any more: what is held of it is not sent. `resumable`: its answers may still come in
    /// another one.
    pub fn left(&mut self, exchange: Exchange, resumable: bool) {
        for mut held in self.held.extract_if(.., |held| held.request.exchange == exchange).collect::<Vec<_>>() {
            // It does not pass anyhow.
            let _ = self.bear_witness(&mut held, Ruling::Refused(&Refusal::CalledOff));
        }
        if !resumable || self.apart {
            let left = self.pending.extract_if(|_, request| request.exchange == exchange);
            for (_, request) in left.collect::<Vec<_>>() {
                self.ended(&request, Ending::Unanswered);
            }
        }
    }

    /// A line that went to the server gets no more answers: what of it still waits for one is answered with why.
    pub fn unanswered(&mut self, line: &Bytes, why: &str) -> Output {
        let mut out = Output::default();
        for at in messages(line, super::BATCH) {
            let message = &line[at];
            let Ok(envelope) = Envelope::read(message) else { continue };
            let id = Id::read(message, envelope.id.as_ref()).filter(|_| envelope.method.is_some());
            let Some(id) = id else { continue };
            if let Some(kind) = self.own.remove(&id) {
                self.fail(kind, why, &mut out);
            } else if let Some(request) = self.pending.remove(&self.key(id)) {
                self.ended(&request, Ending::Unanswered);
                let answer = Refusal::Unanswered(why.into()).answer(&request.raw);
                out.to_client.push(Line::new(request.exchange, answer));
                out.told.push(Told::Dropped("unanswered"));
            }
        }
        out
    }
}
