//! OTLP in its JSON encoding (opentelemetry-proto 1.x, "JSON Protobuf Encoding"): numbers as metrics, events as log records.
//!
//! Members are camelCase, 64-bit integers are strings, enumerations numbers. Names and texts of servers go through the escaping
//! seam here; masking secrets in them is the caller's. A server that cannot be read has no numbers: what is not seen is left out,
//! never zero.

use crate::finding::Severity;
use crate::review::{ApprovalState, Review};
use crate::text::visible;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::time::Duration;

/// What of a server is told as numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// Its id.
    pub server: String,
    /// Whether its last look was good.
    pub is_up: bool,
    /// How long that took.
    pub look: Option<Duration>,
    /// Items by state; empty where nothing can be said of them.
    pub items: Vec<(&'static str, u64)>,
    /// Drifts by severity, likewise.
    pub drifts: Vec<(&'static str, u64)>,
}

impl Numbers {
    /// Of a server of which nothing is known now.
    pub fn down(server: &str) -> Self {
        Self { server: server.to_owned(), is_up: false, look: None, items: Vec::new(), drifts: Vec::new() }
    }

    /// Of a server that was read; every state and severity stands there, so that what is over reads zero.
    pub fn of(server: &str, look: Option<Duration>, review: Option<&Review>) -> Self {
        let mut numbers = Self { is_up: true, look, ..Self::down(server) };
        let Some(review) = review else { return numbers };
        let counts = &review.counts;
        numbers.items = [
            (ApprovalState::Approved, counts.approved),
            (ApprovalState::Drifted, counts.drifted),
            (ApprovalState::New, counts.new),
            (ApprovalState::Rejected, counts.rejected),
            (ApprovalState::Gone, counts.gone),
            (ApprovalState::Unknown, counts.unknown),
        ]
        .map(|(state, many)| (state.word(), many as u64))
        .to_vec();
        let drifts = |severity| review.drifts.iter().filter(|drift| drift.severity == severity).count() as u64;
        let told = [Severity::Info, Severity::Moderate, Severity::Critical];
        numbers.drifts = told.map(|severity| (severity.word(), drifts(severity))).to_vec();
        numbers
    }
}

/// What happened, as one log record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// When.
    pub at: Timestamp,
    /// Which server.
    pub server: String,
    /// What, in one word of ours: `drift`, `stale`, …
    pub event: String,
    /// The severity of the drift, where it is one.
    pub severity: Option<Severity>,
    /// Whether somebody should look, where it is no drift.
    pub warns: bool,
    /// The item, as KIND/KEY; empty for the server as a whole.
    pub item: String,
    /// One sentence.
    pub text: String,
}

impl Record {
    /// `SeverityNumber` and its text (logs data model, "Field: SeverityNumber"): INFO, WARN, ERROR.
    fn level(&self) -> (u8, &'static str) {
        match self.severity {
            Some(Severity::Critical) => (17, "ERROR"),
            Some(Severity::Moderate) => (13, "WARN"),
            None if self.warns => (13, "WARN"),
            Some(Severity::Info | Severity::Safe) | None => (9, "INFO"),
        }
    }
}

/// Who tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Teller {
    /// This machine, by a name that says nothing of it; none where it has none yet.
    pub machine: Option<String>,
    /// The project's folder, by its own name.
    pub project: String,
}

impl Teller {
    fn resource(&self) -> Value {
        let mut attributes = vec![
            text("service.name", "pinwatch"),
            text("service.version", env!("CARGO_PKG_VERSION")),
            text("pinwatch.project", &self.project),
        ];
        attributes.extend(self.machine.iter().map(|machine| text("service.instance.id", machine)));
        json!({ "attributes": attributes })
    }
}

/// The body of a request to `/v1/metrics`. `lost`: events that were never told, since `begun`.
pub fn metrics(teller: &Teller, numbers: &[Numbers], lost: u64, begun: Timestamp, now: Timestamp) -> Vec<u8> {
    let at = nanoseconds(now);
    let whole = |attributes: Vec<Value>, many: u64| json!({ "attributes": attributes, "timeUnixNano": at, "asInt": many.to_string() });
    let by = |of: &dyn Fn(&Numbers) -> &[(&'static str, u64)], key: &str| -> Vec<Value> {
        let one = |server: &Numbers| {
            let points = of(server).iter();
            points
                .map(|(word, many)| whole(vec![text(SERVER, &server.server), text(key, word)], *many))
                .collect::<Vec<_>>()
        };
        numbers.iter().flat_map(one).collect()
    };
    let up = numbers.iter().map(|server| whole(vec![text(SERVER, &server.server)], u64::from(server.is_up)));
    let looks = numbers.iter().filter_map(|server| {
        let seconds = server.look?.as_secs_f64();
        Some(json!({ "attributes": [text(SERVER, &server.server)], "timeUnixNano": at, "asDouble": seconds }))
    });
    let gauges = [
        ("pinwatch.items", "{item}", "Items by approval state", by(&|server| &server.items, "pinwatch.state")),
        ("pinwatch.drifts", "{drift}", "Drifts by severity", by(&|server| &server.drifts, "pinwatch.severity")),
        ("pinwatch.server.up", "1", "Whether the last look at a server was good", up.collect()),
        ("pinwatch.look.duration", "s", "How long the last good look took", looks.collect()),
    ];
    // A gauge without a point is refused by some receivers.
    let gauges = gauges.into_iter().filter(|(.., points)| !points.is_empty()).map(|(name, unit, description, points)| {
        json!({ "name": name, "unit": unit, "description": description, "gauge": { "dataPoints": points } })
    });
    let lost = json!({
        "name": "pinwatch.events.lost", "unit": "{event}", "description": "Events that could not be told",
        // AGGREGATION_TEMPORALITY_CUMULATIVE.
        "sum": { "aggregationTemporality": 2, "isMonotonic": true, "dataPoints": [
            { "startTimeUnixNano": nanoseconds(begun), "timeUnixNano": at, "asInt": lost.to_string() },
        ] },
    });
    let metrics: Vec<Value> = gauges.chain([lost]).collect();
    json!({ "resourceMetrics": [{
        "resource": teller.resource(),
        "scopeMetrics": [{ "scope": scope(), "metrics": metrics }],
    }] })
    .to_string()
    .into_bytes()
}

/// The body of a request to `/v1/logs`.
pub fn logs(teller: &Teller, records: &[Record], now: Timestamp) -> Vec<u8> {
    let one = |record: &Record| {
        let (number, word) = record.level();
        let mut attributes = vec![text(SERVER, &record.server)];
        if !record.item.is_empty() {
            attributes.push(text("pinwatch.item", &record.item));
        }
        attributes.extend(record.severity.map(|severity| text("pinwatch.severity", severity.word())));
        json!({
            "timeUnixNano": nanoseconds(record.at), "observedTimeUnixNano": nanoseconds(now),
            "severityNumber": number, "severityText": word, "eventName": format!("pinwatch.{}", record.event),
            "body": { "stringValue": visible(&record.text).to_string() }, "attributes": attributes,
        })
    };
    let records: Vec<Value> = records.iter().map(one).collect();
    json!({ "resourceLogs": [{
        "resource": teller.resource(),
        "scopeLogs": [{ "scope": scope(), "logRecords": records }],
    }] })
    .to_string()
    .into_bytes()
}

/// How many of those sent a collector did not take, as its answer says (`partialSuccess`); none where it says nothing of that,
/// or nothing that can be read.
pub fn not_taken(answer: &[u8]) -> u64 {
    let Ok(answer) = serde_json::from_slice::<Value>(answer) else { return 0 };
    let Some(partial) = answer.get("partialSuccess") else { return 0 };
    let many = ["rejectedLogRecords", "rejectedDataPoints"].into_iter().find_map(|key| partial.get(key));
    let many = many.and_then(|many| many.as_u64().or_else(|| many.as_str()?.parse().ok()));
    many.unwrap_or_default()
}

const SERVER: &str = "pinwatch.server";

fn scope() -> Value {
    json!({ "name": "pinwatch", "version": env!("CARGO_PKG_VERSION") })
}

fn text(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": visible(value).to_string() } })
}

/// Nanoseconds since 1970 as protobuf's JSON writes a `fixed64`.
fn nanoseconds(at: Timestamp) -> String {
    at.as_nanosecond().max(0).to_string()
}
