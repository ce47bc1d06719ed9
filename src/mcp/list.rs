//! Reads one list from its first page to the one without a cursor, and knows the pages of last time again by their bytes.

use super::era::refusal;
use super::fault::Fault;
use super::inbox::{Answer, Message};
use super::limits::Limits;
use super::link::{Ask, Link};
use super::message::{Form, Kept, LeftOut, Wanted};
use super::reason::{quote, timed_out};
use crate::surface::{Completeness, Era, Kind, Reason};
use bytes::Bytes;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The empty cursor, as the JSON text that names it.
const EMPTY: &[u8] = b"\"\"";

#[derive(Clone, Debug)]
pub(super) struct Page {
    /// The answer, where the next one can be compared with it.
    kept: Option<Kept>,
    entries: Vec<Bytes>,
    /// The next page's cursor, as the JSON text that names it.
    cursor: Option<Bytes>,
    /// Bytes of the answer.
    length: usize,
    left_out: Option<LeftOut>,
    /// It was the first page once more: nothing of it counts.
    again: bool,
    /// It was an error that stands for an empty list.
    unknown: bool,
}

/// What reading a list came to.
#[derive(Debug)]
pub(super) struct List {
    /// The entries' exact bytes, in order.
    pub entries: Vec<Bytes>,
    pub completeness: Completeness,
    /// The pages, where the list is complete and so may be compared with the next time.
    pub pages: Vec<Page>,
    /// Whether every page's bytes were those of last time.
    pub same: bool,
    /// Whether the server answered at all.
    pub heard: bool,
    pub told: Told,
    /// What ended the reading early.
    pub fault: Option<Fault>,
}

impl List {
    fn refuse(&mut self, is_refusal: bool) {
        if is_refusal && self.told == Told::Nothing {
            self.told = Told::Refusal;
        }
    }
}

/// What a server told by its answers for a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// Neither of the others.
    Nothing,
    /// The answer is an error, or something else stands in its place.
    Refusal,
    /// Entries, or that there are none; a list that the server does not know does not count.
    Entries,
}

#[derive(Debug)]
pub(super) struct ListReader<'a> {
    pub kind: Kind,
    pub method: &'static str,
    pub member: &'static str,
    /// Whether the server's capabilities promise the list.
    pub promised: bool,
    /// The pages of last time.
    pub last: &'a [Page],
    /// Time for one answer.
    pub patience: Duration,
}

/// Why a list is not read further.
enum Stop {
    Fault(Fault),
    /// The answer is an error.
    Refused(Reason),
    Reason(Reason),
}

fn stop<T>(code: &'static str, text: String) -> Result<T, Stop> {
    Err(Stop::Reason(Reason::new(code, text)))
}

impl ListReader<'_> {
    /// Reads the list. What was read before something went wrong is kept.
    pub async fn read(&self, link: &mut Link) -> List {
        let mut list = List {
            entries: Vec::new(),
            completeness: Completeness::Complete,
            pages: Vec::new(),
            same: !self.last.is_empty(),
            heard: false,
            told: Told::Nothing,
            fault: None,
        };
        let (reason, fault) = match self.read_pages(link, &mut list).await {
            Ok(()) => {
                list.same &= list.pages.len() == self.last.len();
                return list;
            }
            Err(Stop::Fault(fault)) => {
                list.refuse(fault.is_refusal());
                (fault.clone().reason(self.method), Some(fault))
            }
            Err(Stop::Refused(reason)) => {
                list.refuse(true);
                (reason, None)
            }
            Err(Stop::Reason(reason)) => (reason, None),
        };
        let nothing = list.pages.is_empty();
        list.completeness = if nothing { Completeness::Failed(reason) } else { Completeness::Partial(reason) };
        list.fault = fault;
        list.pages.clear();
        list.same = false;
        list
    }

    async fn read_pages(&self, link: &mut Link, list: &mut List) -> Result<(), Stop> {
        let limits = Arc::clone(&link.inbox.limits);
        let patience = self.patience * limits.list_timeouts;
        let end = Instant::now() + patience;
        let (mut size, mut left_out) = (0, None);
        // From revision 2026-07-28 on an empty cursor is one like any other.
        let empty_ends = link.inbox.era != Some(Era::Discover);
        let mut cursors = HashSet::new();
        let mut cursor: Option<Bytes> = None;
        loop {
            if list.pages.len() == limits.pages {
                return stop("too-many-pages", format!("{} has more than {} pages", self.method, limits.pages));
            }
            let left = end.saturating_duration_since(Instant::now()).min(self.patience);
            if left.is_zero() {
                return Err(Stop::Reason(timed_out(&format!("all pages of {}", self.method), patience)));
            }
            let mut page = self.read_page(link, cursor.as_ref(), left, list).await?;
            size += page.length;
            if !page.unknown {
                list.told = Told::Entries;
            }
            if cursor.as_deref() == Some(EMPTY) && empty_ends {
                self.drop_first_page_again(link, &mut page, list);
            }
            if size > limits.list_bytes {
                return stop("list-too-large", format!("{} is larger than {} bytes", self.method, limits.list_bytes));
            }
            let room = limits.items - list.entries.len();
            let crowded = (page.entries.len() > room).then_some(LeftOut::Number);
            left_out = left_out.or(page.left_out).or(crowded);
            list.entries.extend(page.entries.iter().take(room).cloned());
            cursor.clone_from(&page.cursor);
            list.pages.push(page);
            let Some(next) = &cursor else { break };
            self.check_cursor(link, next, &limits)?;
            if !cursors.insert(next.clone()) {
                if next == EMPTY && empty_ends {
                    self.note_empty_cursor(link);
                    break;
                }
                let next = quote(next, limits.quoted_chars);
                return stop("cursor-loop", format!("{} names the cursor {next} twice", self.method));
            }
        }
        match left_out {
            None => Ok(()),
            Some(bound) => Err(Stop::Reason(over(self.method, bound, &limits))),
        }
    }

    fn check_cursor(&self, link: &mut Link, cursor: &Bytes, limits: &Limits) -> Result<(), Stop> {
        if cursor.len() > limits.cursor_bytes {
            return stop("list-too-large", format!("a cursor of {} has {} bytes", self.method, cursor.len()));
        }
        // A cursor goes back as the text it came as. Only a string is sure to be one line of it.
        if !cursor.starts_with(b"\"") {
            let cursor = quote(cursor, limits.quoted_chars);
            return stop("unreadable-answer", format!("a cursor of {} is not a string: {cursor}", self.method));
        }
        if cursor.as_ref() == EMPTY {
            link.inbox.notices.add("empty-cursor", || format!("{} names a page by an empty cursor", self.method));
        }
        Ok(())
    }

    /// Up to revision 2025-11-25 some servers write an empty cursor where the list ends. Asked for the page that it names,
    /// they begin again: nothing of that page counts.
    fn drop_first_page_again(&self, link: &mut Link, page: &mut Page, list: &List) {
        let first = list.pages.first();
        page.again |= first.is_some_and(|first| first.entries == page.entries && first.cursor == page.cursor);
        if page.again {
            page.entries.clear();
            page.cursor = None;
            self.note_empty_cursor(link);
        }
    }

    fn note_empty_cursor(&self, link: &mut Link) {
        link.inbox.notices.add("empty-cursor-again", || {
            format!("{} names the empty cursor again once it was followed: taken as the end of the list", self.method)
        });
    }

    async fn read_page(
        &self,
        link: &mut Link,
        cursor: Option<&Bytes>,
        patience: Duration,
        list: &mut List,
    ) -> Result<Page, Stop> {
        // A page that was the first one again has to be compared with the first one of now.
        let known = self.last.get(list.pages.len()).filter(|page| !page.again || list.same);
        let members = cursor.map(|cursor| [b"\"cursor\":", cursor.as_ref()].concat()).unwrap_or_default();
        let before = known.and_then(|page| page.kept.as_ref());
        let entries = known.map(|page| page.entries.as_slice()).unwrap_or_default();
        let wanted = Wanted { member: self.member, known: entries };
        let ask = Ask { method: self.method, members: &members, list: Some(wanted), last: before };
        let answer = link.ask(ask, patience).await.map_err(Stop::Fault)?;
        list.heard = true;
        match (answer, known) {
            (Answer::Same, Some(page)) => Ok(page.clone()),
            (Answer::Same, None) => stop("unreadable-answer", "nothing to compare the answer with".to_owned()),
            (Answer::Read(message), _) => {
                list.same = false;
                self.page(&message, list.pages.is_empty(), &link.inbox.limits)
            }
        }
    }

    /// The page that an answer holds. A list that nobody promised may be refused: it is empty.
    fn page(&self, message: &Message, first: bool, limits: &Limits) -> Result<Page, Stop> {
        let parts = &message.parts;
        if let Some(refusal) = refusal(message, limits) {
            let optional = !self.promised || self.kind == Kind::ResourceTemplate;
            if !(optional && first && refusal.is_method_not_found()) {
                return Err(Stop::Refused(refusal.reason(self.method)));
            }
        } else if !parts.page.is_list {
            let text = format!("the answer to {} has no array `{}`", self.method, self.member);
            return stop("not-a-list", text);
        }
        // Only these bytes are kept; the buffer they came in may be far larger.
        let bytes = Bytes::copy_from_slice(&message.bytes);
        let id = parts.id.clone().filter(|_| message.form == Form::AsSent);
        Ok(Page {
            entries: parts.page.entries.iter().map(|span| bytes.slice(span.clone())).collect(),
            cursor: parts.page.cursor.clone().map(|span| bytes.slice(span)),
            length: bytes.len(),
            left_out: parts.page.left_out,
            again: false,
            unknown: parts.error.is_some(),
            kept: id.and_then(|id| Kept::new(bytes, id)),
        })
    }
}

fn over(method: &str, bound: LeftOut, limits: &Limits) -> Reason {
    match bound {
        LeftOut::Depth => {
            Reason::new("item-too-deep", format!("{method} has an entry nested deeper than {} levels", limits.depth))
        }
        LeftOut::Size => {
            Reason::new("item-too-large", format!("{method} has an entry larger than {} bytes", limits.item_bytes))
        }
        LeftOut::Number => Reason::new("list-too-large", format!("{method} has more than {} entries", limits.items)),
    }
}
