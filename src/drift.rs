//! What differs between a baseline and a surface, what it means, and how bad it is.
//!
//! `compare` is the only way in. Pure: the same two values give the same drifts in the same order.

mod compare;
mod delta;
mod finding;
mod group;
mod judge;
mod kind;
mod matching;
mod policy;
mod presence;
mod protocol;
mod risk;
mod severity;
mod types;
mod verdict;
mod words;

pub use compare::{Comparison, compare, compare_anchor};
pub use finding::{critical, findings};
pub use group::{Group, group};
pub use kind::{CapabilityIdentity, DriftType};
pub use matching::{Match, Relation};
pub use policy::{Policy, Profile};
pub use protocol::{handshake_id, handshake_item};
pub use severity::{Effect, Severity};
pub use types::{Change, ChangeKind, Drift, Finding, RiskLevel, Side};
pub use verdict::{KeywordChange, SchemaVerdict};
