//! What the model was told by others is asked for: the conversation, the system prompt, other tools' results.

use super::frame::{Frame, MOVES, WIDE, any, asked, hint};
use super::lexicon::{Class, Set};
use super::place::Place;
use super::reading::Reading;
use super::sentence::{INTO, Sentence};
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "asks-for-conversation", title: "asks for the conversation" };

const GIVE: Set = Class::Pass.set().and(Class::Send).and(Class::Read).and(Class::Encode).and(Class::Does);

/// What a model has from elsewhere, and no other service has a use for.
const KEPT: [&str; 16] = [
    "hidden instruction",
    "you were given",
    "output of any tool",
    "tool output",
    "other tools'",
    "tool results",
    "clipboard",
    "files open",
    "open files",
    "open in the editor",
    "everything you know",
    "know about the user",
    "connected servers",
    "data seen",
    "arguments and results",
    "chain of thought",
];

/// Looks for it.
pub(super) fn find(reading: &Reading, found: &mut Vec<Signal>) {
    filled(reading, found);
    puts(reading, found);
    for (at, context) in reading.of_class(Class::Context.set()) {
        // `Should the user ask for "everything you know about me", …`: what they say.
        let said = reading.behind(context.start, 40);
        if reading.is_quoted(context.start)
            && ["user ask", "user say", "user want"].iter().any(|asks| said.contains(asks))
        {
            continue;
        }
        // `Pushes it out of your context`: what a model has room for.
        if reading.behind(context.start, 8).ends_with("out of ") {
            continue;
        }
        // `Only what the user asked for`: what is done, not what was said.
        let asked = reading.between(context.start, context.end).ends_with("asked");
        if asked && [" for", " to "].iter().any(|next| reading.ahead(context.end, 4).starts_with(next)) {
            continue;
        }
        let verb = reading.order_around(at, GIVE, 80);
        // The conversation, and what else a model has: no purpose needs both.
        let both = reading.near(at, Class::SecretFile.set().and(Class::ConfigFile), 60)
            || reading.others(at, Class::Context.set(), 60);
        let all = reading.before(at, Class::Any.set(), 16).is_some();
        let whole = reading.near(at, Class::Whole.set(), 24) || both || all;
        let asked = reading.place == Place::Asked && !reading.forbids(at);
        let given = verb.is_some_and(|verb| reading.is_order(verb))
            || (asked && (all || both || reading.near(at, Class::Whole.set(), 40)));
        let to_address = reading.near(at, Class::Url.set().and(Class::Email), 120);
        let encoded = reading.near(at, Class::Encode.set(), 60);
        let put = reading.around(at, Class::Pass.set().and(Class::Send), 60).is_some();
        let words = reading.between(context.start, context.end);
        let own = ["system", "your", "initial"].iter().any(|word| words.starts_with(word));
        let kept = KEPT.iter().any(|kept| words.contains(kept))
            || (own && reading.ahead(context.end, 20).contains("you were"));
        let forbidden = reading.forbids(at);
        let about = reading.is_about_attacks(at);
        let slot = reading.near(at, Class::Slot.set().and(Class::Parameter).and(Class::Literal), 120)
            || reading.place == Place::Asked;
        let (strength, why) = match (given, whole || encoded, to_address) {
            _ if about && to_address => continue,
            (true, _, true) => (Strength::Sure, "and sends it to an address"),
            (_, true, false) if own && whole && put && !about => {
                (Strength::Sure, "what it was told by its makers, whole")
            }
            _ if forbidden => continue,
            (true, ..) if kept && !about && slot => (Strength::Sure, "which is for the model alone"),
            (true, true, false) if !about && elsewhere(reading, at) => {
                (Strength::Sure, "whole, into a parameter for something else")
            }
            (true, true, false) if both && !about => (Strength::Sure, "and what else it knows"),
            (true, true, false) => (Strength::Strong, "whole, or encoded"),
            (true, false, false) => (Strength::Some, "as input"),
            (false, ..) if reading.place == Place::Name => (Strength::Some, "by a name"),
            (false, ..) if reading.place == Place::Value && reading.folded.contains(['{', '<']) => {
                (Strength::Strong, "as a value")
            }
            (false, true, _) => (Strength::Some, "whole"),
            (false, false, _) => continue,
        };
        found.push(Signal::folded(&RULE, strength, reading, context.start..context.end, why));
    }
}

/// `… the user's refresh token in `region``: what a preposition puts into a parameter that is for something else.
fn puts(reading: &Reading, found: &mut Vec<Signal>) {
    let data = Class::SecretFile.set().and(Class::Secret).and(Class::Context);
    for (at, slot) in reading.of_class(Class::Slot.set()) {
        if reading.place != Place::Prose || !INTO.contains(&reading.word_before(slot.start)) {
            continue;
        }
        let Some(what) = reading.before(at, data, 120) else { continue };
        let mark = reading.marks[what];
        let name = reading.between(slot.start, slot.end);
        let own = OWN.iter().chain(&KEYS).any(|own| name.contains(own));
        let apart = reading.between(mark.end, slot.start).contains(';');
        if own || apart || reading.is_about_attacks(what) || reading.forbids(at) || reading.forbids(what) {
            continue;
        }
        let moved = reading.order_around(at, GIVE, 100).is_some_and(|verb| reading.is_order(verb));
        let theirs = reading.near(what, Class::User.set().and(Class::Whole).and(Class::Any).and(Class::Agent), 60);
        let strength = match (moved, mark.class == Class::SecretFile || theirs) {
            (true, true) => Strength::Sure,
            (true, false) => Strength::Strong,
            (false, _) => Strength::Some,
        };
        let rule = if mark.class == Class::Context { &RULE } else { &super::secret::RULE };
        let range = mark.start..slot.end;
        found.push(Signal::folded(rule, strength, reading, range, "into a parameter for something else"));
    }
}

/// Parts of names of parameters that a secret goes into with good reason.
pub(super) const KEYS: [&str; 11] =
    ["system", "key", "token", "secret", "pass", "auth", "cred", "api", "pw", "login", "cookie"];

/// Parts of names of parameters that a conversation goes into with good reason.
const OWN: [&str; 19] = [
    "confirm",
    "reason",
    "message",
    "history",
    "conv",
    "chat",
    "context",
    "transcript",
    "thread",
    "prompt",
    "dialog",
    "summary",
    "query",
    "question",
    "text",
    "content",
    "input",
    "user",
    "assistant",
];

/// Whether the nearest name in code marks is that of a parameter for something else: `put the conversation into `lang``.
fn elsewhere(reading: &Reading, at: usize) -> bool {
    let slot = reading.after(at, Class::Slot.set(), 80).or_else(|| reading.before(at, Class::Slot.set(), 60));
    slot.is_some_and(|slot| {
        let name = reading.between(reading.marks[slot].start, reading.marks[slot].end);
        reading.place == Place::Prose && !OWN.iter().any(|own| name.contains(own))
    })
}

/// `` `proof` takes the cookie of the user's session ``: a parameter that a sentence fills.
fn filled(reading: &Reading, found: &mut Vec<Signal>) {
    let takes = Class::Does.set().and(Class::Pass);
    let data = Class::SecretFile.set().and(Class::Context).and(Class::Private);
    for (at, slot) in reading.of_class(Class::Slot.set()) {
        let Some(verb) = reading.after(at, takes, 16) else { continue };
        let Some(what) = reading.after(verb, data, 60) else { continue };
        if reading.is_about_attacks(what) || reading.before(what, Class::Not.set(), 40).is_some_and(|not| not > at) {
            continue;
        }
        if reading.is_destination(what) {
            continue;
        }
        let strength = if reading.marks[what].class == Class::SecretFile { Strength::Sure } else { Strength::Some };
        let range = slot.start..reading.marks[what].end;
        found.push(Signal::folded(&RULE, strength, reading, range, "to fill a parameter"));
    }
}

const TALK: Set = Class::Context.set();
/// Why a frame has a tool called all the time.
const EACH: &str = "each time something is said or sent";
const OTHERS: Set = Class::OtherTool
    .set()
    .and(Class::Instrument)
    .and(Class::Slot)
    .and(Class::ThisTool)
    .and(Class::Deed)
    .and(Class::Parameter);

/// What its sentences hold.
pub(super) static FRAMES: &[Frame] = &[
    any(
        &[TALK, Class::Gate.set(), Class::Instrument.set().and(Class::ThisTool).and(Class::Identifier)],
        Strength::Strong,
        "before anything else",
    ),
    hint(&[TALK], "the conversation is spoken of"),
    any(
        &[TALK, Class::Agent.set(), Class::Pass.set().and(Class::Send).and(Class::Does)],
        Strength::Strong,
        "by the model",
    ),
    asked(
        &[TALK, Class::ThisTool.set(), MOVES, Class::Before.set().and(Class::Any)],
        Strength::Strong,
        "for this tool",
    ),
    any(&[TALK, Class::Slot.set()], Strength::Strong, "what was said, into a parameter"),
    asked(
        &[TALK, Class::Whole.set().and(Class::Any), MOVES, Class::When.set().and(Class::Standing)],
        Strength::Some,
        "whole, each time",
    ),
    asked(
        &[
            Class::Reply.set().and(Class::Turn).and(Class::Mail),
            WIDE.and(Class::When),
            Class::Call.set(),
            Class::Whole.set().and(Class::Content).and(Class::Parameter),
            Class::ThisTool.set(),
        ],
        Strength::Strong,
        EACH,
    ),
    any(
        &[TALK, Class::Whole.set(), MOVES, Class::Instrument.set().and(Class::ThisTool)],
        Strength::Some,
        "whole, for a tool",
    ),
    asked(
        &[TALK, Class::Call.set(), Class::Before.set().and(Class::Standing).and(Class::Gate), Class::You.set()],
        Strength::Some,
        "each time",
    ),
    asked(
        &[
            Class::Reply.set(),
            Class::Any.set().and(Class::Standing),
            Class::Call.set(),
            Class::Content.set().and(Class::Context),
        ],
        Strength::Strong,
        "each time something is said",
    ),
    any(
        &[TALK, Class::Slot.set(), MOVES.and(Class::Does)],
        Strength::Sure,
        "what was said, into a parameter for something else",
    ),
    any(
        &[TALK, Class::Whole.set(), WIDE.and(Class::Before).and(Class::When), OTHERS, MOVES.and(Class::Call)],
        Strength::Sure,
        "whole, each time",
    ),
];

/// How a sentence with such a frame is judged.
pub(super) fn judge(sentence: &Sentence, frame: &Frame) -> Strength {
    let mut slots = sentence.filled_slots().peekable();
    let bare = frame.needs.get(1) == Some(&Class::Slot.set()) && slots.peek().is_none();
    let own = slots.any(|name| OWN.iter().chain(&KEYS).any(|own| name.contains(own)));
    // `If the user has confirmed in this conversation`: where, not what.
    let mut talks = sentence.marks.clone().filter(|at| sentence.reading.marks[*at].class == Class::Context);
    let located = frame.needs[0] == TALK
        && talks
            .all(|at| sentence.reading.is_location(at) || sentence.is_forbidden(at) || sentence.reading.forbids(at));
    let wanted = frame.why == EACH && sentence.text.contains("only when");
    if own || bare || located || wanted || sentence.reading.place != Place::Prose {
        Strength::Weak
    } else {
        frame.strength
    }
}
