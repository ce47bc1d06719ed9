//! Commands that look at servers: `watch`, `record`, `check`, `servers`.

use super::{TYPED, header, item, launch, name};
use crate::config::AdHoc;
use crate::digest::SurfaceDigest;
use crate::report::FailWord;
use crate::surface::{ClientIdentity, ItemId};
use crate::text::Form;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::Arc;

/// Servers by id.
#[derive(Clone, Debug, Default, Args)]
pub struct Servers {
    /// Ids of configured servers (default: all)
    #[arg(value_name = "SERVER", value_parser = name())]
    pub servers: Vec<String>,
}

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

/// `KIND/NAME@DIGEST`; the name may hold an `@` of its own.
fn accepted(text: &str) -> Result<Accepted, String> {
    let (named, digest) = text.rsplit_once('@').ok_or("KIND/NAME@DIGEST, such as tool/exec@sha256:1b4f…")?;
    Ok(Accepted { item: item(named)?, digest: digest.parse()? })
}
