//! An item read and digested once, and a surface of such items.

use super::{DefinitionCluster, DigestScope, Short, SurfaceDigest, ToolIdentity, surface};
use crate::canon::scan::Syntax;
use crate::canon::{Aligned, Code, Definition, read};
use crate::identity::ServerIdentity;
use crate::surface::{
    Completeness, ItemId, Kind, Notice, Observation, ObservedAs, Overall, Presented, RawItem, Reason, overall,
};
use bytes::Bytes;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Every digest of one definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digests {
    /// What a decision binds to.
    pub surface: SurfaceDigest,
    /// Of a tool that its system can hash.
    pub identity: Option<ToolIdentity>,
    /// Of a tool that its system can bind.
    pub definition: Option<DefinitionCluster>,
}

impl Digests {
    /// What a person knows an item by, on every screen and in the log: its definition digest; of what has none, the digest
    /// that a decision binds to.
    pub fn short(&self) -> Short {
        self.definition.as_ref().map_or_else(|| self.surface.short(), DefinitionCluster::short)
    }

    /// The digests of a definition whose reading is `value`.
    fn of(kind: Kind, definition: &Definition, value: &Value, scope: &DigestScope) -> Self {
        let visible = is_visible(kind, definition);
        Self {
            surface: surface(kind, definition),
            identity: visible.then(|| ToolIdentity::of(value)).flatten(),
            definition: visible.then(|| DefinitionCluster::of(value, scope).ok()).flatten(),
        }
    }
}

/// Whether the systems whose digests these are see a definition: they read doubles and let the last member win; other codes
/// they refuse or read differently.
pub(super) fn is_visible(kind: Kind, definition: &Definition) -> bool {
    kind == Kind::Tool && definition.codes.iter().all(|code| matches!(code, Code::Number | Code::DuplicateMember))
}

/// One item of a surface: what was received, read once, with its digests. Two are equal where id and digests are: how one
/// was spelt on its way does not count.
#[derive(Clone, Debug)]
pub struct Item {
    /// Kind and key.
    pub id: ItemId,
    /// The definition in the form that a pin stores.
    pub definition: Definition,
    /// Its digests.
    pub digests: Digests,
    /// The exact bytes received; empty where the item came from a file.
    pub received: Bytes,
    /// What this is a masked copy of; none of what it is itself.
    behind: Behind,
}

/// What a masked copy is of. It is worked with, and says nothing of itself: its text is the secret.
#[derive(Clone, Default)]
struct Behind(Option<Arc<Item>>);

impl std::fmt::Debug for Behind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "masked" } else { "itself" })
    }
}

impl PartialEq for Item {
    fn eq(&self, other: &Self) -> bool {
        (&self.id, &self.digests) == (&other.id, &other.digests)
    }
}

impl Eq for Item {}

impl Item {
    /// Reads and digests one raw item of at most `max_depth` levels.
    pub fn read(raw: &RawItem, scope: &DigestScope, max_depth: usize) -> Result<Self, Syntax> {
        let (definition, value) = Definition::from_reading(read(&raw.bytes, max_depth)?, &raw.bytes);
        let item = Self::digested(raw.kind, definition, &value, scope);
        let definition = item.definition.of_received(&raw.bytes);
        Ok(Self { definition, received: raw.bytes.clone(), ..item })
    }

    /// Digests a definition that a file holds.
    pub fn stored(kind: Kind, definition: Definition, scope: &DigestScope) -> Self {
        let value = definition.as_read();
        Self::digested(kind, definition, &value, scope)
    }

    /// Digests a plain definition whose value was read strictly.
    pub fn plain(kind: Kind, value: &Value, scope: &DigestScope) -> Self {
        Self::digested(kind, Definition::from_plain(value), value, scope)
    }

    fn digested(kind: Kind, definition: Definition, value: &Value, scope: &DigestScope) -> Self {
        let digests = Digests::of(kind, &definition, value, scope);
        let id = ItemId::new(kind, key(kind, value, &digests.surface));
        Self { id, definition, digests, received: Bytes::new(), behind: Behind::default() }
    }

    /// The same item, which keeps nothing of the message that it came in.
    #[must_use]
    pub fn apart(&self) -> Self {
        let mut apart = self.clone();
        if !self.received.is_empty() {
            apart.received = Bytes::copy_from_slice(&self.received);
            apart.definition = apart.definition.of_received(&apart.received);
        }
        apart
    }

    /// A copy to be shown, with another name and definition. Its digests stay those of what it is.
    #[must_use]
    pub fn shown_as(self: &Arc<Self>, id: ItemId, definition: Definition) -> Self {
        Self { id, definition, digests: self.digests, received: Bytes::new(), behind: Behind(Some(Arc::clone(self))) }
    }

    /// What it is, where this is a copy to be shown: what digests and signatures are worked out on.
    pub fn itself(&self) -> &Self {
        self.behind.0.as_deref().unwrap_or(self)
    }

    /// What one definition of an item is told apart by, and stands in order by.
    pub fn version(&self) -> (&ItemId, SurfaceDigest) {
        (&self.id, self.digests.surface)
    }

    /// Whether its system digests were computed on a reading that loses something.
    pub fn is_ambiguous(&self) -> bool {
        !self.definition.is_plain()
    }
}

/// The key of an entry: its key member where that is a clean string, else `#` and 16 hex digits of the digest.
fn key(kind: Kind, value: &Value, digest: &SurfaceDigest) -> String {
    let Some(member) = kind.key_member() else { return String::new() };
    match value.get(member).and_then(Value::as_str) {
        Some(key) if !key.contains(char::REPLACEMENT_CHARACTER) => key.to_owned(),
        _ => format!("#{}", &digest.hex()[..16]),
    }
}

/// A tool that an earlier look showed and that is gone, and between which tools it stood that are still there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The tool.
    pub id: ItemId,
    /// The last one before it, where there was one.
    pub before: Option<ItemId>,
    /// The first one behind it, where there was one.
    pub behind: Option<ItemId>,
}

/// Tools that are gone and remembered; the ones that went last are kept.
const MOST_LEFT: usize = 256;

/// An observation read and digested: what a baseline is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surface {
    /// The handshake, where one was finished.
    pub observed_as: Option<ObservedAs>,
    /// The items in the order received.
    pub items: Vec<Arc<Item>>,
    /// How much of each kind was read.
    pub completeness: BTreeMap<Kind, Completeness>,
    /// What was odd.
    pub notices: Vec<Notice>,
    /// The tools that looks before this one showed, in the order in which they stood. No baseline keeps an order: this
    /// is what a look after another one knows of it.
    pub left: Vec<Left>,
    /// What the server showed of who it is.
    pub presented: Presented,
    /// Who it is by that; whoever knows what it is held to says so.
    pub identity: ServerIdentity,
}

impl Surface {
    /// Reads an observation. An item whose bytes equal one of `last` is that very item: nothing is parsed twice. An
    /// item that cannot be read makes its kind partial. What is new after `last` is copied out of its message: a server that
    /// changes one item after the other would have each of its messages kept.
    pub fn read(observation: &Observation, last: Option<&Self>, scope: &DigestScope, max_depth: usize) -> Self {
        let known = known(observation, last.map(|last| last.items.as_slice()).unwrap_or_default());
        let mut completeness = observation.completeness.clone();
        let mut items = Vec::with_capacity(observation.items.len());
        for (raw, known) in observation.items.iter().zip(known) {
            if let Some(item) = known {
                items.push(item);
                continue;
            }
            let own = last.map(|_| RawItem { kind: raw.kind, bytes: Bytes::copy_from_slice(&raw.bytes) });
            match Item::read(own.as_ref().unwrap_or(raw), scope, max_depth) {
                Ok(item) => items.push(Arc::new(item)),
                Err(error) => {
                    let reason = Reason::new("item-unreadable", format!("an entry could not be read: {error}"));
                    completeness.insert(raw.kind, Completeness::Partial(reason));
                }
            }
        }
        let left = last.map(|last| left(last, &items, &completeness)).unwrap_or_default();
        let (observed_as, notices) = (observation.observed_as.clone(), observation.notices.clone());
        let (presented, identity) = (observation.presented.clone(), ServerIdentity::default());
        Self { observed_as, items, completeness, notices, left, presented, identity }
    }

    /// The observation that this was read from.
    pub fn observation(&self) -> Observation {
        let raw = |item: &Arc<Item>| RawItem { kind: item.id.kind, bytes: item.received.clone() };
        Observation {
            observed_as: self.observed_as.clone(),
            items: self.items.iter().map(raw).collect(),
            completeness: self.completeness.clone(),
            notices: self.notices.clone(),
            presented: self.presented.clone(),
        }
    }

    /// The items of one kind, in the order received.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Arc<Item>> {
        self.items.iter().filter(move |item| item.id.kind == kind)
    }

    /// Whether the absence of an item of this kind proves that it is gone.
    pub fn is_complete(&self, kind: Kind) -> bool {
        self.completeness.get(&kind) == Some(&Completeness::Complete)
    }

    /// The look in one word.
    pub fn overall(&self) -> Overall {
        overall(&self.completeness)
    }
}

/// For each raw item the item of the last look with the very same bytes. What stands where it stood is compared in place;
/// only what is left over on both sides is looked up by its bytes, since hashing costs ten times what comparing does.
fn known(observation: &Observation, last: &[Arc<Item>]) -> Vec<Option<Arc<Item>>> {
    let is_same = |item: &Item, raw: &RawItem| item.id.kind == raw.kind && item.received == raw.bytes;
    let mut used = vec![false; last.len()];
    let mut aligned = Aligned::default();
    let mut known: Vec<Option<Arc<Item>>> = Vec::with_capacity(observation.items.len());
    for raw in &observation.items {
        let here = aligned.find(last.len(), |at| is_same(&last[at], raw));
        if let Some(at) = here {
            used[at] = true;
        }
        known.push(here.map(|at| Arc::clone(&last[at])));
    }
    let left = last.iter().zip(used).filter(|(_, used)| !used).map(|(item, _)| item);
    let by_bytes: HashMap<(Kind, &[u8]), &Arc<Item>> =
        left.map(|item| ((item.id.kind, item.received.as_ref()), item)).collect();
    for (raw, known) in observation.items.iter().zip(&mut known).filter(|(_, known)| known.is_none()) {
        *known = by_bytes.get(&(raw.kind, raw.bytes.as_ref())).map(|item| Arc::clone(item));
    }
    known
}

/// The tools that stood in `last`, or were gone by then, and are not among `items`. A list that was not read whole says of
/// none that it is gone.
fn left(last: &Surface, items: &[Arc<Item>], completeness: &BTreeMap<Kind, Completeness>) -> Vec<Left> {
    let is_whole = completeness.get(&Kind::Tool) == Some(&Completeness::Complete);
    let same = items.iter().map(|item| &item.id).eq(last.items.iter().map(|item| &item.id));
    if !is_whole || same {
        return last.left.clone();
    }
    let tools = items.iter().filter(|item| item.id.kind == Kind::Tool);
    let served: HashSet<&ItemId> = tools.map(|item| &item.id).collect();
    let mut left: Vec<Left> = last.left.iter().filter(|left| !served.contains(&left.id)).cloned().collect();
    let mut before = None;
    let mut open = left.len();
    for item in last.of_kind(Kind::Tool) {
        if served.contains(&item.id) {
            before = Some(item.id.clone());
            left[open..].iter_mut().for_each(|gone| gone.behind.clone_from(&before));
            open = left.len();
        } else {
            left.push(Left { id: item.id.clone(), before: before.clone(), behind: None });
        }
    }
    left.drain(..left.len().saturating_sub(MOST_LEFT));
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(names: &[&str]) -> Observation {
        let raw = |name: &&str| RawItem { kind: Kind::Tool, bytes: format!(r#"{{"name":"{name}"}}"#).into() };
        Observation {
            observed_as: None,
            items: names.iter().map(raw).collect(),
            completeness: BTreeMap::new(),
            notices: Vec::new(),
            presented: Presented::default(),
        }
    }

    #[test]
    fn second_look_parses_only_what_is_new() {
        let before = Surface::read(&look(&["a", "b", "c", "d", "e"]), None, &DigestScope::None, 9);
        for (names, new) in [
            (&["a", "b", "c", "d", "e"][..], 0),
            (&["a", "x", "c", "d", "e"], 1),
            (&["b", "c", "d", "e"], 0),
            (&["x", "a", "b", "c", "d", "e", "y"], 2),
            (&["e", "d", "c", "b", "a"], 0),
            (&["c", "e"], 0),
            (&[], 0),
        ] {
            let after = Surface::read(&look(names), Some(&before), &DigestScope::None, 9);
            let first = Surface::read(&look(names), None, &DigestScope::None, 9);
            assert_eq!(Surface { left: Vec::new(), ..after.clone() }, first, "{names:?}");
            let kept = |item: &&Arc<Item>| before.items.iter().any(|old| Arc::ptr_eq(old, item));
            assert_eq!(after.items.iter().filter(kept).count() + new, names.len(), "{names:?}");
        }
    }
}
