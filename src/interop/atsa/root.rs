//! The trust root: a scheme of levels, and the keys that may sign for which of them. It is a file of the project's own, so
//! that a member which is misspelt is refused: a `notAfter` that nobody reads would be a key that never expires.

use crate::canon::{Pointer, jcs, read_plain};
use crate::digest::Sha256;
use crate::interop::Refused;
use crate::pin::{Misshapen, strict};
use crate::signature::PublicKey;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Keys and levels that a project trusts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct TrustRoot {
    pub scheme: String,
    pub levels: Vec<Level>,
    pub keys: Vec<Key>,
    /// SHA-256 of its RFC 8785 text.
    pub digest: Sha256,
}

/// A level of clearance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Its name; approvals are by it alone.
    pub name: String,
    /// A higher one clears for more.
    pub rank: i64,
    /// Other names of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aliases: Option<Vec<String>>,
}

/// A key that may sign documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// What documents call it.
    pub id: String,
    /// The key.
    pub key: PublicKey,
    /// When it is no longer valid, as written.
    pub not_after: Option<String>,
    /// Names of the levels that it may give.
    pub approved: Vec<String>,
}

impl TrustRoot {
    /// Reads a trust root.
    pub fn read(bytes: &[u8]) -> Result<Self, Refused> {
        let value = read_plain(bytes).map_err(Refused::new)?;
        let digest = Sha256::of(jcs(&value));
        Self::of(&value, digest).map_err(|fault| Refused::new(fault.to_string()))
    }

    fn of(value: &Value, digest: Sha256) -> Result<Self, Misshapen> {
        let root = Pointer::root();
        let Written { scheme: Scheme { name, levels }, keys } = strict(value, &root)?;
        for (index, level) in levels.iter().enumerate() {
            let taken = |known: &&Level| known.rank == level.rank || known.names().any(|name| level.is_called(name));
            if let Some(known) = levels[..index].iter().find(taken) {
                let at = root.child("scheme").child("levels").child(index);
                return Err(Misshapen::new(at, format!("shares a name or its rank with the level `{}`", known.name)));
            }
        }
        let mut read: Vec<Key> = Vec::new();
        for (index, WrittenKey { id, public_key, not_after, approved_clearances: approved }) in
            keys.into_iter().enumerate()
        {
            let at = root.child("keys").child(index);
            if read.iter().any(|known| known.id == id) {
                return Err(Misshapen::new(at, format!("there is another key `{id}`")));
            }
            let key = PublicKey::parse(&public_key);
            let key = key.map_err(|fault| Misshapen::new(at.child("publicKey"), fault.to_string()))?;
            read.push(Key { id, key, not_after, approved });
        }
        Ok(Self { scheme: name, levels, keys: read, digest })
    }

    /// The level of a name or alias.
    pub fn level(&self, name: &str) -> Option<&Level> {
        self.levels.iter().find(|level| level.is_called(name))
    }

    /// The names of its levels, lowest first, for a message.
    pub fn names(&self) -> String {
        let mut levels: Vec<_> = self.levels.iter().collect();
        levels.sort_by_key(|level| level.rank);
        levels.iter().map(|level| level.name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

impl Level {
    fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(self.aliases.iter().flatten()).map(String::as_str)
    }

    fn is_called(&self, name: &str) -> bool {
        self.names().any(|own| own == name)
    }
}

#[derive(Serialize, Deserialize)]
struct Written {
    scheme: Scheme,
    keys: Vec<WrittenKey>,
}

#[derive(Serialize, Deserialize)]
struct Scheme {
    name: String,
    levels: Vec<Level>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WrittenKey {
    id: String,
    public_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_after: Option<String>,
    approved_clearances: Vec<String>,
}
