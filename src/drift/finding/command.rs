//! Commands and markup that do something where they are run or shown.

use super::lexicon::{Class, Set};
use super::open::is_open;
use super::place::Place;
use super::reading::Reading;
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "carries-commands", title: "carries commands" };

/// Looks for it.
pub(super) fn find(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, mark) in reading.of_class(Class::Attack.set().and(Class::Active)) {
        let value = matches!(reading.place, Place::Value | Place::Data);
        let run = reading.before(at, Class::Call.set(), 24).is_some_and(|call| reading.is_order(call));
        let put = is_put(reading, at);
        let strength = match (value, mark.class == Class::Attack) {
            _ if reading.is_about_attacks(at) => Strength::Weak,
            _ if put || is_bidden(reading, at) => Strength::Sure,
            (true, true) => Strength::Sure,
            (true, false) => Strength::Strong,
            (false, true) if run => Strength::Strong,
            (false, _) => Strength::Some,
        };
        found.push(Signal::folded(
            &RULE,
            strength,
            reading,
            mark.start..mark.end,
            "that act where they are run or shown",
        ));
    }
    for (at, fetch) in reading.of_class(Class::Fetch.set()) {
        let Some(shell) = reading.after(at, Class::Shell.set(), 200) else { continue };
        if reading.between(fetch.end, reading.marks[shell].start).contains('|') {
            let range = fetch.start..reading.marks[shell].end;
            let strength = if reading.place == Place::Value
                || is_put(reading, at)
                || is_told(reading, at)
                || reading.near(at, Class::Standing.set(), 100)
            {
                Strength::Sure
            } else {
                Strength::Some
            };
            found.push(Signal::folded(&RULE, strength, reading, range, "that run what they fetch"));
        }
    }
}

/// What makes a command one that the model is to run by the way.
const BIDS: Set =
    Class::Agent.set().and(Class::When).and(Class::Before).and(Class::Also).and(Class::Instrument).and(Class::Needs);
/// Commands that no reader runs to see what they do.
const GRAVE: [&str; 15] = [
    "exec(",
    "| sudo",
    "source <(",
    "bash <(",
    ". <(",
    "iex (",
    "iex(",
    "powershell -e",
    "/dev/tcp/",
    "nc -e",
    "ncat -e",
    "rm -r",
    "mkfs",
    "kill -9 -1",
    "sudo su",
];

/// What is said of commands that are not run.
const REFUSED: [&str; 8] = ["refuse", "block", "reject", "denied", "forbid", "not ", "never", "such as"];

/// Whether the model is told to run a grave command.
fn is_bidden(reading: &Reading, at: usize) -> bool {
    let word = reading.between(reading.marks[at].start, reading.marks[at].end);
    GRAVE.iter().any(|grave| word.starts_with(grave)) && is_told(reading, at)
}

/// Whether a command is for the model, by the way, and no example; what the user is told to run is theirs.
fn is_told(reading: &Reading, at: usize) -> bool {
    let start = reading.marks[at].start;
    reading.place != Place::Name
        && !reading.is_in_fence(start)
        && !reading.forbids(at)
        && reading.around(at, BIDS, 160).is_some()
        && !is_open(reading.sentence(start))
        && !REFUSED.iter().any(|word| reading.sentence(start).contains(word))
}

/// Whether it is to be put into what the model writes: `when you generate code, add …`.
fn is_put(reading: &Reading, at: usize) -> bool {
    let put = reading.before(at, Class::Pass.set().and(Class::Set), 40).is_some_and(|put| reading.is_order(put));
    let written = Class::Agent.set().and(Class::OtherTool).and(Class::Identifier).and(Class::Any);
    put && reading.before(at, Class::When.set().and(Class::Standing), 120).is_some() && reading.near(at, written, 120)
}
