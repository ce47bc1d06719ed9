//! The launch: what pinwatch starts or opens. Only another version of the same package or image is info, other names of
//! variables or headers are moderate; everything else is another program or another place.

use super::{Judgement, field, field_kind, happened, quoted};
use crate::drift::delta::Delta;
use crate::drift::{Effect, Severity};
use crate::surface::{Package, program_name};
use serde_json::Value;

/// Judges the deltas between two launches.
pub(super) fn judge(judgement: &mut Judgement, old: &Value, new: &Value, deltas: &[Delta]) {
    for delta in deltas {
        let name = field(&delta.path);
        let (severity, reason) = match name.as_str() {
            "env" => {
                let names = names(old.get("env"), new.get("env"));
                (Severity::Moderate, format!("Environment variables changed: {names}"))
            }
            "headers" => {
                let names = names(old.get("headers"), new.get("headers"));
                (Severity::Moderate, format!("Headers changed: {names}"))
            }
            "args" => judge_arguments(
                &arguments(old),
                &arguments(new),
                command(old),
                old.get("command") == new.get("command"),
            ),
            _ => {
                let shown = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), quoted);
                let sides = format!("{} → {}", shown(delta.before), shown(delta.after));
                (Severity::Critical, format!("`{name}` {}: {sides}", happened(delta)))
            }
        };
        judgement.add(delta, field_kind(delta), severity, Effect::Unknown, reason);
    }
}

fn arguments(launch: &Value) -> Vec<String> {
    let list = launch.get("args").and_then(Value::as_array);
    list.into_iter().flatten().map(|value| value.as_str().unwrap_or_default().to_owned()).collect()
}

/// The command as its launch writes it.
fn command(launch: &Value) -> &str {
    launch.get("command").and_then(Value::as_str).unwrap_or_default()
}

/// How bad other arguments are, and what is different in words.
fn judge_arguments(old: &[String], new: &[String], command: &str, same_command: bool) -> (Severity, String) {
    let packages = (Package::of(command, old), Package::of(command, new));
    if same_command
        && old.len() == new.len()
        && let (Some(before), Some(after)) = packages
        && (before.at, &before.name) == (after.at, &after.name)
        && old.iter().zip(new).enumerate().all(|(at, (old, new))| at == before.at || old == new)
    {
        let version = |text: &str| if text.is_empty() { "no version".to_owned() } else { quoted_text(text) };
        let (name, sides) = (&before.name, (version(&before.version), version(&after.version)));
        return (Severity::Info, format!("Another version of `{name}`: {} → {}", sides.0, sides.1));
    }
    (Severity::Critical, format!("Arguments changed: {}", differences(old, new)))
}

/// Words that came and went, in the order of the command line; a word in the place of one is told beside it.
fn differences(old: &[String], new: &[String]) -> String {
    let front = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - front;
    let back = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    let (gone, come) = (&old[front..old.len() - back], &new[front..new.len() - back]);
    let list = |words: &[String]| {
        let shown: Vec<_> = words.iter().take(SHOWN).map(|word| quoted_text(word)).collect();
        let more = words.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", shown.join(" "))
    };
    match (gone, come) {
        ([], []) => "only in spelling".to_owned(),
        ([], come) => format!("{} added", list(come)),
        (gone, []) => format!("{} removed", list(gone)),
        (gone, come) => format!("{} → {}", list(gone), list(come)),
    }
}

/// Words of a command line that a sentence names.
const SHOWN: usize = 6;

fn quoted_text(text: &str) -> String {
    quoted(&Value::String(text.to_owned()))
}

/// Names that came and went.
fn names(before: Option<&Value>, after: Option<&Value>) -> String {
    let list = |value: Option<&Value>| -> Vec<String> {
        let names = value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        names.map(str::to_owned).collect()
    };
    let (before, after) = (list(before), list(after));
    let only = |of: &[String], other: &[String]| -> Vec<String> {
        of.iter().filter(|name| !other.contains(name)).map(|name| quoted_text(name)).collect()
    };
    let (come, gone) = (only(&after, &before), only(&before, &after));
    let come = (!come.is_empty()).then(|| format!("{} added", come.join(", ")));
    let gone = (!gone.is_empty()).then(|| format!("{} removed", gone.join(", ")));
    [come, gone].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Whether two launches start one program: the same package or image of a runner in any version, else the same command
/// with the same first argument; or they open one address.
pub(in crate::drift) fn same_program(a: &Value, b: &Value) -> bool {
    if let (Some(a), Some(b)) = (a.get("url"), b.get("url")) {
        return a == b;
    }
    let (one, other) = (program_name(command(a)), program_name(command(b)));
    if one.is_empty() || one != other {
        return false;
    }
    let (old, new) = (arguments(a), arguments(b));
    match (Package::of(one, &old), Package::of(one, &new)) {
        (Some(a), Some(b)) => a.name == b.name,
        _ => old.first() == new.first(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn severity(command: &str, old: &[&str], new: &[&str]) -> Severity {
        let owned = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        judge_arguments(&owned(old), &owned(new), command, true).0
    }

    #[test]
    fn only_the_version_of_the_same_package_is_info() {
        for (command, old, new) in [
            ("npx", vec!["-y", "@a/b@1.0.0", "."], vec!["-y", "@a/b@2.0.0-rc.1", "."]),
            ("npx", vec!["b"], vec!["b@latest"]),
            ("npx", vec!["-p", "b@1", "tool"], vec!["-p", "b@2", "tool"]),
            ("uvx", vec!["--from", "b==1.0", "tool"], vec!["--from", "b==1.1", "tool"]),
            (
                "docker",
                vec!["run", "-i", "--rm", "-e", "X", "ghcr.io/a/b:1"],
                vec!["run", "-i", "--rm", "-e", "X", "ghcr.io/a/b:2"],
            ),
        ] {
            assert_eq!(severity(command, &old, &new), Severity::Info, "{command} {new:?}");
        }
    }

    #[test]
    fn what_is_different_is_said_in_words() {
        let reason = |old: &[&str], new: &[&str]| {
            let owned = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
            judge_arguments(&owned(old), &owned(new), "npx", true).1
        };
        for (old, new, said) in [
            (&["b@1"][..], &["b@2"][..], "Another version of `b`: `1` → `2`"),
            (&["b@1", "."], &["b@1", "/"], "Arguments changed: `.` → `/`"),
            (&["b@1"], &["b@1", "--unsafe", "x"], "Arguments changed: `--unsafe` `x` added"),
            (&["--safe", "b"], &["b"], "Arguments changed: `--safe` removed"),
            (&["a", "b", "c"], &["a", "x", "y", "c"], "Arguments changed: `b` → `x` `y`"),
        ] {
            assert_eq!(reason(old, new), said);
        }
    }

    #[test]
    fn anything_else_is_another_program() {
        for (command, old, new) in [
            ("npx", vec!["@a/b@1.0.0"], vec!["@a/c@1.0.0"]),
            ("npx", vec!["b@1"], vec!["b@npm:evil@1"]),
            ("npx", vec!["b@1"], vec!["b@git+https://evil.example/b"]),
            ("npx", vec!["b@1", "."], vec!["b@1", "/"]),
            ("npx", vec!["b@1"], vec!["b@2", "--unsafe"]),
            ("node", vec!["b@1"], vec!["b@2"]),
            ("docker", vec!["run", "-p", "80:1", "a/b:1"], vec!["run", "-p", "80:2", "a/b:1"]),
            ("docker", vec!["run", "a/b:1", "x:1"], vec!["run", "a/b:1", "x:2"]),
            ("docker", vec!["run", "localhost:5000/b"], vec!["run", "localhost:5001/b"]),
            ("uvx", vec!["b==1"], vec!["c==1"]),
        ] {
            assert_eq!(severity(command, &old, &new), Severity::Critical, "{command} {new:?}");
        }
    }
}
