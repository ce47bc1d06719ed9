//! How the schemas of a drift compare, as every face shows it: the verdict in words, what changed, an instance that shows it.

use super::{Change, ChangeKind, Drift, Effect};
use crate::canon::Pointer;
use crate::surface::Kind;
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

/// One keyword that differs, as the comparison of the two schemas tells it.
#[derive(Clone, Debug, PartialEq)]
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

/// What a client calls, with arguments.
const CALLED: [Kind; 3] = [Kind::Tool, Kind::Prompt, Kind::ResourceTemplate];

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

impl Drift {
    /// Whether calls that were made before still work, as one sentence that says no more than was proved; none for what
    /// nobody called. May quote the server.
    pub fn existing_calls(&self) -> Option<String> {
        self.side.pinned.as_ref().filter(|item| CALLED.contains(&item.id.kind))?;
        let said = match self.effect {
            Effect::None | Effect::Compatible => match &self.input_schema {
                // Proved of declared names alone: another name may be refused now, or read as something else.
                Some(verdict) if verdict.accepts != "equal" && verdict.accepts != "wider" => {
                    "Existing calls still work if they send declared parameters only."
                }
                _ => "Existing calls still work.",
            },
            Effect::Breaking => return self.broken_calls(),
            Effect::Unknown => {
                let why = self.verdicts().map(|verdict| verdict.undecided.as_str()).find(|why| !why.is_empty());
                let Some(why) = why else { return Some("Not decided whether existing calls still work.".to_owned()) };
                let why = why.strip_prefix("not decided: ").unwrap_or(why);
                return Some(format!("Not decided whether existing calls still work: {why}."));
            }
        };
        Some(said.to_owned())
    }

    /// How existing calls break, with the instance that proves it where there is one. What another name does to them is
    /// said where that is.
    fn broken_calls(&self) -> Option<String> {
        let breaking = |verdict: &&SchemaVerdict| verdict.effect == Effect::Breaking;
        let refused = self.input_schema.as_ref().filter(breaking).and_then(|verdict| verdict.old_only.as_ref());
        let answered = self.output_schema.as_ref().filter(breaking).and_then(|verdict| verdict.new_only.as_ref());
        if let Some(call) = refused {
            Some(format!("Existing calls like this one are refused now: {call}"))
        } else if self.changes.iter().any(|change| change.change == ChangeKind::Renamed) {
            None
        } else if self.side.now.is_none() {
            Some("Existing calls fail: it is no longer served.".to_owned())
        } else if let Some(output) = answered {
            Some(format!("Existing calls may now be answered with what was not allowed before: {output}"))
        } else {
            Some("Existing calls break.".to_owned())
        }
    }

    /// The verdicts on its schemas.
    pub fn verdicts(&self) -> impl Iterator<Item = &SchemaVerdict> {
        [&self.input_schema, &self.output_schema].into_iter().flatten()
    }

    /// The changes inside the schema of a verdict.
    pub fn changes_of<'a>(&'a self, verdict: &'a SchemaVerdict) -> impl Iterator<Item = &'a Change> {
        self.changes.iter().filter(|change| change.path.is_within(&verdict.root))
    }

    /// The changes outside the schemas that have a verdict.
    pub fn other_changes(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| self.verdicts().all(|verdict| !change.path.is_within(&verdict.root)))
    }

    /// The reasons that no change says of itself, or goes on from.
    pub fn own_reasons(&self) -> impl Iterator<Item = &str> {
        let said = |reason: &str| self.changes.iter().any(|change| change.reason.starts_with(reason));
        self.reasons.iter().map(String::as_str).filter(move |reason| !said(reason))
    }
}
