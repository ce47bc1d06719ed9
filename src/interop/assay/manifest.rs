//! `assay.mcp_manifest_candidate.v0` and `assay.declared_mcp_manifest.v0`: what may be approved, and what was.

use super::{Entry, Observed, Server, Status, digest_of, read, twice};
use crate::digest::{MANIFEST_PROJECTION, ManifestDigests, Sha256};
use crate::interop::document::{Refused, Written, pretty};
use serde::{Deserialize, Serialize};
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
        source_sha256: Sha256,
        canonicalization: &'a str,
        manifest_digest: Sha256,
        server: Server,
        tools: Vec<Entry>,
        non_claims: [&'a str; 4],
    }
    let observed = Observed::read(bytes)?;
    let refused = |why: String| Err(Refused::new(why));
    if observed.status != Status::Observed {
        let status = observed.status.word();
        return refused(format!("its status is `{status}`: a candidate is made of an observed list"));
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
        return refused(format!("its `manifest_digest` does not recompute: its tools give sha256:{manifest_digest}"));
    }
    let written = pretty(&Document {
        schema: CANDIDATE,
        status: "candidate",
        approval: "not_approved",
        source_sha256: Sha256::of(bytes),
        canonicalization: MANIFEST_PROJECTION,
        manifest_digest,
        server: Server::new(&observed.server_id),
        tools,
        non_claims: NON_CLAIMS,
    });
    Ok(written + "\n")
}

/// The declared manifest of tools that were approved.
pub fn declared(server_id: &str, tools: &[Value]) -> Written {
    #[derive(Serialize)]
    struct Document<'a> {
        schema: &'a str,
        #[serde(flatten)]
        declared: Declared,
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
    let (manifest_digest, server) = (digest_of(&tools), Some(Server::new(server_id)));
    let canonicalization = MANIFEST_PROJECTION.to_owned();
    let declared = Declared { canonicalization, manifest_digest, tools, note: None, server };
    Ok(pretty(&Document { schema: DECLARED, declared }) + "\n")
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declared {
    /// The projection that its digests are of.
    pub canonicalization: String,
    /// What it says that the digest of the whole is.
    pub manifest_digest: Sha256,
    /// The tools; never empty.
    pub tools: Vec<Entry>,
    note: Option<String>,
    server: Option<Server>,
}

impl Declared {
    /// Reads a document; a member too many is refused, as its own readers do.
    pub fn read(bytes: &[u8]) -> Result<Self, Refused> {
        let declared: Self = read(bytes, DECLARED)?;
        if declared.tools.is_empty() { Err(Refused::new("`tools` is empty")) } else { Ok(declared) }
    }

    /// The server that it is about, where it says so.
    pub fn server_id(&self) -> Option<&str> {
        self.server.as_ref().map(|server| server.id.as_str())
    }

    /// What the digest of the whole is by its tools.
    pub fn recomputed(&self) -> Sha256 {
        digest_of(&self.tools)
    }

    /// A tool's name that is there twice.
    pub fn ambiguous(&self) -> Option<&str> {
        twice(&self.tools)
    }
}
