//! Nothing needs the person: what was compared, and how old that is. What was not compared is not called fine.

use super::line::{Line, Role};
use super::model::{Model, Server};
use super::words::{age, count};
use crate::monitor::ServerState;

/// It in lines of at most `width` cells.
pub fn lines(model: &Model, width: usize) -> Vec<Line> {
    let of = |want: fn(&Server) -> bool| model.servers.iter().filter(|server| want(server)).count();
    let starting = of(is_starting);
    let open = of(|server| (server.look.review.is_none() || server.look.is_stale()) && !is_starting(server));
    let part = of(|server| (ServerState::Partial..ServerState::Rejected(0)).contains(&server.look.state()));
    let rejected = of(|server| matches!(server.look.state(), ServerState::Rejected(_)));
    let mut line = Line::default();
    let mut but = |many: usize, role, what: &str| {
        if many > 0 {
            let before = if line.width() > 0 { ", " } else { " Nothing to decide so far; " };
            line.put(Role::Text, before).put(role, format!("{} {what}", count(many, "server")));
        }
    };
    but(starting, Role::Text, "starting");
    but(open, Role::Warning, "not compared now");
    but(part, Role::Warning, "compared only in part");
    but(rejected, Role::StateRejected, "with items that you rejected");
    line.put(Role::Text, if line.width() > 0 { "." } else { " Nothing needs you." });
    let approved = model.approved();
    if approved > 0 {
        let verb = if approved == 1 { "is" } else { "are" };
        line.put(Role::Text, format!(" {} {verb} as approved", count(approved, "item")));
        if let Some(at) = model.servers.iter().filter_map(|server| server.look.last_good).min() {
            line.put(Role::Dim, format!("; looked at {} ago", age(at, model.now)));
        }
    }
    line.wrap(width, 1)
}

/// Whether its first answer is on its way.
fn is_starting(server: &Server) -> bool {
    matches!(server.look.state(), ServerState::Busy(_))
}
