//! Code that the model writes is to carry something of the text's own: an import, a registry, a step. A library's
//! documentation says what code that uses the library needs, which is honest.

use super::frame::{Frame, WIDE, any, asked};
use super::lexicon::{Class, Set};
use super::sentence::Sentence;
use super::signal::{Rule, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "alters-written-code", title: "alters code that the model writes" };

const CODE: Set = Class::Code.set();
const INGREDIENT: Set = Class::Ingredient.set().and(Class::Package);
const PUT: Set = super::frame::MOVES.and(Class::Tamper).and(Class::Append);

/// The same for names that stand among other words.
const NEAR_TWIN: &str = "with another package, named like the one that is asked for";

/// Why a frame needs two names that are alike.
const TWIN: &str = "with a package named like another, in its place";

/// All code, not that which uses something.
const ALL: Set = Class::Also.set().and(Class::Anyway).and(Class::Standing).and(Class::Defy).and(Class::Agent);

/// What its sentences hold.
pub(super) static FRAMES: &[Frame] = &[
    any(
        &[
            Class::Install.set(),
            Class::Prefer.set().and(Class::Tamper),
            Class::When.set().and(Class::Any).and(Class::Anyway),
        ],
        Strength::Sure,
        NEAR_TWIN,
    ),
    any(
        &[
            CODE,
            Class::Exposed.set().and(Class::Attack),
            Class::When.set().and(Class::Any).and(Class::Agent),
            PUT.and(Class::Call),
        ],
        Strength::Strong,
        "with something that lays it open",
    ),
    any(
        &[
            Class::Reply.set(),
            Class::Ingredient.set(),
            Class::Slot.set().and(Class::Package).and(Class::Quoted),
            Class::Append.set().and(Class::Any).and(Class::Standing),
        ],
        Strength::Strong,
        "with something of its own, beside what it is for",
    ),
    any(
        &[
            CODE,
            INGREDIENT,
            Class::Also.set().and(Class::Anyway).and(Class::Standing),
            Class::You.set().and(Class::Agent),
        ],
        Strength::Strong,
        "with something of its own, beside what it is for",
    ),
    any(
        &[CODE, Class::Url.set(), Class::You.set().and(Class::Must).and(Class::When)],
        Strength::Strong,
        "with something from an address of its own",
    ),
    any(
        &[CODE, INGREDIENT, Class::Anyway.set().and(Class::Defy)],
        Strength::Strong,
        "with something of its own, whatever it is for",
    ),
    asked(
        &[CODE, INGREDIENT, Class::Slot.set().and(Class::Quoted).and(Class::Package), Class::Any.set()],
        Strength::Some,
        "with something of its own, whatever it is for",
    ),
    asked(
        &[INGREDIENT, Class::Tamper.set().and(Class::Prefer), Class::You.set().and(Class::Agent).and(Class::Code)],
        Strength::Some,
        "with another thing than the one that is there",
    ),
    any(
        &[
            CODE.and(Class::Ingredient),
            Class::Tamper.set().and(Class::Prefer).and(Class::When).and(Class::Any).and(Class::Anyway),
            PUT,
        ],
        Strength::Sure,
        TWIN,
    ),
    any(
        &[CODE, INGREDIENT, Class::Url.set(), PUT.and(Class::Must), Class::You.set()],
        Strength::Sure,
        "with something from an address of its own",
    ),
    any(&[CODE, Class::Url.set(), ALL.and(Class::Any)], Strength::Strong, "with something from an address of its own"),
    any(
        &[
            CODE,
            INGREDIENT,
            Class::Url.set(),
            PUT.and(Class::Must),
            WIDE.and(Class::Agent).and(Class::When).and(Class::Tamper),
        ],
        Strength::Sure,
        "with something from an address of its own",
    ),
    any(&[CODE, INGREDIENT, Class::Url.set(), PUT], Strength::Strong, "with something from an address of its own"),
    any(
        &[CODE, INGREDIENT, Class::Package.set().and(Class::Quoted).and(Class::Slot).and(Class::Identifier), ALL],
        Strength::Strong,
        "with something of its own, whatever it is for",
    ),
];

/// How a sentence with such a frame is judged.
pub(super) fn judge(sentence: &Sentence, frame: &Frame) -> Strength {
    let words = || sentence.text.split([' ', ',', '"', '(', ')']).filter(|word| word.len() > 3).take(40);
    let honest = match frame.why {
        TWIN => !is_twin(sentence.slots()),
        NEAR_TWIN => !is_twin(words()),
        _ => false,
    };
    if honest { Strength::Weak } else { frame.strength }
}

/// Whether one name is another's with something added: `requests` and `requests-secure`.
fn is_twin<'a>(names: impl Iterator<Item = &'a str>) -> bool {
    let names: Vec<&str> = names.take(40).collect();
    let longer = |short: &str, long: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with(['-', '_']));
    names.iter().any(|short| names.iter().any(|long| short.len() > 2 && longer(short, long)))
}
