//! The revisions that are asked for, one after another, until a server takes one: the newest, then what its refusals name,
//! then what it spoke before, then the oldest. Pure: it asks nobody.

use super::reason::STRANGE_REVISION;
use crate::surface::Reason;

/// The revisions of the initialize era, newest first; we ask for the first.
pub(super) const INITIALIZE_REVISIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// The revision of the discover era.
pub(super) const DISCOVER_REVISION: &str = "2026-07-28";

/// What a text says of revisions: those of the initialize era that it names, newest first, and whether it is about
/// revisions at all.
pub(super) fn mentioned(text: &[u8]) -> (Vec<&'static str>, bool) {
    let holds = |text: &[u8], part: &str| memchr::memmem::find(text, part.as_bytes()).is_some();
    let named: Vec<_> = INITIALIZE_REVISIONS.into_iter().filter(|revision| holds(text, revision)).collect();
    let small = text.to_ascii_lowercase();
    let words = holds(&small, "version") && (holds(&small, "protocol") || holds(&small, "support"));
    let about = words || !named.is_empty() || holds(text, DISCOVER_REVISION);
    (named, about)
}

/// What was asked for so far, and what came of it. Bounded by the number of revisions and of starts.
#[derive(Debug)]
pub(super) struct Attempts {
    /// What to ask for first.
    first: &'static str,
    /// Whether nothing else is asked for.
    once: bool,
    /// What the server spoke when it was last seen.
    known: Option<&'static str>,
    named: Vec<&'static str>,
    /// What this process, or this endpoint, was asked for.
    asked: Vec<&'static str>,
    /// Whether a refusal was about revisions.
    about_revisions: bool,
    /// What was asked, and why it came to nothing.
    reasons: Vec<(&'static str, Reason)>,
}

impl Attempts {
    /// Nothing asked yet, of a server that spoke `known` before.
    pub fn new(known: Option<&str>) -> Self {
        let known = INITIALIZE_REVISIONS.into_iter().find(|revision| known == Some(*revision));
        Self {
            first: INITIALIZE_REVISIONS[0],
            once: false,
            known,
            named: Vec::new(),
            asked: Vec::new(),
            about_revisions: false,
            reasons: Vec::new(),
        }
    }

    /// One question, of a server that spoke `known` just now.
    pub fn once(known: &str) -> Self {
        let attempts = Self::new(Some(known));
        Self { first: attempts.known.unwrap_or(attempts.first), once: true, ..attempts }
    }

    /// What to ask for now; none where all that could help was asked for.
    pub fn next(&mut self) -> Option<&'static str> {
        let next = self.candidate()?;
        self.asked.push(next);
        Some(next)
    }

    fn candidate(&self) -> Option<&'static str> {
        let oldest = INITIALIZE_REVISIONS.last().copied();
        // The newest is what was asked for first of all.
        let named = INITIALIZE_REVISIONS.into_iter().skip(1).filter(|revision| self.named.contains(revision));
        let first = self.asked.is_empty().then_some(self.first);
        if self.once {
            return first;
        }
        first.into_iter().chain(named).chain(self.known).chain(oldest).find(|next| !self.asked.contains(next))
    }

    /// What was asked for last.
    pub fn last(&self) -> Option<&'static str> {
        self.asked.last().copied()
    }

    /// The question `what`, or the last revision where there is none, was refused with `words`, which are those of `reason`
    /// or more.
    pub fn refused(&mut self, what: Option<&'static str>, reason: Reason, words: &[u8]) {
        match what {
            Some(_) => self.name(words),
            None => self.hear(words),
        }
        let what = what.or(self.last()).unwrap_or_default();
        self.reasons.push((what, reason));
    }

    /// Takes in words with which a revision was refused, as far as can be told.
    pub fn hear(&mut self, words: &[u8]) {
        self.name(words);
        self.about_revisions |= mentioned(words).1;
    }

    /// Takes in words that may name revisions, and are about something else.
    pub fn name(&mut self, words: &[u8]) {
        self.named.extend(mentioned(words).0);
        self.named.sort_unstable();
        self.named.dedup();
    }

    /// Whether a revision was refused in such words.
    pub fn are_about_revisions(&self) -> bool {
        self.about_revisions
    }

    /// Whether the server spoke another revision before than the one that it was last asked for.
    pub fn knows_another(&self) -> bool {
        self.known.is_some_and(|known| !self.asked.contains(&known))
    }

    /// From now on another process is asked: first the newest, or, where that was refused, what is to come after it. None
    /// where that would be nothing new.
    #[must_use]
    pub fn start_again(&mut self, with_newest: bool) -> bool {
        if with_newest {
            self.first = INITIALIZE_REVISIONS[0];
        } else {
            // What is left, or what it named best: the process before may have been spoilt by its first refusal.
            let best = INITIALIZE_REVISIONS.into_iter().skip(1);
            let best = best.into_iter().find(|revision| self.named.contains(revision) || self.known == Some(revision));
            let Some(next) = self.candidate().or(best).or(INITIALIZE_REVISIONS.last().copied()) else { return false };
            self.first = next;
        }
        self.asked.clear();
        true
    }

    /// Why there is no session: the first refusal, and what other ones said otherwise.
    pub fn told(&self, last: Reason) -> Reason {
        let Some((_, first)) = self.reasons.first() else { return last };
        let mut told = first.clone();
        let mut texts = vec![first.text.as_str()];
        for (what, text) in self.reasons.iter().map(|(what, reason)| (*what, &reason.text)).chain([("", &last.text)]) {
            if !texts.contains(&text.as_str()) && texts.len() < 4 {
                texts.push(text);
                let asked = if what.is_empty() { "then".to_owned() } else { format!("asked for {what}") };
                told.text = format!("{}; {asked}: {text}", told.text);
            }
        }
        told
    }
}

/// The server speaks these revisions, and we do not.
pub(super) fn unsupported(spoken: &[String]) -> Reason {
    let spoken = if spoken.is_empty() { "a protocol revision it does not name".to_owned() } else { spoken.join(", ") };
    Reason::new(STRANGE_REVISION, format!("the server speaks {spoken}, which pinwatch does not know"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(known: Option<&str>, words: &[&str]) -> Vec<&'static str> {
        let mut attempts = Attempts::new(known);
        let mut words = words.iter();
        let mut asked = Vec::new();
        while let Some(next) = attempts.next() {
            asked.push(next);
            let words = words.next().copied().unwrap_or_default();
            attempts.refused(None, Reason::new("error-answer", words), words.as_bytes());
        }
        asked
    }

    #[test]
    fn named_revisions_are_tried_newest_first() {
        let (newest, june, march, oldest) = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");
        assert_eq!(asked(None, &[]), [newest, oldest]);
        assert_eq!(asked(None, &["no 2025-11-25; 2024-11-05, 2025-06-18"]), [newest, june, oldest]);
        assert_eq!(asked(None, &["", "try 2025-03-26"]), [newest, oldest, march]);
        assert_eq!(asked(Some("2025-06-18"), &[]), [newest, june, oldest]);
        assert_eq!(asked(Some("2025-06-18"), &["2025-03-26"]), [newest, march, june, oldest]);
        assert_eq!(asked(Some("2031-01-01"), &["2031-01-01, 2026-07-28"]), [newest, oldest]);
    }

    #[test]
    fn every_reason_is_told_once() {
        let mut attempts = Attempts::new(None);
        let reason = |text: &str| Reason::new("error-answer", text);
        assert_eq!(attempts.told(reason("gone")).text, "gone");
        for text in ["not 2025-11-25", "not 2024-11-05"] {
            attempts.next();
            attempts.refused(None, reason(text), b"");
        }
        assert_eq!(
            attempts.told(reason("not 2024-11-05")).text,
            "not 2025-11-25; asked for 2024-11-05: not 2024-11-05"
        );
    }

    #[test]
    fn words_about_revisions_are_known() {
        for text in ["Unsupported protocol version", "2025-06-18", "version not supported", "2026-07-28"] {
            assert!(mentioned(text.as_bytes()).1, "{text}");
        }
        for text in ["", "Unauthorized", "No module named mcp", "node version v22"] {
            assert!(!mentioned(text.as_bytes()).1, "{text}");
        }
    }
}
