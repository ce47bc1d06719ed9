//! What is wrong with a config: which file, which line, which key, and what would have been right.
//!
//! Every text that comes from a file passes the escaping seam here: a found file may be hostile.

use crate::store::StoreError;
use crate::text::{nearest, visible};
use std::fmt;
use std::path::{Path, PathBuf};

/// Where in the configuration something stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A file, relative to the current folder where it lies inside, and a line of it, from 1, where one is known.
    File {
        /// The file as shown.
        file: PathBuf,
        /// The line.
        line: Option<usize>,
    },
    /// What was typed.
    CommandLine,
}

impl Place {
    /// A line of `file`.
    pub(super) fn line(file: &Path, line: usize) -> Self {
        Self::File { file: file.to_owned(), line: Some(line) }
    }

    /// `file` as a whole.
    pub(super) fn whole(file: &Path) -> Self {
        Self::File { file: file.to_owned(), line: None }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { file, line: Some(line) } => write!(f, "{}:{line}", visible(&file.to_string_lossy())),
            Self::File { file, line: None } => write!(f, "{}", visible(&file.to_string_lossy())),
            Self::CommandLine => f.write_str("command line"),
        }
    }
}

/// Why there is no configuration. One line, printable as it stands.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {fault}")]
#[expect(missing_docs, reason = "the names say it")]
pub struct ConfigError {
    pub place: Place,
    pub fault: Box<Fault>,
}

/// What is wrong with a config. Every text in it is escaped.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Fault {
    /// The file system says no.
    #[error("cannot be read: {0}")]
    Unreadable(std::io::Error),
    /// No TOML, no UTF-8, too large, or something is missing.
    #[error("{0}")]
    Malformed(String),
    /// A key or another word that does not exist.
    #[error("unknown {what} `{word}`{section}; {hint}")]
    Unknown {
        /// `key`, `profile`, …
        what: &'static str,
        word: String,
        /// ` in [poll]`, or nothing at the top.
        section: String,
        /// The nearest word that exists, and where none is near all of them.
        hint: String,
    },
    /// A number where a text belongs, and the like.
    #[error("`{key}`{section} must be {wanted}, not {found}")]
    WrongType {
        key: String,
        /// ` in [poll]`, or nothing at the top.
        section: String,
        /// The type that belongs there, with an example.
        wanted: &'static str,
        /// The type that stands there.
        found: &'static str,
    },
    /// A value of the right type that makes no sense.
    #[error("`{key}`{section}: {text}")]
    BadValue {
        key: String,
        /// ` in [poll]`, or nothing at the top.
        section: String,
        /// What is wrong.
        text: String,
    },
    /// There is no such root, or no place for a user's own files.
    #[error(transparent)]
    Store(StoreError),
    /// A server that cannot be started as written.
    #[error("server `{server}`: {text}")]
    Server {
        /// The server's id.
        server: String,
        /// The field and what is wrong.
        text: String,
    },
}

impl Fault {
    /// The error of this fault at `place`.
    pub(super) fn at(self, place: Place) -> ConfigError {
        ConfigError { place, fault: Box::new(self) }
    }
}

impl ConfigError {
    /// An unknown word at `place`, with the nearest of `known`. `section` is ` in [poll]`, or nothing at the top.
    pub fn unknown(place: Place, what: &'static str, word: &str, section: &str, known: &[&str]) -> Self {
        let (word, hint) = (visible(word).to_string(), hint(word, known));
        Fault::Unknown { what, word, section: section.to_owned(), hint }.at(place)
    }
}

/// One entry or file that could not be used; everything else was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What is wrong and what would be right: one printable line, without the place.
    pub text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

/// The nearest known word, or all of them.
fn hint(word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known here: {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_offered_and_far_ones_are_not() {
        let known = ["command", "args", "start-timeout", "poll-interval"];
        for (word, said) in [
            ("comand", "did you mean `command`?"),
            ("start_timeout", "did you mean `start-timeout`?"),
            ("Args", "did you mean `args`?"),
            ("interval", "known here: command, args, start-timeout, poll-interval"),
            ("zzz", "known here: command, args, start-timeout, poll-interval"),
        ] {
            assert_eq!(hint(word, &known), said, "{word}");
        }
    }
}
