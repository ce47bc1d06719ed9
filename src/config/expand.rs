//! Variables in a launch, by the rules of the client whose file it stands in.
//!
//! A text is taken apart once, when its file is read, and put together when the environment is known. A variable that is
//! set counts as set even where it is empty, as in Claude Code. In our own file `$${` writes the two characters `${`; the
//! clients know no escape, so in their files it is a `$` before a variable.

use crate::text::visible;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use strum::IntoStaticStr;

/// How the environment answers.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Whose rules a text follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `pinwatch.toml` and the command line: `${NAME}`, `${NAME:-default}`.
    Ours,
    /// The same without an escape: Claude Code, and those that follow it.
    Shell,
    /// `$NAME` as well: Gemini CLI and what was made from it.
    Dollar,
    /// `${env:NAME}`, `${workspaceFolder}`, `${userHome}`, `${input:ID}`: VS Code and what was made from it. Any other
    /// `${…}` is no variable there.
    Editor,
    /// `{env:NAME}`: opencode.
    Braces,
    /// `${{ secrets.NAME }}`: Continue.
    Secrets,
    /// Nothing is a variable: the client knows none, or a shell has expanded the text already.
    Literal,
}

/// A text of a launch, taken apart.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Text {
    /// As a person may read it: as written, or, where the client spells variables its own way, as we do.
    pub(super) shown: String,
    /// What is wrong names no value.
    parts: Result<Vec<Part>, String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Plain(String),
    Variable {
        name: String,
        default: Option<String>,
        /// Whether a default could be written there.
        may_default: bool,
    },
    Folder(Folder),
    /// What the client asks a person for, by its id.
    Input(String),
    /// A `${NAME}` that means nothing to the client. In a command line it is for the program to expand, and passed on;
    /// elsewhere it would be sent as it stands.
    Foreign(String),
}

/// What editors put in for their predefined variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
pub(super) enum Folder {
    #[strum(to_string = "workspaceFolder")]
    Workspace,
    #[strum(to_string = "workspaceFolderBasename")]
    WorkspaceName,
    #[strum(to_string = "userHome")]
    Home,
    #[strum(to_string = "pathSeparator")]
    Separator,
}

word!(ref Folder);

impl Folder {
    fn of(name: &str) -> Option<Self> {
        match name {
            "workspaceFolder" | "workspaceRoot" => Some(Self::Workspace),
            "workspaceFolderBasename" => Some(Self::WorkspaceName),
            "userHome" => Some(Self::Home),
            "pathSeparator" | "/" => Some(Self::Separator),
            _ => None,
        }
    }
}

/// What variables stand for here.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub(super) environment: Lookup<'a>,
    /// The folder that an editor would have opened.
    pub(super) workspace: &'a Path,
    /// What a person answered to an input, by its id.
    pub(super) answers: &'a BTreeMap<String, String>,
    /// Variables that the server is given.
    pub(super) own: &'a BTreeMap<String, Text>,
}

/// Why a text cannot be put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unexpanded {
    /// What is wrong. Escaped.
    Fault(String),
    /// A person must answer this first.
    Input(String),
}

impl Text {
    /// A text as `dialect` reads it.
    pub(super) fn new(written: &str, dialect: Dialect) -> Self {
        let parts = parts(written, dialect);
        let same = matches!(dialect, Dialect::Ours | Dialect::Shell | Dialect::Literal);
        let shown = match &parts {
            Ok(parts) if !same => parts.iter().map(Part::shown).collect(),
            _ => written.to_owned(),
        };
        Self { shown, parts }
    }

    /// One variable, with `before` in front of it.
    pub(super) fn variable(before: &str, name: &str) -> Self {
        let variable = Part::Variable { name: name.to_owned(), default: None, may_default: false };
        let parts = vec![Part::Plain(before.to_owned()), variable];
        Self { shown: format!("{before}${{{name}}}"), parts: Ok(parts) }
    }

    /// The stretches; none where something is wrong.
    pub(super) fn parts(&self) -> &[Part] {
        self.parts.as_deref().unwrap_or_default()
    }

    /// The names of the environment variables that it refers to.
    pub(super) fn variables(&self) -> BTreeSet<String> {
        let names = self.parts().iter().filter_map(|part| match part {
            Part::Variable { name, .. } => Some(name.clone()),
            _ => None,
        });
        names.collect()
    }

    /// The ids of what a person is asked for.
    pub(super) fn inputs(&self) -> Vec<String> {
        let ids = self.parts().iter().filter_map(|part| match part {
            Part::Input(id) => Some(id.clone()),
            _ => None,
        });
        ids.collect()
    }

    /// The text with everything put in. `foreign` says whether what means nothing to the client may pass.
    pub(super) fn expand(&self, around: &Surroundings<'_>, foreign: bool) -> Result<String, Unexpanded> {
        let parts = self.parts.as_ref().map_err(|fault| Unexpanded::Fault(fault.clone()))?;
        parts.iter().map(|part| part.expand(around, foreign)).collect()
    }
}

impl Part {
    fn shown(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Variable { name, default: None, .. } | Self::Foreign(name) => format!("${{{name}}}"),
            Self::Variable { name, default: Some(default), .. } => format!("${{{name}:-{default}}}"),
            Self::Folder(folder) => format!("${{{}}}", folder.word()),
            Self::Input(id) => format!("${{input:{id}}}"),
        }
    }

    fn expand(&self, around: &Surroundings<'_>, foreign: bool) -> Result<String, Unexpanded> {
        let fault = |text: &str| Err(Unexpanded::Fault(text.to_owned()));
        match self {
            Self::Plain(text) => Ok(text.clone()),
            Self::Variable { name, default, may_default } => {
                match (around.environment)(name).or_else(|| default.clone()) {
                    Some(value) => Ok(value),
                    // The program that is started is given it, and expands it by itself: the client leaves it alone.
                    None if foreign && around.own.contains_key(name) => Ok(self.shown()),
                    None if *may_default => Err(Unexpanded::Fault(format!(
                        "`{name}` is not set, and `${{{name}}}` has no default: `${{{name}:-default}}` would"
                    ))),
                    // What this client cannot read would be no way out.
                    None => fault(&format!("`{name}` is not set: set it where pinwatch is started")),
                }
            }
            Self::Folder(folder) => match folder {
                Folder::Workspace => Ok(around.workspace.to_string_lossy().into_owned()),
                Folder::WorkspaceName => {
                    Ok(around.workspace.file_name().unwrap_or_default().to_string_lossy().into_owned())
                }
                Folder::Home => match (around.environment)("HOME").or_else(|| (around.environment)("USERPROFILE")) {
                    Some(home) => Ok(home),
                    None => fault("`${userHome}`: no home is known here"),
                },
                Folder::Separator => Ok(std::path::MAIN_SEPARATOR.to_string()),
            },
            Self::Input(id) => match around.answers.get(id) {
                Some(answer) => Ok(answer.clone()),
                None => Err(Unexpanded::Input(id.clone())),
            },
            Self::Foreign(_) if foreign => Ok(self.shown()),
            Self::Foreign(name) => Err(Unexpanded::Fault(format!(
                "`${{{name}}}` is not a variable of this client, which would send it as written; use `${{env:{name}}}`"
            ))),
        }
    }
}

fn parts(text: &str, dialect: Dialect) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some((at, opening, closing)) = next(rest, dialect) {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        if dialect == Dialect::Ours && before.ends_with('$') {
            plain.push('{');
            rest = &from[opening.len()..];
            continue;
        }
        let inside = &from[opening.len()..];
        let (inside, after) = match closing {
            Some(closing) => match inside.split_once(closing) {
                Some(split) => split,
                None if dialect == Dialect::Ours => {
                    return Err("a `${` has no `}` (`$${` writes the two characters)".to_owned());
                }
                None => {
                    plain.push_str(from);
                    rest = "";
                    break;
                }
            },
            // `$NAME` ends where the name does.
            None => inside.split_at(inside.find(|c: char| !is_of_name(c)).unwrap_or(inside.len())),
        };
        rest = after;
        match part(inside, dialect)? {
            Part::Plain(text) => plain.push_str(&text),
            part => {
                if !plain.is_empty() {
                    parts.push(Part::Plain(std::mem::take(&mut plain)));
                }
                parts.push(part);
            }
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        parts.push(Part::Plain(plain));
    }
    Ok(parts)
}

/// Where the next variable opens, what opens it, and what closes it.
fn next(text: &str, dialect: Dialect) -> Option<(usize, &'static str, Option<&'static str>)> {
    match dialect {
        Dialect::Literal => None,
        Dialect::Ours | Dialect::Shell | Dialect::Editor => Some((text.find("${")?, "${", Some("}"))),
        Dialect::Braces => {
            let at = ["{env:", "{file:"].iter().filter_map(|opening| text.find(opening)).min()?;
            Some((at, "{", Some("}")))
        }
        Dialect::Secrets => Some((text.find("${{")?, "${{", Some("}}"))),
        Dialect::Dollar => {
            let named = |at: &usize| {
                let after = &text[at + 1..];
                after.starts_with('{') || after.starts_with(|c: char| is_of_name(c) && !c.is_ascii_digit())
            };
            let at = text.match_indices('$').map(|(at, _)| at).find(named)?;
            Some(if text[at + 1..].starts_with('{') { (at, "${", Some("}")) } else { (at, "$", None) })
        }
    }
}

/// What stands between the marks of a variable.
fn part(inside: &str, dialect: Dialect) -> Result<Part, String> {
    let variable = |name: &str| Part::Variable { name: name.to_owned(), default: None, may_default: false };
    match dialect {
        Dialect::Ours | Dialect::Shell | Dialect::Dollar | Dialect::Literal => {
            let (name, default) = inside.split_once(":-").map_or((inside, None), |(name, value)| (name, Some(value)));
            if is_name(name) && !default.is_some_and(|default| default.contains("${")) {
                let (name, default) = (name.to_owned(), default.map(str::to_owned));
                return Ok(Part::Variable { name, default, may_default: true });
            }
            // A default may be a secret.
            let (name, rest) = (visible(name), if default.is_some() { ":-…" } else { "" });
            Err(format!("`${{{name}{rest}}}` is neither `${{NAME}}` nor `${{NAME:-default}}`"))
        }
        Dialect::Editor => match inside.split_once(':') {
            Some(("env", name)) if is_name(name) => Ok(variable(name)),
            Some(("input", id)) if !id.is_empty() => Ok(Part::Input(id.to_owned())),
            Some((kind @ ("config" | "command" | "file"), _)) => {
                Err(format!("`${{{kind}:…}}` is known inside the client only"))
            }
            None if Folder::of(inside).is_some() => {
                Ok(Folder::of(inside).map_or_else(|| variable(inside), Part::Folder))
            }
            None if is_name(inside) => Ok(Part::Foreign(inside.to_owned())),
            _ => Ok(Part::Plain(format!("${{{inside}}}"))),
        },
        Dialect::Braces => match inside.split_once(':') {
            Some(("env", name)) if is_name(name) => Ok(variable(name)),
            _ => Err("`{file:…}` stands for the content of another file, which is not read".to_owned()),
        },
        Dialect::Secrets => match inside.trim().split_once('.') {
            Some(("secrets", name)) if is_name(name) => Ok(variable(name)),
            _ => Err(
                "`${{ … }}` is known inside the client only; `${{ secrets.NAME }}` would be taken from the environment"
                    .to_owned(),
            ),
        },
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether a text can be the name of a variable.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_of_name) && !name.starts_with(|c: char| c.is_ascii_digit())
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

    fn expand(text: &str, dialect: Dialect) -> Result<String, Unexpanded> {
        let own = [("OWN".to_owned(), Text::new("x", Dialect::Literal))].into();
        let answers = [("key".to_owned(), "answer".to_owned())].into();
        let workspace = Path::new("/work/project");
        let around = Surroundings { environment: &environment, workspace, answers: &answers, own: &own };
        Text::new(text, dialect).expand(&around, true)
    }

    #[test]
    fn variables_are_replaced_once() {
        for (text, value) in [
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
            assert_eq!(expand(text, Dialect::Ours), Ok(value.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_client_file_follows_the_client() {
        use Dialect::{Braces, Dollar, Editor, Literal, Secrets, Shell};
        for (dialect, text, value) in [
            (Shell, "$${A}", "$one"),
            (Shell, "a ${", "a ${"),
            (Shell, "Key:${OWN}", "Key:${OWN}"),
            (Literal, "${A} $${A}", "${A} $${A}"),
            (Dollar, "$A-${A}-${B:-b} $ 5$ $1", "one-one-b $ 5$ $1"),
            (Editor, "${env:A} ${HOME} ${}", "one ${HOME} ${}"),
            (Editor, "${workspaceFolder}/x ${workspaceFolderBasename} ${input:key}", "/work/project/x project answer"),
            (Braces, "Bearer {env:A} {A} ${A}", "Bearer one {A} ${A}"),
            (Secrets, "${{ secrets.A }} ${A}", "one ${A}"),
        ] {
            assert_eq!(expand(text, dialect), Ok(value.to_owned()), "{dialect:?} {text}");
        }
        assert_eq!(Text::new("x {env:A}", Braces).shown, "x ${A}");
        assert_eq!(expand("${input:other}", Editor), Err(Unexpanded::Input("other".to_owned())));
    }

    #[test]
    fn what_cannot_be_replaced_is_refused() {
        for text in ["${B}", "${env:A}", "${}", "${A", "${1A}", "${A:-${B}}", "${A-x}"] {
            assert!(expand(text, Dialect::Ours).is_err(), "{text}");
        }
        for (dialect, text) in [
            (Dialect::Shell, "${B}"),
            (Dialect::Dollar, "$B"),
            (Dialect::Editor, "${env:B}"),
            (Dialect::Editor, "${command:x}"),
            (Dialect::Braces, "{file:~/.ssh/id}"),
            (Dialect::Secrets, "${{ inputs.A }}"),
        ] {
            assert!(expand(text, dialect).is_err(), "{text}");
        }
    }

    #[test]
    fn defaults_apply_only_where_the_client_reads_them() {
        for (dialect, text, has_defaults) in [
            (Dialect::Ours, "${B}", true),
            (Dialect::Shell, "${B}", true),
            (Dialect::Dollar, "$B", true),
            (Dialect::Editor, "${env:B}", false),
            (Dialect::Braces, "{env:B}", false),
            (Dialect::Secrets, "${{ secrets.B }}", false),
        ] {
            let Err(Unexpanded::Fault(said)) = expand(text, dialect) else { unreachable!("{text} is not set") };
            assert!(said.starts_with("`B` is not set"), "{said}");
            assert_eq!(said.contains(":-default"), has_defaults, "{dialect:?}: {said}");
        }
    }

    #[test]
    fn the_names_are_known_without_the_environment() {
        let names: Vec<_> = Text::new("${B} ${A:-x} $${C}", Dialect::Ours).variables().into_iter().collect();
        assert_eq!(names, ["A", "B"]);
    }
}
