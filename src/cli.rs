//! The command line: what can be asked for, and one file a command.

pub mod admit;
mod args;
pub mod audit;
pub mod check;
pub mod compare;
pub mod decide;
pub mod descriptors;
pub mod diff;
pub mod doctor;
pub mod evidence;
pub mod explain;
pub mod export;
mod first_contact;
pub mod forget;
pub mod generate;
pub mod guard;
pub mod help;
pub mod init;
mod input;
mod look;
pub mod merge_driver;
pub mod open;
pub mod out;
mod output;
pub mod prune;
pub mod reading;
pub mod record;
pub mod rename;
pub mod review;
pub mod rules;
pub mod servers;
pub mod show;
pub mod sign_in;
mod tell;
pub mod themes;
pub mod unwatch;
pub mod verify_signature;

pub use args::{
    Accepted, Admit, Audit, AuditExport, AuditFormat, AuditVerify, Check, Compare, CompareFormat, Decide, Diff,
    Evidence, EvidenceCommand, Explain, Export, Exported, Forget, Format, Generate, Generated, Guard, GuardFiles,
    GuardSetup, Help, MergeDriver, PlainFormat, Prune, Reading, Record, Rename, Rules, RulesTest, Servers, Show,
    SignIn, SignOut, Stand, Targets, Unwatch, VerifySignature, Wanted, Watch,
};

use crate::config::{AdHoc, AdHocLaunch, duration};
use crate::report::Again;
use crate::store::redact::Redactor;
use crate::text::{shell_argument, shell_word};
use crate::tui::Depth;
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
  pinwatch demo                      look around; no set-up, no network
  pinwatch                           watch what pinwatch.toml or your clients' files name
  pinwatch record && pinwatch check  pin what is there now; later, in CI, see what drifted
  pinwatch watch --name files -- npx -y @modelcontextprotocol/server-filesystem .
  pinwatch help                      topics: clients, config, policy, findings, keys, ci, …

A name is taken as it is printed: <U+200B> in it is that character, and a literal
<U+ is written <U+003C>U+. A printed command can be pasted into a shell.

Exit status: 0 nothing to report, 1 a drift at or above --fail-on, 2 something
could not be read or was used wrongly.";

/// What counts for every command.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Options of every command")]
pub struct Global {
    /// Read this config instead of searching; this agrees to start its own servers
    ///
    /// A pinwatch.toml under any name, or a client's file such as .mcp.json or .vscode/mcp.json. Without it the nearest
    /// pinwatch.toml counts, from the current folder up to the repository's root. Where there is none, the files of
    /// every known client do, the project's first; for `check` and `review` your own only where the project has none.
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Keep baselines and snapshots in DIR/snapshots
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Agree to start every server of this run, also those from files found by searching
    #[arg(long, global = true)]
    pub yes: bool,

    /// With --yes: also start entries marked off (`disabled`) that their client starts anyway
    #[arg(long, global = true, requires = "yes")]
    pub yes_disabled: bool,

    /// Time-out for each start and each answer (30s, 2m, 500ms)
    #[arg(long, global = true, value_name = "DURATION", value_parser = duration)]
    pub timeout: Option<Duration>,

    /// Colours to use
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub color: Color,
}

impl Global {
    /// What a command that is printed by this run needs to do the same elsewhere: these options and the server that was typed.
    /// A secret that was typed is masked. `--yes` is not handed on: who reads a report has agreed to nothing by it.
    pub fn again(&self, ad_hoc: Option<&AdHoc>, redactor: &Redactor) -> Again {
        let path = |name: &str, path: &Option<PathBuf>| {
            path.as_ref().map(|path| format!(" --{name} {}", shell_word(&path.to_string_lossy()))).unwrap_or_default()
        };
        let words = |words: Vec<&str>| -> String {
            words.into_iter().fold(String::new(), |all, word| all + " " + &shell_argument(&redactor.mask(word)))
        };
        let typed = ad_hoc.map(|server| match &server.launch {
            AdHocLaunch::Command(argv) => format!(" --{}", words(argv.iter().map(String::as_str).collect())),
            AdHocLaunch::Url { url, headers } => {
                let header =
                    |(name, value): &(String, String)| format!(" --header{}", words(vec![&format!("{name}: {value}")]));
                format!(" --url{}{}", words(vec![url]), headers.iter().map(header).collect::<String>())
            }
        });
        let timeout = self.timeout.map(|timeout| format!(" --timeout {}ms", timeout.as_millis())).unwrap_or_default();
        Again { options: path("config", &self.config) + &path("root", &self.root) + &timeout, typed }
    }
}

/// Colours to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// By the terminal and NO_COLOR
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
    pub fn choice(self) -> Option<Depth> {
        match self {
            Self::Auto => None,
            Self::Never => Some(Depth::None),
            Self::Sixteen => Some(Depth::Sixteen),
            Self::Palette => Some(Depth::TwoHundredFiftySix),
            Self::True => Some(Depth::True),
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
  pinwatch watch --explain-keys   each key with its name in the config
  pinwatch watch --name files -- npx -y @modelcontextprotocol/server-filesystem .
  pinwatch watch --name remote --url https://example.com/mcp --header 'Authorization: Bearer ${TOKEN}'")]
    Watch(Watch),

    /// Try it: servers inside this program that drift by script
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
each with --accept), 2 if a server could not be read completely, else 0.")]
    Record(Record),

    /// Compare servers with their baselines, for CI and scripts
    #[command(after_help = "\
Examples:
  pinwatch check                  every server that is configured
  pinwatch check files --fail-on critical,tool_removed
  pinwatch check --format json --output report.json
  pinwatch check --yes --baseline-ref origin/main    in a pull request: judge by what was merged
  pinwatch check --format text --format sarif=pinwatch.sarif --format markdown=comment.md
  pinwatch check --name files -- npx -y @modelcontextprotocol/server-filesystem .

Exit status: 1 if something is that --fail-on names; else 2 if a server could not
be read whole, has no baseline, or none was named; else 0. It writes nothing but
the reports, and to the audit log what drifts for the first time.")]
    Check(Check),

    /// Explain a drift type, a finding rule or a profile, and what to do about it
    #[command(after_help = "\
Examples:
  pinwatch explain                all of them, a line each
  pinwatch explain tool_renamed
  pinwatch explain hidden-characters
  pinwatch explain rules          how rules of findings are written
  pinwatch explain strict")]
    Explain(Explain),

    /// Run the examples of rule files of findings
    #[command(
        subcommand,
        after_help = "\
Example:
  pinwatch rules test rules/mine.toml   `pinwatch explain rules` says how they are written"
    )]
    Rules(Rules),

    /// Approve one item or one group as it is now: the definition becomes the pin
    #[command(after_help = "\
Examples:
  pinwatch approve files tool/read_file --expect sha256:9f3a… --note 'reviewed the new parameter'
  pinwatch approve files --group protocol_upgraded --expect sha256:77b0…

`review` and `check` print items, groups and digests; that of a group covers
every member. If the server says something else by now, nothing is approved.")]
    Approve(Decide),

    /// Reject one item as it is now: the pin stays, the definition is recorded as rejected
    #[command(after_help = "\
Example:
  pinwatch reject files tool/exec --expect sha256:41be… --note 'no shell'

A rejection flags; only a guard before the server (`pinwatch help guard`) stops its use.")]
    Reject(Decide),

    /// List what needs a decision, worst first
    #[command(after_help = "\
Example:
  pinwatch review                 each with the command that decides it

A server without a baseline is listed as one: what is suspicious of it, and the
command that records it.")]
    Review(Servers),

    /// Compare two snapshots
    #[command(after_help = "\
Example:
  pinwatch diff snapshots/files/20261102T091000Z.json snapshots/files/20261127T140211Z.json

--format json prints one document, with the same drifts as a report of `check`.")]
    Diff(Diff),

    /// Show a server's items, or one item with its digests and decisions
    #[command(after_help = "\
Examples:
  pinwatch show files
  pinwatch show files tool/read_file --pager")]
    Show(Show),

    /// Write what other systems take: Assay's pins and manifests, MCPTrust's lock
    #[command(after_help = "\
Examples:
  pinwatch export assay-pins files --output assay-pins.yaml
  pinwatch export assay-observed files --output observed.json
  pinwatch export assay-candidate files --from observed.json --output candidate.json
  pinwatch export assay-declared files --server-id filesystem --output declared.json
  pinwatch export mcp-lock files --output mcp-lock.json

Pins, a declared manifest and a lock are made of what was approved, and start no
server. What was read in part or has no one reading is refused (exit status 2), and
then nothing is written.")]
    Export(Export),

    /// Compare a server with a lock of MCPTrust, or with pins or a manifest of Assay
    #[command(after_help = "\
Examples:
  pinwatch compare mcp-lock.json files
  pinwatch compare mcp-lock.json files --sig mcp-lock.json.sig --key public.key
  pinwatch compare mcp-lock.json files --format mcptrust
  pinwatch compare declared.json files --server-id filesystem

Such a file is hashes: it makes no pin. Where pinwatch has the definition that a hash
is of, in the baseline or in a snapshot, it shows what changed. Exit status: 1 if
something differs or the signature does not hold, else 2 if something could not be
told, else 0; with --format mcptrust 1 where its outcome is FAIL.")]
    Compare(Compare),

    /// Check the signature that a tool in a file carries (`x-assay-sig`)
    #[command(after_help = "\
Examples:
  pinwatch verify-signature tool.json
  pinwatch verify-signature tools.json --key build.pub

A signature that holds says that the key's holder signed this text, and nothing about
what the text does. Exit status, as Assay's own: 0 it holds by a trusted key, 1
malformed, 2 not signed, 3 not by a trusted key, 4 it does not hold.")]
    VerifySignature(VerifySignature),

    /// Check whether an attestation document (ATSA) admits a server
    #[command(after_help = "\
Examples:
  pinwatch admit weather          what it shows, held to [trust] of pinwatch.toml
  pinwatch admit --document attestation.json --trust root.json \\
    --origin https://tools.example.com --required internal
  pinwatch admit --document attestation.json --trust root.json --now 2026-06-01T12:00:00Z

Of a server over HTTP the document is asked for at /.well-known/mcp-attestation on its
own origin, without credentials; else it stands in the server's handshake.

It prints a line a rule, in the order of ATSA 1.0 (SEP-2809); the first that fails
decides, and its number and word are the reason. An admitted server is one that a
key of the trust root vouches for: that says nothing about what its tools do. Exit
status: 0 admitted, 1 refused, 2 it could not be told.")]
    Admit(Admit),

    /// Verify the log of what was decided and seen here, a hash-chained record each
    #[command(
        subcommand,
        after_help = "\
Examples:
  pinwatch audit verify               does each record follow the one before it?
  pinwatch audit head >> snapshots/audit-heads.jsonl    commit that: verify wants it in place
  pinwatch audit export --format csv --output audit.csv

A chain has no key: who can write the file can compute all of it anew. Only a head that
was committed elsewhere shows that. Exit status: 1 if a record does not hold, else 0."
    )]
    Audit(Audit),

    /// Ask of logs of calls: was the definition that a call was allowed on approved then?
    #[command(after_help = "\
Examples:
  pinwatch evidence decisions.jsonl
  pinwatch evidence decisions.jsonl --server-id filesystem=files
  pinwatch evidence ~/.capiscio/evidence/2026-11-27.jsonl --format json
  pinwatch evidence keygen ~/.config/pinwatch/evidence.key

It reads decision events of Assay, RFC-006 lines of CapiscIO and statements of SealedProof, as
others and `pinwatch guard` write them, and joins the digest of each call to the definitions at
hand. What a guard wrote is held against the audit log. Who approved when is taken from the log of this machine,
then from git's history of the baseline. Exit status: 1 if a call was allowed on a definition
that was not approved then, else 2 if that cannot be told of some call, else 0.")]
    Evidence(Evidence),

    /// List the servers found, where, and how each would be started
    #[command(after_help = "\
Examples:
  pinwatch servers                it starts none of them
  pinwatch servers --explain      every file that was tried, and why each entry was taken or not")]
    Servers {
        /// List every file that was tried, and what became of each entry
        #[arg(long)]
        explain: bool,
    },

    /// Check for what would keep pinwatch from working here, and how to fix it
    #[command(after_help = "\
Example:
  pinwatch doctor                 config, folders, terminal, programs, consents, baselines

It starts no server and writes nothing. Exit status: 2 if something does not work,
else 0.")]
    Doctor,

    /// Write a commented pinwatch.toml here, from the servers found
    #[command(after_help = "\
Example:
  pinwatch init                   what your clients' files name; nothing is started

It overwrites nothing. Secrets are not copied: their names stand in comments.")]
    Init,

    /// Stand between a client and a server: only what is approved passes
    #[command(after_help = "\
Example, in a client's file in the place of the server's own command:
  pinwatch guard files --root /home/ana/project -- npx -y @modelcontextprotocol/server-filesystem .
Before a server with a URL, which has its entry in pinwatch.toml:
  pinwatch guard tickets --root /home/ana/project --listen 127.0.0.1:7171

What was approved on this machine passes as it is. What was not is left out of
lists, and a call of it is answered with an error that says why. See
`pinwatch help guard` for what it stops and what it cannot.

With evidence of each call, a line in the form of Assay, CapiscIO or SealedProof:
  pinwatch guard files --root /home/ana/project --evidence assay=calls.jsonl -- COMMAND")]
    Guard(Guard),

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

    /// List the themes and any problem with one
    #[command(after_help = "\
Example:
  pinwatch themes                 built in and your own; `theme = \"dark\"` in [ui] chooses")]
    Themes,

    /// Delete a server's baseline; its snapshots stay
    #[command(after_help = "\
Example:
  pinwatch forget files           the next `record` starts afresh")]
    Forget(Forget),

    /// Sign in to a server with your account (OAuth): prints a URL for your browser, and keeps the token
    #[command(after_help = "\
Examples:
  pinwatch sign-in search
  pinwatch sign-in search --agree login.example.com    if one signs in elsewhere

No browser is opened. A host that is not the server's own is named first, and nothing
is sent to it before you agree. The token is kept in a file that only you can read;
`pinwatch help signing-in` says more. Exit status: 2 where nobody signed in.")]
    SignIn(SignIn),

    /// Forget the account that a server is looked at with
    #[command(after_help = "\
Example:
  pinwatch sign-out search

The token is deleted here. Its authorization server is not told: end the session there
if somebody else may have it.")]
    SignOut(SignOut),

    /// Accept that a server with a baseline is not watched; its pins stay
    #[command(after_help = "\
Example:
  pinwatch unwatch files --note 'replaced by search'

A baseline that nothing is compared with makes `check` exit 2, so that an entry
which was switched off or deleted does not go unnoticed. This accepts it, in the
baseline's file and in the log, until the next decision on that server.")]
    Unwatch(Unwatch),

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

    /// Explain a topic or a command
    #[command(after_help = "\
Examples:
  pinwatch help                   every command and every topic
  pinwatch help config            every key of pinwatch.toml
  pinwatch help keys --pager
  pinwatch help check")]
    Help(Help),

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
