//! What was agreed to for one server of one project, as a file: `pinwatch.consent.v1`.
//!
//! It holds seals and masked texts, no value. A file that cannot be read is no consent: the person is asked again.

use super::identity::Identity;
use crate::pin::{Misshapen, from_text, to_text};
use serde::{Deserialize, Serialize};

const FORMAT: &str = "pinwatch.consent.v1";
/// So many launches of one server stay agreed to: going back to one of them asks nothing.
const MAX_AGREED: usize = 8;

/// All that was agreed to for one server of one project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The canonical project folder.
    pub(super) project: String,
    pub(super) server: String,
    /// The last one last.
    pub(super) agreed: Vec<Agreed>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Agreed {
    /// RFC 3339 in UTC, whole seconds.
    pub(super) at: String,
    pub(super) by: String,
    #[serde(flatten)]
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
            let text = to_text(FORMAT, self);
            if text.len() <= limit {
                return Some(text);
            }
            if self.agreed.len() < 2 {
                return None;
            }
            self.agreed.remove(0);
        }
    }

    pub(super) fn from_text(bytes: &[u8]) -> Result<Self, Misshapen> {
        from_text(FORMAT, bytes)
    }
}
