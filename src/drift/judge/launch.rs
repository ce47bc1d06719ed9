//! The launch: what pinwatch starts or opens. Only another version of the same package or image is info, other names of
//! variables or headers are moderate; everything else is another program or another place.

use super::{Judgement, field, field_kind, happened, quoted};
use crate::drift::delta::Delta;
use crate::drift::{Effect, Severity};
use serde_json::Value;

/// Judges the deltas between two launches.
pub(super) fn judge(judgement: &mut Judgement, old: &Value, new: &Value, deltas: &[Delta]) {
    for delta in deltas {
        let name = field(&delta.path);
        let (severity, reason) = match name.as_str() {
            "env" => (Severity::Moderate, "other environment variables are given to it".to_owned()),
            "headers" => (Severity::Moderate, "other headers are sent to it".to_owned()),
            "args" => judge_arguments(
                &arguments(old),
                &arguments(new),
                &command(old),
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

/// The command's own name, without folder and Windows ending.
fn command(launch: &Value) -> String {
    let command = launch.get("command").and_then(Value::as_str).unwrap_or_default();
    let name = command.rsplit(['/', '\\']).next().unwrap_or_default();
    let ending = name.strip_suffix(".cmd").or_else(|| name.strip_suffix(".exe"));
    ending.unwrap_or(name).to_owned()
}

fn judge_arguments(old: &[String], new: &[String], command: &str, same_command: bool) -> (Severity, String) {
    let place = package_at(command, old);
    if same_command
        && old.len() == new.len()
        && let Some((place, kind)) = place
        && old.iter().zip(new).enumerate().all(|(at, (old, new))| at == place || old == new)
        && package_at(command, new).map(|(at, _)| at) == Some(place)
        && let (Some((name, before)), Some((same, after))) = (kind.part(&old[place]), kind.part(&new[place]))
        && name == same
    {
        let version = |text: &str| if text.is_empty() { "no version".to_owned() } else { format!("`{text}`") };
        return (Severity::Info, format!("another version of `{name}`: {} → {}", version(before), version(after)));
    }
    (Severity::Critical, "it is started with other arguments".to_owned())
}

/// Whether two launches start one program: the same package or image of a runner in any version, else the same command
/// with the same first argument; or they open one address.
pub(in crate::drift) fn same_program(a: &Value, b: &Value) -> bool {
    if let (Some(a), Some(b)) = (a.get("url"), b.get("url")) {
        return a == b;
    }
    let (one, other) = (command(a), command(b));
    if one.is_empty() || one != other {
        return false;
    }
    let (old, new) = (arguments(a), arguments(b));
    let package = |arguments: &[String]| {
        let (at, spelling) = package_at(&one, arguments)?;
        spelling.part(arguments.get(at)?).map(|(name, _)| name.to_owned())
    };
    match (package(&old), package(&new)) {
        (Some(a), Some(b)) => a == b,
        _ => old.first() == new.first(),
    }
}

/// How a runner spells a package with its version.
#[derive(Clone, Copy)]
enum Spelling {
    /// `name@version`, `@scope/name@version`.
    Npm,
    /// `name==version`, `name@version`.
    Python,
    /// `image:tag`, `image@sha256:…`.
    Image,
}

impl Spelling {
    /// Name and version, where the text is plainly those; a path, a URL or an alias is not.
    fn part(self, text: &str) -> Option<(&str, &str)> {
        let (name, version) = match self {
            Self::Npm => {
                let at = text.get(1..)?.find('@').map(|at| at + 1);
                at.map_or((text, ""), |at| (&text[..at], &text[at + 1..]))
            }
            Self::Python => text.split_once("==").or_else(|| text.split_once('@')).unwrap_or((text, "")),
            Self::Image => match text.split_once('@') {
                Some((image, digest)) => {
                    let hex = digest.strip_prefix("sha256:")?;
                    return (hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
                        .then(|| (untagged(image), digest));
                }
                None => (untagged(text), &text[untagged(text).len()..]),
            },
        };
        let named = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"@/._-[],:".contains(&byte));
        let relative = name.starts_with(['.', '/']) || name.contains("://");
        let plain = match self {
            Self::Image => true,
            Self::Npm | Self::Python => version.is_empty() || is_version(version),
        };
        (!name.is_empty() && named && !relative && plain).then_some((name, version))
    }
}

/// An image without its tag: the part after the last `:` is one, unless a port stands before a path.
fn untagged(image: &str) -> &str {
    match image.rsplit_once(':') {
        Some((name, tag)) if !tag.contains('/') => name,
        _ => image,
    }
}

/// A number, or one of the tags that registries move along; not a host, a path or an alias.
fn is_version(text: &str) -> bool {
    let number = text.trim_start_matches(['v', '^', '~', '=']);
    let characters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_');
    (number.starts_with(|c: char| c.is_ascii_digit()) && number.chars().all(characters))
        || ["latest", "next", "beta", "alpha", "canary", "rc", "preview"].contains(&text)
}

/// Options of these runners that stand alone.
const ALONE: [&str; 16] = [
    "-y",
    "--yes",
    "-q",
    "--quiet",
    "-i",
    "-t",
    "-it",
    "-ti",
    "-d",
    "--rm",
    "--init",
    "--interactive",
    "--tty",
    "--detach",
    "--privileged",
    "--refresh",
];

/// Where the package or image stands among the arguments of a known runner.
fn package_at(command: &str, arguments: &[String]) -> Option<(usize, Spelling)> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (start, spelling) = match (command, words.as_slice()) {
        ("npx" | "bunx" | "pnpx", _) => (0, Spelling::Npm),
        ("pnpm" | "yarn", ["dlx", ..]) | ("npm", ["exec", ..]) | ("bun", ["x", ..]) => (1, Spelling::Npm),
        ("uvx", _) => (0, Spelling::Python),
        ("uv", ["tool", "run", ..]) => (2, Spelling::Python),
        ("pipx", ["run", ..]) => (1, Spelling::Python),
        ("docker" | "podman" | "nerdctl", ["run", ..]) => (1, Spelling::Image),
        _ => return None,
    };
    let mut at = start;
    while let Some(word) = words.get(at) {
        let names_package = match spelling {
            Spelling::Npm => matches!(*word, "-p" | "--package"),
            Spelling::Python => matches!(*word, "--from" | "--spec"),
            Spelling::Image => false,
        };
        if names_package {
            return (at + 1 < words.len()).then_some((at + 1, spelling));
        }
        if !word.starts_with('-') {
            return Some((at, spelling));
        }
        at += if ALONE.contains(word) || word.contains('=') { 1 } else { 2 };
    }
    None
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
