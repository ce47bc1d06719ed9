//! What a tool says in several places: its description names a parameter, the parameter's own texts say what goes in.
//! A model reads them together, and so does this: each parameter with the sentences that name it, in one reading.

use super::lexicon::Class;
use super::place::{Place, Text};
use super::reading::Reading;
use super::signal::{Signal, Strength};
use super::topic::Topic;
use super::{combine, read, shadow};
use crate::text::words;
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

/// The sentences of a description that are about parameters.
#[derive(Default)]
struct Naming<'a> {
    /// The description: its index and its characters.
    text: (usize, &'a str),
    /// Which sentences name which parameter, in code marks or quotes.
    named: BTreeMap<&'a str, Vec<Range<usize>>>,
    /// What a docstring says of a parameter, on lines of its own.
    documented: BTreeMap<&'a str, Vec<Range<usize>>>,
}

impl<'a> Naming<'a> {
    fn of(at: usize, description: &'a str, parameters: &Parameters) -> Self {
        let mut naming = Self { text: (at, description), ..Self::default() };
        let mut last = None;
        for sentence in sentences(description) {
            let words = &description[sentence.clone()];
            for name in words.split(['`', '\'', '"']).skip(1).step_by(2).filter(|name| parameters.contains_key(*name)) {
                naming.named.entry(name).or_default().push(sentence.clone());
            }
            if let Some(name) = documented_by(words).filter(|name| parameters.contains_key(*name)) {
                last = Some(name);
            } else if words.contains(':') && words.ends_with('\n') {
                last = None;
            }
            if let Some(last) = last {
                naming.documented.entry(last).or_default().push(sentence.clone());
            }
            if words.ends_with("\n\n") {
                last = None;
            }
        }
        naming
    }

    fn mentions(&self, name: &str) -> &[Range<usize>] {
        self.named.get(name).map_or(&[][..], Vec::as_slice)
    }
}

/// The name that a line of a docstring begins with: `:param path: …`, `- path: …`.
fn documented_by(line: &str) -> Option<&str> {
    if !line.contains(':') || line.trim_start().starts_with('#') {
        return None;
    }
    let head = line.trim_start().trim_start_matches(":param ").trim_start_matches(['-', '*', ' ', '`', '@']);
    head.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()
}

/// The texts of each parameter but its name, by the name.
type Parameters = BTreeMap<String, Vec<usize>>;

fn parameters(texts: &[Text]) -> Parameters {
    let mut found = Parameters::new();
    for (at, text) in texts.iter().enumerate() {
        let mut tokens = text.path.tokens();
        let schema = tokens.next().is_some_and(|first| matches!(first.as_str(), "inputSchema" | "input_schema"));
        let inside = schema && tokens.next().is_some_and(|second| second == "properties");
        if let Some(name) = tokens.next().filter(|_| inside && !matches!(text.place, Place::Name | Place::Data)) {
            found.entry(name).or_default().push(at);
        }
    }
    found
}

impl Together {
    /// A parameter with the sentences that are about it, as a model reads them.
    fn of(name: &str, own: &[usize], texts: &[Text], naming: &Naming) -> Self {
        let mut together = Self::default();
        for sentence in naming.mentions(name) {
            // Without its full stop, so that what it names goes on with it.
            let words = naming.text.1[sentence.clone()].trim_end_matches([' ', '.', '\n', '。']);
            together.add(naming.text, sentence.start..sentence.start + words.len(), ". ");
        }
        for sentence in naming.documented.get(name).into_iter().flatten() {
            together.add(naming.text, sentence.clone(), &format!(". In `{name}`: "));
        }
        for at in own {
            let text = &texts[*at];
            for sentence in sentences(text.characters) {
                // A value goes on with what its parameter's text began, and that with what the description began.
                let goes_on = together.parts.last().is_some_and(|part| part.text == naming.text.0);
                let stop = if goes_on { ", in" } else { ". In" };
                let before = if text.place == Place::Value { " " } else { &format!("{stop} `{name}`: ") };
                together.add((*at, text.characters), sentence, before);
            }
        }
        together
    }

    /// What is said only by the whole, where it is graver than `known`.
    fn signals<'t>(&self, mentioned: bool, known: Strength, topic: impl Fn() -> Option<&'t Topic>) -> Vec<Signal> {
        let mut signals = Vec::new();
        read(&Reading::of(&self.said, Place::Prose), &mut signals);
        signals.sort_by_key(|signal| (signal.start, signal.end));
        // What a parameter takes is for its caller to judge; what two texts say of it together is said to the model.
        for signal in signals.iter_mut().filter(|signal| !mentioned && !self.is_of_several(signal)) {
            signal.strength = signal.strength.less();
        }
        if !signals.is_empty()
            && let Some(topic) = topic()
        {
            topic.weigh(Place::Asked, &mut signals);
        }
        // What a caller's parameter is given steers no other tool.
        signals.retain(|signal| signal.strength > Strength::Hint && *signal.rule != shadow::RULE);
        combine::find(&signals.clone(), &mut signals);
        signals.retain(|signal| signal.strength >= Strength::Strong && signal.strength > known);
        signals
    }
}

/// What only the texts together say, each with the index of the text in which its sign stands. `told` are the signals of
/// each text alone.
pub(super) fn find<'t>(
    texts: &[Text],
    told: &[Vec<Signal>],
    topic: impl Fn() -> Option<&'t Topic>,
) -> Vec<(usize, Signal)> {
    let parameters = parameters(texts);
    let description = texts.iter().position(|text| text.place != Place::Name && text.path.as_str() == "/description");
    let naming = description.map(|at| Naming::of(at, texts[at].characters, &parameters)).unwrap_or_default();
    let mut found: Vec<_> = texts.iter().enumerate().filter_map(|(at, text)| Some((at, fixed(text)?))).collect();
    for (name, own) in parameters.iter().take(MOST) {
        let together = Together::of(name, own, texts, &naming);
        // One text was read alone.
        if together.said.len() > LONGEST || !together.is_of_texts() || name.contains("base64") {
            continue;
        }
        let mentioned = !naming.mentions(name).is_empty();
        let alone = own.iter().copied().chain(description.filter(|_| mentioned));
        let known = alone.flat_map(|at| &told[at]).map(|signal| signal.strength).max().unwrap_or(Strength::Weak);
        let signals = together.signals(mentioned, known, &topic);
        found.extend(signals.into_iter().filter_map(|signal| together.place(signal)));
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
