//! Reading a baseline's text: strictly, with every digest computed again.

use super::write::{codes, digests, rejection_digests};
use super::{FAMILY, FORMAT};
use crate::canon::{Code, Definition, Form, MAX_PLAIN_DEPTH, Pointer, read, read_plain};
use crate::digest::{DigestScope, Item};
use crate::pin::closed::{Closed, Misshapen};
use crate::pin::{Anchor, Baseline, COMMAND_WORDS, CommandWords, Decision, DecisionState, Pin, Rejection, Unwatched};
use crate::surface::{ItemId, Kind, ObservedAs};
use crate::text::{utf8, visible};
use base64::Engine as _;
use serde_json::Value;
use std::sync::Arc;

/// Why a file is not taken as a baseline. A refused file is never overwritten.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each name is its own sentence")]
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
        /// What it should be.
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
    let file = match read_plain(text) {
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
    let mut file = Closed::open(file, Pointer::root(), &MEMBERS)?;
    let server = file.string("server")?;
    let digest_scope = match file.string("digest_scope")?.as_str() {
        "none" => DigestScope::None,
        "server" => DigestScope::Server(server.clone()),
        _ => return Err(file.wrong("digest_scope", "`none` or `server`").into()),
    };
    let place = file.place("anchor");
    let mut anchor = Closed::open(file.take("anchor")?, place, &["clearance_id", "signer_key_id", "auth_scope"])?;
    let anchor = Anchor {
        clearance_id: anchor.string_or_null("clearance_id")?,
        signer_key_id: anchor.string_or_null("signer_key_id")?,
        auth_scope: anchor.string_or_null("auth_scope")?,
    };
    let place = file.place("observed_as");
    let observed_as = observed_as(file.take("observed_as")?, place)?;
    let place = file.place("unwatched");
    let unwatched = if file.has("unwatched") { Some(unwatched(file.take("unwatched")?, place)?) } else { None };
    let mut baseline = Baseline { anchor, unwatched, ..Baseline::empty(&server, digest_scope, observed_as) };
    for (index, value) in file.list("pins")?.into_iter().enumerate() {
        let mut pin = pin(value, file.place("pins").child(index), &baseline.digest_scope)?;
        if let Some(last) = baseline.pins.last().filter(|last| last.decision == pin.decision) {
            pin.decision = Arc::clone(&last.decision);
        }
        baseline.pins.push(Arc::new(pin));
    }
    for (index, value) in file.list("rejections")?.into_iter().enumerate() {
        let place = file.place("rejections").child(index);
        baseline.rejections.push(rejection(value, place, &baseline.digest_scope)?);
    }
    if file.has("command_words") {
        baseline.record_command_words(command_words(&mut file)?);
    }
    // Two people's edits may meet in another order than the one that is written.
    baseline.sort();
    Ok(baseline)
}

/// The members of the file.
const MEMBERS: [&str; 9] =
    ["format", "server", "digest_scope", "anchor", "observed_as", "unwatched", "command_words", "pins", "rejections"];

/// The words for running commands that were ever pinned. A file without them has those of its pins.
fn command_words(file: &mut Closed) -> Result<CommandWords, Misshapen> {
    let words = file.strings("command_words")?;
    let known = |word: &String| COMMAND_WORDS.into_iter().find(|known| known == word);
    let found: Option<CommandWords> = words.iter().map(known).collect();
    let sorted = words.is_sorted_by(|a, b| a < b);
    found
        .filter(|_| sorted)
        .ok_or_else(|| file.wrong("command_words", &format!("a sorted list of some of: {}", COMMAND_WORDS.join(", "))))
}

/// The commonest damage by far, by its name.
fn conflict(text: &[u8]) -> Option<String> {
    let line = text.split(|byte| *byte == b'\n').position(|line| line.starts_with(b"<<<<<<< "))?;
    Some(format!("line {}: an unresolved merge conflict", line + 1))
}

/// The handshake of a file of ours, or null.
pub(crate) fn observed_as(value: Value, at: Pointer) -> Result<Option<ObservedAs>, Misshapen> {
    if value.is_null() {
        return Ok(None);
    }
    let mut observed = Closed::open(value, at, &["era", "protocol_version", "client_capabilities"])?;
    let era = observed.word("era", "`initialize` or `discover`")?;
    let protocol_version = observed.string("protocol_version")?;
    let Value::Object(client_capabilities) = observed.take("client_capabilities")? else {
        return Err(observed.wrong("client_capabilities", "an object"));
    };
    Ok(Some(ObservedAs { era, protocol_version, client_capabilities }))
}

fn unwatched(value: Value, at: Pointer) -> Result<Unwatched, Misshapen> {
    let mut member = Closed::open(value, at, &["reason", "decision"])?;
    Ok(Unwatched { reason: member.string("reason")?, decision: decision(&mut member, DecisionState::Approved)? })
}

const ENTRY: [&str; 10] =
    ["kind", "key", "definition", "decimals", "text", "bytes", "ambiguous", "digests", "decision", "varies"];

fn pin(value: Value, at: Pointer, scope: &DigestScope) -> Result<Pin, Refused> {
    let mut entry = Closed::open(value, at, &ENTRY)?;
    let item = item(&mut entry, scope)?;
    let varies = varies(&mut entry, &item)?;
    compare(&item, &entry.take("digests")?, &digests(&item, &varies))?;
    let decision = Arc::new(decision(&mut entry, DecisionState::Approved)?);
    Ok(Pin { item: Arc::new(item), varies, decision })
}

fn rejection(value: Value, at: Pointer, scope: &DigestScope) -> Result<Rejection, Refused> {
    let mut entry = Closed::open(value, at, &ENTRY[..9])?;
    let item = item(&mut entry, scope)?;
    compare(&item, &entry.take("digests")?, &rejection_digests(&item))?;
    let decision = decision(&mut entry, DecisionState::Rejected)?;
    Ok(Rejection { item: Arc::new(item), decision })
}

/// The item of an entry, digested; its key must be the one that the definition has.
fn item(entry: &mut Closed, scope: &DigestScope) -> Result<Item, Refused> {
    let kind: Kind = entry.parsed("kind")?;
    let key = entry.string("key")?;
    let item = match definition(entry)? {
        Stored::Plain(value) => Item::plain(kind, &value, scope),
        Stored::Other(definition) => Item::stored(kind, definition, scope),
    };
    if *item.id.key != *key {
        return Err(Refused::Key { item: ItemId::new(kind, key), computed: item.id.key.to_string() });
    }
    Ok(item)
}

/// A definition as an entry holds it.
enum Stored {
    Plain(Value),
    Other(Definition),
}

/// The definition in the one form that it is written in: what could be plain is never taken as text.
fn definition(entry: &mut Closed) -> Result<Stored, Misshapen> {
    let forms = ["definition", "text", "bytes"];
    let given: Vec<_> = forms.into_iter().filter(|name| entry.has(name)).collect();
    let [form] = given[..] else {
        return Err(Misshapen::new(entry.at().clone(), "expected one of `definition`, `text` and `bytes`"));
    };
    let alone = if form == "definition" { "ambiguous" } else { "decimals" };
    if entry.has(alone) {
        return Err(Misshapen::new(entry.place(alone), format!("does not stand beside `{form}`")));
    }
    if form == "definition" {
        let value = entry.take(form)?;
        if depth(&value) > MAX_PLAIN_DEPTH {
            return Err(entry.wrong(form, "at most 120 levels: a deeper definition is kept as text"));
        }
        if !entry.has("decimals") {
            return Ok(Stored::Plain(value));
        }
        let pointers: Option<Vec<_>> = entry.strings("decimals")?.iter().map(|text| Pointer::parse(text)).collect();
        // A number that a double holds stands as itself: written as a decimal it would be another form of the same.
        let needed = |pointer: &Pointer| {
            let text = value.pointer(pointer.as_str()).and_then(Value::as_str).unwrap_or_default();
            read(text.as_bytes(), 0).is_ok_and(|reading| reading.codes.contains(&Code::Number))
        };
        let pointers = pointers.filter(|pointers| pointers.iter().all(needed));
        let definition = pointers.and_then(|pointers| Definition::from_decimals(&value, pointers));
        return definition
            .map(Stored::Other)
            .ok_or_else(|| entry.wrong("decimals", "sorted pointers to exact decimals that no double holds"));
    }
    let text = entry.string(form)?;
    let bytes = match form {
        "text" => text.into_bytes(),
        _ => base64::engine::general_purpose::STANDARD.decode(text).map_err(|_| entry.wrong(form, "base64"))?,
    };
    let definition =
        Definition::read(&bytes, usize::MAX).map_err(|syntax| Misshapen::new(entry.place(form), syntax.to_string()))?;
    let as_written = match definition.form {
        Form::Text(_) => form == "text",
        Form::Bytes(_) => form == "bytes",
        Form::Plain(_) | Form::Decimal { .. } => false,
    };
    if !as_written {
        return Err(Misshapen::new(entry.place(form), "holds a definition that is written in another form"));
    }
    let given = entry.strings("ambiguous")?;
    if serde_json::json!(given) != codes(&definition) {
        let words: Vec<_> = definition.codes.iter().map(|code| code.word()).collect();
        return Err(entry.wrong("ambiguous", &format!("the codes of the text: {}", words.join(", "))));
    }
    Ok(Stored::Other(definition))
}

/// Brackets around the innermost value. The reader has bounded it already, so that this may recurse.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(list) => 1 + list.iter().map(depth).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn varies(entry: &mut Closed, item: &Item) -> Result<Vec<Pointer>, Misshapen> {
    if !entry.has("varies") {
        return Ok(Vec::new());
    }
    let pointers: Option<Vec<_>> = entry.strings("varies")?.iter().map(|text| Pointer::parse(text)).collect();
    let sorted = |pointers: &Vec<Pointer>| pointers.is_sorted_by(|a, b| a < b) && !pointers.is_empty();
    let pointers = pointers.filter(sorted).ok_or_else(|| entry.wrong("varies", "sorted JSON Pointers"))?;
    if item.definition.exact().is_none() {
        return Err(Misshapen::new(entry.place("varies"), "a definition kept as received cannot vary in parts"));
    }
    Ok(pointers)
}

/// Refuses digests that are not those of the definition.
fn compare(item: &Item, stored: &Value, computed: &Value) -> Result<(), Refused> {
    match difference("digests", Some(stored), Some(computed)) {
        None => Ok(()),
        Some((digest, stored, computed)) => {
            Err(Refused::Digest { item: item.id.clone(), digest: digest.to_owned(), stored, computed })
        }
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

fn decision(entry: &mut Closed, state: DecisionState) -> Result<Decision, Misshapen> {
    let place = entry.place("decision");
    let mut decision = Closed::open(entry.take("decision")?, place, &["state", "by", "at", "note"])?;
    if decision.string("state")? != state.word() {
        return Err(decision.wrong("state", &format!("`{}`", state.word())));
    }
    let by = decision.string("by")?;
    let at = decision.string("at")?;
    let utc = at.len() == "2026-11-27T20:31:00Z".len() && at.ends_with('Z') && at.parse::<jiff::Timestamp>().is_ok();
    if !utc {
        return Err(decision.wrong("at", "a time like `2026-11-27T20:31:00Z`"));
    }
    Ok(Decision { state, by, at, note: decision.string("note")? })
}
