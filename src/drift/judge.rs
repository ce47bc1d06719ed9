//! What each difference inside an item means, by DESIGN.md's table: the rules that need neither a schema's meaning nor
//! a finding. One file a family of fields; `text` judges what a model reads, `schema` what a tool takes and gives.

mod annotations;
mod launch;
mod prompt;
mod schema;
mod schema_place;
mod server;
mod template;
mod text;
mod tool;
mod url;
mod vendor;

use super::delta::{Delta, deltas};
use super::words::{PARAMETER_WORDS, TOOL_WORDS, word_of};
use super::{Change, ChangeKind, Effect, SchemaVerdict, Severity};
use crate::canon::{Form, Pointer};
use crate::digest::Item;
use crate::pin::Baseline;
use crate::surface::Kind;
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::BTreeSet;

pub(super) use template::reaches_wider;

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
    fn add(&mut self, delta: &Delta, change: ChangeKind, severity: Severity, effect: Effect, reason: String) {
        self.changes.push(Change {
            path: delta.path.clone(),
            change,
            before: delta.before.cloned(),
            after: delta.after.cloned(),
            severity,
            reason,
        });
        self.affects(effect);
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
        self.changes.push(Change {
            path: Pointer::root(),
            change: ChangeKind::More,
            before: None,
            after: None,
            severity,
            reason: format!("and {} more changes, none worse than {severity}", rest.len()),
        });
    }
}

/// Fields that changed in one way on every tool, so that the cause is the protocol or the SDK.
pub(super) type Upgraded = BTreeSet<Pointer>;

/// What a judgement may look at beside the two definitions.
pub(super) struct Context<'a> {
    baseline: &'a Baseline,
    upgraded: &'a Upgraded,
    names: OnceCell<BTreeSet<String>>,
}

impl<'a> Context<'a> {
    pub(super) fn new(baseline: &'a Baseline, upgraded: &'a Upgraded) -> Self {
        Self { baseline, upgraded, names: OnceCell::new() }
    }

    /// Whether the protocol or the SDK moved this field on every tool.
    pub(super) fn is_upgraded(&self, path: &Pointer) -> bool {
        self.upgraded.iter().any(|site| path.is_within(site))
    }

    /// The word of a new tool's name that says it runs commands, where no pinned name or parameter has one.
    pub(super) fn new_tool_word(&self, name: &str) -> Option<&'static str> {
        word_of(name, &TOOL_WORDS).filter(|_| !self.pinned_has(&TOOL_WORDS))
    }

    /// Likewise of a new parameter's name.
    fn new_parameter_word(&self, name: &str) -> Option<&'static str> {
        word_of(name, &PARAMETER_WORDS).filter(|_| !self.pinned_has(&PARAMETER_WORDS))
    }

    fn pinned_has(&self, list: &[&'static str]) -> bool {
        let names = self.names.get_or_init(|| {
            let pins = self.baseline.pins_of_kind(Kind::Tool);
            pins.flat_map(|pin| {
                let value = pin.item.definition.as_read();
                let schema = value.get("inputSchema").or_else(|| value.get("input_schema"));
                let declared = schema.map(schema_place::declared).unwrap_or_default();
                let parameters: Vec<_> = declared.into_values().map(|parameter| parameter.name).collect();
                parameters.into_iter().chain([pin.item.id.key.clone()])
            })
            .collect()
        });
        names.iter().any(|name| word_of(name, list).is_some())
    }
}

/// Judges the difference between two definitions of one item. `varies` is not looked at.
pub(super) fn judge(before: &Item, after: &Item, varies: &[Pointer], context: &Context) -> Judgement {
    let mut judgement = Judgement::default();
    let (Some(old), Some(new)) = (before.definition.exact(), after.definition.exact()) else {
        whole_text(&mut judgement, before, after);
        return judgement;
    };
    let mut found = deltas(&Pointer::root(), Some(&old), Some(&new));
    found.retain(|delta| {
        let varying = varies.iter().any(|varying| delta.path.is_within(varying));
        !varying || delta.before.is_none() || delta.after.is_none()
    });
    match before.id.kind {
        Kind::Tool => tool::judge(&mut judgement, &old, &new, &found, context),
        Kind::Prompt => prompt::judge(&mut judgement, &old, &new, &found),
        Kind::Resource => template::judge_resource(&mut judgement, &found),
        Kind::ResourceTemplate => template::judge(&mut judgement, &old, &new, &found),
        Kind::Instructions => text::judge_instructions(&mut judgement, &found),
        Kind::Capabilities => server::judge_capabilities(&mut judgement, &found),
        Kind::ServerInfo => server::judge_info(&mut judgement, &found),
        Kind::Launch => launch::judge(&mut judgement, &old, &new, &found),
    }
    decimals(&mut judgement, before, after);
    judgement.bound();
    judgement
}

/// A definition on which readers disagree is compared as the characters it is.
fn whole_text(judgement: &mut Judgement, before: &Item, after: &Item) {
    let (old, new) = (text_of(before), text_of(after));
    let delta = Delta { path: Pointer::root(), before: Some(&old), after: Some(&new) };
    let codes: Vec<_> = after.definition.codes.iter().map(|code| code.sentence()).collect();
    let (severity, reason) = if after.definition.exact().is_some() {
        (Severity::Moderate, "readers disagreed on the pinned definition; they agree on this one".to_owned())
    } else {
        (Severity::Critical, format!("readers disagree on this definition: {}", codes.join("; ")))
    };
    judgement.add(&delta, ChangeKind::FormChanged, severity, Effect::Unknown, reason);
}

/// A number beyond a double stands as a string in what is compared: one that becomes such a string, or was one, is a
/// change that the values do not show.
fn decimals(judgement: &mut Judgement, before: &Item, after: &Item) {
    let of = |item: &Item| match &item.definition.form {
        Form::Decimal { decimals, .. } => decimals.iter().cloned().collect::<BTreeSet<_>>(),
        Form::Plain(_) | Form::Text(_) | Form::Bytes(_) => BTreeSet::new(),
    };
    let (old, new) = (of(before), of(after));
    for path in old.symmetric_difference(&new) {
        if judgement.changes.iter().any(|change| path.is_within(&change.path)) {
            continue;
        }
        let delta = Delta { path: path.clone(), before: None, after: None };
        let reason = "a number became a string of the same digits, or the other way round".to_owned();
        judgement.add(&delta, ChangeKind::FormChanged, Severity::Moderate, Effect::Unknown, reason);
    }
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

/// `is new`, `is gone`, `changed`.
fn happened(delta: &Delta) -> &'static str {
    match (delta.before, delta.after) {
        (None, _) => "is new",
        (_, None) => "is gone",
        _ => "changed",
    }
}

/// A value as a sentence quotes it: short, on one line.
fn quoted(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut characters = text.chars();
    let mut short: String = characters.by_ref().take(60).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    format!("`{short}`")
}

/// The first token of a path: the field of the definition.
fn field(path: &Pointer) -> String {
    path.tokens().next().unwrap_or_default()
}
