//! A lock file, versions 1 to 3, as it is read.

use crate::canon::read_plain;
use crate::interop::document::Refused;
use serde::Serialize;
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the members of its system")]
pub struct LockedTool {
    pub description_hash: Option<String>,
    pub input_schema_hash: Option<String>,
    pub risk_level: Option<String>,
}

/// What a lock keeps of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the members of its system")]
pub struct LockedPrompt {
    pub arguments_hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description_hash: Option<String>,
}

/// What a lock keeps of a resource template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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

impl Locked {
    /// Reads a lock. Members that are not known are let be; one that is there twice, and one of another type, is refused.
    pub fn read(bytes: &[u8]) -> Result<Self, Refused> {
        if bytes.len() > MOST_BYTES {
            return Err(Refused::new("it has more than 16 MiB"));
        }
        let value = read_plain(bytes).map_err(|fault| Refused::new(format!("it cannot be read: {fault}")))?;
        let word = |member| optional(&value, member).map(|text| text.filter(|text| !text.is_empty()));
        let word = match word("lockFileVersion")? {
            Some(word) => word,
            None => word("version")?.ok_or_else(|| Refused::new("it has neither `lockFileVersion` nor `version`"))?,
        };
        let unread = |_| Refused::new(format!("its version is `{word}`; 1.0, 2.0 and 3.0 are read"));
        let version: Version = word.parse().map_err(unread)?;
        let is_third = version == Version::V3;
        let tools = members(&value, "tools", |name, tool| {
            let text = |member| optional(tool, member).map_err(|error| of("the tool", name, &error));
            let (description_hash, input_schema_hash) = (text("description_hash")?, text("input_schema_hash")?);
            Ok(LockedTool { description_hash, input_schema_hash, risk_level: text("risk_level")? })
        })?;
        let prompts = members(value.get("prompts").unwrap_or(&Value::Null), "definitions", |name, prompt| {
            let text = |member| optional(prompt, member).map_err(|error| of("the prompt", name, &error));
            let arguments_hash = text("argumentsHash")?;
            let missing = || of("the prompt", name, &Refused::new("`argumentsHash` is missing"));
            let arguments_hash = arguments_hash.ok_or_else(missing)?;
            Ok(LockedPrompt { arguments_hash, description_hash: text("descriptionHash")? })
        })?;
        let templates = match value.get("resources").and_then(|resources| resources.get("templates")) {
            None | Some(Value::Null) => BTreeMap::new(),
            Some(Value::Array(list)) => {
                let mut templates = BTreeMap::new();
                for template in list {
                    let (uri, locked) = template_of(template)?;
                    if templates.insert(uri.clone(), locked).is_some() {
                        return Err(Refused::new(format!("the template `{uri}` occurs twice")));
                    }
                }
                templates
            }
            Some(_) => return Err(Refused::new("`templates` is not a list")),
        };
        let server =
            value.get("server").filter(|_| is_third).map(|server| optional(server, "name")).transpose()?.flatten();
        Ok(Self {
            version,
            server,
            command: if is_third { None } else { optional(&value, "server_command")? },
            artifact: value.get("artifact").or_else(|| value.get("server")?.get("artifact")).cloned(),
            tools,
            prompts: if is_third { prompts } else { BTreeMap::new() },
            templates: if is_third { templates } else { BTreeMap::new() },
        })
    }
}

fn of(what: &str, name: &str, error: &Refused) -> Refused {
    Refused::new(format!("{what} `{name}`: {error}"))
}

fn optional(value: &Value, member: &str) -> Result<Option<String>, Refused> {
    match value.get(member) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Refused::new(format!("`{member}` is not a string"))),
    }
}

fn members<T>(
    value: &Value,
    member: &str,
    read: impl Fn(&str, &Value) -> Result<T, Refused>,
) -> Result<BTreeMap<String, T>, Refused> {
    match value.get(member) {
        None | Some(Value::Null) => Ok(BTreeMap::new()),
        Some(Value::Object(members)) => {
            members.iter().map(|(name, value)| Ok((name.clone(), read(name, value)?))).collect()
        }
        Some(_) => Err(Refused::new(format!("`{member}` is not an object"))),
    }
}

fn template_of(template: &Value) -> Result<(String, LockedTemplate), Refused> {
    let needed =
        |member: &str| optional(template, member)?.ok_or_else(|| Refused::new(format!("a template has no `{member}`")));
    let locked = LockedTemplate {
        template_hash: needed("templateHash")?,
        name_hash: optional(template, "nameHash")?,
        description_hash: optional(template, "descriptionHash")?,
        mime_type: optional(template, "mimeType")?,
    };
    Ok((needed("uriTemplate")?, locked))
}
