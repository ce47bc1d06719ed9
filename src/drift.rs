//! What differs between a baseline and a surface, what it means, and how bad it is.
//!
//! `compare` is the only way in. Pure: the same two values give the same drifts in the same order.

mod kind;
mod severity;
mod types;

pub use kind::{CapabilityIdentity, DriftType};
pub use severity::{Effect, Severity};
pub use types::{Change, ChangeKind, Drift, Finding, RiskLevel, SchemaVerdict, Side};
