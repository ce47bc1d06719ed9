//! Whether the terminal's background is dark or light: what `theme = "auto"` chooses by. The question is put to the
//! terminal before its input is read, takes 100 ms at most, and is not put through tmux, screen or ssh, which answer for
//! another terminal or late, unless that is asked for.

use std::time::Duration;
use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};

const WAIT: Duration = Duration::from_millis(100);

/// The name that has the theme chosen by the background.
pub const AUTO: &str = "auto";
/// The same through tmux, screen and ssh, too.
pub const AUTO_ALWAYS: &str = "auto-always";

/// What a terminal writes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// Light text.
    Dark,
    /// Dark text.
    Light,
}

impl Background {
    /// Of this terminal, where `theme` wants to know and it can be told. Blocks for [`WAIT`] at most.
    pub fn of(theme: &str, variable: &dyn Fn(&str) -> Option<String>) -> Option<Self> {
        let between = ["TMUX", "STY", "SSH_CONNECTION", "SSH_TTY"].iter().any(|name| variable(name).is_some());
        let answers = match theme {
            AUTO_ALWAYS => true,
            AUTO => !between,
            _ => return None,
        };
        answers.then(Self::asked).flatten().or_else(|| Self::said(variable))
    }

    fn asked() -> Option<Self> {
        let mut options = QueryOptions::default();
        options.timeout = WAIT;
        theme_mode(options).ok().map(|mode| match mode {
            ThemeMode::Dark => Self::Dark,
            ThemeMode::Light => Self::Light,
        })
    }

    /// What rxvt and its like say: `COLORFGBG=15;0`, the background last, as one of the 16 colours.
    fn said(variable: &dyn Fn(&str) -> Option<String>) -> Option<Self> {
        let value = variable("COLORFGBG")?;
        let number: u8 = value.rsplit(';').next()?.parse().ok()?;
        match number {
            7 | 9..=15 => Some(Self::Light),
            0..=6 | 8 => Some(Self::Dark),
            _ => None,
        }
    }
}

/// The theme that a name stands for on this background: one that sets no background where that is not known.
pub fn theme_on(name: &str, background: Option<Background>) -> &str {
    match (name, background) {
        (AUTO | AUTO_ALWAYS, Some(Background::Dark)) => "dark",
        (AUTO | AUTO_ALWAYS, Some(Background::Light)) => "light",
        (AUTO | AUTO_ALWAYS, None) => "ansi",
        (name, _) => name,
    }
}
