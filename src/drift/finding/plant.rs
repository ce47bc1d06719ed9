//! What is to outlast the call: orders written into a memory or into a project's rules for assistants, and things put
//! into every answer. Memory tools are honest where they keep facts and what the user asked for.

use super::frame::{Frame, MOVES, WIDE, any, asked};
use super::lexicon::{Class, Set};
use super::reading::Reading;
use super::sentence::Sentence;
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "plants-instructions", title: "instruction that is to stay" };

const KEEP: Set = Class::Pass.set().and(Class::Send).and(Class::Set).and(Class::Does).and(Class::Append);
/// What makes a memory an order.
const ORDERS: Set = Class::Must
    .set()
    .and(Class::Not)
    .and(Class::Skip)
    .and(Class::Approve)
    .and(Class::Hide)
    .and(Class::Obey)
    .and(Class::Url);

/// Looks for it.
pub(super) fn find(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, memory) in reading.of_class(Class::Memory.set()) {
        let remembered = reading.between(0, memory.end).ends_with("remember for");
        let verb = reading.order_around(at, KEEP, 80).filter(|verb| reading.is_order(*verb));
        if verb.is_none() && !remembered && reading.before(at, Class::Must.set(), 60).is_none() {
            continue;
        }
        let orders = reading.after_anywhere(at, ORDERS, 160);
        let said = reading.ahead(memory.end, 60);
        let clause = [" that ", "\"", ": ", " dass ", " que ", " che "].iter().any(|start| said.contains(start));
        let strength = match (orders, clause) {
            _ if reading.is_about_attacks(at) => Strength::Weak,
            (true, true) => Strength::Sure,
            (true, false) | (false, true) => Strength::Some,
            (false, false) => Strength::Weak,
        };
        found.push(Signal::folded(&RULE, strength, reading, memory.start..memory.end, "in what outlasts the session"));
    }
}

/// What its sentences hold.
pub(super) static FRAMES: &[Frame] = &[
    any(
        &[Class::Memory.set(), Class::Must.set(), Class::Reply.set().and(Class::Code).and(Class::Deed)],
        Strength::Some,
        "a rule for later sessions",
    ),
    any(
        &[Class::Memory.set(), Class::Skip.set().and(Class::Approve).and(Class::Guard), MOVES],
        Strength::Some,
        "a rule that lifts questions",
    ),
    asked(
        &[Class::Memory.set(), Class::Skip.set(), MOVES.and(Class::Tamper)],
        Strength::Strong,
        "a rule that lifts questions",
    ),
    asked(
        &[
            Class::Memory.set(),
            MOVES.and(Class::Call),
            Class::Instrument.set().and(Class::OtherTool).and(Class::Call),
            WIDE.and(Class::When),
        ],
        Strength::Strong,
        "a rule for later sessions",
    ),
];

/// How a sentence with such a frame is judged: what the user dictates is theirs.
pub(super) fn judge(sentence: &Sentence, frame: &Frame) -> Strength {
    if sentence.roles.meets(Class::User.set()) { Strength::Some } else { frame.strength }
}
