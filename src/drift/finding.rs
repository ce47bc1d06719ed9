//! What is suspicious in a definition itself, changed or not: hidden characters, orders to the model, secrets asked for.
//!
//! One rule a file. A rule reads one text and says what it saw and how sure it is; several weak signals in one place add
//! up. No finding says that a text is harmless: an empty list means that no rule matched. Rules never panic, and take
//! time that grows with the text.

mod answer;
mod combine;
mod command;
mod conceal;
mod confusable;
mod consent;
mod context;
mod destroy;
mod encoded;
mod escape;
mod fold;
mod frame;
mod hidden;
mod lexicon;
mod open;
mod out_of_sight;
mod overrule;
mod place;
mod plant;
mod precedence;
mod pressure;
mod promise;
mod reading;
mod role;
mod runs;
mod secret;
mod send;
mod sentence;
mod shadow;
mod signal;
mod spread;
mod supply;
mod topic;
mod unmask;
mod weaken;
mod withhold;

pub(super) use fold::skeleton;

use super::judge::{Versions, shortened};
use super::{Finding, Severity, form, signed};
use crate::canon::{Code, Pointer, value_at};
use crate::digest::Item;
use crate::surface::Kind;
use place::{Place, Text, texts};
use promise::Contradiction;
use reading::Reading;
use serde_json::Value;
use signal::{Rule, Signal, Strength};
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use topic::Topic;

/// A definition on which readers disagree.
static AMBIGUOUS: Rule = Rule { name: "ambiguous-definition", title: "ambiguous definition" };

/// The rule of a secret that was passed to the server and stands in what it shows; found by who knows the secrets.
pub const PASSED_SECRET: &str = "returns-a-secret";
static RETURNS: Rule = Rule { name: PASSED_SECRET, title: "a secret that was passed to the server" };

/// The rules of form.
static REFUSED: Rule = Rule { name: form::REFUSED, title: "refused by clients" };
static DANGLING: Rule = Rule { name: form::DANGLING, title: "dangling reference" };

/// The rules of a tool's own signature.
static DOES_NOT_HOLD: Rule = Rule { name: signed::DOES_NOT_HOLD, title: "signature does not hold" };
static MALFORMED: Rule = Rule { name: signed::MALFORMED, title: "malformed signature" };
static REQUIRED: Rule = Rule { name: signed::REQUIRED, title: "a trusted signature is required" };

/// Every rule, by its module.
pub(super) static RULES: [&Rule; 31] = [
    &AMBIGUOUS,
    &answer::RULE,
    &combine::RULE,
    &command::RULE,
    &conceal::RULE,
    &confusable::RULE,
    &consent::RULE,
    &context::RULE,
    &DANGLING,
    &destroy::RULE,
    &encoded::RULE,
    &escape::RULE,
    &hidden::RULE,
    &out_of_sight::RULE,
    &overrule::RULE,
    &plant::RULE,
    &precedence::RULE,
    &pressure::RULE,
    &promise::RULE,
    &REFUSED,
    &RETURNS,
    &role::RULE,
    &secret::RULE,
    &send::RULE,
    &shadow::RULE,
    &DOES_NOT_HOLD,
    &MALFORMED,
    &REQUIRED,
    &supply::RULE,
    &unmask::RULE,
    &weaken::RULE,
];

/// Findings of one definition; the worst are kept.
const MOST: usize = 100;

/// What the rules saw in the texts read so far, each read once: servers repeat a text many times over, and most of a
/// changed definition is as it was. Texts differ early: in order they are found without a look at the whole of each.
#[derive(Default)]
struct Seen<'a>(BTreeMap<(&'a str, Place), Vec<Signal>>);

impl<'a> Seen<'a> {
    fn has(&self, text: &Text<'a>) -> bool {
        self.0.contains_key(&(text.characters, text.place))
    }

    fn read(&mut self, text: &Text<'a>) -> &[Signal] {
        self.0.entry((text.characters, text.place)).or_insert_with(|| signals(text.characters, text.place))
    }
}

/// What is suspicious in an item, worst first, then in the order of its texts. All are `added`: nothing is compared.
///
/// `start` and `end` lie in the string at `path`; where none stands there, in the name of the member (the pointer's last
/// token), and for a name whose member is a string they are 0.
pub fn findings(item: &Item) -> Vec<Finding> {
    let definition = item.definition.as_read();
    of_texts(item, &definition, &texts_of(item, &definition), &mut Seen::default())
}

/// What rules read of an item: nothing of how a server is started.
fn texts_of<'a>(item: &Item, definition: &'a Value) -> Vec<Text<'a>> {
    if item.id.kind == Kind::Launch { Vec::new() } else { texts(definition) }
}

/// What is suspicious in an item of whose texts only some are looked at.
fn of_texts<'a>(item: &Item, definition: &Value, texts: &[Text<'a>], seen: &mut Seen<'a>) -> Vec<Finding> {
    let mut found = Vec::new();
    if item.id.kind == Kind::Launch {
        return found;
    }
    for code in &item.definition.codes {
        let severity = if *code == Code::Number { Severity::Info } else { Severity::Critical };
        let text = format!("{}: {}", AMBIGUOUS.title, code.sentence());
        let path = Pointer::root();
        found.push(Finding { rule: AMBIGUOUS.name, path, start: 0, end: 0, added: true, severity, text });
    }
    let tool = item.id.kind == Kind::Tool;
    let topic = OnceCell::new();
    let topic = || topic.get_or_init(|| Topic::of(definition).filter(|_| tool)).as_ref();
    let weighed = |text: &Text<'a>| {
        let mut signals = seen.read(text).to_vec();
        let says = |signal: &Signal| signal.strength != Strength::Weak;
        let Some(topic) = signals.iter().any(says).then(topic).flatten() else {
            return combined(signals, Vec::new());
        };
        let hints = if text.place == Place::Prose { topic.hints(&signals) } else { Vec::new() };
        topic.weigh(text.place, &mut signals);
        combined(signals, hints)
    };
    let told: Vec<Vec<Signal>> = texts.iter().map(weighed).collect();
    let each = texts.iter().zip(&told);
    found.extend(each.flat_map(|(text, told)| told.iter().filter_map(|signal| finding(text, signal))));
    if tool && !found.iter().any(|finding| finding.severity == Severity::Critical) {
        let spread = spread::find(texts, &told, topic);
        found.extend(spread.iter().filter_map(|(at, signal)| finding(&texts[*at], signal)));
    }
    if let Some(name) = definition.get("name").and_then(Value::as_str).filter(|_| tool) {
        for Contradiction { path, text, signal } in promise::find(name, definition) {
            let shadowed = value_at(definition, &path).and_then(Value::as_str).is_some_and(|there| there != text);
            found.extend(finding(&Text { path, place: Place::Name, characters: &text, shadowed }, &signal));
        }
    }
    found.sort_by_key(|finding| Reverse(finding.severity));
    found.truncate(MOST);
    found
}

/// The findings of the second of two definitions, each `added` unless the pinned one has one of the same rule in the same
/// words.
pub(super) fn compared((pinned, now): (&Item, &Item), versions: &Versions) -> Vec<Finding> {
    let Versions { before, after } = versions;
    let mut seen = Seen::default();
    let mut found = of_texts(now, after, &texts_of(now, after), &mut seen);
    if found.is_empty() {
        return found;
    }
    // A text that is gone is read only where the texts that are still there do not account for everything.
    let texts = texts_of(pinned, before);
    let kept: Vec<_> = texts.iter().filter(|text| seen.has(text)).cloned().collect();
    mark(&mut found, of_texts(pinned, before, &kept, &mut seen));
    if kept.len() < texts.len() && found.iter().any(|finding| finding.added) {
        mark(&mut found, of_texts(pinned, before, &texts, &mut seen));
    }
    found
}

/// Says of each finding whether it is added, `known` being those that were there.
fn mark(found: &mut [Finding], known: Vec<Finding>) {
    let mut left: HashMap<(&str, String), usize> = HashMap::new();
    for finding in known {
        *left.entry((finding.rule, finding.text)).or_default() += 1;
    }
    for finding in found {
        let left = left.get_mut(&(finding.rule, finding.text.clone())).filter(|left| **left > 0);
        finding.added = left.is_none();
        if let Some(left) = left {
            *left -= 1;
        }
    }
}

/// Why an item is not to be pinned with all others: its critical findings, in one sentence.
pub(super) fn critical(item: &Item) -> Option<String> {
    let found = findings(item);
    let worst: Vec<_> = found.iter().filter(|finding| finding.severity == Severity::Critical).collect();
    let first = worst.first()?;
    let more = if worst.len() > 1 { format!(" (and {} more)", worst.len() - 1) } else { String::new() };
    Some(format!("{}{more}", first.text))
}

/// Reasons that one finding gives at most.
const REASONS: usize = 3;

/// Everything that the rules see in one text, by its start.
fn signals(text: &str, place: Place) -> Vec<Signal> {
    let mut found = Vec::new();
    hidden::find(text, &mut found);
    escape::find(text, &mut found);
    confusable::find(text, place, &mut found);
    out_of_sight::find(text, place, &mut found);
    read(&Reading::of(text, place), &mut found);
    for (start, end, said) in encoded::find(text, &mut found) {
        let mut inside = Vec::new();
        read(&Reading::of(&said, Place::Prose), &mut inside);
        found.extend(inside.into_iter().map(|signal| Signal { start, end, ..signal }));
    }
    for other in unmask::readings(text) {
        let mut inside = Vec::new();
        let place = if place == Place::Name { Place::Asked } else { place };
        read(&Reading::of(&other.said, place), &mut inside);
        let worst = inside.iter().map(|signal| signal.strength).max().unwrap_or(Strength::Weak);
        let known = found.iter().map(|signal| signal.strength).max().unwrap_or(Strength::Weak);
        // What the text says as it stands is said already.
        if worst >= Strength::Strong && worst > known {
            found.push(unmask::signal(&other, worst));
            found.extend(inside.into_iter().map(|signal| Signal { start: other.start, end: other.end, ..signal }));
        }
    }
    found.sort_by_key(|signal| (signal.start, signal.end));
    found
}

/// The signals of one text with what adds up, each passage told once. Hints add nothing up.
fn combined(mut found: Vec<Signal>, hints: Vec<Signal>) -> Vec<Signal> {
    found.retain(|signal| signal.strength > Strength::Hint);
    combine::find(&found.clone(), &mut found);
    found.extend(hints);
    found.sort_by_key(|signal| (signal.start, Reverse(signal.end)));
    joined(found)
}

/// What one rule says of stretches that meet, told as one with its reasons: a person reads a passage once. `found` is
/// sorted by its start.
fn joined(found: Vec<Signal>) -> Vec<Signal> {
    let mut told: Vec<Signal> = Vec::new();
    let mut last_of: BTreeMap<&str, usize> = BTreeMap::new();
    for signal in found.into_iter().filter(|signal| signal.strength.severity().is_some()) {
        let last = last_of.get(signal.rule.name).and_then(|last| told.get_mut(*last));
        let Some(met) = last.filter(|last| signal.start < last.end) else {
            last_of.insert(signal.rule.name, told.len());
            told.push(signal);
            continue;
        };
        let mut whys: Vec<&str> = met.why.split("; ").collect();
        whys.retain(|why| *why != signal.why);
        // The worst comes first.
        whys.insert(if signal.strength > met.strength { 0 } else { whys.len() }, &signal.why);
        whys.truncate(REASONS);
        met.why = whys.join("; ");
        met.end = met.end.max(signal.end);
        met.strength = met.strength.max(signal.strength);
    }
    told
}

/// The rules that read words.
fn read(reading: &Reading, found: &mut Vec<Signal>) {
    command::find(reading, found);
    if reading.place == Place::Data {
        return;
    }
    conceal::find(reading, found);
    overrule::find(reading, found);
    role::find(reading, found);
    precedence::find(reading, found);
    shadow::find(reading, found);
    secret::find(reading, found);
    context::find(reading, found);
    send::find(reading, found);
    consent::find(reading, found);
    plant::find(reading, found);
    pressure::find(reading, found);
    frame::find(reading, found);
    // What a tool does is no order to do it.
    let opening = if found.is_empty() { 0 } else { frame::opening(reading) };
    for signal in found.iter_mut().filter(|signal| signal.end <= opening && signal.strength == Strength::Some) {
        if [&shadow::RULE, &send::RULE, &consent::RULE].contains(&signal.rule) {
            signal.strength = Strength::Weak;
        }
    }
}

/// A signal as a finding of a text, where it says something alone.
fn finding(text: &Text, signal: &Signal) -> Option<Finding> {
    let severity = signal.strength.severity()?;
    let quoted = text.characters.get(signal.start..signal.end).unwrap_or_default();
    let said = format!("{}: {} (`{}`)", signal.rule.title, signal.why, shortened(quoted));
    let (start, end) = if text.shadowed { (0, 0) } else { (signal.start, signal.end) };
    Some(Finding { rule: signal.rule.name, path: text.path.clone(), start, end, added: true, severity, text: said })
}
