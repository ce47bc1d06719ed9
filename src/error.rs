//! The top error: exit codes and one hint line a variant.

use crate::config::ConfigError;
use crate::store::StoreError;
use crate::text::visible;
use std::process::ExitCode;

/// How a command ended that did what it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing to report.
    Fine,
    /// A drift at or above the level, or something was left out that must be named.
    Drift,
    /// Something could not be told.
    Unknown,
    /// A code that another system gave its meaning.
    Foreign(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Fine => Self::SUCCESS,
            Exit::Drift => Self::from(1),
            Exit::Unknown => Self::from(2),
            Exit::Foreign(code) => Self::from(code),
        }
    }
}

/// An error whose text is printable as it stands: what it quotes is escaped, and a command in it is one of a shell.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Printable(pub String);

/// An error as it is printed: the chain of causes on one line, escaped, and what to do about it.
pub fn describe(error: &anyhow::Error) -> String {
    let causes: Vec<_> = error.chain().map(ToString::to_string).collect();
    let mut said: Vec<&str> = Vec::new();
    for cause in &causes {
        // A wrapper that repeats its cause says it once.
        if !said.iter().any(|before| before.contains(cause.as_str())) {
            said.push(cause);
        }
    }
    let said = said.join(": ");
    let is_printable = error.is::<ConfigError>() || error.is::<Printable>();
    let printable = |line: &str| if is_printable { line.to_owned() } else { visible(line).to_string() };
    let lines: Vec<String> = said.lines().map(printable).collect();
    let mut text = format!("error: {}", lines.join("\n       "));
    if let Some(hint) = hint(error) {
        text.push_str("\nhint: ");
        text.push_str(hint);
    }
    text
}

fn hint(error: &anyhow::Error) -> Option<&'static str> {
    match error.downcast_ref::<StoreError>()? {
        StoreError::Refused { .. } => {
            Some("nothing was overwritten; restore the file from version control, or `pinwatch forget SERVER`")
        }
        _ => None,
    }
}
