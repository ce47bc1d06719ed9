//! The budgets of DESIGN.md that need no second process, as ratios within one run: medians of many rounds, each round
//! doing both sides in turn. Run: `cargo bench`. Nothing here asserts a time; the table is for a person.

#![expect(clippy::print_stdout, reason = "a benchmark's result is what it prints")]
#![expect(clippy::expect_used, reason = "a benchmark stops where it cannot go on")]

use bytes::Bytes;
use pinwatch::canon::{Known, scan};
use pinwatch::digest::{DigestScope, Item, Surface, SurfaceDigest};
use pinwatch::drift::Policy;
use pinwatch::pin::{Baseline, Decision, DecisionState, Pin};
use pinwatch::review;
use pinwatch::store::redact::Redactor;
use pinwatch::store::{Event, LogEntry, Places, Root, Store};
use pinwatch::surface::{Completeness, ItemId, Kind, Observation, Presented, RawItem};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

const ROUNDS: usize = 41;
const DEPTH: usize = 1000;

/// The median time of `work` over the rounds, and of `reference` in the same rounds.
fn medians(mut work: impl FnMut(), mut reference: impl FnMut()) -> (Duration, Duration) {
    let time = |side: &mut dyn FnMut()| {
        let start = Instant::now();
        side();
        start.elapsed()
    };
    let mut pairs: Vec<_> = (0..ROUNDS).map(|_| (time(&mut work), time(&mut reference))).collect();
    let middle = pairs.len() / 2;
    pairs.sort_by_key(|pair| pair.0);
    let ours = pairs[middle].0;
    pairs.sort_by_key(|pair| pair.1);
    (ours, pairs[middle].1)
}

fn report(name: &str, (ours, reference): (Duration, Duration), budget: &str) {
    let ratio = ours.as_secs_f64() / reference.as_secs_f64();
    println!("{name:58} {:9.3} ms / {:9.3} ms = {ratio:6.2}   budget {budget}", millis(ours), millis(reference));
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Sentences of the sorts that honest servers write and rules of findings have to read: siblings named, musts and nevers,
/// addresses, secrets spoken of, emoji, code.
const SENTENCES: [&str; 8] = [
    "You must pass the id that `list_records` returned; never guess one. ",
    "Use this tool before `update_record`, and not for attachments: see https://docs.example.com/records#read. ",
    "The token is taken from the environment and is never sent to anyone else. ",
    "IMPORTANT: results are limited to 100 entries. \u{26a0}\u{fe0f} ",
    "Returns JSON such as {\"id\": 7, \"tags\": [\"a\"]}.\n\nExample:\n```\nread 7\n```\n",
    "Paths are relative to the working folder, e.g. ~/records or ./records. ",
    "Always ask the user before you delete anything. ",
    "It looks the record up and returns it, in the user's language. ",
];

/// A list of `count` tools of about `size` bytes each, as servers write them; the tool at `changed` has another description
/// and one more parameter, and with `sdk` every tool has what another version of an SDK adds.
fn list(count: usize, size: usize, changed: Option<usize>, sdk: bool) -> Bytes {
    let tools: Vec<_> = (0..count)
        .map(|index| {
            let moved = changed == Some(index);
            let words = if moved { "Changes" } else { "Reads" };
            let text: String =
                (0..size / 85).map(|at| SENTENCES[(index + at) % SENTENCES.len()]).collect::<Vec<_>>().concat();
            let mut tool = json!({
                "name": format!("tool_{index:05}"),
                "description": format!("{words} record {index}. {text}"),
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "string", "description": "The record, as `list_records` names it"},
                        "limit": {"type": "integer", "minimum": 1, "maximum": 9_007_199_254_740_991_i64, "default": 10},
                        "order": {"enum": ["asc", "desc"], "description": "Which end comes first"},
                    },
                    "required": ["id"],
                },
                "annotations": {"readOnlyHint": true},
            });
            if moved {
                tool["inputSchema"]["properties"]["fields"] =
                    json!({"type": "string", "description": "What to return"});
            }
            if sdk {
                tool["execution"] = json!({"taskSupport": "forbidden"});
                tool["inputSchema"]["additionalProperties"] = json!(false);
            }
            tool
        })
        .collect();
    json!({ "tools": tools }).to_string().into()
}

/// Splits a list answer's result into raw items in one pass, as the client does: it has the items of last time.
fn split(bytes: &Bytes, last: &[Bytes]) -> Vec<RawItem> {
    let mut items = Vec::new();
    let mut known = Known::new(last);
    scan::walk_members(bytes, 0, |_, value| {
        scan::walk_elements(bytes, value, |start| {
            let read = || scan::skip_value(bytes, start, DEPTH);
            let end = known.end(bytes, start).map_or_else(read, Ok)?;
            items.push(RawItem { kind: Kind::Tool, bytes: bytes.slice(start..end) });
            Ok(end)
        })
    })
    .expect("a list");
    items
}

fn observation(bytes: &Bytes, last: &[Bytes]) -> Observation {
    Observation {
        observed_as: None,
        items: split(bytes, last),
        completeness: BTreeMap::from([(Kind::Tool, Completeness::Complete)]),
        presented: Presented::default(),
        notices: Vec::new(),
    }
}

fn baseline(surface: &Surface) -> Baseline {
    let decision = Decision {
        state: DecisionState::Approved,
        by: "bench".into(),
        at: "2026-11-27T20:31:00Z".into(),
        note: String::new(),
    };
    let pin = |item: &Arc<Item>| {
        Arc::new(Pin { item: Arc::clone(item), varies: Vec::new(), decision: Arc::new(decision.clone()) })
    };
    let mut baseline = Baseline::empty("bench", DigestScope::None, None);
    baseline.pins = surface.items.iter().map(pin).collect();
    baseline.sort();
    baseline
}

#[derive(Deserialize)]
struct RawList<'a> {
    #[serde(borrow)]
    #[expect(dead_code, reason = "only reading it is measured")]
    tools: Vec<&'a RawValue>,
}

/// A look at 500 tools against the pins of the look before: split, digest, classify. `by_an_sdk`: every tool is touched.
fn another_look(by_an_sdk: bool, expected: (usize, usize), name: &str, budget: &str) {
    let before = list(500, 1900, None, false);
    let after = list(500, 1900, Some(250), by_an_sdk);
    let scope = DigestScope::None;
    let last = Surface::read(&observation(&before, &[]), None, &scope, DEPTH);
    let entries: Vec<Bytes> = last.items.iter().map(|item| item.received.clone()).collect();
    let baseline = baseline(&last);
    let ours = || {
        let surface = Surface::read(&observation(&after, &entries), Some(&last), &scope, DEPTH);
        let review = review::review("bench".into(), Some(&baseline), &surface, &Policy::default());
        assert_eq!((review.drifts.len(), review.groups.len()), expected);
        black_box(review);
    };
    let reference = || {
        black_box(serde_json::from_slice::<RawList>(&after).expect("a list"));
    };
    report(&format!("{} kB, 500 tools, {name}", after.len() / 1000), medians(ours, reference), budget);
}

fn first_look() {
    let bytes = list(500, 1900, None, false);
    let ours = || {
        black_box(Surface::read(&observation(&bytes, &[]), None, &DigestScope::None, DEPTH));
    };
    let reference = || {
        black_box(serde_json::from_slice::<serde_json::Value>(&bytes).expect("a list"));
    };
    report("the same, first look, against serde_json into values", medians(ours, reference), "none");
}

fn first_frame() {
    let look = Surface::read(&observation(&list(100, 1900, None, false), &[]), None, &DigestScope::None, DEPTH);
    let text = pinwatch::pin::format::write(&baseline(&look));
    let ours = || {
        black_box(pinwatch::pin::format::parse(text.as_bytes()).expect("a baseline"));
    };
    let reference = || {
        black_box(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"));
    };
    let name = format!("{} kB, a baseline of 100 tools: read and verified", text.len() / 1000);
    report(&name, medians(ours, reference), "none (50 of them behind the first frame)");
}

fn main() {
    another_look(false, (1, 0), "one changed", "3");
    another_look(true, (500, 1), "all changed by an SDK and grouped", "none (once an upgrade)");
    first_look();
    first_frame();
    audit();
}

/// A chain of 100,000 decisions.
fn audit() {
    let folder = tempfile::tempdir().expect("a folder");
    let places = Places::below(folder.path());
    let store = Store::new(Root::at(folder.path()), places, Redactor::default());
    let entry = |at: usize| LogEntry {
        at: jiff::Timestamp::UNIX_EPOCH,
        event: Event::Approve,
        item: Some(ItemId::new(Kind::Tool, format!("tool_{at:06}"))),
        from: Some(SurfaceDigest::of("before")),
        to: Some(SurfaceDigest::of(at.to_be_bytes())),
        by: "ana".into(),
        note: "reviewed the new parameter".into(),
        policy: Some("sha256:1b4f0e9851971998e732078544c96b36c3d01cedf7caa332359d6f1d83567014".into()),
    };
    let entries: Vec<_> = (0..100_000).map(entry).collect();
    store.log().append("files", "root", &entries).expect("the log is written");
    let start = Instant::now();
    let verified = store.log().verify().expect("the log is read");
    let took = start.elapsed();
    assert!(verified.broken.is_none() && verified.chain.len() == 100_000, "it holds");
    println!("{:58} {:9.3} ms   budget 1000 ms", "audit verify, 100,000 records", millis(took));
}
