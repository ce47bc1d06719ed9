//! The official clients whose parsers were run, and the sets of them that refuse something.

use crate::surface::{Era, ObservedAs};
use std::fmt;

/// Release lines of the official clients, a bit each: which of them refuse something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::drift) struct Clients(u8);

pub(super) const TYPESCRIPT_1: u8 = 1;
pub(super) const TYPESCRIPT_2: u8 = 2;
pub(super) const PYTHON_1: u8 = 4;
pub(super) const PYTHON_2: u8 = 8;

impl Clients {
    /// Whether nobody refuses.
    pub(in crate::drift) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Both together.
    #[must_use]
    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether each of these is among `others`.
    pub(in crate::drift) fn are_among(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }

    /// Whether a line is among them.
    #[cfg(test)]
    pub(super) fn has(self, line: u8) -> bool {
        self.0 & line != 0
    }
}

impl fmt::Display for Clients {
    /// `TypeScript SDK 1 and 2, Python SDK 2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |name: &str, one: u8, two: u8| match (self.0 & one != 0, self.0 & two != 0) {
            (true, true) => Some(format!("{name} SDK 1 and 2")),
            (true, false) => Some(format!("{name} SDK 1")),
            (false, true) => Some(format!("{name} SDK 2")),
            (false, false) => None,
        };
        let lines = [line("TypeScript", TYPESCRIPT_1, TYPESCRIPT_2), line("Python", PYTHON_1, PYTHON_2)];
        f.write_str(&lines.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// The two generations of the wire format, between which the clients' parsers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::drift) enum Wire {
    /// Revisions 2024-11-05 to 2025-11-25.
    Initialize,
    /// From revision 2026-07-28 on. The first release lines do not speak it.
    Discover,
}

impl Wire {
    /// The generation that was spoken. Where nothing is known it is the one that most servers speak.
    pub(in crate::drift) fn of(observed_as: Option<&ObservedAs>) -> Self {
        match observed_as.map(|observed| observed.era) {
            Some(Era::Discover) => Self::Discover,
            Some(Era::Initialize) | None => Self::Initialize,
        }
    }

    /// The lines that speak it.
    pub(in crate::drift) fn speakers(self) -> Clients {
        EVERY.on(self)
    }
}

/// Which lines refuse something, in each generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct By {
    initialize: u8,
    discover: u8,
}

impl By {
    pub(super) const fn new(initialize: u8, discover: u8) -> Self {
        Self { initialize, discover }
    }

    /// These but for some lines.
    pub(super) fn without(self, lines: u8) -> Self {
        Self { initialize: self.initialize & !lines, discover: self.discover & !lines }
    }

    /// Those of one generation.
    pub(super) fn on(self, wire: Wire) -> Clients {
        Clients(match wire {
            Wire::Initialize => self.initialize,
            Wire::Discover => self.discover,
        })
    }
}

pub(super) const NOBODY: By = By::new(0, 0);
pub(super) const EVERY: By = By::new(TYPESCRIPT_1 | TYPESCRIPT_2 | PYTHON_1 | PYTHON_2, TYPESCRIPT_2 | PYTHON_2);
pub(super) const TYPESCRIPT: By = By::new(TYPESCRIPT_1 | TYPESCRIPT_2, TYPESCRIPT_2);
pub(super) const PYTHON: By = By::new(PYTHON_1 | PYTHON_2, PYTHON_2);
/// Python SDK 1 checks less of a schema and of what came late to the protocol.
pub(super) const BUT_PYTHON_1: By = By::new(TYPESCRIPT_1 | TYPESCRIPT_2 | PYTHON_2, TYPESCRIPT_2 | PYTHON_2);
/// What revision 2026-07-28 allows, or no longer knows.
pub(super) const EARLY: By = By::new(TYPESCRIPT_1 | TYPESCRIPT_2 | PYTHON_1 | PYTHON_2, 0);
pub(super) const EARLY_BUT_PYTHON_1: By = By::new(TYPESCRIPT_1 | TYPESCRIPT_2 | PYTHON_2, 0);
pub(super) const EARLY_TYPESCRIPT: By = By::new(TYPESCRIPT_1 | TYPESCRIPT_2, 0);
/// Tasks went out of the protocol with 2026-07-28: TypeScript SDK 2 then passes them over, Python SDK 2 reads them still.
pub(super) const TASKS: By = By::new(TYPESCRIPT_1 | TYPESCRIPT_2 | PYTHON_1 | PYTHON_2, PYTHON_2);
/// The client that compiles output schemas while it lists tools.
pub(super) const COMPILES: By = By::new(TYPESCRIPT_1, 0);
