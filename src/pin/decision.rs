//! A decision: who, when, what, and why.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

/// What was decided. `skip` is no decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum DecisionState {
    /// The definition is the pin.
    Approved,
    /// The definition is remembered as refused; the pin, where there is one, stays.
    Rejected,
}

word!(DecisionState);

/// A decision on one exact digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// What.
    pub state: DecisionState,
    /// Who: `decided-by` of the config, else the OS user.
    pub by: String,
    /// When: RFC 3339 in UTC, whole seconds.
    pub at: String,
    /// Why, in the person's words; may be empty.
    pub note: String,
}
