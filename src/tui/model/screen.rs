//! What fills the terminal.

/// A screen. The model keeps a stack of them: the last one is shown, and what it was opened over comes back after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// What needs the person, over all servers. Always the lowest of the stack.
    Home,
    /// Servers, the items of the selected one, and the change of the selected item.
    Servers,
    /// One change.
    Change,
    /// Every digest of one item.
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
}

/// A part of the servers screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    /// The servers.
    #[default]
    Servers,
    /// The items of the selected server.
    Items,
    /// The change of the selected item.
    Change,
}

impl Pane {
    /// Every pane, in the order of tab.
    pub const ALL: [Self; 3] = [Self::Servers, Self::Items, Self::Change];
}
