//! `guard`, and what sets guards up.

use super::name;
use crate::interop::call::LogFormat;
use clap::{Args, Subcommand};
use std::net::SocketAddr;
use std::path::PathBuf;
use strum::VariantNames as _;

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
  pinwatch guard install cursor tickets --listen 127.0.0.1:7171      a server with a URL

Entries are edited in place: comments, order and line ends stay. What the file said
before is kept in the state folder. The entry of a server with a URL gets the guard's
URL and its secret, in files of yours alone. Exit status: 2 if some server is not guarded."
    )]
    Install(GuardFiles),
    /// Take guards out of a client's file again
    #[command(
        override_usage = "pinwatch guard uninstall [OPTIONS] <CLIENT> [SERVER]",
        mut_arg("listen", |listen| listen.hide(true)),
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
            Some(GuardSetup::Install(files)) => files.stands().map(|stand| ("install", stand)),
            Some(GuardSetup::Uninstall(files)) => files.stands().map(|stand| ("uninstall", stand)),
        }
    }
}

/// `guard install` and `guard uninstall`.
#[derive(Clone, Args)]
#[command(mut_args(of_setup))]
pub struct GuardFiles {
    /// The client, as `include` in pinwatch.toml calls it: cursor, vscode, claude-code, …
    #[arg(value_name = "CLIENT", required_unless_present_any = ["command", "listen"], conflicts_with_all = ["command", "evidence"])]
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

impl GuardFiles {
    /// The guard that stands before a server that is called like the command.
    fn stands(&self) -> Option<&Stand> {
        self.stand.as_ref().filter(|_| self.client.is_none())
    }

    /// Where the guard of the server that is named listens.
    pub fn listen(&self) -> Option<SocketAddr> {
        self.stand.as_ref().and_then(|stand| stand.listen)
    }
}

/// An argument of the set-up. What is only for a guard before a server that is called like it is hidden.
fn of_setup(arg: clap::Arg) -> clap::Arg {
    match arg.get_id().as_str() {
        "client" | "named" | "write" | "help" => arg,
        "listen" => arg.help("Where the guard of SERVER listens: http://ADDRESS/mcp takes the place of its URL"),
        _ => arg.hide(true),
    }
}

/// `FORMAT=FILE`.
pub(super) fn evidence(text: &str) -> Result<(LogFormat, PathBuf), String> {
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
