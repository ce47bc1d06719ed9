//! What the client says.

use super::{Held, Key, Output, Pending, Session, Told, slice};
use crate::guard::about::{client_of, introduction};
use crate::guard::ask::{Ask, params};
use crate::guard::envelope::Envelope;
use crate::guard::id::Id;
use crate::guard::{Ending, Refusal, Ruling};
use bytes::Bytes;
use std::time::Duration;

impl Session {
    /// Takes one message of the client; what of it goes to the server now.
    pub(super) fn of_client(&mut self, message: &Bytes, now: Duration, out: &mut Output) -> Option<Bytes> {
        let Ok(envelope) = Envelope::read(message) else {
            out.told.push(Told::Dropped("unreadable-request"));
            return None;
        };
        if envelope.method.is_none() {
            // An answer to what the server asked.
            return Some(message.clone());
        }
        let Some(method) = envelope.method(message) else {
            out.told.push(Told::Dropped("unreadable-request"));
            return None;
        };
        if method == "notifications/cancelled" && self.cancel(&envelope, message) {
            return None;
        }
        self.learn(&envelope, message);
        self.meet(&method, &envelope, message, out);
        let (ask, unfit) = match Ask::read(&method, &envelope, message) {
            Ok(ask) => (ask, None),
            Err(unfit) => (Ask::Other, Some(Refusal::Unfit(unfit.to_string().into()))),
        };
        let id = Id::read(message, envelope.id.as_ref()).map(|id| self.key(id));
        let in_use = id.as_ref().is_some_and(|id| self.is_in_use(id)).then_some(Refusal::InUse);
        let full = self.pending.len() + self.held.len() >= self.bounds.pending;
        let full = (full && id.is_some()).then(|| Refusal::Unfit("too many requests wait for their answers".into()));
        let raw = slice(message, envelope.id.as_ref());
        let request = Pending { ask, exchange: self.exchange, raw, at: now, changes: self.changes(), call: None };
        let call = self.call_of(&method, &envelope, message);
        let held = Held { message: message.clone(), id, request, call };
        match unfit.or(in_use).or(full) {
            Some(refusal) => {
                self.refuse(held, refusal, out);
                None
            }
            None => self.settle(held, out),
        }
    }

    /// Takes the name by which the client calls itself.
    fn meet(&mut self, method: &str, envelope: &Envelope, message: &Bytes, out: &mut Output) {
        if method != "initialize" && self.client.is_some() {
            return;
        }
        let Some(client) = client_of(method, envelope, message) else { return };
        if self.client.as_ref() != Some(&client) {
            out.told.push(Told::Met(client.clone()));
            self.client = Some(client);
        }
    }

    fn is_in_use(&self, id: &Key) -> bool {
        self.pending.contains_key(id) || self.held.iter().any(|held| held.id.as_ref() == Some(id))
    }

    /// A request was called off. Whether it never went to the server. Its answer, if one comes, is to nobody.
    fn cancel(&mut self, envelope: &Envelope, message: &Bytes) -> bool {
        let Ok([request]) = params(envelope, message, ["requestId"]) else { return false };
        let Some(id) = Id::read(message, request.as_ref()).map(|id| self.key(id)) else { return false };
        if let Some(request) = self.pending.remove(&id) {
            self.ended(&request, Ending::CalledOff);
        }
        let Some(at) = self.held.iter().position(|held| held.id.as_ref() == Some(&id)) else { return false };
        let mut held = self.held.remove(at);
        // It does not pass anyhow.
        let _ = self.bear_witness(&mut held, Ruling::Refused(&Refusal::CalledOff));
        true
    }

    /// Learns what requests of the discover era say of the client: the guard's own say the same.
    fn learn(&mut self, envelope: &Envelope, message: &Bytes) {
        if let Some(text) = introduction(envelope, message) {
            self.meta = Some(text);
        }
    }
}
