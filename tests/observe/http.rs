//! What only HTTP has: sessions, headers, statuses, streams.

use super::kit::*;
use pinwatch::mcp::{Event, Options, Target};
use pinwatch::surface::{Era, Kind, Overall};
use std::io::{Read as _, Write as _};

#[tokio::test]
async fn refusals_at_the_door_are_named() {
    let bench = Bench::new(PLAIN);
    let cases = [
        ("unauthorized", "unauthorized", "Bearer realm"),
        ("forbidden", "forbidden", "(403); it asks for the scope `parts:read parts:list` (Bearer error="),
        (
            "redirect",
            "redirect-refused",
            "write this URL in the config: http://127.0.0.1:9/elsewhere?token=<redacted token>",
        ),
        ("web-page", "wrong-content-type", "text/html"),
        ("gzip", "compressed-answer", ""),
        ("status-500", "http-status", "500"),
    ];
    for (how, code, part) in cases {
        let endpoint = bench.http(how);
        for known_era in [None, Some(Era::Initialize)] {
            let (found, text) = refused(&endpoint.target(), &Options { known_era, ..options() }).await;
            assert_eq!(found, code, "{how}: {text}");
            assert!(text.contains(part), "{how}: {text}");
            assert!(!text.contains("hidden"), "{how}: {text}");
        }
    }
}

#[tokio::test]
async fn what_is_no_server_is_named() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("its address");
    let target = |url: &str, headers: &[(&str, &str)]| Target::Http {
        url: url.to_owned(),
        headers: headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        allow_plain: false,
    };
    for (target, code) in [
        (target(&format!("http://{closed}/mcp?token=hunter2"), &[]), "connect-failed"),
        (target("no url", &[]), "bad-url"),
        (target("ftp://127.0.0.1/", &[]), "bad-url"),
        (target("http://127.0.0.1/", &[("bad name", "hunter2")]), "bad-header"),
        (target("http://127.0.0.1/", &[("x-key", "hunter2\n")]), "bad-header"),
        (target("http://192.0.2.1/mcp", &[("authorization", "hunter2")]), "plain-http-credentials"),
        (target("http://me:hunter2@example.com/mcp", &[]), "plain-http-credentials"),
    ] {
        let (found, text) = refused(&target, &options()).await;
        assert_eq!(found, code, "{text}");
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[tokio::test]
async fn a_server_without_tls_behind_https_is_named() {
    for answer in ["HTTP/1.1 400 Bad Request\r\n\r\n", ""] {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("https://{}/mcp", listener.local_addr().expect("its address"));
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut hello = [0; 4096];
            assert!(stream.read(&mut hello).expect("a greeting") > 5);
            stream.write_all(answer.as_bytes()).expect("an answer");
        });
        let target = Target::Http { url, headers: Vec::new(), allow_plain: false };
        let (code, text) = refused(&target, &options()).await;
        assert_eq!(code, "tls-failed", "{answer:?}: {text}");
        server.join().expect("it ends");
    }
}

#[tokio::test]
async fn headers_are_sent_and_no_compression_is_asked_for() {
    let bench = Bench::new(PLAIN);
    let endpoint = bench.http("");
    let headers = vec![
        ("Authorization".to_owned(), "Bearer hunter2".to_owned()),
        ("Accept-Encoding".to_owned(), "gzip".to_owned()),
    ];
    observe(&Target::Http { url: endpoint.url.clone(), headers, allow_plain: false }, &options()).await;
    let log = bench.log();
    assert!(log.contains(&"authorization: Bearer hunter2".to_owned()));
    let codings: Vec<_> = log.iter().filter(|line| line.starts_with("accept-encoding")).collect();
    assert!(codings.iter().all(|line| *line == "accept-encoding: identity"), "{codings:?}");
}

#[tokio::test]
async fn a_session_is_ended_with_delete() {
    let bench = Bench::new(PLAIN);
    let endpoint = bench.http("");
    observe(&endpoint.target(), &options()).await;
    assert_eq!(bench.log().iter().filter(|line| *line == "DELETE").count(), 1);
}

#[tokio::test]
async fn a_forgotten_session_is_opened_anew_once() {
    let bench = Bench::new(PLAIN);
    let endpoint = bench.http("forget-session");
    let observation = observe(&endpoint.target(), &options()).await;
    assert_eq!(observation.overall(), Overall::Complete);
    assert_eq!(texts(&observation, Kind::Prompt).len(), 1);
    assert_eq!(bench.log().iter().filter(|line| *line == "initialize").count(), 2);

    let bench = Bench::new(PLAIN);
    let endpoint = bench.http("forget-always");
    let observation = observe(&endpoint.target(), &options()).await;
    assert_eq!(state(&observation, Kind::Tool), "failed http-status");
    assert_eq!(bench.log().iter().filter(|line| *line == "initialize").count(), 2);
}

#[tokio::test]
async fn a_stream_that_ends_before_the_answer_is_named() {
    let bench = Bench::new(PLAIN);
    let endpoint = bench.http("cut-stream");
    let observation = observe(&endpoint.target(), &options()).await;
    assert_eq!(state(&observation, Kind::Tool), "failed closed-stream");
    assert_eq!(state(&observation, Kind::Prompt), "complete");
}

#[tokio::test]
async fn a_server_that_asks_before_it_answers_is_answered() {
    let bench = Bench::new(PLAIN);
    let endpoint = bench.http("event-stream asks");
    let observation = observe(&endpoint.target(), &options()).await;
    assert_eq!(observation.overall(), Overall::Complete);
    assert_eq!(texts(&observation, Kind::Tool).len(), 2);
    assert_eq!(count(&observation.notices, "server-request"), 1);
}

#[tokio::test]
async fn a_server_that_went_away_is_not_shown_as_it_was() {
    let bench = Bench::new(PLAIN);
    let endpoint = bench.http("");
    let mut session = open(&endpoint.target(), &options()).await;
    see(&mut session).await;
    drop(endpoint);
    let observation = see(&mut session).await;
    assert_eq!(observation.items, []);
    assert_eq!(observation.observed_as, None);
    assert!(matches!(observation.overall(), Overall::Failed(reason) if reason.code == "connect-failed"));
    soon(session.close()).await;
}

#[tokio::test]
async fn a_hanging_server_fails_in_time() {
    let bench = Bench::new(PLAIN);
    let endpoint = bench.http("hang-at-list");
    let observation = observe(&endpoint.target(), &hasty()).await;
    assert_eq!(state(&observation, Kind::Tool), "failed request-timeout");
    let endpoint = bench.http("hang");
    let hurried = Options { start_timeout: std::time::Duration::from_millis(600), ..options() };
    assert_eq!(refused(&endpoint.target(), &hurried).await.0, "start-timeout");
}

#[tokio::test]
async fn transport_of_2024_is_used_where_there_is_no_other() {
    let bench = Bench::new(PLAIN);
    let endpoint = bench.http("old-transport");
    let mut session = open(&endpoint.target(), &options()).await;
    let observation = see(&mut session).await;
    assert_eq!(observation.overall(), Overall::Complete);
    assert_eq!(texts(&observation, Kind::Tool).len(), 2);
    see_nothing(&mut session).await;
    bench.rewrite(PLAIN.replace("\"write\"", "\"wrote\""));
    assert_eq!(changed(&mut session).await, Event::ListChanged);
    assert!(texts(&see(&mut session).await, Kind::Tool)[1].contains("wrote"));
    drop(endpoint);
    assert!(matches!(changed(&mut session).await, Event::Ended(_)));
    soon(session.close()).await;
}

#[tokio::test]
async fn messages_are_not_sent_to_another_origin() {
    let bench = Bench::new(PLAIN);
    let endpoint = bench.http("old-elsewhere");
    // What the first question was answered with is the reason; nothing went elsewhere.
    assert_eq!(refused(&endpoint.target(), &options()).await.0, "http-status");
}

#[tokio::test]
async fn nothing_of_how_an_endpoint_is_reached_is_printed() {
    let bench = Bench::new(PLAIN);
    let endpoint = bench.http("");
    let url = endpoint.url.replace("//", "//me:hunter2@") + "?key=hunter2";
    let headers = vec![("X-Key".to_owned(), "hunter2".to_owned())];
    let session = open(&Target::Http { url, headers, allow_plain: false }, &options()).await;
    let text = format!("{session:?}");
    assert!(!text.contains("hunter2"), "{text}");
    assert!(
        bench.log().iter().any(|line| line.starts_with("authorization: Basic ")),
        "user info is sent as RFC 7617 says"
    );
    soon(session.close()).await;
}
