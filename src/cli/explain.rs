//! `pinwatch explain`: what a drift type, a finding rule or a profile means. The same words as the help of a rule in SARIF.

use super::{Explain, out};
use crate::error::Exit;
use crate::report::explain::{PROFILES, RULES, TYPES, Topic};
use anyhow::bail;

/// Explains one, or lists all.
pub fn run(explain: &Explain) -> anyhow::Result<Exit> {
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
        None => bail!("unknown name `{name}`; did you mean `{}`? `pinwatch explain` lists all", nearest(name)),
    }
    Ok(Exit::Fine)
}

fn nearest(name: &str) -> &'static str {
    let known = TYPES.iter().chain(RULES.iter()).chain(&PROFILES).map(|topic| topic.name);
    known.min_by_key(|known| strsim::damerau_levenshtein(known, name)).unwrap_or_default()
}
