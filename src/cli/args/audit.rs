//! `audit` and `evidence`: what was decided, and the calls that were made.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

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
pub(super) fn server_id(text: &str) -> Result<(String, String), String> {
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
