//! What a guard told of calls, as the chain binds it: not the lines themselves, which may be a million, but for each file how
//! many of a run it wrote so far, and the digest of those. A later record of a run covers all that the earlier ones did.

use super::record::{
    CALLS_GUARDED, Draft, DriftStatus, Outcome, Quarantine, RecordSeverity, spelled, to_the_millisecond,
};
use super::sighting::About;
use crate::digest::Sha256;
use crate::text::count;
use serde_json::{Value, json};

/// The format of the evidence beside these records.
const FORMAT: &str = "pinwatch.calls.v1";

/// What a run of a guard decided so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calls {
    /// The run, 32 hex digits, as it stands in its lines.
    pub run: String,
    /// Calls that passed.
    pub passed: u64,
    /// Calls that did not.
    pub denied: u64,
    /// Lines that could not be written.
    pub unwritten: u64,
    /// The id of the key that signs statements, where one does.
    pub key: Option<String>,
    /// Its lines, by format.
    pub lines: Vec<Lines>,
}

/// The lines of a run in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The format's word.
    pub format: String,
    /// The file that they were written to.
    pub file: String,
    /// How many.
    pub count: u64,
    /// SHA-256 over all of them in order, each with its end.
    pub digest: Sha256,
}

impl Calls {
    /// The record.
    pub fn draft(&self, about: &About<'_>) -> Draft {
        let lines: Vec<Value> = self.lines.iter().map(Lines::to_json).collect();
        let evidence = json!({
            "format": FORMAT, "event": "calls", "at": to_the_millisecond(about.at), "server": spelled(about.server),
            "root": about.root, "by": about.by, "policy": about.policy, "run": self.run, "passed": self.passed,
            "denied": self.denied, "unwritten": self.unwritten, "key": self.key, "lines": lines,
        });
        let all = usize::try_from(self.passed + self.denied).unwrap_or(usize::MAX);
        Draft {
            at: about.at,
            principal_id: about.by.to_owned(),
            event_type: CALLS_GUARDED,
            tool_name: None,
            outcome: Outcome::Allowed,
            purpose: format!(
                "a guard decided {} of {} so far, of which {} did not pass",
                count(all, "call"),
                spelled(about.server),
                self.denied
            ),
            drift_status: DriftStatus::None,
            severity: if self.unwritten > 0 { RecordSeverity::Medium } else { RecordSeverity::Info },
            quarantine: Quarantine::Release,
            policy: Some(about.policy.to_owned()),
            admission: None,
            evidence: Ok(evidence),
        }
    }

    /// What a record binds; none of another record.
    pub fn read(record: &Value) -> Option<Self> {
        let evidence = record.get("evidence").filter(|evidence| evidence["format"] == FORMAT)?;
        let lines = evidence.get("lines")?.as_array()?.iter().map(Lines::read);
        let number = |name: &str| evidence.get(name).and_then(Value::as_u64);
        Some(Self {
            run: evidence.get("run")?.as_str()?.to_owned(),
            passed: number("passed")?,
            denied: number("denied")?,
            unwritten: number("unwritten")?,
            key: evidence.get("key").and_then(Value::as_str).map(str::to_owned),
            lines: lines.collect::<Option<_>>()?,
        })
    }
}

impl Lines {
    fn to_json(&self) -> Value {
        let Self { format, file, count, digest } = self;
        json!({"format": format, "file": spelled(file), "count": count, "digest": format!("sha256:{digest}")})
    }

    fn read(value: &Value) -> Option<Self> {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        Some(Self {
            format: text("format")?.to_owned(),
            file: text("file")?.to_owned(),
            count: value.get("count")?.as_u64()?,
            digest: Sha256::from_text(text("digest")?)?,
        })
    }
}
