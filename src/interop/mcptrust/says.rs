//! What a lock says of each item that a server shows, as far as its hashes cover it.

use super::lock::Locked;
use super::{as_read, make};
use crate::digest::{Item, Surface, SurfaceDigest};
use crate::surface::{ItemId, Kind};
use std::collections::{BTreeMap, BTreeSet};

/// What a lock says of a server that has no baseline yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockSays {
    /// Whether an item is as locked; an item that the lock does not know is not in it.
    pub items: BTreeMap<SurfaceDigest, bool>,
    /// What it locks and the server does not serve; only of lists that were read whole.
    pub gone: Vec<ItemId>,
}

impl Locked {
    /// Whether it has an item of this id.
    pub fn knows(&self, id: &ItemId) -> bool {
        let key = &*id.key;
        match id.kind {
            Kind::Tool => self.tools.contains_key(key),
            Kind::Prompt => self.prompts.contains_key(key),
            Kind::ResourceTemplate => self.templates.contains_key(key),
            _ => false,
        }
    }

    /// Whether an item is as it was locked, by every hash that the lock holds of it; none where it does not know the item.
    pub fn holds(&self, item: &Item) -> Option<bool> {
        let key = &*item.id.key;
        // A hash that it leaves out is no other one.
        let same = |then: &Option<String>, now: &Option<String>| then.is_none() || then == now;
        match item.id.kind {
            Kind::Tool => self.tools.get(key).map(|then| {
                let now = make::tool_of(&as_read(item));
                same(&then.description_hash, &now.description_hash)
                    && same(&then.input_schema_hash, &now.input_schema_hash)
            }),
            Kind::Prompt => self.prompts.get(key).map(|then| {
                let now = make::prompt_of(&as_read(item));
                then.arguments_hash == now.arguments_hash && same(&then.description_hash, &now.description_hash)
            }),
            // Its own `check` compares the first of these alone.
            Kind::ResourceTemplate => self.templates.get(key).map(|then| {
                let now = make::template_of(&as_read(item));
                then.template_hash == now.template_hash
                    && same(&then.name_hash, &now.name_hash)
                    && same(&then.description_hash, &now.description_hash)
            }),
            _ => None,
        }
    }

    /// What it says of all that a server shows.
    pub fn says(&self, surface: &Surface) -> LockSays {
        let items = surface.items.iter().filter_map(|item| Some((item.digests.surface, self.holds(item)?))).collect();
        let served: BTreeSet<&ItemId> = surface.items.iter().map(|item| &item.id).collect();
        let of = |kind, name: &String| ItemId::new(kind, name.as_str());
        let locked = (self.tools.keys().map(|name| of(Kind::Tool, name)))
            .chain(self.prompts.keys().map(|name| of(Kind::Prompt, name)))
            .chain(self.templates.keys().map(|name| of(Kind::ResourceTemplate, name)));
        let gone = locked.filter(|id| !served.contains(id) && surface.is_complete(id.kind)).collect();
        LockSays { items, gone }
    }
}
