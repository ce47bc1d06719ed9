//! A file of another system that says what a server was, and how a server differs from it.

use crate::config::yaml;
use crate::digest::{Item, ManifestDigests, Surface, ToolIdentity};
use crate::interop::assay::{self, Declared, Extent, Observed, ToolPins, read_pins, unpinned, verdict};
use crate::interop::mcptrust::{self, Difference, Locked, Shown, as_read};
use crate::surface::{Completeness, ItemId, Kind};
use anyhow::bail;
use serde_json::Value;
use std::collections::BTreeSet;

/// A file of another system.
pub(super) enum Foreign {
    Pins(ToolPins),
    Declared(Declared),
    Lock(Locked),
}

/// One difference, in its system's words.
pub(super) struct Told {
    pub(super) severity: &'static str,
    pub(super) code: &'static str,
    pub(super) item: ItemId,
    pub(super) says: String,
}

/// What a comparison came to.
#[derive(Default)]
pub(super) struct Outcome {
    /// By kind and name.
    pub(super) told: Vec<Told>,
    /// What could not be compared, each with its reason.
    pub(super) unclear: Vec<String>,
    /// What else its system says of it.
    pub(super) notes: Vec<String>,
    /// The same as MCPTrust's own report has it.
    pub(super) differences: Vec<Difference>,
}

impl Foreign {
    /// Reads a file by what stands in it.
    pub(super) fn read(bytes: &[u8]) -> anyhow::Result<Self> {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let is_json = text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
        if !is_json {
            let policy = yaml(text).map_err(anyhow::Error::msg)?;
            return Ok(Self::Pins(read_pins(&policy)?));
        }
        let value = crate::canon::read_plain(text).map_err(anyhow::Error::msg)?;
        let schema = value.get("schema").and_then(Value::as_str).unwrap_or_default();
        if schema.starts_with("assay.declared_mcp_manifest.") {
            return Ok(Self::Declared(Declared::read(text)?));
        }
        if value.get("tool_pins").is_some() {
            return Ok(Self::Pins(read_pins(&value)?));
        }
        if value.get("lockFileVersion").is_some() || value.get("version").is_some() {
            return Ok(Self::Lock(Locked::read(text)?));
        }
        match schema {
            "" => bail!("it is neither a lock of MCPTrust, nor a declared manifest or a `tool_pins` policy of Assay"),
            other => bail!("it is `{other}`, which approves nothing: a declared manifest does"),
        }
    }

    pub(super) fn lock(&self) -> Option<&Locked> {
        match self {
            Self::Lock(lock) => Some(lock),
            Self::Pins(_) | Self::Declared(_) => None,
        }
    }

    pub(super) fn what(&self) -> String {
        match self {
            Self::Pins(pins) => format!("Assay tool_pins of {}", crate::text::count(pins.len(), "tool")),
            Self::Declared(declared) => {
                format!("Assay declared manifest of {}", crate::text::count(declared.tools.len(), "tool"))
            }
            Self::Lock(lock) => format!("MCPTrust lock {}", lock.version.word()),
        }
    }

    pub(super) fn server(&self) -> Option<&str> {
        match self {
            Self::Pins(pins) => pins.values().next().map(|pin| pin.server_id.as_str()),
            Self::Declared(declared) => declared.server_id(),
            Self::Lock(lock) => lock.server.as_deref(),
        }
    }

    /// Whether it knows an item of this id.
    pub(super) fn has(&self, item: &ItemId) -> bool {
        let key = &*item.key;
        match (self, item.kind) {
            (Self::Pins(pins), Kind::Tool) => pins.contains_key(key),
            (Self::Declared(declared), Kind::Tool) => declared.tools.iter().any(|tool| tool.name == *key),
            (Self::Lock(lock), _) => lock.knows(item),
            _ => false,
        }
    }

    /// Whether a definition is the one that it is about, as far as its hashes cover it.
    pub(super) fn fits(&self, item: &Item) -> bool {
        let key = &*item.id.key;
        match (self, item.id.kind) {
            (Self::Pins(pins), Kind::Tool) => pins.get(key).is_some_and(|pin| {
                item.digests.identity == Some(ToolIdentity { schema_hash: pin.schema_hash, meta_hash: pin.meta_hash })
            }),
            (Self::Declared(declared), Kind::Tool) => {
                let digest = ManifestDigests::of(&as_read(item)).tool;
                declared.tools.iter().any(|tool| tool.name == *key && tool.tool_digest == digest)
            }
            (Self::Lock(lock), _) => lock.holds(item) == Some(true),
            _ => false,
        }
    }

    /// What is served against it.
    pub(super) fn compare(&self, server_id: &str, surface: &Surface) -> Outcome {
        let mut outcome = Outcome::default();
        let kinds: &[Kind] = match self {
            Self::Lock(lock) if lock.version == mcptrust::Version::V3 => {
                &[Kind::Tool, Kind::Prompt, Kind::ResourceTemplate]
            }
            Self::Pins(_) | Self::Declared(_) | Self::Lock(_) => &[Kind::Tool],
        };
        for kind in kinds {
            outcome.unclear.extend(unread(surface, *kind));
            outcome.unclear.extend(ambiguous(surface, *kind));
        }
        match self {
            Self::Pins(pins) => of_pins(&mut outcome, pins, server_id, surface),
            Self::Declared(declared) => of_manifest(&mut outcome, declared, server_id, surface),
            Self::Lock(lock) => of_lock(&mut outcome, lock, surface),
        }
        outcome
    }
}

/// Why not every item of a kind is known.
fn unread(surface: &Surface, kind: Kind) -> Option<String> {
    match surface.completeness.get(&kind) {
        Some(Completeness::Complete) => None,
        Some(Completeness::Partial(reason) | Completeness::Failed(reason)) => {
            Some(format!("not every {kind} could be read, so that none is known to be gone: {}", reason.text))
        }
        Some(Completeness::Ignored) | None => Some(format!("`ignore-kinds` leaves out every {kind}")),
    }
}

/// Names that are served twice, and definitions with more than one reading.
fn ambiguous(surface: &Surface, kind: Kind) -> Vec<String> {
    let mut names = BTreeSet::new();
    let mut found = Vec::new();
    for item in surface.of_kind(kind) {
        if !names.insert(&item.id.key) {
            found.push(format!("two are called {kind}/{}: which one is meant is ambiguous", item.id.key));
        }
        let codes = item.definition.codes.iter().filter(|code| **code != crate::canon::Code::Number);
        found.extend(codes.map(|code| format!("{kind}/{}: {}", item.id.key, code.sentence())));
    }
    found
}

fn of_kind(surface: &Surface, kind: Kind) -> Vec<Value> {
    surface.of_kind(kind).map(|item| as_read(item)).collect()
}

fn of_pins(outcome: &mut Outcome, pins: &ToolPins, server_id: &str, surface: &Surface) {
    let tools: Vec<&Item> = surface.of_kind(Kind::Tool).map(AsRef::as_ref).collect();
    for unpinned in unpinned(pins, server_id, &tools) {
        if unpinned.code == "E_TOOL_UNOBSERVED" && !surface.is_complete(Kind::Tool) {
            continue;
        }
        let says = match unpinned.differs.as_slice() {
            [] => "the pinned tool is not there".to_owned(),
            differs => format!("another {} than the pin's", differs.join(", ")),
        };
        let item = ItemId::new(Kind::Tool, unpinned.tool);
        outcome.told.push(Told { severity: "deny", code: unpinned.code, item, says });
    }
    let others = tools.iter().filter(|tool| !pins.contains_key(&*tool.id.key)).count();
    if others > 0 {
        outcome
            .notes
            .push(format!("{} not pinned there: such pins say nothing of them", crate::text::count(others, "tool")));
    }
}

fn of_manifest(outcome: &mut Outcome, declared: &Declared, server_id: &str, surface: &Surface) {
    let seen = match surface.completeness.get(&Kind::Tool) {
        Some(Completeness::Complete) => Some(Extent::Complete),
        Some(Completeness::Partial(_)) => Some(Extent::Partial),
        Some(Completeness::Failed(_) | Completeness::Ignored) | None => None,
    };
    let observed = Observed::of(server_id, &of_kind(surface, Kind::Tool), seen);
    let compared = assay::compare(&observed, declared);
    for said in compared.findings {
        let says = match said.attribution {
            None => "it differs from what was declared".to_owned(),
            Some(code) => format!("it differs from what was declared ({code})"),
        };
        let item = ItemId::new(Kind::Tool, said.name);
        outcome.told.push(Told { severity: said.severity, code: said.reason_code, item, says });
    }
    outcome.unclear.extend(compared.inconclusive.into_iter().map(|code| {
        let more = match code {
            "mcp_manifest_server_mismatch" => {
                let id = declared.server_id().unwrap_or_default();
                format!(": it is about `{id}`, and this is `{server_id}`; --server-id says what Assay calls it")
            }
            "declared_manifest_digest_mismatch" => format!(": its tools give sha256:{}", declared.recomputed()),
            "declared_mcp_manifest_ambiguous" => {
                format!(": two tools are called `{}`", declared.ambiguous().unwrap_or_default())
            }
            _ => String::new(),
        };
        format!("{code}{more}")
    }));
    outcome.notes.push(format!("Assay's verdict: {}", verdict(declared.manifest_digest, &observed).word()));
}

fn of_lock(outcome: &mut Outcome, lock: &Locked, surface: &Surface) {
    for (name, tool) in &lock.tools {
        let hashes = [("description_hash", &tool.description_hash), ("input_schema_hash", &tool.input_schema_hash)];
        let missing = hashes.iter().filter(|(_, hash)| hash.is_none()).map(|(member, _)| *member);
        outcome
            .unclear
            .extend(missing.map(|member| format!("tool/{name}: the lock has no `{member}`, which is not compared")));
    }
    let shown = Shown {
        tools: of_kind(surface, Kind::Tool),
        prompts: of_kind(surface, Kind::Prompt),
        templates: of_kind(surface, Kind::ResourceTemplate),
    };
    let mut differences = mcptrust::compare(lock, &shown);
    let kind_of = |difference: &Difference| match difference.difference.split('_').next() {
        Some("PROMPT") => Kind::Prompt,
        Some("TEMPLATE") => Kind::ResourceTemplate,
        _ => Kind::Tool,
    };
    differences.retain(|one| !one.difference.ends_with("_REMOVED") || surface.is_complete(kind_of(one)));
    outcome.told.extend(differences.iter().map(|one| Told {
        severity: one.severity,
        code: one.difference,
        item: ItemId::new(kind_of(one), one.identifier.clone()),
        says: one.message.clone(),
    }));
    outcome.told.sort_by(|a, b| a.item.cmp(&b.item));
    outcome.differences = differences;
}
