//! Who asks: what a client tells a server of itself. Lists may depend on it, so pinwatch says the same each time, and what
//! known clients say only where a person wants to see what a server shows to them.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::{Arc, LazyLock};

/// What a client says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientIdentity {
    /// What it is called here, in configs and on the command line.
    pub word: String,
    /// Its name in the handshake.
    pub name: String,
    /// Its version there.
    pub version: String,
    /// The capabilities that it declares.
    pub capabilities: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownClients {
    source: String,
    client: Vec<Arc<ClientIdentity>>,
}

static KNOWN: LazyLock<Option<KnownClients>> = LazyLock::new(|| toml::from_str(include_str!("clients.toml")).ok());

static OWN: LazyLock<Arc<ClientIdentity>> = LazyLock::new(|| {
    let [name, version] = [env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")].map(str::to_owned);
    Arc::new(ClientIdentity { word: name.clone(), name, version, capabilities: Map::new() })
});

impl ClientIdentity {
    /// pinwatch itself, which declares nothing.
    pub fn own() -> Arc<Self> {
        Arc::clone(&OWN)
    }

    /// pinwatch, declaring these capabilities.
    pub fn declaring(capabilities: &[&str]) -> Arc<Self> {
        let declared = capabilities.iter().map(|name| ((*name).to_owned(), Value::Object(Map::new()))).collect();
        if capabilities.is_empty() { Self::own() } else { Arc::new(Self { capabilities: declared, ..(**OWN).clone() }) }
    }

    /// The known clients, by their words.
    pub fn known() -> &'static [Arc<Self>] {
        KNOWN.as_ref().map_or(&[], |known| &known.client)
    }

    /// Where it is public what they say.
    pub fn source() -> &'static str {
        KNOWN.as_ref().map_or("", |known| &known.source)
    }

    /// The known client of a word.
    pub fn named(word: &str) -> Option<Arc<Self>> {
        Self::known().iter().find(|client| client.word == word).cloned()
    }

    /// Whether it declares a capability of that name.
    pub fn declares(&self, capability: &str) -> bool {
        self.capabilities.contains_key(capability)
    }

    /// Whether another client declares all that this one does.
    pub fn declares_no_more_than(&self, other: &Self) -> bool {
        is_part(&self.capabilities, &other.capabilities)
    }

    /// Its capabilities in words: `roots, sampling`, or `none`.
    pub fn declared(&self) -> String {
        let names: Vec<_> = self.capabilities.keys().map(String::as_str).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }
}

/// Whether every member of `part` is one of `whole`, and as much in it.
fn is_part(part: &Map<String, Value>, whole: &Map<String, Value>) -> bool {
    part.iter().all(|(name, value)| match (value, whole.get(name)) {
        (Value::Object(part), Some(Value::Object(whole))) => is_part(part, whole),
        (value, Some(other)) => value == other,
        (_, None) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_clients_are_read_in_order() {
        let words: Vec<_> = ClientIdentity::known().iter().map(|client| client.word.as_str()).collect();
        assert!(words.len() > 10 && words.is_sorted(), "{words:?}");
        assert!(ClientIdentity::source().starts_with("https://"));
        assert!(ClientIdentity::own().capabilities.is_empty());
    }

    #[test]
    fn fewer_capabilities_are_part_of_more() {
        let declares = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|word| ClientIdentity::named(word).unwrap_or_else(ClientIdentity::own));
            one.declares_no_more_than(&other)
        };
        for (one, other, expected) in [
            ("pinwatch", "zed", true),
            ("zed", "pinwatch", true),
            ("zed", "cursor", true),
            ("cursor", "vscode", true),
            ("vscode", "cursor", false),
            ("claude-code", "antigravity", true),
            ("antigravity", "claude-code", false),
            ("amp", "cursor", false),
        ] {
            assert_eq!(declares(one, other), expected, "{one} {other}");
        }
    }
}
