//! Reading a baseline's text: strictly, with every digest computed again.

use super::write::{Entry, Head, digests, rejection_digests};
use super::{FAMILY, FORMAT};
use crate::canon::{Code, Definition, MAX_PLAIN_DEPTH, Pointer, read, read_plain};
use crate::digest::{DigestScope, Item};
use crate::pin::strict::{Misshapen, same, strict};
use crate::pin::{Baseline, COMMAND_WORDS, CommandWords, Decision, DecisionState, Pin, Rejection};
use crate::surface::ItemId;
use crate::text::{utf8, visible};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::sync::Arc;

/// Why a file is not taken as a baseline. A refused file is never overwritten.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Refused {
    /// Not JSON, or JSON that readers would not agree on.
    #[error("it cannot be read: {}", visible(.0))]
    Unreadable(String),
    /// Some other program's file.
    #[error("it is not a pinwatch baseline")]
    NotOurs,
    /// Written by a later version.
    #[error("its format `{}` is newer than this pinwatch, which reads `{FORMAT}`", visible(.0))]
    Newer(String),
    /// A member missing, unknown or of another kind.
    #[error("{0}")]
    Misshapen(#[from] Misshapen),
    /// A digest in the file is not the digest of the definition beside it.
    #[error(
        "{}: the file says its {digest} is {}, the definition beside it gives {}",
        visible(&.item.text()), visible(.stored), visible(.computed)
   )]
    Digest {
        item: ItemId,
        digest: String,
        /// What the file says.
        stored: String,
        computed: String,
    },
    /// An entry stands under a key that its definition does not have.
    #[error("{}: the key of its definition is `{}`", visible(&.item.text()), visible(.computed))]
    Key {
        /// The item as the file names it.
        item: ItemId,
        /// The key computed of the definition.
        computed: String,
    },
}

/// Whether a text, or the start of one, says that it is a baseline of ours in any version.
pub fn is_ours(text: &[u8]) -> bool {
    let names_it = |text: &[u8]| text.windows(FAMILY.len()).any(|window| window == FAMILY.as_bytes());
    // An editor that saved it in another encoding has not made it someone else's: of UTF-16 the zeros are left out.
    names_it(text)
        || utf8(text).is_err() && names_it(&text.iter().copied().filter(|byte| *byte != 0).collect::<Vec<_>>())
}

/// The baseline of a file's text.
pub fn parse(text: &[u8]) -> Result<Baseline, Refused> {
    let text = match utf8(text) {
        Ok(text) => text,
        Err(_) if !is_ours(text) => return Err(Refused::NotOurs),
        Err(problem) => return Err(Refused::Unreadable(problem.to_string())),
    };
    let mut file = match read_plain(text) {
        Ok(file) => file,
        Err(_) if !is_ours(text) => return Err(Refused::NotOurs),
        Err(problem) => return Err(Refused::Unreadable(conflict(text).unwrap_or(problem))),
    };
    match file.get("format").and_then(Value::as_str) {
        Some(FORMAT) => {}
        Some(format) => {
            let version = format.strip_prefix(FAMILY).and_then(|version| version.parse::<u64>().ok());
            return Err(if version.is_some_and(|version| version > 1) {
                Refused::Newer(format.to_owned())
            } else {
                Refused::NotOurs
            });
        }
        None => return Err(Refused::NotOurs),
    }
    let root = Pointer::root();
    let mut take = |name: &str| file.as_object_mut().and_then(|file| file.remove(name));
    let (pins, rejections) = (take("pins"), take("rejections"));
    let head: Head = strict(&file, &root)?;
    let digest_scope = match head.digest_scope.as_str() {
        "none" => DigestScope::None,
        "server" => DigestScope::Server(head.server.clone()),
        _ => return Err(Misshapen::new(root.child("digest_scope"), "expected `none` or `server`").into()),
    };
    if let Some(unwatched) = &head.unwatched {
        check(&unwatched.decision, DecisionState::Approved, &root.child("unwatched"))?;
    }
    let empty = Baseline::empty(&head.server, digest_scope, head.observed_as);
    let mut baseline = Baseline { anchor: head.anchor, unwatched: head.unwatched, ..empty };
    for (value, at) in list(pins, "pins")? {
        let mut pin = pin(value, &at, &baseline.digest_scope)?;
        if let Some(last) = baseline.pins.last().filter(|last| last.decision == pin.decision) {
            pin.decision = Arc::clone(&last.decision);
        }
        baseline.pins.push(Arc::new(pin));
    }
    for (value, at) in list(rejections, "rejections")? {
        baseline.rejections.push(rejection(value, &at, &baseline.digest_scope)?);
    }
    if let Some(words) = &head.command_words {
        baseline.record_command_words(command_words(words)?);
    }
    // Two people's edits may meet in another order than the one that is written.
    baseline.sort();
    Ok(baseline)
}

/// The entries of one of the file's lists, each with its place.
fn list(list: Option<Value>, name: &'static str) -> Result<impl Iterator<Item = (Value, Pointer)>, Misshapen> {
    let at = Pointer::root().child(name);
    match list {
        Some(Value::Array(list)) => {
            Ok(list.into_iter().enumerate().map(move |(index, value)| (value, at.child(index))))
        }
        Some(_) => Err(Misshapen::new(at, "expected a list")),
        None => Err(Misshapen::new(Pointer::root(), format!("missing field `{name}`"))),
    }
}

/// The words for running commands that were ever pinned. A file without them has those of its pins.
fn command_words(words: &[String]) -> Result<CommandWords, Misshapen> {
    let known = |word: &String| COMMAND_WORDS.into_iter().find(|known| known == word);
    let found: Option<CommandWords> = words.iter().map(known).collect();
    found.filter(|_| words.is_sorted_by(|a, b| a < b)).ok_or_else(|| {
        let known = COMMAND_WORDS.join(", ");
        Misshapen::new(Pointer::root().child("command_words"), format!("expected a sorted list of some of: {known}"))
    })
}

/// The commonest damage by far, by its name.
fn conflict(text: &[u8]) -> Option<String> {
    let line = text.split(|byte| *byte == b'\n').position(|line| line.starts_with(b"<<<<<<< "))?;
    Some(format!("line {}: an unresolved merge conflict", line + 1))
}

fn pin(value: Value, at: &Pointer, scope: &DigestScope) -> Result<Pin, Refused> {
    let (item, entry) = entry(value, at, scope)?;
    let Entry { varies, decision, .. } = &entry;
    if !varies.is_sorted_by(|a, b| a < b) {
        return Err(Misshapen::new(at.child("varies"), "expected sorted JSON Pointers").into());
    }
    if !varies.is_empty() && item.definition.exact().is_none() {
        let problem = "a definition kept as received cannot vary in parts";
        return Err(Misshapen::new(at.child("varies"), problem).into());
    }
    check(decision, DecisionState::Approved, at)?;
    compare(&item, &entry, &Entry::of(&item, digests(&item, varies), decision, varies.clone()), at)?;
    Ok(Pin { item: Arc::new(item), varies: entry.varies, decision: Arc::new(entry.decision) })
}

fn rejection(value: Value, at: &Pointer, scope: &DigestScope) -> Result<Rejection, Refused> {
    let (item, entry) = entry(value, at, scope)?;
    check(&entry.decision, DecisionState::Rejected, at)?;
    compare(&item, &entry, &Entry::of(&item, rejection_digests(&item), &entry.decision, Vec::new()), at)?;
    Ok(Rejection { item: Arc::new(item), decision: entry.decision })
}

/// An entry and its item, digested anew; the key must be the one that the definition has.
fn entry(mut value: Value, at: &Pointer, scope: &DigestScope) -> Result<(Item, Entry), Refused> {
    let definition = value.as_object_mut().and_then(|entry| entry.remove("definition"));
    let entry: Entry = strict(&value, at)?;
    let item = match definition {
        Some(value) if entry.decimals.is_none() => {
            shallow(&value, at)?;
            Item::plain(entry.kind, &value, scope)
        }
        definition => Item::stored(entry.kind, stored(definition, &entry, at)?, scope),
    };
    if item.id.key == entry.key {
        return Ok((item, entry));
    }
    Err(Refused::Key { item: ItemId::new(entry.kind, entry.key), computed: item.id.key.to_string() })
}

/// The definition of an entry that does not hold it as plain JSON.
fn stored(definition: Option<Value>, entry: &Entry, at: &Pointer) -> Result<Definition, Misshapen> {
    let wrong = |name: &str, problem: &str| Misshapen::new(at.child(name), problem);
    let received = |bytes: &[u8], name: &str| {
        Definition::read(bytes, usize::MAX).map_err(|syntax| wrong(name, &syntax.to_string()))
    };
    match (definition, &entry.decimals, &entry.text, &entry.bytes) {
        (Some(value), Some(decimals), None, None) => {
            shallow(&value, at)?;
            // A number that a double holds stands as itself: written as a decimal it would be another form of the same.
            let needed = |pointer: &Pointer| {
                let text = value.pointer(pointer.as_str()).and_then(Value::as_str).unwrap_or_default();
                read(text.as_bytes(), 0).is_ok_and(|reading| reading.codes.contains(&Code::Number))
            };
            let pointers = Some(decimals.clone()).filter(|pointers| pointers.iter().all(needed));
            let definition = pointers.and_then(|pointers| Definition::from_decimals(&value, pointers));
            definition
                .ok_or_else(|| wrong("decimals", "expected sorted pointers to exact decimals that no double holds"))
        }
        (None, None, Some(text), None) => received(text.as_bytes(), "text"),
        (None, None, None, Some(bytes)) => {
            received(&STANDARD.decode(bytes).map_err(|_| wrong("bytes", "expected base64"))?, "bytes")
        }
        _ => Err(Misshapen::new(at.clone(), "expected one of `definition`, `text` and `bytes`")),
    }
}

/// Refuses a definition that is deeper than a plain one may be.
fn shallow(definition: &Value, at: &Pointer) -> Result<(), Misshapen> {
    if depth(definition) <= MAX_PLAIN_DEPTH {
        return Ok(());
    }
    let problem = "expected at most 120 levels: a deeper definition is kept as text";
    Err(Misshapen::new(at.child("definition"), problem))
}

/// Brackets around the innermost value. The reader has bounded it already, so that this may recurse.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(list) => 1 + list.iter().map(depth).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Refuses digests that are not those of the definition, and a definition in another form than it is written in.
fn compare(item: &Item, stands: &Entry, written: &Entry, at: &Pointer) -> Result<(), Refused> {
    match difference("digests", Some(&stands.digests), Some(&written.digests)) {
        Some((digest, stored, computed)) => {
            Err(Refused::Digest { item: item.id.clone(), digest: digest.to_owned(), stored, computed })
        }
        None => Ok(same(&json!(stands), &json!(written), at)?),
    }
}

/// The innermost member in which two values differ, with both texts. A null is not the same as nothing.
fn difference<'a>(
    name: &'a str,
    stored: Option<&'a Value>,
    computed: Option<&'a Value>,
) -> Option<(&'a str, String, String)> {
    if let (Some(Value::Object(a)), Some(Value::Object(b))) = (stored, computed) {
        return a.keys().chain(b.keys()).find_map(|name| difference(name, a.get(name), b.get(name)));
    }
    let word = |value: Option<&Value>| match value {
        None => "absent".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    (stored != computed).then(|| (name, word(stored), word(computed)))
}

/// Refuses a decision of another kind than its place says, or one whose time is written in another way.
fn check(decision: &Decision, state: DecisionState, entry: &Pointer) -> Result<(), Misshapen> {
    let at = entry.child("decision");
    if decision.state != state {
        return Err(Misshapen::new(at.child("state"), format!("expected `{}`", state.word())));
    }
    let time = &decision.at;
    let utc =
        time.len() == "2026-11-27T20:31:00Z".len() && time.ends_with('Z') && time.parse::<jiff::Timestamp>().is_ok();
    if utc { Ok(()) } else { Err(Misshapen::new(at.child("at"), "expected a time like `2026-11-27T20:31:00Z`")) }
}
