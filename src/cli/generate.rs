//! `pinwatch generate`: completions for shells and the manual page, made from the command line's own types.

use super::{Cli, Generate, Generated};
use crate::error::Exit;
use anyhow::Context as _;
use clap::CommandFactory as _;
use clap_complete::{Shell, generate};

/// Prints it.
pub fn run(wanted: &Generate) -> anyhow::Result<Exit> {
    let mut text = Vec::new();
    let shell = match wanted.what {
        Generated::Bash => Some(Shell::Bash),
        Generated::Zsh => Some(Shell::Zsh),
        Generated::Fish => Some(Shell::Fish),
        Generated::PowerShell => Some(Shell::PowerShell),
        Generated::Elvish => Some(Shell::Elvish),
        Generated::Man => None,
    };
    match shell {
        Some(shell) => generate(shell, &mut Cli::command(), "pinwatch", &mut text),
        None => man(wanted.command.as_deref(), &mut text)?,
    }
    super::out::ours(&String::from_utf8_lossy(&text));
    Ok(Exit::Fine)
}

/// The page of the program, or of one command.
fn man(name: Option<&str>, text: &mut Vec<u8>) -> anyhow::Result<()> {
    let mut all = Cli::command();
    all.build();
    let command = match name {
        None => all,
        Some(name) => {
            let found = all.find_subcommand(name).filter(|command| !command.is_hide_set());
            found.with_context(|| format!("no command `{name}`"))?.clone()
        }
    };
    Ok(clap_mangen::Man::new(command).render(text)?)
}
