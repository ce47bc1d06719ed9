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
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Fine => Self::SUCCESS,
            Exit::Drift => Self::from(1),
            Exit::Unknown => Self::from(2),
        }
    }
}

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
    let lines: Vec<String> = match error.downcast_ref::<ConfigError>() {
        // Printable as it stands.
        Some(_) => said.lines().map(str::to_owned).collect(),
        None => said.lines().map(|line| visible(line).to_string()).collect(),
    };
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
