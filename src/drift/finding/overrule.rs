//! Orders to drop other instructions, or to take another role. A security tool quotes such orders; it is known by
//! speaking of attacks in the same sentence.

use super::lexicon::Class;
use super::reading::Reading;
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "overrules-instructions", title: "instruction to the model" };

/// Looks for it.
pub(super) fn find(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, ignore) in reading.of_class(Class::Ignore.set()) {
        let Some(rules) = reading.around(at, Class::Instruction.set(), 48) else { continue };
        let orders = reading.marks[rules];
        let (start, end) = (ignore.start.min(orders.start), ignore.end.max(orders.end));
        let words = reading.between(start, end);
        // `.gitignore rules`, `ignore rules`, `override prompts`: a noun beside a noun.
        let apart = words.split_whitespace().count() > 2 || !words.is_ascii();
        let prior =
            reading.around(at, Class::Prior.set(), 32).or_else(|| reading.before(rules, Class::Prior.set(), 24));
        let not = reading.before(at, Class::Not.set(), 16).is_some();
        let strength = match (prior, not) {
            (_, true) => continue,
            (Some(_), false) if apart && reading.is_about_attacks(at) => Strength::Weak,
            (Some(prior), false) if apart && prior != rules => Strength::Sure,
            _ => Strength::Weak,
        };
        found.push(Signal::folded(&RULE, strength, reading, start..end, "to drop the instructions it has"));
    }
    for (at, role) in reading.of_class(Class::NewRole.set()) {
        let twice = reading.near(at, Class::NewRole.set(), 120);
        let strength = match (reading.is_about_attacks(at), twice) {
            (true, _) => Strength::Weak,
            (false, true) => Strength::Sure,
            (false, false) => Strength::Strong,
        };
        found.push(Signal::folded(&RULE, strength, reading, role.start..role.end, "to take another role"));
    }
}
