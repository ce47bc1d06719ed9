//! Rows that stand for a server as a whole: its handshake, its anchor, its admission. They are shown and decided like items. No
//! server has such an item: its own info has an empty key.

use crate::canon::Definition;
use crate::digest::{DigestScope, Item};
use crate::surface::{ItemId, Kind};
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
