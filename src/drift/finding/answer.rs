//! What the model answers is bent: a name is to be praised whatever the facts, an address added, a bad result called
//! good. Honest text says what form an answer has, and names its sources.

use super::frame::{Frame, Mood, Sentence, WIDE};
use super::lexicon::{Class, Set};
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "slants-answers", title: "slants what is answered" };

const SAYS: Set = Class::Reply.set().and(Class::Tell).and(Class::Show).and(Class::Does).and(Class::User);

static FRAMES: [Frame; 6] = [
    Frame {
        needs: &[Class::Fine.set(), Class::Alarm.set(), SAYS],
        mood: Mood::Any,
        strength: Strength::Sure,
        why: "a bad result is to be called good",
    },
    Frame {
        needs: &[Class::Rank.set(), Class::Promote.set(), Class::Anyway.set().and(Class::Defy).and(Class::Deceive)],
        mood: Mood::Any,
        strength: Strength::Sure,
        why: "something is to be recommended whatever the facts",
    },
    Frame {
        needs: &[Class::Rank.set(), SAYS.and(Class::Agent), Class::Anyway.set().and(Class::Defy)],
        mood: Mood::Any,
        strength: Strength::Strong,
        why: "something is to come first whatever the facts",
    },
    Frame {
        needs: &[Class::Rank.set(), Class::Promote.set(), WIDE.and(Class::Must).and(Class::Reply)],
        mood: Mood::Any,
        strength: Strength::Strong,
        why: "something is to be recommended",
    },
    Frame {
        needs: &[Class::Reply.set(), Class::Append.set(), Class::Url.set().and(Class::Email)],
        mood: Mood::Any,
        strength: Strength::Sure,
        why: "an address of its own is to be added",
    },
    Frame {
        needs: &[Class::Reply.set(), Class::Append.set(), Class::Quoted.set()],
        mood: Mood::Asked,
        strength: Strength::Some,
        why: "a sentence of its own is to be added",
    },
];

/// Words of a source that is owed its name.
const CREDITS: [&str; 12] = [
    "attribut",
    "credit",
    "copyright",
    "licen",
    "source",
    "cite",
    "citation",
    "courtesy",
    "data by",
    "quelle",
    "fuente",
    "powered by",
];

/// Looks for it.
pub(super) fn frames(sentence: &Sentence, found: &mut Vec<Signal>) {
    let Some(frame) = sentence.frame(&FRAMES).filter(|_| !sentence.is_about_attacks()) else { return };
    let adds = frame.needs[1].meets(Class::Append.set());
    let credited = adds && CREDITS.iter().any(|credit| sentence.text().contains(credit));
    let strength = match frame.strength {
        _ if credited => Strength::Weak,
        Strength::Strong if sentence.names_somebody() => Strength::Sure,
        strength => strength,
    };
    found.push(Signal::folded(&RULE, strength, sentence.reading, sentence.span(frame.needs), frame.why));
}
