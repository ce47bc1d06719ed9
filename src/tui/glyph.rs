//! The few signs beside words, each with an ASCII twin. No meaning is in a glyph alone.

use crate::drift::Severity;
use crate::review::ApprovalState;

macro_rules! glyphs {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $unicode:expr, $ascii:expr;)*) => {
        /// One set of signs.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the names say it")]
        pub struct Glyphs { $($(#[$doc])* pub $name: $type,)* }

        /// For terminals that show UTF-8.
        pub const UNICODE: Glyphs = Glyphs { $($name: $unicode,)* };

        /// For all others.
        pub const ASCII: Glyphs = Glyphs { $($name: $ascii,)* };
    };
}

type Sign = &'static str;

glyphs! {
    needs_decision: Sign = "●", "*";
    marked: Sign = "◉", "M";
    skipped: Sign = "○", "o";
    approved: Sign = "✓", "=";
    rejected: Sign = "✗", "x";
    differs: Sign = "≠", "!=";
    unknown: Sign = "?", "?";
    stale: Sign = "!", "!";
    critical: Sign = "▲", "!";
    moderate: Sign = "◆", "#";
    info: Sign = "◇", "i";
    safe: Sign = "·", ".";
    ellipsis: Sign = "…", "~";
    arrow: Sign = "→", "->";
    between: Sign = "·", "|";
    none: Sign = "–", "-";
    falling: Sign = "▾", "v";
    rising: Sign = "▴", "^";
    horizontal: Sign = "─", "-";
    vertical: Sign = "│", "|";
    /// Top left, top right, bottom left, bottom right.
    corners: [Sign; 4] = ["╭", "╮", "╰", "╯"], ["+", "+", "+", "+"];
    /// Down, left, right, all four.
    joints: [Sign; 4] = ["┬", "┤", "├", "┼"], ["+", "+", "+", "+"];
    fold: Sign = "┈", ".";
    more: Sign = "↓", "v";
    less: Sign = "↑", "^";
    current: Sign = "▸", ">";
}

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
        if *self != ASCII {
            return mark.to_owned();
        }
        mark.replace('⟦', "[").replace('⟧', "]").replace('×', "x").replace('…', self.ellipsis)
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
}
