//! Findings of form: what programs make of a definition before any model reads it. Which official clients refuse it, and
//! with it the whole list, and which references of its schemas lead nowhere. No rule here reads prose.

mod clients;
mod dangling;
mod members;
mod takes;

use clients::COMPILES;
pub(super) use clients::{Clients, Wire};

use super::judge::shortened;
use super::protocol::handshake_id;
use super::signed::signed;
use super::{Finding, Severity};
use crate::canon::Pointer;
use crate::digest::Item;
use crate::finding::Settings;
use crate::schema::ajv_stops_at;
use crate::signature::Keyring;
use crate::surface::{Kind, ObservedAs};
use members::MEMBERS;
use serde_json::Value;
use takes::Member;

/// The rule of what official clients refuse.
pub const REFUSED: &str = "refused-by-clients";
/// The rule of a `$ref` that leads nowhere in its schema.
pub const DANGLING: &str = "dangling-reference";

/// Faults of one definition that are told one by one; who refuses it counts all of them.
const MOST: usize = 10;

/// Whether a rule is one of form. Such a finding is of a kind with those of a whole list, where an SDK made it.
pub(super) fn is_form(rule: &str) -> bool {
    [REFUSED, DANGLING].contains(&rule)
}

#[derive(Debug, Default)]
pub(super) struct Form {
    /// What is wrong with it.
    pub(super) findings: Vec<Finding>,
    /// Who refuses the list that holds it.
    pub(super) refused: Clients,
}

/// Findings of form, and of its own signature, of an item that was seen under a handshake, by the keys that are trusted and
/// the rules in force. All are `added`: nothing is compared.
pub fn form_findings(item: &Item, observed_as: Option<&ObservedAs>, policy: (&Keyring, &Settings)) -> Vec<Finding> {
    let mut found = signed(item, policy.0);
    found.extend(form(item, &item.definition.as_read(), Wire::of(observed_as)).findings);
    found.retain(|finding| !policy.1.disable.contains(finding.rule.as_ref()));
    found
}

/// The form of an item, whose reading is `definition`.
pub(super) fn form(item: &Item, definition: &Value, wire: Wire) -> Form {
    let mut form = Form::default();
    if item.id.kind == Kind::Launch || item.id == handshake_id() {
        return form;
    }
    let what = if item.id.kind.key_member().is_some() { "the whole list" } else { "the server" };
    for fault in faults(item.id.kind, definition, wire) {
        form.refused = form.refused.with(fault.clients);
        let text = format!("clients refuse {what}: {} ({})", fault.says, fault.clients);
        form.tell(REFUSED, fault.path, text);
    }
    if item.id.kind == Kind::Tool {
        for (path, reference) in dangling::references(definition) {
            let text = format!("`$ref` leads nowhere: `{}` does not exist in this schema", shortened(&reference));
            form.tell(DANGLING, path, text);
        }
    }
    form
}

impl Form {
    fn tell(&mut self, rule: &'static str, path: Pointer, text: String) {
        if self.findings.iter().filter(|known| known.rule == rule).count() < MOST {
            let severity = Severity::Moderate;
            self.findings.push(Finding::at(rule, path, severity, text));
        }
    }
}

/// One member that some client refuses.
struct Fault {
    path: Pointer,
    says: String,
    clients: Clients,
}

fn faults(kind: Kind, definition: &Value, wire: Wire) -> Vec<Fault> {
    let mut found = Vec::new();
    for member in MEMBERS.iter().filter(|member| member.kinds.contains(&kind)) {
        walk(&mut found, member, member.path, (Pointer::root(), definition), wire);
    }
    if kind == Kind::Tool {
        found.extend(uncompiled(definition, wire));
    }
    found
}

/// An output schema that TypeScript SDK 1 does not get compiled. The other clients compile none before a call.
fn uncompiled(definition: &Value, wire: Wire) -> Option<Fault> {
    let clients = COMPILES.on(wire);
    let schema = definition.get("outputSchema").filter(|schema| schema.is_object() && !clients.is_empty())?;
    let keyword = ajv_stops_at(schema)?;
    let says = format!("`/outputSchema` does not compile: its keyword `{}` is invalid", shortened(&keyword));
    Some(Fault { path: Pointer::root().child("outputSchema"), says, clients })
}

/// Goes the rest of a member's way from a value, and looks at what stands there. Where the way ends early, another member
/// says so.
fn walk(found: &mut Vec<Fault>, member: &Member, rest: &[&str], (path, value): (Pointer, &Value), wire: Wire) {
    let Some((token, rest)) = rest.split_first() else {
        let clients = member.refused(value).on(wire);
        if !clients.is_empty() {
            let says = format!("{} must be {}", place(&path), member.takes.words());
            found.push(Fault { path, says, clients });
        }
        return;
    };
    match value {
        Value::Object(members) if *token == "*" => {
            for (name, value) in members {
                walk(found, member, rest, (path.child(name), value), wire);
            }
        }
        Value::Array(elements) if *token == "*" => {
            for (at, value) in elements.iter().enumerate() {
                walk(found, member, rest, (path.child(at), value), wire);
            }
        }
        Value::Object(members) => match members.get(*token) {
            Some(value) => walk(found, member, rest, (path.child(token), value), wire),
            None if rest.is_empty() => {
                let clients = member.missing.on(wire);
                if !clients.is_empty() {
                    let says = format!("{} is missing", place(&path.child(token)));
                    found.push(Fault { path, says, clients });
                }
            }
            None => {}
        },
        _ => {}
    }
}

/// A place as a sentence has it.
fn place(path: &Pointer) -> String {
    if path.as_str().is_empty() { "it".to_owned() } else { format!("`{}`", shortened(path.as_str())) }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
mod tests {
    use super::clients::{PYTHON_1, PYTHON_2, TYPESCRIPT_1, TYPESCRIPT_2};
    use super::*;
    use crate::canon::Definition;
    use crate::digest::DigestScope;
    use std::collections::BTreeMap;

    /// The runs of the table that a release line is judged by: its newest release, in each generation that it speaks.
    const JUDGED: [(&str, Wire, u8); 6] = [
        ("typescript 1.32.2 2025-11-25", Wire::Initialize, TYPESCRIPT_1),
        ("typescript 2.4.0 2025-11-25", Wire::Initialize, TYPESCRIPT_2),
        ("typescript 2.4.0 2026-07-28", Wire::Discover, TYPESCRIPT_2),
        ("python 1.30.0 2025-11-25", Wire::Initialize, PYTHON_1),
        ("python 2.3.0 2025-11-25", Wire::Initialize, PYTHON_2),
        ("python 2.3.0 2026-07-28", Wire::Discover, PYTHON_2),
    ];

    /// The cases with the runs that refuse the whole list or the server.
    fn table() -> Vec<(String, Kind, Value, Vec<String>)> {
        let text = include_str!("../../tests/data/client-verdicts/table.jsonl");
        let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let runs: Vec<String> = serde_json::from_value(lines.next().unwrap()["runs"].clone()).unwrap();
        let kinds: BTreeMap<&str, Kind> = Kind::ALL.into_iter().map(|kind| (kind.word(), kind)).collect();
        let of = |line: &Value, verdict: &str| {
            let refused = line[verdict].as_array().cloned().unwrap_or_default();
            refused
                .into_iter()
                .map(|at| runs[usize::try_from(at.as_u64().unwrap()).unwrap()].clone())
                .collect::<Vec<_>>()
        };
        lines
            .map(|line| {
                let refused = [of(&line, "list refused"), of(&line, "server refused")].concat();
                let kind = kinds[line["kind"].as_str().unwrap()];
                (line["case"].as_str().unwrap().to_owned(), kind, line["definition"].clone(), refused)
            })
            .collect()
    }

    fn refused(kind: Kind, definition: &Value, wire: Wire) -> Clients {
        let item = Item::stored(kind, Definition::from_plain(definition), &DigestScope::None);
        form(&item, definition, wire).refused
    }

    #[test]
    fn the_rule_says_what_the_official_clients_do() {
        let table = table();
        assert!(table.len() > 2_000);
        let mut wrong = Vec::new();
        for (case, kind, definition, runs) in &table {
            let early = refused(*kind, definition, Wire::Initialize);
            let late = refused(*kind, definition, Wire::Discover);
            assert!(
                runs.is_empty() || !early.is_empty() || !late.is_empty(),
                "{case}: only an older client refuses it"
            );
            for (run, wire, line) in JUDGED {
                let said = if wire == Wire::Initialize { early.has(line) } else { late.has(line) };
                if said != runs.iter().any(|refusing| refusing == run) {
                    wrong.push(format!("{case}: {run} {} it", if said { "takes" } else { "refuses" }));
                }
            }
        }
        assert!(wrong.is_empty(), "{} verdicts:\n{}", wrong.len(), wrong.join("\n"));
    }
}
