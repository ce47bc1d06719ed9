//! Word of changed lists between looks.

use super::kit::*;
use pinwatch::mcp::{Event, Options, Target};
use pinwatch::surface::Kind;
use std::time::Duration;

fn listening() -> Options {
    Options { listen: true, ..options() }
}

/// A change is heard of, looked at, and not heard of again.
async fn a_change_is_heard(bench: &Bench, target: &Target) {
    bench.rewrite(PLAIN);
    let mut session = open(target, &listening()).await;
    see(&mut session).await;
    // The subscription is on its way; what was changed before it arrived is not told of.
    let wanted = |line: &String| line == "GET" || line == "subscriptions/listen" || line == "notifications/initialized";
    until("the subscription", || bench.log().iter().filter(|line| wanted(line)).count() > 0).await;
    let mut heard = false;
    for round in 0..20 {
        bench.rewrite(PLAIN.replace("\"write\"", &format!("\"write{round}\"")));
        if let Ok(event) = tokio::time::timeout(Duration::from_secs(2), session.changed()).await {
            assert_eq!(event, Event::ListChanged);
            heard = true;
            break;
        }
    }
    assert!(heard, "no word of the change");
    assert!(texts(&see(&mut session).await, Kind::Tool)[1].contains("write"));
    let quiet = tokio::time::timeout(Duration::from_millis(300), session.changed()).await;
    assert!(quiet.is_err(), "one change is told once: {quiet:?}");
    see_nothing(&mut session).await;
    soon(session.close()).await;
}

#[tokio::test]
async fn changed_list_is_heard_in_every_transport_and_era() {
    let bench = Bench::new(PLAIN);
    a_change_is_heard(&bench, &bench.stdio("")).await;
    let bench = Bench::new(PLAIN);
    a_change_is_heard(&bench, &bench.stdio("--era discover")).await;
    for how in ["", "--era discover"] {
        let bench = Bench::new(PLAIN);
        let endpoint = bench.http(how);
        a_change_is_heard(&bench, &endpoint.target()).await;
    }
}

#[tokio::test]
async fn endpoint_without_a_change_stream_is_polled() {
    let bench = Bench::new(PLAIN);
    let endpoint = bench.http("no-stream");
    let mut session = open(&endpoint.target(), &listening()).await;
    see(&mut session).await;
    let heard = tokio::time::timeout(Duration::from_millis(300), session.changed()).await;
    assert!(heard.is_err(), "{heard:?}");
    assert_eq!(see_nothing(&mut session).await, []);
    soon(session.close()).await;
}

#[tokio::test]
async fn twenty_thousand_changes_are_one() {
    let bench = Bench::new(PLAIN);
    let mut session = open(&bench.stdio("flood"), &options()).await;
    see(&mut session).await;
    let mut events = 0;
    while let Ok(event) = tokio::time::timeout(Duration::from_secs(3), session.changed()).await {
        assert_eq!(event, Event::ListChanged);
        events += 1;
        assert!(events < 100, "the flood is not bounded");
        // What is left of the flood is read by the look.
        if events == 1 {
            assert!(count(&session.notices(), "list-changed-flood") > 0);
            break;
        }
    }
    assert_eq!(events, 1);
    soon(session.close()).await;
}

#[tokio::test]
async fn waiting_for_changes_can_be_given_up_at_any_time() {
    let bench = Bench::new(PLAIN);
    let mut session = open(&bench.stdio(""), &options()).await;
    see(&mut session).await;
    bench.rewrite(PLAIN.replace("\"write\"", "\"wrote\""));
    let mut heard = None;
    let start = std::time::Instant::now();
    while heard.is_none() && start.elapsed() < CEILING {
        heard = tokio::time::timeout(Duration::from_millis(1), session.changed()).await.ok();
    }
    assert_eq!(heard, Some(Event::ListChanged));
    assert!(texts(&see(&mut session).await, Kind::Tool)[1].contains("wrote"));
    soon(session.close()).await;
}

#[tokio::test]
async fn changes_of_ignored_kinds_are_not_heard_of() {
    let bench = Bench::new(PLAIN);
    let mut session = open(&bench.stdio(""), &Options { ignore: [Kind::Tool].into(), ..options() }).await;
    see(&mut session).await;
    bench.rewrite(PLAIN.replace("\"write\"", "\"wrote\""));
    let heard = tokio::time::timeout(Duration::from_secs(1), session.changed()).await;
    assert!(heard.is_err(), "{heard:?}");
    soon(session.close()).await;
}
