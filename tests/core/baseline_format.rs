//! A baseline's file: what it holds comes back, what it could hide is refused by name.

use pinwatch::canon::{Definition, Pointer};
use pinwatch::digest::{DigestScope, Item};
use pinwatch::pin::format::{FORMAT, Refused, parse, write};
use pinwatch::pin::{Baseline, Conflict, Decision, DecisionState, Pin, Rejection, merge};
use pinwatch::review::{Refusal, accept_unwatched, approve, undo};
use pinwatch::surface::{Era, Kind, ObservedAs};
use proptest::prelude::*;
use serde_json::Value;
use std::process::Command;
use std::sync::Arc;

fn decision(state: DecisionState, note: &str) -> Decision {
    Decision { state, by: "ana".into(), at: "2026-11-27T20:31:00Z".into(), note: note.into() }
}

fn item(kind: Kind, json: &[u8], scope: &DigestScope) -> Arc<Item> {
    let definition = Definition::read(json, 2000).expect("the definition is JSON");
    Arc::new(Item::stored(kind, definition, scope))
}

fn pin(kind: Kind, json: impl AsRef<[u8]>) -> Pin {
    let item = item(kind, json.as_ref(), &DigestScope::None);
    Pin { item, varies: Vec::new(), decision: decision(DecisionState::Approved, "first record").into() }
}

fn tool(name: &str) -> Pin {
    pin(Kind::Tool, format!(r#"{{"name":"{name}","description":"{name}s","inputSchema":{{"type":"object"}}}}"#))
}

fn baseline(pins: Vec<Pin>) -> Baseline {
    let observed_as = ObservedAs {
        era: Era::Initialize,
        protocol_version: "2025-06-18".into(),
        client_capabilities: serde_json::Map::new(),
    };
    let mut baseline = Baseline::empty("files", DigestScope::None, Some(observed_as));
    baseline.pins = pins.into_iter().map(Arc::new).collect();
    baseline.sort();
    baseline
}

/// A text of the file with one stretch exchanged for another.
fn edited(baseline: &Baseline, from: &str, to: &str) -> Vec<u8> {
    let text = write(baseline);
    assert!(text.contains(from), "{from} is not in {text}");
    text.replacen(from, to, 1).into_bytes()
}

fn refused(text: &[u8]) -> String {
    parse(text).expect_err("the file is refused").to_string()
}

/// JSON texts as servers may send them: members twice, half characters, numbers that no double holds.
fn json() -> impl Strategy<Value = Vec<u8>> {
    let number = prop::sample::select(vec![
        "0",
        "-0",
        "1.0",
        "9007199254740993",
        "1e400",
        "1e-400",
        "0.1",
        "18446744073709551615",
        "NaN",
        "1e21",
        "-1.5e3",
    ]);
    let string = prop_oneof![
        any::<String>().prop_map(|text| serde_json::to_vec(&text).unwrap()),
        Just(br#""\ud800""#.to_vec()),
        Just(b"\"\xff\"".to_vec()),
        Just("\"\u{202e}\u{200b}\u{e0069}<U+200B>\"".as_bytes().to_vec()),
    ];
    let leaf = prop_oneof![
        number.prop_map(|text| text.as_bytes().to_vec()),
        string.clone(),
        prop::sample::select(vec!["true", "null", "{}", "[]"]).prop_map(|text| text.as_bytes().to_vec()),
    ];
    let key = prop_oneof![
        prop::sample::select(vec![
            "name",
            "uri",
            "uriTemplate",
            "description",
            "inputSchema",
            "$serde_json::private::X"
        ])
        .prop_map(|name| format!("\"{name}\"").into_bytes()),
        string,
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        let joined = |open: u8, parts: Vec<Vec<u8>>, close: u8| {
            let mut text = vec![open];
            text.extend(parts.join(&b", "[..]));
            text.push(close);
            text
        };
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(move |parts| joined(b'[', parts, b']')),
            prop::collection::vec((key.clone(), inner), 0..5).prop_map(move |members| {
                let parts = members.into_iter().map(|(key, value)| [key, value].join(&b':')).collect();
                joined(b'{', parts, b'}')
            }),
        ]
    })
}

proptest! {
    #[test]
    fn every_baseline_comes_back_as_it_was(
        pins in prop::collection::vec((0..Kind::ALL.len(), json(), any::<String>()), 0..6),
        rejections in prop::collection::vec((0..Kind::ALL.len(), json()), 0..3),
        server in "[a-zA-Z0-9 _/é-]{1,12}",
        scoped in any::<bool>(),
    ) {
        let scope = if scoped { DigestScope::Server(server.clone()) } else { DigestScope::None };
        let mut baseline = Baseline::empty(&server, scope.clone(), None);
        for (kind, json, note) in pins {
            let item = item(Kind::ALL[kind], &json, &scope);
            let may_vary = item.definition.exact().is_some() && note.len() % 2 == 1;
            let varies = if may_vary { vec![Pointer::parse("/description").unwrap()] } else { Vec::new() };
            baseline.pins.push(Arc::new(Pin { item, varies, decision: decision(DecisionState::Approved, &note).into() }));
        }
        for (kind, json) in rejections {
            let item = item(Kind::ALL[kind], &json, &scope);
            baseline.rejections.push(Rejection { item, decision: decision(DecisionState::Rejected, "") });
        }
        baseline.sort();
        let text = write(&baseline);
        prop_assert!(text.chars().all(|c| c == '\n' || !pinwatch::text::is_hidden(c)));
        let read = parse(text.as_bytes());
        prop_assert_eq!(read.as_ref(), Ok(&baseline));
        prop_assert_eq!(write(&read.unwrap()), text);
    }

    #[test]
    fn any_bytes_read_or_fail_with_a_reason(
        bytes in prop::collection::vec(any::<u8>(), 0..200), at in 0..2000_usize, byte in any::<u8>(),
    ) {
        prop_assert!(parse(&bytes).is_err());
        let whole = baseline(vec![tool("read")]);
        let mut text = write(&whole).into_bytes();
        let at = at % text.len();
        text[at] = byte;
        if let Ok(read) = parse(&text) {
            prop_assert_eq!(&read.pins[0].item, &whole.pins[0].item);
        }
    }
}

#[test]
fn the_file_reads_as_the_design_shows_it() {
    let text = write(&baseline(vec![tool("read_file")]));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["format"], FORMAT);
    assert_eq!(value["digest_scope"], "none");
    assert_eq!(value["anchor"], serde_json::json!({"clearance_id": null, "signer_key_id": null, "auth_scope": null}));
    assert_eq!(
        value["observed_as"],
        serde_json::json!({"era": "initialize", "protocol_version": "2025-06-18", "client_capabilities": {}})
    );
    let pin = &value["pins"][0];
    assert_eq!((&pin["kind"], &pin["key"]), (&"tool".into(), &"read_file".into()));
    assert_eq!(pin["definition"]["name"], "read_file");
    // sha256 of `{"type":"object"}` and of `read_files`, by sha256sum.
    assert_eq!(
        pin["digests"]["identity"],
        serde_json::json!({
            "schema_hash": "a2c799262a3ce3c19ef5cdd983bf3d12b43ab3c426227091b909dcb7054738c0",
            "meta_hash": "dfcc0f5e25f95420fb3295b08ea2edbafb1e38fe463e5ccabb022d378d302f35",
        })
    );
    let cluster = pin["digests"]["definition"].as_object().unwrap();
    assert_eq!(cluster.len(), 5);
    assert!(cluster["tool_definition_digest"].as_str().unwrap().starts_with("sha256:"));
    assert!(pin["digests"]["surface"].as_str().unwrap().starts_with("sha256:"));
    assert_eq!(
        pin["decision"],
        serde_json::json!({"state": "approved", "by": "ana", "at": "2026-11-27T20:31:00Z", "note": "first record"})
    );
    assert_eq!(value["rejections"], serde_json::json!([]));
}

#[test]
fn definition_unlike_its_digest_is_refused() {
    let whole = baseline(vec![tool("read_file"), tool("write_file")]);
    let said = refused(&edited(&whole, "write_files", "write_filez"));
    assert!(said.starts_with("tool/write_file: the file says its tool_definition_digest is sha256:"), "{said}");

    let said = refused(&edited(&whole, "\"identity\": {", "\"identity\": null, \"definition\": {"));
    assert!(said.contains("cannot be read"), "{said}");

    let prompt = baseline(vec![pin(Kind::Prompt, r#"{"name":"greet","description":"hi"}"#)]);
    let said = refused(&edited(&prompt, "\"hi\"", "\"ho\""));
    assert!(said.starts_with("prompt/greet: the file says its surface is sha256:"), "{said}");
    let said = refused(&edited(&prompt, "\"identity\": null", "\"identity\": {\"schema_hash\": \"00\"}"));
    assert!(said.starts_with("prompt/greet: the file says its identity is"), "{said}");
}

#[test]
fn key_missing_from_the_definition_is_refused() {
    let said = refused(&edited(&baseline(vec![tool("read")]), "\"key\": \"read\"", "\"key\": \"re\\u200bad\""));
    assert_eq!(said, "tool/re<U+200B>ad: the key of its definition is `read`");
}

#[test]
fn vary_pointers_need_their_digest() {
    let whole = baseline(vec![tool("read")]);
    let text = edited(&whole, "\"kind\": \"tool\"", "\"kind\": \"tool\", \"varies\": [\"/description\"]");
    let said = refused(&text);
    assert!(said.starts_with("tool/read: the file says its varying is absent"), "{said}");
}

#[test]
fn unknown_member_is_refused_with_nearest_name() {
    let whole = baseline(vec![tool("read")]);
    for (from, to, place, hint) in [
        ("\"format\"", "\"formats\": 1, \"format\"", "/formats", "did you mean `format`?"),
        ("\"auth_scope\"", "\"authscope\": 1, \"auth_scope\"", "/anchor/authscope", "did you mean `auth_scope`?"),
        ("\"era\"", "\"zzz\": 1, \"era\"", "/observed_as/zzz", "it does not belong here"),
        ("\"kind\"", "\"kinds\": 1, \"kind\"", "/pins/0/kinds", "did you mean `kind`?"),
        ("\"note\"", "\"notes\": 1, \"note\"", "/pins/0/decision/notes", "did you mean `note`?"),
        ("\"digest_scope\": \"none\"", "\"digest_scope\": \"all\"", "/digest_scope", "`none` or `server`"),
        ("\"state\": \"approved\"", "\"state\": \"rejected\"", "/pins/0/decision/state", "expected `approved`"),
        ("2026-11-27T20:31:00Z", "yesterday", "/pins/0/decision/at", "a time like"),
        ("\"kind\": \"tool\"", "\"kind\": \"tools\"", "/pins/0/kind", "no kind `tools`"),
    ] {
        let said = refused(&edited(&whole, from, to));
        assert!(said.starts_with(&format!("{place}: ")) && said.contains(hint), "{said}");
    }
    let said = refused(&edited(&whole, "\"server\": \"files\"", "\"server\": 1"));
    assert_eq!(said, "/server: invalid type: integer `1`, expected a string");
    let said = refused(&edited(&whole, "\"kind\"", "\"k\\u202eind\": 1, \"kind\""));
    assert!(said.starts_with("/pins/0/k<U+202E>ind: "), "{said}");
}

#[test]
fn a_duplicate_key_is_refused_as_a_servers_would_be() {
    let text = edited(&baseline(vec![tool("read")]), "\"key\": \"read\"", "\"key\": \"safe\",\n   \"key\": \"read\"");
    assert!(refused(&text).contains("a member occurs twice"));
}

#[test]
fn newer_format_is_told_from_foreign_files() {
    let whole = baseline(vec![]);
    assert_eq!(
        parse(&edited(&whole, FORMAT, "pinwatch.baseline.v2")),
        Err(Refused::Newer("pinwatch.baseline.v2".into()))
    );
    for text in ["", "{}", "[]", "not json", r#"{"format":"insta"}"#, r#"{"format":"pinwatch.baseline.vX"}"#] {
        assert_eq!(parse(text.as_bytes()), Err(Refused::NotOurs), "{text}");
    }
    let text = edited(&whole, "\"pins\"", "\n<<<<<<< HEAD\n \"pins\"");
    assert!(refused(&text).contains("an unresolved merge conflict"));
}

#[test]
fn a_definition_stands_in_its_one_form() {
    let whole = baseline(vec![pin(Kind::Tool, r#"{"name":"x","name":"y"}"#)]);
    let text = write(&whole);
    let other = text.replace(r#"{\"name\":\"x\",\"name\":\"y\"}"#, r#"{\"name\":\"y\"}"#);
    assert_ne!(text, other);
    assert!(refused(other.as_bytes()).starts_with("tool/y: the file says its surface is sha256:"));
    let mut file: Value = serde_json::from_str(&write(&baseline(vec![pin(Kind::Tool, r#"{"name":"y"}"#)]))).unwrap();
    let entry = file["pins"][0].as_object_mut().unwrap();
    let definition = entry.remove("definition").unwrap().to_string();
    entry.insert("text".to_owned(), definition.into());
    assert_eq!(refused(file.to_string().as_bytes()), "/pins/0/text: it does not belong here");
    let other = text.replace("duplicate-member", "encoding");
    assert_eq!(refused(other.as_bytes()), "/pins/0/ambiguous/0: expected \"duplicate-member\"");
    let deep = format!("{}1{}", r#"{"a":"#.repeat(121), "}".repeat(121));
    let text = write(&baseline(vec![tool("read")]));
    let other = text.replace(r#"{"type": "object"}"#, &deep).replace("\"type\": \"object\"", &format!("\"a\": {deep}"));
    assert!(refused(other.as_bytes()).contains("/pins/0/definition: expected at most 120 levels"));
}

#[test]
fn only_numbers_no_double_holds_are_decimals() {
    let whole = baseline(vec![pin(Kind::Tool, r#"{"name":"x","maximum":9223372036854775807}"#)]);
    let text = write(&whole);
    assert_eq!(parse(text.as_bytes()).as_ref(), Ok(&whole));
    assert!(text.contains("\"maximum\": \"9223372036854775807\"") && text.contains("\"/maximum\""), "{text}");
    for (from, to) in
        [("\"9223372036854775807\"", "\"5\""), ("\"/maximum\"", "\"/name\""), ("\"/maximum\"", "\"/none\"")]
    {
        let said = refused(text.replacen(from, to, 1).as_bytes());
        assert!(said.contains("/pins/0/decimals: expected sorted pointers to exact decimals"), "{said}");
    }
}

#[test]
fn pins_added_in_two_places_merge_cleanly() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["b", "d", "f", "h"];
    let with = |more: &str| {
        let pins = names.iter().copied().chain([more]).filter(|name| !name.is_empty()).map(tool).collect();
        baseline(pins)
    };
    let file = |name: &str, baseline: &Baseline| {
        let path = folder.path().join(name);
        std::fs::write(&path, write(baseline)).unwrap();
        path
    };
    let (base, ours, theirs) = (file("base", &with("")), file("ours", &with("a")), file("theirs", &with("g")));
    let merged = Command::new("git").arg("merge-file").arg("-p").args([&ours, &base, &theirs]).output();
    let Ok(merged) = merged else {
        crate::needs::skipped("pins_added_in_two_places_merge_cleanly", "git is absent");
        return;
    };
    assert!(merged.status.success(), "{}", String::from_utf8_lossy(&merged.stderr));
    let read = parse(&merged.stdout).unwrap();
    let keys: Vec<_> = read.pins.iter().map(|pin| pin.item.id.key.as_ref()).collect();
    assert_eq!(keys, ["a", "b", "d", "f", "g", "h"]);
    assert_eq!(write(&read).as_bytes(), merged.stdout);
}

#[test]
fn unwatched_mark_is_kept_merged_and_undone() {
    let plain = baseline(vec![tool("a")]);
    assert!(!write(&plain).contains("unwatched"), "a file without it is as it was before there was such a member");
    let word = |note: &str| decision(DecisionState::Approved, note);
    let accept = |reason: &str, note: &str| accept_unwatched(Some(&plain), reason, &word(note)).unwrap();
    let accepted = accept("switched-off", "moved");
    assert_eq!(parse(write(&accepted).as_bytes()).unwrap(), accepted);
    assert!(accept_unwatched(None, "switched-off", &word("")).is_err(), "there is nothing to be out of sight");

    // What one side accepted stands; what both accepted otherwise is a conflict.
    let merged = merge(Some(&plain), &accepted, &plain).unwrap();
    assert_eq!((merged.ours, merged.conflicts), (accepted.clone(), vec![]));
    let other = accept("not-configured", "gone");
    assert_eq!(merge(Some(&plain), &accepted, &other).unwrap().conflicts, [Conflict::Member("unwatched")]);

    // It is taken back alone, and not over what somebody else accepted since.
    assert_eq!(undo(&accepted, &plain, &accepted, &[]).unwrap(), plain);
    assert_eq!(undo(&other, &plain, &accepted, &[]), Err(Refusal::AcceptedElsewhere));
    // The next decision ends it.
    let none = approve(Some(&accepted), &plain, &[], &[], &word("")).unwrap();
    assert_eq!(none.unwatched, None);
    assert!(refused(&edited(&accepted, "\"reason\": \"switched-off\"", "\"why\": \"x\"")).contains("/unwatched"));
}

#[test]
fn command_words_that_were_pinned_stay_recorded() {
    let words = |baseline: &Baseline| baseline.command_words().into_iter().collect::<Vec<_>>().join(" ");
    let plain = baseline(vec![tool("a"), tool("run_command")]);
    assert_eq!(words(&plain), "run", "a file without the member has the words of its pins");
    assert!(!write(&plain).contains("command_words"));

    // The pin is gone, its word is not.
    let mut without = baseline(vec![tool("a")]);
    without.record_command_words(plain.command_words());
    assert!(write(&without).contains("\"command_words\": [\n  \"run\"\n ]"), "{}", write(&without));
    assert_eq!(parse(write(&without).as_bytes()), Ok(without.clone()));
    let other = edited(&without, "\"run\"", "\"walk\"");
    assert_eq!(
        refused(&other),
        "/command_words: expected a sorted list of some of: exec, execute, run, shell, bash, eval, spawn"
    );

    // Two people's words are put together.
    let theirs = baseline(vec![tool("a"), tool("run_command"), tool("exec")]);
    let merged = merge(Some(&plain), &without, &theirs).unwrap();
    assert_eq!((words(&merged.ours), merged.conflicts), ("exec run".to_owned(), vec![]));
    assert_eq!(merged.ours, merged.theirs);
}
