//! What a drift does to the calls that were made before it.

use super::{ChangeKind, Drift, Effect, SchemaVerdict};
use crate::surface::Kind;

/// What a client calls, with arguments.
const CALLED: [Kind; 3] = [Kind::Tool, Kind::Prompt, Kind::ResourceTemplate];

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
}
