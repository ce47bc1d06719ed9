//! The few signs beside words, each with an ASCII twin. No meaning is in a glyph alone.

use crate::drift::{Effect, Severity};
use crate::review::ApprovalState;

/// One set of signs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each name is its own sentence")]
pub struct Glyphs {
    pub needs_decision: &'static str,
    pub marked: &'static str,
    pub skipped: &'static str,
    pub approved: &'static str,
    pub rejected: &'static str,
    pub unknown: &'static str,
    pub stale: &'static str,
    pub critical: &'static str,
    pub moderate: &'static str,
    pub info: &'static str,
    pub safe: &'static str,
    pub ellipsis: &'static str,
    pub arrow: &'static str,
    pub between: &'static str,
    pub none: &'static str,
    pub falling: &'static str,
    pub rising: &'static str,
    pub horizontal: &'static str,
    pub vertical: &'static str,
    /// Top left, top right, bottom left, bottom right.
    pub corners: [&'static str; 4],
    /// Down, left, right, all four.
    pub joints: [&'static str; 4],
    pub fold: &'static str,
    pub more: &'static str,
    pub less: &'static str,
    pub current: &'static str,
}

/// For terminals that show UTF-8.
pub const UNICODE: Glyphs = Glyphs {
    needs_decision: "●",
    marked: "◉",
    skipped: "○",
    approved: "✓",
    rejected: "✗",
    unknown: "?",
    stale: "!",
    critical: "▲",
    moderate: "◆",
    info: "◇",
    safe: "·",
    ellipsis: "…",
    arrow: "→",
    between: "·",
    none: "–",
    falling: "▾",
    rising: "▴",
    horizontal: "─",
    vertical: "│",
    corners: ["╭", "╮", "╰", "╯"],
    joints: ["┬", "┤", "├", "┼"],
    fold: "┈",
    more: "↓",
    less: "↑",
    current: "▸",
};

/// For all others.
pub const ASCII: Glyphs = Glyphs {
    needs_decision: "*",
    marked: "M",
    skipped: "o",
    approved: "=",
    rejected: "x",
    unknown: "?",
    stale: "!",
    critical: "!",
    moderate: "#",
    info: "i",
    safe: ".",
    ellipsis: "~",
    arrow: "->",
    between: "|",
    none: "-",
    falling: "v",
    rising: "^",
    horizontal: "-",
    vertical: "|",
    corners: ["+", "+", "+", "+"],
    joints: ["+", "+", "+", "+"],
    fold: ".",
    more: "v",
    less: "^",
    current: ">",
};

impl Glyphs {
    /// UTF-8 where the environment, read through `variable`, says that it is shown.
    pub fn of(variable: &dyn Fn(&str) -> Option<String>) -> Self {
        let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set).unwrap_or_default().to_ascii_lowercase();
        let utf8 = locale.contains("utf-8") || locale.contains("utf8");
        if utf8 && variable("TERM").as_deref() != Some("linux") { UNICODE } else { ASCII }
    }

    /// A mark of hidden characters in signs of the set.
    pub fn hidden(&self, mark: &str) -> String {
        if *self == ASCII { mark.replace('⟦', "[").replace('⟧', "]").replace('×', "x") } else { mark.to_owned() }
    }

    /// The sign of a state.
    pub fn state(&self, state: ApprovalState) -> &'static str {
        match state {
            ApprovalState::Drifted | ApprovalState::New | ApprovalState::Gone => self.needs_decision,
            ApprovalState::Rejected => self.rejected,
            ApprovalState::Unknown => self.unknown,
            ApprovalState::Approved => self.approved,
        }
    }

    /// The sign of a severity.
    pub fn severity(&self, severity: Severity) -> &'static str {
        match severity {
            Severity::Safe => self.safe,
            Severity::Info => self.info,
            Severity::Moderate => self.moderate,
            Severity::Critical => self.critical,
        }
    }

    /// The sign of an effect.
    pub fn effect(&self, effect: Effect) -> &'static str {
        match effect {
            Effect::None => self.none,
            Effect::Compatible => self.approved,
            Effect::Breaking => self.rejected,
            Effect::Unknown => self.unknown,
        }
    }
}
