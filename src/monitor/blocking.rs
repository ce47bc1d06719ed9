//! What guards say of themselves that they did not say before, as events.

use super::event::{Happening, HappeningKind};
use crate::store::RunningGuard;
use crate::surface::ServerId;
use crate::text::count;
use jiff::Timestamp;

/// What the guards that run now blocked since they were `known`, one event an item, and which of them closed.
pub fn blocked(guards: &[RunningGuard], known: &[RunningGuard]) -> Vec<Happening> {
    let before =
        |guard: &RunningGuard| known.iter().find(|known| (known.pid, &known.since) == (guard.pid, &guard.since));
    guards.iter().flat_map(|guard| news(guard, before(guard))).collect()
}

fn news(guard: &RunningGuard, before: Option<&RunningGuard>) -> Vec<Happening> {
    let server = ServerId::from(guard.server.as_str());
    let who = guard.client();
    let mut events = Vec::new();
    for item in &guard.items {
        let known = before.and_then(|before| before.items.iter().find(|other| other.id() == item.id()));
        let more = item.blocked.saturating_sub(known.map_or(0, |known| known.blocked));
        if more > 0 {
            let uses = count(more, "use");
            let text = format!("{}, {uses} by {who}", item.state.replace('_', " "));
            let event = Happening::of_server(&server, HappeningKind::Blocked, &item.id().text(), &text);
            events.push(Happening { at: item.last.parse().unwrap_or(Timestamp::UNIX_EPOCH), ..event });
        }
    }
    if let Some(why) = guard.closed.as_ref().filter(|_| before.is_none_or(|before| before.closed != guard.closed)) {
        let text = format!("guard closed for {who}: {why}");
        events.push(Happening::of_server(&server, HappeningKind::Blocked, "", &text));
    }
    events
}
