//! How bad something is.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How much attention a change needs. `Safe` qualifies a change, never an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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

impl Severity {
    /// Every severity, rising.
    pub const ALL: [Self; 4] = [Self::Safe, Self::Info, Self::Moderate, Self::Critical];

    /// The word of screens and reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Info => "info",
            Self::Moderate => "moderate",
            Self::Critical => "critical",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Severity {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|severity| severity.word() == word)
            .ok_or_else(|| format!("no severity `{word}`; one of safe, info, moderate, critical"))
    }
}
