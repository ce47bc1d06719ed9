//! Everything a person can do, by the name that the config uses, and where it can be done.

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// What a key can do. The name in the config is that of the variant in kebab case.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
#[expect(missing_docs, reason = "each is said in a line of the key table")]
pub enum Action {
    Approve,
    Reject,
    Skip,
    Open,
    Back,
    Quit,
    QuitNow,
    Help,
    Redraw,
    Suspend,
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    HalfPageUp,
    HalfPageDown,
    Top,
    Bottom,
    NextPane,
    PreviousPane,
    PaneServers,
    PaneItems,
    PaneChange,
    NextServer,
    PreviousServer,
    NextUndecided,
    PreviousUndecided,
    NextChange,
    PreviousChange,
    MoreContext,
    LessContext,
    SideBySide,
    Wrap,
    Json,
    Filter,
    Sort,
    SortReverse,
    Poll,
    RecordBaseline,
    RecordSnapshot,
    Events,
    Digests,
    Home,
    Undo,
    Mark,
    ApproveMarked,
    RejectMarked,
    Details,
    Restart,
    Pause,
    AskConsent,
    LookAs,
    Freeze,
    Mouse,
    Copy,
    ReadOutside,
    Snapshots,
    History,
    Search,
    Confirm,
    Cancel,
    Note,
    Vary,
}

impl Action {
    /// Every action.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in the config.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Where a key counts. Its word heads its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
#[expect(missing_docs, reason = "some are what they are called")]
pub enum Context {
    /// What needs the person, over all servers.
    Home,
    /// Servers, the items of the selected one, and the change of the selected item.
    Servers,
    /// One change, full screen.
    Change,
    /// The digests of one item.
    Digests,
    /// Everything known of one server.
    #[strum(serialize = "server details")]
    Details,
    /// What was recorded of a server, or the versions of one item.
    Versions,
    #[strum(serialize = "comparison")]
    Compared,
    Search,
    Events,
    Help,
    /// A dialog with buttons.
    Dialog,
    Menu,
    /// Wherever something moves or scrolls.
    Moving,
    /// Wherever no text is typed.
    Everywhere,
}

impl Context {
    /// Every context.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The heading of its keys.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Whether a key of `self` and a key of `other` can be live at once.
    pub fn meets(self, other: Self) -> bool {
        let wide = |context| matches!(context, Self::Everywhere | Self::Moving);
        self == other || wide(self) || wide(other)
    }
}
