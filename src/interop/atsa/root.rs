//! The trust root: a scheme of levels, and the keys that may sign for which of them. It is a file of the project's own, so
//! that a member which is misspelt is refused: a `notAfter` that nobody reads would be a key that never expires.

use crate::canon::{Pointer, jcs, read_plain};
use crate::digest::Sha256;
use crate::interop::Refused;
use crate::pin::{Closed, Misshapen};
use crate::signature::PublicKey;
use serde_json::Value;

/// Keys and levels that a project trusts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustRoot {
    /// What the scheme is called.
    pub scheme: String,
    /// Its levels, as written.
    pub levels: Vec<Level>,
    /// The keys, as written.
    pub keys: Vec<Key>,
    /// SHA-256 of its RFC 8785 text.
    pub digest: Sha256,
}

/// A level of clearance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// Its name; approvals are by it alone.
    pub name: String,
    /// A higher one clears for more.
    pub rank: i64,
    /// Other names of it.
    pub aliases: Vec<String>,
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
        Self::of(value, digest).map_err(|fault| Refused::new(fault.to_string()))
    }

    fn of(value: Value, digest: Sha256) -> Result<Self, Misshapen> {
        let mut root = Closed::open(value, Pointer::root(), &["scheme", "keys"])?;
        let at = root.place("scheme");
        let mut scheme = Closed::open(root.take("scheme")?, at, &["name", "levels"])?;
        let name = scheme.string("name")?;
        let mut levels: Vec<Level> = Vec::new();
        for (index, value) in scheme.list("levels")?.into_iter().enumerate() {
            let at = scheme.place("levels").child(index);
            let level = level(value, at.clone())?;
            let names = |level: &Level| level.aliases.iter().chain([&level.name]).cloned().collect::<Vec<_>>();
            let taken =
                |known: &Level| known.rank == level.rank || names(known).iter().any(|one| names(&level).contains(one));
            if let Some(known) = levels.iter().find(|known| taken(known)) {
                return Err(Misshapen::new(at, format!("shares a name or its rank with the level `{}`", known.name)));
            }
            levels.push(level);
        }
        let mut keys: Vec<Key> = Vec::new();
        for (index, value) in root.list("keys")?.into_iter().enumerate() {
            let at = root.place("keys").child(index);
            let key = key(value, at.clone())?;
            if keys.iter().any(|known| known.id == key.id) {
                return Err(Misshapen::new(at, format!("there is another key `{}`", key.id)));
            }
            keys.push(key);
        }
        Ok(Self { scheme: name, levels, keys, digest })
    }

    /// The level of a name or alias.
    pub fn level(&self, name: &str) -> Option<&Level> {
        self.levels.iter().find(|level| level.name == name || level.aliases.iter().any(|alias| alias == name))
    }

    /// The names of its levels, lowest first, for a message.
    pub fn names(&self) -> String {
        let mut levels: Vec<_> = self.levels.iter().collect();
        levels.sort_by_key(|level| level.rank);
        levels.iter().map(|level| level.name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

fn level(value: Value, at: Pointer) -> Result<Level, Misshapen> {
    let mut level = Closed::open(value, at, &["name", "rank", "aliases"])?;
    let name = level.string("name")?;
    let rank = level.take("rank")?.as_i64().ok_or_else(|| level.wrong("rank", "an integer"))?;
    let aliases = if level.has("aliases") { level.strings("aliases")? } else { Vec::new() };
    Ok(Level { name, rank, aliases })
}

fn key(value: Value, at: Pointer) -> Result<Key, Misshapen> {
    let mut key = Closed::open(value, at, &["id", "publicKey", "notAfter", "approvedClearances"])?;
    let id = key.string("id")?;
    let text = key.string("publicKey")?;
    let public = PublicKey::parse(&text).map_err(|fault| Misshapen::new(key.place("publicKey"), fault.to_string()))?;
    let not_after = if key.has("notAfter") { Some(key.string("notAfter")?) } else { None };
    Ok(Key { id, key: public, not_after, approved: key.strings("approvedClearances")? })
}
