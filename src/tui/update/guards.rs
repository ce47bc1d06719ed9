//! What running guards say of themselves: kept with the server that they stand before, and what is new in it told as events.

use crate::monitor::{Happening, HappeningKind};
use crate::store::RunningGuard;
use crate::surface::ServerId;
use crate::text::count;
use crate::tui::model::Model;
use jiff::Timestamp;

/// Takes in every guard that runs now; what of it is an event.
pub fn take(model: &mut Model, guards: &[RunningGuard]) -> Vec<Happening> {
    let mut events = Vec::new();
    for server in &mut model.servers {
        let id = &server.look.id;
        let own: Vec<_> = guards.iter().filter(|guard| *guard.server == **id).cloned().collect();
        if own == server.guards {
            continue;
        }
        for guard in &own {
            let is_it = |known: &&RunningGuard| (known.pid, &known.since) == (guard.pid, &guard.since);
            events.extend(news(id, guard, server.guards.iter().find(is_it)));
        }
        server.guards = own;
        server.revision += 1;
        model.revision += 1;
    }
    events
}

/// What a guard says that it did not say before: what it blocked, one line an item, and that it is closed.
fn news(server: &ServerId, guard: &RunningGuard, before: Option<&RunningGuard>) -> Vec<Happening> {
    let event = |last: &str, item: String, text: String| Happening {
        at: last.parse().unwrap_or(Timestamp::UNIX_EPOCH),
        ..Happening::of_server(server, HappeningKind::Blocked, &item, &text)
    };
    let who = guard.client();
    let mut events = Vec::new();
    for item in &guard.items {
        let known = before.and_then(|before| before.items.iter().find(|other| other.id() == item.id()));
        let more = item.blocked.saturating_sub(known.map_or(0, |known| known.blocked));
        if more > 0 {
            let uses = count(usize::try_from(more).unwrap_or(usize::MAX), "use");
            let state = item.state.replace('_', " ");
            events.push(event(&item.last, item.id().text(), format!("{state}, {uses} by {who}")));
        }
    }
    if let Some(why) = guard.closed.as_ref().filter(|_| before.is_none_or(|before| before.closed != guard.closed)) {
        let event = Happening::of_server(server, HappeningKind::Blocked, "", &format!("guard closed for {who}: {why}"));
        events.push(event);
    }
    events
}
