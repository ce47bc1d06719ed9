//! What is asked of the entries of a file, and what became of them.

use std::path::Path;

/// What became of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryOutcome {
    /// Its name. Not escaped.
    pub name: String,
    /// Its line in the text as it was read.
    pub line: usize,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was changed.
    Done,
    /// Its URL is that of a guard that listens now, and the file holds the guard's secret.
    Redirected,
    /// A guard stood before it already.
    Already,
    /// It is not watched, so nothing is to be done, and why. Not escaped.
    Aside(String),
    /// It stays as it is, and why. Not escaped.
    Left(String),
    /// Its place in the text is none that can be changed alone: the command line that a person has to put there, or none
    /// where the guard's has to be taken away.
    ByHand(Vec<String>),
    /// The same of an entry with a URL.
    AddressByHand {
        /// The guard's URL, which belongs in the place of the server's.
        url: String,
        /// The server's own URL. Not escaped, and what is secret in it is not masked.
        upstream: String,
    },
}

/// An entry, as it is asked about.
#[derive(Clone, Copy, Debug)]
pub struct EntryAt<'a> {
    /// Its name. Not escaped.
    pub name: &'a str,
    /// Its line in the text as it was read.
    pub line: usize,
    /// The project that it is for, where the file says so for each.
    pub project: Option<&'a Path>,
}

/// What is wanted of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Nothing is said of it.
    Nothing,
    /// It is not watched, and why. Not escaped.
    Aside(String),
    /// It stays, and why. Not escaped.
    Leave(String),
    /// A guard under this id.
    Guard(String),
}
