//! How bad a change is, and what it does to callers.

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

/// What a change does to callers that send declared parameters only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// They notice nothing.
    None,
    /// What they send is still accepted.
    Compatible,
    /// Something they send is refused now.
    Breaking,
    /// Not decided.
    Unknown,
}

impl Effect {
    /// The word of screens and reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Compatible => "compatible",
            Self::Breaking => "breaking",
            Self::Unknown => "unknown",
        }
    }

    /// The effect of two changes together: a proven break stays one, and nothing proven hides what is not decided.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if self == Self::Breaking || other == Self::Breaking { Self::Breaking } else { self.max(other) }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
