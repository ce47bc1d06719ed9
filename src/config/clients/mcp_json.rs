//! `.mcp.json`, as Claude Code reads it: `{"mcpServers": {ID: {"type", "command", "args", "env", "cwd" | "url", "headers"}}}`.
//!
//! Strict JSON; members that are not ours to read are left alone. Where two readers could disagree (a member twice) the
//! entry is a problem, never a guess.

use super::ClientFile;
use crate::canon::{self, scan};
use crate::config::entry::{Entry, NoLaunch, Settings, Written, WrittenTransport};
use crate::config::error::{Place, Problem};
use crate::config::expand::Dialect;
use crate::surface::folder_name;
use crate::text::visible;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The file's name.
pub(super) const FILE: &str = ".mcp.json";

/// Levels of nesting, and entries a file may have.
const MAX_DEPTH: usize = 64;
const MAX_ENTRIES: usize = 1_000;

pub(super) fn read(shown: &Path, text: &[u8]) -> ClientFile {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let mut file = ClientFile::default();
    if text.iter().all(u8::is_ascii_whitespace) {
        return file;
    }
    if let Err((at, fault)) = servers(shown, text, &mut file) {
        let place = at.map_or_else(|| Place::whole(shown), |at| Place::line(shown, line(text, at)));
        file.problems.push(Problem { place, text: fault });
    }
    file
}

/// Where in the text, and what is wrong with the file as a whole.
type FileFault = (Option<usize>, String);

fn servers(shown: &Path, text: &[u8], file: &mut ClientFile) -> Result<(), FileFault> {
    let whole = scan::whole(text, MAX_DEPTH).map_err(|fault| syntax(&fault))?;
    let members = members(text, whole.start, "the file")?;
    let mut found = members.iter().filter(|(key, _)| key.name == "mcpServers");
    let Some((_, servers)) = found.next() else {
        return Err((None, "it has no `mcpServers`, so it names no server".to_owned()));
    };
    if let Some((key, _)) = found.next() {
        return Err((Some(key.at), "`mcpServers` is there twice: readers disagree on which one counts".to_owned()));
    }
    let entries = self::members(text, servers.start, "`mcpServers`")?;
    for (key, value) in &entries {
        let twice = entries.iter().filter(|(other, _)| other.name == key.name).count() > 1;
        let line = line(text, key.at);
        if let Err(fault) = folder_name(&key.name) {
            let text = format!("server `{}`: {fault}", visible(&key.name));
            file.problems.push(Problem { place: Place::line(shown, line), text });
            continue;
        }
        let written = if twice {
            Err(NoLaunch::Wrong("the id is there twice: readers disagree on which one counts".to_owned()))
        } else {
            written(&text[value.clone()])
        };
        let (id, lines) = (key.name.clone(), BTreeMap::new());
        file.entries.push(Entry { id, line, lines, written, settings: Settings::default() });
    }
    Ok(())
}

struct Key {
    name: String,
    at: usize,
}

/// The members of the object at `at`, which is `what`.
fn members(text: &[u8], at: usize, what: &str) -> Result<Vec<(Key, scan::Span)>, FileFault> {
    if text.get(at) != Some(&b'{') {
        return Err((Some(at), format!("{what} must be an object")));
    }
    let members = scan::members(text, at, MAX_DEPTH, MAX_ENTRIES).map_err(|fault| syntax(&fault))?;
    let named = |(key, value): (scan::Span, scan::Span)| {
        let at = key.start;
        (Key { name: scan::unescape(text, key).0, at }, value)
    };
    Ok(members.into_iter().map(named).collect())
}

fn written(text: &[u8]) -> Result<Written, NoLaunch> {
    let value = canon::read_plain(text).map_err(NoLaunch::Wrong)?;
    let fields = Fields(value.as_object().ok_or_else(|| NoLaunch::Wrong("it is no object".to_owned()))?);
    // What is switched off need not be right.
    if fields.0.get("disabled").and_then(Value::as_bool).unwrap_or_default() {
        return Err(NoLaunch::Disabled);
    }
    let transport = fields.transport().map_err(NoLaunch::Wrong)?;
    Ok(Written { dialect: Dialect::ClaudeCode, transport })
}

struct Fields<'a>(&'a serde_json::Map<String, Value>);

impl Fields<'_> {
    fn transport(&self) -> Result<WrittenTransport, String> {
        let written = self.text("type")?;
        let stdio = match written.as_deref() {
            Some("stdio") => true,
            // Whether an endpoint speaks the older of the two is found out on opening it.
            Some("http" | "streamable-http" | "sse") => false,
            Some(other) => {
                return Err(format!(
                    "the transport `{}` is not supported; `stdio`, `http`, `streamable-http` and `sse` are",
                    visible(other)
                ));
            }
            None => self.0.contains_key("command") || !self.0.contains_key("url"),
        };
        if stdio {
            Ok(WrittenTransport::Stdio {
                command: self.text("command")?.ok_or("it has neither a `command` to run nor a `url` to open")?,
                args: self.texts("args")?,
                cwd: self.text("cwd")?,
                env: self.pairs("env")?,
            })
        } else {
            Ok(WrittenTransport::Http {
                url: self.text("url")?.ok_or("it has no `url` to open")?,
                headers: self.pairs("headers")?,
            })
        }
    }

    fn text(&self, member: &str) -> Result<Option<String>, String> {
        match self.0.get(member) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(format!("`{member}` must be a string")),
        }
    }

    fn texts(&self, member: &str) -> Result<Vec<String>, String> {
        let wrong = || format!("`{member}` must be a list of strings");
        match self.0.get(member) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(list)) => {
                list.iter().map(|entry| entry.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    fn pairs(&self, member: &str) -> Result<BTreeMap<String, String>, String> {
        let wrong = || format!("`{member}` must be an object of strings");
        match self.0.get(member) {
            None | Some(Value::Null) => Ok(BTreeMap::new()),
            Some(Value::Object(pairs)) => {
                let pair = |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.to_owned()));
                pairs.iter().map(|entry| pair(entry).ok_or_else(wrong)).collect()
            }
            Some(_) => Err(wrong()),
        }
    }
}

fn syntax(fault: &scan::Syntax) -> FileFault {
    let (scan::Syntax::Expected { at, .. } | scan::Syntax::TooDeep { at, .. } | scan::Syntax::TooMany { at, .. }) =
        fault;
    let text = match fault {
        scan::Syntax::Expected { expected, .. } => format!("it is no JSON: expected {expected}"),
        scan::Syntax::TooDeep { limit, .. } => format!("it is nested deeper than {limit} levels"),
        scan::Syntax::TooMany { limit, .. } => format!("it has more than {limit} entries"),
    };
    (Some(*at), text)
}

fn line(text: &[u8], at: usize) -> usize {
    1 + text.iter().take(at).filter(|byte| **byte == b'\n').count()
}
