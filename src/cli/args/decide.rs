//! Commands about one item or one baseline: what is decided, shown, compared and kept.

use super::audit::PlainFormat;
use super::{TYPED, header, item, launch, name, pointer};
use crate::canon::Pointer;
use crate::config::AdHoc;
use crate::digest::SurfaceDigest;
use crate::surface::ItemId;
use clap::Args;
use std::path::PathBuf;

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

/// `forget`.
#[derive(Clone, Debug, Args)]
pub struct Forget {
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
