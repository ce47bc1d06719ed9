//! One look at a surface: items as received, how complete each list is, and what was odd on the way.

use super::{Kind, Presented, RawItem, Reason};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::{EnumString, IntoStaticStr};

/// The two handshakes of MCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Era {
    /// `initialize`, revisions 2024-11-05 to 2025-11-25.
    Initialize,
    /// `server/discover`, from revision 2026-07-28 on.
    Discover,
}

word!(Era);

/// Under which handshake a surface was seen: lists may depend on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObservedAs {
    /// The handshake used.
    pub era: Era,
    /// The negotiated revision, as the server spelt it.
    pub protocol_version: String,
    /// What was declared: nothing, but where it was asked what other clients are shown.
    pub client_capabilities: serde_json::Map<String, serde_json::Value>,
}

/// How much of one kind was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// From the first page to the one without a cursor, or a handshake member of a finished handshake.
    Complete,
    /// Some pages; absence proves nothing.
    Partial(Reason),
    /// Nothing.
    Failed(Reason),
    /// The config says not to look at this kind.
    Ignored,
}

/// Something odd that does not spoil the observation, counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Kebab-case, stable, for programs.
    pub code: &'static str,
    /// How often it happened.
    pub count: u64,
    /// One sentence for a person; may quote the server.
    pub text: String,
}

/// One look at a surface. A look that failed as a whole has every kind `Failed` and no items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The handshake, where one was finished.
    pub observed_as: Option<ObservedAs>,
    /// The items in the order received.
    pub items: Vec<RawItem>,
    /// One entry a kind looked at.
    pub completeness: BTreeMap<Kind, Completeness>,
    /// What was odd.
    pub notices: Vec<Notice>,
    /// What the server showed of who it is.
    pub presented: Presented,
}

/// An observation as a whole, in one word.
#[derive(Clone, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Overall {
    /// Every kind is complete or ignored.
    Complete,
    /// Some kind is partial or failed; the first reason.
    Partial(Reason),
    /// No kind could be read; the reason.
    Failed(Reason),
}

word!(ref Overall);

impl Overall {
    /// Why it is not complete.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::Complete => None,
            Self::Partial(reason) | Self::Failed(reason) => Some(reason),
        }
    }
}

impl Observation {
    /// A look that saw nothing, because of `reason`.
    pub fn failed(reason: &Reason, notices: Vec<Notice>) -> Self {
        let completeness = Kind::ALL
            .into_iter()
            .filter(|kind| *kind != Kind::Launch)
            .map(|kind| (kind, Completeness::Failed(reason.clone())))
            .collect();
        Self { observed_as: None, items: Vec::new(), completeness, notices, presented: Presented::default() }
    }

    /// The observation in one word, with the first reason in the order of kinds.
    pub fn overall(&self) -> Overall {
        overall(&self.completeness)
    }
}

/// The one word for a whole look, see [`Observation::overall`].
pub(crate) fn overall(completeness: &BTreeMap<Kind, Completeness>) -> Overall {
    let mut first = None;
    let mut read = false;
    for (kind, state) in completeness {
        match state {
            // The launch is ours: knowing it says nothing about the server.
            Completeness::Complete | Completeness::Ignored => read |= *kind != Kind::Launch,
            Completeness::Partial(reason) => {
                read = true;
                first.get_or_insert(reason);
            }
            Completeness::Failed(reason) => {
                first.get_or_insert(reason);
            }
        }
    }
    match first {
        None => Overall::Complete,
        Some(reason) if read => Overall::Partial(reason.clone()),
        Some(reason) => Overall::Failed(reason.clone()),
    }
}
