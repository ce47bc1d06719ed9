//! Answers that no request waits for, above all those to notifications, and what they are told apart from.

use super::kit::*;
use pinwatch::mcp::{Limits, Session};
use pinwatch::surface::{Kind, Overall};
use std::time::Duration;

/// A response without a usable id, as servers send them after `notifications/initialized`.
const NAMELESS: &[&str] = &[
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}"#,
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}"#,
    r#"{"id":null,"error":"unknown method"}"#,
    r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"oops","data":null}}"#,
    r#"{"jsonrpc":"2.0","id":null,"result":{}}"#,
    r#"{"jsonrpc":"2.0","result":{"tools":[]}}"#,
    r#"{"jsonrpc":"2.0","result":null}"#,
];

const TOOLS: &str =
    r#"{"jsonrpc":"2.0","id":$ID,"result":{"tools":[{"name":"read","inputSchema":{"type":"object"}}]}}"#;

#[tokio::test]
async fn an_answer_to_a_notification_is_nobodys() {
    let bench = Bench::new(PLAIN);
    for text in NAMELESS {
        // At once, or only after the first list was answered.
        for (lines, tools) in [
            (format!("say notifications/initialized {text}\\n\n"), 2),
            (format!("say tools/list {TOOLS}\\n{text}\\n\n"), 1),
        ] {
            let observation = observe(&bench.stdio(&bench.script(&lines)), &options()).await;
            assert_eq!(observation.overall(), Overall::Complete, "{lines}");
            assert_eq!(texts(&observation, Kind::Tool).len(), tools, "{lines}");
            let [notice] = &observation.notices[..] else { panic!("{lines}: {:?}", observation.notices) };
            assert_eq!((notice.code, notice.count), ("unknown-id", 1), "{lines}");
        }
    }
}

#[tokio::test]
async fn error_without_id_answers_the_only_request() {
    // The first question comes before any notification: who cannot read it is asked the other.
    let bench = Bench::new(PLAIN);
    for text in NAMELESS.iter().filter(|text| text.contains("error")) {
        let observation =
            observe(&bench.stdio(&bench.script(format!("say server/discover {text}\\n\n"))), &options()).await;
        assert_eq!((observation.overall(), observation.notices), (Overall::Complete, Vec::new()), "{text}");
    }
}

#[tokio::test]
async fn answers_without_id_are_told_and_not_awaited() {
    let bench = Bench::new(PLAIN);
    let refusal = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#;
    let target = bench.stdio(&bench.script(format!("say tools/list {refusal}\\n\n")));
    let limits = Limits { probe: Duration::from_millis(300), ..Limits::default() };
    let mut session = soon(Session::open(&target, &options(), &limits)).await.expect("a session");
    let observation = see(&mut session).await;
    // The first one could be to the notification; asked again it answers one time too often for that.
    assert_eq!(state(&observation, Kind::Tool), "failed error-answer");
    assert_eq!(state(&observation, Kind::Prompt), "complete");
    assert_eq!(bench.log().iter().filter(|line| *line == "tools/list").count(), 2);
    let observation = see(&mut session).await;
    assert_eq!(state(&observation, Kind::Tool), "failed error-answer");
    assert!(observation.notices.iter().all(|notice| notice.code != "late-answer"), "{:?}", observation.notices);
    soon(session.close()).await;
}

#[tokio::test]
async fn log_line_about_an_error_is_no_answer() {
    let bench = Bench::new(PLAIN);
    let log = r#"{"level":"error","error":"no such session"}"#;
    let observation = observe(&bench.stdio(&bench.script(format!("say server/discover {log}\\n{log}\\n{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{{\"code\":-32601,\"message\":\"no\"}}}}\\n\n"))), &options()).await;
    assert_eq!(observation.overall(), Overall::Complete);
    assert_eq!(count(&observation.notices, "stray-output"), 2);
}

/// A page with these tools, whose next page has this cursor.
fn page(names: &str, cursor: &str) -> String {
    let tools: Vec<_> = names.chars().map(|name| format!(r#"{{"name":"{name}"}}"#)).collect();
    format!(
        "say tools/list {{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{{\"tools\":[{}]{cursor}}}}}\\n\n",
        tools.join(",")
    )
}

#[tokio::test]
async fn repeated_empty_cursor_ends_a_list_before_2026() {
    let (empty, next, none) = (r#","nextCursor":"""#, r#","nextCursor":"x""#, r#","nextCursor":null"#);
    // The pages in turns, the tools that there are, and how often the list was asked for in one look.
    let cases = [
        // It begins again, since it does not know the cursor.
        (page("ab", empty), "ab", 2),
        (page("", empty), "", 2),
        // The same behind a page with a cursor of its own.
        (page("ab", next) + &page("c", empty), "abc", 3),
        // It has a second page, and ends it in the same way.
        (page("ab", empty) + &page("c", empty), "abc", 2),
        (page("a", empty) + &page("b", next) + &page("c", empty), "abc", 3),
        // It means what it says.
        (page("ab", empty) + &page("c", none), "abc", 2),
    ];
    for (script, tools, asked) in cases {
        let bench = Bench::new(r#"{"capabilities": {"tools":{}}}"#);
        let mut session = open(&bench.stdio(&bench.script(&script)), &options()).await;
        for look in 1..=2 {
            if look == 1 || script.matches("say").count() == asked {
                let observation = see_or_same(&mut session).await;
                assert_eq!(bench.log().iter().filter(|line| *line == "tools/list").count(), look * asked, "{script}");
                let Some(observation) = observation else { continue };
                assert_eq!(observation.overall(), Overall::Complete, "{script}");
                let names: String = texts(&observation, Kind::Tool).iter().map(|tool| &tool[9..10]).collect();
                assert_eq!(names, tools, "{script}");
                let ends = u64::from(!script.contains("null"));
                assert_eq!(count(&observation.notices, "empty-cursor-again"), ends, "{script}");
            }
        }
        soon(session.close()).await;
    }
}

#[tokio::test]
async fn list_ended_by_a_cursor_is_compared_by_bytes() {
    let empty = r#","nextCursor":"""#;
    let bench = Bench::new(r#"{"capabilities": {"tools":{}}}"#);
    let script = page("ab", empty).repeat(4) + &page("bc", empty).repeat(2);
    let mut session = open(&bench.stdio(&bench.script(script)), &options()).await;
    assert_eq!(texts(&see(&mut session).await, Kind::Tool).len(), 2);
    see_nothing(&mut session).await;
    let changed = see(&mut session).await;
    assert_eq!(texts(&changed, Kind::Tool), [r#"{"name":"b"}"#, r#"{"name":"c"}"#]);
    soon(session.close()).await;
}

#[tokio::test]
async fn an_empty_cursor_is_a_cursor_from_revision_2026_on() {
    let bench = Bench::new(r#"{"capabilities": {"tools":{}}}"#);
    let script = bench.script(page("ab", r#","nextCursor":"""#));
    let observation = observe(&bench.stdio(&format!("--era discover {script}")), &options()).await;
    assert_eq!(state(&observation, Kind::Tool), "partial cursor-loop");
}
