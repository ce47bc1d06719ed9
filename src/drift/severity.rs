//! What a change does to callers; how bad something is stands with the findings.

use strum::IntoStaticStr;

/// What a change does to callers that send declared parameters only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
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

word!(Effect);

impl Effect {
    /// The effect of two changes together: a proven break stays one, and nothing proven hides what is not decided.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if self == Self::Breaking || other == Self::Breaking { Self::Breaking } else { self.max(other) }
    }
}
