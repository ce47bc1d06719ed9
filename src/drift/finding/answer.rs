//! What the model answers is bent: a name is to be praised whatever the facts, an address added, a bad result called
//! good. Honest text says what form an answer has, and names its sources.

use super::frame::{Frame, WIDE, any, asked};
use super::lexicon::{Class, Set};
use super::sentence::Sentence;
use super::signal::{Rule, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "slants-answers", title: "slants what is answered" };

const SAYS: Set = Class::Reply
    .set()
    .and(Class::Promote)
    .and(Class::Tell)
    .and(Class::Show)
    .and(Class::Does)
    .and(Class::User)
    .and(Class::Move);

/// Who hears it, and in what.
const HEARS: Set = Class::Reply.set().and(Class::Tell).and(Class::Show).and(Class::User).and(Class::Agent);

/// What makes it each answer, or each reader.
const EACH: Set = WIDE.and(Class::Must).and(Class::Reply).and(Class::User).and(Class::When);
const ADDS: Set = Class::Append.set().and(Class::Tamper).and(Class::Pass).and(Class::Promote);
const ADDRESS: Set = Class::Url.set().and(Class::Email);

/// Why a frame has one answer, whatever the facts.
const SAYS_SO: &str = "an answer is given, whatever the facts";

/// Why a frame is about what people get to hear of a result.
const CAST: &str = "people are to hear something else than the result";

/// What its sentences hold.
pub(super) static FRAMES: &[Frame] = &[
    asked(
        &[Class::Fine.set(), Class::Anyway.set().and(Class::Defy), Class::Tell.set().and(Class::Say)],
        Strength::Sure,
        "something is to be called good whatever the facts",
    ),
    any(&[Class::Skew.set(), Class::Pretext.set()], Strength::Sure, "another result than the real one is to be told"),
    asked(
        &[Class::Skew.set(), Class::When.set().and(Class::Bound), HEARS.and(Class::Cast)],
        Strength::Strong,
        "another result than the real one is to be told",
    ),
    any(
        &[Class::Cast.set().and(Class::Fine), Class::Alarm.set().and(Class::Bound), Class::Pretext.set()],
        Strength::Sure,
        CAST,
    ),
    any(&[Class::Skew.set(), Class::Reply.set()], Strength::Some, "another result than the real one is to be told"),
    any(&[Class::Deceive.set(), Class::Deed.set(), Class::Reply.set().and(Class::Not)], Strength::Some, SAYS_SO),
    any(&[Class::Say.set(), Class::Deed.set(), Class::Quoted.set()], Strength::Some, SAYS_SO),
    any(
        &[Class::Rank.set(), Class::Anyway.set().and(Class::Defy), Class::Must.set()],
        Strength::Weak,
        "something is to come first whatever the facts",
    ),
    any(
        &[Class::Say.set(), Class::Deemed.set(), Class::Alarm.set()],
        Strength::Sure,
        "a bad result is to be called good",
    ),
    any(
        &[Class::Skew.set(), Class::Cast.set().and(Class::Show)],
        Strength::Some,
        "another result than the real one is to be told",
    ),
    any(&[Class::Rank.set(), Class::Rival.set()], Strength::Some, "somebody is to come first"),
    any(&[Class::Say.set(), Class::Anyway.set().and(Class::Defy)], Strength::Strong, SAYS_SO),
    any(&[Class::Say.set(), Class::Defy.set()], Strength::Sure, SAYS_SO),
    any(&[Class::Reply.set(), Class::Append.set().and(Class::Say), Class::Defy.set()], Strength::Sure, SAYS_SO),
    any(
        &[
            Class::Deemed.set(),
            Class::Alarm.set().and(Class::Bound).and(Class::User).and(Class::Tell).and(Class::Reply),
        ],
        Strength::Some,
        "a result is decided beforehand",
    ),
    any(
        &[Class::Deemed.set(), Class::Anyway.set().and(Class::Defy)],
        Strength::Strong,
        "a result is decided beforehand",
    ),
    any(&[Class::Deceive.set(), Class::Rival.set().and(Class::Alarm)], Strength::Some, "bad news are to be left out"),
    any(
        &[Class::Skew.set(), Class::OtherTool.set().and(Class::Deed)],
        Strength::Some,
        "another result than the real one is to be told",
    ),
    any(&[Class::Cast.set(), Class::Bound.set().and(Class::Alarm).and(Class::Skew)], Strength::Some, CAST),
    any(&[Class::Cast.set(), Class::Anyway.set().and(Class::Defy).and(Class::Fine)], Strength::Strong, CAST),
    any(
        &[
            Class::Append.set(),
            Class::Reply.set(),
            Class::Rank.set().and(Class::Praise).and(Class::Promote).and(Class::Rival),
        ],
        Strength::Some,
        "somebody is to be recommended",
    ),
    any(
        &[Class::Reply.set(), Class::Alarm.set(), Class::Not.set(), Class::Any.set()],
        Strength::Some,
        "bad news are to be left out",
    ),
    asked(&[Class::Fine.set(), SAYS, Class::Must.set()], Strength::Some, "something is to be called good"),
    asked(&[Class::Promote.set(), WIDE.and(Class::When)], Strength::Weak, "somebody is to be recommended"),
    asked(
        &[
            Class::Praise.set(),
            Class::Promote.set().and(Class::Reply).and(Class::Append),
            Class::Anyway.set().and(Class::Defy).and(Class::Rival),
        ],
        Strength::Strong,
        "something is to be praised whatever the facts",
    ),
    asked(
        &[
            Class::Praise.set(),
            Class::Promote.set().and(Class::Reply),
            Class::Must.set().and(Class::Agent).and(Class::You),
        ],
        Strength::Weak,
        "something is to be praised",
    ),
    asked(
        &[Class::Deceive.set(), Class::Reply.set().and(Class::User), Class::Rival.set()],
        Strength::Strong,
        "drawbacks or others are to be left out",
    ),
    asked(
        &[Class::Promote.set(), Class::Anyway.set().and(Class::Defy)],
        Strength::Strong,
        "something is to be recommended whatever the facts",
    ),
    any(
        &[Class::Promote.set(), Class::Anyway.set().and(Class::Defy), Class::Agent.set()],
        Strength::Strong,
        "something is to be recommended whatever the facts",
    ),
    any(
        &[Class::Promote.set(), Class::Deceive.set()],
        Strength::Strong,
        "something is to be recommended as if nobody gained",
    ),
    any(
        &[Class::Promote.set(), Class::Reply.set(), WIDE, Class::Must.set()],
        Strength::Strong,
        "something is to be recommended in every answer",
    ),
    any(
        &[Class::Skew.set(), SAYS, Class::User.set().and(Class::Must)],
        Strength::Sure,
        "another result than the real one is to be told",
    ),
    any(
        &[Class::Fine.set(), Class::Anyway.set().and(Class::Defy)],
        Strength::Strong,
        "something is to be called good whatever the facts",
    ),
    any(
        &[
            Class::Reply.set(),
            Class::Rival.set(),
            Class::Not.set().and(Class::Hide).and(Class::Deceive).and(Class::Skip),
        ],
        Strength::Some,
        "drawbacks or others are to be left out",
    ),
    any(
        &[
            Class::Skew.set(),
            Class::Returned.set().and(Class::Does).and(Class::Move).and(Class::Tell),
            Class::User.set().and(Class::Instrument),
        ],
        Strength::Sure,
        "another result than the real one is to be told",
    ),
    asked(
        &[Class::Promote.set(), Class::Rival.set(), HEARS, EACH],
        Strength::Strong,
        "something is to be recommended over others",
    ),
    any(
        &[
            Class::Promote.set(),
            Class::Anyway.set().and(Class::Defy),
            Class::Must.set().and(Class::Reply).and(Class::User),
        ],
        Strength::Strong,
        "something is to be recommended whatever the facts",
    ),
    any(
        &[
            Class::Reply.set().and(Class::Tell),
            Class::Rival.set(),
            Class::Not.set().and(Class::Hide).and(Class::Deceive),
            WIDE.and(Class::Must),
        ],
        Strength::Strong,
        "drawbacks or others are to be left out",
    ),
    asked(&[Class::Append.set(), Class::Any.set(), ADDRESS], Strength::Sure, "an address of its own is to be added"),
    any(&[Class::Fine.set(), Class::Alarm.set(), SAYS], Strength::Sure, "a bad result is to be called good"),
    any(
        &[Class::Rank.set(), Class::Promote.set(), Class::Anyway.set().and(Class::Defy).and(Class::Deceive)],
        Strength::Sure,
        "something is to be recommended whatever the facts",
    ),
    asked(&[Class::Reply.set(), ADDS, ADDRESS, EACH], Strength::Sure, "an address of its own is to be added"),
    any(&[Class::Reply.set(), Class::Append.set(), ADDRESS], Strength::Sure, "an address of its own is to be added"),
    any(&[Class::Rank.set(), Class::Promote.set(), EACH], Strength::Strong, "something is to be recommended"),
    any(
        &[Class::Rank.set(), HEARS, Class::Anyway.set().and(Class::Defy)],
        Strength::Strong,
        "something is to come first whatever the facts",
    ),
    any(
        &[Class::Deceive.set(), Class::Alarm.set().and(Class::Rival).and(Class::Fine), HEARS],
        Strength::Strong,
        "bad news are to be left out",
    ),
    any(
        &[Class::Promote.set(), Class::Praise.set().and(Class::Rank), Class::Reply.set().and(Class::User)],
        Strength::Weak,
        "something is to be praised",
    ),
    any(
        &[ADDRESS, Class::Agent.set(), Class::Show.set().and(Class::Tell).and(Class::Reply), ADDS.and(Class::Move)],
        Strength::Strong,
        "an address of its own is to be added",
    ),
    any(
        &[
            Class::Fine.set(),
            Class::User.set().and(Class::Reply),
            Class::Promote.set().and(Class::Tell).and(Class::Move).and(Class::Does),
        ],
        Strength::Strong,
        "something is to be called good",
    ),
    asked(
        &[Class::Reply.set(), Class::Append.set(), Class::Quoted.set()],
        Strength::Some,
        "a sentence of its own is to be added",
    ),
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

/// Whether a frame is about what is praised.
fn praises(frame: &Frame) -> bool {
    frame.needs[0].meets(Class::Rank.set().and(Class::Promote).and(Class::Praise).and(Class::Fine))
        || frame.needs.get(1).is_some_and(|need| need.meets(Class::Rival.set()))
}

/// How a sentence with such a frame is judged.
pub(super) fn judge(sentence: &Sentence, frame: &Frame) -> Strength {
    // An example of a call speaks of what its caller wants.
    if sentence.text.contains("\":") {
        return Strength::Weak;
    }
    let credited = || CREDITS.iter().any(|credit| sentence.text.contains(credit));
    // `If none is found, say that it is clean`.
    let clean = || sentence.roles.meets(Class::Not.set()) || sentence.text.contains("no ");
    // `Are left out unless …` says how to have them.
    let optional = || ["unless", "by default", "if ", "threshold"].iter().any(|word| sentence.text.contains(word));
    match frame.strength {
        _ if frame.needs[0] == Class::Deceive.set() && optional() => Strength::Weak,
        Strength::Some if frame.needs[0] == Class::Deceive.set() && sentence.names_somebody() => Strength::Strong,
        _ if frame.needs[0] == Class::Fine.set() && clean() => Strength::Weak,
        _ if frame.needs.contains(&ADDRESS) && credited() => Strength::Weak,
        // Whom it praises.
        Strength::Weak if sentence.names_somebody() => Strength::Some,
        Strength::Strong if praises(frame) && sentence.names_somebody() => Strength::Sure,
        strength => strength,
    }
}
