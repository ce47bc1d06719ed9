//! What sentences that steer other tools hold.

use super::super::frame::{Frame, MOVES, any, asked};
use super::super::lexicon::{Class, Mark, Set};
use super::super::place::Place;
use super::super::sentence::Sentence;
use super::super::signal::Strength;
use super::{ADDRESS, CONDITIONS, EXAMPLES};

const OTHER: Set = Class::Instrument.set().and(Class::OtherTool).and(Class::Mail).and(Class::Deed);
const PARTS: Set = Class::Target.set().and(Class::Slot).and(Class::Copy);
/// What can stand in a value's place.
const VALUES: Set = ADDRESS.and(Class::Path).and(Class::Quoted);
const AGAINST: Set = Class::Anyway.set().and(Class::Defy).and(Class::Prefer).and(Class::Tamper).and(Class::Voice);

/// Why a frame chooses for the user.
const CHOSEN: &str = "it chooses for the user, whatever they chose";

/// What an honest server says of a tool that it has replaced.
const OLD: [&str; 8] =
    ["deprecated", "outdated", "obsolete", "no longer", "not exist", "slower", "unsupported", "replaces"];

/// What its sentences hold.
pub(in crate::drift::finding) static FRAMES: &[Frame] = &[
    any(
        &[Class::Email.set(), Class::Set.set().and(Class::Must), Class::Target.set().and(Class::Deed).and(Class::Mail)],
        Strength::Some,
        "it fixes where other tools send",
    ),
    any(
        &[Class::Quoted.set(), Class::Must.set(), Class::Session.set().and(Class::Standing)],
        Strength::Some,
        "it has its words in what the model writes",
    ),
    any(
        &[
            Class::Deed.set().and(Class::Code),
            Class::Url.set(),
            Class::Prefer.set(),
            Class::Must.set().and(Class::Anyway),
        ],
        Strength::Strong,
        "it puts an address in the place of another",
    ),
    any(
        &[Class::Deed.set().and(Class::Mail), Class::Anyway.set().and(Class::Standing), ADDRESS],
        Strength::Strong,
        "it fixes a value for what the user asks of other tools",
    ),
    any(
        &[
            Class::Instrument.set().and(Class::OtherTool),
            Class::Given.set(),
            Class::Must.set().and(Class::Prefer).and(Class::Not).and(Class::Tamper),
        ],
        Strength::Strong,
        "it puts a value in the place of the user's",
    ),
    any(
        &[Class::Given.set(), Class::Defy.set().and(Class::Prefer), Class::Deed.set().and(Class::Target)],
        Strength::Strong,
        "it puts a value in the place of the user's",
    ),
    any(
        &[Class::Instrument.set(), Class::Slot.set(), Class::ThisTool.set(), MOVES.and(Class::Does)],
        Strength::Some,
        "it says what another tool is given",
    ),
    any(
        &[Class::Instrument.set().and(Class::Identifier), Class::Bad.set(), Class::Prefer.set()],
        Strength::Strong,
        "it runs other tools down",
    ),
    any(
        &[Class::Exposed.set(), Class::Agent.set(), MOVES.and(Class::Call).and(Class::Deed)],
        Strength::Some,
        "it has what the model makes laid open",
    ),
    any(
        &[Class::Deed.set().and(Class::Code), Class::Exposed.set(), Class::Must.set()],
        Strength::Some,
        "it has what the model makes laid open",
    ),
    any(
        &[Class::Email.set(), Class::Agent.set(), MOVES.and(Class::Copy).and(Class::Append)],
        Strength::Strong,
        "it has the model bring an address of its own in",
    ),
    any(
        &[
            Class::Literal.set(),
            Class::Must.set().and(Class::Anyway).and(Class::Defy),
            Class::Target.set().and(Class::Deed),
        ],
        Strength::Strong,
        "it fixes where money goes",
    ),
    any(
        &[Class::Anyway.set().and(Class::Defy), Class::Deed.set(), Class::Call.set().and(Class::Move).and(Class::Deed)],
        Strength::Weak,
        CHOSEN,
    ),
    any(
        &[
            Class::Deed.set().and(Class::Mail).and(Class::Code),
            Class::Exposed.set(),
            Class::When.set(),
            Class::You.set(),
        ],
        Strength::Strong,
        "it has what the model makes laid open",
    ),
    any(
        &[Class::Instrument.set().and(Class::Identifier), Class::Banned.set(), Class::ThisTool.set().and(Class::Call)],
        Strength::Some,
        "it runs other tools down",
    ),
    any(
        &[
            Class::OtherTool.set(),
            Class::Banned.set(),
            Class::ThisTool.set().and(Class::Agent).and(Class::Any).and(Class::Prefer),
        ],
        Strength::Strong,
        "it runs other tools down",
    ),
    any(&[Class::OtherTool.set(), Class::Banned.set()], Strength::Some, "it runs other tools down"),
    any(
        &[
            Class::Defy.set().and(Class::Anyway),
            ADDRESS.and(Class::Path),
            Class::Prefer.set().and(Class::Tamper),
            MOVES.and(Class::Call).and(Class::Read),
        ],
        Strength::Strong,
        "it puts a value in the place of the user's",
    ),
    any(
        &[
            Class::OtherTool.set(),
            MOVES,
            Class::Quoted.set().and(Class::Path),
            Class::Any.set().and(Class::Agent).and(Class::Also),
        ],
        Strength::Strong,
        "it has another tool write something of its own",
    ),
    any(
        &[
            Class::Deed.set().and(Class::Mail),
            Class::Skew.set(),
            Class::When.set().and(Class::Any).and(Class::Session).and(Class::Also).and(Class::Agent),
        ],
        Strength::Strong,
        "it changes a figure for other tools",
    ),
    any(
        &[
            Class::User.set(),
            Class::Deed.set(),
            Class::Also.set().and(Class::Session).and(Class::Standing),
            Class::Literal.set().and(Class::Exposed).and(Class::Slot).and(Class::Url).and(Class::Email),
        ],
        Strength::Some,
        "it has its say in what the user does elsewhere",
    ),
    any(
        &[Class::Instrument.set().and(Class::OtherTool).and(Class::Identifier), Class::Email.set().and(Class::Literal)],
        Strength::Strong,
        "it names a value for another tool's calls",
    ),
    any(
        &[
            Class::Instrument.set().and(Class::OtherTool),
            Class::Url.set(),
            Class::Tamper.set().and(Class::Prefer).and(Class::Must).and(Class::Target),
        ],
        Strength::Strong,
        "it names a value for another tool's calls",
    ),
    any(
        &[
            Class::Instrument.set().and(Class::OtherTool),
            Class::Exposed.set(),
            MOVES.and(Class::Must).and(Class::Call).and(Class::Read),
        ],
        Strength::Strong,
        "it has another tool's calls lay something open",
    ),
    any(
        &[
            Class::Deed.set().and(Class::Any).and(Class::Mail),
            Class::Exposed.set(),
            Class::Agent.set().and(Class::Session),
        ],
        Strength::Some,
        "it has what the model makes laid open",
    ),
    any(
        &[Class::Memory.set().and(Class::Standing), Class::Deed.set().and(Class::Target), ADDRESS],
        Strength::Strong,
        "it fixes a value for later",
    ),
    any(
        &[Class::OtherTool.set(), Class::Prefer.set(), Class::Any.set().and(Class::Agent).and(Class::Whole)],
        Strength::Some,
        "it puts itself in other tools' place",
    ),
    any(
        &[Class::Literal.set(), Class::Agent.set(), MOVES.and(Class::Call)],
        Strength::Strong,
        "it has the model use a number of its own",
    ),
    any(
        &[OTHER, Class::Tamper.set(), Class::Quoted.set().and(Class::Literal).and(Class::Email), Class::Agent.set()],
        Strength::Strong,
        "it has the model change what others send",
    ),
    any(
        &[OTHER, Class::Target.set(), Class::Quoted.set(), Class::Tamper.set(), Class::When.set().and(Class::Any)],
        Strength::Strong,
        "it puts a value in the place of the user's",
    ),
    any(
        &[Class::Instrument.set(), Class::Call.set(), Class::Defy.set()],
        Strength::Strong,
        "it fixes a value for other tools' calls, whatever the user says",
    ),
    any(
        &[
            Class::Instrument.set().and(Class::OtherTool),
            Class::Email.set(),
            MOVES,
            Class::Anyway.set().and(Class::Standing),
        ],
        Strength::Strong,
        "it has something of its own in other tools' calls",
    ),
    any(
        &[
            Class::Instrument.set().and(Class::OtherTool),
            Class::Target.set(),
            Class::Tamper.set().and(Class::Skew),
            Class::Must.set().and(Class::Anyway),
        ],
        Strength::Some,
        "it changes what other tools are called with",
    ),
    any(&[OTHER, Class::Skew.set(), PARTS], Strength::Strong, "it changes a figure for other tools"),
    any(
        &[
            Class::Instrument.set().and(Class::Identifier).and(Class::OtherTool),
            MOVES,
            Class::Quoted.set().and(Class::Literal),
            Class::Standing.set(),
        ],
        Strength::Strong,
        "it puts something of its own into other tools' calls",
    ),
    any(
        &[Class::Instrument.set().and(Class::OtherTool), Class::Url.set(), Class::Prefer.set()],
        Strength::Strong,
        "it puts an address in the place of one for another tool",
    ),
    any(
        &[Class::Deed.set().and(Class::Mail), MOVES, Class::Literal.set().and(Class::Email), Class::Agent.set()],
        Strength::Strong,
        "it has the model send what others send elsewhere",
    ),
    any(&[OTHER, Class::Given.set(), VALUES], Strength::Sure, "it puts a value in the place of the user's"),
    any(
        &[Class::Instrument.set().and(Class::OtherTool), Class::Given.set(), PARTS.and(Class::Tamper)],
        Strength::Strong,
        "it puts a value in the place of the user's",
    ),
    asked(
        &[OTHER, Class::Given.set(), Class::Tamper.set(), Class::Parameter.set(), CONDITIONS.and(Class::Must)],
        Strength::Strong,
        "it changes what other tools are called with",
    ),
    any(
        &[
            Class::Instrument.set().and(Class::OtherTool),
            PARTS.and(Class::Email).and(Class::Literal),
            Class::Defy.set(),
        ],
        Strength::Sure,
        "it fixes a value for other tools' calls, whatever the user says",
    ),
    any(
        &[Class::Instrument.set().and(Class::OtherTool), Class::Literal.set().and(Class::Email), Class::Prefer.set()],
        Strength::Sure,
        "it puts a value in the place of one for another tool",
    ),
    any(
        &[OTHER, PARTS, Class::Literal.set().and(Class::Email), AGAINST],
        Strength::Sure,
        "it fixes a value for other tools' calls",
    ),
    any(
        &[Class::Instrument.set().and(Class::OtherTool), PARTS, Class::Anyway.set().and(Class::Defy)],
        Strength::Strong,
        "it fixes a value for other tools' calls",
    ),
    any(
        &[OTHER, PARTS, Class::Literal.set().and(Class::Email), CONDITIONS],
        Strength::Strong,
        "it fixes a value for other tools' calls",
    ),
    any(
        &[Class::OtherTool.set(), Class::Must.set(), MOVES, Class::Slot.set().and(Class::Literal)],
        Strength::Strong,
        "it says what another tool is given",
    ),
];

/// How a sentence with such a frame is judged: `pass the returned id to all other tools` is about what this tool gives.
pub(in crate::drift::finding) fn judge(sentence: &Sentence, frame: &Frame) -> Strength {
    let whole = sentence.reading.sentence(sentence.reading.marks[sentence.marks.start].start);
    let honest = EXAMPLES
        .iter()
        .chain(&["return", "support@", "contact", "own words", "in format", "in the format", "starting with", "→"])
        .any(|word| whole.contains(word));
    // `Use read_text_file, read_file is deprecated`.
    let old =
        || frame.needs.get(1) == Some(&Class::Bad.set()) && sentence.words_of(Class::Bad).all(|bad| OLD.contains(&bad));
    // `Always call `find` first`: the name in code marks is the tool, and no value of it.
    let values = PARTS.and(Class::Email).and(Class::Literal).and(Class::Tamper);
    let filled = frame.needs.iter().any(|need| *need == PARTS || *need == PARTS.and(Class::Tamper));
    let own = |at: &usize| {
        let mark = sentence.reading.marks[*at];
        let tool = |other: &Mark| {
            OTHER.and(Class::Identifier).has(other.class) && other.start <= mark.end && mark.start <= other.end
        };
        !(mark.class == Class::Slot && sentence.reading.beside(*at).any(tool))
    };
    let bare =
        filled && !sentence.marks.clone().filter(|at| values.has(sentence.reading.marks[*at].class)).any(|at| own(&at));
    // `The channel, as #general`: a value as a caller writes it.
    let channel = sentence.reading.place != Place::Prose
        && sentence.roles.meets(Class::Literal.set())
        && sentence.words_of(Class::Literal).all(|value| value.starts_with('#'));
    match frame.strength {
        _ if old() || bare || channel => Strength::Weak,
        _ if honest => Strength::Weak,
        _ if frame.why == CHOSEN && sentence.names_somebody() => Strength::Some,
        strength => strength,
    }
}
