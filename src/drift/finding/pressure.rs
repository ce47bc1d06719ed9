//! Authority and urgency. Honest text is full of both, so that it only weighs beside something else.

use super::lexicon::Class;
use super::reading::Reading;
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "presses", title: "presses the reader" };

/// Looks for it.
pub(super) fn find(reading: &Reading, found: &mut Vec<Signal>) {
    for (_, mark) in reading.of_class(Class::Pressure.set()) {
        let range = mark.start..mark.end;
        found.push(Signal::folded(&RULE, Strength::Weak, reading, range, "claims urgency or authority"));
    }
}
