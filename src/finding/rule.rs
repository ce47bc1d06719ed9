//! Rules as data: those that are embedded and those of the user, in the same form (`rules/*.toml`).

use super::pattern::{Found, Relation};
use super::reading::{Mark, Reading};
use super::severity::Severity;
use crate::digest::Sha256;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A rule: what a person reads, and the patterns that say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Kebab-case; what reports, policies and `--fail-on` call it.
    pub name: String,
    /// What it finds, in a few words.
    pub title: String,
    /// Why that is worth a look, and what is honest.
    pub explain: String,
    /// What a person does about it.
    pub advice: String,
    /// What it looks for.
    pub patterns: Vec<Pattern>,
    /// SHA-256 of its file, by which a policy knows it.
    pub digest: Sha256,
}

/// What a rule looks for in one sentence, or in two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// What the text does, to follow `Tells the model`, or a whole sentence. `{tool}` stands for the tool that is named.
    pub says: String,
    /// How bad it is.
    pub severity: Severity,
    /// Texts in which it is to be found.
    pub poisoned: Vec<String>,
    /// Texts in which the rule is to find nothing as bad.
    pub honest: Vec<String>,
    /// The entries of `all` as they are written.
    pub written: Vec<String>,
    all: Vec<Relation>,
    none: Vec<Relation>,
    next: bool,
}

/// What is wrong with a rule file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {key}: {fault}")]
pub struct RuleError {
    /// Counted from one.
    pub line: usize,
    /// The key at fault.
    pub key: String,
    /// What is wrong, as a sentence.
    pub fault: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRule {
    name: toml::Spanned<String>,
    title: String,
    explain: String,
    #[serde(default)]
    advice: String,
    #[serde(default)]
    pattern: Vec<WrittenPattern>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenPattern {
    says: String,
    all: Vec<toml::Spanned<String>>,
    #[serde(default)]
    none: Vec<toml::Spanned<String>>,
    severity: toml::Spanned<String>,
    /// Whether the entries of `all` may stand in a sentence and the one after it.
    #[serde(default)]
    next_sentence: bool,
    #[serde(default)]
    poisoned: Vec<String>,
    #[serde(default)]
    honest: Vec<String>,
}

fn line_of(text: &str, at: usize) -> usize {
    text.get(..at).map_or(1, |before| before.split('\n').count())
}

impl Rule {
    /// Reads a rule file.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        let written: WrittenRule = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            RuleError { line, key: "the file".to_owned(), fault: error.message().to_owned() }
        })?;
        let fault =
            |at: usize, key: &str, fault: String| RuleError { line: line_of(text, at), key: key.to_owned(), fault };
        let relations = |key: &str, entries: &[toml::Spanned<String>]| {
            let parse = |entry: &toml::Spanned<String>| {
                Relation::parse(entry.get_ref()).map_err(|wrong| fault(entry.span().start, key, wrong))
            };
            entries.iter().map(parse).collect::<Result<Vec<_>, _>>()
        };
        let name = written.name.get_ref();
        let part = |part: &str| part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        let kebab = name.split('-').all(|word| !word.is_empty() && part(word));
        if !kebab || name == "rules" {
            let why = if kebab { "is the topic of `pinwatch explain rules`" } else { "is not in kebab-case" };
            return Err(fault(written.name.span().start, "name", format!("`{name}` {why}")));
        }
        let mut patterns = Vec::new();
        for pattern in written.pattern {
            let severity = pattern.severity.get_ref().parse::<Severity>();
            let severity = severity.map_err(|wrong| fault(pattern.severity.span().start, "severity", wrong))?;
            patterns.push(Pattern {
                severity,
                all: relations("all", &pattern.all)?,
                none: relations("none", &pattern.none)?,
                written: pattern.all.iter().map(|entry| entry.get_ref().clone()).collect(),
                next: pattern.next_sentence,
                says: pattern.says,
                poisoned: pattern.poisoned,
                honest: pattern.honest,
            });
        }
        if patterns.is_empty() {
            return Err(fault(0, "pattern", "a rule needs at least one".to_owned()));
        }
        Ok(Self {
            name: written.name.into_inner(),
            title: written.title,
            explain: written.explain,
            advice: written.advice,
            patterns,
            digest: Sha256::of(text.as_bytes()),
        })
    }
}

/// What a policy says of the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Rules whose findings are left out.
    pub disable: BTreeSet<String>,
    /// The user's own rules, beside the embedded ones.
    pub rules: Vec<Rule>,
    /// The command of another scanner, as it is written; empty where none is asked.
    pub command: Vec<String>,
}

impl Rule {
    /// The worst of the patterns that hold in a sentence; of two as bad the first.
    pub(super) fn worst(&self, reading: &Reading, marks: &[Mark], next: &[Mark]) -> Option<(&Pattern, Found)> {
        let mut worst: Option<(&Pattern, Found)> = None;
        for pattern in &self.patterns {
            if worst.as_ref().is_some_and(|(known, _)| known.severity >= pattern.severity) {
                continue;
            }
            worst = pattern.find(reading, marks, next).map(|found| (pattern, found)).or(worst);
        }
        worst
    }
}

impl Pattern {
    /// What it says of a text that names this tool.
    pub(super) fn sentence(&self, tool: Option<&str>) -> String {
        let tool =
            tool.map_or_else(|| "other tools".to_owned(), |tool| format!("`{}`", crate::text::shortened(tool, 80)));
        self.says.replace("{tool}", &tool)
    }

    /// Whether it holds in a sentence, `next` being the one after it.
    pub(super) fn find(&self, reading: &Reading, marks: &[Mark], next: &[Mark]) -> Option<Found> {
        let mut found: Option<Found> = None;
        for (at, relation) in self.all.iter().enumerate() {
            let here = relation.find(reading, marks);
            // The first entry stands in the sentence itself, so that two sentences are not told twice.
            let one = if self.next && at > 0 { here.or_else(|| relation.find(reading, next)) } else { here }?;
            found = Some(match found {
                Some(found) => found.with(&one),
                None => one,
            });
        }
        let excused = self.none.iter().any(|relation| relation.find(reading, marks).is_some());
        found.filter(|_| !excused)
    }
}

macro_rules! embedded {
    ($($name:literal),+ $(,)?) => {
        /// The rule files that are embedded, the gravest first: of two findings as bad, its sentence is told first.
        pub static EMBEDDED: &[(&str, &str)] = &[$(($name, include_str!(concat!("rules/", $name, ".toml")))),+];
    };
}

embedded!(
    "asks-for-secrets",
    "sends-data-out",
    "asks-for-conversation",
    "carries-commands",
    "orders-destruction",
    "overrules-instructions",
    "steers-other-tools",
    "conceals-from-user",
    "lifts-consent",
);

/// The embedded rules. A test holds that each of the files is one.
pub static RULES: LazyLock<Vec<Rule>> =
    LazyLock::new(|| EMBEDDED.iter().filter_map(|(_, text)| Rule::parse(text).ok()).collect());
