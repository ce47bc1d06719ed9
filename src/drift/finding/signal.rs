//! What one rule saw in one text: where, how strong, and in which words. Strength decides the severity; weak signals that
//! stand together are added up.

use super::open::{AGAINST, is_open};
use super::reading::Reading;
use crate::drift::Severity;
use std::ops::Range;

/// How strong a signal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// Says something only beside what a tool is for.
    Hint = 0,
    /// Says something only beside others.
    Weak = 1,
    /// Worth reading.
    Some = 2,
    /// Rare in honest text.
    Strong = 3,
    /// No honest reason known.
    Sure = 4,
}

impl Strength {
    /// One step weaker.
    pub(super) fn less(self) -> Self {
        match self {
            Self::Hint => Self::Hint,
            Self::Weak | Self::Some => Self::Weak,
            Self::Strong => Self::Some,
            Self::Sure => Self::Strong,
        }
    }

    /// One step stronger.
    pub(super) fn more(self) -> Self {
        match self {
            Self::Hint | Self::Weak => Self::Some,
            Self::Some => Self::Strong,
            Self::Strong | Self::Sure => Self::Sure,
        }
    }

    /// How bad a signal of this strength is by itself; none where it takes others.
    pub(super) fn severity(self) -> Option<Severity> {
        match self {
            Self::Hint | Self::Weak => None,
            Self::Some | Self::Strong => Some(Severity::Moderate),
            Self::Sure => Some(Severity::Critical),
        }
    }
}

/// A rule: its name in reports, and what it looks for in a few words.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::drift) struct Rule {
    /// Kebab-case, stable.
    pub(in crate::drift) name: &'static str,
    /// What a finding of it is, as the start of a sentence.
    pub(super) title: &'static str,
}

/// What one rule saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Signal {
    pub(super) rule: &'static Rule,
    pub(super) strength: Strength,
    /// Byte offset in the text.
    pub(super) start: usize,
    /// Byte offset in the text.
    pub(super) end: usize,
    /// What it does, to follow the rule's title.
    pub(super) why: String,
}

impl Signal {
    /// A signal over a stretch of the folded text; worth reading at most, where it is done with the user.
    pub(super) fn folded(
        rule: &'static Rule,
        strength: Strength,
        reading: &Reading,
        range: Range<usize>,
        why: &str,
    ) -> Self {
        let open = AGAINST.contains(&rule) && is_open(reading.sentence(range.start));
        let strength = if open { strength.min(Strength::Some) } else { strength };
        let (start, end) = reading.span(range);
        Self { rule, strength, start, end, why: why.to_owned() }
    }
}
