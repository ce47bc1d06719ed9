//! Data is to be sent to an address that the text names. A link to documentation, and what the tool itself calls, are
//! honest.

use super::frame::{Frame, MOVES, WIDE, any, asked, hint};
use super::lexicon::{Class, Set};
use super::place::Place;
use super::reading::Reading;
use super::sentence::Sentence;
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "sends-data-out", title: "sends data out" };

const ADDRESS: Set = Class::Url.set().and(Class::Email);
const DATA: Set =
    Class::Content.set().and(Class::Context).and(Class::Secret).and(Class::SecretFile).and(Class::ConfigFile);

/// Looks for it.
pub(super) fn find(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, address) in reading.of_class(ADDRESS) {
        let Some(verb) = reading
            .verb_before(at, Class::Send.set().and(Class::Does), 120)
            .or_else(|| reading.after(at, Class::Send.set(), 16))
        else {
            continue;
        };
        let data = reading.before(at, DATA, 120).or_else(|| reading.after(at, DATA, 60));
        let every = reading.after(verb, Class::Any.set().and(Class::Whole), 24).filter(|every| *every < at);
        let data = data.or_else(|| every.and_then(|every| reading.after(every, Class::Turn.set(), 16)));
        // A command line as an example sends what a command line sends.
        let example = reading.place == Place::Value
            && data.is_some_and(|data| matches!(reading.marks[data].class, Class::Secret | Class::Content))
            && reading.between(0, reading.marks[verb].start).trim().is_empty();
        let strength = match (reading.is_order(verb), data) {
            _ if example => Strength::Some,
            (true, Some(_)) => Strength::Sure,
            (true, None) | (false, Some(_)) => Strength::Some,
            (false, None) => continue,
        };
        if reading.is_about_attacks(at) {
            continue;
        }
        // `POST https://…` in an example of a request, `send only to …`.
        let method = reading.is_shouted(verb) && reading.marks[verb].end + 1 >= address.start;
        let method = method || reading.is_in_fence(address.start);
        let only = reading.between(reading.marks[verb].end, address.start).contains("only to ");
        let strength = if method || only { strength.min(Strength::Some) } else { strength };
        let range = reading.marks[verb].start.min(address.start)..address.end;
        found.push(Signal::folded(&RULE, strength, reading, range, "to an address that the text names"));
    }
    private(reading, found);
    for (at, mark) in reading.of_class(Class::Encode.set()) {
        let data = reading.after(at, DATA, 60).filter(|_| reading.is_order(at));
        if let Some(data) = data
            && reading.near(at, Class::Pass.set().and(Class::Send).and(Class::Parameter), 120)
        {
            let range = mark.start..reading.marks[data].end;
            found.push(Signal::folded(&RULE, Strength::Some, reading, range, "encoded"));
        }
    }
    image(reading, found);
}

/// What the user wrote or has, an address, and any order to move it.
fn private(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, data) in reading.of_class(Class::Private.set()) {
        let Some(address) = reading.around(at, ADDRESS, 100) else { continue };
        let first = at.min(address);
        let moves = Class::Send.set().and(Class::Pass).and(Class::Encode).and(Class::Call).and(Class::Must);
        let Some(verb) = reading.verb_before(first, moves, 60).or_else(|| reading.after(first, moves, 60)) else {
            continue;
        };
        let strength = match (reading.marks[verb].class, reading.is_order(verb)) {
            (Class::Must, _) | (_, false) => Strength::Some,
            (_, true) => Strength::Sure,
        };
        if !reading.is_about_attacks(at) && !reading.is_in_fence(data.start) {
            let other = reading.marks[address];
            let range = data.start.min(other.start)..data.end.max(other.end);
            found.push(Signal::folded(&RULE, strength, reading, range, "to an address that the text names"));
        }
    }
}

/// What is put into an address and is no query.
const FILLED: [&str; 11] = [
    "content",
    "secret",
    "token}",
    "conversation",
    "history",
    "env}",
    "prompt",
    "file}",
    "messages",
    "password",
    "chat",
];

/// An image or link whose address carries a place for data.
fn image(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, address) in reading.of_class(Class::Url.set()) {
        let text = reading.between(address.start, address.end);
        let open = reading.between(0, address.start).trim_end().ends_with("](");
        let asks =
            text.split_once('?').is_some_and(|(_, query)| query.contains(['{', '<', '[', '$']) || query.ends_with('='));
        let filled = reading.place == Place::Value && FILLED.iter().any(|word| text.contains(word));
        if asks && filled {
            let range = address.start..address.end;
            found.push(Signal::folded(&RULE, Strength::Sure, reading, range, "in an address that data is put into"));
        } else if asks && open {
            let ordered = reading.before(at, Class::Must.set().and(Class::Pass), 60).is_some();
            let strength = if ordered { Strength::Sure } else { Strength::Strong };
            let range = address.start..address.end;
            found.push(Signal::folded(&RULE, strength, reading, range, "in a link that carries data"));
        }
    }
}

const TOLD: Set = Class::Context.set().and(Class::SecretFile).and(Class::Private).and(Class::Person).and(Class::Trove);
const TAKEN: Set = TOLD.and(Class::Secret);

/// How a sentence with such a frame is judged: `do not include personal data` sends none.
pub(super) fn judge(sentence: &Sentence, frame: &Frame) -> Strength {
    let reading = sentence.reading;
    let mut data = sentence.marks.clone().filter(|at| TAKEN.and(Class::Content).has(reading.marks[*at].class));
    if data.all(|at| reading.forbids(at)) {
        Strength::Weak
    } else if sentence.text.contains("only to ") {
        frame.strength.min(Strength::Some)
    } else {
        frame.strength
    }
}

/// What its sentences hold.
pub(super) static FRAMES: &[Frame] = &[
    any(
        &[Class::Also.set(), ADDRESS, Class::Send.set().and(Class::Does)],
        Strength::Strong,
        "to an address of its own, too",
    ),
    any(
        &[TOLD, Class::Path.set(), Class::Also.set().and(Class::Instrument), MOVES.and(Class::Does)],
        Strength::Strong,
        "to a place that the text names",
    ),
    hint(&[ADDRESS, Class::Send.set()], "something is sent to an address that the text names"),
    any(&[TOLD, ADDRESS, Class::Needs.set().and(Class::Must)], Strength::Strong, "to an address that the text names"),
    asked(
        &[Class::Content.set(), Class::Any.set().and(Class::Whole), Class::Email.set(), MOVES.and(Class::Does)],
        Strength::Sure,
        "to an address that the text names, all of it",
    ),
    asked(
        &[TAKEN, ADDRESS, MOVES.and(Class::Does), WIDE.and(Class::Before).and(Class::When).and(Class::Whole)],
        Strength::Sure,
        "to an address that the text names, each time",
    ),
    any(
        &[TOLD, ADDRESS, Class::Send.set().and(Class::Does).and(Class::Move)],
        Strength::Strong,
        "to an address that the text names",
    ),
];
