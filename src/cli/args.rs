//! What each command takes.

use crate::canon::Pointer;
use crate::config::{AdHoc, AdHocLaunch};
use crate::digest::SurfaceDigest;
use crate::interop::call::LogFormat;
use crate::report::FailWord;
use crate::surface::{ClientIdentity, ItemId};
use crate::text::{Form, read_back};
use clap::builder::{StringValueParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use jiff::Timestamp;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use strum::{IntoStaticStr, VariantNames as _};

/// Servers by id.
#[derive(Clone, Debug, Default, Args)]
pub struct Servers {
    /// Ids of configured servers (default: all)
    #[arg(value_name = "SERVER", value_parser = name())]
    pub servers: Vec<String>,
}

const TYPED: &str = "A server that is in no file";

/// Servers by id, or one that is typed here.
#[derive(Clone, Default, Args)]
pub struct Targets {
    /// Ids of configured servers (default: all)
    #[arg(value_name = "SERVER", value_parser = name(), conflicts_with_all = ["name", "url", "command"])]
    pub servers: Vec<String>,

    /// Id of a server given here, with --url or with -- COMMAND
    #[arg(long, value_name = "ID", value_parser = name(), requires = "typed", help_heading = TYPED)]
    pub name: Option<String>,

    /// URL of its streamable HTTP endpoint; ${VAR} is read from the environment
    #[arg(long, requires = "name", conflicts_with = "command", group = "typed", help_heading = TYPED)]
    pub url: Option<String>,

    /// Header to send; ${VAR} is read from the environment, so that no secret needs to be typed
    #[arg(long = "header", value_name = "NAME: VALUE", requires = "url", value_parser = header, help_heading = TYPED)]
    pub headers: Vec<(String, String)>,

    /// Command that starts it, and its arguments, taken as they are
    #[arg(last = true, value_name = "COMMAND", requires = "name", group = "typed", help_heading = TYPED)]
    pub command: Vec<String>,
}

impl Targets {
    /// The server that is typed here.
    pub fn ad_hoc(&self) -> Option<AdHoc> {
        let launch = launch(self.url.as_ref(), &self.headers, &self.command)?;
        self.name.clone().map(|name| AdHoc { name, launch })
    }
}

/// `watch`.
#[derive(Clone, Default, Args)]
pub struct Watch {
    /// Which servers.
    #[command(flatten)]
    pub targets: Targets,

    /// Print each key with its name in the config, and start nothing
    #[arg(long)]
    pub explain_keys: bool,
}

/// `record`.
#[derive(Clone, Args)]
pub struct Record {
    /// Which servers.
    #[command(flatten)]
    pub targets: Targets,

    /// Label to store with the snapshot
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,

    /// Pin this item despite a critical finding; repeat for each
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

    /// What makes the exit status 1: a minimum severity, or names separated by commas
    ///
    /// Each of them fails: safe, info, moderate or critical (drifts of that severity and above), a drift type
    /// (tool_removed), a finding rule that a drift brought (hidden-characters), breaking (callers break), unknown
    /// (what could not be checked, which is exit status 2 otherwise). never cannot be combined.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', default_value = "moderate", value_parser = FailWord::parse)]
    pub fail_on: Vec<FailWord>,

    /// Report format, and the file that it goes to; repeat for each report
    ///
    /// One format may omit the file: it goes to --output, else to standard output. Formats: text (for people),
    /// json (for programs), sarif (code scanning), junit (lists of tests), markdown (a pull request's comment), github
    /// (annotations, on standard output in a GitHub workflow).
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = Wanted::parse)]
    pub format: Vec<Wanted>,

    /// File for the report that names none, instead of standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Also look at each server as these known clients, at most three, and tell what it shows them otherwise
    ///
    /// Each server is started again for each client, one after another, under the client's name and capabilities; no tool is
    /// called. `pinwatch help faces` names the clients and says what is told.
    #[arg(long = "as", value_name = "CLIENT", value_delimiter = ',', value_parser = known_client)]
    pub shown_to: Vec<Arc<ClientIdentity>>,

    /// Judge by the baselines and the policy of this git ref, not of the work tree: a branch, a tag or a commit
    ///
    /// From the ref come baselines, policy, findings, trust and what is ignored; from the work tree only what is started. So a
    /// pull request cannot soften what judges it. What the work tree has otherwise is reported.
    #[arg(long, value_name = "REF")]
    pub baseline_ref: Option<String>,
}

/// A client by its word.
fn known_client(word: &str) -> Result<Arc<ClientIdentity>, String> {
    let words = || ClientIdentity::known().iter().map(|client| client.word.as_str());
    let unknown = || format!("no client `{word}` is known; one of {}", words().collect::<Vec<_>>().join(", "));
    ClientIdentity::named(word).ok_or_else(unknown)
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

impl Format {
    /// How a character is escaped in it.
    pub fn form(self) -> Form {
        match self {
            Self::Text | Self::Markdown => Form::Text,
            Self::Json | Self::Sarif => Form::Json,
            Self::Junit => Form::Xml,
            Self::Github => Form::Workflow,
        }
    }
}

/// `explain`.
#[derive(Clone, Debug, Args)]
pub struct Explain {
    /// A drift type, a rule or a profile, as reports name it
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// `evidence`.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Evidence {
    /// What else
    #[command(subcommand)]
    pub command: Option<EvidenceCommand>,

    /// Logs of calls, an event a line (JSON); else those of [evidence] files in pinwatch.toml
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// What the log calls a server: its digests cover that name (`assay mcp wrap --label`); repeat for each
    #[arg(long, value_name = "ID=SERVER", value_parser = server_id)]
    pub server_id: Vec<(String, String)>,

    /// The form
    #[arg(long, value_enum, default_value_t)]
    pub format: PlainFormat,
}

/// What `evidence` does beside reading logs.
#[derive(Clone, Debug, Subcommand)]
pub enum EvidenceCommand {
    /// Make the key that guards sign statements of SealedProof with, and print its public half
    #[command(after_help = "\
Examples:
  pinwatch evidence keygen             in the file that [evidence] signing-key names
  pinwatch evidence keygen ~/.config/pinwatch/evidence.key

The file has mode 0600. One that is there is never overwritten.")]
    Keygen {
        /// The file; else that of [evidence] signing-key in pinwatch.toml
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
}

/// `ID=SERVER`.
fn server_id(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((id, server)) if !id.trim().is_empty() && !server.is_empty() => {
            Ok((id.trim().to_owned(), server.to_owned()))
        }
        _ => Err("write ID=SERVER".to_owned()),
    }
}

/// A form of `diff` and `evidence`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PlainFormat {
    /// For people
    #[default]
    Text,
    /// For programs: one document, stable
    Json,
}

/// `audit`.
#[derive(Clone, Debug, Subcommand)]
pub enum Audit {
    /// Name the first record that does not hold: edited, deleted, moved or cut off
    #[command(after_help = "\
Examples:
  pinwatch audit verify               this machine's log, and the heads of it that are committed here
  pinwatch audit verify audit.jsonl --head heads.jsonl

FILE may be any chain of audit-record-contract/1, or of enclawed. Exit status: 1 if a record
does not hold, 2 if a file cannot be read, else 0.")]
    Verify(AuditVerify),
    /// Print this machine, the number of the last record, and its hash: a line to commit
    #[command(after_help = "\
Example:
  pinwatch audit head >> snapshots/audit-heads.jsonl")]
    Head,
    /// Write the records for another program
    #[command(after_help = "\
Examples:
  pinwatch audit export > audit.jsonl
  pinwatch audit export --format csv --output audit.csv")]
    Export(AuditExport),
}

/// `audit verify`.
#[derive(Clone, Debug, Args)]
pub struct AuditVerify {
    /// Another chain than this machine's own
    pub file: Option<PathBuf>,

    /// Heads that must be in place (default: snapshots/audit-heads.jsonl, those of this machine)
    #[arg(long, value_name = "FILE")]
    pub head: Option<PathBuf>,
}

/// `audit export`.
#[derive(Clone, Debug, Args)]
pub struct AuditExport {
    /// The form
    #[arg(long, value_enum, default_value_t)]
    pub format: AuditFormat,

    /// File to write, instead of standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// A form of exported records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    /// A record a line, as they are: other programs verify them
    #[default]
    Jsonl,
    /// A row a record, for a spreadsheet
    Csv,
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

/// `approve` and `reject`.
#[derive(Clone, Debug, Args)]
pub struct Decide {
    /// Id of the server
    #[arg(value_parser = name())]
    pub server: String,

    /// The item, such as tool/read_file, as it is printed or as it is
    ///
    /// In the name of an item or a server, and in a pointer, <U+200B> is the character that it is printed for, and a
    /// literal <U+ is written <U+003C>U+. Every other name is taken as it is.
    #[arg(value_name = "KIND/NAME", value_parser = item, required_unless_present = "group")]
    pub item: Option<ItemId>,

    /// Decide on all members of a group, such as tool_changed:9f3a1c2b
    #[arg(long, value_name = "GROUP", conflicts_with = "item")]
    pub group: Option<String>,

    /// Digest of the definition, or of the group, that you have read
    #[arg(long, value_name = "DIGEST")]
    pub expect: SurfaceDigest,

    /// Let the value at this pointer vary from now on; repeat for each. --expect is then the digest without those values
    #[arg(long, value_name = "POINTER", value_parser = pointer, conflicts_with = "group")]
    pub varies: Vec<Pointer>,

    /// Reason, stored with the decision
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,

    /// Use the definition in this snapshot instead of the live one
    #[arg(long, value_name = "FILE", conflicts_with = "typed")]
    pub snapshot: Option<PathBuf>,

    /// URL of its streamable HTTP endpoint; ${VAR} is read from the environment
    #[arg(long, conflicts_with = "command", group = "typed", help_heading = TYPED)]
    pub url: Option<String>,

    /// Header to send; ${VAR} is read from the environment, so that no secret needs to be typed
    #[arg(long = "header", value_name = "NAME: VALUE", requires = "url", value_parser = header, help_heading = TYPED)]
    pub headers: Vec<(String, String)>,

    /// Command that starts it, and its arguments, taken as they are
    #[arg(last = true, value_name = "COMMAND", group = "typed", help_heading = TYPED)]
    pub command: Vec<String>,
}

impl Decide {
    /// The server where it is typed here.
    pub fn ad_hoc(&self) -> Option<AdHoc> {
        let launch = launch(self.url.as_ref(), &self.headers, &self.command)?;
        Some(AdHoc { name: self.server.clone(), launch })
    }
}

/// `guard`: one that stands, or what sets guards up.
#[derive(Clone, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(mut_arg("command", |command| command.required_unless_present("listen")))]
pub struct Guard {
    /// What sets guards up.
    #[command(subcommand)]
    pub setup: Option<GuardSetup>,

    /// Id of the server, as pinwatch knows it
    #[arg(value_name = "SERVER", value_parser = name(), required = true)]
    pub server: Option<String>,

    /// How the guard stands.
    #[command(flatten)]
    pub stand: Stand,
}

/// How a guard stands.
#[derive(Clone, Args)]
pub struct Stand {
    /// Write a line a call to FILE, as `assay`, `capiscio` or `sealedproof` have it; repeat for each
    #[arg(long, value_name = "FORMAT=FILE", value_parser = evidence)]
    pub evidence: Vec<(LogFormat, PathBuf)>,

    /// Stop a call whose evidence cannot be written
    #[arg(long, requires = "evidence")]
    pub strict_evidence: bool,

    /// Listen on this address of this machine, before a server with a URL; clients ask http://ADDRESS/mcp
    #[arg(long, value_name = "ADDRESS", value_parser = loopback, conflicts_with = "command")]
    pub listen: Option<SocketAddr>,

    /// Command that starts the server, and its arguments, taken as they are
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// What sets guards up.
#[derive(Clone, Subcommand)]
pub enum GuardSetup {
    /// Put guards into a client's file: prints what would change
    #[command(
        override_usage = "pinwatch guard install [OPTIONS] <CLIENT> [SERVER]",
        after_help = "\
Examples:
  pinwatch guard install cursor            what would change in Cursor's files
  pinwatch guard install cursor files --write

Commands are edited in place: comments, order and line ends stay. What the file said
before is kept in the state folder. Exit status: 2 if some server is not guarded."
    )]
    Install(GuardFiles),
    /// Take guards out of a client's file again
    #[command(
        override_usage = "pinwatch guard uninstall [OPTIONS] <CLIENT> [SERVER]",
        after_help = "\
Examples:
  pinwatch guard uninstall cursor          what would change
  pinwatch guard uninstall cursor --write

A file that nobody changed since becomes what it was, byte for byte. In one that was
changed only the guards are taken away."
    )]
    Uninstall(GuardFiles),
}

impl Guard {
    /// The guard that is to stand; none where one is to be set up. A server may be called `install`, too.
    pub fn stands(&self) -> Option<(&str, &Stand)> {
        match &self.setup {
            None => self.server.as_deref().map(|server| (server, &self.stand)),
            Some(GuardSetup::Install(files)) => files.stand.as_ref().map(|stand| ("install", stand)),
            Some(GuardSetup::Uninstall(files)) => files.stand.as_ref().map(|stand| ("uninstall", stand)),
        }
    }
}

/// `guard install` and `guard uninstall`.
#[derive(Clone, Args)]
#[command(mut_args(|arg| if is_of_setup(&arg) { arg } else { arg.hide(true) }))]
pub struct GuardFiles {
    /// The client, as `include` in pinwatch.toml calls it: cursor, vscode, claude-code, …
    #[arg(value_name = "CLIENT", required_unless_present_any = ["command", "listen"], conflicts_with_all = ["command", "listen"])]
    pub client: Option<String>,

    /// Name of a server in its files, or its id (default: all)
    #[arg(value_name = "SERVER", value_parser = name(), requires = "client")]
    pub named: Option<String>,

    /// Write it
    #[arg(long, requires = "client")]
    pub write: bool,

    /// A server that is called like the command.
    #[command(flatten)]
    pub stand: Option<Stand>,
}

/// Whether an argument is one of the set-up, and not of a guard before a server that is called like it.
fn is_of_setup(arg: &clap::Arg) -> bool {
    ["client", "named", "write", "help"].contains(&arg.get_id().as_str())
}

/// `FORMAT=FILE`.
fn evidence(text: &str) -> Result<(LogFormat, PathBuf), String> {
    let (format, file) = text.split_once('=').filter(|(_, file)| !file.is_empty()).ok_or("write FORMAT=FILE")?;
    let format = format.parse().map_err(|_| format!("the format is one of {}", LogFormat::VARIANTS.join(", ")))?;
    Ok((format, file.into()))
}

/// An address that only this machine reaches.
fn loopback(text: &str) -> Result<SocketAddr, String> {
    let numbers = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let address: SocketAddr = numbers
        .as_deref()
        .unwrap_or(text)
        .parse()
        .map_err(|_| "write an address of this machine with its port, such as 127.0.0.1:7171".to_owned())?;
    if address.ip().is_loopback() {
        return Ok(address);
    }
    Err("others can reach it: a guard listens on loopback addresses only, such as 127.0.0.1:7171".to_owned())
}

/// How a server that is typed on the command line is reached.
fn launch(url: Option<&String>, headers: &[(String, String)], command: &[String]) -> Option<AdHocLaunch> {
    match url {
        Some(url) => Some(AdHocLaunch::Url { url: url.clone(), headers: headers.to_vec() }),
        None => (!command.is_empty()).then(|| AdHocLaunch::Command(command.to_vec())),
    }
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

    /// Form of what is printed
    #[arg(long, value_enum, default_value_t)]
    pub format: PlainFormat,

    /// How it is read.
    #[command(flatten)]
    pub reading: Reading,
}

/// `show`.
#[derive(Clone, Debug, Args)]
pub struct Show {
    /// Id of the server
    #[arg(value_parser = name())]
    pub server: String,

    /// The item, such as tool/read_file, as it is printed or as it is
    ///
    /// In the name of an item or a server, and in a pointer, <U+200B> is the character that it is printed for, and a
    /// literal <U+ is written <U+003C>U+. Every other name is taken as it is.
    #[arg(value_name = "KIND/NAME", value_parser = item)]
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

/// `export`.
#[derive(Clone, Debug, Args)]
pub struct Export {
    /// What to make
    #[arg(value_name = "FORMAT", value_enum)]
    pub what: Exported,

    /// Id of the server
    #[arg(value_parser = name())]
    pub server: String,

    /// What Assay calls the server, where that is another id
    #[arg(long, value_name = "ID", value_parser = name())]
    pub server_id: Option<String>,

    /// The observed manifest of which assay-candidate is made
    #[arg(long, value_name = "OBSERVED")]
    pub from: Option<PathBuf>,

    /// Version of an mcp-lock: 2, of tools alone, or 3 (the default), which `mcptrust check` wants
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(2..=3))]
    pub lock_version: Option<u8>,

    /// Write it here instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    pub force: bool,
}

/// What can be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Exported {
    /// Assay's `tool_pins`, of approved tools (YAML)
    AssayPins,
    /// assay.mcp_manifest_observed.v0, of a live look
    AssayObserved,
    /// assay.mcp_manifest_candidate.v0, of the observed manifest that --from names
    AssayCandidate,
    /// assay.declared_mcp_manifest.v0, of approved tools
    AssayDeclared,
    /// mcp-lock.json of MCPTrust, of approved items
    McpLock,
}

word!(Exported);

/// `compare`.
#[derive(Clone, Debug, Args)]
pub struct Compare {
    /// A lock of MCPTrust, a declared manifest or a `tool_pins` policy of Assay
    pub file: PathBuf,

    /// Id of the server; where it is left out, the one that the file names, or the only one
    #[arg(value_parser = name())]
    pub server: Option<String>,

    /// What Assay calls the server, where that is another id
    #[arg(long, value_name = "ID", value_parser = name())]
    pub server_id: Option<String>,

    /// The lock's signature
    #[arg(long, value_name = "FILE", requires = "key")]
    pub sig: Option<PathBuf>,

    /// The public key that the signature must be of
    #[arg(long, value_name = "FILE", requires = "sig")]
    pub key: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: CompareFormat,
}

/// Form of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CompareFormat {
    /// For people, with what changed
    #[default]
    Text,
    /// The document of `mcptrust check --format json`, of a lock
    Mcptrust,
}

/// `verify-signature`.
#[derive(Clone, Debug, Args)]
pub struct VerifySignature {
    /// A tool, a list of tools, or an answer's result with `tools` (JSON)
    pub file: PathBuf,

    /// A public key to trust beside those of [assay.trusted-keys]: PEM, base64, or its id
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
}

/// `admit`.
#[derive(Clone, Debug, Args)]
pub struct Admit {
    /// Id of a configured server, held to [trust] of pinwatch.toml
    #[arg(value_name = "SERVER", value_parser = name(), conflicts_with = "document", required_unless_present = "document")]
    pub server: Option<String>,

    /// Server's attestation document (JSON); it is signed by its publisher
    #[arg(long, value_name = "FILE", requires = "trust")]
    pub document: Option<PathBuf>,

    /// Trust root (JSON): the levels of clearance, and the keys that may sign for which of them
    #[arg(long, value_name = "FILE", requires = "document")]
    pub trust: Option<PathBuf>,

    /// Where the server is reached; without it, as over standard input and output, a document that is bound to origins fails
    #[arg(long, value_name = "URL", requires = "document")]
    pub origin: Option<String>,

    /// Least level of clearance (default: any level of the trust root)
    #[arg(long, value_name = "LEVEL", requires = "document")]
    pub required: Option<String>,

    /// The moment to check for (default: now)
    #[arg(long, value_name = "TIME", requires = "document", value_parser = moment)]
    pub now: Option<Timestamp>,
}

fn moment(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "no time like 2026-06-01T12:00:00Z".to_owned())
}

/// `forget`.
#[derive(Clone, Debug, Args)]
pub struct Forget {
    /// Id of the server
    #[arg(value_parser = name())]
    pub server: String,
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

/// `unwatch`.
#[derive(Clone, Debug, Args)]
pub struct Unwatch {
    /// Id of the server
    #[arg(value_parser = name())]
    pub server: String,

    /// Reason, stored with the decision
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
}

/// `rename`.
#[derive(Clone, Debug, Args)]
pub struct Rename {
    /// Id that the pins have
    #[arg(value_parser = name())]
    pub old: String,

    /// Id that the server has now
    #[arg(value_parser = name())]
    pub new: String,
}

/// `prune`.
#[derive(Clone, Debug, Args)]
pub struct Prune {
    /// Ids of servers; every server with snapshots where none is named
    #[arg(value_parser = name())]
    pub servers: Vec<String>,

    /// Number of latest snapshots to keep
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

/// A name as it is, or as it is printed: `<U+200B>` is the character, and a literal `<U+` stands as `<U+003C>U+`. So no
/// name has two readings, and one that no argument can hold (a NUL) has a spelling.
fn name() -> impl TypedValueParser<Value = String> {
    StringValueParser::new().map(|text| read_back(&text))
}

/// `KIND/NAME`; the name may hold a `/` of its own.
fn item(text: &str) -> Result<ItemId, String> {
    ItemId::parse(&read_back(text))
}

/// A JSON Pointer from a definition's root.
fn pointer(text: &str) -> Result<Pointer, String> {
    let pointer = Pointer::parse(&read_back(text)).filter(|pointer| !pointer.as_str().is_empty());
    pointer.ok_or_else(|| "a JSON Pointer from the definition, such as /inputSchema/properties/tags/default".to_owned())
}

/// `KIND/NAME@DIGEST`; the name may hold an `@` of its own.
fn accepted(text: &str) -> Result<Accepted, String> {
    let (named, digest) = text.rsplit_once('@').ok_or("KIND/NAME@DIGEST, such as tool/exec@sha256:1b4f…")?;
    Ok(Accepted { item: item(named)?, digest: digest.parse()? })
}
