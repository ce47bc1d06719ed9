//! What each difference inside an item means, by DESIGN.md's table: the rules that need neither a schema's meaning nor
//! a finding. One file a family of fields; `text` judges what a model reads, `schema` what a tool takes and gives.

mod annotations;
mod launch;
mod pattern;
mod prompt;
mod schema;
mod schema_place;
mod server;
mod signature;
mod template;
mod text;
mod tool;
mod url;
mod vendor;

use super::delta::{Delta, deltas};
use super::types::Said;
use super::{Change, ChangeKind, Effect, SchemaVerdict, Severity};
use crate::canon::{Form, Pointer, value_at};
use crate::digest::Item;
use crate::pin::{Baseline, CommandWords, command_parameter, command_verb};
use crate::signature::Keyring;
use crate::surface::Kind;
use serde_json::Value;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

pub(super) use launch::same_program;
pub(super) use template::reaches_wider;
pub(super) use text::{SENTENCES, is_blank};

/// Changes of one item that are listed one by one; a further one stands for the rest.
const MAX_CHANGES: usize = 200;

/// What was found out about one changed item.
#[derive(Default)]
pub(super) struct Judgement {
    pub(super) changes: Vec<Change>,
    pub(super) effect: Option<Effect>,
    pub(super) input_schema: Option<SchemaVerdict>,
    pub(super) output_schema: Option<SchemaVerdict>,
}

impl Judgement {
    fn add(&mut self, delta: &Delta, change: ChangeKind, severity: Severity, effect: Effect, said: impl Into<Said>) {
        let Said { headline, reason } = said.into();
        self.changes.push(Change {
            path: delta.path.clone(),
            change,
            before: delta.before.cloned(),
            after: delta.after.cloned(),
            severity,
            headline,
            reason,
        });
        self.affects(effect);
    }

    /// The `name` of something that is called by it changed.
    fn renamed(&mut self, deltas: &[Delta]) {
        for delta in deltas {
            let reason = Said::new("Name changed").and("Clients call it by name");
            self.add(delta, ChangeKind::Renamed, Severity::Moderate, Effect::Breaking, reason);
        }
    }

    fn affects(&mut self, effect: Effect) {
        self.effect = Some(self.effect.map_or(effect, |known| known.and(effect)));
    }

    /// The highest of the changes.
    pub(super) fn worst(&self) -> Severity {
        self.changes.iter().map(|change| change.severity).max().unwrap_or(Severity::Safe)
    }

    /// Keeps the worst changes, and one that stands for the others.
    fn bound(&mut self) {
        if self.changes.len() <= MAX_CHANGES {
            return;
        }
        self.changes.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.path.cmp(&b.path)));
        let rest = self.changes.split_off(MAX_CHANGES);
        let severity = rest.iter().map(|change| change.severity).max().unwrap_or(Severity::Safe);
        let headline = format!("{} more changes", rest.len());
        self.changes.push(Change {
            path: Pointer::root(),
            change: ChangeKind::More,
            before: None,
            after: None,
            severity,
            reason: format!("{headline}, none worse than {severity}"),
            headline,
        });
    }
}

/// Fields that changed in one way on every tool, so that the cause is the protocol or the SDK.
pub(super) type Upgraded = BTreeSet<Pointer>;

/// What a judgement may look at beside the two definitions.
pub(super) struct Evidence<'a> {
    baseline: &'a Baseline,
    upgraded: &'a Upgraded,
    keyring: &'a Keyring,
    /// The words for running commands that were ever pinned; read when first asked.
    pinned_words: OnceCell<CommandWords>,
}

impl<'a> Evidence<'a> {
    pub(super) fn new(baseline: &'a Baseline, upgraded: &'a Upgraded, keyring: &'a Keyring) -> Self {
        Self { baseline, upgraded, keyring, pinned_words: OnceCell::new() }
    }

    /// Whether the protocol or the SDK moved this field on every tool.
    pub(super) fn is_upgraded(&self, path: &Pointer) -> bool {
        self.upgraded.iter().any(|site| path.is_within(site))
    }

    /// The verb of a new tool's name that says it runs commands, where no name or parameter that was ever pinned says so.
    pub(super) fn new_tool_word(&self, name: &str) -> Option<&'static str> {
        command_verb(name).filter(|_| self.pinned_words().is_empty())
    }

    /// Whether a new parameter's name says that it takes a command, where no name or parameter that was ever pinned does.
    fn is_new_command(&self, name: &str) -> bool {
        let says_so = |word: &&str| command_parameter(word).is_some();
        command_parameter(name).is_some() && !self.pinned_words().iter().any(says_so)
    }

    fn pinned_words(&self) -> &CommandWords {
        self.pinned_words.get_or_init(|| self.baseline.command_words())
    }
}

/// Two definitions of one item as most readers take them, read once for all who look at them.
pub(super) struct Versions {
    pub(super) before: Value,
    pub(super) after: Value,
}

impl Versions {
    pub(super) fn of(before: &Item, after: &Item) -> Self {
        Self { before: before.definition.as_read(), after: after.definition.as_read() }
    }
}

/// A definition without loss: as it was read, where that is plain.
fn exact<'a>(item: &Item, read: &'a Value) -> Option<Cow<'a, Value>> {
    if item.definition.is_plain() { Some(Cow::Borrowed(read)) } else { item.definition.exact().map(Cow::Owned) }
}

/// Judges the difference between two definitions of one item, whose readings are `versions`. `varies` is not looked at.
pub(super) fn judge(
    (before, after): (&Item, &Item),
    versions: &Versions,
    varies: &[Pointer],
    context: &Evidence,
) -> Judgement {
    let mut judgement = Judgement::default();
    let (Some(old), Some(new)) = (exact(before, &versions.before), exact(after, &versions.after)) else {
        whole_text(&mut judgement, before, after);
        return judgement;
    };
    let (old, new) = (old.as_ref(), new.as_ref());
    let mut found = deltas(&Pointer::root(), Some(old), Some(new));
    found.retain(|delta| {
        let varying = varies.iter().any(|varying| delta.path.is_within(varying));
        !varying || delta.before.is_none() || delta.after.is_none()
    });
    match before.id.kind {
        Kind::Tool => {
            let exact = (with_numbers(before, old), with_numbers(after, new));
            tool::judge(&mut judgement, (old, new), (&exact.0, &exact.1), &found, context);
        }
        Kind::Prompt => prompt::judge(&mut judgement, old, new, &found),
        Kind::Resource => template::judge_resource(&mut judgement, &found),
        Kind::ResourceTemplate => template::judge(&mut judgement, old, new, &found),
        Kind::Instructions => text::judge_each(&mut judgement, &found, "Server instructions"),
        Kind::Capabilities => server::judge_capabilities(&mut judgement, &found),
        Kind::ServerInfo => server::judge_info(&mut judgement, &found),
        Kind::Launch => launch::judge(&mut judgement, old, new, &found),
    }
    decimals(&mut judgement, (before, old), (after, new));
    if judgement.changes.is_empty() {
        let delta = Delta { path: Pointer::root(), before: None, after: None };
        let reason = "The digests differ, but no compared field does";
        judgement.add(&delta, ChangeKind::FormChanged, Severity::Moderate, Effect::Unknown, reason);
    }
    judgement.bound();
    judgement
}

/// A definition on which readers disagree is compared as the characters it is.
fn whole_text(judgement: &mut Judgement, before: &Item, after: &Item) {
    let (old, new) = (text_of(before), text_of(after));
    let delta = Delta { path: Pointer::root(), before: Some(&old), after: Some(&new) };
    let codes: Vec<_> = after.definition.codes.iter().map(|code| code.sentence()).collect();
    let (severity, reason) = if after.definition.exact().is_some() {
        (Severity::Moderate, "Parsers now agree on this definition; they did not on the approved one".to_owned())
    } else {
        (Severity::Critical, format!("Parsers disagree on this definition: {}", codes.join("; ")))
    };
    judgement.add(&delta, ChangeKind::FormChanged, severity, Effect::Unknown, reason);
}

/// A number beyond a double stands as a string in what is compared: where such a string is one in truth on the other
/// side, the values do not show it.
fn decimals(judgement: &mut Judgement, before: (&Item, &Value), after: (&Item, &Value)) {
    let of = |item: &Item| match &item.definition.form {
        Form::Decimal { decimals, .. } => decimals.iter().cloned().collect::<BTreeSet<_>>(),
        Form::Plain(_) | Form::Text(_) | Form::Bytes(_) => BTreeSet::new(),
    };
    let (old, new) = (of(before.0), of(after.0));
    for path in old.symmetric_difference(&new) {
        let (before, after) = (value_at(before.1, path), value_at(after.1, path));
        if before == after {
            let delta = Delta { path: path.clone(), before, after };
            let reason = "A number became a string of the same digits, or the reverse";
            judgement.add(&delta, ChangeKind::FormChanged, Severity::Moderate, Effect::Unknown, reason);
        }
    }
}

/// The definition with the numbers beyond a double as numbers, where 64 bits hold them: a schema means them as such.
fn with_numbers<'a>(item: &Item, exact: &'a Value) -> Cow<'a, Value> {
    let Form::Decimal { decimals, .. } = &item.definition.form else { return Cow::Borrowed(exact) };
    let mut value = exact.clone();
    for path in decimals {
        if let Some(place) = value.pointer_mut(path.as_str())
            && let Some(number) = place.as_str().and_then(whole_number)
        {
            *place = number;
        }
    }
    Cow::Owned(value)
}

/// `1844674407370955161e1` as the number it is; none beyond 64 bits.
fn whole_number(text: &str) -> Option<Value> {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let scale = 10_i128.checked_pow(exponent.parse().ok()?)?;
    let whole = digits.parse::<i128>().ok()?.checked_mul(scale)?;
    u64::try_from(whole).map(Value::from).or_else(|_| i64::try_from(whole).map(Value::from)).ok()
}

/// The stored characters, as a value to show.
fn text_of(item: &Item) -> Value {
    Value::String(item.definition.characters().into_owned())
}

/// Field added, removed or changed.
fn field_kind(delta: &Delta) -> ChangeKind {
    match (delta.before, delta.after) {
        (None, _) => ChangeKind::FieldAdded,
        (_, None) => ChangeKind::FieldRemoved,
        _ => ChangeKind::FieldChanged,
    }
}

/// `added`, `removed`, `changed`.
fn happened(delta: &Delta) -> &'static str {
    match (delta.before, delta.after) {
        (None, _) => "added",
        (_, None) => "removed",
        _ => "changed",
    }
}

/// Why every tool changed alike.
const BY_THE_SDK: &str = "Every tool changed so: the protocol or the SDK did it";

/// A word at the start of a sentence.
fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// A value as a sentence quotes it: short, in backticks.
fn quoted(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{}`", shortened(text)),
        other => format!("`{}`", shortened(&other.to_string())),
    }
}

/// A name or text, cut where it would drown its sentence.
pub(super) fn shortened(text: &str) -> String {
    crate::text::shortened(text, 80)
}

/// The deltas of each field, with its name.
fn by_field<'a, 'b>(deltas: &'a [Delta<'b>]) -> impl Iterator<Item = (String, &'a [Delta<'b>])> {
    deltas.chunk_by(|a, b| field(&a.path) == field(&b.path)).map(|inside| (field(&inside[0].path), inside))
}

/// The first token of a path: the field of the definition.
fn field(path: &Pointer) -> String {
    path.tokens().next().unwrap_or_default()
}
