//! What a text makes a model do beyond using the tool that it belongs to, and how a text hides what it says.
//!
//! A text is read as marks (`reading`): whom it speaks of, and what it orders. A rule (`rule`) is data: patterns of such
//! marks in one sentence (`pattern`), the word lists in `words/`. `form` looks at characters, not at sentences. No finding
//! says that a text is harmless: an empty list means that no rule matched. Rules never panic, and take time that grows with
//! the text. Knows nothing of drifts.

mod example;
mod fold;
mod form;
mod found;
mod known;
mod names;
mod pattern;
mod promise;
mod reading;
mod rule;
mod severity;
mod signal;
mod texts;
mod token;
mod words;

pub use example::{Example, examples};
pub use fold::skeleton;
pub use found::{Finding, OtherTools, name_servers};
pub use known::Around;
pub use names::{PASSED_SECRET, renamed};
pub use pattern::grammar;
pub use rule::{EMBEDDED, Pattern, RULES, Rule, RuleError, Settings};
pub use severity::Severity;

use crate::canon::{Code, Pointer, value_at};
use crate::digest::Item;
use crate::surface::Kind;
use known::KnownHere;
use names::{AMBIGUOUS_DEFINITION, DISGUISED_TEXT, HIDDEN_CHARACTERS, OF_CODE};
use promise::Contradiction;
use reading::{Opening, Reading};
use serde_json::Value;
use signal::Signal;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
pub use texts::{Text, TextKind, texts};

/// The name of every rule of this module, in order.
pub fn rule_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = RULES.iter().map(|rule| rule.name.as_str()).chain(OF_CODE).collect();
    names.sort_unstable();
    names
}

/// Findings of one definition; the worst are kept.
const MOST: usize = 100;
/// Characters of a quote in a finding's sentence.
const QUOTE: usize = 80;

/// What the rules are asked with: what the server shows beside an item, and what the policy says of the rules.
#[derive(Clone, Copy, Debug)]
pub struct Asking<'a> {
    /// The items of the item's server.
    pub around: &'a Around<'a>,
    /// Which rules are in force.
    pub settings: &'a Settings,
}

/// A finding, and all that it quotes: what is cut in its sentence still tells two apart.
struct Quoted {
    finding: Finding,
    quote: String,
}

/// What is suspicious in an item, worst first, then by the gravity of the rule, then in the order of its texts. All are `added`: nothing is compared.
///
/// `start` and `end` lie in the string at `path`; where none stands there, in the name of the member (the pointer's last
/// token), and for a name whose member is a string they are 0.
pub fn findings(item: &Item, asking: Asking<'_>) -> Vec<Finding> {
    let definition = item.definition.as_read();
    let texts = texts_of(item, &definition);
    of_texts(item, &definition, &texts, asking, &mut SeenTexts::default())
        .into_iter()
        .map(|quoted| quoted.finding)
        .collect()
}

/// Why an item is not to be pinned with all others: the critical ones of its findings, in one sentence.
pub fn critical(found: &[Finding]) -> Option<String> {
    let worst: Vec<_> = found.iter().filter(|finding| finding.severity == Severity::Critical).collect();
    let first = worst.first()?;
    let more = if worst.len() > 1 { format!(" (and {} more)", worst.len() - 1) } else { String::new() };
    Some(format!("{}{more}", first.text))
}

/// The findings of the second of two definitions, each with its reading; `added` unless the first has one of the same rule
/// with the same words.
pub fn compared((pinned, before): (&Item, &Value), (now, after): (&Item, &Value), asking: Asking<'_>) -> Vec<Finding> {
    let mut seen = SeenTexts::default();
    let mut found = of_texts(now, after, &texts_of(now, after), asking, &mut seen);
    if !found.is_empty() {
        // A text that is gone is read only where the texts that are still there do not account for everything.
        let texts = texts_of(pinned, before);
        let kept: Vec<_> = texts.iter().filter(|text| seen.has(text)).cloned().collect();
        mark(&mut found, &of_texts(pinned, before, &kept, asking, &mut seen));
        if kept.len() < texts.len() && found.iter().any(|quoted| quoted.finding.added) {
            mark(&mut found, &of_texts(pinned, before, &texts, asking, &mut seen));
        }
    }
    found.into_iter().map(|quoted| quoted.finding).collect()
}

/// What the rules saw in the texts read so far, each read once: servers repeat a text many times over, and most of a
/// changed definition is as it was.
#[derive(Default)]
struct SeenTexts<'a>(BTreeMap<(&'a str, TextKind), Vec<Signal>>);

impl<'a> SeenTexts<'a> {
    fn has(&self, text: &Text<'a>) -> bool {
        self.0.contains_key(&(text.characters, text.kind))
    }

    fn read(&mut self, text: &Text<'a>, known: &KnownHere<'_>, settings: &Settings) -> &[Signal] {
        let key = (text.characters, text.kind);
        self.0.entry(key).or_insert_with(|| signals(text.characters, text.kind, known, settings))
    }
}

/// What rules read of an item: nothing of how a server is started.
fn texts_of<'a>(item: &Item, definition: &'a Value) -> Vec<Text<'a>> {
    if item.id.kind == Kind::Launch { Vec::new() } else { texts(definition) }
}

/// What is suspicious in an item of whose texts only some are looked at.
fn of_texts<'a>(
    item: &Item,
    definition: &Value,
    texts: &[Text<'a>],
    asking: Asking<'_>,
    seen: &mut SeenTexts<'a>,
) -> Vec<Quoted> {
    let mut found = Vec::new();
    if item.id.kind == Kind::Launch {
        return found;
    }
    for code in &item.definition.codes {
        let severity = if *code == Code::Number { Severity::Info } else { Severity::Critical };
        let says = format!("Programs read this definition differently: {}", code.sentence());
        let signal = Signal::new(AMBIGUOUS_DEFINITION, severity, 0..0, says);
        found.push(quoted(
            &Text { path: Pointer::root(), kind: TextKind::Data, characters: "", shadowed: false },
            &signal,
        ));
    }
    let known = KnownHere::of(item, asking.around);
    for text in texts {
        found.extend(seen.read(text, &known, asking.settings).iter().map(|signal| quoted(text, signal)));
    }
    if item.id.kind == Kind::Tool
        && let Some(name) = definition.get("name").and_then(Value::as_str)
    {
        for Contradiction { path, text, signal } in promise::find(name, definition) {
            let shadowed = value_at(definition, &path).and_then(Value::as_str).is_some_and(|there| there != text);
            found.push(quoted(&Text { path, kind: TextKind::Name, characters: &text, shadowed }, &signal));
        }
    }
    found.retain(|quoted| !asking.settings.disable.contains(quoted.finding.rule.as_ref()));
    let rank = |rule: &str| RULES.iter().position(|known| known.name == rule).unwrap_or(RULES.len());
    found.sort_by_key(|quoted| (Reverse(quoted.finding.severity), rank(&quoted.finding.rule)));
    found.truncate(MOST);
    found
}

/// Says of each finding whether it is added, `known` being those that were there.
fn mark(found: &mut [Quoted], known: &[Quoted]) {
    let key = |quoted: &Quoted| (quoted.finding.rule.clone(), quoted.finding.text.clone(), quoted.quote.clone());
    let mut left: HashMap<_, usize> = HashMap::new();
    for quoted in known {
        *left.entry(key(quoted)).or_default() += 1;
    }
    for quoted in found {
        let left = left.get_mut(&key(quoted)).filter(|left| **left > 0);
        quoted.finding.added = left.is_none();
        if let Some(left) = left {
            *left -= 1;
        }
    }
}

/// Everything that the rules see in one text, by its start.
fn signals(text: &str, kind: TextKind, known: &KnownHere<'_>, settings: &Settings) -> Vec<Signal> {
    let mut found = Vec::new();
    form::hidden::find(text, &mut found);
    form::escape::find(text, &mut found);
    form::confusable::find(text, kind, &mut found);
    form::out_of_sight::find(text, kind, &mut found);
    if kind != TextKind::Data {
        // A value says nothing of what its tool does.
        let orders = matches!(kind, TextKind::Asked | TextKind::Value);
        let opening = if orders { Opening::Orders } else { Opening::Describes };
        said(text, opening, known, settings, &mut found);
        turned(text, known, settings, &mut found);
        for (start, end, inside) in form::encoded::find(text, &mut found) {
            let mut signals = Vec::new();
            said(&inside, Opening::Orders, known, settings, &mut signals);
            found.extend(signals.into_iter().map(|signal| Signal { at: start..end, ..signal }));
        }
    }
    found.sort_by_key(|signal| (signal.at.start, signal.at.end));
    found
}

/// What another reading of a text says that the text as it stands does not.
fn turned(text: &str, known: &KnownHere<'_>, settings: &Settings, found: &mut Vec<Signal>) {
    let worst = |signals: &[Signal]| signals.iter().map(|signal| signal.severity).max();
    for other in form::unmask::readings(text) {
        let mut inside = Vec::new();
        said(&other.said, Opening::Orders, known, settings, &mut inside);
        // What the text says as it stands is said already.
        if let Some(severity) = worst(&inside).filter(|worst| *worst == Severity::Critical)
            && worst(found) < Some(severity)
        {
            let says = format!("Contains disguised text that says \"{}\"", crate::text::shortened(&other.said, 60));
            found.push(Signal::new(DISGUISED_TEXT, severity, other.start..other.end, says));
            found.extend(inside.into_iter().map(|signal| Signal { at: other.start..other.end, ..signal }));
        }
    }
}

/// What the patterns find in a text: of each rule the worst in each sentence.
fn said(text: &str, opening: Opening, known: &KnownHere<'_>, settings: &Settings, found: &mut Vec<Signal>) {
    let reading = Reading::of(text, opening, known);
    let sentences: Vec<_> = reading.sentences().collect();
    for (at, marks) in sentences.iter().enumerate() {
        let next = sentences.get(at + 1).copied().filter(|next| reading.follows(marks, next)).unwrap_or_default();
        for rule in RULES.iter().chain(&settings.rules) {
            let Some((pattern, hit)) = rule.worst(&reading, marks, next) else { continue };
            let named = hit.tool.map(|tool| reading.text_of(text, tool));
            let said = pattern.sentence(named);
            let elsewhere = hit.is_elsewhere.then_some(named).flatten().map(str::to_owned);
            found.push(Signal {
                rule: rule.name.clone().into(),
                severity: pattern.severity,
                at: reading.span(&hit.at),
                says: said,
                tool: elsewhere,
            });
        }
    }
}

/// A signal as a finding of a text.
fn quoted(text: &Text<'_>, signal: &Signal) -> Quoted {
    let quote = text.characters.get(signal.at.clone()).unwrap_or_default();
    let shown = crate::text::shortened(quote, QUOTE);
    let is_told = quote.is_empty() || signal.rule == HIDDEN_CHARACTERS;
    let said = if is_told { signal.says.clone() } else { format!("{}: `{shown}`", signal.says) };
    let (start, end) = if text.shadowed { (0, 0) } else { (signal.at.start, signal.at.end) };
    let finding = Finding {
        rule: signal.rule.clone(),
        path: text.path.clone(),
        start,
        end,
        added: true,
        severity: signal.severity,
        text: said,
        tool: signal.tool.clone(),
    };
    Quoted { finding, quote: quote.to_owned() }
}
