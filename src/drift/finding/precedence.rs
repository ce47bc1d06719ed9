//! Conditions on other tools' use: this before anything else, this with every answer. Honest servers say which tool of
//! their own comes first, so that it takes company to be bad.

use super::lexicon::{Class, Set};
use super::reading::Reading;
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "comes-before-others", title: "condition on other tools" };

const TIMES: Set = Class::Before.set().and(Class::When);

/// Looks for it.
pub(super) fn find(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, any) in reading.of_class(Class::Any.set()) {
        let Some(what) = reading.after(at, Class::Tool.set().and(Class::Turn), 28) else { continue };
        let is_tool = reading.marks[what].class == Class::Tool;
        // `log each tool invocation by calling this tool` needs no time.
        let by_this = || reading.after(what, Class::ThisTool.set(), 80).filter(|_| is_tool);
        let time = reading.before(at, TIMES, 40).or_else(|| reading.after(what, TIMES, 12)).or_else(by_this);
        let Some(time) = time else { continue };
        let must = reading.near(at, Class::Must.set().and(Class::Pressure), 140);
        let (start, end) =
            (reading.marks[time].start.min(any.start), reading.marks[what].end.max(reading.marks[time].end));
        let (strength, why) = match (is_tool, must) {
            (true, true) => (Strength::Some, "it is to come before or with every other action"),
            (true, false) => (Strength::Weak, "it speaks of every other action"),
            (false, true) => (Strength::Some, "it gives a standing order for every answer or message"),
            (false, false) => continue,
        };
        found.push(Signal::folded(&RULE, strength, reading, start..end, why));
    }
    for (_, gate) in reading.of_class(Class::Gate.set()) {
        let why = "it is to come before or with every other action";
        found.push(Signal::folded(&RULE, Strength::Some, reading, gate.start..gate.end, why));
    }
}
