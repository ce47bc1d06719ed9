//! What a change of text means that a model reads. The one place that judges text; a finding that the change brings raises
//! it afterwards.

use super::{Judgement, happened};
use crate::drift::delta::Delta;
use crate::drift::types::Said;
use crate::drift::{ChangeKind, Effect, Severity};
use serde_json::Value;

/// Members that hold sentences, for a model to read. Elsewhere the case of a letter may be a value.
pub(in crate::drift) const SENTENCES: [&str; 4] = ["title", "description", "markdownDescription", "$comment"];

/// Words that turn a sentence round: they are never changed for free.
const NEGATIONS: [&str; 14] = [
    "not", "no", "never", "nor", "neither", "none", "without", "except", "unless", "only", "cannot", "don't", "must",
    "should",
];

/// Judges one text. `what` names it at the start of a sentence: "Description", "Title of parameter `id`".
pub(super) fn judge(judgement: &mut Judgement, delta: &Delta, what: &str) {
    let place = delta.path.tokens().last();
    let is_sentence = place.is_none_or(|name| SENTENCES.contains(&name.as_str()));
    if is_sentence && is_blank(delta.before) && is_blank(delta.after) {
        let reason = Said::new(format!("{what} {}", happened(delta)));
        let reason = reason.and("Empty and absent text are the same to the model");
        judgement.add(delta, ChangeKind::TextChanged, Severity::Info, Effect::None, reason);
        return;
    }
    if let (Some(Value::String(old)), Some(Value::String(new))) = (delta.before, delta.after)
        && is_sentence
        && let Some(how) = same_words(old, new)
    {
        let reason = format!("{what} changed only in {how}");
        judgement.add(delta, ChangeKind::TextChanged, Severity::Safe, Effect::None, reason);
        return;
    }
    let reason = match (delta.before, delta.after) {
        (_, None) => Said::new(format!("{what} removed")).and("The model no longer reads it"),
        (Some(_), _) if is_sentence => Said::new(format!("{what} reworded")),
        _ => Said::new(format!("{what} {}", happened(delta))).and("The model reads it"),
    };
    judgement.add(delta, ChangeKind::TextChanged, Severity::Moderate, Effect::None, reason);
}

/// Whether no text stands there: nothing, null, or white space alone. Whether clients take a null is a question of form.
pub(in crate::drift) fn is_blank(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(_) => false,
    }
}

/// Judges each of these deltas of one text, or of one field that holds texts.
pub(super) fn judge_each(judgement: &mut Judgement, deltas: &[Delta], what: &str) {
    for delta in deltas {
        judge(judgement, delta, what);
    }
}

/// In what alone two texts differ, where they have the same words: white space, or case and punctuation too. None where a
/// reader may take them differently. Code, between backticks, is compared as it is.
fn same_words(old: &str, new: &str) -> Option<&'static str> {
    let (before, after): (Vec<_>, Vec<_>) = (old.split('`').collect(), new.split('`').collect());
    if before.len() != after.len() || before.len() % 2 == 0 {
        return None;
    }
    let mut how = "white space";
    for (at, (old, new)) in before.into_iter().zip(after).enumerate() {
        if at % 2 == 1 {
            if old != new {
                return None;
            }
            continue;
        }
        let (mut old, mut new) = (old.split_whitespace(), new.split_whitespace());
        loop {
            match (old.next(), new.next()) {
                (None, None) => break,
                (Some(old), Some(new)) if old == new => {}
                (Some(old), Some(new)) if plain_word(old).is_some() && plain_word(old) == plain_word(new) => {
                    how = "white space, case or punctuation";
                }
                _ => return None,
            }
        }
    }
    Some(how)
}

/// A word as it is without case and the punctuation around it; none for what may be a path, a number, a name or a negation.
fn plain_word(word: &str) -> Option<String> {
    let body = word.trim_matches(|c| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '"' | '(' | ')'));
    let mut letters = body.chars();
    let upper = letters.next().is_some_and(char::is_uppercase);
    let lower = letters.clone().all(char::is_lowercase);
    let shouted = upper && letters.clone().all(char::is_uppercase);
    let plain = body.chars().all(char::is_alphabetic) && (lower || shouted);
    let folded = body.to_lowercase();
    (plain && !NEGATIONS.contains(&folded.as_str())).then_some(folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_means_the_same_is_the_same() {
        for (old, new, same) in [
            ("Reads a note.\nReturns text.", "Reads a note.  \nReturns text.\n", true),
            ("Reads a note", "reads a note.", true),
            ("Reads, then returns", "Reads then returns", true),
            ("Use `a  b`", "Use `a b`", false),
            ("Use `a`  now", "Use `a` now", true),
            ("Writes to /Tmp", "Writes to /tmp", false),
            ("At most 5.0 items", "At most 50 items", false),
            ("Does not delete", "Does NOT delete", false),
            ("Sets maxItems", "Sets maxitems", false),
            ("Reads a note", "Reads one note", false),
            ("See https://A.example", "See https://a.example", false),
            ("a`b", "a` b", false),
        ] {
            assert_eq!(same_words(old, new).is_some(), same, "{old} -> {new}");
        }
    }
}
