//! Commands that read and write other systems' files.

use super::name;
use clap::{Args, ValueEnum};
use jiff::Timestamp;
use std::path::PathBuf;
use strum::IntoStaticStr;

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
