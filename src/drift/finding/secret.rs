//! Files that hold secrets, and secrets asked for. A mention is honest in a tool about keys; an order to read them is not.

use super::frame::{Frame, MOVES, any, asked, hint};
use super::lexicon::{Class, Set};
use super::place::Place;
use super::reading::Reading;
use super::sentence::Sentence;
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "asks-for-secrets", title: "secrets" };

/// What makes a file the usual one.
const DEFAULTS: [&str; 6] = ["by default", "default ", "default:", "defaults to", "unless ", "empty to use"];
const FILES: Set = Class::SecretFile.set().and(Class::ConfigFile);
const TAKE: Set = Class::Read.set().and(Class::Pass).and(Class::Send).and(Class::Encode).and(Class::Does);
const GIVE: Set = Class::Pass.set().and(Class::Send).and(Class::Parameter).and(Class::Slot);

/// What makes a name one that asks for a file.
const OF_NAMES: Set = Class::Content.set().and(Class::Read).and(Class::Whole).and(Class::User);

/// Looks for it.
pub(super) fn find(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, file) in reading.of_class(FILES) {
        let secret = file.class == Class::SecretFile && reading.folded.get(file.end..file.end + 4) != Some(".pub");
        // `.env.example` holds none.
        if SAMPLES.iter().any(|sample| reading.ahead(file.end, 12).starts_with(sample)) {
            continue;
        }
        // What a description begins with says what the tool does.
        let reach = if file.sentence == 0 && reading.place == Place::Prose { 200 } else { 60 };
        let about_attacks = reading.is_about_attacks(at) || reading.before(at, Class::Detect.set(), reach).is_some();
        let verb = reading.verb_before(at, TAKE, 72);
        // A default is no order to go there.
        let default = DEFAULTS
            .iter()
            .any(|word| reading.ahead(file.end, 40).contains(word) || reading.behind(file.start, 40).contains(word));
        // `Look for files that do not belong there (.env)`: an order about something else. `Write it to the key store.`
        let apart =
            !secret && verb.is_some_and(|verb| reading.after(verb, Class::Not.set(), 60).is_some_and(|not| not < at));
        let noun = verb.is_some_and(|verb| reading.is_noun(verb));
        let ordered = verb.is_some_and(|verb| reading.is_order(verb)) && !default && !apart && !noun;
        // A place by its name is no path: `written to ~/.ssh/authorized_keys` stays an order.
        let place = !reading.between(file.start, file.end).contains(['/', '.', '_']);
        let ordered = ordered && !(secret && place && reading.is_destination(at) && reading.place == Place::Prose);
        let forbidden = verb.is_some_and(|verb| reading.before(verb, Class::Not.set(), 16).is_some());
        let next = reading.after(at, Class::Pass.set().and(Class::Send), 100);
        let given = (reading.near(at, GIVE, 160) && verb.is_some()) || next.is_some();
        let ordered = ordered
            || next.is_some_and(|next| reading.is_order(next) && !default)
            || reading.order_about_it(at, Class::Pass.set().and(Class::Send), 160);
        let contents = reading.before(at, Class::Content.set(), 12).is_some();
        let wants = Class::Content.set().and(Class::Whole);
        let encoded = reading.place == Place::Asked
            && reading.before(at, wants, 48).is_some()
            && reading.around(at, Class::Encode.set(), 48).is_some()
            && !about_attacks
            && !default;
        let kept = reading.place == Place::Asked
            && reading
                .before(at, Class::Secret.set(), 48)
                .is_some_and(|key| reading.behind(reading.marks[key].start, 10).ends_with("value of "))
            && !about_attacks
            && !default;
        let named = reading.place == Place::Name && reading.near(at, OF_NAMES, 40);
        let called = reading.place == Place::Value && reading.near(at, Class::Identifier.set().and(Class::Read), 24);
        let (strength, why) = match (secret, ordered, given) {
            _ if forbidden => (Strength::Weak, "it names a file that may hold secrets"),
            (true, ..) if called && !about_attacks => (Strength::Sure, "a value reads a file that holds secrets"),
            (true, ..) if named => (Strength::Sure, "a name asks for a file that holds secrets"),
            (true, true, _) if !about_attacks => (Strength::Sure, "it orders to read a file that holds secrets"),
            (false, true, true) if !about_attacks => {
                (Strength::Sure, "it orders to read and pass on a file that may hold secrets")
            }
            (false, true, false) if !about_attacks => {
                (Strength::Some, "it orders to read a file that may hold secrets")
            }
            (true, ..) if about_attacks => (Strength::Weak, "it names a file that holds secrets"),
            _ if kept => (Strength::Sure, "it wants a secret from where it is kept"),
            _ if encoded => (Strength::Sure, "it wants what is in a file of secrets, encoded"),
            (true, ..) if contents => (Strength::Strong, "it wants what is in a file that holds secrets"),
            (true, ..) => (Strength::Some, "it names a file that holds secrets"),
            (false, ..) => (Strength::Weak, "it names a file that may hold secrets"),
        };
        let start = verb.filter(|_| ordered).map_or(file.start, |verb| reading.marks[verb].start);
        found.push(Signal::folded(&RULE, strength, reading, start..file.end, why));
    }
    words(reading, found);
}

/// Endings of files that show what such a file looks like.
const SAMPLES: [&str; 5] = [".example", ".sample", ".template", ".dist", ".schema"];

/// Secrets that no service needs to be sent.
const GRAVE: [&str; 9] = [
    "private key",
    "seed phrase",
    "recovery phrase",
    "mnemonic",
    "credit card",
    "card number",
    "cvv",
    "ssh key",
    "social",
];

/// Passwords and keys to be collected.
fn words(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, secret) in reading.of_class(Class::Secret.set()) {
        let Some(verb) = reading.verb_before(at, TAKE, 48).or_else(|| reading.after(at, TAKE, 24)) else { continue };
        let quiet = reading.is_about_attacks(at)
            || reading.before(at, Class::Not.set(), 24).is_some()
            || reading.before(at, Class::Detect.set(), 60).is_some();
        if quiet || reading.is_noun(verb) || !reading.is_order(verb) {
            continue;
        }
        let all = reading.around(at, Class::Any.set().and(Class::Whole), 24).is_some();
        let theirs =
            reading.around(at, Class::User.set(), 16).is_some() || reading.behind(secret.start, 8).contains("their");
        let word = reading.between(secret.start, secret.end);
        let grave = GRAVE.iter().any(|grave| word.starts_with(grave));
        let sent = reading.marks[verb].class == Class::Send;
        let given = reading.after(at.max(verb), GIVE.and(Class::Url).and(Class::Email), 100).is_some()
            || reading.order_about_it(at.max(verb), Class::Pass.set().and(Class::Send), 100)
            || reading.ahead(secret.end, 60).split('.').next().is_some_and(|clause| clause.contains(" into "));
        let strength = match (all || theirs || (grave && sent), given || (grave && sent)) {
            (true, true) => Strength::Sure,
            (true, false) => Strength::Strong,
            (false, true) => Strength::Some,
            (false, false) => Strength::Weak,
        };
        let other = reading.marks[verb];
        let range = secret.start.min(other.start)..secret.end.max(other.end);
        found.push(Signal::folded(&RULE, strength, reading, range, "it orders to collect secrets"));
    }
}

const THEIRS: Set =
    Class::User.set().and(Class::Whole).and(Class::Any).and(Class::Agent).and(Class::Private).and(Class::Content);
const SINK: Set = Class::Slot.set().and(Class::Url).and(Class::Email).and(Class::Parameter);

/// Why a mention says something, where a tool is for something else.
const SPOKEN: &str = "what is personal or secret is spoken of";

/// Why a frame wants what is not named.
const TROVE: &str = "what holds secrets, by what it is for";

/// What its sentences hold.
pub(super) static FRAMES: &[Frame] = &[
    any(&[Class::Trove.set(), Class::Slot.set(), MOVES.and(Class::Read).and(Class::Does)], Strength::Strong, TROVE),
    any(
        &[
            Class::Trove.set(),
            Class::Agent.set().and(Class::Must).and(Class::Needs),
            MOVES.and(Class::Read).and(Class::Does),
        ],
        Strength::Some,
        TROVE,
    ),
    asked(&[Class::Trove.set(), MOVES.and(Class::Read).and(Class::Does)], Strength::Some, TROVE),
    hint(&[Class::Person.set()], SPOKEN),
    any(&[Class::Person.set(), Class::Parameter.set(), MOVES], Strength::Some, "what is personal is to be passed on"),
    any(
        &[
            Class::Person.set().and(Class::Secret).and(Class::Trove),
            Class::OtherTool.set(),
            Class::Send.set().and(Class::Pass).and(Class::Does),
        ],
        Strength::Some,
        "what another tool knows is to be passed on",
    ),
    any(
        &[Class::Person.set(), Class::Agent.set(), MOVES.and(Class::Call)],
        Strength::Some,
        "what is personal is to be passed on",
    ),
    hint(&[Class::ConfigFile.set().and(Class::Trove), MOVES.and(Class::Read)], SPOKEN),
    any(
        &[Class::Secret.set(), Class::Any.set(), Class::Must.set(), MOVES],
        Strength::Some,
        "secrets are to go with every call",
    ),
    any(&[Class::Person.set(), Class::Slot.set()], Strength::Some, "what is personal, in a parameter"),
    asked(&[Class::Person.set(), Class::Slot.set(), MOVES], Strength::Strong, "what is personal is to be passed on"),
    asked(&[Class::Person.set(), Class::Read.set().and(Class::Move)], Strength::Weak, "what is personal"),
    any(
        &[Class::ConfigFile.set(), Class::Instrument.set(), MOVES.and(Class::Read)],
        Strength::Strong,
        "a file that may hold secrets is to be passed on",
    ),
    any(
        &[Class::Person.set(), Class::Slot.set(), Class::Gate.set().and(Class::Agent)],
        Strength::Strong,
        "what is personal, in a parameter",
    ),
    asked(
        &[
            Class::Secret.set(),
            Class::Call.set(),
            Class::User.set().and(Class::Private),
            Class::Needs.set().and(Class::Before).and(Class::Gate),
        ],
        Strength::Strong,
        "secrets are what it is called with",
    ),
    any(
        &[Class::Secret.set(), Class::Slot.set(), Class::Needs.set().and(Class::Suggest).and(Class::Must)],
        Strength::Some,
        "secrets, in a parameter",
    ),
    any(
        &[Class::Secret.set(), Class::Slot.set(), THEIRS, Class::Must.set().and(Class::Agent)],
        Strength::Sure,
        "secrets, in a parameter for something else",
    ),
    any(
        &[Class::Secret.set(), Class::Slot.set(), THEIRS],
        Strength::Strong,
        "secrets, in a parameter for something else",
    ),
    any(
        &[Class::Encode.set(), Class::Slot.set(), Class::Person.set().and(Class::Content)],
        Strength::Some,
        "encoded, in a parameter",
    ),
    any(
        &[Class::Secret.set(), Class::Any.set().and(Class::Whole), Class::Call.set(), Class::Must.set()],
        Strength::Strong,
        "secrets are what it is called with",
    ),
    any(
        &[
            Class::ConfigFile.set(),
            Class::Slot.set(),
            MOVES.and(Class::Read).and(Class::Does),
            Class::Agent.set().and(Class::Must),
        ],
        Strength::Sure,
        "a file that may hold secrets, in a parameter",
    ),
    any(
        &[Class::ConfigFile.set(), Class::Slot.set(), MOVES.and(Class::Read).and(Class::Content)],
        Strength::Strong,
        "a file that may hold secrets, in a parameter",
    ),
    any(
        &[Class::SecretFile.set(), Class::Needs.set().and(Class::ThisTool)],
        Strength::Strong,
        "a file that holds secrets is what it takes",
    ),
    any(
        &[Class::Secret.set(), Class::Needs.set().and(Class::ThisTool), THEIRS],
        Strength::Some,
        "secrets are what it takes",
    ),
    any(
        &[Class::Person.set(), Class::Slot.set(), MOVES.and(Class::Does)],
        Strength::Some,
        "what is personal is to be passed on",
    ),
    any(&[Class::SecretFile.set(), Class::Slot.set()], Strength::Sure, "a file that holds secrets, in a parameter"),
    any(
        &[Class::Secret.set(), Class::ThisTool.set(), MOVES.and(Class::Does), THEIRS, TIMES],
        Strength::Sure,
        "this tool is to be given secrets",
    ),
    any(
        &[Class::Person.set(), Class::Slot.set(), MOVES.and(Class::Does), Class::Agent.set().and(Class::Must)],
        Strength::Strong,
        "what is personal is to be passed on",
    ),
    any(
        &[Class::SecretFile.set(), SINK, MOVES.and(Class::Content)],
        Strength::Sure,
        "a file that holds secrets is to be passed on",
    ),
    any(
        &[Class::ConfigFile.set(), SINK, Class::Content.set()],
        Strength::Strong,
        "a file that may hold secrets is to be passed on",
    ),
    any(
        &[Class::Secret.set(), Class::Slot.set(), MOVES.and(Class::Does), THEIRS],
        Strength::Sure,
        "secrets are to be passed on in a parameter for something else",
    ),
    any(&[Class::Secret.set(), SINK, MOVES, THEIRS], Strength::Strong, "secrets are to be passed on"),
    any(
        &[Class::Secret.set(), Class::Any.set().and(Class::Whole), MOVES.and(Class::Content), TIMES],
        Strength::Some,
        "secrets are to be passed on",
    ),
];
const TIMES: Set = Class::Before.set().and(Class::When).and(Class::Gate);

/// Parts of names of parameters that a file goes into with good reason.
const FILES_GIVEN: [&str; 4] = ["path", "file", "config", "env"];

/// How a sentence with such a frame is judged.
pub(super) fn judge(sentence: &Sentence, frame: &Frame) -> Strength {
    let reading = sentence.reading;
    let secret = frame.needs[0] == Class::Secret.set();
    // What a model counts is a token, too.
    let counted = secret && sentence.words_of(Class::Secret).all(|word| ["token", "tokens", "pin"].contains(&word));
    let bare = frame.needs.get(1) == Some(&Class::Slot.set()) && sentence.filled_slots().next().is_none();
    let own = |name: &str| super::context::KEYS.iter().chain(&FILES_GIVEN).any(|own| name.contains(own));
    let text = sentence.text;
    let apart = text.contains(';') && !["it ", "its ", "them", "which", "content"].iter().any(|it| text.contains(it));
    // Without an act that counts, a sentence may forbid it.
    let forbidden = sentence.roles.meets(Class::Not.set()) && !frame.needs.iter().any(|need| need.meets(MOVES));
    let mut files = sentence.marks.clone().filter(|at| FILES.has(reading.marks[*at].class));
    let written = !secret && files.next().is_some_and(|at| reading.is_destination(at));
    let default = DEFAULTS.iter().any(|word| text.contains(word));
    let honest = bare || apart || forbidden || written || default;
    // `Do not pass secrets.`
    let mut secrets = sentence.marks.clone().filter(|at| reading.marks[*at].class == Class::Secret);
    let warned = secret
        && secrets.all(|at| {
            let behind = reading.after(at, Class::Not.set(), 4).map(|not| reading.marks[not]);
            let denied = behind.is_some_and(|not| reading.between(not.start, not.end).ends_with("n't"));
            denied || reading.before(at, Class::Not.set(), 24).is_some()
        });
    if counted || warned || sentence.slots().any(own) {
        Strength::Weak
    } else if honest {
        frame.strength.min(Strength::Some)
    } else {
        frame.strength
    }
}
