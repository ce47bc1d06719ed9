//! `pinwatch explain`: what a drift type, a finding rule or a profile means. The same words as the help of a rule in SARIF.

use super::{Explain, Global, open, out, rules};
use crate::error::Exit;
use crate::report::explain::{PROFILES, RULES, TYPES, Topic};
use crate::text::did_you_mean;
use anyhow::bail;

/// Explains one, or lists all.
pub fn run(global: &Global, explain: &Explain) -> anyhow::Result<Exit> {
    if explain.name.as_deref() == Some("rules") {
        rules::explain();
        return Ok(Exit::Fine);
    }
    let Some(name) = &explain.name else {
        let all = [("Drift types", &TYPES[..]), ("Finding rules", &RULES[..]), ("Policy profiles", &PROFILES[..])];
        for (heading, topics) in all {
            out::line(heading);
            for topic in topics {
                out::line(&format!("  {:24} {}", topic.name, topic.title));
            }
        }
        return Ok(Exit::Fine);
    };
    match Topic::find(name) {
        Some(topic) => out::print(&topic.text()),
        None if explain_own(global, name) => {}
        None => {
            let known = TYPES.iter().chain(RULES.iter()).chain(&PROFILES).map(|topic| topic.name);
            bail!("unknown name `{name}`{} (`pinwatch explain` lists all)", did_you_mean(name, known))
        }
    }
    Ok(Exit::Fine)
}

/// Explains a rule of the project's own, where it has one of that name.
fn explain_own(global: &Global, name: &str) -> bool {
    let Ok(project) = open::open(global, None) else { return false };
    let Some(rule) = project.desk.rules.findings.rules.iter().find(|rule| rule.name == name) else { return false };
    out::line(&format!("{} (finding rule of this project): {}", rule.name, rule.title));
    for text in [&rule.explain, &rule.advice].into_iter().filter(|text| !text.is_empty()) {
        out::line("");
        out::line(text);
    }
    true
}
