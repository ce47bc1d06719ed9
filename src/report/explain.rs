//! What each drift type and each finding rule means, and what to do about it: one text for `pinwatch explain` and for
//! the help of a rule in SARIF. Pure words; nothing here decides anything.

mod profiles;
mod rules;
mod types;

pub use profiles::PROFILES;
pub use rules::RULES;
pub use types::TYPES;

/// A drift type, a rule or a profile, explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its name in reports and in `pinwatch.toml`.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What it means and why it matters.
    pub means: &'static str,
    /// What a person does about it.
    pub advice: &'static str,
}

impl Topic {
    /// The topic of a name.
    pub fn find(name: &str) -> Option<&'static Self> {
        TYPES.iter().chain(RULES.iter()).chain(&PROFILES).find(|topic| topic.name == name)
    }

    /// Whether it is a finding rule, not a drift type.
    pub fn is_rule(&self) -> bool {
        RULES.iter().any(|rule| rule.name == self.name)
    }

    /// `drift type`, `finding rule` or `profile`.
    pub fn kind(&self) -> &'static str {
        if self.is_rule() {
            "finding rule"
        } else if PROFILES.iter().any(|profile| profile.name == self.name) {
            "profile"
        } else {
            "drift type"
        }
    }

    /// The explanation as plain text, wrapped at 80 columns.
    pub fn text(&self) -> String {
        let head = format!("{} ({}): {}", self.name, self.kind(), self.title);
        let advice = format!("What to do: {}", self.advice);
        format!("{}\n\n{}\n\n{}\n", wrapped(&head), wrapped(self.means), wrapped(&advice))
    }

    /// The explanation as Markdown. Its words are ours: nothing has to be escaped.
    pub fn markdown(&self) -> String {
        format!(
            "**{}** ({}): {}\n\n{}\n\n**What to do.** {}\n",
            self.name,
            self.kind(),
            self.title,
            self.means,
            self.advice
        )
    }
}

/// Columns of a line.
const WIDTH: usize = 80;

/// Words in lines.
fn wrapped(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut().filter(|line| line.len() + 1 + word.len() <= WIDTH) {
            Some(line) => *line = format!("{line} {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drift::{DriftType, Profile, rule_names};
    use strum::VariantNames as _;

    #[test]
    fn each_type_and_rule_is_explained_and_no_other() {
        let sorted = |mut names: Vec<&'static str>| {
            names.sort_unstable();
            names
        };
        let explained = sorted(TYPES.iter().map(|topic| topic.name).collect());
        assert_eq!(explained, sorted(DriftType::VARIANTS.to_vec()));
        assert_eq!(sorted(RULES.iter().map(|topic| topic.name).collect()), sorted(rule_names()));
        assert_eq!(PROFILES.map(|topic| topic.name), Profile::VARIANTS);
        for topic in TYPES.iter().chain(RULES.iter()).chain(&PROFILES) {
            let texts = [topic.title, topic.means, topic.advice];
            // What GitHub shows of a rule, and what a person reads in a terminal.
            assert!(topic.title.len() <= 90 && texts.iter().all(|text| text.len() > 15), "{}", topic.name);
            assert!(topic.means.ends_with('.') && topic.advice.ends_with('.'), "{}", topic.name);
            assert!(!texts.concat().contains(char::is_control), "{}", topic.name);
            assert_eq!(Topic::find(topic.name).map(Topic::is_rule), Some(rule_names().contains(&topic.name)));
            assert!(topic.text().lines().all(|line| line.chars().count() <= WIDTH), "{}", topic.name);
        }
    }
}
