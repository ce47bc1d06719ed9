//! The command line: what can be asked for, and one file a command.

pub mod check;
mod context;
pub mod decide;
pub mod descriptors;
pub mod diff;
pub mod doctor;
pub mod explain;
pub mod forget;
pub mod generate;
pub mod init;
mod look;
pub mod merge_driver;
pub mod out;
mod output;
pub mod program;
pub mod prune;
pub mod reading;
pub mod record;
pub mod rename;
pub mod review;
pub mod servers;
pub mod show;
pub mod themes;

pub use context::Context;

use crate::canon::Pointer;
use crate::config::{AdHoc, AdHocLaunch, duration};
use crate::digest::SurfaceDigest;
use crate::report::FailWord;
use crate::surface::ItemId;
use crate::tui::{Choice, Depth};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Watch MCP servers live, pin every tool definition, and see what drifted
#[derive(Clone, Parser)]
#[command(name = "pinwatch", version, max_term_width = 100, disable_help_subcommand = true, after_help = EXAMPLES)]
pub struct Cli {
    /// What counts for every command.
    #[command(flatten)]
    pub global: Global,
    /// What to do; none means `watch`.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXAMPLES: &str = "\
Begin with one of these:
  pinwatch demo                   look around; no set-up, no network
  pinwatch                                       watch what pinwatch.toml, or else your clients' files name
  pinwatch watch --name files -- npx -y @modelcontextprotocol/server-filesystem .
  pinwatch record && pinwatch check  pin what is there now; later, in CI, see what drifted

Exit status: 0 nothing to report, 1 a drift at or above --fail-on, 2 something
could not be read or was used wrongly.";

/// What counts for every command.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Options of every command")]
pub struct Global {
    /// Read this config instead of searching; naming it agrees to start its own servers
    ///
    /// A pinwatch.toml under any name, or a client's file such as .mcp.json or .vscode/mcp.json. Without it the nearest
    /// pinwatch.toml counts, from the current folder up to the repository's root. Where there is none, the files of
    /// every known client do, the project's first; for `check` and `review` your own only where the project has none.
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Keep baselines and snapshots in DIR/snapshots
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Agree to start every server of this run, also those that a found file names
    #[arg(long, global = true)]
    pub yes: bool,

    /// Give every start and every answer this long (30s, 2m, 500ms)
    #[arg(long, global = true, value_name = "DURATION", value_parser = duration)]
    pub timeout: Option<Duration>,

    /// How many colours to use
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub color: Color,
}

/// How many colours to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// What the terminal and NO_COLOR say
    #[default]
    Auto,
    /// None; bold, underline and reverse stay
    Never,
    /// The 16 of every terminal
    #[value(name = "16")]
    Sixteen,
    /// 256
    #[value(name = "256")]
    Palette,
    /// 24 bits
    True,
}

impl Color {
    /// The same in the screen's terms.
    pub fn choice(self) -> Choice {
        match self {
            Self::Auto => Choice::Auto,
            Self::Never => Choice::Depth(Depth::None),
            Self::Sixteen => Choice::Depth(Depth::Sixteen),
            Self::Palette => Choice::Depth(Depth::TwoHundredFiftySix),
            Self::True => Choice::Depth(Depth::True),
        }
    }
}

/// What to do.
#[derive(Clone, Subcommand)]
pub enum Command {
    /// Watch servers in the terminal; the default
    #[command(after_help = "\
Examples:
  pinwatch watch                  everything that is configured
  pinwatch watch files search     two of it
  pinwatch watch --name files -- npx -y @modelcontextprotocol/server-filesystem .
  pinwatch watch --name remote --url https://example.com/mcp --header 'Authorization: Bearer ${TOKEN}'")]
    Watch(Watch),

    /// Look around: servers inside this program that drift by script
    #[command(after_help = "\
Example:
  pinwatch demo                   a calm edit, a rug pull, a rename, a crash

It needs no network and no set-up, and leaves nothing behind. Approving and
rejecting really work in it.")]
    Demo,

    /// Record a snapshot; at first contact it becomes the baseline
    #[command(after_help = "\
Examples:
  pinwatch record                 every server that is configured
  pinwatch record files --label 'before the upgrade'
  pinwatch record files --accept tool/exec@sha256:1b4f…

A baseline that is there is never changed by it: `approve`, `reject` and the
screen do that. Exit status: 1 if items with critical findings were left out (name
each with --accept), 2 if a server could not be read whole, else 0.")]
    Record(Record),

    /// Compare servers with their baselines, for CI and scripts
    #[command(after_help = "\
Examples:
  pinwatch check                  every server that is configured
  pinwatch check files --fail-on critical,tool_removed
  pinwatch check --format json --output report.json
  pinwatch check --format text --format sarif=pinwatch.sarif --format markdown=comment.md
  pinwatch check --name files -- npx -y @modelcontextprotocol/server-filesystem .

Exit status: 1 if something is that --fail-on names; else 2 if a server could not
be read whole, has no baseline, or none was named; else 0. It writes nothing but
the reports.")]
    Check(Check),

    /// Say what a drift type or a rule of findings means, and what to do about it
    #[command(after_help = "\
Examples:
  pinwatch explain                all of them, a line each
  pinwatch explain tool_renamed
  pinwatch explain hidden-characters")]
    Explain(Explain),

    /// Approve one item, or one group, as it is now: the definition becomes the pin
    #[command(after_help = "\
Examples:
  pinwatch approve files tool/read_file --expect sha256:9f3a… --note 'reviewed the new parameter'
  pinwatch approve files --group protocol_upgraded --expect sha256:77b0…

`review` and `check` print items, groups and digests; that of a group covers
every member. If the server says something else by now, nothing is approved.")]
    Approve(Decide),

    /// Reject one item as it is now: the pin stays, the definition is remembered as refused
    #[command(after_help = "\
Example:
  pinwatch reject files tool/exec --expect sha256:41be… --note 'no shell'

A rejection flags; it stops no client from using the tool.")]
    Reject(Decide),

    /// List what waits for a decision, worst first
    #[command(after_help = "\
Example:
  pinwatch review                 each line with the command that decides it")]
    Review(Servers),

    /// Compare two snapshots
    #[command(after_help = "\
Example:
  pinwatch diff snapshots/files/20261102T091000Z.json snapshots/files/20261127T140211Z.json")]
    Diff(Diff),

    /// Show a server's items, or one item with its digests and decisions
    #[command(after_help = "\
Examples:
  pinwatch show files
  pinwatch show files tool/read_file --pager")]
    Show(Show),

    /// List the servers that were found, where, and how each would be started
    #[command(after_help = "\
Examples:
  pinwatch servers                it starts none of them
  pinwatch servers --explain      every file that was tried, and why each entry was taken or not")]
    Servers {
        /// List every file that was tried, and what became of each entry
        #[arg(long)]
        explain: bool,
    },

    /// Look for what would keep pinwatch from working here, and say the way out
    #[command(after_help = "\
Example:
  pinwatch doctor                 config, folders, terminal, programs, consents, baselines

It starts no server and writes nothing. Exit status: 2 if something does not work,
else 0.")]
    Doctor,

    /// Write a commented pinwatch.toml here, from the servers that were found
    #[command(after_help = "\
Example:
  pinwatch init                   what your clients' files name; nothing is started

It overwrites nothing. Secrets are not copied: their names stand in comments.")]
    Init,

    /// Give a server's pins, rejections and snapshots to another id
    #[command(after_help = "\
Example:
  pinwatch rename files docs      after its entry in pinwatch.toml was renamed

Digests that cover the id are worked out anew; snapshots are moved as they are.
Where it was interrupted, the same command does the rest.")]
    Rename(Rename),

    /// Delete the oldest snapshots of each server; baselines stay
    #[command(after_help = "\
Examples:
  pinwatch prune --keep 20        of every server
  pinwatch prune files --keep 5")]
    Prune(Prune),

    /// List the themes of the screen and what is wrong with any
    #[command(after_help = "\
Example:
  pinwatch themes                 built in and your own; `theme = \"dark\"` in [ui] chooses")]
    Themes,

    /// Delete a server's baseline; its snapshots stay
    #[command(after_help = "\
Example:
  pinwatch forget files           the next `record` starts afresh")]
    Forget(Forget),

    /// Merge two people's decisions on a baseline, for git
    #[command(after_help = "\
Example:
  pinwatch merge-driver %O %A %B %P    as git calls it, once it is told:

  git config merge.pinwatch.driver 'pinwatch merge-driver %O %A %B %P'
  echo 'snapshots/*/baseline.json merge=pinwatch' >> .gitattributes

Decisions on different items are put together. Exit status: 1 if both decided
otherwise on one item; the file is then marked there, and refused until someone
has chosen.")]
    MergeDriver(MergeDriver),

    /// Print completions for a shell, or the manual page
    #[command(
        hide = true,
        after_help = "\
Examples:
  pinwatch generate bash > ~/.local/share/bash-completion/completions/pinwatch
  pinwatch generate man > ~/.local/share/man/man1/pinwatch.1
  pinwatch generate man check > ~/.local/share/man/man1/pinwatch-check.1"
    )]
    Generate(Generate),

    /// Serve one of the demo's servers over standard input and output.
    #[command(hide = true)]
    DemoServer {
        /// Which one.
        name: String,
    },
}

/// Servers by id.
#[derive(Clone, Debug, Default, Args)]
pub struct Servers {
    /// Ids of configured servers; all where none is named
    #[arg(value_name = "SERVER")]
    pub servers: Vec<String>,
}

const TYPED: &str = "A server that is in no file";

/// Servers by id, or one that is typed here.
#[derive(Clone, Default, Args)]
pub struct Targets {
    /// Ids of configured servers; all where none is named
    #[arg(value_name = "SERVER", conflicts_with_all = ["name", "url", "command"])]
    pub servers: Vec<String>,

    /// Id of a server that is typed here: with --url, or with -- and a command
    #[arg(long, value_name = "ID", requires = "typed", help_heading = TYPED)]
    pub name: Option<String>,

    /// Its streamable HTTP endpoint; ${VAR} is taken from the environment
    #[arg(long, requires = "name", conflicts_with = "command", group = "typed", help_heading = TYPED)]
    pub url: Option<String>,

    /// A header to send; ${VAR} is taken from the environment, so that no secret needs to be typed
    #[arg(long = "header", value_name = "NAME: VALUE", requires = "url", value_parser = header, help_heading = TYPED)]
    pub headers: Vec<(String, String)>,

    /// The command that starts it and its arguments, taken as they are
    #[arg(last = true, value_name = "COMMAND", requires = "name", group = "typed", help_heading = TYPED)]
    pub command: Vec<String>,
}

impl Targets {
    /// The server that is typed here.
    pub fn ad_hoc(&self) -> Option<AdHoc> {
        let launch = match &self.url {
            Some(url) => AdHocLaunch::Url { url: url.clone(), headers: self.headers.clone() },
            None => AdHocLaunch::Command(self.command.clone()),
        };
        self.name.clone().map(|name| AdHoc { name, launch })
    }
}

/// `watch`.
#[derive(Clone, Default, Args)]
pub struct Watch {
    /// Which servers.
    #[command(flatten)]
    pub targets: Targets,
}

/// `record`.
#[derive(Clone, Args)]
pub struct Record {
    /// Which servers.
    #[command(flatten)]
    pub targets: Targets,

    /// A few words that the snapshot keeps
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,

    /// Pin this item although it has a critical finding; once for each
    #[arg(long, value_name = "KIND/NAME@DIGEST", value_parser = accepted)]
    pub accept: Vec<Accepted>,
}

/// One exact definition of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The item.
    pub item: ItemId,
    /// Its surface digest.
    pub digest: SurfaceDigest,
}

/// `check`.
#[derive(Clone, Args)]
pub struct Check {
    /// Which servers.
    #[command(flatten)]
    pub targets: Targets,

    /// What makes the exit status 1: a least severity, or names after commas
    ///
    /// Each of them fails: safe, info, moderate or critical (drifts of that severity and above), a drift type
    /// (tool_removed), a rule of findings that a drift brought (hidden-characters), breaking (callers break), unknown
    /// (what could not be told, which is exit status 2 otherwise). never stands alone.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', default_value = "moderate", value_parser = FailWord::parse)]
    pub fail_on: Vec<FailWord>,

    /// Form of the report, and the file that it goes to; once for each report
    ///
    /// One format may stand without a file: it goes to --output, else to standard output. Formats: text (for people),
    /// json (for programs), sarif (code scanning), junit (lists of tests), markdown (a pull request's comment), github
    /// (annotations, on standard output in a GitHub workflow).
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = Wanted::parse)]
    pub format: Vec<Wanted>,

    /// Write the report that names no file here instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// A report that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its form.
    pub format: Format,
    /// Where it goes; none for standard output, or `--output`.
    pub file: Option<PathBuf>,
}

impl Wanted {
    /// `FORMAT` or `FORMAT=FILE`.
    fn parse(text: &str) -> Result<Self, String> {
        let (format, file) = match text.split_once('=') {
            Some((_, "")) => return Err("a file is missing after `=`".to_owned()),
            Some((format, file)) => (format, Some(PathBuf::from(file))),
            None => (text, None),
        };
        let known = Format::value_variants().iter().filter_map(|known| Some((known, known.to_possible_value()?)));
        let names: Vec<_> = known.clone().map(|(_, value)| value.get_name().to_owned()).collect();
        let found = known.into_iter().find(|(_, value)| value.get_name() == format);
        let (format, _) = found.ok_or_else(|| format!("no format `{format}`; one of {}", names.join(", ")))?;
        Ok(Self { format: *format, file })
    }
}

/// Form of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs: one document, stable
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML
    Junit,
    /// A pull request's comment
    Markdown,
    /// Annotations of a GitHub workflow
    Github,
}

/// `explain`.
#[derive(Clone, Debug, Args)]
pub struct Explain {
    /// A drift type or a rule, as reports name it
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// `approve` and `reject`.
#[derive(Clone, Debug, Args)]
pub struct Decide {
    /// Id of the server
    pub server: String,

    /// The item, such as tool/read_file
    #[arg(value_name = "KIND/NAME", value_parser = ItemId::parse, required_unless_present = "group")]
    pub item: Option<ItemId>,

    /// Decide all members of a group as one, such as tool_changed:9f3a1c2b
    #[arg(long, value_name = "GROUP", conflicts_with = "item")]
    pub group: Option<String>,

    /// Digest of the definition, or of the group, that you have read
    #[arg(long, value_name = "DIGEST")]
    pub expect: SurfaceDigest,

    /// Let the value there differ from now on; once for each place. --expect is then the digest without those values
    #[arg(long, value_name = "POINTER", value_parser = pointer, conflicts_with = "group")]
    pub varies: Vec<Pointer>,

    /// Why; kept with the decision
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,

    /// Take the definition from this snapshot instead of asking the server
    #[arg(long, value_name = "FILE")]
    pub snapshot: Option<PathBuf>,
}

/// `diff`.
#[derive(Clone, Debug, Args)]
pub struct Diff {
    /// The snapshot before
    #[arg(value_name = "A")]
    pub before: PathBuf,

    /// The snapshot after
    #[arg(value_name = "B")]
    pub after: PathBuf,

    /// How it is read.
    #[command(flatten)]
    pub reading: Reading,
}

/// `show`.
#[derive(Clone, Debug, Args)]
pub struct Show {
    /// Id of the server
    pub server: String,

    /// The item, such as tool/read_file
    #[arg(value_name = "KIND/NAME", value_parser = ItemId::parse)]
    pub item: Option<ItemId>,

    /// How it is read.
    #[command(flatten)]
    pub reading: Reading,
}

/// What a person reads with.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Reading {
    /// Show it in your pager (PAGER)
    #[arg(long, conflicts_with = "editor")]
    pub pager: bool,

    /// Show a copy of it in your editor (VISUAL, EDITOR); edits there change nothing
    #[arg(long)]
    pub editor: bool,
}

/// `forget`.
#[derive(Clone, Debug, Args)]
pub struct Forget {
    /// Id of the server
    pub server: String,
}

/// `rename`.
#[derive(Clone, Debug, Args)]
pub struct Rename {
    /// Id under which the pins are
    pub old: String,

    /// Id that the server has now
    pub new: String,
}

/// `prune`.
#[derive(Clone, Debug, Args)]
pub struct Prune {
    /// Ids of servers; every server with snapshots where none is named
    pub servers: Vec<String>,

    /// So many of the latest stay
    #[arg(long, value_name = "NUMBER")]
    pub keep: usize,
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

/// `Name: value`, as HTTP writes it.
fn header(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("a header is written `Name: value`".to_owned()),
    }
}

/// A JSON Pointer from a definition's root.
fn pointer(text: &str) -> Result<Pointer, String> {
    let pointer = Pointer::parse(text).filter(|pointer| !pointer.as_str().is_empty());
    pointer.ok_or_else(|| "a JSON Pointer from the definition, such as /inputSchema/properties/tags/default".to_owned())
}

/// `KIND/NAME@DIGEST`; the name may hold an `@` of its own.
fn accepted(text: &str) -> Result<Accepted, String> {
    let (item, digest) = text.rsplit_once('@').ok_or("KIND/NAME@DIGEST, such as tool/exec@sha256:1b4f…")?;
    Ok(Accepted { item: ItemId::parse(item)?, digest: digest.parse()? })
}
