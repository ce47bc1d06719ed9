//! The hashes of items, and a lock made of items that were approved.

use super::canon::{Canon, canon, html_escaped, text};
use super::lock::{Locked, LockedPrompt, LockedTemplate, LockedTool, Template, Version};
use crate::digest::Sha256;
use crate::drift::RiskLevel;
use crate::interop::document::{Refused, Written, pretty};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What a server shows, as a lock covers it.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Shown {
    pub tools: Vec<Value>,
    pub prompts: Vec<Value>,
    pub templates: Vec<Value>,
}

fn hash(text: impl AsRef<[u8]>) -> String {
    format!("sha256:{}", Sha256::of(text))
}

/// Of a tool's description, byte for byte; of nothing where there is none.
pub fn description_hash(tool: &Value) -> String {
    hash(text(tool, "description"))
}

/// Of a tool's input schema; empty where there is none, or an empty one.
pub fn input_schema_hash(tool: &Value) -> String {
    match tool.get("inputSchema") {
        None | Some(Value::Null) => String::new(),
        Some(Value::Object(members)) if members.is_empty() => String::new(),
        Some(schema) => hash(canon(schema, Canon::V1)),
    }
}

/// Of a prompt's arguments: by name, with what a client sees of each.
pub fn arguments_hash(prompt: &Value) -> String {
    let mut arguments: Vec<&Value> = prompt.get("arguments").and_then(Value::as_array).into_iter().flatten().collect();
    arguments.sort_by_key(|argument| text(argument, "name"));
    let seen = arguments.into_iter().map(|argument| {
        let mut seen = Map::from_iter([("name".to_owned(), json!(text(argument, "name")))]);
        if !text(argument, "description").is_empty() {
            seen.insert("description".to_owned(), json!(text(argument, "description")));
        }
        if argument.get("required") == Some(&Value::Bool(true)) {
            seen.insert("required".to_owned(), Value::Bool(true));
        }
        Value::Object(seen)
    });
    hash(canon(&seen.collect(), Canon::V2))
}

/// Of a template's pattern and media type.
pub fn template_hash(template: &Value) -> String {
    let mut seen = json!({"uriTemplate": text(template, "uriTemplate")});
    if !text(template, "mimeType").is_empty() {
        seen["mimeType"] = json!(text(template, "mimeType"));
    }
    hash(canon(&seen, Canon::V2))
}

/// Of a text whose line ends are one, and whose lines end in no blank.
pub fn normalized_hash(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<_> = lines.split('\n').map(|line| line.trim_end_matches([' ', '\t'])).collect();
    hash(lines.join("\n"))
}

fn normalized(item: &Value, member: &str) -> Option<String> {
    Some(text(item, member)).filter(|text| !text.is_empty()).map(normalized_hash)
}

/// What a lock keeps of a tool.
pub fn tool_of(tool: &Value) -> LockedTool {
    LockedTool {
        description_hash: Some(description_hash(tool)),
        input_schema_hash: Some(input_schema_hash(tool)),
        risk_level: Some(RiskLevel::of(tool).word().to_owned()),
    }
}

/// What a lock keeps of a prompt.
pub fn prompt_of(prompt: &Value) -> LockedPrompt {
    LockedPrompt { arguments_hash: arguments_hash(prompt), description_hash: normalized(prompt, "description") }
}

pub(super) fn template_of(template: &Value) -> LockedTemplate {
    LockedTemplate {
        template_hash: template_hash(template),
        name_hash: normalized(template, "name"),
        description_hash: normalized(template, "description"),
        mime_type: Some(text(template, "mimeType")).filter(|text| !text.is_empty()).map(str::to_owned),
    }
}

impl Locked {
    /// The lock of what a server shows. Two items of one name are refused: one hash cannot be of both.
    pub fn of(version: Version, server: &str, command: &str, shown: &Shown) -> Result<Self, Refused> {
        let has_lists = version == Version::V3;
        let named = |items: &[Value], member: &str| {
            let mut by_name = BTreeMap::new();
            for item in items {
                let name = text(item, member).to_owned();
                if name.is_empty() {
                    return Err(Refused::new(format!("an item has no `{member}`: a lock names each")));
                }
                if by_name.insert(name.clone(), item.clone()).is_some() {
                    return Err(Refused::new(format!("two are called `{name}`: which one is meant is ambiguous")));
                }
            }
            Ok(by_name)
        };
        let tools = named(&shown.tools, "name")?;
        let (prompts, templates) = if has_lists {
            (named(&shown.prompts, "name")?, named(&shown.templates, "uriTemplate")?)
        } else {
            (BTreeMap::new(), BTreeMap::new())
        };
        Ok(Self {
            version,
            server: has_lists.then(|| server.to_owned()),
            command: (!has_lists).then(|| command.to_owned()),
            artifact: None,
            tools: tools.iter().map(|(name, tool)| (name.clone(), tool_of(tool))).collect(),
            prompts: prompts.iter().map(|(name, prompt)| (name.clone(), prompt_of(prompt))).collect(),
            templates: templates.iter().map(|(uri, template)| (uri.clone(), template_of(template))).collect(),
        })
    }

    /// The file, byte for byte as its own program writes it: version 2 without a line break at its end, version 3 with
    /// one. `at` is a time of RFC 3339 in whole seconds.
    pub fn write(&self, generator: &str, at: &str) -> Written {
        #[derive(Serialize)]
        struct Second<'a> {
            version: &'a str,
            server_command: &'a str,
            tools: &'a BTreeMap<String, LockedTool>,
        }
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Meta<'a> {
            generator: &'a str,
            updated_at: &'a str,
        }
        #[derive(Serialize)]
        struct Server<'a> {
            name: &'a str,
        }
        #[derive(Serialize)]
        struct Prompts<'a> {
            definitions: &'a BTreeMap<String, LockedPrompt>,
        }
        #[derive(Serialize)]
        struct Resources {
            templates: Vec<Template>,
        }
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Third<'a> {
            lock_file_version: &'a str,
            meta: Meta<'a>,
            server: Server<'a>,
            prompts: Prompts<'a>,
            resources: Resources,
            tools: &'a BTreeMap<String, LockedTool>,
        }
        let template =
            |(uri, hashes): (&String, &LockedTemplate)| Template { uri_template: uri.clone(), hashes: hashes.clone() };
        let templates = self.templates.iter().map(template);
        match self.version {
            Version::V1 => Err(Refused::new("version 1 is read, not written: version 2 has the same layout")),
            Version::V2 => {
                let command = self.command.as_deref().unwrap_or_default();
                let file = Second { version: "2.0", server_command: command, tools: &self.tools };
                Ok(html_escaped(&pretty(&file)))
            }
            Version::V3 => {
                let file = Third {
                    lock_file_version: "3.0",
                    meta: Meta { generator, updated_at: at },
                    server: Server { name: self.server.as_deref().unwrap_or_default() },
                    prompts: Prompts { definitions: &self.prompts },
                    resources: Resources { templates: templates.collect() },
                    tools: &self.tools,
                };
                Ok(html_escaped(&pretty(&file)) + "\n")
            }
        }
    }
}
