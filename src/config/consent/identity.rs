//! What consent binds to: every part of a launch that decides what is run or who is spoken to, each under a MAC.
//!
//! Argv, URL and folder count expanded; the environment and the headers by their written text, so that a rotated token
//! asks nothing again, but variables that decide what code is loaded by value; and the content of the project's own files
//! that the command line names. What those files load in turn, and what a package holds, is not bound.

use super::files;
use super::loaders::loads_code;
use super::seal::{Key, Seal};
use crate::config::{Lookup, ServerConfig};
use crate::mcp::Target;
use std::collections::BTreeMap;
use std::path::Path;
use strum::{EnumString, IntoStaticStr};

/// What a part of a launch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum PartKind {
    Command,
    Url,
    Folder,
    Variable,
    Header,
    File,
    Plain,
    /// A key that says off, of a client that starts it all the same: agreeing to that is an agreement of its own.
    OffKey,
}

word!(PartKind);

/// A part's kind and its name: of a variable, a header or a file; empty for the others.
pub(super) type PartName = (PartKind, String);

/// One part: its seal, and what a person may see of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) seal: Seal,
    /// Masked; empty where nothing can be shown.
    pub(super) shown: String,
}

/// A launch as consent binds to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    pub(super) parts: BTreeMap<PartName, Part>,
    /// Of all parts, the project and the server together.
    pub(super) seal: Seal,
}

impl Identity {
    /// The identity of a launch of a canonical project folder, as its files stand now.
    pub(super) fn of(server: &ServerConfig, project: &Path, key: &Key, environment: Lookup<'_>) -> Self {
        let mut parts = BTreeMap::new();
        let mut add = |kind: PartKind, name: &str, texts: &[&[u8]], shown: String| {
            parts.insert((kind, name.to_owned()), Part { seal: key.seal(kind.word(), texts), shown });
        };
        match &server.target {
            Target::Stdio { command, args, cwd, env } => {
                let argv: Vec<&[u8]> = std::iter::once(command).chain(args).map(String::as_bytes).collect();
                add(PartKind::Command, "", &argv, server.shared.line());
                // By its text and by where its links lead.
                let real = cwd.canonicalize().unwrap_or_else(|_| cwd.clone());
                let folder = [cwd, &real].map(|path| path.as_os_str().as_encoded_bytes());
                add(PartKind::Folder, "", &folder, cwd.to_string_lossy().into_owned());
                for (name, value) in env {
                    let written = server.written.pair(name);
                    let bound = if loads_code(name) { value } else { written };
                    add(PartKind::Variable, name, &[bound.as_bytes()], String::new());
                }
                for (name, seal) in files::contents(server, project, key, environment) {
                    parts.insert((PartKind::File, name), Part { seal, shown: String::new() });
                }
            }
            Target::Http { url, headers, allow_plain } => {
                add(PartKind::Url, "", &[url.as_bytes()], server.shared.line());
                for (name, _) in headers {
                    let written = server.written.pair(name);
                    add(PartKind::Header, name, &[written.as_bytes()], String::new());
                }
                if *allow_plain {
                    add(PartKind::Plain, "", &[], String::new());
                }
            }
            Target::Unusable(_) | Target::Unwatched(_) => {}
        }
        for ignored in &server.ignored {
            let part = Part { seal: key.seal(PartKind::OffKey.word(), &[]), shown: String::new() };
            parts.insert((PartKind::OffKey, format!("{} ({})", ignored.key, ignored.client)), part);
        }
        let seal = whole(&parts, server, project, key);
        Self { parts, seal }
    }
}

/// The seal over all parts.
fn whole(parts: &BTreeMap<PartName, Part>, server: &ServerConfig, project: &Path, key: &Key) -> Seal {
    let mut texts: Vec<&[u8]> = vec![project.as_os_str().as_encoded_bytes(), server.id.as_bytes()];
    for ((kind, name), part) in parts {
        texts.extend([kind.word().as_bytes(), name.as_bytes(), part.seal.as_bytes()]);
    }
    key.seal("launch", &texts)
}
