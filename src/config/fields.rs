//! Expands and checks the fields of a launch.

use super::expand::{self, Dialect, Lookup};
use super::find;
use crate::mcp::Target;
use crate::store::redact::mask_url;
use crate::text::visible;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Why a server cannot be started as written.
pub(super) struct LaunchFault {
    /// `command`, `args[0]`, `env.KEY`, … as written; empty where it is about the whole entry.
    pub(super) field: String,
    /// What is wrong with it. Escaped.
    pub(super) text: String,
    /// Whether it is about this server's address only: a state of the server, not a fault of the file.
    pub(super) of_address: bool,
}

impl LaunchFault {
    pub(super) fn new(field: impl Into<String>, text: impl Into<String>) -> Self {
        Self { field: field.into(), text: text.into(), of_address: false }
    }

    /// The field and what is wrong with it, on one printable line.
    pub(super) fn sentence(&self) -> String {
        if self.field.is_empty() { self.text.clone() } else { format!("{}: {}", visible(&self.field), self.text) }
    }
}

/// The rules under which a launch is expanded.
pub(super) struct Fields<'a> {
    pub(super) dialect: Dialect,
    pub(super) environment: Lookup<'a>,
}

impl Fields<'_> {
    /// A command, seen from the folder of the file that names it.
    pub(super) fn stdio(
        &self,
        command: &str,
        args: &[String],
        cwd: Option<&str>,
        env: &BTreeMap<String, String>,
        folder: &Path,
    ) -> Result<Target, LaunchFault> {
        let cwd = cwd.map(|cwd| self.expand("cwd", cwd)).transpose()?;
        let cwd = cwd.map_or_else(|| folder.to_owned(), |cwd| find::normal(&folder.join(cwd)));
        let command = self.expand("command", command)?;
        if command.trim().is_empty() {
            return Err(LaunchFault::new("command", "it is empty"));
        }
        let number = |(index, arg): (usize, &String)| self.expand(&format!("args[{index}]"), arg);
        let args = args.iter().enumerate().map(number).collect::<Result<_, _>>()?;
        let mut variables = BTreeMap::new();
        for (name, text) in env {
            let field = format!("env.{name}");
            if name.is_empty() || name.contains(['=', '\0']) {
                return Err(LaunchFault::new(field, "no variable can have this name"));
            }
            variables.insert(name.clone(), self.expand(&field, text)?);
        }
        Ok(Target::Stdio { command: rooted(command, &cwd), args, cwd, env: variables })
    }

    /// An endpoint.
    pub(super) fn http(
        &self,
        url: &str,
        headers: &BTreeMap<String, String>,
        allow_plain: bool,
    ) -> Result<Target, LaunchFault> {
        let url = self.expand("url", url)?;
        let mut sent = Vec::new();
        let mut names = BTreeSet::new();
        for (name, text) in headers {
            let field = format!("headers.{name}");
            if !is_header_name(name) {
                return Err(LaunchFault::new(field, "no header can have this name"));
            }
            if !names.insert(name.to_ascii_lowercase()) {
                return Err(LaunchFault::new(field, "this header is there twice, in another case"));
            }
            let value = self.expand(&field, text)?;
            if value.chars().any(|c| c.is_control() && c != '\t') {
                return Err(LaunchFault::new(field, "a control character cannot be sent"));
            }
            sent.push((name.clone(), value));
        }
        address(&url)?;
        Ok(Target::Http { url, headers: sent, allow_plain })
    }

    fn expand(&self, field: &str, text: &str) -> Result<String, LaunchFault> {
        let fault = |text| LaunchFault::new(field, text);
        let expanded = expand::expand(text, self.dialect, self.environment).map_err(fault)?;
        // The system's own calls end a text at the first one.
        if expanded.contains('\0') { Err(LaunchFault::new(field, "it has a NUL character")) } else { Ok(expanded) }
    }
}

/// Refuses what is no address of a streamable HTTP endpoint.
fn address(url: &str) -> Result<(), LaunchFault> {
    let shown = visible(&mask_url(url)).to_string();
    let fault = |text: String| LaunchFault { of_address: true, ..LaunchFault::new("url", text) };
    let parsed = reqwest::Url::parse(url).map_err(|error| fault(format!("`{shown}` is no URL: {error}")))?;
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
