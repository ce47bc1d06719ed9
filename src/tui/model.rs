//! Everything the screen is made of. Changed by `update` alone; `view` only reads it.
//!
//! Selection is by identity, never by index. What takes long to make of a server's state (the entries, the document) is
//! kept beside it and made again when its sources moved.

mod dialog;
pub mod entries;
mod frozen;
mod queue;
pub mod server;
mod versions;

pub use dialog::{Ask, Choice, Decide, Dialog, Made, Marked, Menu, Question};
pub use entries::{Entry, EntryId, Sort, SortKey, entries, name, waiting};
pub use frozen::Frozen;
pub use queue::{QueueKey, QueueRow, Waiting, queue};
pub use server::{Server, ServerState};
pub use versions::{Compared, VersionId, VersionRow, Versions};

use super::action::Context;
use super::clipboard::Clipboard;
use super::document::{Document, Manner};
use super::glyph::Glyphs;
use super::input::Input;
use super::keymap::Keymap;
use super::theme::Theme;
use super::{Setup, layout, notice};
use crate::digest::SurfaceDigest;
use crate::monitor::Happening;
use crate::pin::DecisionState;
use crate::review::{Row, RowId};
use crate::surface::{ItemId, ServerId};
use jiff::{Timestamp, tz::TimeZone};
use std::collections::{BTreeMap, HashSet, VecDeque};

/// Changes that are remembered as read or rung for; past it what no server shows any more is forgotten.
pub const MAX_REMEMBERED: usize = 20_000;

/// Event lines kept; what is older is dropped and counted.
pub const MAX_EVENTS: usize = 2_000;

/// What fills the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// Servers, items, change, events.
    Browse,
    /// Everything that needs a decision, over all servers.
    Queue,
    /// One change.
    Change,
    /// Every digest of one item.
    Digests,
    /// Everything known of one server.
    Server,
    /// What was recorded of a server, or the versions of one item.
    Versions,
    /// Two versions compared.
    Compared,
    /// The search.
    Search,
    /// The event log.
    Events,
}

/// A part of the main screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    /// The servers.
    Servers,
    /// The items of the selected server.
    Items,
    /// The change of the selected item.
    Change,
    /// The latest events.
    Events,
}

impl Pane {
    /// Every pane, in the order of tab.
    pub const ALL: [Self; 4] = [Self::Servers, Self::Items, Self::Change, Self::Events];
}

/// A decision that was sent and is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Approve or reject.
    pub verdict: DecisionState,
    /// The items.
    pub items: Vec<ItemId>,
    /// The selected entry, and where the selection goes when that is decided.
    pub next: Option<(EntryId, Option<(ServerId, EntryId)>)>,
}

/// An item that a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The server.
    pub server: ServerId,
    /// The row.
    pub row: RowId,
    /// Where in its definition. Not escaped.
    pub place: String,
    /// The text around it. Not escaped.
    pub excerpt: String,
}

/// A row as it was marked or put off: another definition has neither.
pub type RowAsShown = (ServerId, RowId, SurfaceDigest);

/// A change that was read: server, pinned and served digest, of which each has the item's name in it.
pub type Seen = (ServerId, Option<SurfaceDigest>, Option<SurfaceDigest>);

/// A list that scrolls, with its filter.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// Shows only rows with this in them.
    pub filter: Input,
    /// Whether keys go into the filter.
    pub typing: bool,
    /// First row shown.
    pub scroll: usize,
}

/// What a message says at the bottom until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// One line. Not escaped.
    pub text: String,
    /// Whether something did not go as asked.
    pub warning: bool,
}

/// The document on the screen and what it was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentKey {
    /// The server.
    pub server: ServerId,
    /// The server's revision.
    pub revision: u64,
    /// The entry.
    pub entry: EntryId,
    /// Cells a line.
    pub width: usize,
    /// How the diff is shown.
    pub manner: Manner,
    /// Whether it is the digests.
    pub digests: bool,
    /// Whether it fills the screen: it opens at the first difference then, and a preview always shows its top.
    pub full: bool,
}

/// What the entries were made of: server, its revision, filter, sort.
pub type EntriesKey = (ServerId, u64, String, Sort);

/// The whole state of the UI.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Model {
    /// The root, as shown.
    pub root: String,
    /// Whether the servers are the demo's own.
    pub demo: bool,
    /// Where servers were looked for, one line each.
    pub searched: Vec<String>,
    /// The time zone of clocks.
    pub zone: TimeZone,
    /// The keys.
    pub keymap: Keymap,
    /// The theme.
    pub theme: Theme,
    /// The signs.
    pub glyphs: Glyphs,
    /// Columns and rows.
    pub size: (u16, u16),
    /// The last time a message told.
    pub now: Timestamp,
    /// Every server, in the order of the config.
    pub servers: Vec<Server>,
    /// The selected server.
    pub server: Option<ServerId>,
    /// The entries of the selected server that the filter lets through, sorted.
    pub entries: Vec<Entry>,
    /// What they were made of.
    pub entries_key: Option<EntriesKey>,
    /// The list of items.
    pub items: List,
    /// How items are sorted.
    pub sort: Sort,
    /// The list of servers.
    pub servers_list: List,
    /// What fills the screen.
    pub screen: Screen,
    /// What the digests were opened over.
    pub digests_over: Screen,
    /// What the change was opened over: the queue keeps its order.
    pub change_over: Screen,
    /// Counts the states of all servers.
    pub revision: u64,
    /// What waits for a person, while it is shown or walked through.
    pub queue: Vec<QueueRow>,
    /// What it was made of.
    pub queue_key: Option<QueueKey>,
    /// Its list.
    pub queue_list: List,
    /// Where the selection was in it.
    pub queue_at: usize,
    /// Rows marked for a decision on several.
    pub marked: HashSet<RowAsShown>,
    /// Which part of the main screen has the keys.
    pub pane: Pane,
    /// What asks for an answer over it.
    pub dialog: Option<Dialog>,
    /// The help over everything.
    pub help: Option<List>,
    /// The selected entry as a document.
    pub document: Option<(DocumentKey, Document)>,
    /// First line of it shown.
    pub document_scroll: usize,
    /// How a diff is shown.
    pub manner: Manner,
    /// Changes whose last line was on the screen.
    pub seen: HashSet<Seen>,
    /// Rows put off, this session.
    pub skipped: HashSet<RowAsShown>,
    /// Servers that are not watched, put off, this session.
    pub left_unwatched: HashSet<ServerId>,
    /// Decisions sent and not answered.
    pub deciding: BTreeMap<ServerId, Sent>,
    /// Decisions of this session that can be taken back, the last one last.
    pub made: Vec<Made>,
    /// Writes asked for and not answered.
    pub pending: usize,
    /// Whether the person wants to leave, as soon as nothing is pending.
    pub leaving: bool,
    /// The event log, oldest first; each with its number, by which it is selected.
    pub events: VecDeque<(u64, Happening)>,
    /// Number of the next event; less those kept, how many were dropped.
    pub next_event: u64,
    /// The list of events.
    pub events_list: List,
    /// The selected event; none follows the newest.
    pub event: Option<u64>,
    /// What was recorded of a server, or the versions of one item.
    pub versions: Option<Versions>,
    /// What it was opened over.
    pub versions_over: Screen,
    /// Two versions compared.
    pub compared: Option<Compared>,
    /// What is searched for.
    pub search: List,
    /// What it was opened over.
    pub search_over: Screen,
    /// What was found.
    pub hits: Vec<Hit>,
    /// The selected one.
    pub hit: usize,
    /// What they were made of: the servers' revision, the words.
    pub search_key: Option<(u64, String)>,
    /// First line shown of the server's details.
    pub details_scroll: usize,
    /// While the display is frozen: what waits to be shown.
    pub frozen: Option<Frozen>,
    /// What the config turns on and off.
    pub switches: super::Switches,
    /// Whether the mouse is ours at this moment.
    pub mouse: bool,
    /// Ways to the clipboard.
    pub clipboard: Clipboard,
    /// Critical rows that were rung for.
    pub rung: HashSet<(ServerId, SurfaceDigest)>,
    /// The title that was set; empty while the window has its own.
    pub titled: String,
    /// The bottom line.
    pub notice: Option<Notice>,
    /// Decisions carried out, for the lines printed after.
    pub decided: Vec<String>,
    /// Whether the loop ends.
    pub quit: bool,
}

impl Model {
    /// The state before the first message.
    pub fn new(setup: Setup, size: (u16, u16)) -> Self {
        let servers: Vec<_> = setup.servers.into_iter().map(Server::new).collect();
        let pane = if servers.len() == 1 { Pane::Items } else { Pane::Servers };
        let mut model = Self {
            root: setup.root,
            demo: setup.demo,
            searched: setup.searched,
            zone: setup.zone,
            keymap: setup.keymap,
            theme: setup.theme,
            glyphs: setup.glyphs,
            size,
            now: setup.now,
            server: servers.first().map(|server| server.look.id.clone()),
            servers,
            entries: Vec::new(),
            entries_key: None,
            items: List::default(),
            sort: Sort::default(),
            servers_list: List::default(),
            screen: Screen::Browse,
            digests_over: Screen::Browse,
            change_over: Screen::Browse,
            revision: 0,
            queue: Vec::new(),
            queue_key: None,
            queue_list: List::default(),
            queue_at: 0,
            marked: HashSet::new(),
            pane,
            dialog: None,
            help: None,
            document: None,
            document_scroll: 0,
            manner: Manner::default(),
            seen: HashSet::new(),
            skipped: HashSet::new(),
            left_unwatched: HashSet::new(),
            deciding: BTreeMap::new(),
            made: Vec::new(),
            pending: 0,
            leaving: false,
            events: VecDeque::new(),
            next_event: 0,
            events_list: List::default(),
            event: None,
            versions: None,
            versions_over: Screen::Browse,
            compared: None,
            search: List::default(),
            search_over: Screen::Browse,
            hits: Vec::new(),
            hit: 0,
            search_key: None,
            details_scroll: 0,
            frozen: None,
            switches: setup.switches,
            mouse: setup.switches.mouse,
            clipboard: setup.clipboard,
            rung: HashSet::new(),
            titled: String::new(),
            notice: None,
            decided: Vec::new(),
            quit: false,
        };
        super::update::settle(&mut model);
        model
    }

    /// A server by id.
    pub fn server_of(&self, id: &str) -> Option<&Server> {
        self.servers.iter().find(|server| *server.look.id == *id)
    }

    /// The selected server.
    pub fn selected_server(&self) -> Option<&Server> {
        self.server_of(self.server.as_deref()?)
    }

    /// The servers that the filter lets through; the selected one among them, whatever it has become.
    pub fn shown_servers(&self) -> Vec<&Server> {
        let words: Vec<_> = self.servers_list.filter.text().split_whitespace().map(str::to_lowercase).collect();
        let selected = |server: &Server| self.server.as_ref() == Some(&server.look.id);
        let fits = |server: &Server| words.iter().all(|word| server.matches(word));
        self.servers.iter().filter(|server| selected(server) || fits(server)).collect()
    }

    /// The selected entry of the selected server.
    pub fn selected_entry(&self) -> Option<&Entry> {
        self.entries.get(self.entry_index()?)
    }

    /// Its place in the list.
    pub fn entry_index(&self) -> Option<usize> {
        let id = self.selected_server()?.selected.as_ref()?;
        self.entries.iter().position(|entry| entry.id == *id)
    }

    /// The review's row of the selected entry.
    pub fn selected_row(&self) -> Option<&Row> {
        let EntryId::Row(id) = &self.selected_entry()?.id else { return None };
        self.selected_server()?.look.review.as_ref()?.row(id)
    }

    /// The rows that a decision on the selected entry is on: of a group, each member's.
    pub fn selected_rows(&self) -> Vec<&Row> {
        let entry = self.selected_entry().map(|entry| &entry.id);
        self.selected_server().zip(entry).map(|(server, entry)| server.rows_of(entry)).unwrap_or_default()
    }

    /// What reading the selected change to its end leaves in `seen`.
    pub fn seen_key(&self, row: &Row) -> Option<Seen> {
        Some(Self::seen_of(self.server.as_ref()?, row))
    }

    /// What reading a change to its end leaves in `seen`.
    pub fn seen_of(server: &ServerId, row: &Row) -> Seen {
        let pinned = row.pin.as_ref().map(|pin| pin.item.digests.surface);
        let now = row.now.as_ref().map(|item| item.digests.surface);
        (server.clone(), pinned, now)
    }

    /// Whether the last line of a row's change was on the screen.
    pub fn is_seen(&self, row: &Row) -> bool {
        self.seen_key(row).is_some_and(|key| self.seen.contains(&key))
    }

    /// Whether a row was put off this session.
    pub fn is_skipped(&self, server: &ServerId, row: &Row) -> bool {
        row.decides_on().is_some_and(|digest| self.skipped.contains(&(server.clone(), row.id.clone(), digest)))
    }

    /// Whether a row is marked.
    pub fn is_marked(&self, server: &ServerId, row: &Row) -> bool {
        row.decides_on().is_some_and(|digest| self.marked.contains(&(server.clone(), row.id.clone(), digest)))
    }

    /// Whether the queue is what N and P go through.
    pub fn in_queue(&self) -> bool {
        let change = self.change_over == Screen::Queue;
        match self.screen {
            Screen::Queue => true,
            Screen::Change => change,
            Screen::Digests => self.digests_over == Screen::Queue || (self.digests_over == Screen::Change && change),
            _ => false,
        }
    }

    /// The place of the selected row in the queue.
    pub fn queue_index(&self) -> Option<usize> {
        self.queue.iter().position(|row| row.is_selected(self))
    }

    /// Every list with a filter.
    pub fn lists(&self) -> [&List; 5] {
        [&self.servers_list, &self.items, &self.events_list, &self.queue_list, &self.search]
    }

    /// The same, to be changed.
    pub fn lists_mut(&mut self) -> [&mut List; 5] {
        [&mut self.servers_list, &mut self.items, &mut self.events_list, &mut self.queue_list, &mut self.search]
    }

    /// The events that the filter lets through, newest first.
    pub fn shown_events(&self) -> Vec<&(u64, Happening)> {
        let filter = self.events_list.filter.text().to_lowercase();
        if filter.is_empty() {
            return self.events.iter().rev().collect();
        }
        let fits = |(_, event): &&(u64, Happening)| {
            let line = format!("{} {} {} {}", event.server, event.kind.word(), event.item, event.text);
            let line = line.to_lowercase();
            filter.split_whitespace().all(|word| line.contains(word))
        };
        self.events.iter().rev().filter(fits).collect()
    }

    /// The context of what is shown, whatever help stands over it.
    pub fn context(&self) -> Context {
        match self.screen {
            _ if matches!(&self.dialog, Some(Dialog { ask: Ask::Copy(_), .. })) => Context::Menu,
            _ if self.dialog.is_some() => Context::Dialog,
            Screen::Browse => Context::Browse,
            Screen::Server => Context::Server,
            Screen::Versions => Context::Versions,
            Screen::Compared => Context::Compared,
            Screen::Search => Context::Search,
            Screen::Queue => Context::Queue,
            Screen::Change => Context::Change,
            Screen::Digests => Context::Digests,
            Screen::Events => Context::Events,
        }
    }

    /// The contexts whose keys are live, except while text is typed.
    pub fn live(&self) -> [Context; 3] {
        let own = if self.help.is_some() { Context::Help } else { self.context() };
        [own, Context::Moving, Context::Everywhere]
    }

    /// Where everything stands.
    pub fn places(&self) -> layout::Places {
        // What lies over the screen has its own place: a notice moves nothing below it.
        let told = if layout::is_covered(self) { 0 } else { notice::rows(self).len() };
        layout::places(self.size, self.pane, u16::try_from(told).unwrap_or(0))
    }
}
