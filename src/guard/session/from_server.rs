//! What the server says.

use super::decide::first_refused;
use super::{Output, Pending, Session, Told, place};
use crate::canon::scan::Span;
use crate::digest::Item;
use crate::guard::ask::Ask;
use crate::guard::cut::{keep_elements, without_member};
use crate::guard::envelope::{Envelope, members};
use crate::guard::id::Id;
use crate::guard::listing::Page;
use crate::guard::{Mode, Refusal, Verdict};
use crate::surface::{ItemId, Kind};
use bytes::Bytes;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

/// The lists that a notification says changed.
pub(super) fn changed(method: &str) -> &'static [Kind] {
    match method {
        "notifications/tools/list_changed" => &[Kind::Tool],
        "notifications/prompts/list_changed" => &[Kind::Prompt],
        "notifications/resources/list_changed" => &[Kind::Resource, Kind::ResourceTemplate],
        _ => &[],
    }
}

impl Session {
    /// Takes one message of the server; what of it goes to the client.
    pub(super) fn of_server(&mut self, message: &Bytes, now: Duration, out: &mut Output) -> Option<Bytes> {
        let Ok(envelope) = Envelope::read(message) else {
            out.told.push(Told::Dropped("unreadable"));
            self.garbled(message, out);
            return None;
        };
        let is_answer = envelope.result.is_some() || envelope.error.is_some();
        if envelope.method.is_some() {
            let method = envelope.method(message).filter(|_| !is_answer);
            let Some(method) = method else {
                out.told.push(Told::Dropped("unreadable"));
                return None;
            };
            for kind in changed(&method) {
                self.listing_mut(*kind).changes += 1;
            }
            return Some(message.clone());
        }
        let Some(id) = Id::read(message, envelope.id.as_ref()) else {
            // An error without an id is about a request that could not be read.
            let passes = envelope.error.is_some() && envelope.result.is_none();
            if !passes {
                out.told.push(Told::Dropped("unknown-id"));
            }
            return passes.then(|| message.clone());
        };
        if let Some(kind) = self.own.remove(&id) {
            self.own_page(kind, message, &envelope, now, out);
            return None;
        }
        let Some(request) = self.pending.remove(&self.key(id)) else {
            out.told.push(Told::Dropped("unknown-id"));
            return None;
        };
        self.answered(&request, &envelope, message);
        let refuse = |why: &str, out: &mut Output| {
            let refusal = Refusal::Unfit(why.into());
            out.told.push(Told::Blocked(refusal.clone()));
            Some(Bytes::from(refusal.answer(&request.raw)))
        };
        match (&request.ask, &envelope.result, &envelope.error) {
            (_, Some(_), Some(_)) => refuse("the answer is a result and an error at once", out),
            (Ask::List { kind, first }, Some(result), None) => {
                self.filtered(message, result, (*kind, *first), &request, out)
            }
            (Ask::Handshake, Some(result), None) => self.introduced(message, result, &request, out),
            _ => Some(message.clone()),
        }
    }

    /// A message that cannot be read may be the answer to a request of the guard's own.
    fn garbled(&mut self, message: &Bytes, out: &mut Output) {
        if memchr::memmem::find(message, self.token.as_bytes()).is_none() {
            return;
        }
        for kind in std::mem::take(&mut self.own).into_values() {
            self.fail(kind, "the answer cannot be read", out);
        }
    }

    /// A page of a list on its way to the client.
    fn filtered(
        &mut self,
        message: &Bytes,
        result: &Span,
        (kind, first): (Kind, bool),
        request: &Pending,
        out: &mut Output,
    ) -> Option<Bytes> {
        let answer = |refusal: Refusal, out: &mut Output| {
            let text = refusal.answer(&request.raw);
            out.told.push(Told::Blocked(refusal));
            Some(Bytes::from(text))
        };
        let approvals = match &self.approvals {
            Ok(approvals) => Arc::clone(approvals),
            Err(why) => return answer(Refusal::Closed(Arc::clone(why)), out),
        };
        if approvals.ignores(kind) {
            return Some(message.clone());
        }
        let page = match Page::read(kind, message, result) {
            Ok(page) => page,
            Err(why) if approvals.mode() == Mode::Warn => {
                out.told.push(Told::Warned(Refusal::Unread(kind, why.into())));
                return Some(message.clone());
            }
            Err(why) => return answer(Refusal::Unread(kind, why.into()), out),
        };
        let depth = self.bounds.depth;
        let read = page.entries.iter().map(|span| self.remembered.item(kind, &message[span.clone()], depth));
        let items: Vec<Option<Arc<Item>>> = read.collect();
        self.saw(kind, items.iter().flatten(), (first, page.cursor.is_none()), request);
        // What is served twice under one name is callable by none where one of them is not approved.
        let mut by_key: HashMap<&str, Vec<Arc<Item>>> = HashMap::new();
        for item in items.iter().flatten() {
            by_key.entry(&item.id.key).or_default().push(Arc::clone(item));
        }
        let refused: HashMap<&str, Verdict> =
            by_key.iter().filter_map(|(key, items)| Some((*key, first_refused(items, &approvals)?))).collect();
        let passes =
            |item: &Option<Arc<Item>>| item.as_ref().is_some_and(|item| !refused.contains_key(item.id.key.as_ref()));
        if items.iter().all(passes) {
            return Some(message.clone());
        }
        let mut told: BTreeSet<&str> = BTreeSet::new();
        for item in items.iter().flatten().filter(|item| told.insert(&item.id.key)) {
            let Some(verdict) = refused.get(item.id.key.as_ref()) else { continue };
            let refusal = Refusal::Item(item.id.clone(), *verdict);
            out.told.push(match approvals.mode() {
                Mode::Block => Told::Hidden(refusal),
                Mode::Warn => Told::Warned(refusal),
            });
        }
        if approvals.mode() == Mode::Warn {
            return Some(message.clone());
        }
        let kept = page.entries.iter().zip(&items).filter(|(_, item)| passes(item));
        let kept: Vec<Span> = kept.map(|(span, _)| span.clone()).collect();
        Some(keep_elements(message, &page.array, &kept).into())
    }

    /// Learns from a page that the client asked for: one that is the whole list is as good as one of the guard's own, and
    /// another definition than the one known is a change.
    fn saw<'a>(
        &mut self,
        kind: Kind,
        items: impl Iterator<Item = &'a Arc<Item>> + Clone,
        (first, last): (bool, bool),
        request: &Pending,
    ) {
        let listing = self.listing_mut(kind);
        if first && last {
            listing.take(items.cloned().collect(), request.changes[place(kind)], request.at);
        } else if items.clone().any(|item| !listing.knows(item)) {
            listing.changes += 1;
        }
    }

    /// The answer to a handshake: instructions that are not approved are left out.
    fn introduced(&mut self, message: &Bytes, result: &Span, request: &Pending, out: &mut Output) -> Option<Bytes> {
        if message[result.start] != b'{' {
            return Some(message.clone());
        }
        self.learn_version(message, result);
        let instructions = match members(message, result.start, ["instructions"]) {
            Ok([instructions]) => instructions.filter(|span| &message[span.clone()] != b"null"),
            Err(unfit) => {
                let refusal = Refusal::Unfit(unfit.to_string().into());
                let answer = refusal.answer(&request.raw);
                out.told.push(Told::Blocked(refusal));
                return Some(answer.into());
            }
        };
        let Some(instructions) = instructions else { return Some(message.clone()) };
        let item = self.remembered.item(Kind::Instructions, &message[instructions], self.bounds.depth);
        let verdict = match (&self.approvals, item) {
            (Ok(approvals), Some(item)) => approvals.verdict(&item),
            _ => Verdict::New,
        };
        if verdict.passes() {
            return Some(message.clone());
        }
        let refusal = Refusal::Item(ItemId::new(Kind::Instructions, ""), verdict);
        if self.approvals.as_ref().is_ok_and(|approvals| approvals.mode() == Mode::Warn) {
            out.told.push(Told::Warned(refusal));
            return Some(message.clone());
        }
        out.told.push(Told::Hidden(refusal));
        without_member(message, result.start, "instructions").ok().map(Bytes::from)
    }
}
