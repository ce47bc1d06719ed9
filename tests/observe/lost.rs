//! A session that worked and is known no more: it is opened again, once a look, and the look succeeds.

use super::kit::*;
use pinwatch::mcp::{Options, Session, Target};
use pinwatch::surface::{Era, Kind, Overall};

/// A response as the fixture writes it.
fn response(status: &str, kind: &str, body: &str) -> String {
    let length = body.replace("$ID", "1000001").replace("\\n", "\n").len();
    let kind = if kind.is_empty() { String::new() } else { format!("content-type: {kind}\\r\\n") };
    format!("say lost HTTP/1.1 {status}\\r\\n{kind}content-length: {length}\\r\\nconnection: close\\r\\n\\r\\n{body}\n")
}

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

fn times(bench: &Bench, method: &str) -> usize {
    bench.log().iter().filter(|line| *line == method).count()
}

/// Three looks, of which the last two find the session lost, and see everything all the same.
async fn is_opened_again(bench: &Bench, target: &Target, what: &str) {
    let mut session = open(target, &options()).await;
    assert_eq!(see(&mut session).await.overall(), Overall::Complete, "{what}");
    assert_eq!(session.reopened(), None, "{what}");
    for look in 1..=2 {
        let observation = see(&mut session).await;
        assert_eq!(observation.overall(), Overall::Complete, "{what}");
        assert_eq!((texts(&observation, Kind::Tool).len(), texts(&observation, Kind::Prompt).len()), (2, 1), "{what}");
        assert_eq!(count(&observation.notices, "session-reopened"), look, "{what}");
        assert!(session.reopened().is_some() && session.refused().is_none(), "{what}");
    }
    assert_eq!(times(bench, "initialize"), 3, "{what}");
    soon(session.close()).await;
}

#[tokio::test]
async fn lost_session_is_reopened_in_the_same_look() {
    let words = r#""error":{"code":-32001,"message":"Session not found"}"#;
    let [id, null, none] =
        [r#""id":$ID,"#, r#""id":null,"#, ""].map(|id| format!("{{\"jsonrpc\":\"2.0\",{id}{words}}}"));
    let event = |data: &str| format!("event: message\\ndata: {data}\\n\\n");
    let bare = r#"{"error":"Session not found"}"#;
    let mut ways = Vec::new();
    for error in [&id, &null, &none] {
        for status in ["400 Bad Request", "404 Not Found", "410 Gone", "500 No", "503 No", "200 OK"] {
            ways.push(response(status, JSON, error));
        }
        ways.push(response("200 OK", EVENTS, &event(error)));
    }
    for status in ["400 Bad Request", "404 Not Found", "410 Gone", "409 Conflict", "503 No", "200 OK"] {
        ways.push(response(status, JSON, bare));
        ways.push(response(status, "text/plain", "no such session"));
        ways.push(response(status, "", ""));
    }
    ways.push(response("200 OK", JSON, r#"{"message":"no such session"}"#));
    ways.push(response("200 OK", "text/html", "<p>Sign in</p>"));
    ways.push(response("202 Accepted", "", ""));
    ways.push(response("200 OK", EVENTS, &event(bare)));
    ways.push(response("200 OK", EVENTS, &event("Session not found")));
    ways.push(response("200 OK", EVENTS, ""));
    for way in ways {
        let bench = Bench::new(PLAIN);
        let endpoint = bench.http(&format!("lose-after-prompts {}", bench.script(&way)));
        is_opened_again(&bench, &endpoint.target(), &way).await;
    }
}

#[tokio::test]
async fn forgetful_process_is_initialized_again() {
    let bench = Bench::new(PLAIN);
    is_opened_again(&bench, &bench.stdio("lose-after-prompts"), "an error").await;
    for error in [
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32002,"message":"no"}}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32002,"message":"no"}}"#,
    ] {
        let bench = Bench::new(PLAIN);
        let script = bench.script(format!("say lost {error}\\n\n"));
        let target = bench.stdio(&format!("lose-after-prompts {script}"));
        let limits = pinwatch::mcp::Limits { probe: std::time::Duration::from_millis(300), ..Default::default() };
        let mut session = soon(Session::open(&target, &options(), &limits)).await.expect("a session");
        see(&mut session).await;
        assert_eq!(see(&mut session).await.overall(), Overall::Complete, "{error}");
        assert!(session.reopened().is_some(), "{error}");
        soon(session.close()).await;
    }
}

#[tokio::test]
async fn no_new_session_for_auth_or_rate_limit_errors() {
    for status in ["401 Unauthorized", "403 Forbidden", "429 Too Many Requests", "307 Moved"] {
        let bench = Bench::new(PLAIN);
        let script = bench.script(response(
            status,
            JSON,
            r#"{"jsonrpc":"2.0","id":$ID,"error":{"code":-32001,"message":"no"}}"#,
        ));
        let endpoint = bench.http(&format!("lose-after-prompts {script}"));
        let mut session = open(&endpoint.target(), &options()).await;
        see(&mut session).await;
        assert!(matches!(see(&mut session).await.overall(), Overall::Failed(_)), "{status}");
        assert!(session.reopened().is_none() && session.refused().is_none(), "{status}");
        assert_eq!(times(&bench, "initialize"), 1, "{status}");
        soon(session.close()).await;
    }
}

#[tokio::test]
async fn one_new_session_is_tried_in_a_look() {
    let bench = Bench::new(PLAIN);
    let endpoint = bench.http("lose-for-ever");
    for target in [endpoint.target(), bench.stdio("lose-for-ever")] {
        let before = times(&bench, "initialize");
        let _ = std::fs::remove_file(bench.file().with_extension("json.lost"));
        let mut session = open(&target, &options()).await;
        see(&mut session).await;
        for look in 1..=3 {
            let observation = see(&mut session).await;
            assert_eq!(state(&observation, Kind::Tool), "failed error-answer");
            assert!(session.refused().is_some_and(|reason| reason.text.contains("Server not initialized")));
            assert_eq!(times(&bench, "initialize"), before + 1 + look);
        }
        // Only a process can be started anew; the handshake was tried.
        assert_eq!(session.is_renewable(), session.pid().is_some());
        soon(session.close()).await;
    }
    let bench = Bench::new(PLAIN);
    let mut session = open(&bench.stdio("lose-after-prompts initialize-once"), &options()).await;
    see(&mut session).await;
    assert_eq!(state(&see(&mut session).await, Kind::Prompt), "failed error-answer");
    assert!(session.refused().is_some() && session.reopened().is_none() && session.is_renewable());
    assert_eq!(times(&bench, "initialize"), 2);
    soon(session.close()).await;
}

#[tokio::test]
async fn refused_list_is_no_lost_session() {
    let list = |member: &str| format!("{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{{\"{member}\":[]}}}}\\n\n");
    let error =
        "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32603,\"message\":\"the database is away\"}}\\n\n";
    let one = format!("say prompts/list {}say prompts/list {error}", list("prompts"));
    let never = format!("say tools/list {error}say prompts/list {error}");
    for (script, tools) in [(one, "complete"), (never, "failed error-answer")] {
        let bench = Bench::new(PLAIN);
        let mut session = open(&bench.stdio(&bench.script(&script)), &options()).await;
        see(&mut session).await;
        let observation = see(&mut session).await;
        assert_eq!(
            (state(&observation, Kind::Tool).as_str(), state(&observation, Kind::Prompt).as_str()),
            (tools, "failed error-answer")
        );
        assert!(session.reopened().is_none() && !(session.is_renewable() && session.refused().is_some()), "{script}");
        assert_eq!(times(&bench, "initialize"), 1);
        soon(session.close()).await;
    }
}

#[tokio::test]
async fn discover_era_has_no_session_to_reopen() {
    let bench = Bench::new(PLAIN);
    let known = Options { known_era: Some(Era::Discover), ..options() };
    let mut session = open(&bench.stdio("--era discover lose-after-prompts"), &known).await;
    see(&mut session).await;
    assert_eq!(state(&see(&mut session).await, Kind::Tool), "failed error-answer");
    assert!(session.refused().is_some() && session.reopened().is_none() && session.is_renewable());
    soon(session.close()).await;
}
