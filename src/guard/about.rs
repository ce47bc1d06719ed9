//! What a line of a client is about, as far as whoever carries it has to know before it is judged.

use super::ask::{Ask, params};
use super::envelope::{Envelope, members, text};
use crate::canon::scan::{self, Span};

/// The members of `_meta` by which a request of the discover era says who asks.
const META: [&str; 3] = [
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/clientInfo",
];

/// What a line is about; of an array of messages nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Its method.
    pub method: Option<String>,
    /// The name or the URI of what it wants to use.
    pub name: Option<String>,
    /// What it says of who asks, as raw text.
    pub introduction: Option<Vec<u8>>,
}

impl About {
    /// Reads a line. What cannot be read is about nothing.
    pub fn of(line: &[u8]) -> Self {
        let start = scan::skip_space(line, 0);
        if line.get(start) != Some(&b'{') {
            return Self::default();
        }
        let Ok(envelope) = Envelope::read(line) else { return Self::default() };
        let method = envelope.method(line);
        let ask = method.as_ref().and_then(|method| Ask::read(method, &envelope, line).ok());
        let name = ask.and_then(|ask| ask.item()).map(|item| item.key.to_string());
        Self { method, name, introduction: introduction(&envelope, line) }
    }
}

/// What a client calls itself in one message; none where it says nothing of itself.
pub fn client_in(message: &[u8]) -> Option<String> {
    let envelope = Envelope::read(message).ok()?;
    client_of(&envelope.method(message)?, &envelope, message)
}

/// What a client calls itself in a message: name and version. Not escaped.
pub(super) fn client_of(method: &str, envelope: &Envelope, message: &[u8]) -> Option<String> {
    let object = |span: &Span| message[span.start] == b'{';
    let said = if method == "initialize" {
        let [said] = params(envelope, message, ["clientInfo"]).ok()?;
        said
    } else {
        let [meta] = params(envelope, message, ["_meta"]).ok()?;
        let [said] = members(message, meta.filter(object)?.start, [META[2]]).ok()?;
        said
    };
    let parts = members(message, said.filter(object)?.start, ["title", "name", "version"]).ok()?;
    let [title, name, version] = parts.map(|part| text(message, part.as_ref()));
    let name = title.or(name).filter(|name| !name.is_empty())?;
    Some(version.map_or_else(|| name.clone(), |version| format!("{name} {version}")))
}

/// What a request of the discover era says of the client: the members that count, as they stand.
pub(super) fn introduction(envelope: &Envelope, message: &[u8]) -> Option<Vec<u8>> {
    let [meta] = params(envelope, message, ["_meta"]).ok()?;
    let meta = meta.filter(|span| message[span.start] == b'{')?;
    let found = members(message, meta.start, META).ok()?;
    found[0].as_ref()?;
    let mut text = vec![b'{'];
    for (name, span) in META.into_iter().zip(found) {
        let Some(span) = span else { continue };
        if text.len() > 1 {
            text.push(b',');
        }
        text.extend_from_slice(format!("\"{name}\":").as_bytes());
        text.extend_from_slice(&message[span]);
    }
    text.push(b'}');
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_it_is_about() {
        let call = br#"{"id":1,"method":"tools/call","params":{"name":"read","_meta":{"io.modelcontextprotocol/clientInfo":{"name":"c"},"x":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        let about = About::of(call);
        assert_eq!((about.method.as_deref(), about.name.as_deref()), (Some("tools/call"), Some("read")));
        let introduction = about.introduction.map(|text| String::from_utf8_lossy(&text).into_owned());
        assert_eq!(
            introduction.as_deref(),
            Some(
                r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c"}}"#
            )
        );
        for nothing in ["", "[]", "{", r#"[{"method":"x"}]"#, r#"{"method":"a","Method":"b"}"#] {
            assert_eq!(About::of(nothing.as_bytes()), About::default(), "{nothing}");
        }
    }
}
