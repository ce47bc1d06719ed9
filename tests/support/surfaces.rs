//! A server's surface as a test writes it: one JSON document of the shape of a recording, read to the byte.
//!
//! `{"initialize": {"protocolVersion", "capabilities", "serverInfo", "instructions"}, "tools": […], "prompts": […],
//! "resources": […], "resourceTemplates": […], "launch": {…}}`; a list that is not there is empty.

use bytes::Bytes;
use pinwatch::canon::scan;
use pinwatch::digest::{DigestScope, Surface};
use pinwatch::drift::Policy;
use pinwatch::finding::Around;
use pinwatch::pin::{Baseline, Decision, DecisionState};
use pinwatch::review::{record, review};
use pinwatch::surface::{Completeness, Era, Kind, Observation, ObservedAs, Presented, RawItem};

const DEPTH: usize = 1_000;
const COUNT: usize = 1_000_000;

/// A decision of ana's.
pub fn decision(state: DecisionState) -> Decision {
    Decision { state, by: "ana".into(), at: "2026-11-27T20:31:00Z".into(), note: String::new() }
}

/// The observation of a document: every kind complete.
pub fn observation(document: &[u8]) -> Observation {
    let bytes = Bytes::copy_from_slice(document);
    let mut items = Vec::new();
    let mut protocol_version = "2025-11-25".to_owned();
    for (key, value) in members(&bytes, 0) {
        let list = Kind::LISTS.into_iter().find(|kind| kind.list_method().is_some_and(|(_, member)| member == key));
        match (key.as_str(), list) {
            (_, Some(kind)) => {
                let elements = scan::elements(&bytes, value.start, DEPTH, COUNT).expect("a list");
                items.extend(elements.into_iter().map(|span| RawItem { kind, bytes: bytes.slice(span) }));
            }
            ("launch", None) => items.push(RawItem { kind: Kind::Launch, bytes: bytes.slice(value) }),
            ("initialize", None) => {
                for (member, value) in members(&bytes, value.start) {
                    let kind = match member.as_str() {
                        "instructions" => Kind::Instructions,
                        "capabilities" => Kind::Capabilities,
                        "serverInfo" => Kind::ServerInfo,
                        "protocolVersion" => {
                            protocol_version = scan::unescape(&bytes, value).0;
                            continue;
                        }
                        _ => continue,
                    };
                    items.push(RawItem { kind, bytes: bytes.slice(value) });
                }
            }
            _ => {}
        }
    }
    let observed_as =
        ObservedAs { era: Era::Initialize, protocol_version, client_capabilities: serde_json::Map::new() };
    let completeness = Kind::ALL.into_iter().map(|kind| (kind, Completeness::Complete)).collect();
    Observation {
        observed_as: Some(observed_as),
        items,
        completeness,
        notices: Vec::new(),
        presented: Presented::default(),
    }
}

/// The surface of an observation.
pub fn surface(observation: &Observation) -> Surface {
    Surface::read(observation, None, &DigestScope::None, DEPTH)
}

/// What is known around the items of a surface.
pub fn around(surface: &Surface) -> Around<'_> {
    Around::of(surface.items.iter().map(AsRef::as_ref))
}

/// The baseline of first contact with a surface, whatever is in it.
pub fn recorded(surface: &Surface) -> Baseline {
    let named: Vec<_> = surface.items.iter().map(|item| (item.id.clone(), item.digests.surface)).collect();
    let decision = decision(DecisionState::Approved);
    let review = review("mut".into(), None, surface, &Policy::default());
    record(None, (surface, &review), &DigestScope::None, &named, &decision).expect("a first contact").baseline
}

fn members(bytes: &[u8], at: usize) -> Vec<(String, scan::Span)> {
    let at = scan::skip_space(bytes, at);
    let members = scan::members(bytes, at, DEPTH, COUNT).expect("an object");
    members.into_iter().map(|(key, value)| (scan::unescape(bytes, key).0, value)).collect()
}
