//! Guards before the entries of a file, and away from before them again.

use super::{EntryAt, EntryOutcome, Guarding, Listener, Outcome, Wanted};
use crate::config::clients::Found;
use crate::config::entry::{Entry, NoLaunch, Written};
use crate::config::guarded::behind_guard;

impl Guarding {
    /// Puts `program` as a guard of the root before each entry that is wanted; before one with a URL the guard that listens.
    pub fn wrap(
        &mut self,
        (program, root): (&str, &str),
        listener: Option<&Listener>,
        wanted: impl Fn(EntryAt<'_>) -> Wanted,
    ) {
        for at in 0..self.read.entries.len() {
            let (name, line) = (self.read.entries[at].entry.id.clone(), self.lines[at]);
            let project = self.read.entries[at].project.as_deref();
            let outcome = match wanted(EntryAt { name: &name, line, project }) {
                Wanted::Nothing => continue,
                Wanted::Aside(why) => Outcome::Aside(why),
                Wanted::Leave(why) => Outcome::Left(why),
                Wanted::Guard(id) => {
                    let words = [program, "guard", &id, "--root", root, "--"].map(str::to_owned);
                    self.wrap_one(at, &words, listener)
                }
            };
            self.outcomes.push(EntryOutcome { name, line, outcome });
        }
    }

    fn wrap_one(&mut self, at: usize, words: &[String], listener: Option<&Listener>) -> Outcome {
        let Found { entry, spots, .. } = &self.read.entries[at];
        let (command, args) = match &entry.written {
            _ if behind_guard(entry.clone()).1 => return Outcome::Already,
            Ok(Written::Stdio { .. }) if listener.is_some() => {
                return Outcome::Left("a command starts it: its guard needs no --listen".to_owned());
            }
            Ok(Written::Stdio { command, args, .. }) => (command, args),
            Ok(Written::Http { .. }) => {
                let none = "it is reached over HTTP: name it, and say where its guard listens, --listen 127.0.0.1:PORT";
                return listener.map_or_else(|| Outcome::Left(none.to_owned()), |listener| self.redirect(at, listener));
            }
            Err(NoLaunch::Inside) => {
                return Outcome::Left("its client runs it inside itself, so nothing can stand before it".to_owned());
            }
            Err(NoLaunch::Wrong(why)) => return Outcome::Left(why.clone()),
        };
        let own = std::iter::once(command).chain(args).map(|word| word.shown.clone());
        let by_hand = Outcome::ByHand(words.iter().cloned().chain(own).collect());
        let Some((edits, added)) = self.source().wrap(spots, words) else { return by_hand };
        let fits = |before: &Entry, after: &Entry| {
            let Ok(Written::Stdio { command, args, .. }) = &after.written else { return false };
            // A word that the client would take for a variable is another one by then.
            let said = std::iter::once(command).chain(args).zip(words);
            let is_said = said.filter(|(text, word)| text.shown == **word && text.variables().is_empty()).count();
            let (behind, is_guarded) = behind_guard(after.clone());
            is_guarded && is_said == words.len() && behind.written == before.written
        };
        if !self.rewrite(at, edits, fits) {
            return by_hand;
        }
        self.added.extend(added);
        Outcome::Done
    }

    /// Takes the guards away from before the entries that are wanted, by name. `added` are the texts of lists of arguments
    /// and of headers that came with them.
    pub fn unwrap(&mut self, added: &[String], wanted: impl Fn(&str) -> bool) {
        for at in 0..self.read.entries.len() {
            let entry = &self.read.entries[at].entry;
            let (name, line) = (entry.id.clone(), self.lines[at]);
            let (behind, is_guarded) = behind_guard(entry.clone());
            if !is_guarded || !wanted(&name) {
                continue;
            }
            let outcome = self.unwrap_one(at, &behind, added);
            self.outcomes.push(EntryOutcome { name, line, outcome });
        }
    }

    fn unwrap_one(&mut self, at: usize, behind: &Entry, added: &[String]) -> Outcome {
        let Found { entry, spots, .. } = &self.read.entries[at];
        let edits = match &entry.written {
            Ok(Written::Stdio { args, .. }) => {
                let many = args.iter().position(|word| word.shown == "--").map_or(0, |at| at + 1);
                self.source().unwrap(spots, many, added)
            }
            Ok(Written::Http { .. }) => self.source().direct(spots, added),
            Err(_) => None,
        };
        let Some(edits) = edits else { return Outcome::ByHand(Vec::new()) };
        let fits = |_: &Entry, after: &Entry| after.written == behind.written;
        if self.rewrite(at, edits, fits) { Outcome::Done } else { Outcome::ByHand(Vec::new()) }
    }
}
