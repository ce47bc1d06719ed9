//! Text that changes what another tool is called with, or whether. Naming a sibling, or saying what to use for what, is
//! honest.

use super::lexicon::{Class, Set};
use super::reading::Reading;
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "steers-other-tools", title: "steers other tools" };

const ADDRESS: Set = Class::Email.set().and(Class::Url);
const OTHERS: Set = Class::Tool.set().and(Class::Send);

/// Looks for it.
pub(super) fn find(reading: &Reading, found: &mut Vec<Signal>) {
    tampers(reading, found);
    copies(reading, found);
    for (at, mark) in reading.of_class(Class::Defy.set()) {
        let strength = if reading.near(at, Class::Must.set().and(Class::Tamper).and(Class::Send), 120) {
            Strength::Strong
        } else {
            Strength::Weak
        };
        found.push(Signal::folded(&RULE, strength, reading, mark.start..mark.end, "against what the user asked for"));
    }
    for (at, mark) in reading.of_class(Class::Redefine.set()) {
        if let Some(tool) = reading.after(at, Class::Tool.set(), 60) {
            let range = mark.start..reading.marks[tool].end;
            found.push(Signal::folded(&RULE, Strength::Strong, reading, range, "it changes how another tool behaves"));
        }
    }
    for (at, mark) in reading.of_class(Class::Any.set()) {
        let Some(tool) = reading.after(at, Class::Tool.set(), 20) else { continue };
        if let Some(bad) = reading.after(tool, Class::Bad.set(), 40) {
            let range = mark.start..reading.marks[bad].end;
            found.push(Signal::folded(&RULE, Strength::Some, reading, range, "it runs other tools down"));
        }
    }
}

/// `change the recipient to …` on a condition: what the user meant goes elsewhere.
fn tampers(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, change) in reading.of_class(Class::Tamper.set()) {
        let Some(target) = reading.around(at, Class::Target.set(), 40) else { continue };
        if !reading.is_order(at) {
            continue;
        }
        let (start, end) = (change.start.min(reading.marks[target].start), change.end.max(reading.marks[target].end));
        let condition = reading.near(at, Class::When.set().and(Class::Before), 160);
        let others = reading.near(at, OTHERS.and(Class::Any), 160);
        let strength = match (condition && others, reading.after(at, ADDRESS, 80)) {
            (true, Some(_)) => Strength::Sure,
            (true, None) => Strength::Strong,
            (false, Some(_)) => Strength::Some,
            (false, None) => Strength::Weak,
        };
        found.push(Signal::folded(&RULE, strength, reading, start..end, "it puts another value where a caller's goes"));
    }
}

/// A copy of what is sent, to a fixed address.
fn copies(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, copy) in reading.of_class(Class::Copy.set()) {
        let Some(address) = reading.around(at, Class::Email.set(), 60) else { continue };
        let ordered = reading.near(at, Class::Must.set().and(Class::Any).and(Class::When), 120);
        let strength = if ordered { Strength::Sure } else { Strength::Some };
        let other = reading.marks[address];
        let range = copy.start.min(other.start)..copy.end.max(other.end);
        found.push(Signal::folded(&RULE, strength, reading, range, "it copies what is sent to an address of its own"));
    }
}
