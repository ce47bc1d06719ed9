//! What was agreed to for one server of one project, as a file: `pinwatch.consent.v1`.
//!
//! It holds seals and masked texts, no value. A file that cannot be read is no consent: the person is asked again.

use super::identity::{Identity, Part, PartKind};
use crate::canon::{Pointer, indented, read_plain};
use crate::pin::{Closed, Misshapen};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const FORMAT: &str = "pinwatch.consent.v1";
/// So many launches of one server stay agreed to: going back to one of them asks nothing.
const MAX_AGREED: usize = 8;

/// All that was agreed to for one server of one project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// The canonical project folder.
    pub(super) project: String,
    pub(super) server: String,
    /// The last one last.
    pub(super) agreed: Vec<Agreed>,
}

/// One launch that was agreed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Agreed {
    /// RFC 3339 in UTC, whole seconds.
    pub(super) at: String,
    pub(super) by: String,
    pub(super) identity: Identity,
}

impl Record {
    /// Adds an agreement; the oldest go.
    pub(super) fn add(&mut self, agreed: Agreed) {
        self.agreed.retain(|known| known.identity.seal != agreed.identity.seal);
        self.agreed.push(agreed);
        let excess = self.agreed.len().saturating_sub(MAX_AGREED);
        self.agreed.drain(..excess);
    }

    /// The file's text of at most `limit` bytes: the oldest agreements go where it would be longer. None where the last one
    /// alone is.
    pub(super) fn text_within(&mut self, limit: usize) -> Option<String> {
        loop {
            let text = self.to_text();
            if text.len() <= limit {
                return Some(text);
            }
            if self.agreed.len() < 2 {
                return None;
            }
            self.agreed.remove(0);
        }
    }

    fn to_text(&self) -> String {
        let part = |((kind, name), part): (&(PartKind, String), &Part)| json!({"kind": kind.word(), "name": name, "seal": part.seal, "shown": part.shown});
        let agreed = |agreed: &Agreed| {
            json!({
                "at": agreed.at,
                "by": agreed.by,
                "seal": agreed.identity.seal,
                "parts": agreed.identity.parts.iter().map(part).collect::<Vec<_>>(),
            })
        };
        indented(
            &json!({
                "format": FORMAT,
                "project": self.project,
                "server": self.server,
                "agreed": self.agreed.iter().map(agreed).collect::<Vec<_>>(),
            }),
            &crate::text::is_hidden,
        )
    }

    pub(super) fn from_text(bytes: &[u8]) -> Result<Self, String> {
        let value = read_plain(bytes)?;
        Self::from_value(value).map_err(|fault| fault.to_string())
    }

    fn from_value(value: Value) -> Result<Self, Misshapen> {
        let mut file = Closed::open(value, Pointer::root(), &["format", "project", "server", "agreed"])?;
        if file.string("format")? != FORMAT {
            return Err(file.wrong("format", FORMAT));
        }
        let (project, server) = (file.string("project")?, file.string("server")?);
        let at = file.place("agreed");
        let entries = file.list("agreed")?.into_iter().enumerate();
        let agreed = entries.map(|(index, entry)| agreed(entry, at.child(index))).collect::<Result<_, _>>()?;
        Ok(Self { project, server, agreed })
    }
}

fn agreed(value: Value, at: Pointer) -> Result<Agreed, Misshapen> {
    let mut entry = Closed::open(value, at, &["at", "by", "seal", "parts"])?;
    let mut parts = BTreeMap::new();
    let place = entry.place("parts");
    for (index, part) in entry.list("parts")?.into_iter().enumerate() {
        let mut part = Closed::open(part, place.child(index), &["kind", "name", "seal", "shown"])?;
        let kind = part.word("kind", "a part of a launch")?;
        let name = part.string("name")?;
        parts.insert((kind, name), Part { seal: part.string("seal")?, shown: part.string("shown")? });
    }
    let identity = Identity { parts, seal: entry.string("seal")? };
    Ok(Agreed { at: entry.string("at")?, by: entry.string("by")?, identity })
}
