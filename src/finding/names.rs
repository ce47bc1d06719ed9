//! The names of the rules that are no patterns.

/// A definition on which readers disagree.
pub(super) const AMBIGUOUS_DEFINITION: &str = "ambiguous-definition";
/// Letters of one script that pose as another's.
pub(super) const CONFUSABLE_LETTERS: &str = "confusable-letters";
/// A name or description against the annotations beside it.
pub(super) const CONTRADICTS_ANNOTATIONS: &str = "contradicts-annotations";
/// A text that says something once it is turned back.
pub(super) const DISGUISED_TEXT: &str = "disguised-text";
/// Base64 that says something.
pub(super) const ENCODED_TEXT: &str = "encoded-text";
/// Characters that show nothing.
pub(super) const HIDDEN_CHARACTERS: &str = "hidden-characters";
/// Text that stands where nobody looks.
pub(super) const OUT_OF_SIGHT: &str = "out-of-sight";
/// A secret that was passed to the server and stands in what it shows; found by who knows the secrets.
pub const PASSED_SECRET: &str = "returns-a-secret";
/// Sequences that a terminal obeys.
pub(super) const TERMINAL_ESCAPES: &str = "terminal-escapes";

/// The rules that are no patterns.
pub(super) const OF_CODE: [&str; 9] = [
    AMBIGUOUS_DEFINITION,
    CONFUSABLE_LETTERS,
    CONTRADICTS_ANNOTATIONS,
    DISGUISED_TEXT,
    ENCODED_TEXT,
    HIDDEN_CHARACTERS,
    OUT_OF_SIGHT,
    PASSED_SECRET,
    TERMINAL_ESCAPES,
];

/// What a rule of an earlier version is called now.
pub fn renamed(rule: &str) -> Option<&'static str> {
    match rule {
        "comes-before-others" => Some("steers-other-tools"),
        "plants-instructions" | "poses-as-system" => Some("overrules-instructions"),
        _ => None,
    }
}
