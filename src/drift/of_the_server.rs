//! Rows that stand for a server as a whole: its handshake, its anchor, its admission. They are shown and decided like items. No
//! server has such an item: its own info has an empty key.

use super::{Change, Drift, DriftType};
use crate::canon::Definition;
use crate::digest::{DigestScope, Item};
use crate::surface::{ItemId, Kind};
use crate::text::shortened;
use serde_json::Value;

/// Whether an id stands for the server as a whole.
pub fn is_of_the_server(id: &ItemId) -> bool {
    id.kind == Kind::ServerInfo && !id.key.is_empty()
}

/// The id of the row of that name.
pub(super) fn id_of_the_server(name: &str) -> ItemId {
    ItemId::new(Kind::ServerInfo, name)
}

/// What such a row is about, as an item.
pub(super) fn item_of_the_server(id: ItemId, value: &Value) -> Item {
    let mut item = Item::stored(Kind::ServerInfo, Definition::from_plain(value), &DigestScope::None);
    item.id = id;
    item
}

impl Drift {
    /// What settles a row of the server as a whole, which has no pin of its own: in full, and where there is little room.
    pub(crate) fn settled_by(&self) -> [&'static str; 2] {
        match self.drift_type {
            DriftType::AdmissionRefused => ["demanded by [trust]", "[trust]"],
            DriftType::SplitView => ["not by approving", "no decision"],
            _ => ["kept in the baseline", "in baseline"],
        }
    }

    /// What such a row was and is: the members that changed, with their values. May quote the server.
    pub(crate) fn in_words(&self) -> [String; 2] {
        let side = |value: fn(&Change) -> Option<&Value>| {
            let one = |change: &Change| {
                let member = change.path.tokens().last().unwrap_or_default().replace('_', " ");
                format!("{member} {}", word(value(change))).trim().to_owned()
            };
            self.changes.iter().map(one).collect::<Vec<_>>().join(", ")
        };
        [side(|change| change.before.as_ref()), side(|change| change.after.as_ref())]
    }

    /// The same in as many characters as digests have: what its worst member was, where that says something, and what it
    /// is. May quote the server.
    pub(crate) fn moved_in_words(&self) -> Option<(Option<String>, String)> {
        let change = self.changes.first()?;
        let [before, after] = told_apart([&change.before, &change.after].map(|value| word(value.as_ref())));
        match self.drift_type {
            DriftType::SplitView => Some((None, "2 faces".to_owned())),
            DriftType::AdmissionRefused => Some((None, after)),
            DriftType::AnchorChanged => Some((Some(before), after)),
            _ => None,
        }
    }
}

fn word(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or("none")
}

/// Characters of a value in the place of a digest.
const CELL: usize = 7;

/// Two texts from where they differ on, where they are longer than a digest is.
fn told_apart([one, other]: [&str; 2]) -> [String; 2] {
    let alike = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let skip = if one.chars().count().max(other.chars().count()) > CELL { alike } else { 0 };
    [one, other].map(|text| {
        let rest: String = text.chars().skip(skip).collect();
        if skip > 0 { shortened(&format!("…{rest}"), CELL) } else { shortened(&rest, CELL) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_shown_from_where_they_differ() {
        for (sides, expected) in [
            (["k1", "k2"], ["k1", "k2"]),
            (["none", "did:web:a.example"], ["none", "did:web…"]),
            (["did:web:a.example", "did:web:b.example"], ["…a.exam…", "…b.exam…"]),
        ] {
            assert_eq!(told_apart(sides), expected.map(str::to_owned));
        }
    }
}
