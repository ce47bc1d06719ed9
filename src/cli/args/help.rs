//! What explains, signs in, and is for other programs.

use super::decide::Reading;
use super::name;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `explain`.
#[derive(Clone, Debug, Args)]
pub struct Explain {
    /// A drift type, a rule or a profile, as reports name it
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// `rules`.
#[derive(Clone, Debug, Subcommand)]
pub enum Rules {
    /// Run the `poisoned` and `honest` examples of rule files
    ///
    /// Exit status: 1 if an example does not hold, 2 if a file is no rule, else 0.
    #[command(after_help = "\
Example:
  pinwatch rules test my-rules/*.toml     `pinwatch explain rules` says how they are written")]
    Test(RulesTest),
}

/// `rules test`.
#[derive(Clone, Debug, Args)]
pub struct RulesTest {
    /// Rule files, each a rule in TOML
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// `help`.
#[derive(Clone, Debug, Args)]
pub struct Help {
    /// A topic or a command; none lists all
    #[arg(value_name = "TOPIC")]
    pub words: Vec<String>,

    /// How it is read.
    #[command(flatten)]
    pub reading: Reading,
}

/// `sign-in`.
#[derive(Clone, Debug, Args)]
pub struct SignIn {
    /// Id of the server
    #[arg(value_parser = name())]
    pub server: String,

    /// Host, other than the server's own, that may sign you in; as this command names it
    #[arg(long, value_name = "HOST")]
    pub agree: Vec<String>,
}

/// `sign-out`.
#[derive(Clone, Debug, Args)]
pub struct SignOut {
    /// Id of the server
    #[arg(value_parser = name())]
    pub server: String,
}

/// `merge-driver`.
#[derive(Clone, Debug, Args)]
pub struct MergeDriver {
    /// The version that both came of (%O); may be empty
    #[arg(value_name = "BASE")]
    pub base: PathBuf,

    /// Ours (%A); the outcome is written there
    #[arg(value_name = "OURS")]
    pub ours: PathBuf,

    /// Theirs (%B)
    #[arg(value_name = "THEIRS")]
    pub theirs: PathBuf,

    /// The file's name in the repository (%P), for messages
    #[arg(value_name = "PATH")]
    pub path: Option<PathBuf>,
}

/// `generate`.
#[derive(Clone, Debug, Args)]
pub struct Generate {
    /// For which shell, or the manual page
    #[arg(value_enum)]
    pub what: Generated,

    /// With `man`: the page of this command
    pub command: Option<String>,
}

/// What can be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[expect(missing_docs, reason = "each name is the shell's, or the page's")]
pub enum Generated {
    Bash,
    Zsh,
    Fish,
    #[value(name = "powershell")]
    PowerShell,
    Elvish,
    Man,
}
