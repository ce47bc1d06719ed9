//! `[otlp]`: the collector that is told numbers and events, as a project's file or the person's own names it.

use super::entry::Pairs;
use super::error::{ConfigError, Fault, Place};
use super::expand::{Dialect, Lookup, Surroundings, Text, Unexpanded};
use super::toml_source::Section;
use crate::oauth::is_local;
use crate::store::redact::{Secrets, mask_url};
use crate::surface::Reason;
use crate::text::visible;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use url::Url;

pub(super) const OTLP: [&str; 4] = ["endpoint", "headers", "interval", "allow-plain"];

/// What metrics are sent at by OpenTelemetry's own SDKs (`OTEL_METRIC_EXPORT_INTERVAL`).
const INTERVAL: Duration = Duration::from_mins(1);
/// A shorter one would tell of looks that have not happened.
const SHORTEST: Duration = Duration::from_secs(1);

/// The section as it is written. No `Debug`: what is written may be a secret.
#[derive(Clone)]
pub(super) struct WrittenOtlp {
    endpoint: Text,
    headers: Pairs,
    interval: Duration,
    allow_plain: bool,
    file: PathBuf,
    place: Place,
}

/// A collector (OTLP/HTTP) that is told numbers and events. Its `Debug` shows no value that may be a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Collector {
    /// Where it is, or why it cannot be reached from here.
    pub target: Result<CollectorTarget, Reason>,
    /// Time between two reports.
    pub interval: Duration,
    /// Whether a project's file names it. Then a server is told of only once its launch was agreed to with the collector.
    pub is_shared: bool,
    /// As which address it is shown: masked, not escaped.
    pub shown: String,
    /// The file that names it.
    pub file: PathBuf,
    parts: Vec<String>,
}

/// Where a collector is, with every variable put in. No `Debug`: it may hold secrets.
#[derive(Clone, PartialEq, Eq)]
pub struct CollectorTarget {
    /// The base, to which `/v1/metrics` and `/v1/logs` are added.
    pub url: Url,
    /// Names and values.
    pub headers: Vec<(String, String)>,
}

impl CollectorTarget {
    /// The address of one signal, `metrics` or `logs` (OTLP specification, "OTLP/HTTP Request").
    pub fn of(&self, signal: &str) -> Url {
        let mut url = self.url.clone();
        let path = format!("{}/v1/{signal}", url.path().trim_end_matches('/'));
        url.set_path(&path);
        url
    }
}

impl Collector {
    /// What a person agrees to with a launch. Not escaped.
    pub fn sentence(&self) -> String {
        format!(
            "the collector {} (OTLP) is told its name, the names of its tools, what happens to them in lines that may quote them, and the name of this project's folder",
            self.shown
        )
    }

    /// What consent binds to, one text a member: a rotated token asks nothing again.
    pub(super) fn parts(&self) -> &[String] {
        &self.parts
    }

    /// Whether consent to the one is consent to the other.
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.parts == other.parts
    }

    /// What the redactor must know.
    pub fn secrets(&self) -> Secrets {
        let mut secrets = Secrets::default();
        if let Ok(target) = &self.target {
            secrets.url(target.url.as_str());
            for (name, value) in &target.headers {
                secrets.header(name, value);
            }
        }
        secrets
    }
}

impl fmt::Debug for Collector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collector")
            .field("shown", &self.shown)
            .field("is_shared", &self.is_shared)
            .finish_non_exhaustive()
    }
}

/// The section of a config file, which messages call `shown`.
pub(super) fn read(top: &Section<'_>, shown: &Path) -> Result<Option<WrittenOtlp>, ConfigError> {
    let Some(section) = top.section("otlp")? else { return Ok(None) };
    section.only(&OTLP)?;
    let Some(endpoint) = section.text("endpoint")? else {
        return Err(
            section.incomplete("needs an `endpoint`: the URL of a collector, such as \"http://127.0.0.1:4318\"")
        );
    };
    let interval = section.duration("interval")?.unwrap_or(INTERVAL);
    if interval < SHORTEST {
        return Err(section.bad_value("interval", "must be a second at least"));
    }
    let headers = section.pairs("headers")?.unwrap_or_default().into_iter();
    Ok(Some(WrittenOtlp {
        endpoint: Text::new(&endpoint.value, Dialect::Ours),
        headers: headers.map(|(name, text)| (name, Text::new(&text.value, Dialect::Ours))).collect(),
        interval,
        allow_plain: section.flag("allow-plain")?.is_some_and(|flag| flag.value),
        file: shown.to_owned(),
        place: section.place_of("endpoint"),
    }))
}

impl WrittenOtlp {
    /// The collector. What is written wrongly is an error; a variable that is not there only keeps it from being told.
    pub(super) fn collector(
        self,
        environment: Lookup<'_>,
        cwd: &Path,
        is_shared: bool,
    ) -> Result<Collector, ConfigError> {
        let (answers, own) = (BTreeMap::new(), Pairs::new());
        let around = Surroundings { environment, workspace: cwd, answers: &answers, own: &own };
        let target = self.target(&around)?;
        let mut parts = vec![match &target {
            Ok(target) => target.url.to_string(),
            Err(_) => self.endpoint.shown.clone(),
        }];
        parts.extend(self.headers.iter().map(|(name, text)| format!("{name}: {}", text.shown)));
        parts.push(format!("plain: {}", self.allow_plain));
        let shown = mask_url(&self.endpoint.shown);
        Ok(Collector { target, interval: self.interval, is_shared, shown, file: self.file, parts })
    }

    fn target(&self, around: &Surroundings<'_>) -> Result<Result<CollectorTarget, Reason>, ConfigError> {
        let bad = |key: &str, text: String| {
            Fault::BadValue { key: key.to_owned(), section: " in [otlp]".to_owned(), text }.at(self.place.clone())
        };
        let absent = |unexpanded| {
            let text = match unexpanded {
                Unexpanded::Fault(text) => text,
                Unexpanded::Input(id) => format!("`${{input:{}}}` is asked for by no client here", visible(&id)),
            };
            Reason::new("not-usable", format!("[otlp] cannot be used: {text}"))
        };
        let url = match self.endpoint.expand(around, false) {
            Ok(url) => url,
            Err(unexpanded) => return Ok(Err(absent(unexpanded))),
        };
        let shown = visible(&mask_url(&url)).to_string();
        let url = Url::parse(&url).map_err(|error| bad("endpoint", format!("`{shown}` is not a URL: {error}")))?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(bad("endpoint", format!("`{shown}` is neither http:// nor https://")));
        }
        if url.scheme() == "http" && !is_local(&url) && !self.allow_plain {
            let text = "what it is told would go to another machine unencrypted; use https, or `allow-plain = true`";
            return Err(bad("endpoint", text.to_owned()));
        }
        let mut headers = Vec::new();
        for (name, text) in &self.headers {
            let value = match text.expand(around, false) {
                Ok(value) => value,
                Err(unexpanded) => return Ok(Err(absent(unexpanded))),
            };
            let fits = reqwest::header::HeaderName::from_bytes(name.as_bytes()).is_ok()
                && reqwest::header::HeaderValue::from_str(&value).is_ok();
            if !fits {
                return Err(bad("headers", format!("`{}` and its value cannot be sent as a header", visible(name))));
            }
            headers.push((name.clone(), value));
        }
        Ok(Ok(CollectorTarget { url, headers }))
    }
}
