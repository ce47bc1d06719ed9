//! What a drift does to the calls that were made before it.

use super::{ChangeKind, Drift, Effect, Group, SchemaVerdict};
use crate::surface::Kind;
use std::collections::BTreeMap;

/// What a client calls, with arguments.
const CALLED: [Kind; 3] = [Kind::Tool, Kind::Prompt, Kind::ResourceTemplate];

const GONE: &str = "Existing calls fail: it is no longer served.";

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
            Some(GONE.to_owned())
        } else if let Some(output) = answered {
            Some(format!("Existing calls may now be answered with what was not allowed before: {output}"))
        } else {
            Some("Existing calls break.".to_owned())
        }
    }
}

impl Group {
    /// The same of its members: how many each sentence is true of, the worst effect first. `drifts` are the review's.
    pub(crate) fn existing_calls(&self, drifts: &[Drift]) -> Vec<(usize, String)> {
        let mut said: BTreeMap<Effect, (usize, String)> = BTreeMap::new();
        for drift in self.members.iter().filter_map(|member| drifts.get(*member)) {
            if let Some(sentence) = drift.existing_calls() {
                said.entry(drift.effect).or_insert((0, sentence)).0 += 1;
            }
        }
        let of_all = |(many, sentence): (usize, String)| {
            (many, if many > 1 && sentence == GONE { sentence.replace("it is", "they are") } else { sentence })
        };
        said.into_values().rev().map(of_all).collect()
    }
}
