//! The commands that a report tells a person to run: each does what it says where it is pasted into a POSIX shell.

use crate::digest::surface_varying;
use crate::drift::{Drift, Group, varying_places};
use crate::surface::ItemId;
use crate::text::shell_word;

/// What a command needs to reach the server of a report again. Printable words of a shell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Again {
    /// Options of the run that made the report, each after a blank: ` --config ci.toml`.
    pub options: String,
    /// The launch of a server that is in no file, after a blank: ` -- npx -y server`, or ` --url URL`.
    pub typed: Option<String>,
}

impl Again {
    /// Records a server; `rest` is more of the command, after a blank.
    pub fn record(&self, server: &str, rest: &str) -> String {
        self.look("record", server, rest)
    }

    /// Lists what differs from a server's baseline.
    pub fn review(&self, server: &str) -> String {
        // `review` takes no server that is typed.
        self.look(if self.typed.is_some() { "check" } else { "review" }, server, "")
    }

    /// Shows a server's baseline.
    pub fn show(&self, server: &str) -> String {
        format!("pinwatch show {}{}", shell_word(server), self.options)
    }

    /// Accepts that a server is not watched.
    pub fn unwatch(&self, server: &str) -> String {
        format!("pinwatch unwatch {}{}", shell_word(server), self.options)
    }

    /// Drops a server's baseline.
    pub fn forget(&self, server: &str) -> String {
        format!("pinwatch forget {}{}", shell_word(server), self.options)
    }

    /// Gives a server's baseline to an id that the person fills in.
    pub fn rename(&self, server: &str) -> String {
        format!("pinwatch rename {} ID{}", shell_word(server), self.options)
    }

    fn look(&self, verb: &str, server: &str, rest: &str) -> String {
        let Self { options, typed } = self;
        let name = if typed.is_some() { "--name " } else { "" };
        let (server, typed) = (shell_word(server), typed.as_deref().unwrap_or_default());
        format!("pinwatch {verb} {name}{server}{rest}{options}{typed}")
    }

    /// Approves an item at a digest. Of one that is another one from look to look, it lets the values vary that do: its digest
    /// is that without them, since the next start shows others.
    pub fn approve(&self, server: &str, item: &ItemId, expect: &str, drift: Option<&Drift>) -> String {
        let word = shell_word(&item.text());
        let places = drift.map(varying_places).unwrap_or_default();
        match drift.and_then(|drift| drift.side.now.as_ref()).filter(|_| !places.is_empty()) {
            None => self.decide(server, &word, expect),
            Some(now) => {
                let digest = surface_varying(now.id.kind, &now.definition, &places);
                let varies = places.iter().map(|place| format!(" --varies {}", shell_word(place.as_str())));
                self.decide(server, &word, &format!("{digest}{}", varies.collect::<String>()))
            }
        }
    }

    /// Approves a group as it is now.
    pub fn approve_group(&self, server: &str, group: &Group) -> String {
        self.decide(server, &format!("--group {}", shell_word(&group.id)), &group.digest.to_string())
    }

    fn decide(&self, server: &str, what: &str, expect: &str) -> String {
        let (server, typed) = (shell_word(server), self.typed.as_deref().unwrap_or_default());
        format!("pinwatch approve {server} {what}{} --expect {expect}{typed}", self.options)
    }
}
