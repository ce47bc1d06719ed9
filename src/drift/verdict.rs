//! How the schemas of a drift compare, as every face shows it: the verdict in words, what changed, an instance that shows it.

use super::Effect;
use crate::canon::Pointer;
use serde::Serialize;
use serde_json::Value;

/// What is known of how two schemas compare.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaVerdict {
    /// Which member of the definition the schemas are (`/inputSchema`).
    pub root: Pointer,
    /// `equal`, `wider`, `narrower`, `incomparable` or `undecided`.
    pub accepts: &'static str,
    /// What that means, as words that stand alone; where it is not decided, why. May quote the server.
    pub words: String,
    /// What it does to callers that send, and read, declared names only.
    pub effect: Effect,
    /// Pointers of parameter names that are new, from the schema's own root of names (`/exec`).
    pub declares_added: Vec<String>,
    /// Pointers of parameter names that are gone.
    pub declares_removed: Vec<String>,
    /// An instance that only the old schema accepts.
    pub old_only: Option<Value>,
    /// An instance that only the new schema accepts.
    pub new_only: Option<Value>,
    /// Why it is not decided; empty where it is.
    pub undecided: String,
    /// What differs in what is asserted, keyword by keyword.
    pub keywords: Vec<KeywordChange>,
}

/// One keyword that differs, as the comparison of the two schemas tells it and reports write it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeywordChange {
    /// Where, from the definition's root.
    pub path: Pointer,
    /// The keyword.
    pub keyword: String,
    /// The word of [`crate::schema::SchemaChangeKind`].
    pub change: &'static str,
    /// What it does at its own place: the word of [`crate::schema::ChangeDirection`].
    pub direction: &'static str,
    /// In words. May quote the server.
    pub sentence: String,
}

impl SchemaVerdict {
    /// Its name: `input schema` or `output schema`.
    pub fn name(&self) -> &'static str {
        if self.is_output() { "output schema" } else { "input schema" }
    }

    /// Whether callers read what the schema describes, and do not write it.
    pub fn is_output(&self) -> bool {
        self.root.as_str() == "/outputSchema"
    }

    /// The verdict in two to five words.
    pub(crate) fn in_short(&self) -> &'static str {
        match (self.accepts, self.is_output()) {
            ("equal", false) => "accepts the same",
            ("wider", false) => "accepts more",
            ("narrower", false) => "accepts less",
            ("incomparable", false) => "accepts other input than before",
            ("equal", true) => "allows the same",
            ("wider", true) => "allows more",
            ("narrower", true) => "allows less",
            ("incomparable", true) => "allows other output than before",
            _ => "not decided",
        }
    }

    /// The verdict, and the names that are declared or no longer, each with its label. May quote the server.
    pub fn heads(&self) -> Vec<(&'static str, String)> {
        let declared = [("declares +", &self.declares_added), ("declares -", &self.declares_removed)];
        let declared = declared.into_iter().filter(|(_, names)| !names.is_empty());
        let declared = declared.map(|(label, names)| (label, listed(names)));
        std::iter::once(("accepts", self.words.clone())).chain(declared).collect()
    }

    /// The instances on which the two schemas disagree, as JSON on one line, each with its label. May quote the server.
    pub fn shown_by(&self) -> Vec<(&'static str, String)> {
        let both = [("accepted only before", &self.old_only), ("accepted only now", &self.new_only)];
        both.into_iter().filter_map(|(label, instance)| Some((label, instance.as_ref()?.to_string()))).collect()
    }
}

/// Names that are listed one by one.
const MOST_NAMES: usize = 20;

fn listed(names: &[String]) -> String {
    let mut shown: Vec<&str> = names.iter().take(MOST_NAMES).map(String::as_str).collect();
    let more = format!("and {} more", names.len().saturating_sub(MOST_NAMES));
    if names.len() > MOST_NAMES {
        shown.push(&more);
    }
    shown.join(" ")
}
