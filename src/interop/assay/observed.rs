//! `assay.mcp_manifest_observed.v0`: what one look at a server's tools saw. It decides nothing.

use super::{Entry, Server, closed, digest_of, fixed, read, string, text, twice};
use crate::digest::{MANIFEST_PROJECTION, ManifestDigests, manifest_digest};
use crate::interop::document::{Refused, pretty};
use serde::{Serialize, Serializer};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "the words of its system")]
pub enum Extent {
    Complete,
    Partial,
    Unknown,
}

word!(Extent);

#[derive(Serialize)]
struct Document<'a> {
    schema: &'a str,
    status: &'a str,
    server: Server,
    observed: List,
    non_claims: [&'a str; 4],
}

#[derive(Serialize)]
struct List {
    manifest_digest: Option<String>,
    canonicalization: &'static str,
    tool_count: usize,
    privileged_tool_count: usize,
    tools_list_observed: bool,
    tools_list_complete: &'static str,
    tool_digests: Vec<Listed>,
}

/// An entry with its fields in the order in which they are digested.
struct Listed(Entry);

impl Serialize for Listed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'a> {
            description: &'a str,
            input_schema: &'a str,
            output_schema: &'a str,
            annotations: &'a str,
        }
        #[derive(Serialize)]
        struct Members<'a> {
            name: &'a str,
            tool_digest: &'a str,
            privileged: Option<bool>,
            privilege_classification: Option<&'a str>,
            action_class: Option<&'a str>,
            field_digests: Fields<'a>,
        }
        let of = |field: &str| {
            self.0.field_digests.as_ref().and_then(|fields| fields.get(field)).map(String::as_str).unwrap_or_default()
        };
        Members {
            name: &self.0.name,
            tool_digest: &self.0.tool_digest,
            privileged: self.0.privileged,
            privilege_classification: self.0.privilege_classification.as_deref(),
            action_class: self.0.action_class.as_ref().and_then(Value::as_str),
            field_digests: Fields {
                description: of("description"),
                input_schema: of("input_schema"),
                output_schema: of("output_schema"),
                annotations: of("annotations"),
            },
        }
        .serialize(serializer)
    }
}

/// The document of a look at the tools of a server, in the order in which it lists them. Two of one name are ambiguous: then
/// no digest of the whole is claimed.
pub fn observed(server_id: &str, tools: &[Value], seen: Extent) -> String {
    let digests: Vec<_> = tools.iter().map(ManifestDigests::of).collect();
    let mut names: Vec<_> = digests.iter().map(|digests| digests.name.as_str()).collect();
    names.sort_unstable();
    let is_ambiguous = names.windows(2).any(|pair| pair[0] == pair[1]);
    let whole = manifest_digest(digests.iter().map(|digests| (digests.name.as_str(), digests.tool)));
    let entries: Vec<_> = digests.iter().map(Entry::of).collect();
    let list = List {
        manifest_digest: (!is_ambiguous).then(|| text(whole)),
        canonicalization: MANIFEST_PROJECTION,
        tool_count: entries.len(),
        privileged_tool_count: entries.iter().filter(|entry| entry.is_privileged()).count(),
        tools_list_observed: true,
        tools_list_complete: seen.word(),
        tool_digests: entries.into_iter().map(Listed).collect(),
    };
    write(server_id, if is_ambiguous { "ambiguous" } else { "observed" }, list)
}

/// The document of a look that saw no list. It is never "no drift".
pub fn not_observed(server_id: &str) -> String {
    let list = List {
        manifest_digest: None,
        canonicalization: MANIFEST_PROJECTION,
        tool_count: 0,
        privileged_tool_count: 0,
        tools_list_observed: false,
        tools_list_complete: Extent::Unknown.word(),
        tool_digests: Vec::new(),
    };
    write(server_id, "not_observed", list)
}

fn write(server_id: &str, status: &str, observed: List) -> String {
    let server = Server::new(server_id);
    let mut text = pretty(&Document { schema: SCHEMA, status, server, observed, non_claims: NON_CLAIMS });
    text.push('\n');
    text
}

/// An observed document that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// `observed`, `not_observed` or `ambiguous`.
    pub status: String,
    /// The server's id in it.
    pub server_id: String,
    /// The projection that its digests are of.
    pub canonicalization: String,
    /// Of the whole; none where none is claimed.
    pub manifest_digest: Option<String>,
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
            None => "not_observed",
            Some(_) if is_ambiguous => "ambiguous",
            Some(_) => "observed",
        };
        Self {
            status: status.to_owned(),
            server_id: server_id.to_owned(),
            canonicalization: MANIFEST_PROJECTION.to_owned(),
            manifest_digest: (seen.is_some() && !is_ambiguous).then(|| digest_of(&entries)),
            seen,
            tools: entries,
        }
    }

    /// Reads a document. Members that are not known are let be, as its own readers do.
    pub fn read(bytes: &[u8]) -> Result<Self, Refused> {
        let value = read(bytes)?;
        fixed(&value, "schema", SCHEMA)?;
        let status = string(&value, "status")?;
        if !["observed", "not_observed", "ambiguous"].contains(&status) {
            return Err(Refused::new(format!("`status` is `{status}`, which Assay does not know")));
        }
        let server = value.get("server").ok_or_else(|| Refused::new("`server` is missing"))?;
        closed(server, "`server`", &["id"])?;
        let list = value.get("observed").ok_or_else(|| Refused::new("`observed` is missing"))?;
        let is_seen = match list.get("tools_list_observed") {
            Some(Value::Bool(flag)) => *flag,
            _ => return Err(Refused::new("`tools_list_observed` is missing or no boolean")),
        };
        let word = string(list, "tools_list_complete")?;
        let seen = word
            .parse()
            .map_err(|_| Refused::new(format!("`tools_list_complete` is `{word}`, which Assay does not know")))?;
        let tools = list.get("tool_digests").and_then(Value::as_array);
        let tools = tools.ok_or_else(|| Refused::new("`tool_digests` is missing or no list"))?;
        let manifest_digest = match list.get("manifest_digest") {
            None | Some(Value::Null) => None,
            Some(digest) => Some(super::digest_text(digest, "`manifest_digest`")?),
        };
        Ok(Self {
            status: status.to_owned(),
            server_id: string(server, "id")?.to_owned(),
            canonicalization: string(list, "canonicalization")?.to_owned(),
            manifest_digest,
            seen: is_seen.then_some(seen),
            tools: tools.iter().map(Entry::read).collect::<Result<_, _>>()?,
        })
    }
}
