//! CapiscIO RFC-007: the principal that a server says it is. Only what it declares is read: a badge, which would prove it, is
//! not checked.

use crate::canon::{MAX_PLAIN_DEPTH, read};
use crate::identity::Principal;
use crate::surface::{Era, Exhibit, Observation, Reason};
use serde_json::Value;

/// Bytes of the longest DID that is read.
const MOST_DID: usize = 2_048;

/// What one place says.
enum Said {
    Nothing,
    Did(String),
    Unclear(String),
    Unread(Reason),
}

/// The principal of a server that was looked at: the answer to its handshake, the headers of its answers, and the file at its
/// well-known address must say the same.
pub fn principal(observation: &Observation) -> Principal {
    let Some(observed_as) = &observation.observed_as else {
        return Principal::NotVisible(Reason::new("not-observed", "the server was not looked at"));
    };
    let presented = &observation.presented;
    let (meta, file) = (members(&presented.meta), members(&presented.principal));
    let places = [
        ("its handshake", member(&meta, "capiscio_server_did")),
        ("its headers", header(&presented.did_header)),
        ("its well-known file", member(&file, "server_did")),
    ];
    let mut unread = None;
    let mut unclear = None;
    let mut named: Option<(&str, String)> = None;
    for (place, said) in places {
        match said {
            Said::Nothing => {}
            Said::Unread(reason) => unread = unread.or(Some(reason)),
            Said::Unclear(why) => unclear = unclear.or(Some(format!("{place}: {why}"))),
            Said::Did(did) => match &named {
                None => named = Some((place, did)),
                Some((_, known)) if *known == did => {}
                Some((other, known)) => {
                    unclear = unclear.or(Some(format!("{other} names `{known}`, and {place} `{did}`")));
                }
            },
        }
    }
    if unclear.is_some() {
        return Principal::UnverifiedOrigin(unclear);
    }
    if let Some((_, did)) = named {
        let has = |found: &Result<Option<Value>, Said>, name: &str| matches!(found, Ok(Some(value)) if value.get(name).is_some_and(|badge| !badge.is_null()));
        let in_header = matches!(presented.badge_header, Exhibit::Bytes(_));
        let has_badge = in_header || has(&meta, "capiscio_server_badge") || has(&file, "server_badge");
        return Principal::Declared { did, has_badge };
    }
    if let Some(reason) = unread {
        return Principal::NotVisible(reason);
    }
    // RFC-007 names headers over HTTP, and the answer to `initialize` elsewhere.
    if presented.did_header == Exhibit::Unasked && observed_as.era == Era::Discover {
        let text = "this era of the protocol has no place for it without HTTP";
        return Principal::NotVisible(Reason::new("no-place", text));
    }
    Principal::UnverifiedOrigin(None)
}

/// The object of a place.
fn members(exhibit: &Exhibit) -> Result<Option<Value>, Said> {
    match exhibit {
        Exhibit::Unasked | Exhibit::Absent => Ok(None),
        Exhibit::Unread(reason) => Err(Said::Unread(reason.clone())),
        // Whatever else is odd about a handshake is no matter of its principal.
        Exhibit::Bytes(bytes) if !speaks_of_it(bytes) => Ok(None),
        Exhibit::Bytes(bytes) => {
            let reading = read(bytes, MAX_PLAIN_DEPTH).map_err(|fault| Said::Unclear(format!("no JSON: {fault}")))?;
            match reading.codes.first() {
                Some(code) => Err(Said::Unclear(code.sentence().to_owned())),
                None => Ok(Some(reading.value)),
            }
        }
    }
}

/// Whether a text can hold one of the members; an escape may spell them in another way.
fn speaks_of_it(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, b"server_did").is_some() || memchr::memchr(b'\\', bytes).is_some()
}

fn member(found: &Result<Option<Value>, Said>, name: &str) -> Said {
    match found {
        Ok(Some(value)) => match value.get(name) {
            None | Some(Value::Null) => Said::Nothing,
            Some(Value::String(text)) => did(text),
            Some(_) => Said::Unclear(format!("`{name}` is not text")),
        },
        Err(Said::Unread(reason)) => Said::Unread(reason.clone()),
        Err(Said::Unclear(why)) => Said::Unclear(why.clone()),
        Ok(None) | Err(Said::Nothing | Said::Did(_)) => Said::Nothing,
    }
}

fn header(exhibit: &Exhibit) -> Said {
    match exhibit {
        Exhibit::Unasked | Exhibit::Absent => Said::Nothing,
        Exhibit::Unread(reason) => Said::Unclear(reason.text.clone()),
        Exhibit::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => did(text.trim()),
            Err(_) => Said::Unclear("it is no UTF-8".to_owned()),
        },
    }
}

/// A DID by its form (W3C DID Core, section 3.1): its scheme, a method in lower case, and an id of visible ASCII.
fn did(text: &str) -> Said {
    let mut parts = text.splitn(3, ':');
    let is_method = |method: &str| {
        !method.is_empty() && method.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let is_id = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_graphic());
    let is_one = parts.next() == Some("did") && parts.next().is_some_and(is_method) && parts.next().is_some_and(is_id);
    if is_one && text.len() <= MOST_DID {
        return Said::Did(text.to_owned());
    }
    let short: String = text.chars().take(80).collect();
    Said::Unclear(format!("`{short}` is no DID"))
}
