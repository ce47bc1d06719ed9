//! What a tool says in several places: its description names a parameter, the parameter's own texts say what goes in.
//! A model reads them together, and so does this: each parameter with the sentences that name it, in one reading.

use super::lexicon::Class;
use super::place::{Place, Text};
use super::reading::Reading;
use super::signal::{Signal, Strength};
use super::topic::Topic;
use super::{combine, read, shadow};
use crate::drift::words::words;
use std::collections::BTreeMap;
use std::ops::Range;

/// Parameters that are read with their description, and bytes of one that are.
const MOST: usize = 60;
const LONGEST: usize = 4_000;

/// A stretch of a text in what is read together.
struct Part {
    /// Index of the text.
    text: usize,
    /// Where it stands in the text.
    at: Range<usize>,
    /// Where it stands in what is read.
    start: usize,
}

/// One parameter with what names it.
#[derive(Default)]
struct Together {
    said: String,
    parts: Vec<Part>,
}

impl Together {
    /// Adds the sentences of a text, each with what is to stand before it.
    fn add(&mut self, (text, characters): (usize, &str), at: Range<usize>, before: &str) {
        self.said.push_str(before);
        let start = self.said.len();
        self.said.push_str(&characters[at.clone()]);
        self.parts.push(Part { text, at, start });
    }

    /// Whether several texts were put together.
    fn is_of_texts(&self) -> bool {
        self.parts.iter().any(|part| part.text != self.parts[0].text)
    }

    /// Whether a signal stands in several texts.
    fn is_of_several(&self, signal: &Signal) -> bool {
        let inside = |part: &&Part| part.start < signal.end && part.start + part.at.len() > signal.start;
        let mut texts = self.parts.iter().filter(inside).map(|part| part.text);
        let first = texts.next();
        texts.any(|text| Some(text) != first)
    }

    /// A signal of what is read as one of the text in which it stands, or the most of it.
    fn place(&self, signal: Signal) -> Option<(usize, Signal)> {
        let overlap = |part: &&Part| {
            let end = (part.start + part.at.len()).min(signal.end);
            end.saturating_sub(part.start.max(signal.start))
        };
        let part = self.parts.iter().max_by_key(overlap)?;
        let inside = |offset: usize| part.at.start + offset.saturating_sub(part.start).min(part.at.len());
        let (start, end) = (inside(signal.start), inside(signal.end));
        Some((part.text, Signal { start, end, ..signal }))
    }
}

/// What only the texts together say, each with the index of the text in which its sign stands. `told` are the signals of
/// each text alone.
pub(super) fn find(texts: &[Text], told: &[Vec<Signal>], topic: Option<&Topic>) -> Vec<(usize, Signal)> {
    let description = texts.iter().position(|text| text.place != Place::Name && text.path.as_str() == "/description");
    let naming = description.map(|at| sentences(texts[at].characters)).unwrap_or_default();
    let mut parameters: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, text) in texts.iter().enumerate() {
        let mut tokens = text.path.tokens();
        let schema = tokens.next().is_some_and(|first| matches!(first.as_str(), "inputSchema" | "input_schema"));
        let inside = schema && tokens.next().is_some_and(|second| second == "properties");
        if let Some(name) = tokens.next().filter(|_| inside && !matches!(text.place, Place::Name | Place::Data)) {
            parameters.entry(name).or_default().push(at);
        }
    }
    // Which sentences name which parameter, by their words.
    let mut named: BTreeMap<&str, Vec<Range<usize>>> = BTreeMap::new();
    for sentence in &naming {
        let words = &texts[description.unwrap_or_default()].characters[sentence.clone()];
        for word in words.split(['`', '\'', '"']).skip(1).step_by(2).filter(|word| parameters.contains_key(*word)) {
            named.entry(word).or_default().push(sentence.clone());
        }
    }
    // A docstring says on a line of its own what a parameter takes.
    let mut documented: BTreeMap<&str, Vec<Range<usize>>> = BTreeMap::new();
    let mut last = None;
    for sentence in &naming {
        let words = &texts[description.unwrap_or_default()].characters[sentence.clone()];
        let starts = words.split_once(':').filter(|_| !words.trim_start().starts_with(['\n', '#']));
        let head = words.trim_start().trim_start_matches(":param ").trim_start_matches(['-', '*', ' ', '`', '@']);
        let name = head.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
        let known = parameters.get_key_value(name).filter(|_| starts.is_some());
        if let Some((known, _)) = known {
            last = Some(known.as_str());
        } else if words.contains(':') && words.ends_with('\n') {
            last = None;
        }
        if let Some(last) = last {
            documented.entry(last).or_default().push(sentence.clone());
        }
        if words.trim().is_empty() || words.ends_with("\n\n") {
            last = None;
        }
    }
    let mut found: Vec<_> = texts.iter().enumerate().filter_map(|(at, text)| Some((at, fixed(text)?))).collect();
    for (name, own) in parameters.iter().take(MOST) {
        let mentions = named.get(name.as_str()).map_or(&[][..], Vec::as_slice);
        let mut together = Together::default();
        for sentence in mentions {
            let at = description.unwrap_or_default();
            // Without its full stop, so that what it names goes on with it.
            let words = texts[at].characters[sentence.clone()].trim_end_matches([' ', '.', '\n', '。']);
            together.add((at, texts[at].characters), sentence.start..sentence.start + words.len(), ". ");
        }
        for sentence in documented.get(name.as_str()).into_iter().flatten() {
            let at = description.unwrap_or_default();
            together.add((at, texts[at].characters), sentence.clone(), &format!(". In `{name}`: "));
        }
        for at in own {
            for sentence in sentences(texts[*at].characters) {
                // A value goes on with what its parameter's text began.
                let goes_on = together.parts.last().is_some_and(|part| Some(part.text) == description);
                let stop = if goes_on { ", in" } else { ". In" };
                let before = if texts[*at].place == Place::Value { " " } else { &format!("{stop} `{name}`: ") };
                together.add((*at, texts[*at].characters), sentence, before);
            }
        }
        // One text was read alone.
        if together.said.len() > LONGEST || !together.is_of_texts() || name.contains("base64") {
            continue;
        }
        let mut signals = Vec::new();
        read(&Reading::of(&together.said, Place::Prose), &mut signals);
        signals.sort_by_key(|signal| (signal.start, signal.end));
        // What a parameter takes is for its caller to judge; what two texts say of it together is said to the model.
        let alone = |signal: &&mut Signal| mentions.is_empty() && !together.is_of_several(signal);
        for signal in signals.iter_mut().filter(alone) {
            signal.strength = signal.strength.less();
        }
        if let Some(topic) = topic {
            topic.weigh(Place::Asked, &mut signals);
        }
        // What a caller's parameter is given steers no other tool.
        signals.retain(|signal| signal.strength > Strength::Hint && *signal.rule != shadow::RULE);
        combine::find(&signals.clone(), &mut signals);
        let texts = own.iter().copied().chain(description.filter(|_| !mentions.is_empty()));
        let known = texts.flat_map(|at| &told[at]).map(|signal| signal.strength).max().unwrap_or(Strength::Weak);
        let worse = signals.into_iter().filter(|signal| signal.strength >= Strength::Strong && signal.strength > known);
        found.extend(worse.filter_map(|signal| together.place(signal)));
    }
    found
}

/// An address or account that is the default, or the only value, of where something goes.
fn fixed(text: &Text) -> Option<Signal> {
    let numbered = |c: char| c == '@' || c.is_ascii_digit();
    if text.place != Place::Value || text.characters.len() > LONGEST || !text.characters.contains(numbered) {
        return None;
    }
    let tokens: Vec<String> = text.path.tokens().collect();
    let at = tokens.iter().rposition(|token| matches!(token.as_str(), "default" | "const"))?;
    let name = at.checked_sub(1).and_then(|before| tokens.get(before))?;
    let goes = words(name).iter().any(|word| GOES.contains(&word.as_str()));
    let reading = Reading::of(text.characters, Place::Value);
    let kinds = if goes { Class::Email.set().and(Class::Literal) } else { Class::Email.set() };
    let (_, address) = reading.of_class(kinds).next()?;
    let strength = match (goes, tokens[at] == "const" || name.ends_with("cc")) {
        (true, true) => Strength::Sure,
        (true, false) => Strength::Strong,
        (false, _) => Strength::Some,
    };
    let why = "it fixes where something goes";
    Some(Signal::folded(&shadow::RULE, strength, &reading, address.start..address.end, why))
}

/// Words of names of parameters that say where something goes.
const GOES: [&str; 24] = [
    "to",
    "cc",
    "bcc",
    "recipient",
    "recipients",
    "guests",
    "attendees",
    "participants",
    "payee",
    "iban",
    "bank",
    "account",
    "wallet",
    "beneficiary",
    "destination",
    "reply",
    "forward",
    "receiver",
    "watchers",
    "reviewers",
    "emails",
    "phone",
    "address",
    "target",
];

/// Where the sentences of a text stand.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for part in text.split_inclusive(['\n', '。']).flat_map(|line| line.split_inclusive(". ")) {
        let end = start + part.len();
        if !part.trim().is_empty() {
            found.push(start..end);
        }
        start = end;
    }
    found
}
