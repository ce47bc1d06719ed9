//! The guard's own requests for lists.

use super::{Exchange, Line, Output, Session, Told};
use crate::canon::scan;
use crate::guard::ask::Ask;
use crate::guard::envelope::{Envelope, members};
use crate::guard::id::Id;
use crate::guard::listing::Page;
use crate::guard::{Mode, Refusal, Ruling};
use crate::surface::Kind;
use bytes::Bytes;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// What a server answers that has no such list.
const METHOD_NOT_FOUND: &[u8] = b"-32601";

impl Session {
    /// Asks for the lists that something held waits for.
    pub(super) fn read_on(&mut self, now: Duration, out: &mut Output) {
        let waited: BTreeSet<Kind> = self.held.iter().flat_map(|held| self.unknown(&held.request)).collect();
        for kind in waited {
            self.begin(kind, now, out);
        }
    }

    fn unknown(&self, request: &super::Pending) -> Vec<Kind> {
        let ignores = |kind: Kind| self.approvals.as_ref().is_ok_and(|approvals| approvals.ignores(kind));
        let lists = request.ask.lists().iter().copied();
        lists.filter(|kind| !ignores(*kind) && !self.knows(*kind, request)).collect()
    }

    /// Asks for a list, unless that is under way.
    pub(super) fn begin(&mut self, kind: Kind, now: Duration, out: &mut Output) {
        let listing = self.listing_mut(kind);
        if listing.reading.is_none() {
            listing.begin(now);
            self.ask_page(kind, None, out);
        }
    }

    fn ask_page(&mut self, kind: Kind, cursor: Option<&[u8]>, out: &mut Output) {
        let Some((method, _)) = kind.list_method() else { return };
        self.asked += 1;
        let id = format!("{}-{}", self.token, self.asked);
        let mut members = Vec::new();
        members.extend(cursor.map(|cursor| [b"\"cursor\":", cursor].concat()));
        members.extend(self.meta.as_ref().map(|meta| [b"\"_meta\":", meta.as_slice()].concat()));
        let mut text = format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"{method}""#).into_bytes();
        if !members.is_empty() {
            text.extend_from_slice(b",\"params\":{");
            text.extend_from_slice(&members.join(&b','));
            text.push(b'}');
        }
        text.push(b'}');
        self.own.insert(Id::Text(id), kind);
        out.to_server.push(Line::new(Exchange::Unasked, text));
    }

    /// Takes the answer to a request of the guard's own.
    pub(super) fn own_page(
        &mut self,
        kind: Kind,
        message: &Bytes,
        envelope: &Envelope,
        now: Duration,
        out: &mut Output,
    ) {
        match self.read_page(kind, message, envelope, now) {
            Ok(Some(cursor)) => self.ask_page(kind, Some(&cursor), out),
            Ok(None) => {
                let is_silent = self.listing_mut(kind).finish();
                if is_silent && self.listed.contains(&kind) {
                    self.tell_changed(kind, out);
                }
                self.release(out);
            }
            Err(why) => self.fail(kind, &why, out),
        }
    }

    /// Reads a page; the raw cursor of the next one, where there is one.
    fn read_page(
        &mut self,
        kind: Kind,
        message: &Bytes,
        envelope: &Envelope,
        now: Duration,
    ) -> Result<Option<Vec<u8>>, String> {
        let Self { lists, remembered, bounds, .. } = self;
        // One that was given up has no place for its answer.
        let reading = lists.get_mut(&kind).and_then(|listing| listing.reading.as_mut());
        let reading = reading.ok_or("the answer came too late")?;
        let result = match (&envelope.result, &envelope.error) {
            (Some(result), None) if message[result.start] == b'{' => result,
            (None, Some(error)) if message[error.start] == b'{' => {
                let [code] = members(message, error.start, ["code"]).map_err(|unfit| unfit.to_string())?;
                let is_absent = code.is_some_and(|code| message[code] == *METHOD_NOT_FOUND);
                let is_first = reading.pages == 0;
                return if is_absent && is_first {
                    Ok(None)
                } else {
                    Err("the server answered with an error".to_owned())
                };
            }
            _ => return Err("the answer is neither a result nor an error".to_owned()),
        };
        let page = Page::read(kind, message, result)?;
        reading.pages += 1;
        reading.bytes += message.len();
        for entry in &page.entries {
            // One that cannot be read is none that may be used.
            reading.items.extend(remembered.item(kind, &message[entry.clone()], bounds.depth));
        }
        let is_over =
            reading.pages > bounds.pages || reading.bytes > bounds.list_bytes || reading.items.len() > bounds.items;
        if is_over {
            return Err("it is larger than a list may be".to_owned());
        }
        let Some(cursor) = page.cursor.map(|span| message[span].to_vec()) else { return Ok(None) };
        if reading.cursor.as_ref() == Some(&cursor) {
            // To older servers an empty cursor is the end.
            let is_empty = scan::whole(&cursor, 1).is_ok() && cursor == b"\"\"";
            return if is_empty { Ok(None) } else { Err("its pages never end".to_owned()) };
        }
        reading.cursor = Some(cursor.clone());
        reading.asked = now;
        Ok(Some(cursor))
    }

    /// A list could not be read: what waits for it does not pass.
    pub(super) fn fail(&mut self, kind: Kind, why: &str, out: &mut Output) {
        self.listing_mut(kind).reading = None;
        self.own.retain(|_, asked| *asked != kind);
        let warns = self.approvals.as_ref().is_ok_and(|approvals| approvals.mode() == Mode::Warn);
        let refusal = Refusal::Unread(kind, Arc::from(why));
        for mut held in std::mem::take(&mut self.held) {
            let waits = held.request.ask.lists().contains(&kind) && !self.knows(kind, &held.request);
            if !waits {
                self.held.push(held);
            } else if warns {
                if let Err(refusal) = self.bear_witness(&mut held, Ruling::Warned(&refusal)) {
                    self.refuse(held, refusal, out);
                    continue;
                }
                out.told.push(Told::Warned(refusal.clone()));
                let exchange = held.request.exchange;
                let passed = self.passed(held);
                out.to_server.push(Line::new(exchange, passed));
            } else {
                self.refuse(held, refusal.clone(), out);
            }
        }
    }

    /// Tells the client that a list changed, in the way of its era.
    pub(super) fn tell_changed(&self, kind: Kind, out: &mut Output) {
        let method = match kind {
            Kind::Tool => "notifications/tools/list_changed",
            Kind::Prompt => "notifications/prompts/list_changed",
            _ => "notifications/resources/list_changed",
        };
        let line = |exchange, params: &[u8]| {
            Line::new(exchange, [br#"{"jsonrpc":"2.0","method":""#, method.as_bytes(), b"\"", params, b"}"].concat())
        };
        let mut told: Vec<Line> = Vec::new();
        if self.meta.is_none() {
            told.push(line(Exchange::Unasked, b""));
        }
        let listening = self.pending.values().filter(|request| request.ask == Ask::Listen);
        told.extend(listening.map(|request| {
            let id = &request.raw;
            line(
                request.exchange,
                &[br#","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"#, &id[..], b"}}"].concat(),
            )
        }));
        told.retain(|line| !out.to_client.contains(line));
        out.to_client.append(&mut told);
    }
}
