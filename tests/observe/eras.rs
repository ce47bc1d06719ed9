//! Which era is tried, and what is tried next.

use super::kit::*;
use pinwatch::mcp::{Limits, Options, Session, Target};
use pinwatch::surface::{Era, Overall};
use std::time::Duration;

fn knowing(known_era: Option<Era>) -> Options {
    Options { known_era, ..options() }
}

/// What the server was asked before its lists.
fn opening(bench: &Bench) -> Vec<String> {
    bench.log().into_iter().take_while(|line| !line.ends_with("/list")).filter(|line| !line.contains(':')).collect()
}

#[tokio::test]
async fn the_known_era_is_tried_first_and_the_other_where_it_is_refused() {
    use Era::{Discover, Initialize};
    let cases: &[(&str, Option<Era>, Era, &[&str])] = &[
        ("initialize", None, Initialize, &["server/discover", "initialize", "notifications/initialized"]),
        ("initialize", Some(Initialize), Initialize, &["initialize", "notifications/initialized"]),
        ("initialize", Some(Discover), Initialize, &["server/discover", "initialize", "notifications/initialized"]),
        ("discover", None, Discover, &["server/discover"]),
        ("discover", Some(Discover), Discover, &["server/discover"]),
        ("discover", Some(Initialize), Discover, &["initialize", "server/discover"]),
        ("both", None, Discover, &["server/discover"]),
        ("both", Some(Initialize), Initialize, &["initialize", "notifications/initialized"]),
    ];
    for (server, known, expected, asked) in cases {
        let how = format!("--era {server}");
        let stdio = Bench::new(PLAIN);
        let observation = observe(&stdio.stdio(&how), &knowing(*known)).await;
        assert_eq!(observation.overall(), Overall::Complete, "{server} {known:?}");
        assert_eq!(observation.observed_as.map(|seen| seen.era), Some(*expected), "{server} {known:?}");
        assert_eq!(opening(&stdio), *asked, "{server} {known:?}");
        let http = Bench::new(PLAIN);
        let observation = observe(&http.http(&how).target(), &knowing(*known)).await;
        assert_eq!(observation.overall(), Overall::Complete, "{server} {known:?}");
        assert_eq!(observation.observed_as.map(|seen| seen.era), Some(*expected), "{server} {known:?} over HTTP");
    }
}

#[tokio::test]
async fn a_server_that_an_unknown_question_kills_is_started_again() {
    let bench = Bench::new(PLAIN);
    let observation = observe(&bench.stdio("die-at-discover"), &options()).await;
    assert_eq!(observation.overall(), Overall::Complete);
    assert_eq!(opening(&bench), ["server/discover", "initialize", "notifications/initialized"]);
}

/// A short silence is enough to be asked the other question, too.
fn brisk() -> Limits {
    Limits { probe: Duration::from_millis(300), ..Limits::default() }
}

#[tokio::test]
async fn a_server_that_passes_over_an_unknown_question_is_asked_the_other_in_the_same_process() {
    let bench = Bench::new(PLAIN);
    let opened = soon(Session::open(&bench.stdio("ignore-discover"), &options(), &brisk())).await;
    let mut session = opened.expect("a session");
    let observation = see(&mut session).await;
    assert_eq!((observation.overall(), observation.notices), (Overall::Complete, Vec::new()));
    assert_eq!(opening(&bench), ["server/discover", "initialize", "notifications/initialized"]);
    soon(session.close()).await;
}

#[tokio::test]
async fn a_server_that_an_unknown_question_silences_is_started_again() {
    let bench = Bench::new(PLAIN);
    let hurried = Options { start_timeout: Duration::from_secs(2), ..options() };
    let observation = observe(&bench.stdio("wedge-at-discover"), &hurried).await;
    assert_eq!(observation.overall(), Overall::Complete);
    let asked = opening(&bench);
    assert_eq!(asked.iter().filter(|line| *line == "initialize").count(), 2, "{asked:?}");
}

/// A server that reads nothing for a second, and then both questions at once.
fn slow(bench: &Bench, how: &str) -> Target {
    let Target::Stdio { command: program, args, .. } = bench.stdio(how) else { panic!("a command") };
    let script = "sleep 1; exec \"$0\" \"$@\"".to_owned();
    command("sh", ["-c".to_owned(), script, program].into_iter().chain(args).collect())
}

#[tokio::test]
async fn a_slow_server_is_not_taken_for_one_of_the_other_era() {
    let cases = [
        ("--era discover", None, Era::Discover),
        ("--era initialize", None, Era::Initialize),
        // It takes both questions, and goes on in the era of the second.
        ("--era both", None, Era::Initialize),
        // What is known is waited for.
        ("--era both", Some(Era::Discover), Era::Discover),
        ("--era both", Some(Era::Initialize), Era::Initialize),
    ];
    for (how, known, expected) in cases {
        let bench = Bench::new(PLAIN);
        let opened = soon(Session::open(&slow(&bench, how), &knowing(known), &brisk())).await;
        let mut session = opened.expect("a session");
        let observation = see(&mut session).await;
        assert_eq!(observation.observed_as.as_ref().map(|seen| seen.era), Some(expected), "{how} {known:?}");
        assert_eq!((observation.overall(), observation.notices), (Overall::Complete, Vec::new()), "{how} {known:?}");
        see_nothing(&mut session).await;
        soon(session.close()).await;
    }
}

#[tokio::test]
async fn an_unknown_revision_is_named() {
    for era in ["initialize", "discover"] {
        let bench = Bench::new(r#"{"capabilities": {}, "protocol_version": "2031-01-01"}"#);
        let how = format!("--era {era}");
        for (code, text) in
            [refused(&bench.stdio(&how), &options()).await, refused(&bench.http(&how).target(), &options()).await]
        {
            assert_eq!(code, "unsupported-protocol");
            assert!(text.contains("2031-01-01"), "{text}");
        }
    }
}

#[tokio::test]
async fn every_revision_of_the_initialize_era_is_understood() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let bench = Bench::new(PLAIN.replacen('{', &format!("{{\"protocol_version\": \"{version}\", "), 1));
        let observation = observe(&bench.stdio(""), &knowing(Some(Era::Initialize))).await;
        assert_eq!(observation.observed_as.map(|seen| seen.protocol_version).as_deref(), Some(version));
    }
}
