//! What is said of a drift below its headline, each thing once: not what a finding says with its place, nor what the verdict
//! on a schema says.

use super::group::edit;
use super::{Change, ChangeKind, Drift, Group, SchemaVerdict, Severity};
use crate::canon::{Pointer, value_at};
use crate::digest::Item;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::BTreeMap;

impl Drift {
    /// Whether all that happens is that it is gone.
    pub(crate) fn only_removes(&self) -> bool {
        self.changes.iter().all(|change| change.change == ChangeKind::ItemRemoved)
    }

    /// The sentences that stand beside findings and schemas: its own, then of each change outside the schemas, without what
    /// `headline` said already. May quote the server.
    pub(crate) fn beside(&self, headline: Option<&str>) -> Vec<(Option<Severity>, &str)> {
        let own = self.own_reasons().filter(|reason| !self.quotes_a_finding(reason) && !self.is_of_a_schema(reason));
        let changes = self.other_changes().filter(|change| !change.reason.is_empty() && !self.is_found(change));
        let changes = changes.map(|change| (Some(change.severity), rest_of(&change.reason, headline)));
        let all = own.map(|reason| (None, reason)).chain(changes);
        all.filter(|(_, text)| !text.is_empty()).collect()
    }

    fn quotes_a_finding(&self, text: &str) -> bool {
        self.findings.iter().any(|finding| !finding.text.is_empty() && text.ends_with(&finding.text))
    }

    /// Whether all that a change says is that a text is another one, of which a finding says more.
    fn is_found(&self, change: &Change) -> bool {
        let text = matches!(
            change.change,
            ChangeKind::TextChanged | ChangeKind::FieldAdded | ChangeKind::FieldChanged | ChangeKind::ItemAdded
        );
        let mut found = self.findings.iter().filter(|finding| finding.added && finding.severity == change.severity);
        text && found.any(|finding| finding.path.is_within(&change.path))
    }

    fn is_of_a_schema(&self, text: &str) -> bool {
        self.verdicts().any(|verdict| self.changes_of(verdict).any(|change| change.reason.starts_with(text)))
    }

    /// The changes of a schema of which the lists of names and of types do not say all: a worse one says why it is.
    pub(crate) fn unnamed_changes<'a>(&'a self, verdict: &'a SchemaVerdict) -> impl Iterator<Item = &'a Change> {
        self.changes_of(verdict).filter(|change| {
            let listed = |names: &[String]| {
                let last = change.path.as_str().rsplit('/').next();
                last.is_some_and(|last| names.iter().any(|name| name.rsplit('/').next() == Some(last)))
            };
            let named = match change.change {
                ChangeKind::PropertyAdded => listed(&verdict.declares_added),
                ChangeKind::PropertyRemoved => listed(&verdict.declares_removed),
                _ => self.retyping(verdict, change).is_some(),
            };
            !named || change.severity > Severity::Moderate
        })
    }

    /// Each parameter whose `type` is another one: its name, what it was, what it is. May quote the server.
    pub(crate) fn retyped<'a>(&'a self, verdict: &'a SchemaVerdict) -> impl Iterator<Item = [String; 3]> {
        self.changes_of(verdict).filter_map(|change| self.retyping(verdict, change))
    }

    fn retyping(&self, verdict: &SchemaVerdict, change: &Change) -> Option<[String; 3]> {
        let inside = change.path.as_str().strip_prefix(verdict.root.as_str())?.strip_suffix("/type")?;
        let name = inside.strip_prefix("/properties/").filter(|name| !name.contains('/'))?;
        let name = Pointer::parse(&format!("/{name}"))?.tokens().next()?;
        let word = |value: Option<Value>| match value? {
            Value::String(word) => Some(word),
            Value::Array(words) => {
                let words: Option<Vec<_>> = words.iter().map(Value::as_str).collect();
                Some(words?.join(" or "))
            }
            _ => None,
        };
        let read = |item: &Item| word(value_at(&item.definition.exact()?, &change.path).cloned());
        Some([name, read(self.side.pinned.as_ref()?)?, read(self.side.now.as_ref()?)?])
    }
}

impl Group {
    /// What its members are together, where they are called `label`: what is new differs from item to item, and what comes
    /// and goes is no one change. `drifts` are the review's.
    pub(crate) fn together(&self, label: &str, drifts: &[Drift]) -> String {
        let members = || self.members.iter().filter_map(|member| drifts.get(*member));
        if members().all(|drift| drift.side.pinned.is_none()) {
            label.replacen(' ', " new ", 1)
        } else if members().any(|drift| drift.side.pinned.is_none()) {
            label.to_owned()
        } else {
            format!("{label}, same change")
        }
    }

    /// The members by what changed in them, the most frequent version first; the same edit of different texts is one
    /// version. `drifts` are the review's.
    pub(crate) fn versions<'a>(&self, drifts: &'a [Drift]) -> Vec<Vec<&'a Drift>> {
        let mut found: BTreeMap<String, Vec<&Drift>> = BTreeMap::new();
        for drift in self.members.iter().filter_map(|member| drifts.get(*member)) {
            let said = |change: &Change| match (&change.before, &change.after) {
                (Some(Value::String(old)), Some(Value::String(new))) if change.change == ChangeKind::TextChanged => {
                    format!("{}\n{:?}\n", change.path, edit(old, new))
                }
                (before, after) => format!("{}\n{before:?}\n{after:?}\n", change.path),
            };
            let key = if drift.only_removes() { String::new() } else { drift.changes.iter().map(said).collect() };
            found.entry(key).or_default().push(drift);
        }
        let mut found: Vec<_> = found.into_values().collect();
        found.sort_by_key(|members| (Reverse(members.len()), members.first().map(|drift| &drift.id)));
        found
    }
}

/// What a reason says beyond the headline that it begins with.
fn rest_of<'a>(reason: &'a str, headline: Option<&str>) -> &'a str {
    let rest = headline.filter(|headline| !headline.is_empty()).and_then(|headline| reason.strip_prefix(headline));
    // A longer word is another sentence.
    let rest = rest.filter(|rest| !rest.starts_with(char::is_alphanumeric));
    rest.map_or(reason, |rest| rest.trim_start_matches(['.', ':', ';', ',', ' ']))
}
