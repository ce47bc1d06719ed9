//! The chain of enclawed-oss, another system's: its hash is over the previous hash, a bar and the record as JSON with sorted
//! members; what is no text in a string stands as U+FFFD.

use super::checked::{Checked, Fault, hash_at};
use crate::canon::jcs;
use crate::digest::Sha256;
use serde_json::{Map, Value};

/// What the first record follows.
const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Members that it drops wherever they stand.
const DROPPED: [&str; 3] = ["__proto__", "prototype", "constructor"];

pub(super) fn check(record: &Value) -> Result<Checked, Fault> {
    let hash = hash_at(record, "recordHash")?.ok_or(Fault::NoHash("recordHash"))?;
    let previous = hash_at(record, "prevHash")?.ok_or(Fault::NoHash("prevHash"))?;
    let members = ["ts", "type", "actor", "level", "payload"];
    let body: Map<_, _> = members
        .into_iter()
        .filter_map(|name| record.get(name).map(|value| (name.to_owned(), cleaned(value))))
        .collect();
    // Its members sort alike by UTF-16 and by bytes, and its numbers are times.
    if Sha256::of(format!("{previous}|{}", jcs(&Value::Object(body)))) != hash {
        return Err(Fault::Edited);
    }
    let previous = Some(previous).filter(|previous| previous.to_string() != GENESIS);
    Ok(Checked { hash, previous, continues: None })
}

fn cleaned(value: &Value) -> Value {
    match value {
        Value::String(text) => {
            text.replace(|c: char| matches!(c, '\0'..='\x08' | '\n'..='\x1f' | '\x7f'), "\u{fffd}").into()
        }
        Value::Array(list) => list.iter().map(cleaned).collect(),
        Value::Object(members) => {
            let kept = members.iter().filter(|(name, _)| !DROPPED.contains(&name.as_str()));
            kept.map(|(name, value)| (name.clone(), cleaned(value))).collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}
