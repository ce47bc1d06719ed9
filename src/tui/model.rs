//! Everything the screen is made of. Changed by `update` alone; `view` only reads it.
//!
//! Selection is by identity, never by index. Each screen has its own state; what takes long to make of a server's state
//! (the rows of home, the entries, the document) is kept beside it and made again when its sources moved.

mod dialog;
mod entries;
mod entry;
mod events;
mod frozen;
mod home;
mod list;
mod screens;
mod server;
mod session;
mod versions;

pub use dialog::{Ask, Choice, Decide, Dialog, Made, Menu};
pub use entries::{CONFIRMS, entries, waiting};
pub use entry::{Entry, EntryId, Sort, SortKey};
pub use events::EventsScreen;
pub use frozen::Frozen;
pub use home::{HomeRow, HomeScreen, Waiting};
pub use list::{List, Rows};
pub use screens::{DocumentKey, Hit, Notice, Pane, Reading, Screen, SearchScreen, ServersScreen};
pub use server::Server;
pub use session::{MAX_REMEMBERED, Seen, Sent, Session};
pub use versions::{Compared, VersionId, VersionRow, Versions, VersionsScreen, latest_first};

use super::action::Context;
use super::draft::Drafts;
use super::effect::Effect;
use super::setup::Setup;
use crate::review::Row;
use crate::surface::ServerId;
use jiff::Timestamp;

/// The whole state of the UI.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the rest is what it is called")]
pub struct Model {
    /// What the UI started with, but for its servers; theme, keys and switches as the config has them now.
    pub setup: Setup,
    /// Whether the mouse is ours at this moment.
    pub mouse: bool,
    /// Columns and rows.
    pub size: (u16, u16),
    /// The last time a message told.
    pub now: Timestamp,
    /// Every server, in the order of the config.
    pub servers: Vec<Server>,
    /// Counts the states of all servers.
    pub revision: u64,
    /// The selected server; each server keeps its selected entry.
    pub server: Option<ServerId>,
    /// The screens, the lowest first; never empty.
    screens: Vec<Screen>,
    pub home: HomeScreen,
    pub listed: ServersScreen,
    pub reading: Reading,
    pub drafts: Drafts,
    pub versions: VersionsScreen,
    pub search: SearchScreen,
    pub events: EventsScreen,
    pub session: Session,
    pub dialog: Option<Dialog>,
    pub help: Option<List>,
    /// While the display is frozen: what waits to be shown.
    pub frozen: Option<Frozen>,
    /// The bottom line.
    pub notice: Option<Notice>,
    /// Whether the loop ends.
    pub quit: bool,
    /// What the message at hand asks of the rest of the program.
    requests: Vec<Effect>,
}

impl Model {
    /// The state before the first message. Nothing is made of the servers yet: see `update::start`.
    pub fn new(mut setup: Setup, size: (u16, u16)) -> Self {
        let servers: Vec<_> = std::mem::take(&mut setup.servers).into_iter().map(Server::new).collect();
        Self {
            mouse: setup.switches.mouse,
            size,
            now: setup.now,
            setup,
            server: servers.first().map(|server| server.look.id.clone()),
            servers,
            revision: 0,
            screens: vec![Screen::Home],
            home: HomeScreen::default(),
            listed: ServersScreen::default(),
            reading: Reading::default(),
            drafts: Drafts::default(),
            versions: VersionsScreen::default(),
            search: SearchScreen::default(),
            events: EventsScreen::default(),
            session: Session::default(),
            dialog: None,
            help: None,
            frozen: None,
            notice: None,
            quit: false,
            requests: Vec::new(),
        }
    }

    /// The screen that is shown.
    pub fn screen(&self) -> Screen {
        self.screens.last().copied().unwrap_or(Screen::Home)
    }

    /// Opens a screen over the one that is shown. It is open once: where it lies below, it is taken from there.
    pub fn open(&mut self, screen: Screen) {
        self.screens.retain(|open| *open == Screen::Home || *open != screen);
        if screen != Screen::Home {
            self.screens.push(screen);
        }
    }

    /// Closes the screen that is shown; the lowest one stays.
    pub fn back(&mut self) {
        if self.screens.len() > 1 {
            self.screens.pop();
        }
    }

    /// Closes all but home.
    pub fn go_home(&mut self) {
        self.screens.truncate(1);
    }

    /// Home at its worst row.
    pub fn go_to_worst(&mut self) {
        self.home.chosen = false;
        self.go_home();
    }

    /// A server by id.
    pub fn server_of(&self, id: &str) -> Option<&Server> {
        self.servers.iter().find(|server| *server.look.id == *id)
    }

    /// Items that are as approved, by a fresh look.
    pub fn approved(&self) -> usize {
        let fresh = self.servers.iter().filter(|server| !server.look.is_stale());
        fresh.filter_map(|server| server.look.review.as_ref()).map(|review| review.counts.approved).sum()
    }

    /// The selected server.
    pub fn selected_server(&self) -> Option<&Server> {
        self.server_of(self.server.as_deref()?)
    }

    /// The same, to be changed.
    pub fn selected_server_mut(&mut self) -> Option<&mut Server> {
        let id = self.server.as_deref()?;
        self.servers.iter_mut().find(|server| *server.look.id == *id)
    }

    /// The servers that the filter lets through; the selected one among them, whatever it has become.
    pub fn shown_servers(&self) -> Vec<&Server> {
        let words = self.listed.servers.words();
        let selected = |server: &Server| self.server.as_ref() == Some(&server.look.id);
        let fits = |server: &Server| words.iter().all(|word| server.matches(word));
        self.servers.iter().filter(|server| selected(server) || fits(server)).collect()
    }

    /// The selected entry of the selected server.
    pub fn selected_entry(&self) -> Option<&Entry> {
        self.listed.entries.get(self.entry_index()?)
    }

    /// Its place in the list.
    pub fn entry_index(&self) -> Option<usize> {
        let id = self.selected_server()?.selected.as_ref()?;
        self.listed.entries.iter().position(|entry| entry.id == *id)
    }

    /// The review's row of the selected entry.
    pub fn selected_row(&self) -> Option<&Row> {
        self.selected_server()?.row_of(&self.selected_entry()?.id)
    }

    /// The rows that a decision on the selected entry is on: of a group, each member's.
    pub fn selected_rows(&self) -> Vec<&Row> {
        let entry = self.selected_entry().map(|entry| &entry.id);
        self.selected_server().zip(entry).map(|(server, entry)| server.rows_of(entry)).unwrap_or_default()
    }

    /// The list that the keys move; none where a text is read.
    pub fn rows(&self) -> Option<Rows> {
        Some(match (self.screen(), self.listed.pane) {
            // A filter that is typed keeps the keys, whatever comes or goes; where nothing waits the servers are listed.
            (Screen::Home, _) if self.home.list.typing => Rows::Home,
            (Screen::Home, _) if self.listed.servers.typing || self.home.all == 0 => Rows::Servers,
            (Screen::Home, _) => Rows::Home,
            (Screen::Servers, Pane::Servers) => Rows::Servers,
            (Screen::Servers, Pane::Items) => Rows::Items,
            (Screen::Events, _) => Rows::Events,
            (Screen::Search, _) => Rows::Hits,
            (Screen::Versions, _) => Rows::Versions,
            (Screen::Compared, _) => Rows::Differences,
            _ => return None,
        })
    }

    /// How a list scrolls; none where that is not there.
    pub fn list_of(&self, rows: Rows) -> Option<&List> {
        Some(match rows {
            Rows::Home => &self.home.list,
            Rows::Servers => &self.listed.servers,
            Rows::Items => &self.listed.items,
            Rows::Events => &self.events.list,
            Rows::Hits => &self.search.list,
            Rows::Versions => &self.versions.recorded.as_ref()?.list,
            Rows::Differences => &self.versions.compared.as_ref()?.list,
        })
    }

    /// The same, to be changed.
    pub fn list_of_mut(&mut self, rows: Rows) -> Option<&mut List> {
        Some(match rows {
            Rows::Home => &mut self.home.list,
            Rows::Servers => &mut self.listed.servers,
            Rows::Items => &mut self.listed.items,
            Rows::Events => &mut self.events.list,
            Rows::Hits => &mut self.search.list,
            Rows::Versions => &mut self.versions.recorded.as_mut()?.list,
            Rows::Differences => &mut self.versions.compared.as_mut()?.list,
        })
    }

    /// The list whose filter the keys reach: over a change that of the items.
    pub fn filtered(&self) -> Option<Rows> {
        let beside = (self.screen() == Screen::Servers).then_some(Rows::Items);
        self.rows().or(beside)
    }

    /// The context of what is shown, whatever help stands over it.
    pub fn context(&self) -> Context {
        self.dialog.as_ref().map_or(self.screen(), Dialog::context)
    }

    /// The contexts whose keys are live, except while text is typed.
    pub fn live(&self) -> [Context; 3] {
        let own = if self.help.is_some() { Context::Help } else { self.context() };
        [own, Context::Moving, Context::Everywhere]
    }

    /// Whether a dialog or the help lies over the screen.
    pub fn is_covered(&self) -> bool {
        self.dialog.is_some() || self.help.is_some()
    }

    /// Asks for something outside the model, and says so.
    pub fn request(&mut self, effect: Effect) {
        self.session.pending += usize::from(effect.is_write());
        if let Some(text) = effect.said() {
            self.say(text);
        }
        self.requests.push(effect);
    }

    /// What was asked for since the last call.
    pub fn take_requests(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.requests)
    }

    /// Shows one line at the bottom until the next key.
    pub fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), warning: false });
    }

    /// The same of something that did not go as asked.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), warning: true });
    }
}
