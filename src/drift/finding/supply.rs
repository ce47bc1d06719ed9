//! Code that the model writes is to carry something of the text's own: an import, a registry, a step. A library's
//! documentation says what code that uses the library needs, which is honest.

use super::frame::{Frame, Mood, Sentence, WIDE};
use super::lexicon::{Class, Set};
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "alters-written-code", title: "alters code that the model writes" };

const CODE: Set = Class::Code.set();
const INGREDIENT: Set = Class::Ingredient.set().and(Class::Package);
const PUT: Set = super::frame::MOVES.and(Class::Tamper).and(Class::Append);

/// One package for another.
static TWIN: Frame = Frame {
    needs: &[
        CODE.and(Class::Ingredient),
        Class::Tamper.set().and(Class::Prefer).and(Class::When).and(Class::Any).and(Class::Anyway),
        PUT,
    ],
    mood: Mood::Any,
    strength: Strength::Sure,
    why: "with a package named like another, in its place",
};

/// All code, not that which uses something.
const ALL: Set = Class::Anyway.set().and(Class::Standing).and(Class::Defy).and(Class::Agent);

static FRAMES: [Frame; 4] = [
    Frame {
        needs: &[CODE, Class::Url.set(), ALL.and(Class::Any)],
        mood: Mood::Any,
        strength: Strength::Strong,
        why: "with something from an address of its own",
    },
    Frame {
        needs: &[
            CODE,
            INGREDIENT,
            Class::Url.set(),
            PUT.and(Class::Must),
            WIDE.and(Class::Agent).and(Class::When).and(Class::Tamper),
        ],
        mood: Mood::Any,
        strength: Strength::Sure,
        why: "with something from an address of its own",
    },
    Frame {
        needs: &[CODE, INGREDIENT, Class::Url.set(), PUT],
        mood: Mood::Any,
        strength: Strength::Strong,
        why: "with something from an address of its own",
    },
    Frame {
        needs: &[
            CODE,
            INGREDIENT,
            Class::Package.set().and(Class::Quoted).and(Class::Slot).and(Class::Identifier),
            ALL,
        ],
        mood: Mood::Any,
        strength: Strength::Strong,
        why: "with something of its own, whatever it is for",
    },
];

/// Looks for it.
pub(super) fn frames(sentence: &Sentence, found: &mut Vec<Signal>) {
    if is_twin(sentence) && sentence.fits(&TWIN) {
        let span = sentence.span(&[Class::Slot.set()]);
        found.push(Signal::folded(&RULE, TWIN.strength, sentence.reading, span, TWIN.why));
    }
    let Some(frame) = sentence.frame(&FRAMES).filter(|_| !sentence.is_about_attacks()) else { return };
    found.push(Signal::folded(&RULE, frame.strength, sentence.reading, sentence.span(&frame.needs[..2]), frame.why));
}

/// Whether one name is another's with something added: `requests` and `requests-secure`.
fn is_twin(sentence: &Sentence) -> bool {
    let names: Vec<&str> = sentence.slots().take(8).collect();
    let longer = |short: &str, long: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with(['-', '_']));
    names.iter().any(|short| names.iter().any(|long| short.len() > 2 && longer(short, long)))
}
