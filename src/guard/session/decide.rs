//! Whether a request of the client may pass now.

use super::{Held, Line, Output, Pending, Session, Told, place};
use crate::digest::Item;
use crate::guard::ask::Ask;
use crate::guard::{Approvals, Mode, Refusal, Ruling, Verdict, template};
use crate::surface::{ItemId, Kind};
use bytes::Bytes;
use std::sync::Arc;

/// What becomes of a request.
pub(super) enum Decision {
    Pass,
    /// It passes, and this is told.
    PassTelling(Told),
    Refuse(Refusal),
    /// A list has to be read first.
    Wait,
}

impl Session {
    /// Passes a request on, answers it, or holds it.
    pub(super) fn settle(&mut self, mut held: Held, out: &mut Output) -> Option<Bytes> {
        let told = match self.decide(&held.request) {
            Decision::Pass => None,
            Decision::PassTelling(told) => Some(told),
            Decision::Refuse(refusal) => {
                self.refuse(held, refusal, out);
                return None;
            }
            Decision::Wait => {
                self.held.push(held);
                return None;
            }
        };
        let ruling = match &told {
            None => Ruling::Approved,
            Some(Told::Warned(refusal)) => Ruling::Warned(refusal),
            Some(_) => Ruling::Unseen,
        };
        if let Err(refusal) = self.bear_witness(&mut held, ruling) {
            self.refuse(held, refusal, out);
            return None;
        }
        out.told.extend(told);
        Some(self.passed(held))
    }

    /// Answers a request in the server's place.
    pub(super) fn refuse(&mut self, mut held: Held, refusal: Refusal, out: &mut Output) {
        // It does not pass anyhow.
        let _ = self.bear_witness(&mut held, Ruling::Refused(&refusal));
        // A notification is answered by nobody.
        if held.id.is_some() || held.request.raw != "null" {
            out.to_client.push(Line::new(held.request.exchange, refusal.answer(&held.request.raw)));
        }
        out.told.push(Told::Blocked(refusal));
    }

    /// A request is passed on; its answer will be looked for.
    pub(super) fn passed(&mut self, held: Held) -> Bytes {
        let Held { message, id, request, .. } = held;
        if let Ask::List { kind, .. } = request.ask {
            self.listed.insert(kind);
        }
        if let Some(id) = id {
            self.pending.insert(id, request);
        }
        message
    }

    /// Looks again at everything that is held.
    pub(super) fn release(&mut self, out: &mut Output) {
        for held in std::mem::take(&mut self.held) {
            let exchange = held.request.exchange;
            let passed = self.settle(held, out);
            out.to_server.extend(passed.map(|text| Line::new(exchange, text)));
        }
    }

    /// Whether the lists that decide on a request are known well enough.
    pub(super) fn knows(&self, kind: Kind, request: &Pending) -> bool {
        let since = request.at.saturating_sub(self.bounds.interval);
        self.listing(kind).is_fresh(request.changes[place(kind)], since)
    }

    pub(super) fn decide(&self, request: &Pending) -> Decision {
        let ask = &request.ask;
        let approvals = match &self.approvals {
            Ok(approvals) => approvals,
            Err(why) if matches!(ask, Ask::List { .. } | Ask::Use(_) | Ask::Resource(_)) => {
                return Decision::Refuse(Refusal::Closed(Arc::clone(why)));
            }
            Err(_) => return Decision::Pass,
        };
        let Some(item) = ask.item() else { return Decision::Pass };
        if approvals.ignores_item(&item) || ask.lists().iter().all(|kind| approvals.ignores(*kind)) {
            return Decision::PassTelling(Told::Ignored(item));
        }
        let mut lists = ask.lists().iter().filter(|kind| !approvals.ignores(**kind));
        if !lists.all(|kind| self.knows(*kind, request)) {
            return Decision::Wait;
        }
        let refusal = match ask {
            Ask::Resource(uri) => self.refusal_of_resource(uri, approvals),
            _ => self.refusal_of(&item, approvals),
        };
        match refusal {
            None => Decision::Pass,
            Some(refusal) if approvals.mode() == Mode::Warn => Decision::PassTelling(Told::Warned(refusal)),
            Some(refusal) => Decision::Refuse(refusal),
        }
    }

    /// Why an item may not be used: of several under one name each has to be approved.
    fn refusal_of(&self, id: &ItemId, approvals: &Approvals) -> Option<Refusal> {
        let served = self.listing(id.kind).of(&id.key);
        if served.is_empty() {
            return Some(Refusal::NotListed(id.clone()));
        }
        first_refused(served, approvals).map(|verdict| Refusal::Item(id.clone(), verdict))
    }

    /// Why a resource may not be read: it is approved itself, or a template that it fits is.
    fn refusal_of_resource(&self, uri: &str, approvals: &Approvals) -> Option<Refusal> {
        let id = ItemId::new(Kind::Resource, uri);
        let own = self.refusal_of(&id, approvals);
        if !matches!(own, Some(Refusal::NotListed(_))) {
            return own;
        }
        if approvals.ignores(Kind::ResourceTemplate) {
            return None;
        }
        let templates = self.listing(Kind::ResourceTemplate).all();
        let fitting = templates.filter(|item| template::matches(&item.id.key, uri));
        let mut refused = own;
        for item in fitting {
            match self.refusal_of(&item.id, approvals) {
                None => return None,
                Some(refusal) => refused = Some(refusal),
            }
        }
        refused
    }
}

/// The verdict of the first of these that may not pass.
pub(super) fn first_refused(items: &[Arc<Item>], approvals: &Approvals) -> Option<Verdict> {
    items.iter().map(|item| approvals.verdict(item)).find(|verdict| !verdict.passes())
}
