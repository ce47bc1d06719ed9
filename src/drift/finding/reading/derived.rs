//! Things that a text names by what they are for: two words of different classes that stand together say what one name
//! would. So a source is known without its name, and a few words make many phrases.

use super::super::lexicon::{self, Class, Mark, Set};
use super::Reading;

/// Two classes that stand together, and what they are then.
struct Pair {
    head: Set,
    /// Behind the head, unless `around`.
    with: Set,
    around: bool,
    /// Bytes between them.
    reach: usize,
    /// What has to stand near, too; nothing if empty.
    near: Set,
    makes: Class,
}

static PAIRS: [Pair; 4] = [
    // `Other palette tools`.
    Pair {
        head: Class::Other.set(),
        with: Class::Tool.set().and(Class::Maker),
        around: false,
        reach: 20,
        near: Set::NONE,
        makes: Class::OtherTool,
    },
    // `Whatever was discussed with the person`.
    Pair {
        head: Class::Which.set(),
        with: Class::Said.set(),
        around: false,
        reach: 32,
        near: Class::User.set().and(Class::Session),
        makes: Class::Context,
    },
    // `The place where keys are kept`.
    Pair {
        head: Class::Holder.set(),
        with: Class::Access.set().and(Class::Secret),
        around: true,
        reach: 40,
        near: Set::NONE,
        makes: Class::Trove,
    },
    // `Instead of the one that the user mentioned`.
    Pair {
        head: Class::Prefer.set().and(Class::Defy),
        with: Class::Gave.set(),
        around: false,
        reach: 40,
        near: Class::User.set(),
        makes: Class::Given,
    },
];

/// What an identifier may name: sources. Acts are what tools are called by.
const NAMED: Set = Class::SecretFile.set().and(Class::Context);

impl Reading<'_> {
    /// Names with dots inside: `browser.cookies`.
    fn dotted(&self) -> Vec<Mark> {
        let mut found = Vec::new();
        for (at, _) in self.folded.match_indices('.') {
            let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
            // A name is short; a run of dots is none.
            let ahead = self.folded[at..].char_indices().take(60).find(|(_, c)| !inside(*c));
            let end = at + ahead.map_or(self.folded.len() - at, |(end, _)| end);
            let start =
                self.folded[..at].char_indices().rev().take(40).take_while(|(_, c)| inside(*c) && *c != '.').last();
            let Some((start, _)) = start.filter(|_| (3..60).contains(&(end - at))) else { continue };
            let sentence = self.ends.partition_point(|end| *end <= start);
            found.push(Mark { class: Class::Identifier, start, end, sentence });
        }
        found
    }

    /// Marks them.
    pub(super) fn derive(&mut self) {
        let mut found = Vec::new();
        for pair in &PAIRS {
            let heads = self.marks.iter().enumerate().filter(|(_, mark)| pair.head.has(mark.class));
            for (at, head) in heads {
                let with = self.after(at, pair.with, pair.reach);
                let with = with.or_else(|| self.before(at, pair.with, pair.reach).filter(|_| pair.around));
                let Some(with) = with.filter(|_| pair.near == Set::NONE || self.near(at, pair.near, 60)) else {
                    continue;
                };
                let other = self.marks[with];
                let (start, end) = (head.start.min(other.start), head.end.max(other.end));
                if !self.between(start, end).contains([';', ':', '(']) {
                    found.push(Mark { class: pair.makes, start, end, sentence: head.sentence });
                }
            }
        }
        for name in self.marks.iter().filter(|mark| mark.class == Class::Identifier).chain(&self.dotted()) {
            let words = self.between(name.start, name.end).replace(['_', '.'], " ");
            let sources = lexicon::words(&words).into_iter().filter(|mark| NAMED.has(mark.class));
            found.extend(sources.map(|mark| Mark {
                start: name.start + mark.start,
                end: name.start + mark.end,
                sentence: name.sentence,
                ..mark
            }));
        }
        if !found.is_empty() {
            self.marks.append(&mut found);
            self.marks.sort_by_key(|mark| (mark.start, mark.end));
        }
    }
}
