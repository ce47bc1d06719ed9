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
use serde::{Deserialize, Serialize};
use std::path::Path;
use strum::IntoStaticStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
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
    /// The trust root that its attestation is held to, and the level that it needs: whoever names it says whom to believe.
    Trust,
    /// What passes a guard without an approval: whoever writes it opens that much.
    Unguarded,
    /// As which client one signs in, and where.
    SignIn,
    /// Who is told of it.
    Collector,
}

word!(PartKind);

/// One part: its seal, and what a person may see of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    /// Of a variable, a header or a file; empty for the others.
    pub(super) name: String,
    pub(super) seal: Seal,
    /// Masked; empty where nothing can be shown.
    pub(super) shown: String,
}

/// A launch as consent binds to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// By kind and name.
    pub(super) parts: Vec<Part>,
    /// Of all parts, the project and the server together.
    pub(super) seal: Seal,
}

impl Identity {
    /// The identity of a launch of a canonical project folder, as its files stand now.
    pub(super) fn of(server: &ServerConfig, project: &Path, key: &Key, environment: Lookup<'_>) -> Self {
        let mut parts = Vec::new();
        let mut add = |kind: PartKind, name: &str, texts: &[&[u8]], shown: String| {
            parts.push(Part { kind, name: name.to_owned(), seal: key.seal(kind.word(), texts), shown });
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
                let files = files::contents(server, project, key, environment).into_iter();
                parts.extend(files.map(|(name, seal)| Part { kind: PartKind::File, name, seal, shown: String::new() }));
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
            let name = format!("{} ({})", ignored.key, ignored.client);
            let seal = key.seal(PartKind::OffKey.word(), &[]);
            parts.push(Part { kind: PartKind::OffKey, name, seal, shown: String::new() });
        }
        if let Some(trust) = &server.trust {
            let root = trust.held_to.root.digest.to_string();
            let level = trust.held_to.required.as_deref().unwrap_or_default();
            let seal = key.seal(PartKind::Trust.word(), &[root.as_bytes(), level.as_bytes()]);
            let name = trust.file.display().to_string();
            parts.push(Part { kind: PartKind::Trust, name, seal, shown: String::new() });
        }
        for unguarded in &server.unguarded {
            let seal = key.seal(PartKind::Unguarded.word(), &[unguarded.as_bytes()]);
            parts.push(Part { kind: PartKind::Unguarded, name: unguarded.clone(), seal, shown: String::new() });
        }
        if let Some(sign_in) = &server.written_sign_in {
            let texts = sign_in.parts();
            let seal = key.seal(PartKind::SignIn.word(), &texts.iter().map(String::as_bytes).collect::<Vec<_>>());
            parts.push(Part { kind: PartKind::SignIn, name: String::new(), seal, shown: String::new() });
        }
        if let Some(collector) = &server.collector {
            let texts: Vec<_> = collector.parts().iter().map(String::as_bytes).collect();
            let seal = key.seal(PartKind::Collector.word(), &texts);
            parts.push(Part { kind: PartKind::Collector, name: String::new(), seal, shown: collector.shown.clone() });
        }
        parts.sort();
        parts.dedup();
        let seal = whole(&parts, server, project, key);
        Self { parts, seal }
    }
}

/// The seal over all parts.
fn whole(parts: &[Part], server: &ServerConfig, project: &Path, key: &Key) -> Seal {
    let mut texts: Vec<&[u8]> = vec![project.as_os_str().as_encoded_bytes(), server.id.as_bytes()];
    for part in parts {
        texts.extend([part.kind.word().as_bytes(), part.name.as_bytes(), part.seal.as_bytes()]);
    }
    key.seal("launch", &texts)
}
