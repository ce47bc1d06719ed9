//! A collector is told while somebody watches, and its absence is one notice.

use super::collector::{Collector, Does, Told};
use super::project::{Project, drifted, two_tools};
use super::{eventually, recorded, start};

fn bodies(told: &[Told], path: &str) -> String {
    told.iter().filter(|(_, at, _)| at == path).map(|(.., body)| body.to_string()).collect()
}

#[test]
fn a_collector_is_told_while_somebody_watches() {
    let collector = Collector::start(Does::Take);
    let project = recorded();
    let otlp = format!("[otlp]\nendpoint = \"{}\"\ninterval = \"1s\"\n", collector.url());
    project.write("pinwatch.toml", &format!("{otlp}{}", Project::entry("files", &[])));
    let mut screen = start::pinwatch(&project, &["watch", "--yes"], 120, 40);
    screen.until_shows("Nothing needs you.");
    eventually("numbers", || bodies(&collector.told(), "/v1/metrics").contains("pinwatch.look.duration"));
    project.surface("files", &drifted());
    screen.until_shows("1 moderate");
    eventually("the drift", || bodies(&collector.told(), "/v1/logs").contains("tool/read_file"));
    screen.press("events");
    screen.until_shows("collector ✓");
    // Its end is said once, and nothing else changes.
    collector.does(Does::Status(503));
    screen.until_shows("the collector is not told: the collector answers with HTTP status 503");
    project.surface("files", &two_tools());
    screen.until_shows("collector: the collector answers");
    let before = bodies(&collector.told(), "/v1/logs");
    collector.does(Does::Take);
    // What happened meanwhile is told when it is back.
    eventually("the rest", || bodies(&collector.told(), "/v1/logs").len() > before.len());
    screen.until_shows("collector ✓");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}

#[test]
fn an_edited_collector_is_asked_about_first() {
    let collector = Collector::start(Does::Take);
    let project = recorded();
    let mut screen = start::pinwatch(&project, &["watch"], 120, 40);
    screen.until_shows("CONSENT");
    screen.press("open");
    screen.until_shows("Start files?");
    screen.press("confirm");
    screen.until_shows("Nothing needs you.");
    let otlp = format!("[otlp]\nendpoint = \"{}\"\ninterval = \"1s\"\n", collector.url());
    project.write("pinwatch.toml", &format!("{otlp}{}", Project::entry("files", &[])));
    screen.until_shows("CONSENT");
    screen.press("open");
    screen.until_shows("is told of it now");
    eventually("reports", || collector.told().len() > 2);
    let told: String = collector.told().iter().map(|(.., body)| body.to_string()).collect();
    assert!(!told.contains("\"files\""), "{told}");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}
