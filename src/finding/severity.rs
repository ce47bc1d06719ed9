//! How bad something is.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

/// How much attention a change needs. `Safe` qualifies a change, never an item.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, IntoStaticStr, EnumString,
)]
#[strum(serialize_all = "snake_case", parse_err_ty = String, parse_err_fn = no_severity)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The change means the same to everyone.
    Safe,
    /// Worth knowing.
    Info,
    /// A person should read it.
    Moderate,
    /// A person must read it before the tool is used again.
    Critical,
}

word!(Severity);

impl Severity {
    /// Every severity, rising.
    pub const ALL: [Self; 4] = [Self::Safe, Self::Info, Self::Moderate, Self::Critical];
}

fn no_severity(word: &str) -> String {
    format!("no severity `{word}`; one of {}", Severity::ALL.map(Severity::word).join(", "))
}
