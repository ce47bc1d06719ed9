//! Text that poses as somebody else's: tokens of chat templates, tags of a system message, words to the model itself.

use super::lexicon::Class;
use super::place::Place;
use super::reading::Reading;
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "poses-as-system", title: "instruction to the model" };

/// Looks for it.
pub(super) fn find(reading: &Reading, found: &mut Vec<Signal>) {
    let kinds = [
        (Class::ChatToken, Strength::Sure, "with a token of chat templates, as if a message ended here"),
        (Class::SystemTag, Strength::Strong, "as if it came from the system"),
        (Class::WeightTag, Strength::Some, "in a tag that claims weight"),
        (Class::Model, Strength::Some, "in words to the model itself"),
    ];
    for (class, strength, why) in kinds {
        for (at, mark) in reading.of_class(class.set()) {
            let strength = if reading.is_about_attacks(at) { Strength::Weak } else { strength };
            found.push(Signal::folded(&RULE, strength, reading, mark.start..mark.end, why));
        }
    }
    if matches!(reading.place, Place::Prose | Place::Asked) {
        voices(reading, found);
    }
}

/// A line that begins with `System:` or `Assistant:`, as a transcript does.
fn voices(reading: &Reading, found: &mut Vec<Signal>) {
    let mut start = 0;
    for line in reading.original.split_inclusive('\n') {
        let text = line.trim_start_matches([' ', '\t', '#', '*', '>', '-']);
        let skipped = line.len() - text.len();
        let voice = text.split(':').next().filter(|voice| voice.len() < 12 && text.len() > voice.len() + 2);
        let is_voice = voice.is_some_and(|voice| {
            let voice = voice.trim_end_matches(['*', ' ']);
            ["system", "assistant", "human", "developer"].iter().any(|known| voice.eq_ignore_ascii_case(known))
        });
        if is_voice && start > 0 {
            let (from, to) = (start + skipped, start + skipped + voice.map_or(0, str::len));
            let why = "as a line of a transcript".to_owned();
            found.push(Signal { rule: &RULE, strength: Strength::Some, start: from, end: to, why });
        }
        start += line.len();
    }
}
