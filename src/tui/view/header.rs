//! The first line: how many servers, what needs a decision, what is stale, whether it is live.

use super::Canvas;
use crate::drift::Severity;
use crate::monitor::{HappeningKind, Phase, ServerState};
use crate::tui::line::{Line, Role};
use crate::tui::model::{Model, Server};
use crate::tui::words::{age, count, severity_role};
use ratatui::layout::Rect;

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let width = usize::from(rect.width);
    let rights = right(model);
    let least = rights.last().map_or(0, Line::width) + 3;
    // Whole pieces only. The number of servers goes first, then what stands last.
    let mut pieces = left(model);
    let taken = |pieces: &[Line]| pieces.iter().map(Line::width).sum::<usize>() + least;
    if taken(&pieces) > width && pieces.len() > 1 {
        pieces.remove(1);
    }
    while taken(&pieces) > width && pieces.len() > 1 {
        pieces.pop();
    }
    let mut line = Line::default();
    for piece in pieces {
        line.join(piece);
    }
    let room = width.saturating_sub(line.width() + 3);
    let right = rights.into_iter().find(|right| right.width() <= room).unwrap_or_default();
    let cells = u16::try_from(right.width()).unwrap_or(0);
    canvas.line(rect.x, rect.y, rect.width, line);
    canvas.line(rect.right().saturating_sub(cells + 1), rect.y, cells, right);
}

/// The program, how many servers, then what needs attention.
fn left(model: &Model) -> Vec<Line> {
    let name = if model.setup.demo { " pinwatch demo" } else { " pinwatch" };
    let mut pieces = vec![Line::of(Role::Product, name)];
    pieces.push(Line::of(Role::Text, format!("  {}", count(model.servers.len(), "server"))));
    let mut add = |many: usize, role, text: String| {
        if many > 0 {
            pieces.push(Line::of(Role::Text, "  ").put(role, text).clone());
        }
    };
    for severity in [Severity::Critical, Severity::Moderate] {
        let many = model.home.counted(severity);
        let text = format!("{} {many} {severity}", model.setup.glyphs.severity(severity));
        add(many, severity_role(severity), text);
    }
    let of = |want: fn(&Server) -> bool| model.servers.iter().filter(|server| want(server)).count();
    for (many, word, role) in [
        (of(|server| server.look.needs_watching()), "UNWATCHED", Role::Warning),
        (of(|server| server.look.is_first_contact()), "not recorded", Role::StateNew),
        (of(|server| server.look.is_stale() && server.look.last_good.is_none()), "FAILED", Role::Stale),
        (of(|server| server.look.is_stale() && server.look.last_good.is_some()), "stale", Role::Stale),
        (of(|server| server.look.state() == ServerState::Refused), "REFUSED", Role::SeverityCritical),
        (of(|server| server.look.state() == ServerState::Consent), "CONSENT", Role::Warning),
        (of(|server| server.look.state() == ServerState::Input), "INPUT", Role::Warning),
        (of(|server| server.look.state() == ServerState::SignIn), "SIGN-IN", Role::Warning),
    ] {
        add(many, role, format!("{many} {word}"));
    }
    let approved = model.approved();
    add(approved, Role::StateApproved, format!("{} OK", count(approved, "item")));
    pieces
}

/// From the longest to the shortest.
fn right(model: &Model) -> Vec<Line> {
    let paused = model.servers.iter().filter(|server| server.look.phase == Phase::Paused).count();
    let dropped: u64 = model.servers.iter().map(|server| server.look.dropped).sum();
    let mut live = Line::default();
    if dropped > 0 {
        live.put(Role::Warning, format!("{dropped} dropped  "));
    }
    if model.mouse {
        live.put(Role::Dim, "mouse  ");
    }
    match (paused, &model.frozen) {
        (_, Some(frozen)) => live.put(Role::Warning, format!("FROZEN +{}", count(frozen.events, "event"))),
        (0, None) => live.put(Role::StateApproved, "live"),
        _ if paused == model.servers.len() => live.put(Role::Stale, "paused"),
        _ => live.put(Role::Stale, format!("{paused} paused")),
    };
    let mut change = live.clone();
    match model.events.log.iter().rev().find(|(_, event)| is_change(event.kind)) {
        Some((_, event)) => change.put(Role::Dim, format!("  last change {} ago", age(event.at, model.now))),
        None => change.put(Role::Dim, "  no change yet"),
    };
    vec![change, live]
}

/// Whether a server's surface moved.
fn is_change(kind: HappeningKind) -> bool {
    use HappeningKind::{Changed, Drifted, Gone, New, Returned};
    matches!(kind, Drifted | New | Gone | Returned | Changed)
}
