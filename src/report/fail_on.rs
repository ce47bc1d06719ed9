//! What makes a check fail: a least severity, drift types, rules of findings, breaking changes, what could not be told.

use super::explain::{RULES, TYPES};
use crate::drift::{Drift, DriftType, Effect, Severity};
use crate::finding::Settings;
use crate::opinion::is_of_scanner;
use crate::text::did_you_mean;
use std::borrow::Cow;

/// What stands before the name of a project's own rule.
const OWN: &str = "rule:";

/// One word of `--fail-on`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailWord {
    /// Drifts of this severity and above.
    Severity(Severity),
    /// Drifts of this type, whatever their severity.
    Type(DriftType),
    /// Drifts that brought a finding of this rule, whatever its severity.
    Rule(Cow<'static, str>),
    /// Drifts that break callers.
    Breaking,
    /// What could not be told, which is exit status 2 otherwise.
    Unknown,
    /// What is configured or pinned and not watched, unless a person accepted that.
    Unwatched,
    /// Nothing. Stands alone.
    Never,
}

impl FailWord {
    /// Reads a word; the error names the nearest one.
    pub fn parse(word: &str) -> Result<Self, String> {
        if let Ok(severity) = word.parse() {
            return Ok(Self::Severity(severity));
        }
        if let Ok(found) = word.parse() {
            return Ok(Self::Type(found));
        }
        if let Some(rule) = RULES.iter().find(|rule| rule.name == word) {
            return Ok(Self::Rule(rule.name.into()));
        }
        // Which there are stands in the config, which is read later.
        if let Some(own) = word.strip_prefix(OWN) {
            return Ok(Self::Rule(own.to_owned().into()));
        }
        // What a scanner calls its rules is its own.
        if is_of_scanner(word) {
            return Ok(Self::Rule(word.to_owned().into()));
        }
        match word {
            "breaking" => Ok(Self::Breaking),
            "unknown" => Ok(Self::Unknown),
            "unwatched" => Ok(Self::Unwatched),
            "never" => Ok(Self::Never),
            _ => {
                let fixed =
                    Severity::ALL.map(Severity::word).into_iter().chain(["breaking", "unknown", "unwatched", "never"]);
                let known = fixed.chain(TYPES.iter().chain(RULES.iter()).map(|topic| topic.name));
                let near = did_you_mean(word, known);
                Err(format!("no severity, drift type or rule `{word}`{near} (`pinwatch explain` lists them)"))
            }
        }
    }
}

/// What makes a check fail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailOn {
    words: Vec<FailWord>,
}

impl FailOn {
    /// The words together: whichever applies fails. `never` beside another word is an error.
    pub fn new(words: Vec<FailWord>) -> Result<Self, &'static str> {
        if words.len() > 1 && words.contains(&FailWord::Never) {
            return Err("--fail-on never cannot be combined");
        }
        Ok(Self { words })
    }

    /// Whether each rule that is named can be there: pinwatch's, one of the project's own, or one of its scanner. The error
    /// names the first that cannot.
    pub fn among(&self, settings: &Settings) -> Result<(), String> {
        let is_own = |name: &str| settings.rules.iter().any(|rule| rule.name == name);
        let is_scanners = |name: &str| is_of_scanner(name) && !settings.command.is_empty();
        let is_known = |name: &str| RULES.iter().any(|rule| rule.name == name) || is_own(name) || is_scanners(name);
        let unknown = self.words.iter().find_map(|word| match word {
            FailWord::Rule(name) if !is_known(name) => Some(name),
            _ => None,
        });
        let why = |name: &Cow<'static, str>| {
            if is_of_scanner(name) {
                format!("--fail-on {name}: `[findings]` has no `command`, so that no scanner is asked")
            } else {
                format!("--fail-on {OWN}{name}: no rule of that name in `[findings] rules`")
            }
        };
        unknown.map_or(Ok(()), |name| Err(why(name)))
    }

    /// Whether a drift makes the check fail.
    pub fn counts(&self, drift: &Drift) -> bool {
        self.words.iter().any(|word| match word {
            FailWord::Severity(level) => drift.severity >= *level,
            FailWord::Type(drift_type) => drift.drift_type == *drift_type,
            FailWord::Rule(rule) => drift.findings.iter().any(|finding| finding.added && finding.rule == *rule),
            FailWord::Breaking => drift.effect == Effect::Breaking,
            FailWord::Unknown | FailWord::Unwatched | FailWord::Never => false,
        })
    }

    /// Whether what is not watched fails like a drift.
    pub fn counts_unwatched(&self) -> bool {
        self.words.contains(&FailWord::Unwatched)
    }

    /// Whether what could not be told fails like a drift.
    pub fn counts_unknown(&self) -> bool {
        self.words.contains(&FailWord::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fail_on_takes_severity_type_rule_or_a_keyword() {
        assert_eq!(FailWord::parse("critical"), Ok(FailWord::Severity(Severity::Critical)));
        assert_eq!(FailWord::parse("tool_removed"), Ok(FailWord::Type(DriftType::ToolRemoved)));
        assert_eq!(FailWord::parse("hidden-characters"), Ok(FailWord::Rule("hidden-characters".into())));
        assert_eq!(FailWord::parse("breaking"), Ok(FailWord::Breaking));
        assert!(FailWord::parse("tool_remove").is_err_and(|said| said.contains("did you mean `tool_removed`")));
        assert!(FailWord::parse("Critical").is_err_and(|said| said.contains("`critical`")));
        assert!(FailOn::new(vec![FailWord::Never, FailWord::Unknown]).is_err());
        assert!(FailOn::new(vec![FailWord::Never]).is_ok_and(|fails| !fails.counts_unknown()));
    }
}
