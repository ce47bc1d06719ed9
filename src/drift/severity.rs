//! What a change does to callers; how bad something is stands with the findings.

use std::fmt;

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
