//! `assay.mcp_manifest_candidate.v0` and `assay.declared_mcp_manifest.v0`: what may be approved, and what was.

use super::{Entry, Observed, Server, closed, digest_of, digest_text, fixed, read, string, text, twice};
use crate::digest::{MANIFEST_PROJECTION, ManifestDigests, Sha256};
use crate::interop::document::{Refused, Written, pretty};
use serde::Serialize;
use serde_json::Value;

const CANDIDATE: &str = "assay.mcp_manifest_candidate.v0";
const DECLARED: &str = "assay.declared_mcp_manifest.v0";
const NON_CLAIMS: [&str; 4] = [
    "candidate is not an approval",
    "source_sha256 proves byte identity, not provenance",
    "does not prove the observed server is honest",
    "does not judge whether any tool is safe",
];

/// The candidate of an observed document, of which `bytes` are the very bytes. What was not seen whole, and what has no one
/// reading, is refused.
pub fn candidate(bytes: &[u8]) -> Written {
    #[derive(Serialize)]
    struct Document<'a> {
        schema: &'a str,
        status: &'a str,
        approval: &'a str,
        source_sha256: String,
        canonicalization: &'a str,
        manifest_digest: String,
        server: Server,
        tools: Vec<Entry>,
        non_claims: [&'a str; 4],
    }
    let observed = Observed::read(bytes)?;
    let refused = |why: String| Err(Refused::new(why));
    if observed.status != "observed" {
        return refused(format!("its status is `{}`: a candidate is made of an observed list", observed.status));
    }
    match observed.seen {
        Some(super::Extent::Complete) => {}
        Some(seen) => {
            return refused(format!("its list is {}: a candidate is made of a complete one", seen.word()));
        }
        None => return refused("no list was observed: a candidate is made of a complete one".to_owned()),
    }
    if observed.canonicalization != MANIFEST_PROJECTION {
        return refused(format!("its projection is `{}`, not `{MANIFEST_PROJECTION}`", observed.canonicalization));
    }
    let tools = sound(observed.tools)?;
    let manifest_digest = digest_of(&tools);
    if observed.manifest_digest.as_ref() != Some(&manifest_digest) {
        return refused(format!("its `manifest_digest` does not recompute: its tools give {manifest_digest}"));
    }
    let mut written = pretty(&Document {
        schema: CANDIDATE,
        status: "candidate",
        approval: "not_approved",
        source_sha256: text(Sha256::of(bytes)),
        canonicalization: MANIFEST_PROJECTION,
        manifest_digest,
        server: Server::new(&observed.server_id),
        tools,
        non_claims: NON_CLAIMS,
    });
    written.push('\n');
    Ok(written)
}

/// The declared manifest of tools that were approved.
pub fn declared(server_id: &str, tools: &[Value]) -> Written {
    #[derive(Serialize)]
    struct Document<'a> {
        schema: &'a str,
        canonicalization: &'a str,
        manifest_digest: String,
        tools: Vec<Entry>,
        note: Option<String>,
        server: Server,
    }
    let digests = tools.iter().map(ManifestDigests::of);
    let entries = digests.map(|digests| {
        let entry = Entry::of(&digests);
        if entry.name == digests.name {
            return Ok(entry);
        }
        Err(Refused::new(format!("the name of the tool `{}` has a control character: Assay shows another", entry.name)))
    });
    let tools = sound(entries.collect::<Result<_, _>>()?)?;
    let mut written = pretty(&Document {
        schema: DECLARED,
        canonicalization: MANIFEST_PROJECTION,
        manifest_digest: digest_of(&tools),
        tools,
        note: None,
        server: Server::new(server_id),
    });
    written.push('\n');
    Ok(written)
}

/// Entries by their names, each once and none of them blank.
fn sound(mut tools: Vec<Entry>) -> Result<Vec<Entry>, Refused> {
    if tools.is_empty() {
        return Err(Refused::new("there is no tool in it; Assay takes no empty manifest"));
    }
    if tools.iter().any(|entry| entry.name.trim().is_empty()) {
        return Err(Refused::new("a tool has a blank name"));
    }
    if let Some(name) = twice(&tools) {
        return Err(Refused::new(format!("two tools are called `{name}`: which one is meant is ambiguous")));
    }
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tools)
}

/// A declared manifest that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The projection that its digests are of.
    pub canonicalization: String,
    /// What it says that the digest of the whole is.
    pub manifest_digest: String,
    /// The tools.
    pub tools: Vec<Entry>,
    /// The server that it is about, where it says so.
    pub server_id: Option<String>,
}

impl Declared {
    /// Reads a document; a member too many is refused, as its own readers do.
    pub fn read(bytes: &[u8]) -> Result<Self, Refused> {
        const MEMBERS: [&str; 6] = ["schema", "canonicalization", "manifest_digest", "tools", "note", "server"];
        let value = read(bytes)?;
        let members = closed(&value, "the manifest", &MEMBERS)?;
        fixed(&value, "schema", DECLARED)?;
        let tools = members.get("tools").and_then(Value::as_array).filter(|tools| !tools.is_empty());
        let tools = tools.ok_or_else(|| Refused::new("`tools` is missing or empty"))?;
        if !matches!(members.get("note"), None | Some(Value::Null | Value::String(_))) {
            return Err(Refused::new("`note` is not a string"));
        }
        let server_id = match members.get("server") {
            None | Some(Value::Null) => None,
            Some(server) => {
                closed(server, "`server`", &["id"])?;
                Some(string(server, "id")?.to_owned())
            }
        };
        Ok(Self {
            canonicalization: string(&value, "canonicalization")?.to_owned(),
            manifest_digest: digest_text(&value["manifest_digest"], "`manifest_digest`")?,
            tools: tools.iter().map(Entry::read).collect::<Result<_, _>>()?,
            server_id,
        })
    }

    /// What the digest of the whole is by its tools.
    pub fn recomputed(&self) -> String {
        digest_of(&self.tools)
    }

    /// A tool's name that is there twice.
    pub fn ambiguous(&self) -> Option<&str> {
        twice(&self.tools)
    }
}
