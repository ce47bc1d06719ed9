//! Every schema that changed between two versions of a real server (`../shared/corpus`): a table of verdicts, few undecided, fast.

#![expect(clippy::print_stderr, reason = "a test prints the table it is for")]

use crate::needs::shared;
use pinwatch::schema::{Accepts, Budget, Comparison, Dialect, Direction, compare, effect};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

struct Pair {
    name: String,
    kind: &'static str,
    old: Value,
    new: Value,
}

fn tools(recording: &Value) -> BTreeMap<String, Value> {
    let list = recording["tools"].as_array().cloned().unwrap_or_default();
    list.into_iter().map(|tool| (tool["name"].as_str().unwrap_or_default().to_owned(), tool)).collect()
}

fn pairs(asking: &str) -> Option<Vec<Pair>> {
    let root = shared(asking, "corpus")?;
    let manifest = fs::read_to_string(root.join("manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let mut pairs = Vec::new();
    for package in manifest["packages"].as_array().unwrap() {
        let recordings: Vec<(String, Value)> = package["versions"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|version| {
                let text = fs::read_to_string(root.join(version["file"].as_str()?)).ok()?;
                Some((version["version"].as_str()?.to_owned(), serde_json::from_str(&text).ok()?))
            })
            .collect();
        for step in recordings.windows(2) {
            let (before, after) = (tools(&step[0].1), tools(&step[1].1));
            for (name, tool) in &after {
                let Some(earlier) = before.get(name) else { continue };
                for kind in ["inputSchema", "outputSchema"] {
                    let (Some(old), Some(new)) = (earlier.get(kind), tool.get(kind)) else { continue };
                    if old == new {
                        continue;
                    }
                    let package = package["package"].as_str().unwrap();
                    let name = format!("{package} {} -> {} {name} {kind}", step[0].0, step[1].0);
                    pairs.push(Pair { name, kind, old: old.clone(), new: new.clone() });
                }
            }
        }
    }
    Some(pairs)
}

impl Pair {
    fn direction(&self) -> Direction {
        if self.kind == "inputSchema" { Direction::Input } else { Direction::Output }
    }
}

fn told(pair: &Pair, found: &Comparison) -> String {
    format!(
        "{}: {} {} +{:?} -{:?} old only {} new only {}",
        pair.name,
        found.accepts.word(),
        effect(found, pair.direction()),
        found.declares.added,
        found.declares.removed,
        found.witnesses.old_only.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string),
        found.witnesses.new_only.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string),
    )
}

#[test]
fn few_real_schema_changes_stay_undecided() {
    let Some(pairs) = pairs("few_real_schema_changes_stay_undecided") else { return };
    let mut table: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    let (mut undecided, mut times) = (Vec::new(), Vec::new());
    let runs = if cfg!(debug_assertions) { 1 } else { 5 };
    for pair in &pairs {
        let found = compare(&pair.old, &pair.new, &Budget::default());
        // The best of a few runs: the others tell of the machine.
        let one_run = |_| {
            let start = Instant::now();
            let again = compare(&pair.old, &pair.new, &Budget::default());
            assert_eq!(again.accepts, found.accepts, "{}", pair.name);
            start.elapsed()
        };
        times.push(((0..runs).map(one_run).min().unwrap_or_default(), pair.name.clone()));
        *table.entry((pair.kind, found.accepts.word(), effect(&found, pair.direction()))).or_default() += 1;
        if let Accepts::Undecided { reason } = &found.accepts {
            undecided.push(format!("{}: {reason}", pair.name));
        }
        if std::env::var_os("PINWATCH_SCHEMA_SHOW").is_some() {
            eprintln!("{}", told(pair, &found));
        }
    }
    times.sort();
    let at = |percent: usize| times.get(times.len() * percent / 100).map_or(Duration::ZERO, |(time, _)| *time);
    eprintln!("{} pairs", pairs.len());
    for ((kind, word, effect), count) in &table {
        eprintln!("{kind:14} {word:14} {effect:12} {count}");
    }
    eprintln!("median {:?}, p99 {:?}, slowest {:?}", at(50), at(99), times.iter().rev().take(5).collect::<Vec<_>>());
    eprintln!("{} undecided: {undecided:#?}", undecided.len());
    assert!(pairs.len() > 500, "the corpus was not found");
    assert!(undecided.len() * 20 <= pairs.len());
}

/// Read and reasoned through by hand, from the two recordings alone.
#[test]
fn pairs_that_were_reasoned_by_hand_compare_so() {
    let Some(pairs) = pairs("pairs_that_were_reasoned_by_hand_compare_so") else { return };
    let compared = |name: &str| {
        let pair = pairs.iter().find(|pair| pair.name == name).unwrap();
        let found = compare(&pair.old, &pair.new, &Budget::default());
        (found.accepts.word(), effect(&found, pair.direction()), found)
    };
    for (name, accepts, effect) in [
        // An item of `content` may be a resource now, and none of type `blob`.
        (
            "@modelcontextprotocol/server-filesystem 2026.7.4 -> 2026.7.10 read_media_file outputSchema",
            "incomparable",
            "breaking",
        ),
        // A closed object with a `connectionId` that is new and must be given.
        ("mongodb-mcp-server 1.7.0 -> 2.1.1 create-index inputSchema", "incomparable", "breaking"),
        ("mongodb-mcp-server 1.7.0 -> 2.1.1 collection-indexes outputSchema", "equal", "none"),
        // An array under `items` became `prefixItems`.
        ("@brave/brave-search-mcp-server 2.0.82 -> 2.1.3 brave_place_search outputSchema", "equal", "none"),
        // A parameter had a type, and is declared no longer.
        ("@notionhq/notion-mcp-server 2.2.1 -> 2.4.0 API-post-page inputSchema", "wider", "compatible"),
        // In one branch of `oneOf` the constant `schemaVersion` went from 2 to 3.
        ("xcodebuildmcp 2.6.2 -> 2.7.0 build_sim outputSchema", "incomparable", "breaking"),
    ] {
        let (found_accepts, found_effect, found) = compared(name);
        assert_eq!((found_accepts, found_effect), (accepts, effect), "{name}: {:?}", found.witnesses);
        assert_eq!(found.witnesses.old_only.is_some(), accepts == "incomparable", "{name}");
        assert_eq!(found.witnesses.new_only.is_some(), matches!(accepts, "incomparable" | "wider"), "{name}");
    }
    let (.., notion) = compared("@notionhq/notion-mcp-server 2.2.1 -> 2.4.0 API-post-page inputSchema");
    assert_eq!(notion.declares.removed, ["/Notion-Version"]);
    let (.., brave) = compared("@brave/brave-search-mcp-server 2.0.82 -> 2.1.3 brave_place_search outputSchema");
    assert_eq!(brave.dialect_changed, Some((Dialect::Draft07, Dialect::Draft202012)));
}
