//! A drift and its changes, as the UI and every report show them.

use super::{CapabilityIdentity, DriftType, Effect, Finding, SchemaVerdict, Severity};
use crate::canon::Pointer;
use crate::digest::Item;
use crate::surface::ItemId;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;
use strum::IntoStaticStr;

/// The kind of one change; the words are those of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ChangeKind {
    ItemAdded,
    ItemRemoved,
    Renamed,
    Moved,
    FieldAdded,
    FieldRemoved,
    FieldChanged,
    TextChanged,
    OrderChanged,
    PropertyAdded,
    PropertyRemoved,
    SchemaChanged,
    AnnotationChanged,
    RiskLevelChanged,
    FormChanged,
    Duplicated,
    /// To one client otherwise than to another.
    ShownOtherwise,
    /// Stands for further changes that are not listed one by one.
    More,
}

impl ChangeKind {
    /// Which of several changes of one severity is told first: another name, then what is accepted, then texts.
    pub(super) fn rank(self) -> u8 {
        match self {
            Self::Renamed => 2,
            Self::TextChanged | Self::OrderChanged | Self::More => 0,
            _ => 1,
        }
    }
}

word!(ChangeKind);

/// One difference inside an item, as reports write it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Change {
    /// Where, from the definition's root.
    pub path: Pointer,
    pub change: ChangeKind,
    /// What stood there; none where nothing did.
    pub before: Option<Value>,
    /// What stands there now.
    pub after: Option<Value>,
    pub severity: Severity,
    /// What happened, in one line without a full stop. May quote the server.
    #[serde(skip)]
    pub headline: String,
    /// The headline, and what follows from it: sentences a person can check. May quote the server.
    pub reason: String,
}

/// What happened, and what follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) headline: String,
    pub(super) reason: String,
}

impl Said {
    /// What happened, in one line without a full stop.
    pub(super) fn new(headline: impl Into<String>) -> Self {
        let headline = headline.into();
        Self { reason: headline.clone(), headline }
    }

    /// One more sentence on what follows.
    pub(super) fn and(mut self, sentence: &str) -> Self {
        self.reason = format!("{}. {sentence}", self.reason);
        self
    }
}

impl From<String> for Said {
    fn from(headline: String) -> Self {
        Self::new(headline)
    }
}

impl From<&str> for Said {
    fn from(headline: &str) -> Self {
        Self::new(headline)
    }
}

/// MCPTrust's keyword risk level (interop/FORMATS.md, 3.4). Its word, not ours: the rule counts substrings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub enum RiskLevel {
    /// No keyword.
    Low,
    /// One keyword.
    Medium,
    /// Two or more.
    High,
}

word!(RiskLevel);

/// The two sides of a drift.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// What is pinned; none for something new.
    pub pinned: Option<Arc<Item>>,
    /// What is served now; none for something gone.
    pub now: Option<Arc<Item>>,
}

/// A difference between a baseline and an observation, of one type, made of changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Drift {
    /// Its type.
    pub drift_type: DriftType,
    /// The item it is shown at: where it is now, or where it was.
    pub id: ItemId,
    /// The highest of its changes and findings, or what the table says.
    pub severity: Severity,
    /// What it does to callers.
    pub effect: Effect,
    /// The id shared by the members of one cause.
    pub group: Option<String>,
    /// What MCPTrust's table calls it; a rename is two, some are none.
    pub capability_identity: Vec<CapabilityIdentity>,
    /// Its changes, worst first.
    pub changes: Vec<Change>,
    /// How the input schemas compare, where they differ.
    pub input_schema: Option<SchemaVerdict>,
    /// How the output schemas compare, where they differ.
    pub output_schema: Option<SchemaVerdict>,
    /// What is suspicious in the definition served now.
    pub findings: Vec<Finding>,
    /// Both definitions.
    pub side: Side,
    /// Why it is what it is, one sentence each.
    pub reasons: Vec<String>,
}

impl Drift {
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
