//! Variables in a launch: `${NAME}` and `${NAME:-default}`.
//!
//! A variable that is set counts as set even where it is empty, as in Claude Code. In our own file `$${` writes the two
//! characters `${`; the clients whose files we read know no escape, so in theirs it is a `$` before a variable.

use std::collections::BTreeSet;

/// How the environment answers.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Whose rules a text follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `pinwatch.toml` and the command line.
    Ours,
    /// `.mcp.json`.
    ClaudeCode,
    /// What a shell has expanded already: nothing is a variable.
    Literal,
}

/// One stretch of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Variable { name: String, default: Option<String> },
}

/// The text with every variable replaced, or what is wrong.
pub(super) fn expand(text: &str, dialect: Dialect, environment: Lookup<'_>) -> Result<String, String> {
    let mut expanded = String::with_capacity(text.len());
    for part in parts(text, dialect)? {
        match part {
            Part::Text(text) => expanded.push_str(&text),
            Part::Variable { name, default } => match environment(&name).or(default) {
                Some(value) => expanded.push_str(&value),
                None => {
                    return Err(format!(
                        "`{name}` is not set, and `${{{name}}}` has no default: `${{{name}:-default}}` would"
                    ));
                }
            },
        }
    }
    Ok(expanded)
}

/// The names of the variables that a text refers to.
pub(super) fn variables(text: &str, dialect: Dialect) -> BTreeSet<String> {
    let parts = parts(text, dialect).unwrap_or_default();
    let names = parts.into_iter().filter_map(|part| match part {
        Part::Variable { name, .. } => Some(name),
        Part::Text(_) => None,
    });
    names.collect()
}

fn parts(text: &str, dialect: Dialect) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while dialect != Dialect::Literal
        && let Some(start) = rest.find("${")
    {
        let (before, from) = rest.split_at(start);
        if dialect == Dialect::Ours && before.ends_with('$') {
            plain.push_str(before);
            plain.push('{');
            rest = &from[2..];
            continue;
        }
        plain.push_str(before);
        let Some((inside, after)) = from[2..].split_once('}') else {
            if dialect == Dialect::ClaudeCode {
                plain.push_str(from);
                rest = "";
                break;
            }
            return Err("a `${` has no `}` (`$${` writes the two characters)".to_owned());
        };
        let (name, default) = inside.split_once(":-").map_or((inside, None), |(name, value)| (name, Some(value)));
        if !is_name(name) || default.is_some_and(|default| default.contains("${")) {
            // A default may be a secret.
            let (name, rest) = (crate::text::visible(name), if default.is_some() { ":-…" } else { "" });
            return Err(format!("`${{{name}{rest}}}` is neither `${{NAME}}` nor `${{NAME:-default}}`"));
        }
        if !plain.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut plain)));
        }
        parts.push(Part::Variable { name: name.to_owned(), default: default.map(str::to_owned) });
        rest = after;
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        parts.push(Part::Text(plain));
    }
    Ok(parts)
}

fn is_name(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(name: &str) -> Option<String> {
        match name {
            "A" => Some("one".to_owned()),
            "EMPTY" => Some(String::new()),
            "SELF" => Some("${A}".to_owned()),
            _ => None,
        }
    }

    #[test]
    fn variables_are_replaced_once() {
        for (text, expanded) in [
            ("plain", "plain"),
            ("${A}", "one"),
            ("x${A}y${A}", "xoneyone"),
            ("${B:-two}", "two"),
            ("${A:-two}", "one"),
            ("${B:-}", ""),
            ("${EMPTY:-two}", ""),
            ("${B:-a:-b}", "a:-b"),
            ("${SELF}", "${A}"),
            ("$A $ {A}", "$A $ {A}"),
            ("$${A}", "${A}"),
            ("$$${A}", "$${A}"),
            ("", ""),
        ] {
            assert_eq!(expand(text, Dialect::Ours, &environment).as_deref(), Ok(expanded), "{text}");
        }
    }

    #[test]
    fn a_client_file_follows_the_client() {
        assert_eq!(expand("$${A}", Dialect::ClaudeCode, &environment).as_deref(), Ok("$one"));
        assert_eq!(expand("a ${", Dialect::ClaudeCode, &environment).as_deref(), Ok("a ${"));
        assert_eq!(expand("${A} $${A}", Dialect::Literal, &environment).as_deref(), Ok("${A} $${A}"));
    }

    #[test]
    fn what_cannot_be_replaced_is_refused() {
        for text in ["${B}", "${env:A}", "${}", "${A", "${1A}", "${A:-${B}}", "${A-x}"] {
            assert!(expand(text, Dialect::Ours, &environment).is_err(), "{text}");
        }
        assert!(expand("${B}", Dialect::ClaudeCode, &environment).is_err());
    }

    #[test]
    fn the_names_are_known_without_the_environment() {
        let names: Vec<_> = variables("${B} ${A:-x} $${C}", Dialect::Ours).into_iter().collect();
        assert_eq!(names, ["A", "B"]);
    }
}
