//! What a project's policy says otherwise: severities set by hand, and exact definitions that are let be. Each says so in
//! the reasons of the drift that it acts on, so that nothing is calm without a word.

use super::admissions::NOT_ADMITTED;
use super::form::{DANGLING, REFUSED};
use super::judge::shortened;
use super::signed::{DOES_NOT_HOLD, MALFORMED, REQUIRED};
use super::{Drift, DriftType, Finding, Ignore, Severity};
use crate::digest::SurfaceDigest;
use crate::finding;
use crate::surface::{ItemId, Kind};
use serde_json::{Value, json};
use std::borrow::Cow;

/// Sets the severity of what it fits. At least one of `drift_type` and `rule` is there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Override {
    pub drift_type: Option<DriftType>,
    pub rule: Option<Cow<'static, str>>,
    /// Of this server alone.
    pub server: Option<String>,
    /// Of this item alone.
    pub item: Option<ItemId>,
    pub severity: Severity,
}

/// Lets one exact definition of one item be, or what one rule finds in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Suppression {
    pub server: String,
    pub item: ItemId,
    /// The definition: any other one is not let be.
    pub digest: SurfaceDigest,
    /// Findings of this rule alone; none for all of its drift.
    pub rule: Option<Cow<'static, str>>,
    /// Why, in the person's words.
    pub reason: String,
}

/// The names of all rules of findings that are built in.
pub fn rule_names() -> Vec<&'static str> {
    let mut names = finding::rule_names();
    names.extend([REFUSED, DANGLING, DOES_NOT_HOLD, MALFORMED, REQUIRED, NOT_ADMITTED]);
    names.sort_unstable();
    names
}

impl Override {
    /// What it sets and where, as a sentence. May quote the config.
    pub fn sentence(&self) -> String {
        let what = match (self.drift_type, self.rule.as_deref()) {
            (Some(drift_type), Some(rule)) => format!("`{rule}` in `{drift_type}`"),
            (Some(drift_type), None) => format!("`{drift_type}`"),
            (None, rule) => format!("`{}`", rule.unwrap_or_default()),
        };
        format!("pinwatch.toml rates {what} {}", self.severity)
    }

    /// Whether it can act on this item.
    pub fn fits(&self, server: &str, id: &ItemId) -> bool {
        self.server.as_deref().is_none_or(|own| own == server) && self.item.as_ref().is_none_or(|own| own == id)
    }

    /// As the policy's digest has it.
    pub fn to_json(&self) -> Value {
        json!({
            "type": self.drift_type.map(DriftType::word),
            "rule": self.rule,
            "server": self.server,
            "item": self.item.as_ref().map(ItemId::text),
            "severity": self.severity.word(),
        })
    }
}

impl Suppression {
    /// Whether it is about this definition.
    pub fn is_of(&self, server: &str, id: &ItemId, digest: SurfaceDigest) -> bool {
        self.server == server && self.item == *id && self.digest == digest
    }

    /// As the policy's digest has it.
    pub fn to_json(&self) -> Value {
        json!({
            "server": self.server,
            "item": self.item.text(),
            "digest": self.digest.to_string(),
            "rule": self.rule,
            "reason": self.reason,
        })
    }

    /// What is said where it acts.
    pub fn sentence(&self) -> String {
        let what = self.rule.as_deref().map_or_else(|| "it".to_owned(), |rule| format!("`{rule}`"));
        let reason = shortened(&self.reason);
        format!("pinwatch.toml suppresses {what} in exactly this definition ({}): {reason}", self.digest.short())
    }
}

/// The overrides and suppressions of a policy, and what it leaves out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exceptions {
    /// The first that fits counts.
    pub overrides: Vec<Override>,
    /// In the order of the file.
    pub suppressions: Vec<Suppression>,
    /// Items that are not compared.
    pub ignored: Vec<Ignore>,
}

impl Exceptions {
    /// The pattern by which an item of a server is not compared.
    pub fn ignored(&self, server: &str, id: &ItemId) -> Option<&Ignore> {
        self.ignored.iter().find(|ignore| ignore.fits(server, id))
    }

    /// Rates the findings of a drift otherwise, before they raise it; what is said of it.
    pub(super) fn rate_findings(&self, server: &str, drift: &mut Drift) -> Vec<String> {
        let mut said = Vec::new();
        let mut say = |text: String| {
            if !said.contains(&text) {
                said.push(text);
            }
        };
        let digest = digest_of(drift);
        let of_rule = |finding: &Finding| {
            let fits = |one: &&Suppression| {
                one.rule.as_ref() == Some(&finding.rule)
                    && digest.is_some_and(|digest| one.is_of(server, &drift.id, digest))
            };
            self.suppressions.iter().find(fits)
        };
        let rated = |finding: &Finding| {
            let fits = |one: &&Override| {
                one.rule.as_ref() == Some(&finding.rule)
                    && one.drift_type.is_none_or(|of| of == drift.drift_type)
                    && one.fits(server, &drift.id)
            };
            self.overrides.iter().find(fits)
        };
        let mut severities = Vec::with_capacity(drift.findings.len());
        for finding in &drift.findings {
            let severity = match (of_rule(finding), rated(finding)) {
                (Some(suppression), _) => {
                    say(suppression.sentence());
                    Severity::Safe
                }
                (None, Some(set)) => {
                    let rule = &finding.rule;
                    say(format!("pinwatch.toml rates `{rule}` {}; otherwise it is {}", set.severity, finding.severity));
                    set.severity
                }
                (None, None) => finding.severity,
            };
            severities.push(severity);
        }
        for (finding, severity) in drift.findings.iter_mut().zip(severities) {
            finding.severity = severity;
        }
        said
    }

    /// Rates a drift otherwise, after its profile has. Findings that it brought still raise it: whoever lets a type be has
    /// not said that of an order to the model.
    pub(super) fn rate(&self, server: &str, drift: &mut Drift) {
        let of_type = |one: &&Override| {
            one.rule.is_none() && one.drift_type == Some(drift.drift_type) && one.fits(server, &drift.id)
        };
        if let Some(set) = self.overrides.iter().find(of_type) {
            let brought = drift.findings.iter().filter(|finding| finding.added).map(|finding| finding.severity).max();
            let severity = set.severity.max(brought.unwrap_or(Severity::Safe)).max(Severity::Info);
            let (word, own) = (drift.drift_type, drift.severity);
            drift.reasons.insert(0, format!("pinwatch.toml rates `{word}` as {}; otherwise it is {own}", set.severity));
            drift.severity = severity;
        }
        let whole = |one: &&Suppression| {
            one.rule.is_none() && digest_of(drift).is_some_and(|digest| one.is_of(server, &drift.id, digest))
        };
        if let Some(suppression) = self.suppressions.iter().find(whole) {
            let own = drift.severity;
            drift.reasons.insert(0, format!("{}; otherwise it is {own}", suppression.sentence()));
            drift.severity = Severity::Info;
        }
    }
}

/// The definition that a drift is about: what is served, else what was pinned.
fn digest_of(drift: &Drift) -> Option<SurfaceDigest> {
    let item = drift.side.now.as_ref().or(drift.side.pinned.as_ref())?;
    Some(item.digests.surface)
}

/// A kind and key as the config writes them: the key may be left out where a kind has one item.
pub fn item_of(text: &str) -> Result<ItemId, String> {
    let item = ItemId::parse(text)?;
    match item.kind {
        Kind::Tool | Kind::Prompt | Kind::Resource | Kind::ResourceTemplate if item.key.is_empty() => {
            Err(format!("`{text}` names no {}: write {}/NAME", item.kind, item.kind))
        }
        _ => Ok(item),
    }
}
