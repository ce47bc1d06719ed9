//! The examples of a rule, which are its tests: the embedded rules' own in ours, a user's by `pinwatch rules test`.

use super::known::{Around, KnownHere};
use super::reading::{Opening, Reading};
use super::rule::Rule;
use super::severity::Severity;

/// An example that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Example {
    pub says: String,
    /// Whether it is one in which the pattern is to be found.
    pub poisoned: bool,
    pub text: String,
}

/// How many examples a rule has, and those that do not hold: a poisoned one in which it finds less than the pattern's
/// severity, an honest one in which it finds as much. They are read with nothing known around them.
pub fn examples(rule: &Rule) -> (usize, Vec<Example>) {
    let mut count = 0;
    let mut failed = Vec::new();
    for pattern in &rule.patterns {
        let poisoned = pattern.poisoned.iter().map(|text| (text, true));
        for (text, poisoned) in poisoned.chain(pattern.honest.iter().map(|text| (text, false))) {
            count += 1;
            if (worst(rule, text) >= Some(pattern.severity)) != poisoned {
                failed.push(Example { says: pattern.says.clone(), poisoned, text: text.clone() });
            }
        }
    }
    (count, failed)
}

fn worst(rule: &Rule, text: &str) -> Option<Severity> {
    let around = Around::default();
    let reading = Reading::of(text, Opening::Orders, &KnownHere::nothing(&around));
    let sentences: Vec<_> = reading.sentences().collect();
    let next = |at: usize| sentences.get(at + 1).copied().filter(|next| reading.follows(sentences[at], next));
    let found = (0..sentences.len()).filter_map(|at| rule.worst(&reading, sentences[at], next(at).unwrap_or_default()));
    found.map(|(pattern, _)| pattern.severity).max()
}
