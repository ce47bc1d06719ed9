//! A change of the protocol itself: the handshake, and what an SDK of another revision does to every tool alike.

use super::judge::Upgraded;
use super::of_the_server::{id_of_the_server, item_of_the_server};
use super::{Change, ChangeKind, Drift, DriftType, Effect, Severity, Side};
use crate::canon::{Pointer, value_at};
use crate::digest::Item;
use crate::surface::{ItemId, ObservedAs};
use memchr::memmem;
use serde_json::{Value, json};
use std::sync::Arc;

/// The id shared by everything that one protocol upgrade changed.
pub(super) const GROUP: &str = "protocol_upgraded";

/// The id of the row that stands for the handshake.
pub fn handshake_id() -> ItemId {
    id_of_the_server("protocol")
}

/// The handshake as an item, so that it is shown and decided like one.
pub fn handshake_item(observed_as: &ObservedAs) -> Item {
    item_of_the_server(handshake_id(), &serde_json::to_value(observed_as).unwrap_or_default())
}

/// The drift between two handshakes.
pub(super) fn handshake(pinned: &ObservedAs, now: &ObservedAs) -> Drift {
    let mut changes = Vec::new();
    let mut add = |member: &str, before: Value, after: Value, severity, headline: String| {
        if before != after {
            let path = Pointer::root().child(member);
            let (before, after) = (Some(before), Some(after));
            changes.push(Change {
                path,
                change: ChangeKind::FieldChanged,
                before,
                after,
                severity,
                reason: headline.clone(),
                headline,
            });
        }
    };
    let (old, new) = (pinned.era.word(), now.era.word());
    add("era", json!(old), json!(new), Severity::Info, format!("Handshake changed from `{old}` to `{new}`"));
    let (old, new) = (&pinned.protocol_version, &now.protocol_version);
    let reason = format!("Protocol version changed from `{old}` to `{new}`");
    add("protocol_version", json!(old), json!(new), Severity::Info, reason);
    let (old, new) = (&pinned.client_capabilities, &now.client_capabilities);
    // Lists depend on what a client declares: another declaration sees another surface.
    let reason = "pinwatch declares other client capabilities than when this was recorded".to_owned();
    add("client_capabilities", json!(old), json!(new), Severity::Moderate, reason);
    Drift {
        drift_type: DriftType::ProtocolUpgraded,
        id: handshake_id(),
        severity: changes.iter().map(|change| change.severity).max().unwrap_or(Severity::Info),
        effect: Effect::Unknown,
        group: None,
        capability_identity: Vec::new(),
        reasons: changes.iter().map(|change| change.reason.clone()).collect(),
        changes,
        input_schema: None,
        output_schema: None,
        findings: Vec::new(),
        side: Side { pinned: Some(Arc::new(handshake_item(pinned))), now: Some(Arc::new(handshake_item(now))) },
    }
}

/// A field that the protocol or an SDK sets on all tools, and the part of a tool that must be there for it.
const SITES: [(&str, &str); 4] = [
    ("/inputSchema/$schema", "/inputSchema"),
    ("/input_schema/$schema", "/input_schema"),
    ("/outputSchema/$schema", "/outputSchema"),
    ("/execution", ""),
];

/// What a definition says somewhere that has one of them; escapes in a name may hide it, and then it is no SDK's.
const NAMES: [&str; 2] = ["$schema", "execution"];

/// The fields that moved in one way on every tool that has a place for them. `pairs` are the tools that changed;
/// `unchanged` those that did not, which are read only where a site is among the changes.
pub(super) fn upgraded<'a>(pairs: &[(&Item, &Item)], unchanged: &(impl Iterator<Item = &'a Item> + Clone)) -> Upgraded {
    // Most lists name none of these fields.
    let named = |item: &Item| NAMES.iter().any(|name| memmem::find(item.definition.bytes(), name.as_bytes()).is_some());
    if !pairs.iter().any(|(old, new)| named(old) || named(new)) {
        return Upgraded::new();
    }
    let exact = |item: &Item| item.definition.exact();
    let read: Vec<(Value, Value)> = pairs.iter().filter_map(|(old, new)| Some((exact(old)?, exact(new)?))).collect();
    if read.len() < pairs.len() {
        return Upgraded::new();
    }
    let site = |(site, place): (&str, &str)| {
        let site = Pointer::parse(site)?;
        let mut moves = read
            .iter()
            .filter(|(old, new)| old.pointer(place).is_some() && new.pointer(place).is_some())
            .map(|(old, new)| (value_at(old, &site), value_at(new, &site)))
            .filter(|(old, new)| old.is_some() || new.is_some())
            .map(|(old, new)| Move { old, new });
        let first = moves.next().filter(Move::is_upgrade)?;
        if !moves.all(|other| first.is_like(&other)) {
            return None;
        }
        // A tool that stays as it is, with the field or without one that came, shows that it was not the protocol.
        let member = site.tokens().last().unwrap_or_default();
        let stays = unchanged.clone().any(|item| {
            // Only a tool that may have the field, or one that should have got it, is read.
            (first.old.is_none() || item.definition.characters().contains(&member))
                && item
                    .definition
                    .exact()
                    .is_none_or(|tool| tool.pointer(place).is_some() && first.misses(value_at(&tool, &site)))
        });
        (!stays).then_some(site)
    };
    SITES.into_iter().filter_map(site).collect()
}

/// Whether a text is a published dialect of JSON Schema; any other text is text for a model.
fn is_dialect(text: &str) -> bool {
    let address = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let address = address.map(|address| address.strip_suffix('#').unwrap_or(address));
    address.and_then(|address| address.strip_prefix("json-schema.org/")).is_some_and(|rest| {
        [
            "schema",
            "draft-04/schema",
            "draft-06/schema",
            "draft-07/schema",
            "draft/2019-09/schema",
            "draft/2020-12/schema",
        ]
        .contains(&rest)
    })
}

/// What happened to a field on one tool.
struct Move<'a> {
    old: Option<&'a Value>,
    new: Option<&'a Value>,
}

/// What of a value must be the same on every tool: whether it is there, and the text where it is one.
fn shape(value: Option<&Value>) -> (bool, Option<&str>) {
    (value.is_some(), value.and_then(Value::as_str))
}

impl Move<'_> {
    /// A dialect that went to another, or an object that came or went without asking for tasks.
    fn is_upgrade(&self) -> bool {
        let dialect = |value: &Value| value.as_str().is_some_and(is_dialect);
        let optional = |value: &Value| {
            let support = value.get("taskSupport").and_then(Value::as_str);
            value.is_object() && matches!(support, None | Some("forbidden" | "optional"))
        };
        match (self.old, self.new) {
            (Some(old), Some(new)) => old != new && dialect(old) && dialect(new),
            (Some(value), None) | (None, Some(value)) => dialect(value) || optional(value),
            (None, None) => false,
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        other.is_upgrade() && shape(self.old) == shape(other.old) && shape(self.new) == shape(other.new)
    }

    /// Whether a tool that did not change, with this value of the field, was passed over. One that has the new value was
    /// approved with it: a decision on some tools makes the others no other change.
    fn misses(&self, value: Option<&Value>) -> bool {
        let approved = self.new.is_some() && value.is_some() && shape(value) == shape(self.new);
        !approved && (value.is_some() || self.old.is_none())
    }
}
