//! What a collector is sent is OTLP, as OpenTelemetry's own types read it; and no more than was to be told.

use super::surfaces::{observation, recorded, surface};
use jiff::Timestamp;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value};
use opentelemetry_proto::tonic::metrics::v1::{metric::Data, number_data_point};
use pinwatch::drift::Policy;
use pinwatch::finding::Severity;
use pinwatch::interop::otlp::{Numbers, Record, Teller, logs, metrics, not_taken};
use pinwatch::review::review;
use serde_json::json;
use std::time::Duration;

fn teller() -> Teller {
    Teller { machine: Some("7f3a".to_owned()), project: "shop".to_owned() }
}

fn pairs(attributes: &[KeyValue]) -> Vec<(String, String)> {
    let text = |attribute: &KeyValue| match attribute.value.clone().and_then(|value| value.value) {
        Some(Value::StringValue(text)) => (attribute.key.clone(), text),
        other => panic!("{}: {other:?}", attribute.key),
    };
    attributes.iter().map(text).collect()
}

/// Each point of each metric: `name key=value… number`.
fn points(body: &[u8]) -> Vec<String> {
    let request: ExportMetricsServiceRequest = serde_json::from_slice(body).unwrap();
    let [resource] = &request.resource_metrics[..] else { panic!("one resource") };
    let named = pairs(&resource.resource.as_ref().unwrap().attributes);
    assert!(named.contains(&("service.name".to_owned(), "pinwatch".to_owned())), "{named:?}");
    assert!(named.contains(&("service.instance.id".to_owned(), "7f3a".to_owned())), "{named:?}");
    assert!(named.contains(&("pinwatch.project".to_owned(), "shop".to_owned())), "{named:?}");
    let [scope] = &resource.scope_metrics[..] else { panic!("one scope") };
    let mut told = Vec::new();
    for metric in &scope.metrics {
        let points = match metric.data.as_ref().unwrap() {
            Data::Gauge(gauge) => &gauge.data_points,
            Data::Sum(sum) => {
                assert!(sum.is_monotonic && sum.aggregation_temporality == 2, "cumulative");
                assert_eq!(sum.data_points[0].start_time_unix_nano, 1_000_000_000);
                &sum.data_points
            }
            other => panic!("{other:?}"),
        };
        for point in points {
            assert_eq!(point.time_unix_nano, 90_000_000_000);
            let of = pairs(&point.attributes).into_iter().map(|(key, value)| format!(" {key}={value}"));
            let number = match point.value.unwrap() {
                number_data_point::Value::AsInt(whole) => whole.to_string(),
                number_data_point::Value::AsDouble(number) => number.to_string(),
            };
            told.push(format!("{}{} {number} {}", metric.name, of.collect::<String>(), metric.unit));
        }
    }
    told
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

#[test]
fn numbers_are_otlp_to_its_own_types() {
    let shown = |tools: serde_json::Value| surface(&observation(json!({ "tools": tools }).to_string().as_bytes()));
    let tool = |name: &str, text: &str| json!({"name": name, "description": text, "inputSchema": {"type": "object"}});
    let baseline = recorded(&shown(json!([tool("a", "Reads a file.")])));
    let now = shown(json!([tool("a", "Reads a file, and sends it."), tool("b", "Reads a page.")]));
    let review = review("files".into(), Some(&baseline), &now, &Policy::default());
    let numbers = [Numbers::of("files", Some(Duration::from_millis(1500)), Some(&review)), Numbers::down("mail")];
    let body = metrics(&teller(), &numbers, 3, at(1), at(90));
    insta::assert_snapshot!(points(&body).join("\n"), @r"
    pinwatch.items pinwatch.server=files pinwatch.state=approved 0 {item}
    pinwatch.items pinwatch.server=files pinwatch.state=drifted 1 {item}
    pinwatch.items pinwatch.server=files pinwatch.state=new 1 {item}
    pinwatch.items pinwatch.server=files pinwatch.state=rejected 0 {item}
    pinwatch.items pinwatch.server=files pinwatch.state=gone 0 {item}
    pinwatch.items pinwatch.server=files pinwatch.state=unknown 0 {item}
    pinwatch.drifts pinwatch.server=files pinwatch.severity=info 0 {drift}
    pinwatch.drifts pinwatch.server=files pinwatch.severity=moderate 2 {drift}
    pinwatch.drifts pinwatch.server=files pinwatch.severity=critical 0 {drift}
    pinwatch.server.up pinwatch.server=files 1 1
    pinwatch.server.up pinwatch.server=mail 0 1
    pinwatch.look.duration pinwatch.server=files 1.5 s
    pinwatch.events.lost 3 {event}
    ");
}

#[test]
fn a_server_that_is_down_has_no_numbers() {
    let told = points(&metrics(&teller(), &[Numbers::down("mail")], 0, at(1), at(90)));
    assert_eq!(told, ["pinwatch.server.up pinwatch.server=mail 0 1", "pinwatch.events.lost 0 {event}"]);
}

#[test]
fn events_are_otlp_to_its_own_types() {
    let record = |severity, warns| Record {
        at: at(7),
        server: "files".to_owned(),
        event: "drift".to_owned(),
        severity,
        warns,
        item: "tool/a\u{200b}".to_owned(),
        text: "says \u{1b}[31mrm".to_owned(),
    };
    let records = [
        record(Some(Severity::Critical), true),
        record(Some(Severity::Moderate), true),
        record(Some(Severity::Info), true),
        record(None, true),
        record(None, false),
    ];
    let body = logs(&teller(), &records, at(90));
    let request: ExportLogsServiceRequest = serde_json::from_slice(&body).unwrap();
    let told = &request.resource_logs[0].scope_logs[0].log_records;
    let levels: Vec<_> = told.iter().map(|one| (one.severity_number, one.severity_text.as_str())).collect();
    assert_eq!(levels, [(17, "ERROR"), (13, "WARN"), (9, "INFO"), (13, "WARN"), (9, "INFO")]);
    let first = &told[0];
    assert_eq!((first.time_unix_nano, first.observed_time_unix_nano), (7_000_000_000, 90_000_000_000));
    assert_eq!(first.event_name, "pinwatch.drift");
    let Some(Value::StringValue(text)) = first.body.clone().unwrap().value else { panic!("a text") };
    assert_eq!(text, "says <U+001B>[31mrm", "through the seam");
    let attributes = pairs(&first.attributes);
    let expected =
        [("pinwatch.server", "files"), ("pinwatch.item", "tool/a<U+200B>"), ("pinwatch.severity", "critical")];
    assert_eq!(attributes, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
}

#[test]
fn an_answer_says_what_was_not_taken() {
    for (answer, lost) in [
        (&b""[..], 0),
        (b"{}", 0),
        (b"not json", 0),
        (br#"{"partialSuccess":{}}"#, 0),
        (br#"{"partialSuccess":{"rejectedLogRecords":"3","errorMessage":"too old"}}"#, 3),
        (br#"{"partialSuccess":{"rejectedDataPoints":2}}"#, 2),
        (br#"{"partialSuccess":{"rejectedLogRecords":-1}}"#, 0),
        (br#"{"partialSuccess":[]}"#, 0),
    ] {
        assert_eq!(not_taken(answer), lost, "{}", String::from_utf8_lossy(answer));
    }
}
