//! `pinwatch help`: the commands and the topics, the help of one command, or one topic; and the keys in force. A topic is a
//! Markdown file, which the README links to and the binary carries.

mod page;

use super::{Cli, Help, out};
use crate::error::Exit;
use crate::text::did_you_mean;
use crate::tui::{Context, Key, Keymap};
use anyhow::bail;
use clap::CommandFactory as _;
use std::fmt::Write as _;

macro_rules! topics {
    ($($name:literal),+ $(,)?) => {
        /// Each topic by its name, in the order of a first reading. Its heading is its line in the list.
        pub static TOPICS: &[(&str, &str)] = &[$(($name, include_str!(concat!("help/", $name, ".md")))),+];
    };
}

topics![
    "clients",
    "config",
    "policy",
    "findings",
    "keys",
    "signing-in",
    "ci",
    "faces",
    "fleet",
    "formats",
    "interop",
    "guard",
    "security"
];

/// Prints the help of what was asked for.
pub fn run(wanted: &Help) -> anyhow::Result<Exit> {
    let mut program = Cli::command();
    program.build();
    let [name, rest @ ..] = &wanted.words[..] else {
        out::print(&overview(&mut program));
        return Ok(Exit::Fine);
    };
    if let Some(text) = printed(name) {
        if !rest.is_empty() {
            bail!("`{name}` is a topic, and takes no other word");
        }
        out::print(&text);
        return Ok(Exit::Fine);
    }
    let mut command = program;
    for word in &wanted.words {
        let found = command.find_subcommand(word).filter(|command| !command.is_hide_set()).cloned();
        let Some(found) = found else {
            let below = command.get_subcommands().filter(|command| !command.is_hide_set());
            let known = below.map(clap::Command::get_name).chain(TOPICS.iter().map(|(name, _)| *name));
            bail!("no topic or command `{word}`{} (`pinwatch help` lists all)", did_you_mean(word, known));
        };
        command = found;
    }
    out::print(&command.render_long_help().to_string());
    Ok(Exit::Fine)
}

/// The program's own help, and the topics.
fn overview(program: &mut clap::Command) -> String {
    let mut text = program.render_help().to_string();
    text.push_str("\nTopics (`pinwatch help TOPIC`; a command's help: `pinwatch help COMMAND`):\n");
    for (name, page) in TOPICS {
        let _ = writeln!(text, "  {name:18} {}", page::title(page));
    }
    text
}

/// A topic as it is printed, if there is one of that name.
fn printed(name: &str) -> Option<String> {
    TOPICS.iter().find(|(topic, _)| *topic == name).map(|(_, text)| page::rendered(text))
}

/// Every key in force with its name in the config: `[ui.keys]` binds actions by these names.
pub fn keys(keymap: &Keymap) -> String {
    let mut text = String::new();
    for context in Context::ALL {
        let _ = writeln!(text, "{}{}", if text.is_empty() { "" } else { "\n" }, context.word());
        for row in keymap.rows(&[*context]) {
            let keys: Vec<_> = row.keys.iter().map(Key::to_string).collect();
            let _ = writeln!(text, "  {:<12} {:<20} {}", keys.join(" "), row.action.name(), row.help);
        }
    }
    text
}
