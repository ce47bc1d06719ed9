//! `--pager` and `--editor`: what a command prints, in the person's own program instead.

use super::{Reading, out};
use crate::desktop;
use crate::error::Exit;
use anyhow::{Context as _, bail};
use std::io::{self, IsTerminal as _, Write as _};
use std::process::{Command, Stdio};

/// Runs `work`, and shows what it printed. Into a pipe or a file a pager is left out, as other programs do.
pub fn through(reading: &Reading, work: impl FnOnce() -> anyhow::Result<Exit>) -> anyhow::Result<Exit> {
    let terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
    if reading.editor && !terminal {
        bail!("--editor needs a terminal");
    }
    let words = if reading.editor { desktop::editor() } else { desktop::pager() };
    if !(reading.editor || reading.pager && terminal && !words.is_empty()) {
        return work();
    }
    let (done, text) = out::held(work);
    let exit = done?;
    let _interrupts = ignore_interrupts()?;
    let shown = if reading.editor { desktop::read(&words, &text) } else { page(&words, &text) };
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

/// Shows a printable text with a pager that reads its standard input, and waits for its end.
fn page(words: &[String], text: &str) -> io::Result<()> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(io::Error::other("no pager is set: PAGER"));
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // As git does: what fits is only printed, and the screen is left as it is.
        command.env("LESS", "FRX");
    }
    let started = command.spawn();
    let mut pager =
        started.map_err(|error| io::Error::new(error.kind(), format!("`{program}` cannot be started: {error}")))?;
    if let Some(mut input) = pager.stdin.take() {
        // Who leaves early has read enough.
        let _ = input.write_all(text.as_bytes());
    }
    pager.wait().map(|_| ())
}
