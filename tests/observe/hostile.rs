//! What bad input comes to: a named state or notice of that server alone.

use super::kit::*;
use pinwatch::mcp::{Limits, Look, Options, Session};
use pinwatch::surface::{Completeness, Era, Kind, Overall};
use std::time::Duration;

/// How each behaviour shows: the state of the tools, and of the prompts that are asked for after them.
const STATES: &[(&str, &str, &str)] = &[
    ("hang-at-list", "failed request-timeout", "failed request-timeout"),
    ("crash-at-list", "failed exited", "failed exited"),
    ("leave-child", "failed exited", "failed exited"),
    ("endless-line", "failed answer-too-large", "failed answer-too-large"),
    ("unreadable", "failed unreadable-answer", "complete"),
    ("two-lists", "failed unreadable-answer", "complete"),
    ("no-list", "failed not-a-list", "complete"),
    ("error-at-list", "failed error-answer", "complete"),
    ("deep", "partial item-too-deep", "complete"),
    ("--page 1 hang-at-page-two", "partial request-timeout", "complete"),
    ("--page 1 same-cursor", "partial cursor-loop", "partial cursor-loop"),
    ("endless-cursor", "partial too-many-pages", "partial too-many-pages"),
];

#[tokio::test]
async fn bad_answers_are_named_and_spoil_nothing_else() {
    let bench = Bench::new(PLAIN);
    for (how, tools, prompts) in STATES {
        let patience = match *how {
            "hang-at-list" => hasty(),
            how if how.contains("hang") => Options { request_timeout: Duration::from_secs(1), ..options() },
            _ => options(),
        };
        let observation = observe(&bench.stdio(how), &patience).await;
        assert_eq!(state(&observation, Kind::Tool), *tools, "{how}");
        assert_eq!(state(&observation, Kind::Prompt), *prompts, "{how}");
        assert_eq!(state(&observation, Kind::Instructions), "complete", "{how}");
        assert_eq!(texts(&observation, Kind::Instructions), ["\"Read first.\""], "{how}");
    }
}

#[tokio::test]
async fn what_was_read_of_a_partial_list_is_kept() {
    let bench = Bench::new(PLAIN);
    let patience = Options { request_timeout: Duration::from_secs(1), ..options() };
    for how in ["--page 1 hang-at-page-two", "deep", "endless-cursor"] {
        let observation = observe(&bench.stdio(how), &patience).await;
        assert_eq!(texts(&observation, Kind::Tool)[0], r#"{"name":"read","inputSchema":{"type":"object"}}"#, "{how}");
    }
}

#[tokio::test]
async fn an_unreadable_answer_is_told_by_its_digest() {
    let bench = Bench::new(PLAIN);
    let observation = observe(&bench.stdio("unreadable"), &hasty()).await;
    let Some(Completeness::Failed(reason)) = observation.completeness.get(&Kind::Tool) else { panic!("it failed") };
    let digest = reason.text.split("sha256 ").nth(1).expect("a digest");
    assert_eq!(digest.trim_end_matches(')').len(), 64, "{}", reason.text);
}

#[tokio::test]
async fn an_error_answer_is_told_with_its_code_and_words() {
    let bench = Bench::new(PLAIN);
    let observation = observe(&bench.stdio("error-at-list"), &options()).await;
    let Some(Completeness::Failed(reason)) = observation.completeness.get(&Kind::Tool) else { panic!("it failed") };
    assert!(reason.text.contains("-32603") && reason.text.contains("database is away"), "{}", reason.text);
}

#[tokio::test]
async fn writes_to_a_server_that_never_reads_are_bounded() {
    // It knows the ids, since each is one more than the last, and its pipe makes it wait for us.
    let result =
        r#""result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"a","version":"1"}}"#;
    let script = format!(
        r#"echo '{{"jsonrpc":"2.0","id":1000001,{result}}}'; i=1000002
        while [ $i -lt 1010000 ]; do echo "{{\"jsonrpc\":\"2.0\",\"id\":$i,\"result\":{{\"tools\":[]}}}}"; i=$((i + 1)); done"#
    );
    let limits = Limits { unread_bytes: 1_000, ..Limits::default() };
    let known = Options { known_era: Some(Era::Initialize), settle: Duration::ZERO, ..options() };
    let target = command("sh", vec!["-c".to_owned(), script]);
    let mut session = soon(Session::open(&target, &known, &limits)).await.expect("it says hello");
    // A pipe takes 64 kB at most, and a request has 50 bytes at least.
    for looks in 0..3_000 {
        if let Look::Seen(observation) = soon(session.look()).await
            && looks > 0
        {
            assert_eq!(state(&observation, Kind::Tool), "failed not-read", "{looks}");
            assert!(looks > 5, "{looks}");
            return soon(session.close()).await;
        }
    }
    panic!("it is asked for ever");
}

/// Oddities that are counted and otherwise without effect.
const NOTICES: &[(&str, &str)] = &[
    ("noise", "stray-output"),
    ("string-ids", "id-form"),
    ("answer-twice", "duplicate-answer"),
    ("unknown-id", "unknown-id"),
    ("bom", "bom"),
    ("asks", "server-request"),
    ("noisy-stderr", "stderr-noise"),
];

#[tokio::test]
async fn oddities_are_counted_and_the_look_is_complete() {
    let bench = Bench::new(PLAIN);
    for (how, notice) in NOTICES {
        let observation = observe(&bench.stdio(how), &options()).await;
        assert_eq!(observation.overall(), Overall::Complete, "{how}");
        assert_eq!(texts(&observation, Kind::Tool).len(), 2, "{how}");
        assert!(count(&observation.notices, notice) > 0, "{how}: {:?}", observation.notices);
        let others = observation.notices.iter().filter(|other| other.code != *notice).collect::<Vec<_>>();
        assert!(others.is_empty(), "{how}: {others:?}");
    }
    let observation = observe(&bench.stdio("batch"), &options()).await;
    assert_eq!(observation.overall(), Overall::Complete);
}

#[tokio::test]
async fn id_in_another_form_is_believed_each_time() {
    let bench = Bench::new(PLAIN);
    let mut session = open(&bench.stdio("string-ids"), &options()).await;
    let first = see(&mut session).await;
    let second = see(&mut session).await;
    assert_eq!(first.items, second.items);
    soon(session.close()).await;
}

/// Kilobytes of memory of this process at its highest.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[tokio::test]
async fn huge_answer_is_refused_in_bounded_memory() {
    let bench = Bench::new(PLAIN);
    let before = peak();
    let observation = observe(&bench.stdio("huge"), &options()).await;
    assert_eq!(state(&observation, Kind::Tool), "failed answer-too-large");
    let endpoint = bench.http("huge");
    let observation = observe(&endpoint.target(), &options()).await;
    assert_eq!(state(&observation, Kind::Tool), "failed answer-too-large");
    assert_eq!(state(&observation, Kind::Prompt), "complete");
    // Four times the largest message, for all tests that run meanwhile.
    let grown = peak() - before;
    assert!(grown < 64 << 10, "{grown} kB");
}

#[tokio::test]
async fn a_flood_instead_of_an_answer_ends_in_time() {
    let bench = Bench::new(PLAIN);
    let observation = observe(&bench.stdio("flood-for-ever"), &hasty()).await;
    let state = state(&observation, Kind::Tool);
    assert!(["failed request-timeout", "failed output-flood"].contains(&state.as_str()), "{state}");
}

#[tokio::test]
async fn bounds_are_kept_where_they_are_set() {
    let bench = Bench::new(PLAIN);
    let cases = [
        (Limits { item_bytes: 20, ..Limits::default() }, "partial item-too-large", 0),
        (Limits { items: 1, ..Limits::default() }, "partial list-too-large", 1),
        (Limits { list_bytes: 100, ..Limits::default() }, "failed list-too-large", 0),
        (Limits { message_bytes: 300, ..Limits::default() }, "complete", 2),
    ];
    for (limits, expected, tools) in cases {
        let mut session = soon(Session::open(&bench.stdio(""), &options(), &limits)).await.expect("a session");
        let observation = see(&mut session).await;
        assert_eq!(state(&observation, Kind::Tool), expected);
        assert_eq!(texts(&observation, Kind::Tool).len(), tools);
        soon(session.close()).await;
    }
}

#[tokio::test]
async fn handshake_items_have_bounds_too() {
    let bench = Bench::new(PLAIN);
    let limits = Limits { item_bytes: 30, ..Limits::default() };
    let long = PLAIN.replace("Read first.", &"x".repeat(100)).replace(r#""tools":{"listChanged":true},"#, "");
    bench.rewrite(long);
    let mut session = soon(Session::open(&bench.stdio(""), &options(), &limits)).await.expect("a session");
    let observation = see(&mut session).await;
    assert_eq!(state(&observation, Kind::Instructions), "failed item-too-large");
    assert_eq!(texts(&observation, Kind::Instructions), [""; 0]);
    assert_eq!(texts(&observation, Kind::Capabilities), [r#"{"prompts":{}}"#]);
    soon(session.close()).await;
}

#[tokio::test]
async fn look_at_a_silent_server_ends_after_two_timeouts() {
    let bench = Bench::new(r#"{"capabilities": {"tools":{},"prompts":{},"resources":{}}}"#);
    let observation = observe(&bench.stdio("hang-at-list"), &hasty()).await;
    assert!(Kind::LISTS.into_iter().all(|kind| state(&observation, kind) == "failed request-timeout"));
    let asked = bench.log().iter().filter(|line| line.ends_with("/list")).count();
    assert_eq!(asked, 2);
    // The server is told that nobody waits any more.
    assert_eq!(bench.log().iter().filter(|line| *line == "notifications/cancelled").count(), 2);
}

#[tokio::test]
async fn a_bad_server_does_not_hold_up_the_others() {
    let (bad, good) = (Bench::new(PLAIN), Bench::new(PLAIN));
    let hang = bad.stdio("hang");
    let endless = bad.stdio("flood-for-ever");
    let patient = Options { start_timeout: Duration::from_hours(1), ..options() };
    let slow = tokio::spawn(async move { Session::open(&hang, &patient, &Limits::default()).await.map(|_| ()) });
    let flooded = tokio::spawn(async move { observe(&endless, &hasty()).await });
    let observation = observe(&good.stdio(""), &options()).await;
    assert_eq!(observation.overall(), Overall::Complete);
    assert!(!slow.is_finished(), "it was waited for");
    slow.abort();
    soon(flooded).await.expect("it ends");
}
