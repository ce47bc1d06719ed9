//! Which key does what. One table makes the keys, the hints, the help and the list of `pinwatch help keys`.

use super::action::{Action, Context};
use crate::text::did_you_mean;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// One key with its modifiers. Shift counts only where the character does not carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    ctrl: bool,
    alt: bool,
}

impl Key {
    /// Whether it counts while text is typed: with ctrl or alt it is no letter.
    pub fn is_chord(self) -> bool {
        self.ctrl || self.alt
    }
}

impl From<KeyEvent> for Key {
    fn from(event: KeyEvent) -> Self {
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        let shift = event.modifiers.contains(KeyModifiers::SHIFT);
        let code = match event.code {
            KeyCode::Char(c) if ctrl => KeyCode::Char(c.to_ascii_lowercase()),
            KeyCode::Tab if shift => KeyCode::BackTab,
            code => code,
        };
        Self { code, ctrl, alt: event.modifiers.contains(KeyModifiers::ALT) }
    }
}

/// Names of the keys that are no character.
const NAMED: [(&str, KeyCode); 15] = [
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("shift-tab", KeyCode::BackTab),
    ("space", KeyCode::Char(' ')),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
];

impl FromStr for Key {
    type Err = KeymapError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || KeymapError::UnknownKey(text.to_owned());
        let (mut rest, mut ctrl, mut alt) = (text, false, false);
        loop {
            if let Some(tail) = rest.strip_prefix("ctrl-") {
                (rest, ctrl) = (tail, true);
            } else if let Some(tail) = rest.strip_prefix("alt-") {
                (rest, alt) = (tail, true);
            } else {
                break;
            }
        }
        let mut letters = rest.chars();
        let code = match (letters.next(), letters.next()) {
            (Some(letter), None) if !letter.is_control() => KeyCode::Char(letter),
            (Some('f'), Some(_)) if rest[1..].parse::<u8>().is_ok_and(|n| (1..=12).contains(&n)) => {
                KeyCode::F(rest[1..].parse().map_err(|_| unknown())?)
            }
            _ => NAMED.iter().find(|(name, _)| *name == rest).map(|(_, code)| *code).ok_or_else(unknown)?,
        };
        Ok(Self { code, ctrl, alt })
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ctrl = if self.ctrl { "ctrl-" } else { "" };
        let alt = if self.alt { "alt-" } else { "" };
        let name = match (NAMED.iter().find(|(_, code)| *code == self.code), self.code) {
            (Some((name, _)), _) => (*name).to_owned(),
            (None, KeyCode::Char(letter)) => letter.to_string(),
            (None, KeyCode::F(number)) => format!("f{number}"),
            (None, other) => format!("{other:?}").to_lowercase(),
        };
        f.pad(&format!("{ctrl}{alt}{name}"))
    }
}

/// Why keys cannot be bound as asked.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeymapError {
    /// No key has this name.
    #[error("no key `{0}`; a character, ctrl- or alt- before it, or enter, esc, tab, f1, pgup, …")]
    UnknownKey(String),
    /// No action has this name, and what is like it.
    #[error("no action `{0}`{1}")]
    UnknownAction(String, String),
    /// Two actions on one key: each with its context.
    #[error("the key {0} is both `{1}` ({word}) and `{3}` ({other})", word = .2.word(), other = .4.word())]
    Conflict(String, Action, Context, Action, Context),
    /// An action that nobody could reach.
    #[error("`{0}` needs at least one key")]
    NoKey(&'static str),
}

/// One row of the key table.
#[derive(Clone, Debug)]
pub struct Binding {
    pub action: Action,
    pub context: Context,
    /// Its keys; the first is shown in hints.
    pub keys: Vec<Key>,
    /// What it does in one word, for the bottom bar; empty where it is never hinted at.
    pub hint: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
}

/// Contexts, action, default keys (separated by blanks), hint, help.
type Row = (&'static [Context], Action, &'static str, &'static str, &'static str);

/// In the order of the hints of each context.
#[cfg_attr(not(test), expect(clippy::enum_glob_use, reason = "each action has its keys here"))]
const TABLE: &[Row] = {
    use Action::*;
    use Context as In;
    const SCREENS: &[Context] = Context::ALL.split_at(9).0;
    const LISTS: &[Context] = &[In::Home, In::Servers];
    const ITEMS: &[Context] = &[In::Home, In::Servers, In::Change];
    const READ: &[Context] = &[In::Home, In::Servers, In::Change, In::Digests];
    const DIFFS: &[Context] = &[In::Home, In::Servers, In::Change, In::Compared];
    &[
        (&[In::Home], Open, "enter", "read", "read the change; of a server that waits, say what it needs"),
        (&[In::Servers], Open, "enter", "open", "open what is selected: the server's items, the group, the change"),
        (&[In::Versions], Open, "enter", "compare", "compare the two that are marked, else this one with the latest"),
        (&[In::Search, In::Events], Open, "enter", "go to", "go to the item"),
        (LISTS, RecordBaseline, "B", "record baseline", "first contact: list every item and record the baseline"),
        (
            ITEMS,
            Approve,
            "a",
            "approve",
            "approve what is served now; asks first, opens the change if you have not read it",
        ),
        (ITEMS, Reject, "r", "reject", "reject what is served now and keep the approved one; asks first"),
        (ITEMS, Skip, "s", "skip", "decide later; forgotten when pinwatch ends"),
        (LISTS, ApproveMarked, "A", "approve marked", "approve what is marked: lists it and asks for the count"),
        (LISTS, RejectMarked, "R", "reject marked", "reject what is marked: lists it and asks for the count"),
        (ITEMS, NextChange, "n", "next part", "next part of the change"),
        (&[In::Compared], NextChange, "n", "next item", "next item that differs"),
        (READ, NextUndecided, "N", "next", "next item that needs you, worst first over all servers"),
        (&[In::Home, In::Servers, In::Events, In::Help], Filter, "/", "filter", "narrow the list as you type"),
        (&[In::Search], Filter, "/", "search", "change what is searched for"),
        (&[In::Home], NextPane, "tab", "servers", "servers, with every item, its digest and its approval"),
        (&[In::Servers], NextPane, "tab", "next pane", "next pane; after the last one home"),
        (&[In::Versions], Mark, "space", "mark two", "mark one of two to be compared"),
        (ITEMS, Mark, "space", "", "mark the item for a decision on several, or take the mark off"),
        (ITEMS, Digests, "d", "digests", "every digest, approved and now, and how other systems rate the change"),
        (ITEMS, Undo, "u z", "", "undo the last decision of this session; asks first"),
        (LISTS, PreviousPane, "shift-tab", "", "previous pane"),
        (SCREENS, Home, "! 1", "", "home, at its worst: what needs you, over all servers"),
        (LISTS, PaneServers, "2", "", "servers"),
        (LISTS, PaneItems, "3", "", "items of the selected server"),
        (LISTS, PaneChange, "4", "", "change of the selected item"),
        (&[In::Servers], Left, "h left", "", "pane to the left"),
        (&[In::Servers], Right, "l right", "", "pane to the right"),
        (READ, PreviousUndecided, "P", "", "previous item that needs you"),
        (&[In::Servers, In::Details], NextServer, "]", "next", "next server"),
        (&[In::Servers, In::Details], PreviousServer, "[", "", "previous server"),
        (DIFFS, PreviousChange, "p", "", "previous part of the change"),
        (DIFFS, MoreContext, "}", "context", "more unchanged lines around a change"),
        (DIFFS, LessContext, "{", "", "fewer unchanged lines around a change"),
        (DIFFS, SideBySide, "v", "sides", "both versions side by side, from 110 columns on"),
        (DIFFS, Wrap, "w", "", "wrap long lines, or cut them and say how much"),
        (DIFFS, Json, "x", "raw", "open marks of hidden characters, then JSON, then text again"),
        (LISTS, Details, "i", "details", "the selected server: launch, limits, warnings; restart and pause it there"),
        (&[In::Details], Details, "i", "", "back"),
        (LISTS, Events, "e", "events", "the event log"),
        (&[In::Events], Events, "e", "", "back"),
        (LISTS, Snapshots, "b", "snapshots", "what was recorded of the server; compare any two"),
        (READ, Copy, "y", "copy", "copy the name, a digest, the definition or what is shown"),
        (
            READ,
            ReadOutside,
            "E",
            "",
            "read the change and both definitions in your editor or pager; edits change nothing",
        ),
        (ITEMS, History, "H", "", "every version of the item: when it was seen, who decided; compare any two"),
        (ITEMS, Search, "ctrl-f", "", "search in all definitions of all servers"),
        (&[In::Search], Search, "ctrl-f", "", "change what is searched for"),
        (&[In::Servers], Sort, "o", "", "sort the items by the next column"),
        (&[In::Servers], SortReverse, "O", "", "sort the other way round"),
        (&[In::Details], Poll, "ctrl-r", "look now", "look at the server now"),
        (ITEMS, Poll, "ctrl-r", "", "look at the selected server now"),
        (&[In::Home, In::Servers, In::Versions], RecordSnapshot, "S", "snapshot", "record what the server shows now"),
        (&[In::Details], Restart, "R", "restart", "end its session and start it again"),
        (&[In::Details], Pause, "p", "pause", "look at it no longer, or go on"),
        (&[In::Details], AskConsent, "c", "consent", "forget that you agreed, and ask before the next start"),
        (&[In::Details], LookAs, "v", "faces", "see what it shows to other clients; says first what that does"),
        (&[In::Dialog], Confirm, "y", "confirm", "do it; while a note is typed y is a letter"),
        (&[In::Dialog], Cancel, "n", "cancel", "do nothing"),
        (&[In::Dialog], Open, "enter", "", "cancel, where the focus is; with words typed it stays open"),
        (&[In::Dialog], Note, "tab", "note", "into the note and out of it"),
        (&[In::Dialog], Vary, "v", "", "approve and let values vary that differ from look to look, or not"),
        (&[In::Menu], Open, "enter", "choose", "take what is selected"),
        (&[In::Menu], Cancel, "n", "", "do nothing"),
        (&[In::Moving], Down, "j down", "", "down"),
        (&[In::Moving], Up, "k up", "", "up"),
        (&[In::Moving], HalfPageDown, "ctrl-d", "", "half a page down"),
        (&[In::Moving], HalfPageUp, "ctrl-u", "", "half a page up"),
        (&[In::Moving], PageDown, "pgdn", "", "a page down"),
        (&[In::Moving], PageUp, "pgup", "", "a page up"),
        (&[In::Moving], Top, "g home", "", "to the top"),
        (&[In::Moving], Bottom, "G end", "end", "to the end"),
        (&[In::Everywhere], Help, "? f1", "help", "keys of this screen"),
        (&[In::Everywhere], Back, "esc", "", "back; clears a filter first; never decides"),
        (&[In::Everywhere], Quit, "q", "quit", "back, and out of pinwatch from home"),
        (&[In::Everywhere], QuitNow, "ctrl-c", "", "out of pinwatch at once"),
        (&[In::Everywhere], Freeze, "f", "", "freeze the display, or show what came meanwhile"),
        (&[In::Everywhere], Mouse, "%", "", "mouse on or off; off, the terminal selects by itself"),
        (&[In::Everywhere], Redraw, "ctrl-l", "", "draw everything again"),
        (&[In::Everywhere], Suspend, "ctrl-z", "", "back to the shell for a while; `fg` returns"),
    ]
};

/// The keys in force.
#[derive(Clone, Debug)]
pub struct Keymap {
    bindings: Vec<Binding>,
}

impl Keymap {
    /// The default keys with some actions bound anew, by name. Every conflict names both actions.
    pub fn with(rebound: &BTreeMap<String, Vec<String>>) -> Result<Self, KeymapError> {
        let mut new: BTreeMap<Action, Vec<Key>> = BTreeMap::new();
        for (name, keys) in rebound {
            let unknown = |_| {
                KeymapError::UnknownAction(name.clone(), did_you_mean(name, Action::ALL.iter().map(|one| one.name())))
            };
            let action: Action = name.parse().map_err(unknown)?;
            let keys = keys.iter().map(|key| key.parse()).collect::<Result<Vec<_>, _>>()?;
            if keys.is_empty() {
                return Err(KeymapError::NoKey(action.name()));
            }
            new.insert(action, keys);
        }
        let mut bindings = Vec::new();
        for &(contexts, action, keys, hint, help) in TABLE {
            let default = || keys.split(' ').map(str::parse).collect::<Result<Vec<Key>, _>>();
            let keys = new.get(&action).cloned().map_or_else(default, Ok)?;
            bindings.extend(contexts.iter().map(|&context| Binding {
                action,
                context,
                keys: keys.clone(),
                hint,
                help,
            }));
        }
        let keymap = Self { bindings };
        keymap.conflict().map_or(Ok(keymap), Err)
    }

    fn conflict(&self) -> Option<KeymapError> {
        for (at, first) in self.bindings.iter().enumerate() {
            for second in &self.bindings[at + 1..] {
                let clash = first.keys.iter().find(|key| second.keys.contains(key));
                if let Some(key) = clash.filter(|_| first.context.meets(second.context)) {
                    let (action, context) = (second.action, second.context);
                    return Some(KeymapError::Conflict(key.to_string(), first.action, first.context, action, context));
                }
            }
        }
        None
    }

    /// What a key does where the contexts `live` count.
    pub fn action(&self, key: Key, live: &[Context]) -> Option<Action> {
        let found = |binding: &&Binding| live.contains(&binding.context) && binding.keys.contains(&key);
        self.bindings.iter().find(found).map(|binding| binding.action)
    }

    /// The rows of some contexts, in the order of the contexts.
    pub fn rows<'a>(&'a self, contexts: &'a [Context]) -> impl Iterator<Item = &'a Binding> {
        contexts.iter().flat_map(|context| self.bindings.iter().filter(move |binding| binding.context == *context))
    }

    /// The first key of an action in a context, as it is written.
    pub fn key(&self, action: Action, contexts: &[Context]) -> Option<String> {
        self.rows(contexts).find(|row| row.action == action).and_then(|row| row.keys.first()).map(Key::to_string)
    }
}

impl Default for Keymap {
    /// The default keys; a test holds that they do not conflict.
    fn default() -> Self {
        Self::with(&BTreeMap::new()).unwrap_or(Self { bindings: Vec::new() })
    }
}
