//! `pinwatch unwatch`: accept that a server with a baseline is not watched. Its pins stay.

use super::open;
use super::{Global, Unwatch, out};
use crate::error::Exit;
use anyhow::bail;
use jiff::Timestamp;

/// Accepts it, for the reason that is there now.
pub fn run(global: &Global, unwatch: &Unwatch) -> anyhow::Result<Exit> {
    let project = open::open(global, None)?;
    let server = unwatch.server.as_str();
    let unwatched = project.config.unwatched.iter().cloned().chain(project.not_configured()?);
    let Some(entry) = unwatched.into_iter().find(|entry| *entry.id == *server) else {
        if let Some(watched) = project.config.servers.iter().find(|known| *known.id == *server) {
            bail!("`{server}` is watched: {} starts it; switch it off there first", watched.origin.place());
        }
        bail!("`{server}` is not configured here and has no baseline: nothing to accept");
    };
    let reason = entry.unwatched_reason().map(|reason| reason.code).unwrap_or_default();
    let note = unwatch.note.as_deref().unwrap_or_default();
    let carried = project.desk.accept_unwatched(server, reason, note, Timestamp::now())?;
    let path = project.desk.store.path_of(server)?;
    let pins = carried.after.pins.len();
    out::line(&format!("accepted that {server} is not watched ({reason}); its {pins} pins stay in {}", path.display()));
    Ok(Exit::Fine)
}
