//! A collector is told what was agreed to, once at the end of a command; and nothing that it does changes what the command
//! says.

use super::collector::{Collector, Does};
use super::project::{Done, Project, drifted, two_tools};
use serde_json::Value;
use std::fs;

/// A recorded project with one drift, whose found file names a collector.
fn drifting(otlp: &str) -> Project {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    project.surface("files", &drifted());
    project.write("pinwatch.toml", &format!("{otlp}{}", Project::entry("files", &[])));
    project
}

fn section(collector: &Collector, more: &str) -> String {
    format!("[otlp]\nendpoint = \"{}\"\n{more}", collector.url())
}

fn events(bodies: &[(String, String, Value)]) -> Vec<String> {
    let records = bodies.iter().filter(|(_, path, _)| path == "/v1/logs").flat_map(|(.., body)| {
        body["resourceLogs"][0]["scopeLogs"][0]["logRecords"].as_array().cloned().unwrap_or_default()
    });
    records.map(|one| format!("{} {}", one["severityText"].as_str().unwrap(), one["attributes"])).collect()
}

#[test]
fn check_and_record_tell_a_collector_once() {
    let collector = Collector::start(Does::Take);
    let project = drifting(&section(&collector, ""));
    project.expect(1, &["check", "--yes"]);
    let told = collector.told();
    let paths: Vec<_> = told.iter().map(|(_, path, _)| path.as_str()).collect();
    assert_eq!(paths, ["/v1/metrics", "/v1/logs"]);
    let metrics = told[0].2.to_string();
    assert!(metrics.contains("pinwatch.items") && metrics.contains("\"files\""), "{metrics}");
    assert!(told[0].0.contains("content-type: application/json"), "{}", told[0].0);
    let events = events(&told);
    assert_eq!(events.len(), 1, "{events:?}");
    assert!(events[0].starts_with("WARN") && events[0].contains("tool/read_file"), "{events:?}");
    project.expect(0, &["record", "--yes"]);
    assert!(collector.told().len() > 2);
}

#[test]
fn a_found_collector_is_agreed_to_with_each_launch() {
    let collector = Collector::start(Does::Take);
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    project.write("pinwatch.toml", &format!("{}{}", section(&collector, ""), Project::entry("files", &[])));
    let done = project.expect(2, &["check"]);
    assert!(done.out.contains("consent"), "{done:?}");
    let told = collector.told();
    assert!(!told.iter().any(|(.., body)| body.to_string().contains("\"files\"")), "its name was told: {told:?}");
    let shown = project.expect(0, &["servers"]);
    assert!(shown.out.contains("(OTLP) is told its name"), "{}", shown.out);
    // Who types a server agreed to what they typed.
    let fixture = super::fixture::fixture_server();
    let words = ["check", "--name", "files", "--", fixture.to_str().unwrap(), "files.json"];
    let before = collector.told().len();
    project.expect(1, &words);
    assert_eq!(collector.told().len(), before, "a typed server is told to nobody");
}

#[test]
fn ones_own_collector_needs_no_consent() {
    let collector = Collector::start(Does::Take);
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    fs::create_dir_all(project.home().join("config/pinwatch")).unwrap();
    fs::write(project.home().join("config/pinwatch/config.toml"), section(&collector, "")).unwrap();
    project.expect(0, &["check", "--yes"]);
    assert!(collector.told()[0].2.to_string().contains("\"files\""));
}

#[test]
fn nothing_that_a_collector_does_changes_a_check() {
    for (does, said) in [
        (Does::Redirect, "redirects, and redirects are not followed"),
        (Does::Status(500), "HTTP status 500"),
        (Does::Status(429), "HTTP status 429"),
        (Does::NotTaken, "did not take"),
        (Does::HangUp, "was not told"),
        (Does::Flood, ""),
        (Does::Garbage, ""),
    ] {
        let collector = Collector::start(does);
        let project = drifting(&section(&collector, ""));
        let plain = project.run(&["check", "--yes", "--config", "pinwatch.toml"]);
        let Done { code, out, err } = &plain;
        assert_eq!(*code, 1, "{does:?}: {plain:?}");
        assert!(out.contains("read_file"), "{does:?}");
        if said.is_empty() {
            assert!(!err.contains("collector"), "{does:?}: {err}");
        } else {
            assert!(err.contains(said), "{does:?}: {err}");
            assert_eq!(err.matches("collector http").count(), 1, "{does:?}: one notice: {err}");
        }
        assert!(!collector.told().iter().any(|(_, path, _)| path == "/elsewhere"), "{does:?}: followed");
    }
    let gone = Collector::start(Does::Take);
    let project = drifting(&section(&gone, ""));
    project.write("pinwatch.toml", &project.read("pinwatch.toml").replace(&gone.url(), "http://127.0.0.1:9"));
    let done = project.expect(1, &["check", "--yes"]);
    assert!(done.err.contains("was not told: cannot connect"), "{done:?}");
}

#[test]
fn headers_go_to_the_collector_and_nowhere_else() {
    let collector = Collector::start(Does::Status(403));
    let headers = "headers = { Authorization = \"Bearer ${COLLECTOR_KEY}\" }\n";
    let project = drifting(&section(&collector, headers));
    let secret = "hunter2-of-the-collector";
    let mut command = project.command(&["check", "--yes"]);
    let done = super::project::done(command.env("COLLECTOR_KEY", secret));
    assert_eq!(done.code, 1, "{done:?}");
    assert!(collector.told()[0].0.contains(&format!("authorization: bearer {secret}")), "{:?}", collector.told());
    assert!(!format!("{done:?}").contains(secret), "{done:?}");
    // Without it the collector is not told, and that is all.
    let before = collector.told().len();
    let done = project.expect(1, &["check", "--yes"]);
    assert!(done.err.contains("COLLECTOR_KEY"), "{done:?}");
    assert_eq!(collector.told().len(), before);
}

#[test]
fn a_bad_collector_is_named_with_its_line() {
    for (otlp, said) in [
        ("[otlp]\n", "pinwatch.toml:1: [otlp] needs an `endpoint`"),
        ("[otlp]\nendpoint = \"ftp://a.example\"\n", "is neither http:// nor https://"),
        ("[otlp]\nendpoint = \"http://a.example:4318\"\n", "unencrypted; use https, or `allow-plain = true`"),
        ("[otlp]\nendpoint = \"https://a.example\"\ninterval = \"0s\"\n", "interval"),
        ("[otlp]\nendpoint = \"https://a.example\"\nheader = {}\n", "did you mean `headers`"),
        ("[otlp]\nendpoint = \"https://a.example\"\nheaders = { \"a b\" = \"c\" }\n", "cannot be sent as a header"),
    ] {
        let project = Project::new();
        project.surface("files", &two_tools());
        project.write("pinwatch.toml", &format!("{otlp}{}", Project::entry("files", &[])));
        let done = project.expect(2, &["check", "--yes"]);
        assert!(done.err.contains(said), "{otlp}: {done:?}");
    }
}
