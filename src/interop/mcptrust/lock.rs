//! A lock file, versions 1 to 3, as it is read.

use crate::interop::document::{Refused, plain, typed};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use strum::{EnumString, IntoStaticStr};

/// The most bytes of a lock.
const MOST_BYTES: usize = 16 << 20;

/// Versions 1 and 2 share a layout, which has tools alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, EnumString)]
#[expect(missing_docs, reason = "each is its number")]
pub enum Version {
    #[strum(to_string = "1.0")]
    V1,
    #[strum(to_string = "2.0")]
    V2,
    #[strum(to_string = "3.0")]
    V3,
}

word!(ref Version);

/// A lock.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Locked {
    pub version: Version,
    /// What the server calls itself; version 3 alone has it.
    pub server: Option<String>,
    /// The command that started it; version 3 has none.
    pub command: Option<String>,
    /// What was started, where that was pinned.
    pub artifact: Option<Value>,
    pub tools: BTreeMap<String, LockedTool>,
    /// By name; version 3 alone has them.
    pub prompts: BTreeMap<String, LockedPrompt>,
    /// By pattern; version 3 alone has them.
    pub templates: BTreeMap<String, LockedTemplate>,
}

/// What a lock keeps of a tool. A hash that a file leaves out is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the members of its system")]
pub struct LockedTool {
    pub description_hash: Option<String>,
    pub input_schema_hash: Option<String>,
    pub risk_level: Option<String>,
}

/// What a lock keeps of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the members of its system")]
pub struct LockedPrompt {
    pub arguments_hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description_hash: Option<String>,
}

/// What a lock keeps of a resource template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the members of its system")]
pub struct LockedTemplate {
    pub template_hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
}

/// A template as version 3 lists it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Template {
    pub uri_template: String,
    #[serde(flatten)]
    pub hashes: LockedTemplate,
}

/// What is read of a file of any version. A member that is null is not there.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    lock_file_version: Option<String>,
    version: Option<String>,
    #[serde(rename = "server_command")]
    command: Option<String>,
    server: Option<Server>,
    artifact: Option<Value>,
    tools: Option<BTreeMap<String, LockedTool>>,
    prompts: Option<Prompts>,
    resources: Option<Resources>,
}

#[derive(Default, Deserialize)]
struct Server {
    name: Option<String>,
    artifact: Option<Value>,
}

#[derive(Default, Deserialize)]
struct Prompts {
    definitions: Option<BTreeMap<String, LockedPrompt>>,
}

#[derive(Default, Deserialize)]
struct Resources {
    templates: Option<Vec<Template>>,
}

impl Locked {
    /// Reads a lock. Members that are not known are let be; one that is there twice, and one of another type, is refused.
    pub fn read(bytes: &[u8]) -> Result<Self, Refused> {
        let file: File = typed(&plain(bytes, MOST_BYTES)?)?;
        let word =
            file.lock_file_version.filter(|word| !word.is_empty()).or(file.version.filter(|word| !word.is_empty()));
        let word = word.ok_or_else(|| Refused::new("it has neither `lockFileVersion` nor `version`"))?;
        let unread = |_| Refused::new(format!("its version is `{word}`; 1.0, 2.0 and 3.0 are read"));
        let version: Version = word.parse().map_err(unread)?;
        let is_third = version == Version::V3;
        let server = file.server.unwrap_or_default();
        let mut templates = BTreeMap::new();
        for Template { uri_template: uri, hashes } in file.resources.and_then(|list| list.templates).unwrap_or_default()
        {
            if templates.insert(uri.clone(), hashes).is_some() {
                return Err(Refused::new(format!("the template `{uri}` occurs twice")));
            }
        }
        let prompts = file.prompts.and_then(|prompts| prompts.definitions).unwrap_or_default();
        Ok(Self {
            version,
            server: server.name.filter(|_| is_third),
            command: file.command.filter(|_| !is_third),
            artifact: file.artifact.or(server.artifact),
            tools: file.tools.unwrap_or_default(),
            prompts: if is_third { prompts } else { BTreeMap::new() },
            templates: if is_third { templates } else { BTreeMap::new() },
        })
    }
}
