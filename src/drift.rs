//! What differs between a baseline and a surface, what it means, and how bad it is.
//!
//! `compare` is the only way in. Pure: the same two values give the same drifts in the same order.

mod admission;
mod admissions;
mod anchor;
mod apart;
mod calls;
mod collision;
mod compare;
mod delta;
mod exception;
mod form;
mod group;
mod headline;
mod ignore;
mod judge;
mod kind;
mod matching;
mod moved;
mod of_the_server;
mod parts;
mod policy;
mod presence;
mod protocol;
mod rename;
mod repatterned;
mod risk;
mod severity;
mod signed;
mod types;
mod unstable;
mod verdict;

pub use crate::finding::{Finding, Severity};
pub use admission::{ADMISSION_NOT_CHECKED, admission_id};
pub use admissions::{Admissions, NOT_ADMITTED, not_admitted};
pub use anchor::{ANCHOR_NOT_CHECKED, anchor_id, anchor_item, anchor_now};
pub use apart::critical;
pub use collision::{Shown, across_servers, client_name};
pub use compare::{Comparison, Others, compare, compare_knowing};
pub use exception::{Exceptions, Override, Suppression, item_of, rule_names};
pub use form::{DANGLING, REFUSED, form_findings};
pub use group::{Group, group, unstable_group};
pub use ignore::Ignore;
pub use kind::{CapabilityIdentity, DriftType};
pub use matching::{Match, Relation};
pub use of_the_server::is_of_the_server;
pub(crate) use parts::{Part, Parts};
pub use policy::{Policy, Profile};
pub use protocol::{handshake_id, handshake_item};
pub use risk::Risk;
pub use severity::Effect;
pub use signed::{DOES_NOT_HOLD, MALFORMED, REQUIRED};
pub use types::{Change, ChangeKind, Drift, RiskLevel, Side};
pub use unstable::{looks_unstable, unstable, varying_places};
pub use verdict::{KeywordChange, SchemaVerdict};
