//! `assay.mcp_manifest_observed.v0`: what one look at a server's tools saw. It decides nothing.

use super::{Entry, Server, digest_of, read, twice};
use crate::digest::{MANIFEST_PROJECTION, ManifestDigests, Sha256, manifest_digest};
use crate::interop::document::{Refused, pretty};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use strum::{EnumString, IntoStaticStr};

const SCHEMA: &str = "assay.mcp_manifest_observed.v0";
const NON_CLAIMS: [&str; 4] = [
    "does not judge whether a manifest change is malicious",
    "does not infer tools outside the observed tools/list",
    "does not detect behavior drift under identical metadata",
    "privileged is classifier-derived, not the server's own annotations",
];

/// How much of the list was seen. Complete is from the first page to the one without a cursor, and never guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, EnumString, Serialize, Deserialize)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words of its system")]
pub enum Extent {
    Complete,
    Partial,
    Unknown,
}

word!(Extent);

/// What a look came to. Two tools of one name are ambiguous.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, Serialize, Deserialize)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words of its system")]
pub enum Status {
    Observed,
    NotObserved,
    Ambiguous,
}

word!(Status);

#[derive(Serialize)]
struct Document<'a> {
    schema: &'a str,
    status: Status,
    server: Server,
    observed: List,
    non_claims: [&'a str; 4],
}

#[derive(Serialize)]
struct List {
    manifest_digest: Option<Sha256>,
    canonicalization: &'static str,
    tool_count: usize,
    privileged_tool_count: usize,
    tools_list_observed: bool,
    tools_list_complete: Extent,
    tool_digests: Vec<Listed>,
}

/// An entry with its fields in the order in which they are digested.
#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    entry: Entry,
    #[serde(serialize_with = "in_order")]
    field_digests: Vec<(&'static str, Sha256)>,
}

impl Listed {
    fn of(digests: &ManifestDigests) -> Self {
        let field_digests = digests.fields().map(|(field, digest)| (field.word(), digest)).collect();
        Self { entry: Entry { field_digests: None, ..Entry::of(digests) }, field_digests }
    }
}

fn in_order<S: Serializer>(fields: &[(&'static str, Sha256)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(fields.iter().copied())
}

/// The document of a look at the tools of a server, in the order in which it lists them. Two of one name are ambiguous: then
/// no digest of the whole is claimed.
pub fn observed(server_id: &str, tools: &[Value], seen: Extent) -> String {
    let digests: Vec<_> = tools.iter().map(ManifestDigests::of).collect();
    let mut names: Vec<_> = digests.iter().map(|digests| digests.name.as_str()).collect();
    names.sort_unstable();
    let is_ambiguous = names.windows(2).any(|pair| pair[0] == pair[1]);
    let whole = manifest_digest(digests.iter().map(|digests| (digests.name.as_str(), digests.tool)));
    let entries: Vec<_> = digests.iter().map(Listed::of).collect();
    let list = List {
        manifest_digest: (!is_ambiguous).then_some(whole),
        canonicalization: MANIFEST_PROJECTION,
        tool_count: entries.len(),
        privileged_tool_count: entries.iter().filter(|listed| listed.entry.is_privileged()).count(),
        tools_list_observed: true,
        tools_list_complete: seen,
        tool_digests: entries,
    };
    write(server_id, if is_ambiguous { Status::Ambiguous } else { Status::Observed }, list)
}

/// The document of a look that saw no list. It is never "no drift".
pub fn not_observed(server_id: &str) -> String {
    let list = List {
        manifest_digest: None,
        canonicalization: MANIFEST_PROJECTION,
        tool_count: 0,
        privileged_tool_count: 0,
        tools_list_observed: false,
        tools_list_complete: Extent::Unknown,
        tool_digests: Vec::new(),
    };
    write(server_id, Status::NotObserved, list)
}

fn write(server_id: &str, status: Status, observed: List) -> String {
    let server = Server::new(server_id);
    pretty(&Document { schema: SCHEMA, status, server, observed, non_claims: NON_CLAIMS }) + "\n"
}

/// An observed document that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// What it came to.
    pub status: Status,
    /// The server's id in it.
    pub server_id: String,
    /// The projection that its digests are of.
    pub canonicalization: String,
    /// Of the whole; none where none is claimed.
    pub manifest_digest: Option<Sha256>,
    /// How much was seen; none where no list was.
    pub seen: Option<Extent>,
    /// The tools.
    pub tools: Vec<Entry>,
}

impl Observed {
    /// What a look at a server's tools is, without its document.
    pub fn of(server_id: &str, tools: &[Value], seen: Option<Extent>) -> Self {
        let entries: Vec<_> = tools.iter().map(|tool| Entry::of(&ManifestDigests::of(tool))).collect();
        let is_ambiguous = twice(&entries).is_some();
        let status = match seen {
            None => Status::NotObserved,
            Some(_) if is_ambiguous => Status::Ambiguous,
            Some(_) => Status::Observed,
        };
        Self {
            status,
            server_id: server_id.to_owned(),
            canonicalization: MANIFEST_PROJECTION.to_owned(),
            manifest_digest: (seen.is_some() && !is_ambiguous).then(|| digest_of(&entries)),
            seen,
            tools: entries,
        }
    }

    /// Reads a document. Members that are not known are let be, as its own readers do.
    pub fn read(bytes: &[u8]) -> Result<Self, Refused> {
        #[derive(Deserialize)]
        struct Document {
            status: Status,
            server: Server,
            observed: List,
        }
        #[derive(Deserialize)]
        struct List {
            manifest_digest: Option<Sha256>,
            canonicalization: String,
            tools_list_observed: bool,
            tools_list_complete: Extent,
            tool_digests: Vec<Entry>,
        }
        let Document { status, server, observed } = read(bytes, SCHEMA)?;
        Ok(Self {
            status,
            server_id: server.id,
            canonicalization: observed.canonicalization,
            manifest_digest: observed.manifest_digest,
            seen: observed.tools_list_observed.then_some(observed.tools_list_complete),
            tools: observed.tool_digests,
        })
    }
}
