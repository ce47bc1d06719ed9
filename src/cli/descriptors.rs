//! Open files: each server takes some, and systems give few to begin with.

/// What a server takes: three pipes, its process, its connection, a file being read.
const EACH: u64 = 8;
/// What the program takes by itself: terminal, log, locks, watches.
const OWN: u64 = 64;

/// Raises what this process may open to what `servers` need, as far as the system lets it; a sentence where that is not
/// enough.
#[cfg(unix)]
pub fn raise(servers: usize) -> Option<String> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let need = OWN + EACH * servers as u64;
    let limit = getrlimit(Resource::Nofile);
    // None is no limit at all.
    if limit.current.is_none_or(|current| current >= need) {
        return None;
    }
    let wanted = limit.maximum.map_or(need, |maximum| maximum.min(need));
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum: limit.maximum }).is_ok();
    let has = if raised { wanted } else { limit.current.unwrap_or(need) };
    (has < need).then(|| {
        format!("{servers} servers need about {need} open files and this system allows {has} (ulimit -n): some may not start")
    })
}

/// There is no such limit here.
#[cfg(not(unix))]
pub fn raise(_: usize) -> Option<String> {
    None
}
