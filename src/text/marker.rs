//! What CI systems obey in the output of a step: the second half of the escaping seam, over text that is about to leave.
//!
//! An agent reads every line that a step prints, and takes some for commands, whoever wrote them. All known markers stand here
//! and nowhere else. One character of each is shown in the escape of the text's own form, so that it can be read back.

use aho_corasick::{AhoCorasick, MatchKind};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// How one character is escaped in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `<U+0023>`, as [`visible`](super::visible()) does.
    Text,
    /// `\u0023`: every marker stands in a string, and a reader gets the same value.
    Json,
    /// `&#35;`: the same in attributes and in content.
    Xml,
    /// Text whose lines may start with a workflow command of our own.
    Workflow,
}

impl Form {
    fn push(self, text: &mut String, character: char) {
        let point = u32::from(character);
        // Writing to a string cannot fail.
        let _ = match self {
            Self::Text | Self::Workflow => write!(text, "<U+{point:04X}>"),
            Self::Json => write!(text, "\\u{point:04x}"),
            Self::Xml => write!(text, "&#{point};"),
        };
    }
}

/// Markers that count anywhere in a line. `##` is one with a word and a bracket behind it: Azure Pipelines takes `##vso[` and
/// `##[` in any case of letters (its agent's `Command`), GitHub `##[` (its runner's `ActionCommand`), TeamCity `##teamcity[`,
/// Octopus `##octopus[`. The others are the sections of GitLab and the folds of Travis, which also need an escape character.
static ANYWHERE: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let words = ["##", "section_start:", "section_end:", "travis_fold:", "travis_time:"];
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true).match_kind(MatchKind::LeftmostFirst).build(words).ok()
});

/// Groups of Buildkite: they count in the first column alone (its agent's `headerRegex` and `headerExpansionRegex`).
const GROUPS: [&str; 4] = ["---", "+++", "~~~", "^^^"];

/// A text in which no CI system finds a command.
pub fn disarmed(text: &str, form: Form) -> Cow<'_, str> {
    let mut safe = String::new();
    let mut copied = 0;
    for at in places(text, form) {
        let character = text[at..].chars().next().unwrap_or_default();
        safe.push_str(&text[copied..at]);
        form.push(&mut safe, character);
        copied = at + character.len_utf8();
    }
    if copied == 0 {
        return text.into();
    }
    safe.push_str(&text[copied..]);
    safe.into()
}

/// Whether a CI system would find a command in a text.
pub fn is_marked(text: &str) -> bool {
    !places(text, Form::Text).is_empty()
}

/// Where the characters stand that are escaped, each ASCII, in order.
fn places(text: &str, form: Form) -> Vec<usize> {
    let mut found: Vec<usize> = inside(text).collect();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        found.extend(at_start(line, form).map(|at| start + at));
        start += line.len();
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What counts at the start of a line. GitHub's `::` may have blanks before it.
fn at_start(line: &str, form: Form) -> Option<usize> {
    if GROUPS.iter().any(|group| line.starts_with(group)) {
        return Some(0);
    }
    let rest = line.trim_start();
    (form != Form::Workflow && rest.starts_with("::")).then(|| line.len() - rest.len())
}

fn inside(text: &str) -> impl Iterator<Item = usize> {
    let found = ANYWHERE.iter().flat_map(move |words| words.find_iter(text));
    found.filter_map(move |found| {
        if !text[found.range()].starts_with('#') {
            // The colon: what stands before it is what a person looks for.
            return Some(found.end() - 1);
        }
        let run = text[found.start()..].bytes().take_while(|byte| *byte == b'#').count();
        let end = found.start() + run;
        let rest = text[end..].trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_-.".contains(c));
        // Of a longer run the last two count.
        rest.starts_with('[').then(|| end - 2)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::visible;

    #[test]
    fn every_marker_is_shown_with_one_character_escaped() {
        for (text, shown) in [
            ("a ##vso[task.setvariable x]y", "a <U+0023>#vso[task.setvariable x]y"),
            ("##VSO[a.b]", "<U+0023>#VSO[a.b]"),
            ("x##[group]y ##[command]z", "x<U+0023>#[group]y <U+0023>#[command]z"),
            ("####[x]", "##<U+0023>#[x]"),
            ("##teamcity[x 'y']", "<U+0023>#teamcity[x 'y']"),
            ("section_start:1:x Section_End:1:x", "section_start<U+003A>1:x Section_End<U+003A>1:x"),
            ("travis_fold:start:x", "travis_fold<U+003A>start:x"),
            ("--- group", "<U+002D>-- group"),
            ("+++", "<U+002B>++"),
            ("a\n~~~ b\n^^^ +++\n", "a\n<U+007E>~~ b\n<U+005E>^^ +++\n"),
            ("::error::x\n \u{3000}::error::x", "<U+003A>:error::x\n \u{3000}<U+003A>:error::x"),
        ] {
            assert_eq!(disarmed(text, Form::Text), shown);
            assert!(is_marked(text));
            let back: Vec<_> = text.lines().map(|line| super::super::read_back(&disarmed(line, Form::Text))).collect();
            assert_eq!(back, text.lines().collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_is_no_marker_stays_as_it_is() {
        for text in [
            "## Usage [x](y)",
            "# #[x]",
            "a ::error::",
            "a --- b",
            " --- b",
            "#[derive]",
            "##",
            "## x",
            "section_start",
            "",
        ] {
            assert_eq!(disarmed(text, Form::Text), text);
            assert!(!is_marked(text));
        }
    }

    #[test]
    fn values_in_json_and_xml_stay_equal() {
        let value = serde_json::json!({"##vso[a]": "\\##[b] travis_fold:x \u{200b}"});
        let text = disarmed(&value.to_string(), Form::Json).into_owned();
        assert!(text.contains(r#"{"\u0023#vso[a]":"\\\u0023#[b]"#), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).ok(), Some(value));
        assert_eq!(disarmed("<a b=\"##[x]\">\n::y</a>", Form::Xml), "<a b=\"&#35;#[x]\">\n&#58;:y</a>");
    }

    #[test]
    fn our_own_workflow_commands_are_left_to_be_obeyed() {
        assert_eq!(disarmed("::error::a ##[b]\n", Form::Workflow), "::error::a <U+0023>#[b]\n");
    }

    #[test]
    fn no_text_is_left_with_a_marker() {
        for seed in 0..400 {
            let mut dice = fastrand::Rng::with_seed(seed);
            let pieces = ["#", "##", "[", "vso", ":", "::", "-", "+", "\n", " ", "section_end", "<U+0023>", "é", "'"];
            let text: String = (0..dice.usize(1..24)).map(|_| pieces[dice.usize(..pieces.len())]).collect();
            for form in [Form::Text, Form::Json, Form::Xml] {
                assert!(!is_marked(&disarmed(&text, form)), "{text:?}");
            }
            let shown = visible(&text).to_string();
            assert_eq!(super::super::read_back(&disarmed(&shown, Form::Text)), text, "{shown}");
        }
    }
}
