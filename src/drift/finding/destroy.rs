//! Something is to be deleted or switched off by way of another tool. What a tool itself deletes, and which tool deletes
//! what, is honest.

use super::frame::{Frame, WIDE, any, asked, hint};
use super::lexicon::{Class, Set};
use super::sentence::Sentence;
use super::signal::{Rule, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "orders-destruction", title: "orders destruction" };

const BY: Set = Class::Instrument.set().and(Class::OtherTool);
const TIMES: Set = WIDE.and(Class::Before).and(Class::When).and(Class::Also);

/// Why a frame has another tool run that nobody called.
const RUNS: &str = "by another tool, which runs by itself";

/// What its sentences hold.
pub(super) static FRAMES: &[Frame] = &[
    asked(
        &[
            Class::Instrument.set(),
            Class::Any.set().and(Class::Whole),
            Class::Call.set(),
            Class::Also.set().and(Class::Before).and(Class::When).and(Class::Skip),
        ],
        Strength::Sure,
        "of all that there is, by another tool",
    ),
    // `The assistant uses delete_branch on all branches`.
    any(
        &[Class::Instrument.set(), Class::Any.set(), Class::Agent.set(), Class::Call.set()],
        Strength::Sure,
        "of all that there is, by another tool",
    ),
    any(&[Class::Instrument.set(), Class::Call.set(), TIMES], Strength::Strong, RUNS),
    hint(&[Class::Destroy.set(), Class::Guard.set().and(Class::Anyway), TIMES], "something is destroyed"),
    any(&[Class::Destroy.set(), Class::Agent.set(), TIMES], Strength::Some, "by the model"),
    any(&[Class::Instrument.set(), Class::Agent.set()], Strength::Strong, "by the model, by another tool"),
    asked(&[Class::Destroy.set(), Class::OtherTool.set()], Strength::Strong, "by a tool for something else"),
    any(&[Class::Destroy.set(), BY, Class::Guard.set()], Strength::Sure, "of what keeps from harm, by another tool"),
    asked(
        &[Class::Destroy.set(), BY, Class::Any.set(), Class::Before.set().and(Class::When).and(Class::Also)],
        Strength::Sure,
        "of all that there is, by another tool",
    ),
    any(&[Class::Destroy.set(), BY, TIMES], Strength::Strong, "by another tool, beside what the user asked for"),
    asked(&[Class::Destroy.set(), Class::Guard.set(), TIMES], Strength::Some, "of what keeps from harm"),
];

/// How a sentence with such a frame is judged.
pub(super) fn judge(sentence: &Sentence, frame: &Frame) -> Strength {
    let by_name = frame.needs[0] == Class::Instrument.set();
    let unmakes = sentence.words_of(Class::Instrument).any(|name| has_word(name, &UNMAKES));
    match frame.strength {
        _ if sentence.is_on_request() => Strength::Weak,
        _ if by_name && !unmakes => Strength::Weak,
        // `Call delete_note when …` says what to call it for.
        _ if frame.why == RUNS && sentence.is_asked() => Strength::Weak,
        strength if by_name => strength,
        // `Always ask before you delete anything` is spoken of.
        _ if !destroys(sentence) => Strength::Weak,
        Strength::Hint => Strength::Hint,
        // A tool for something else, beside what was asked for.
        Strength::Strong if !unmakes && sentence.is_asked() => Strength::Sure,
        strength => strength,
    }
}

/// Whether something in it is destroyed, and not only spoken of: `to remove a branch, use delete_branch` says which tool
/// does what, `a cleared flag` what is.
fn destroys(sentence: &Sentence) -> bool {
    let reading = sentence.reading;
    // `Ist zu entfernen` is an order, `um zu entfernen` is none.
    let purpose = sentence.text.contains("um ");
    let mut marks = sentence.marks.clone().filter(|at| reading.marks[*at].class == Class::Destroy);
    marks.any(|at| {
        let mark = &reading.marks[at];
        let by = reading.after(at, BY, 120).or_else(|| reading.before(at, BY, 120)).map(|by| reading.marks[by]);
        // `Overwritten; make a backup with create_backup`: another clause, and a tool that makes something.
        let apart = by.is_some_and(|by| {
            reading.between(mark.end, by.start).contains(';') || has_word(reading.between(by.start, by.end), &MAKES)
        });
        let verb = reading.between(mark.start, mark.end);
        let spaceless = !verb.is_ascii();
        // `Stop.`, `and stop when there is none`: nothing is stopped but the model itself. `Stop other tool calls` is no tool.
        let next = reading.ahead(mark.end, 8);
        let alone = matches!(verb, "stop" | "stops" | "close" | "clear" | "reset")
            && (next.is_empty()
                || next.starts_with(['.', ',', ';', ')', '!'])
                || INTRANSITIVE.iter().any(|word| next.starts_with(word)));
        let calls = by.is_some_and(|by| by.start > mark.end && reading.ahead(by.end, 6).starts_with(" call"));
        // `When a chunk is cut off`, `it can be rolled back`, `covers deleting`: what may be, and what something is for.
        let condition = reading.before(at, Class::When.set(), 32).is_some_and(|when| {
            let agent = reading.after(when, Class::Agent.set(), 32).is_some_and(|agent| agent < at);
            !agent && !reading.between(reading.marks[when].end, mark.start).contains([',', ';'])
        });
        let possible = ["can be ", "could be ", "cannot be ", "cannot ", "can't be "]
            .iter()
            .any(|may| reading.behind(mark.start, 10).ends_with(may));
        let named = reading.beside(at).any(|other| {
            matches!(other.class, Class::Identifier | Class::Slot | Class::Path)
                && other.start <= mark.start
                && mark.end <= other.end
        });
        if alone || calls || condition || possible || named || verb.ends_with("ing") {
            return false;
        }
        let word = reading.word_before(mark.start);
        let passive = PASSIVE.contains(&word) && reading.around(at, BY.and(Class::Agent), 80).is_some();
        // `Is expected to wipe it`.
        let expects = reading.before(at, Class::Suggest.set().and(Class::Must), 2).map(|due| reading.marks[due]);
        let expected = expects.is_some_and(|due| reading.between(due.start, due.end).ends_with(" to"));
        let due = word == "zu" && !purpose;
        // `Use the shell tool to switch it off`: a tool for anything.
        let lent = word == "to" && reading.before(at, Class::OtherTool.set(), 24).is_some();
        // `Have the pager tool silence it`: the object of an order does it.
        let made = sentence.is_asked() && matches!(word, "tool" | "connector" | "plugin" | "integration");
        !apart
            && (made
                || spaceless
                || passive
                || lent
                || due
                || ((!SPOKEN.contains(&word) || expected) && reading.is_order(at)))
    })
}

/// What follows a verb without an object.
const INTRANSITIVE: [&str; 9] = [" when", " if ", " and ", " at ", " after", " once", " as soon", " here", " there"];

fn has_word(name: &str, list: &[&str]) -> bool {
    name.split('_').any(|word| list.contains(&word))
}

/// Words of tools that make or show something.
const MAKES: [&str; 16] = [
    "restore", "undo", "create", "add", "make", "list", "get", "count", "backup", "export", "save", "read", "find",
    "search", "show", "start",
];
/// Words of tools that destroy something.
const UNMAKES: [&str; 22] = [
    "rm",
    "unlink",
    "delete",
    "drop",
    "remove",
    "wipe",
    "purge",
    "kill",
    "destroy",
    "reset",
    "truncate",
    "cancel",
    "disable",
    "deactivate",
    "revoke",
    "stop",
    "close",
    "clear",
    "erase",
    "archive",
    "terminate",
    "uninstall",
];

/// What comes before a participle that says what happens.
const PASSIVE: [&str; 6] = ["is", "are", "be", "gets", "get", "being"];
/// What comes before a verb that is no order.
const SPOKEN: [&str; 12] =
    ["to", "zum", "zu", "pour", "para", "per", "before", "after", "when", "while", "if", "already"];
