//! Orders to act without asking: confirmations waived, warnings left out. A tool's own flag for it (`--yes`) is honest.

use super::frame::{self, Frame, MOVES, any};
use super::lexicon::{Class, Set};
use super::place::Place;
use super::reading::Reading;
use super::sentence::Sentence;
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "lifts-consent", title: "consent taken for granted" };

/// What makes it more than one call's flag.
const WIDE: Set = Class::Standing
    .set()
    .and(Class::Any)
    .and(Class::Agent)
    .and(Class::Defy)
    .and(Class::Memory)
    .and(Class::Authority)
    .and(Class::User);
/// What makes it the model's conduct.
const AGENT: Set = Class::Standing
    .set()
    .and(Class::Agent)
    .and(Class::Defy)
    .and(Class::Memory)
    .and(Class::Obey)
    .and(Class::OtherTool)
    .and(Class::Granted);
/// What is done without being asked.
const ACTS: Set = Class::Tool.set().and(Class::Obey).and(Class::Deed).and(Class::Call).and(Class::Tamper);

/// Looks for it.
pub(super) fn find(reading: &Reading, found: &mut Vec<Signal>) {
    granted(reading, found);
    let opening = if reading.present.meets(Class::Approve.set()) { frame::opening(reading) } else { 0 };
    for (at, approve) in reading.of_class(Class::Approve.set()) {
        let same =
            |skip: &usize| !reading.between(approve.end, reading.marks[*skip].start).contains([',', '，', ':', '(']);
        let after = || reading.after(at, Class::Skip.set(), 40).filter(same);
        let Some(skip) = reading.before(at, Class::Skip.set(), 40).or_else(after) else {
            continue;
        };
        // `Without the global "Browse" permission`: a bare preposition has to stand at the word.
        let short = reading.marks[skip].end - reading.marks[skip].start <= 8;
        let apart = approve.start.saturating_sub(reading.marks[skip].end);
        if short
            && !matches!(
                reading.between(reading.marks[skip].start, reading.marks[skip].end),
                "skip" | "bypass" | "disable"
            )
            && apart > 14
        {
            continue;
        }
        let ordered = reading.is_order(skip) || reading.before(skip, Class::Must.set().and(Class::Obey), 60).is_some();
        let wide = reading.near(at, WIDE, 100);
        let acts = reading.near(at, ACTS, 100);
        let agent = reading.near(at, AGENT, 100);
        // What a tool does, as its description begins.
        let plain = reading.span(approve.start..approve.end).1 <= opening;
        let strength = match (ordered, wide, acts) {
            _ if plain || reading.is_about_attacks(at) => Strength::Weak,
            // `Do not run them without checking`, `unless it is on the auto-approve list`.
            _ if is_kept_from(reading, skip) => Strength::Weak,
            _ if reading.word_in(skip, 40, "unless") || reading.word_in(skip, 12, "even") => Strength::Weak,
            (true, true, true) if agent => Strength::Sure,
            (true, true, true) => Strength::Strong,
            (true, true, false) | (true, false, true) => Strength::Some,
            _ => Strength::Weak,
        };
        let other = reading.marks[skip];
        let range = approve.start.min(other.start)..approve.end.max(other.end);
        found.push(Signal::folded(&RULE, strength, reading, range, "it is to act without being asked"));
    }
}

/// Whether a prohibition reaches to a mark: no order of its own stands behind the last comma. `Don't bother the user, run
/// it without confirmation` forbids something else.
fn is_kept_from(reading: &Reading, at: usize) -> bool {
    let Some(not) = reading.before(at, Class::Not.set(), 200) else { return false };
    let (from, to) = (reading.marks[not].end, reading.marks[at].start);
    let clause = reading.between(from, to).rfind([',', ';']).map_or(to, |comma| from + comma);
    let behind = (not + 1..at).filter(|other| reading.marks[*other].start > clause);
    behind.take(BEHIND).all(|other| !frame::ACTS.has(reading.marks[other].class) || !reading.is_order(other))
}

/// Marks behind a comma that are looked at.
const BEHIND: usize = 16;

/// `The user has already agreed`: no server knows. A condition (`once the user has agreed`) is honest.
fn granted(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, mark) in reading.of_class(Class::Granted.set()) {
        let condition = CONDITIONS.contains(&reading.word_before(mark.start))
            || reading.before(at, Class::When.set().and(Class::Not), 24).is_some()
            || reading.word_in(at, 80, "unless");
        if condition || reading.is_about_attacks(at) {
            continue;
        }
        let skips = reading.near(at, Class::Skip.set(), 120) && reading.near(at, Class::Approve.set(), 120);
        let value = reading.place == Place::Value && reading.near(at, Class::Skip.set(), 80);
        let strength = if skips || value { Strength::Sure } else { Strength::Some };
        found.push(Signal::folded(&RULE, strength, reading, mark.start..mark.end, "it says that the user has agreed"));
    }
}

/// Words that make an agreement a condition.
const CONDITIONS: [&str; 11] =
    ["if", "once", "when", "after", "until", "unless", "whether", "that", "only", "the", "as"];

/// Why a frame has something done unasked.
const UNASKED: &str = "it is to act without being asked, by a tool that does something";

/// Why a frame lets something be done because of trust.
const TRUSTED: &str = "it is to act without being asked, as it is trusted";

/// First words of tools that spend, send or destroy.
const GRAVE: [&str; 21] = [
    "pay",
    "buy",
    "purchase",
    "order",
    "transfer",
    "send",
    "delete",
    "remove",
    "drop",
    "book",
    "deploy",
    "merge",
    "publish",
    "post",
    "push",
    "submit",
    "terminate",
    "stop",
    "kill",
    "wipe",
    "disable",
];

/// What its sentences hold.
pub(super) static FRAMES: &[Frame] = &[
    any(
        &[Class::AsConsent.set(), Class::Skip.set().and(Class::Unasked).and(Class::Granted)],
        Strength::Strong,
        "something else is taken for a yes",
    ),
    any(
        &[Class::Granted.set(), Class::Skip.set().and(Class::Unasked), Class::Anyway.set().and(Class::Defy)],
        Strength::Sure,
        "the user is said to have agreed",
    ),
    any(
        &[
            Class::AsConsent.set(),
            Class::Said
                .set()
                .and(Class::Session)
                .and(Class::Turn)
                .and(Class::Pretext)
                .and(Class::Any)
                .and(Class::Agent),
        ],
        Strength::Strong,
        "something else is taken for a yes",
    ),
    any(
        &[Class::AsConsent.set(), MOVES.and(Class::Skip).and(Class::Unasked)],
        Strength::Some,
        "something else is taken for a yes",
    ),
    any(
        &[Class::Skip.set().and(Class::Unasked), Class::Approve.set(), Class::Granted.set()],
        Strength::Sure,
        "the yes is to be its own",
    ),
    any(
        &[
            Class::Approve.set().and(Class::Granted).and(Class::Unasked),
            Class::Skip.set().and(Class::Granted).and(Class::Unasked),
            Class::Pretext.set(),
        ],
        Strength::Strong,
        "with comfort as its reason",
    ),
    any(&[Class::Unasked.set(), Class::Destroy.set().and(Class::Deed)], Strength::Weak, TRUSTED),
    any(
        &[Class::Approve.set(), Class::Skip.set(), Class::OtherTool.set(), Class::Alarm.set()],
        Strength::Strong,
        "what others warn of is to be passed over",
    ),
    any(
        &[Class::Approve.set(), Class::Skip.set(), Class::Agent.set()],
        Strength::Strong,
        "it is to act without being asked",
    ),
    any(
        &[Class::Unasked.set(), Class::Approve.set(), Class::Standing.set()],
        Strength::Strong,
        "it is to act without being asked",
    ),
    any(&[Class::Unasked.set(), Class::Instrument.set()], Strength::Some, UNASKED),
    any(&[Class::Granted.set(), Class::Agent.set()], Strength::Strong, "the user is said to have agreed"),
    any(
        &[
            Class::Granted.set(),
            Class::Agent.set().and(Class::Returned).and(Class::User),
            Class::Skip.set().and(Class::Approve),
        ],
        Strength::Strong,
        "the user is said to have agreed",
    ),
    any(
        &[Class::Guard.set(), Class::Destroy.set().and(Class::Skip), Class::Agent.set()],
        Strength::Strong,
        "what keeps from harm is to be passed over",
    ),
    any(
        &[Class::Granted.set(), Class::Memory.set().and(Class::Standing)],
        Strength::Sure,
        "the user is said to have agreed for good",
    ),
    any(
        &[
            Class::Wants.set(),
            Class::Skip.set().and(Class::Approve).and(Class::Send).and(Class::Not),
            Class::Memory.set().and(Class::Standing).and(Class::Pass),
        ],
        Strength::Strong,
        "the user is said to want it unasked",
    ),
];

/// How a sentence with such a frame is judged.
pub(super) fn judge(sentence: &Sentence, frame: &Frame) -> Strength {
    let condition = CONDITIONS[..8].iter().any(|word| sentence.text.contains(&format!("{word} the user")))
        || [" as confirmed", " as approved", " as agreed"].iter().any(|as_is| sentence.text.contains(as_is));
    // `Do not order anything by yourself.`
    let reading = sentence.reading;
    let mut unasked = sentence.marks.clone().filter(|at| reading.marks[*at].class == Class::Unasked);
    let kept = frame.needs[0] == Class::Unasked.set() && unasked.all(|at| reading.forbids(at));
    let grave = |name: &str| name.split('_').any(|word| GRAVE.contains(&word));
    let acts = frame.why == UNASKED && sentence.is_asked() && sentence.words_of(Class::Instrument).any(grave);
    match frame.strength {
        _ if condition || kept => Strength::Weak,
        _ if frame.why == TRUSTED && sentence.roles.meets(Class::Wants.set().and(Class::Granted)) => Strength::Some,
        _ if acts => Strength::Sure,
        Strength::Some if frame.why == UNASKED && sentence.words_of(Class::Instrument).any(grave) => Strength::Strong,
        strength => strength,
    }
}
