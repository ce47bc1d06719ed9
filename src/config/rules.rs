//! `[policy] preset`, `[[policy.rule]]`, and the entries of `[[policy.suppress]]` that let a rule be.

use super::error::ConfigError;
use super::toml_source::Section;
use crate::digest::SurfaceDigest;
use crate::interop::mcptrust::{Mode, Preset, Rule, Rules, Waiver};
use crate::text::is_hidden;
use strum::VariantNames as _;

pub(super) const RULE: [&str; 4] = ["name", "expr", "mode", "message"];
const WAIVER: [&str; 4] = ["server", "policy-rule", "digest", "reason"];
/// Rules of one policy.
const MOST_RULES: usize = 64;
/// Bytes of an expression.
const MOST_EXPR: usize = 4_096;
/// Characters of a name, and of a message.
const MOST_NAME: usize = 64;
const MOST_MESSAGE: usize = 500;

/// The key that tells a suppression of a rule from one of an item.
pub(super) const OF_RULE: &str = "policy-rule";

/// The rules of a `[policy]`, those of the preset first.
pub(super) fn read(policy: &Section<'_>) -> Result<Rules, ConfigError> {
    let mut rules = Rules::default();
    if let Some(preset) = policy.word::<Preset>("preset", Preset::VARIANTS)? {
        rules.rules = preset.rules();
    }
    for section in policy.sections("rule")? {
        let rule = rule(&section)?;
        if rules.rules.iter().any(|other| other.name == rule.name) {
            return Err(section.bad_value("name", "two rules have this name"));
        }
        rules.rules.push(rule);
    }
    if rules.rules.len() > MOST_RULES {
        return Err(policy.bad_value("rule", format!("a policy has at most {MOST_RULES} rules")));
    }
    for section in policy.sections("suppress")? {
        if section.has(OF_RULE) {
            rules.waivers.push(waiver(&section, &rules.rules)?);
        }
    }
    Ok(rules)
}

fn rule(section: &Section<'_>) -> Result<Rule, ConfigError> {
    section.only(&RULE)?;
    let name = needed(section, "name", MOST_NAME)?;
    let expr = section.text("expr")?.ok_or_else(|| section.incomplete("needs an `expr`"))?.value;
    if expr.len() > MOST_EXPR {
        return Err(section.bad_value("expr", format!("an expression has at most {MOST_EXPR} bytes")));
    }
    let mode = section.word("mode", Mode::VARIANTS)?.unwrap_or_default();
    let message = if section.has("message") { needed(section, "message", MOST_MESSAGE)? } else { String::new() };
    Ok(Rule { name, expr, mode, message })
}

fn waiver(section: &Section<'_>, rules: &[Rule]) -> Result<Waiver, ConfigError> {
    section.only(&WAIVER)?;
    let rule = needed(section, OF_RULE, MOST_NAME)?;
    if !rules.iter().any(|known| known.name == rule) {
        return Err(section.bad_value(OF_RULE, "no rule of this policy has this name"));
    }
    let digest: Result<SurfaceDigest, String> = needed(section, "digest", MOST_MESSAGE)?.parse();
    Ok(Waiver {
        server: needed(section, "server", MOST_MESSAGE)?,
        rule,
        digest: digest.map_err(|fault| section.bad_value("digest", fault))?.to_string(),
        reason: needed(section, "reason", MOST_MESSAGE)?,
    })
}

/// A text that is there and can be seen.
fn needed(section: &Section<'_>, key: &str, most: usize) -> Result<String, ConfigError> {
    let text = section.text(key)?.map(|text| text.value).filter(|text| !text.trim().is_empty());
    let text = text.ok_or_else(|| section.incomplete(&format!("needs a `{key}`")))?;
    if text.contains(is_hidden) {
        return Err(section.bad_value(key, "it has characters that cannot be seen"));
    }
    if text.chars().count() > most {
        return Err(section.bad_value(key, format!("it has more than {most} characters")));
    }
    Ok(text)
}
