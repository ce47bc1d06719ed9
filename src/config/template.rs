//! A first `pinwatch.toml` from what was found: commented, and with no secret in it. What cannot be written down as it is
//! (a secret, a question to a person, an entry that is wrong) stands there as a comment that says why.

use super::Config;
use super::clients::word_of;
use super::entry::{Pairs, Written};
use super::expand::{Dialect, Folder, Part, Text};
use super::server::ServerConfig;
use crate::mcp::Target;
use crate::store::redact::{mask_args, mask_argument, mask_value};
use crate::text::{double_quoted as quoted, visible};
use std::collections::BTreeSet;
use std::fmt::Write as _;

const HEAD: &str = "\
# What pinwatch watches here. Made by `pinwatch init` from what your clients' files name; yours from now on.
# `pinwatch servers` shows what it reads as, `pinwatch help config` every key. `${NAME}` is taken from the environment.

# Whose decisions these are; the OS user without it.
# decided-by = \"ana\"

# Clients whose own files are read too, at each start. Those in which something was found:
";

const BODY: &str = "
[poll]
# Time between two looks at a server that says nothing else.
# interval = \"30s\"

[policy]
# How drifts are rated: balanced, strict or capability-identity.
# profile = \"balanced\"

[ui]
# `pinwatch themes` lists them.
# theme = \"ansi\"
";

/// The text of the file.
pub fn template(config: &Config) -> String {
    let mut text = HEAD.to_owned();
    let words: BTreeSet<_> =
        config.servers.iter().flat_map(ServerConfig::origins).filter_map(|origin| word_of(origin.client?)).collect();
    let words: Vec<_> = words.into_iter().map(quoted).collect();
    let _ = writeln!(text, "# include = [{}]", words.join(", "));
    text.push_str(BODY);
    for server in &config.servers {
        text.push_str(&entry(server));
    }
    for server in &config.unwatched {
        let (name, place) = (visible(&server.name), visible(&server.origin.sentence()).to_string());
        let why = server.unwatched_reason().map(|reason| reason.text.as_str()).unwrap_or_default();
        let _ = writeln!(text, "\n# {name} in {place} was left out: {why}");
    }
    for problem in &config.problems {
        let _ = writeln!(text, "\n# not usable: {problem}");
    }
    text
}

/// One server: its origins, and its table, as a comment where it cannot be written as it is.
fn entry(server: &ServerConfig) -> String {
    let mut text = String::from("\n");
    for origin in server.origins() {
        let _ = writeln!(text, "# {}", visible(&origin.sentence()));
    }
    let mut notes = Vec::new();
    let (table, why_not) = table(server, &mut notes);
    for note in notes {
        let _ = writeln!(text, "# {note}");
    }
    match why_not {
        None => text.push_str(&table),
        Some(why) => {
            let _ = writeln!(text, "# left as a comment: {why}");
            for line in table.lines() {
                let _ = writeln!(text, "# {line}");
            }
        }
    }
    text
}

/// The table of a server, and why it cannot be used as it stands.
fn table(server: &ServerConfig, notes: &mut Vec<String>) -> (String, Option<String>) {
    let mut why = match &server.target {
        Target::Unusable(reason) | Target::Unwatched(reason) => Some(visible(&reason.text).to_string()),
        Target::Stdio { .. } | Target::Http { .. } => None,
    };
    if server.written.texts().iter().any(|text| !is_writable(text)) && why.is_none() {
        why = Some("a text in it cannot be written in this file's spelling of variables".to_owned());
    }
    let mut masked = |masked: bool, what: &str| {
        if masked && why.is_none() {
            why = Some(format!("its {what} holds a secret, masked here: write it as ${{NAME}}"));
        }
    };
    let mut table = format!("[servers.{}]\n", key(&server.id));
    match &server.written {
        Written::Stdio { command, args, cwd, env, env_file } => {
            let _ = writeln!(table, "command = {}", quoted(&ours(command)));
            let args: Vec<_> = args.iter().map(ours).collect();
            let safe = mask_args(&args);
            masked(safe != args, "command line");
            if !args.is_empty() {
                let _ =
                    writeln!(table, "args = [{}]", safe.iter().map(|arg| quoted(arg)).collect::<Vec<_>>().join(", "));
            }
            if let Some(cwd) = cwd {
                let _ = writeln!(table, "cwd = {}", quoted(&ours(cwd)));
            }
            if let Some(file) = env_file {
                notes.push(format!("the variables of the file `{}` are not copied", visible(&file.shown)));
            }
            pairs(&mut table, "env", env, notes);
        }
        Written::Http { url, headers } => {
            let url = ours(url);
            let safe = mask_argument(&url);
            masked(safe != url, "address");
            let _ = writeln!(table, "url = {}", quoted(&safe));
            pairs(&mut table, "headers", headers, notes);
        }
    }
    (table, why)
}

/// Variables or headers; of a secret only the name is told.
fn pairs(table: &mut String, member: &str, pairs: &Pairs, notes: &mut Vec<String>) {
    let mut kept = Vec::new();
    for (name, text) in pairs {
        let value = ours(text);
        // A header's value is a secret, unless it is taken from the environment.
        let secret = mask_value(name, &value) != value || member == "headers" && text.variables().is_empty();
        if secret {
            let variable: String = name.to_uppercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
            notes.push(format!(
                "{member}: the value of {} is a secret and was not copied; {} = \"${{{variable}}}\" would take it from the environment",
                visible(name),
                visible(&key(name))
            ));
        } else {
            kept.push(format!("{} = {}", key(name), quoted(&value)));
        }
    }
    if !kept.is_empty() {
        let _ = writeln!(table, "{member} = {{ {} }}", kept.join(", "));
    }
}

/// A text in our own spelling of variables. The folder of the file is the folder that an editor has open.
fn ours(text: &Text) -> String {
    let part = |part: &Part| match part {
        Part::Plain(plain) => plain.replace("${", "$${"),
        Part::Variable { name, default: None, .. } => format!("${{{name}}}"),
        Part::Variable { name, default: Some(default), .. } => format!("${{{name}:-{default}}}"),
        Part::Folder(Folder::Workspace | Folder::WorkspaceName) => ".".to_owned(),
        Part::Folder(Folder::Home) => "${HOME}".to_owned(),
        Part::Folder(Folder::Separator) => "/".to_owned(),
        Part::Input(id) => format!("$${{input:{id}}}"),
        Part::Foreign(name) => format!("$${{{name}}}"),
    };
    text.parts().iter().map(part).collect()
}

/// Whether a text means the same in our spelling.
fn is_writable(text: &Text) -> bool {
    let foreign = |part: &Part| matches!(part, Part::Input(_) | Part::Folder(Folder::WorkspaceName));
    !text.parts().iter().any(foreign) && Text::new(&ours(text), Dialect::Ours).variables() == of_home(text)
}

/// The variables of a text, with that which stands for the home.
fn of_home(text: &Text) -> BTreeSet<String> {
    let home = text.parts().contains(&Part::Folder(Folder::Home)).then(|| "HOME".to_owned());
    text.variables().into_iter().chain(home).collect()
}

/// A TOML key.
fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if bare { name.to_owned() } else { quoted(name) }
}
