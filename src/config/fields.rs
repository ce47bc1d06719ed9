//! Expands and checks the fields of a launch.

use super::entry::{Pairs, Written};
use super::expand::{Surroundings, Text, Unexpanded};
use super::{env_file, find};
use crate::mcp::Target;
use crate::store::redact::mask_url;
use crate::text::visible;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Why a server cannot be started as written.
pub(super) struct LaunchFault {
    /// `command`, `args[0]`, `env.KEY`, … as written; empty where it is about the whole entry.
    pub(super) field: String,
    /// What is wrong with it. Escaped.
    pub(super) text: String,
    /// Whether it is about this server's address only: a state of the server, not a fault of the file.
    pub(super) of_address: bool,
    /// The input, by its id, that a person must answer first.
    pub(super) input: Option<String>,
}

impl LaunchFault {
    pub(super) fn new(field: impl Into<String>, text: impl Into<String>) -> Self {
        Self { field: field.into(), text: text.into(), of_address: false, input: None }
    }

    /// A text of this field that cannot be put together.
    pub(super) fn unexpanded(field: impl Into<String>, unexpanded: Unexpanded) -> Self {
        match unexpanded {
            Unexpanded::Fault(text) => Self::new(field, text),
            Unexpanded::Input(id) => {
                let text = format!("`${{input:{}}}` is asked for, and not answered", visible(&id));
                Self { input: Some(id), ..Self::new(field, text) }
            }
        }
    }

    /// The field and what is wrong with it, on one printable line.
    pub(super) fn sentence(&self) -> String {
        if self.field.is_empty() { self.text.clone() } else { format!("{}: {}", visible(&self.field), self.text) }
    }
}

/// What a launch is expanded with.
pub(super) struct Fields<'a> {
    pub(super) around: Surroundings<'a>,
    /// The default working folder.
    pub(super) folder: &'a Path,
}

impl Fields<'_> {
    /// The launch with every value put in.
    pub(super) fn target(&self, written: &Written, allow_plain: bool) -> Result<Target, LaunchFault> {
        match written {
            Written::Stdio { command, args, cwd, env, env_file } => {
                let cwd = cwd.as_ref().map(|cwd| self.expand("cwd", cwd, false)).transpose()?;
                let cwd = cwd.map_or_else(|| self.folder.to_owned(), |cwd| find::normal(&self.folder.join(cwd)));
                self.stdio(command, args, cwd, env, env_file.as_ref())
            }
            Written::Http { url, headers } => self.http(url, headers, allow_plain),
        }
    }

    fn stdio(
        &self,
        command: &Text,
        args: &[Text],
        cwd: PathBuf,
        env: &Pairs,
        env_file: Option<&Text>,
    ) -> Result<Target, LaunchFault> {
        let command = self.expand("command", command, true)?;
        if command.trim().is_empty() {
            return Err(LaunchFault::new("command", "it is empty"));
        }
        let number = |(index, arg): (usize, &Text)| self.expand(&format!("args[{index}]"), arg, true);
        let args = args.iter().enumerate().map(number).collect::<Result<_, _>>()?;
        let mut variables = match env_file {
            Some(file) => {
                let file = self.folder.join(self.expand("envFile", file, false)?);
                env_file::read(&file).map_err(|fault| LaunchFault::new("envFile", fault))?
            }
            None => BTreeMap::new(),
        };
        for (name, text) in env {
            let field = format!("env.{name}");
            if name.is_empty() || name.contains(['=', '\0']) {
                return Err(LaunchFault::new(field, "no variable can have this name"));
            }
            variables.insert(name.clone(), self.expand(&field, text, false)?);
        }
        Ok(Target::Stdio { command: rooted(command, &cwd), args, cwd, env: variables })
    }

    fn http(&self, url: &Text, headers: &Pairs, allow_plain: bool) -> Result<Target, LaunchFault> {
        let url = self.expand("url", url, false)?;
        let mut sent = Vec::new();
        let mut names = BTreeSet::new();
        for (name, text) in headers {
            let field = format!("headers.{name}");
            if !is_header_name(name) {
                return Err(LaunchFault::new(field, "no header can have this name"));
            }
            if !names.insert(name.to_ascii_lowercase()) {
                return Err(LaunchFault::new(field, "this header occurs twice, in different case"));
            }
            let value = self.expand(&field, text, false)?;
            if value.chars().any(|c| c.is_control() && c != '\t') {
                return Err(LaunchFault::new(field, "a control character cannot be sent"));
            }
            sent.push((name.clone(), value));
        }
        address(&url)?;
        Ok(Target::Http { url, headers: sent, allow_plain })
    }

    /// A text with its variables put in. `foreign`: what means nothing to the client may pass.
    fn expand(&self, field: &str, text: &Text, foreign: bool) -> Result<String, LaunchFault> {
        let fault = |unexpanded| LaunchFault::unexpanded(field, unexpanded);
        let expanded = text.expand(&self.around, foreign).map_err(fault)?;
        // The system's own calls end a text at the first one.
        if expanded.contains('\0') { Err(LaunchFault::new(field, "it has a NUL character")) } else { Ok(expanded) }
    }
}

/// Refuses what is no address of a streamable HTTP endpoint.
fn address(url: &str) -> Result<(), LaunchFault> {
    let shown = visible(&mask_url(url)).to_string();
    let fault = |text: String| LaunchFault { of_address: true, ..LaunchFault::new("url", text) };
    let parsed = reqwest::Url::parse(url).map_err(|error| fault(format!("`{shown}` is not a URL: {error}")))?;
    match parsed.scheme() {
        "http" | "https" if parsed.has_host() => Ok(()),
        _ => Err(fault(format!("`{shown}` is neither http:// nor https://"))),
    }
}

/// RFC 9110 `token`.
fn is_header_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// A command with a folder in it, seen from the working folder: systems disagree on what it is relative to.
fn rooted(command: String, cwd: &Path) -> String {
    let path = Path::new(&command);
    if path.is_relative() && path.components().nth(1).is_some() || command.starts_with("./") {
        return cwd.join(path).to_string_lossy().into_owned();
    }
    command
}
