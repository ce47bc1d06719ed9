//! What the official clients take in each member of a definition: the one table of it, read off the verdicts of their own
//! parsers (tests/data/client-verdicts).

use super::clients::{
    BUT_PYTHON_1, By, EARLY, EARLY_BUT_PYTHON_1, EARLY_TYPESCRIPT, EVERY, NOBODY, PYTHON_2, TASKS, TYPESCRIPT,
    TYPESCRIPT_2,
};
use super::takes::{Member, Takes};
use crate::surface::Kind;

const LISTS: &[Kind] = &[Kind::Tool, Kind::Prompt, Kind::Resource, Kind::ResourceTemplate];
const TOOL: &[Kind] = &[Kind::Tool];
const PROMPT: &[Kind] = &[Kind::Prompt];
const RESOURCE: &[Kind] = &[Kind::Resource];
const TEMPLATE: &[Kind] = &[Kind::ResourceTemplate];
const BOTH: &[Kind] = &[Kind::Resource, Kind::ResourceTemplate];
const INFO: &[Kind] = &[Kind::ServerInfo];
const CAPABILITIES: &[Kind] = &[Kind::Capabilities];
const INSTRUCTIONS: &[Kind] = &[Kind::Instructions];

/// The dialect of a schema is looked at by the newer parsers only.
const DIALECT: By = By::new(PYTHON_2, TYPESCRIPT_2 | PYTHON_2);
const DIALECT_NULL: By = By::new(0, TYPESCRIPT_2);
const PYTHON_2_ALONE: By = By::new(PYTHON_2, PYTHON_2);

const ROOTS: &[&str] = &["object"];
const THEMES: &[&str] = &["light", "dark"];
const TASK_SUPPORT: &[&str] = &["required", "optional", "forbidden"];

/// A member that must be there.
const fn must(kinds: &'static [Kind], path: &'static [&'static str], takes: Takes, by: By) -> Member {
    Member { kinds, path, takes, missing: by, null: by, wrong: by }
}

/// A member that may be left out.
const fn may(kinds: &'static [Kind], path: &'static [&'static str], takes: Takes, null: By, wrong: By) -> Member {
    Member { kinds, path, takes, missing: NOBODY, null, wrong }
}

/// Every member that some client checks.
pub(super) static MEMBERS: [Member; 73] = [
    must(LISTS, &[], Takes::Object, EVERY),
    must(LISTS, &["name"], Takes::Text, EVERY),
    may(LISTS, &["title"], Takes::Text, TYPESCRIPT, EVERY),
    may(LISTS, &["description"], Takes::Text, TYPESCRIPT, EVERY),
    may(LISTS, &["_meta"], Takes::Object, TYPESCRIPT, EVERY),
    may(LISTS, &["icons"], Takes::List, TYPESCRIPT, EVERY),
    must(LISTS, &["icons", "*"], Takes::Object, EVERY),
    must(LISTS, &["icons", "*", "src"], Takes::Text, EVERY),
    may(LISTS, &["icons", "*", "mimeType"], Takes::Text, TYPESCRIPT, EVERY),
    may(LISTS, &["icons", "*", "sizes"], Takes::Texts, TYPESCRIPT, EVERY),
    may(LISTS, &["icons", "*", "theme"], Takes::Word(THEMES), TYPESCRIPT, BUT_PYTHON_1),
    // Tools.
    must(TOOL, &["inputSchema"], Takes::Object, EVERY),
    must(TOOL, &["inputSchema", "type"], Takes::Word(ROOTS), BUT_PYTHON_1),
    may(TOOL, &["inputSchema", "properties"], Takes::Object, EARLY_TYPESCRIPT, EARLY_BUT_PYTHON_1),
    may(TOOL, &["inputSchema", "properties", "*"], Takes::Property, NOBODY, NOBODY),
    may(TOOL, &["inputSchema", "required"], Takes::Texts, EARLY_TYPESCRIPT, EARLY_BUT_PYTHON_1),
    may(TOOL, &["inputSchema", "$schema"], Takes::Text, DIALECT_NULL, DIALECT),
    may(TOOL, &["outputSchema"], Takes::Object, TYPESCRIPT, EVERY),
    must(TOOL, &["outputSchema", "type"], Takes::Word(ROOTS), EARLY_BUT_PYTHON_1),
    may(TOOL, &["outputSchema", "properties"], Takes::Object, EARLY_TYPESCRIPT, EARLY_BUT_PYTHON_1),
    may(TOOL, &["outputSchema", "properties", "*"], Takes::Property, NOBODY, NOBODY),
    may(TOOL, &["outputSchema", "required"], Takes::Texts, EARLY_TYPESCRIPT, EARLY_BUT_PYTHON_1),
    may(TOOL, &["outputSchema", "$schema"], Takes::Text, DIALECT_NULL, DIALECT),
    may(TOOL, &["annotations"], Takes::Object, TYPESCRIPT, EVERY),
    may(TOOL, &["annotations", "title"], Takes::Text, TYPESCRIPT, EVERY),
    may(TOOL, &["annotations", "readOnlyHint"], Takes::Flag, TYPESCRIPT, EVERY),
    may(TOOL, &["annotations", "destructiveHint"], Takes::Flag, TYPESCRIPT, EVERY),
    may(TOOL, &["annotations", "idempotentHint"], Takes::Flag, TYPESCRIPT, EVERY),
    may(TOOL, &["annotations", "openWorldHint"], Takes::Flag, TYPESCRIPT, EVERY),
    may(TOOL, &["execution"], Takes::Object, EARLY_TYPESCRIPT, TASKS),
    may(TOOL, &["execution", "taskSupport"], Takes::Word(TASK_SUPPORT), EARLY_TYPESCRIPT, TASKS),
    // Prompts.
    may(PROMPT, &["arguments"], Takes::List, TYPESCRIPT, EVERY),
    must(PROMPT, &["arguments", "*"], Takes::Object, EVERY),
    must(PROMPT, &["arguments", "*", "name"], Takes::Text, EVERY),
    may(PROMPT, &["arguments", "*", "title"], Takes::Text, NOBODY, PYTHON_2_ALONE),
    may(PROMPT, &["arguments", "*", "description"], Takes::Text, TYPESCRIPT, EVERY),
    may(PROMPT, &["arguments", "*", "required"], Takes::Flag, TYPESCRIPT, EVERY),
    // Resources and templates.
    must(RESOURCE, &["uri"], Takes::Uri, EVERY),
    may(RESOURCE, &["size"], Takes::Size, TYPESCRIPT, EVERY),
    must(TEMPLATE, &["uriTemplate"], Takes::Text, EVERY),
    may(BOTH, &["mimeType"], Takes::Text, TYPESCRIPT, EVERY),
    may(BOTH, &["annotations"], Takes::Object, TYPESCRIPT, EVERY),
    may(BOTH, &["annotations", "audience"], Takes::Audience, TYPESCRIPT, EVERY),
    may(BOTH, &["annotations", "priority"], Takes::Priority, TYPESCRIPT, EVERY),
    may(BOTH, &["annotations", "lastModified"], Takes::Time, TYPESCRIPT, BUT_PYTHON_1),
    // The handshake. From 2026-07-28 on no client refuses a server for what it says of itself.
    must(INFO, &[], Takes::Object, EARLY),
    must(INFO, &["name"], Takes::Text, EARLY),
    must(INFO, &["version"], Takes::Text, EARLY),
    may(INFO, &["title"], Takes::Text, EARLY_TYPESCRIPT, EARLY),
    may(INFO, &["description"], Takes::Text, EARLY_TYPESCRIPT, EARLY_BUT_PYTHON_1),
    may(INFO, &["websiteUrl"], Takes::Text, EARLY_TYPESCRIPT, EARLY),
    may(INFO, &["icons"], Takes::List, EARLY_TYPESCRIPT, EARLY),
    must(INFO, &["icons", "*"], Takes::Object, EARLY),
    must(INFO, &["icons", "*", "src"], Takes::Text, EARLY),
    may(INFO, &["icons", "*", "mimeType"], Takes::Text, EARLY_TYPESCRIPT, EARLY),
    may(INFO, &["icons", "*", "sizes"], Takes::Texts, EARLY_TYPESCRIPT, EARLY),
    may(INFO, &["icons", "*", "theme"], Takes::Word(THEMES), EARLY_TYPESCRIPT, EARLY_BUT_PYTHON_1),
    must(CAPABILITIES, &[], Takes::Object, EVERY),
    may(CAPABILITIES, &["tools"], Takes::Object, TYPESCRIPT, EVERY),
    may(CAPABILITIES, &["tools", "listChanged"], Takes::Flag, TYPESCRIPT, EVERY),
    may(CAPABILITIES, &["prompts"], Takes::Object, TYPESCRIPT, EVERY),
    may(CAPABILITIES, &["prompts", "listChanged"], Takes::Flag, TYPESCRIPT, EVERY),
    may(CAPABILITIES, &["resources"], Takes::Object, TYPESCRIPT, EVERY),
    may(CAPABILITIES, &["resources", "listChanged"], Takes::Flag, TYPESCRIPT, EVERY),
    may(CAPABILITIES, &["resources", "subscribe"], Takes::Flag, TYPESCRIPT, EVERY),
    may(CAPABILITIES, &["logging"], Takes::Structure, TYPESCRIPT, EVERY),
    may(CAPABILITIES, &["completions"], Takes::Structure, TYPESCRIPT, EVERY),
    may(CAPABILITIES, &["experimental"], Takes::Object, TYPESCRIPT, EVERY),
    must(CAPABILITIES, &["experimental", "*"], Takes::Structure, EVERY),
    may(CAPABILITIES, &["tasks"], Takes::Object, EARLY_TYPESCRIPT, TASKS),
    may(CAPABILITIES, &["extensions"], Takes::Object, TYPESCRIPT, BUT_PYTHON_1),
    must(CAPABILITIES, &["extensions", "*"], Takes::Structure, BUT_PYTHON_1),
    may(INSTRUCTIONS, &[], Takes::Text, TYPESCRIPT, EVERY),
];
