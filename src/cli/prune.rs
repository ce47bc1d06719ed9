//! `pinwatch prune`: delete the oldest snapshots of each server. Baselines and other files stay.

use super::open;
use super::{Global, Prune, out};
use crate::error::Exit;

/// Deletes and says what.
pub fn run(global: &Global, prune: &Prune) -> anyhow::Result<Exit> {
    let project = open::open(global, None)?;
    let store = &project.desk.store;
    let servers = if prune.servers.is_empty() { store.recorded()? } else { prune.servers.clone() };
    let mut many = 0;
    for server in &servers {
        for path in store.prune(server, prune.keep)? {
            out::line(&format!("deleted {}", path.display()));
            many += 1;
        }
    }
    if many == 0 {
        out::line(&format!("no server has more than {} snapshots", prune.keep));
    }
    Ok(Exit::Fine)
}
