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

static PAIRS: [Pair; 3] = [
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
        for name in self.marks.iter().filter(|mark| mark.class == Class::Identifier) {
            let words = self.between(name.start, name.end).replace('_', " ");
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
