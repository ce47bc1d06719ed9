//! `pinwatch init`: a commented `pinwatch.toml` from what was found. It starts nothing and overwrites nothing.

use super::open;
use super::{Global, out};
use crate::config::{PROJECT_FILE, template};
use crate::error::Exit;
use crate::store::disk::{Disk, SHARED};
use anyhow::{Context as _, bail};

/// Writes the file.
pub fn run(global: &Global) -> anyhow::Result<Exit> {
    let project = open::open(global, None)?;
    let ours = |searched: &&crate::config::Searched| searched.client.is_none() && searched.is_there();
    if let Some(searched) = project.config.searched.iter().find(ours) {
        bail!("{} already exists and is not overwritten", searched.file.display());
    }
    let folder = match &global.root {
        Some(root) => root.clone(),
        None => std::env::current_dir().context("the current folder cannot be found")?,
    };
    let file = folder.join(PROJECT_FILE);
    let opened = Disk::default().open(&folder)?.with_context(|| format!("{} is not there", folder.display()))?;
    // Whole or not at all: half a config would be read as one.
    if !opened.create(PROJECT_FILE, template(&project.config).as_bytes(), SHARED)? {
        bail!("{} already exists and is not overwritten", file.display());
    }
    out::line(&format!("wrote {}", file.display()));
    let many = project.config.servers.len();
    out::line(&format!(
        "{} added, nothing started. Read it, then run: pinwatch servers, pinwatch",
        if many == 1 { "1 server".to_owned() } else { format!("{many} servers") }
    ));
    Ok(Exit::Fine)
}
