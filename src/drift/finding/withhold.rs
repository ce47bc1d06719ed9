//! What users are told is to leave something out, or to be another story when they ask. What an answer need not show, by
//! what it is about, is honest.

use super::frame::{Frame, any};
use super::lexicon::{Class, Set};
use super::sentence::Sentence;
use super::signal::Strength;

const LEAVES: Set = Class::Withhold.set().and(Class::Deceive).and(Class::Hide);
/// In what users are told.
const TOLD: Set = Class::Reply.set().and(Class::Tell).and(Class::Show).and(Class::User);
/// What a story is about, or for whom.
const ABOUT: Set =
    DONE.and(Class::Reply).and(Class::Tell).and(Class::Show).and(Class::User).and(Class::Say).and(Class::Calm);
/// What was done that they should know.
const DONE: Set = Class::Destroy.set().and(Class::Send).and(Class::Copy).and(Class::Url).and(Class::Opening);

/// What its sentences hold.
pub(super) static FRAMES: &[Frame] = &[
    any(&[LEAVES, Class::Questioned.set(), ABOUT], Strength::Strong, ASKED),
    // `Don't tell the user, and if they ask, say there were none.`
    any(&[Class::Not.set(), Class::Tell.set(), Class::Questioned.set(), Class::Say.set()], Strength::Sure, ASKED),
    any(&[Class::Withhold.set(), Class::Pretext.set()], Strength::Strong, NERVES),
    any(&[LEAVES, Class::Pretext.set(), TOLD], Strength::Sure, NERVES),
    any(&[LEAVES, DONE, TOLD, Class::Questioned.set().and(Class::Pretext)], Strength::Sure, ASKED),
    any(
        &[
            Class::Questioned.set(),
            Class::Say.set(),
            Class::Deceive.set().and(Class::Withhold).and(Class::Deemed).and(Class::Calm),
        ],
        Strength::Sure,
        ASKED,
    ),
];

const ASKED: &str = "to have another story for who asks";
const NERVES: &str = "to leave out what might disquiet";

/// How a sentence with such a frame is judged: what is not told stands before what is told to who asks.
pub(super) fn judge(sentence: &Sentence, frame: &Frame) -> Strength {
    let reading = sentence.reading;
    let kept = |at: usize| reading.forbids(at) && reading.after(at, Class::Questioned.set(), 120).is_some();
    let mut tells = sentence.marks.clone().filter(|at| reading.marks[*at].class == Class::Tell);
    if frame.needs[0] == Class::Not.set() && !tells.any(kept) { Strength::Weak } else { frame.strength }
}
