//! All the pins and rejections of one server.

use super::Decision;
use super::capability::{CommandWords, command_words};
use crate::canon::Pointer;
use crate::digest::{DigestScope, Item, Surface, SurfaceDigest, surface_varying};
use crate::surface::{ItemId, Kind, ObservedAs};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// An approved definition with its digests and the decision that approved it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The definition, in full, with its digests.
    pub item: Arc<Item>,
    /// Where values may differ, approved like any change; sorted.
    pub varies: Vec<Pointer>,
    /// Who approved it; one for all that were approved together.
    pub decision: Arc<Decision>,
}

impl Pin {
    /// What the approval binds to: the surface digest, with the places that may vary in its preimage.
    pub fn binds_to(&self) -> SurfaceDigest {
        match self.varies.as_slice() {
            [] => self.item.digests.surface,
            varies => surface_varying(self.item.id.kind, &self.item.definition, varies),
        }
    }
}

/// A refused definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The definition, in full, with its digests.
    pub item: Arc<Item>,
    /// Who refused it.
    pub decision: Decision,
}

/// What the pins are tied to beside the server's id (ATSA's composition clause; of its pairs of document and tool, the tool is
/// each pin's own key).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// Id of the attestation document.
    pub clearance_id: Option<String>,
    /// Key that signed it.
    pub signer_key_id: Option<String>,
    /// Authorization scope under which the lists were seen.
    pub auth_scope: Option<String>,
    /// The principal that the server declared (CapiscIO RFC-007).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_did: Option<String>,
}

/// A person's word that a server with a baseline is not watched. It holds for one reason, until the next decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unwatched {
    /// The code of the reason that was accepted: `switched-off`, `not-configured`, …
    pub reason: String,
    /// Who accepted it.
    pub decision: Decision,
}

/// All the pins and rejections of one server: `snapshots/<server>/baseline.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    /// The server's id.
    pub server: String,
    /// Fixed at the first record.
    pub digest_scope: DigestScope,
    /// What the pins are tied to.
    pub anchor: Anchor,
    /// The handshake of the first record, or of the last approved upgrade.
    pub observed_as: Option<ObservedAs>,
    /// Who accepted that the server is not watched, and for which reason.
    pub unwatched: Option<Unwatched>,
    /// The words for running commands that were ever pinned, where the pins do not say the same: a tool that had one was
    /// removed, or another one with one was not decided on yet.
    pub command_words: Option<CommandWords>,
    /// Sorted by (kind, key, surface digest).
    pub pins: Vec<Arc<Pin>>,
    /// Sorted likewise.
    pub rejections: Vec<Rejection>,
}

impl Baseline {
    /// A baseline without pins.
    pub fn empty(server: &str, digest_scope: DigestScope, observed_as: Option<ObservedAs>) -> Self {
        Self {
            server: server.to_owned(),
            digest_scope,
            anchor: Anchor::default(),
            observed_as,
            unwatched: None,
            command_words: None,
            pins: Vec::new(),
            rejections: Vec::new(),
        }
    }

    /// Who accepted that the server is not watched for the reason of this code; none where nobody did, or for another one.
    pub fn accepts_unwatched(&self, reason: &str) -> Option<&Decision> {
        self.unwatched.as_ref().filter(|accepted| accepted.reason == reason).map(|accepted| &accepted.decision)
    }

    /// The pins of one item: more than one where the server has duplicates.
    pub fn pins_of<'a>(&'a self, id: &'a ItemId) -> impl Iterator<Item = &'a Pin> {
        self.pins.iter().map(Arc::as_ref).filter(move |pin| pin.item.id == *id)
    }

    /// The pins of one kind.
    pub fn pins_of_kind(&self, kind: Kind) -> impl Iterator<Item = &Pin> {
        self.pins.iter().map(Arc::as_ref).filter(move |pin| pin.item.id.kind == kind)
    }

    /// The rejection of exactly this definition.
    pub fn rejection_of(&self, id: &ItemId, digest: &SurfaceDigest) -> Option<&Rejection> {
        self.rejections.iter().find(|rejection| rejection.item.id == *id && rejection.item.digests.surface == *digest)
    }

    /// This baseline with the items of `surface` in the place of equal pinned ones, so that each is in memory once; none
    /// where nothing would be saved.
    pub fn sharing(&self, surface: &Surface) -> Option<Self> {
        let served: HashMap<_, _> = surface.items.iter().map(|item| (item.version(), item)).collect();
        let served = |pin: &Pin| {
            let item = served.get(&pin.item.version()).filter(|item| ***item == pin.item)?;
            (!Arc::ptr_eq(item, &pin.item)).then(|| Arc::clone(item))
        };
        if !self.pins.iter().any(|pin| served(pin).is_some()) {
            return None;
        }
        let mut shared = self.clone();
        for pin in &mut shared.pins {
            if let Some(item) = served(pin) {
                *pin = Arc::new(Pin { item, ..pin.as_ref().clone() });
            }
        }
        Some(shared)
    }

    /// This baseline as the one of another id. What covers the id is worked out anew from the definitions; decisions bind to
    /// surface digests, which do not.
    #[must_use]
    pub fn renamed(&self, server: &str) -> Self {
        let mut renamed = Self { server: server.to_owned(), ..self.clone() };
        if self.digest_scope == DigestScope::None {
            return renamed;
        }
        renamed.digest_scope = DigestScope::Server(server.to_owned());
        let again = |item: &Item| Arc::new(Item::stored(item.id.kind, item.definition.clone(), &renamed.digest_scope));
        for pin in &mut renamed.pins {
            *pin = Arc::new(Pin { item: again(&pin.item), ..pin.as_ref().clone() });
        }
        for rejection in &mut renamed.rejections {
            rejection.item = again(&rejection.item);
        }
        renamed
    }

    /// The words that were ever pinned: those recorded; where none are recorded apart, those of the pins.
    pub fn command_words(&self) -> CommandWords {
        self.command_words.clone().unwrap_or_else(|| self.pinned_command_words())
    }

    /// Records these words, apart only where the pins do not say the same.
    pub fn record_command_words(&mut self, words: CommandWords) {
        self.command_words = Some(words).filter(|words| *words != self.pinned_command_words());
    }

    /// The words of what is pinned now.
    pub fn pinned_command_words(&self) -> CommandWords {
        command_words(self.pins.iter().map(|pin| pin.item.as_ref()))
    }

    /// Puts pins and rejections in the order of the file.
    pub fn sort(&mut self) {
        self.pins.sort_by(|a, b| a.item.version().cmp(&b.item.version()));
        self.rejections.sort_by(|a, b| a.item.version().cmp(&b.item.version()));
    }
}
