//! What running guards say of an item and of a server, in words.

use super::line::{Line, Role};
use super::model::Server;
use super::words::{clock_of, count};
use crate::review::Row;
use crate::store::{GuardedItem, RunningGuard};
use crate::surface::ItemId;
use jiff::tz::TimeZone;

/// `BLOCKED 3×`, before what is said of an item; nothing where nothing of it was blocked.
pub fn badge(server: &Server, rows: &[&Row]) -> Line {
    let blocked: u64 = rows.iter().map(|row| server.blocked(&row.id.item)).sum();
    if blocked == 0 {
        return Line::default();
    }
    Line::of(Role::Warning, format!("BLOCKED {blocked}×  "))
}

/// What each guard did with an item, a line a guard.
pub fn of_item(server: &Server, id: &ItemId, zone: &TimeZone) -> Vec<Line> {
    let own = |guard| move |item: &'_ GuardedItem| (item.id() == *id).then(|| (guard, item.clone()));
    let found = server.guards.iter().flat_map(|guard| guard.items.iter().filter_map(own(guard)));
    let lines = found.map(|(guard, item)| {
        let GuardedItem { blocked, hidden, warned, ignored, last, .. } = &item;
        let blocked = (*blocked > 0).then(|| format!("BLOCKED {} by the guard", count(*blocked, "use")));
        let rest = [
            (*hidden, "left out of", "list"),
            (*warned, "let pass with a warning", "use"),
            (*ignored, "let pass unseen", "use"),
        ];
        let rest = rest.into_iter().filter(|(many, ..)| *many > 0);
        let rest: Vec<_> = rest.map(|(many, what, one)| format!("{what} {}", count(many, one))).collect();
        let mut line = Line::of(Role::Warning, format!("  {}", blocked.clone().unwrap_or_default()));
        let between = if blocked.is_some() && !rest.is_empty() { ", " } else { "" };
        line.put(Role::Text, format!("{between}{}", rest.join(", ")));
        line.put(Role::Dim, "; asked by ").quote(Role::Text, guard.client());
        line.put(Role::Dim, format!(", last {}", clock_of(last, zone))).clone()
    });
    lines.collect()
}

/// A guard of a server: who it stands before, since when, whether it is open.
pub fn of_server(guard: &RunningGuard, zone: &TimeZone) -> Line {
    let mut line = Line::quoted(Role::Text, guard.client());
    line.put(Role::Dim, format!(" since {}, process {}: ", clock_of(&guard.since, zone), guard.pid));
    match &guard.closed {
        Some(why) => line.put(Role::Warning, "CLOSED: ").quote(Role::Warning, why),
        None => line.put(Role::StateApproved, "open"),
    };
    if guard.blocked > 0 {
        let blocked = count(guard.blocked, "request");
        line.put(Role::Dim, ", ").put(Role::Warning, format!("BLOCKED {blocked}"));
    }
    line
}
