//! `[[policy.override]]` and `[[policy.suppress]]`: names are checked, and the nearest known one is offered.

use super::error::ConfigError;
use super::rules::OF_RULE;
use super::toml_source::Section;
use crate::digest::SurfaceDigest;
use crate::drift::{DriftType, Exceptions, Override, Severity, Suppression, item_of, rule_names};
use crate::finding::{self, Rule};
use crate::opinion::is_of_scanner;
use crate::surface::ItemId;
use crate::text::is_hidden;
use std::borrow::Cow;
use strum::VariantNames as _;

pub(super) const OVERRIDE: [&str; 5] = ["type", "rule", "server", "item", "severity"];
pub(super) const SUPPRESS: [&str; 5] = ["server", "item", "digest", "rule", "reason"];

/// Both lists of a `[policy]`; `own` are the project's own rules of findings.
pub(super) fn read(policy: &Section<'_>, own: &[Rule]) -> Result<Exceptions, ConfigError> {
    let of_override = |section: &Section<'_>| one_override(section, own);
    let of_suppression = |section: &Section<'_>| one_suppression(section, own);
    Ok(Exceptions {
        overrides: policy.sections("override")?.iter().map(of_override).collect::<Result<_, _>>()?,
        suppressions: (policy.sections("suppress")?.iter())
            .filter(|section| !section.has(OF_RULE))
            .map(of_suppression)
            .collect::<Result<_, _>>()?,
        ignored: Vec::new(),
    })
}

fn one_override(section: &Section<'_>, own: &[Rule]) -> Result<Override, ConfigError> {
    section.only(&OVERRIDE)?;
    let drift_type = section.word("type", DriftType::VARIANTS)?;
    let rule = rule(section, own)?;
    if drift_type.is_none() && rule.is_none() {
        return Err(section.incomplete("needs a `type` of drift or a `rule` of findings"));
    }
    let severity = section.word("severity", &Severity::ALL.map(Severity::word))?;
    Ok(Override {
        drift_type,
        rule,
        server: section.text("server")?.map(|server| server.value),
        item: item(section)?,
        severity: severity.ok_or_else(|| section.incomplete("needs a `severity`"))?,
    })
}

fn one_suppression(section: &Section<'_>, own: &[Rule]) -> Result<Suppression, ConfigError> {
    section.only(&SUPPRESS)?;
    let needed = |key: &str| {
        let text = section.text(key)?.map(|text| text.value).filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| section.incomplete(&format!("needs a `{key}`")))
    };
    let reason = needed("reason")?;
    if reason.contains(is_hidden) {
        return Err(section.bad_value("reason", "the reason must contain a visible character"));
    }
    let digest: SurfaceDigest =
        needed("digest")?.parse().map_err(|fault: String| section.bad_value("digest", fault))?;
    needed("item")?;
    Ok(Suppression {
        server: needed("server")?,
        item: item(section)?.ok_or_else(|| section.incomplete("needs an `item`"))?,
        digest,
        rule: rule(section, own)?,
        reason,
    })
}

/// A rule of findings, pinwatch's or the project's own, or nothing.
fn rule(section: &Section<'_>, own: &[Rule]) -> Result<Option<Cow<'static, str>>, ConfigError> {
    let Some(text) = section.text("rule")? else { return Ok(None) };
    if let Some(now) = finding::renamed(&text.value) {
        return Err(section.bad_value("rule", format!("`{}` is called `{now}` now", text.value)));
    }
    let known: Vec<&str> = rule_names().into_iter().chain(own.iter().map(|rule| rule.name.as_str())).collect();
    if known.contains(&text.value.as_str()) || is_of_scanner(&text.value) {
        return Ok(Some(Cow::Owned(text.value)));
    }
    Err(section.unknown(text.line, "rule", &text.value, &known))
}

fn item(section: &Section<'_>) -> Result<Option<ItemId>, ConfigError> {
    let text = section.text("item")?;
    text.map(|text| item_of(&text.value).map_err(|fault| section.bad_value("item", fault))).transpose()
}
