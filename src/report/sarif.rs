//! SARIF 2.1.0 (OASIS, errata 01), for code scanning: a result for each drift and for each finding that a drift brought, at
//! the pin in the baseline's file. What could not be told is a notification, and the run is then no success.
//!
//! Fingerprints name a drift by its item and both digests, so that one drift is one alert however often it is seen.

use super::explain::{RULES, TYPES, Topic};
use super::json::signature_json;
use super::told::{Told, severity_words};
use super::{BaselineWord, Report, ServerReport, body_lines};
use crate::canon::{Part, indented_parts};
use crate::digest::{DefinitionCluster, Item, Sha256};
use crate::drift::{Finding, Severity};
use crate::finding::Rule;
use crate::interop::mcptrust::Verdict;
use crate::surface::ItemId;
use crate::text::{UNRESERVED, is_hidden, visible};
use miniz_oxide::deflate::compress_to_vec;
use percent_encoding::{AsciiSet, utf8_percent_encode};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Lines of a message; the text report has all.
const LINES: usize = 60;

/// Results of a run. GitHub takes 25,000 and shows none of a file with more.
const MOST: usize = 25_000;
/// Bytes of the file as gzip packs it. GitHub takes 10 MB.
const PACKED: usize = 10_000_000;
/// The level at which its size is tried.
const FAST: u8 = 1;
/// The rule of the result that says how many others were left out.
const LEFT_OUT: &str = "results-left-out";
/// What stands before the name of a rule of the policy.
const POLICY_RULE: &str = "policy-rule";

/// The report as SARIF.
pub fn sarif(report: &Report) -> String {
    let told = report.told();
    let mut all: Vec<Alert<'_>> = told.iter().flat_map(alerts).collect();
    all.sort_by_key(|alert| Reverse(alert.severity()));
    // The last one says what was left out.
    let most = MOST.saturating_sub(policy_results(report).len());
    let mut kept = if all.len() > most { most.saturating_sub(1) } else { all.len() };
    loop {
        let text = document(report, &all, kept);
        let packed = packed_size(text.as_bytes());
        if packed <= PACKED || kept == 0 {
            return text;
        }
        // Results differ in size: what is cut once more is a share, and never nothing.
        kept = (kept * (PACKED / 100) / (packed / 97)).min(kept - 1);
    }
}

/// Bytes that gzip leaves of a text, at the most: zlib at its usual level looks for better matches than this one. A text that
/// is small as it is is not packed.
fn packed_size(text: &[u8]) -> usize {
    // gzip's own head and end (RFC 1952).
    if text.len() <= PACKED { text.len() } else { compress_to_vec(text, FAST).len() + 18 }
}

/// The first `kept` results, and one that counts the others.
fn document(report: &Report, all: &[Alert<'_>], kept: usize) -> String {
    let (told, left) = all.split_at(kept);
    let own = report.own_rules.iter().map(own_rule);
    let rules = TYPES.iter().chain(RULES.iter()).map(rule).chain(own).chain((!left.is_empty()).then(left_out_rule));
    let policy = policy_results(report);
    let rules = rules.chain(policy_rules(&policy)).collect::<Vec<_>>();
    let results = policy
        .into_iter()
        .chain(told.iter().map(Alert::result))
        .chain((!left.is_empty()).then(|| left_out(left, TYPES.len() + RULES.len() + report.own_rules.len())));
    let run = Part::Object(vec![
        (
            "tool",
            json!({"driver": {
                "name": "pinwatch",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }})
            .into(),
        ),
        ("automationDetails", json!({"id": "pinwatch/"}).into()),
        ("columnKind", json!("unicodeCodePoints").into()),
        (
            "invocations",
            json!([{
                "executionSuccessful": !report.is_undecided(),
                "toolExecutionNotifications": report.servers.iter().flat_map(unread).collect::<Vec<_>>(),
                "toolConfigurationNotifications": configuration(report),
            }])
            .into(),
        ),
        // Of many results only one is in memory at a time.
        ("results", Part::List(Box::new(results.map(Part::from)))),
        (
            "properties",
            json!({
                "outcome": report.outcome().word(),
                "policyProfile": report.profile,
                "policyDigest": report.policy_digest,
                "digestScopes": report.servers.iter()
                    .map(|server| (server.id.to_string(), json!(server.digest_scope)))
                    .collect::<serde_json::Map<_, _>>(),
            })
            .into(),
        ),
    ]);
    let document = Part::Object(vec![
        ("$schema", json!(SCHEMA).into()),
        ("version", json!("2.1.0").into()),
        ("runs", Part::List(Box::new(std::iter::once(run)))),
    ]);
    indented_parts(document, &is_hidden)
}

/// What becomes a result: a drift, or a finding that it brought.
struct Alert<'a> {
    told: &'a Told<'a>,
    finding: Option<&'a Finding>,
}

/// A drift, then what it brought.
fn alerts<'a>(told: &'a Told<'a>) -> impl Iterator<Item = Alert<'a>> {
    let brought = told.drift.findings.iter().filter(|finding| finding.added);
    std::iter::once(None).chain(brought.map(Some)).map(move |finding| Alert { told, finding })
}

impl Alert<'_> {
    fn severity(&self) -> Severity {
        self.finding.map_or(self.told.drift.severity, |finding| finding.severity)
    }

    fn result(&self) -> Value {
        match self.finding {
            None => of_drift(self.told),
            Some(finding) => of_finding(self.told, finding),
        }
    }
}

fn left_out_rule() -> Value {
    let text = "Code scanning accepts a limited number of results. The worst are listed; the rest are counted.";
    json!({
        "id": LEFT_OUT,
        "name": pascal(LEFT_OUT),
        "shortDescription": {"text": "more results than code scanning accepts"},
        "fullDescription": {"text": text},
        "help": {"text": "`pinwatch check --format json` has all of them."},
        "defaultConfiguration": {"level": "warning"},
    })
}

/// The result that says how many others there are, at the first of their baselines; `index` is that of its rule.
fn left_out(left: &[Alert<'_>], index: usize) -> Value {
    let severities: Vec<_> = left.iter().map(Alert::severity).collect();
    let text = format!(
        "{} left out, because code scanning accepts no more: {}. `pinwatch check --format json` has all of them.",
        if left.len() == 1 { "1 result was".to_owned() } else { format!("{} results were", left.len()) },
        severity_words(&severities),
    );
    let file = left.first().map(|alert| alert.told.server.file.as_str()).unwrap_or_default();
    json!({
        "ruleId": LEFT_OUT,
        "ruleIndex": index,
        "level": severities.iter().max().map_or("none", |severity| level(*severity)),
        "message": {"text": text},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri(file), "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": 1},
        }}],
        "partialFingerprints": {"pinwatchFingerprint/v1": LEFT_OUT, "primaryLocationLineHash": format!("{LEFT_OUT}:1")},
        "properties": {"leftOut": left.len()},
    })
}

fn rule(topic: &Topic) -> Value {
    let level = if topic.is_rule() { "error" } else { "warning" };
    json!({
        "id": topic.name,
        "name": pascal(topic.name),
        "shortDescription": {"text": topic.title},
        "fullDescription": {"text": topic.means},
        "help": {"text": topic.text(), "markdown": topic.markdown()},
        "defaultConfiguration": {"level": level},
        "properties": {"tags": ["mcp", "security", topic.kind()]},
    })
}

/// A rule of the project's own. Its words come from a file that was found.
fn own_rule(rule: &Rule) -> Value {
    let (title, explain) = (visible(&rule.title).to_string(), visible(&rule.explain).to_string());
    json!({
        "id": rule.name,
        "name": pascal(&rule.name),
        "shortDescription": {"text": title},
        "fullDescription": {"text": explain},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["mcp", "security", "finding rule of the project"]},
    })
}

/// `tool_changed` as SARIF writes names: `ToolChanged`.
fn pascal(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    };
    name.split(['_', '-']).map(word).collect()
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "error",
        Severity::Moderate => "warning",
        Severity::Info => "note",
        Severity::Safe => "none",
    }
}

fn of_drift(told: &Told<'_>) -> Value {
    let drift = told.drift;
    let head = format!("{} of {}: {}", visible(&told.item()), visible(&told.server.id), told.headline());
    let body = body_lines(drift);
    let more = body.len().saturating_sub(LINES);
    let more = (more > 0).then(|| format!("({more} more lines: `pinwatch check`)"));
    let lines: Vec<_> =
        std::iter::once(head).chain(body.into_iter().take(LINES)).chain(more).chain(told.approval()).collect();
    let mut own = result(told, drift.drift_type.word(), drift.severity, &lines.join("\n"), &told.fingerprint());
    let digest = |item: &Option<Arc<Item>>| item.as_ref().map(|item| item.digests.surface.to_string());
    let cluster = |item: &Option<Arc<Item>>| {
        item.as_ref().and_then(|item| item.digests.definition).map(DefinitionCluster::to_json)
    };
    let signature =
        |item: &Option<Arc<Item>>| item.as_ref().and_then(|item| signature_json(item, &told.server.keyring));
    own["properties"] = json!({
        "severity": drift.severity.word(),
        "effect": drift.effect.word(),
        "state": told.state().word(),
        "group": drift.group,
        "pinned": digest(&drift.side.pinned),
        "now": digest(&drift.side.now),
        "digestScope": told.server.digest_scope,
        "definition": {"pinned": cluster(&drift.side.pinned), "now": cluster(&drift.side.now)},
        "signature": {"pinned": signature(&drift.side.pinned), "now": signature(&drift.side.now)},
    });
    own
}

fn of_finding(told: &Told<'_>, finding: &Finding) -> Value {
    let place = if finding.path.as_str().is_empty() { "the definition" } else { finding.path.as_str() };
    let (item, server) = (visible(&told.item()).to_string(), visible(&told.server.id).to_string());
    let text = format!("{item} of {server}, {}: {}", visible(place), visible(&finding.text));
    let mut value = result(told, &finding.rule, finding.severity, &text, &told.fingerprint_of(finding));
    value["properties"] = json!({"severity": finding.severity.word(), "path": finding.path});
    value
}

fn result(told: &Told<'_>, rule: &str, severity: Severity, text: &str, fingerprint: &str) -> Value {
    let index = TYPES.iter().chain(RULES.iter()).position(|topic| topic.name == rule);
    json!({
        "ruleId": rule,
        // -1: the rule's id says which of the project's own it is.
        "ruleIndex": index.map_or(-1, |index| i64::try_from(index).unwrap_or(-1)),
        "level": level(severity),
        "message": {"text": message(text)},
        "locations": [{
            "physicalLocation": {
                "artifactLocation": {"uri": uri(&told.server.file), "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": told.line()},
            },
            "logicalLocations": logical(&told.server.id, Some(&told.drift.id)),
        }],
        // The second is the one that GitHub's code scanning goes by.
        "partialFingerprints": {"pinwatchFingerprint/v1": fingerprint, "primaryLocationLineHash": format!("{fingerprint}:1")},
    })
}

/// The item within its server.
fn logical(server: &str, item: Option<&ItemId>) -> Value {
    match item {
        None => {
            json!([{"name": visible(server).as_str(), "fullyQualifiedName": visible(server).as_str(), "kind": "module"}])
        }
        Some(item) => {
            let (name, whole) = (visible(&item.key).to_string(), format!("{server}/{}/{}", item.kind, item.key));
            let name = if name.is_empty() { item.kind.word().to_owned() } else { name };
            json!([{"name": name, "fullyQualifiedName": visible(&whole).as_str(), "kind": item.kind.word()}])
        }
    }
}

/// What came of the policy's rules that are to be told. A rule is about a server as a whole, and stands in the config.
fn policy_results(report: &Report) -> Vec<Value> {
    let of_server = |server: &ServerReport| {
        let Some(verdicts) = &server.policy else { return Vec::new() };
        let result = |verdict: &Verdict| {
            let (name, rule) = (visible(&server.id).to_string(), visible(&verdict.rule).to_string());
            let text = format!("{name}: policy rule {rule}: {}", visible(&verdict.sentence()));
            let fingerprint = Sha256::of(format!("{}\n{}\n{}", server.id, verdict.rule, verdicts.digest).as_bytes());
            let mut place = json!({"logicalLocations": logical(&server.id, None)});
            if !report.policy_file.is_empty() {
                place["physicalLocation"] = json!({
                    "artifactLocation": {"uri": uri(&report.policy_file), "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 1},
                });
            }
            json!({
                "ruleId": format!("{POLICY_RULE}/{rule}"),
                // -1: the rule's id says which of the policy's it is.
                "ruleIndex": -1,
                "level": if verdict.fails() { "error" } else { "warning" },
                "message": {"text": message(&text)},
                "locations": [place],
                "partialFingerprints": {
                    "pinwatchFingerprint/v1": fingerprint.to_string(),
                    "primaryLocationLineHash": format!("{fingerprint}:1"),
                },
                "properties": {"result": verdict.ruled.word(), "inputDigest": verdicts.digest},
            })
        };
        verdicts.standing().map(result).collect()
    };
    report.servers.iter().filter(|server| server.unwatched.is_none()).flat_map(of_server).collect()
}

/// The rules of the policy that have a result. Their names come from a file that was found.
fn policy_rules(results: &[Value]) -> Vec<Value> {
    let ids: BTreeSet<&str> = results.iter().filter_map(|result| result["ruleId"].as_str()).collect();
    let rule = |id: &str| {
        json!({
            "id": id,
            "name": "PolicyRule",
            "shortDescription": {"text": "a rule of the policy does not hold"},
            "fullDescription": {"text": "An expression of `[policy]` over what the server shows is not true."},
            "help": {"text": "`pinwatch help policy` says what rules are, and how one is suppressed."},
            "defaultConfiguration": {"level": "error"},
            "properties": {"tags": ["mcp", "security", "policy rule"]},
        })
    };
    ids.into_iter().map(rule).collect()
}

/// Why a server is not clean though nothing may have drifted.
fn unread(server: &ServerReport) -> Vec<Value> {
    let mut found = Vec::new();
    let level = if server.is_undecided() { "error" } else { "note" };
    let mut say = |code: &str, text: String| {
        found.push(json!({
            "descriptor": {"id": code},
            "level": level,
            "message": {"text": message(&text)},
            "locations": [{"logicalLocations": logical(&server.id, None)}],
        }));
    };
    let name = visible(&server.id);
    if let Some(unwatched) = &server.unwatched {
        say(unwatched.reason.code, format!("{name} is not watched: {}", visible(&unwatched.reason.text)));
        return found;
    }
    for (what, reason) in server.unknowns() {
        say(reason.code, format!("{name} {what}: {}", visible(&reason.text)));
    }
    match &server.baseline {
        BaselineWord::Present => {}
        BaselineWord::Absent => {
            say("no-baseline", format!("{name} has no baseline: {}", server.again.record(&server.id, "")));
        }
        BaselineWord::Refused(why) => {
            say("baseline-refused", format!("the baseline of {name} is refused: {}", visible(why)));
        }
    }
    found
}

fn configuration(report: &Report) -> Vec<Value> {
    let say = |code: &str, text: &str| json!({"descriptor": {"id": code}, "level": "error", "message": {"text": message(text)}});
    let none = report.servers.is_empty().then(|| say("no-server", "no server matched"));
    report.problems.iter().map(|problem| say("not-usable", problem)).chain(none).collect()
}

/// Printable text in which SARIF finds no link (`[text](target)`) and no placeholder (`{0}`) of its own (section 3.11).
fn message(text: &str) -> String {
    let plain = text.replace("](", "]<U+0028>");
    ('0'..='9').fold(plain, |plain, digit| plain.replace(&format!("{{{digit}"), &format!("<U+007B>{digit}")))
}

/// What is escaped in a relative path as a URI reference (RFC 3986): folder names of ours hold `%`.
const PATH: AsciiSet = UNRESERVED.remove(b'/');

fn uri(path: &str) -> String {
    utf8_percent_encode(path, &PATH).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_writes_no_link_and_no_placeholder() {
        assert_eq!(message("see [docs](https://a.b) {0} {x}"), "see [docs]<U+0028>https://a.b) <U+007B>0} {x}");
        assert_eq!(uri("a b/snapshots/%46iles/baseline.json"), "a%20b/snapshots/%2546iles/baseline.json");
        assert_eq!(pascal("asks-for-secrets"), "AsksForSecrets");
    }
    /// Against the program itself, where it is there.
    #[test]
    fn gzip_packs_no_worse() -> std::io::Result<()> {
        let mut dice = fastrand::Rng::with_seed(1);
        let noise: Vec<u8> = std::iter::repeat_with(|| dice.u8(..)).take(100_000).collect();
        let line = |number| {
            format!("  {{\n   \"text\": \"tool_{number}\",\n   \"now\": \"{}\"\n  }},\n", Sha256::of(noise.as_slice()))
        };
        let report: String = (0..5_000).map(line).collect();
        let folder = tempfile::tempdir()?;
        for text in [report.as_bytes(), include_bytes!("sarif.rs"), &noise, &b"ab".repeat(100_000)] {
            let file = folder.path().join("text");
            std::fs::write(&file, text)?;
            let mut gzip = std::process::Command::new("gzip");
            let Ok(packed) = gzip.arg("-c").stdin(std::fs::File::open(&file)?).output() else { break };
            assert!(compress_to_vec(text, FAST).len() + 18 >= packed.stdout.len());
        }
        Ok(())
    }
}
