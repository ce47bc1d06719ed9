//! `--pager` and `--editor`: what a command prints, in the person's own program instead.

use super::{Reading, out, program};
use crate::error::Exit;
use crate::tui::outside;
use anyhow::{Context as _, bail};
use std::io::{self, IsTerminal as _};

/// Runs `work`, and shows what it printed. Into a pipe or a file a pager is left out, as other programs do.
pub fn through(reading: &Reading, work: impl FnOnce() -> anyhow::Result<Exit>) -> anyhow::Result<Exit> {
    let terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
    if reading.editor && !terminal {
        bail!("--editor needs a terminal");
    }
    let words = if reading.editor { program::editor() } else { program::pager() };
    if !(reading.editor || reading.pager && terminal && !words.is_empty()) {
        return work();
    }
    let (done, text) = out::held(work);
    let exit = done?;
    let _interrupts = ignore_interrupts()?;
    let shown = if reading.editor { outside::read(&words, &text) } else { outside::page(&words, &text) };
    shown.context("nothing was shown")?;
    Ok(exit)
}

/// ctrl-c belongs to the program that has the terminal.
#[cfg(unix)]
fn ignore_interrupts() -> io::Result<tokio::signal::unix::Signal> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())
}

#[cfg(not(unix))]
fn ignore_interrupts() -> io::Result<()> {
    Ok(())
}
