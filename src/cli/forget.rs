//! `pinwatch forget`: drop a server's baseline. Its snapshots stay.

use super::open;
use super::{Forget, Global, out};
use crate::decisions::BaselineState;
use crate::error::Exit;
use crate::store::Event;
use jiff::Timestamp;

/// Deletes the baseline and says what it held.
pub fn run(global: &Global, forget: &Forget) -> anyhow::Result<Exit> {
    let project = open::open(global, None)?;
    let server = forget.server.as_str();
    let held = match project.baseline(server) {
        BaselineState::Verifying | BaselineState::Absent => {
            out::line(&format!("{server} has no baseline in {}", project.config.root.path().display()));
            return Ok(Exit::Unknown);
        }
        BaselineState::Present(baseline) => format!("{} pins", baseline.pins.len()),
        BaselineState::Refused(why) => format!("a file that was refused ({why})"),
    };
    let entry = project.desk.entry(Event::Forget, String::new(), Timestamp::now());
    project.desk.store.forget(server, &entry)?;
    out::line(&format!("{server}: deleted the baseline; it held {held}"));
    Ok(Exit::Fine)
}
