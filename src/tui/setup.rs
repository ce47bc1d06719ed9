//! What the UI starts with. Data alone.

use super::glyph::Glyphs;
use super::keymap::Keymap;
use super::theme::Theme;
use crate::desktop::Clipboard;
use crate::monitor::ServerLook;
use jiff::{Timestamp, tz::TimeZone};

/// What of the screen the config turns on and off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// Whether the mouse is taken.
    pub mouse: bool,
    /// Whether a new critical drift rings the bell.
    pub bell: bool,
    /// Whether what is critical stands in the window's title.
    pub title: bool,
}

/// What the UI starts with.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the rest is what it is called")]
pub struct Setup {
    /// Whether the servers are the demo's own.
    pub demo: bool,
    pub theme: Theme,
    pub keymap: Keymap,
    pub glyphs: Glyphs,
    pub zone: TimeZone,
    /// The time at the start.
    pub now: Timestamp,
    /// Every configured server in its first state, in the order to be shown.
    pub servers: Vec<ServerLook>,
    pub switches: Switches,
    pub clipboard: Clipboard,
    /// The person's editor, else their pager, with its arguments.
    pub reader: Vec<String>,
    /// Where servers were looked for, one line each: shown where none was found.
    pub searched: Vec<String>,
}
