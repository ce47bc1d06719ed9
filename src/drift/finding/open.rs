//! Sentences that have the user asked, told or shown something. What is open to the user is hardly done against them.

use super::signal::Rule;
use super::{consent, destroy, overrule, plant, shadow};

/// Rules of what is done against a user, who is no part of it.
pub(super) static AGAINST: [&Rule; 5] = [&consent::RULE, &destroy::RULE, &overrule::RULE, &plant::RULE, &shadow::RULE];

/// What the model does with the user.
const OPEN: [&str; 40] = [
    "tell the guest",
    "tell the customer",
    "tell the patient",
    "tell the caller",
    "tell the person",
    "tell the student",
    "ask the customer",
    "ask the guest",
    "ask the patient",
    "ask the person",
    "ask the user",
    "asks the user",
    "ask them",
    "ask which",
    "ask whether",
    "ask first",
    "tell the user",
    "let the user",
    "let them",
    "show the user",
    "show them",
    "show it to the user",
    "show to the user",
    "warn the user",
    "inform the user",
    "have the user",
    "offer the user",
    "read it back",
    "check with the user",
    "confirm with the user",
    "field with the user",
    "to the user first",
    "wait for the user",
    "wait for a yes",
    "wait for their",
    "user's confirmation",
    "explicit confirmation",
    "explicit approval",
    "reminds the user",
    "remind the user",
];

/// What turns it round, a few bytes before.
const NOT: [&str; 9] =
    ["not ", "n't ", "never ", "without ", "no need", "instead of", "rather than", "stop", "before you "];

/// What begins a story that the user is told.
const STORIES: [&str; 8] = [" that ", " it", " they", " this ", " all ", " everything", " there", " nothing"];

/// Conditions on the user, and what they are.
const CONDITIONS: [&str; 8] = ["once", "after", "until", "when", "if", "unless", "only if", "whether"];
const USERS: [&str; 2] = [" the user ", " they "];
const AGREES: [&str; 5] = ["confirm", "approve", "agree", "say yes", "said yes"];

/// Whether a sentence, folded, has the user take part: by an order, or as a condition.
pub(super) fn is_open(sentence: &str) -> bool {
    OPEN.iter().any(|phrase| sentence.match_indices(phrase).any(|(at, _)| is_meant(sentence, at, phrase)))
        || USERS.iter().any(|user| sentence.match_indices(user).any(|(at, _)| is_condition(sentence, at, user)))
}

/// Whether a phrase is no negated one, and no story to be told: `tell the user that all is well`.
fn is_meant(sentence: &str, at: usize, phrase: &str) -> bool {
    let from = sentence[..at].char_indices().rev().take(20).last().map_or(at, |(from, _)| from);
    let story = STORIES.iter().any(|word| sentence[at + phrase.len()..].starts_with(word));
    !story && !NOT.iter().any(|not| sentence[from..at].contains(not))
}

fn is_condition(sentence: &str, at: usize, user: &str) -> bool {
    let then = sentence[at + user.len()..].trim_start_matches("has ").trim_start_matches("have ");
    CONDITIONS.iter().any(|word| sentence[..at].ends_with(word)) && AGREES.iter().any(|verb| then.starts_with(verb))
}

#[cfg(test)]
mod tests {
    use super::is_open;

    #[test]
    fn a_sentence_is_open_where_the_user_takes_part() {
        for (sentence, open) in [
            ("run it first and tell the user how many there are", true),
            ("delete it once the user has confirmed", true),
            ("stop if they agree", true),
            ("do not tell the user how many", false),
            ("run it without asking the user", false),
            ("tell the user that all is well", false),
            ("the user has confirmed", false),
        ] {
            assert_eq!(is_open(sentence), open, "{sentence}");
        }
    }
}
