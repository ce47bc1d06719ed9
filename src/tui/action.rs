//! Everything a person can do, by the name that the config uses, and where it can be done.

use std::fmt;

macro_rules! actions {
    ($($action:ident = $name:literal,)*) => {
        /// What a key can do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "each is said in a line of the key table")]
        pub enum Action { $($action,)* }

        impl Action {
            /// Every action.
            pub const ALL: &'static [Self] = &[$(Self::$action,)*];

            /// The name in the config.
            pub fn name(self) -> &'static str {
                match self { $(Self::$action => $name,)* }
            }
        }
    };
}

actions! {
    Approve = "approve",
    Reject = "reject",
    Skip = "skip",
    Open = "open",
    Back = "back",
    Quit = "quit",
    QuitNow = "quit-now",
    Help = "help",
    Redraw = "redraw",
    Suspend = "suspend",
    Up = "up",
    Down = "down",
    Left = "left",
    Right = "right",
    PageUp = "page-up",
    PageDown = "page-down",
    HalfPageUp = "half-page-up",
    HalfPageDown = "half-page-down",
    Top = "top",
    Bottom = "bottom",
    NextPane = "next-pane",
    PreviousPane = "previous-pane",
    PaneServers = "pane-servers",
    PaneItems = "pane-items",
    PaneChange = "pane-change",
    NextServer = "next-server",
    PreviousServer = "previous-server",
    NextUndecided = "next-undecided",
    PreviousUndecided = "previous-undecided",
    NextChange = "next-change",
    PreviousChange = "previous-change",
    MoreContext = "more-context",
    LessContext = "less-context",
    SideBySide = "side-by-side",
    Wrap = "wrap",
    Json = "json",
    Filter = "filter",
    Sort = "sort",
    SortReverse = "sort-reverse",
    Poll = "poll",
    RecordBaseline = "record-baseline",
    RecordSnapshot = "record-snapshot",
    Events = "events",
    Digests = "digests",
    Home = "home",
    Undo = "undo",
    Mark = "mark",
    ApproveMarked = "approve-marked",
    RejectMarked = "reject-marked",
    Details = "details",
    Restart = "restart",
    Pause = "pause",
    AskConsent = "ask-consent",
    Freeze = "freeze",
    Mouse = "mouse",
    Copy = "copy",
    ReadOutside = "read-outside",
    Snapshots = "snapshots",
    History = "history",
    Search = "search",
    Confirm = "confirm",
    Cancel = "cancel",
    Note = "note",
    Vary = "vary",
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Where a key counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Context {
    /// Wherever no text is typed.
    Everywhere,
    /// Wherever something moves or scrolls.
    Moving,
    /// What needs the person, over all servers.
    Home,
    /// Servers and their items.
    Servers,
    /// One change, full screen.
    Change,
    /// The digests of one item.
    Digests,
    /// Everything known of one server.
    Details,
    /// What was recorded of a server, or the versions of one item.
    Versions,
    /// Two versions compared.
    Compared,
    /// The search.
    Search,
    /// The event log.
    Events,
    /// The help.
    Help,
    /// A dialog with buttons.
    Dialog,
    /// A menu.
    Menu,
}

impl Context {
    /// Every context.
    pub const ALL: [Self; 14] = [
        Self::Home,
        Self::Servers,
        Self::Change,
        Self::Digests,
        Self::Details,
        Self::Versions,
        Self::Compared,
        Self::Search,
        Self::Events,
        Self::Help,
        Self::Dialog,
        Self::Menu,
        Self::Moving,
        Self::Everywhere,
    ];

    /// The heading of its keys.
    pub fn word(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::Moving => "moving",
            Self::Home => "home",
            Self::Servers => "servers",
            Self::Change => "change",
            Self::Digests => "digests",
            Self::Details => "server details",
            Self::Versions => "versions",
            Self::Compared => "comparison",
            Self::Search => "search",
            Self::Events => "events",
            Self::Help => "help",
            Self::Dialog => "dialog",
            Self::Menu => "menu",
        }
    }

    /// Whether a key of `self` and a key of `other` can be live at once.
    pub fn meets(self, other: Self) -> bool {
        let wide = |context| matches!(context, Self::Everywhere | Self::Moving);
        self == other || wide(self) || wide(other)
    }
}
