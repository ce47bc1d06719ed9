//! The servers: a sign, the name, one word of state with its count, and how old it is where it is old.

use super::{Canvas, pane};
use crate::tui::layout::Shape;
use crate::tui::line::Line;
use crate::tui::model::{Model, Pane, Server, ServerState};
use crate::tui::theme::Role;
use crate::tui::words::age;
use ratatui::layout::Rect;

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect, shape: Shape) {
    let focused = model.pane == Pane::Servers;
    let mut title = Line::of(if focused { Role::TitleFocused } else { Role::Title }, "Servers");
    title.put(Role::Dim, format!("  {}", model.servers.len()));
    if shape == Shape::Title {
        // Closed, the title is the list: the worst first, as many as fit.
        let mut by_state: Vec<_> = model.servers.iter().collect();
        by_state.sort_by_key(|server| server.state());
        title = Line::of(Role::Title, "Servers");
        for server in by_state {
            title.put(Role::Dim, "  ").quote(Role::Text, &server.look.id).put(Role::Text, " ");
            title.join(state(model, server));
        }
    }
    let content = pane(canvas, rect, shape, focused, title);
    let width = usize::from(content.width);
    let rows = model.servers.iter().enumerate().skip(model.servers_scroll).take(usize::from(content.height));
    for (y, (at, server)) in (content.top()..).zip(rows) {
        let state = state(model, server);
        let mut line = Line::of(Role::Text, " ");
        line.put(role(server), sign(canvas, server)).put(Role::Text, " ");
        let taken = line.width() + state.width() + 2;
        let name = Line::default().quote(Role::Text, &server.look.id).clone();
        // State words stand in one column where they fit.
        let column = width.saturating_sub(taken).min(longest_name(model));
        line.join(name.pad(column.max(4), canvas.glyphs.ellipsis)).put(Role::Text, "  ").join(state);
        canvas.line(content.x, y, content.width, line);
        if model.server_index() == Some(at) {
            canvas.select(Rect::new(content.x, y, content.width, 1), focused);
        }
    }
}

fn longest_name(model: &Model) -> usize {
    let width = |server: &Server| Line::default().quote(Role::Text, &server.look.id).width();
    model.servers.iter().map(width).max().unwrap_or(0).clamp(8, 40)
}

/// The word of a server's state with its count; its age where it is stale.
pub fn state(model: &Model, server: &Server) -> Line {
    let mut line = match server.state() {
        ServerState::Refused => Line::of(role(server), "REFUSED"),
        ServerState::Consent => Line::of(role(server), "to start"),
        ServerState::Drift(many) => Line::of(role(server), format!("DRIFT {many}")),
        ServerState::New(many) => Line::of(role(server), format!("NEW {many}")),
        ServerState::Gone(many) => Line::of(role(server), format!("GONE {many}")),
        ServerState::Stale => Line::default(),
        ServerState::Partial => Line::of(role(server), "partial"),
        ServerState::Unknown(many) => Line::of(role(server), format!("UNKNOWN {many}")),
        ServerState::Rejected(many) => Line::of(role(server), format!("REJECTED {many}")),
        ServerState::Waiting => Line::of(role(server), "waiting"),
        ServerState::Starting => Line::of(role(server), "starting"),
        ServerState::Listing => Line::of(role(server), "listing"),
        ServerState::Approved => Line::of(role(server), "OK"),
    };
    if server.is_stale() {
        if line.width() > 0 {
            line.put(Role::Text, " ");
        }
        match server.look.last_good {
            Some(at) => line.put(Role::Stale, format!("stale {}", age(at, model.now))),
            None => line.put(Role::Stale, "never seen"),
        };
    }
    line
}

fn role(server: &Server) -> Role {
    match server.state() {
        ServerState::Refused => Role::SeverityCritical,
        ServerState::Consent => Role::Warning,
        ServerState::Drift(_) => Role::StateDrift,
        ServerState::New(_) => Role::StateNew,
        ServerState::Gone(_) => Role::StateGone,
        ServerState::Stale => Role::Stale,
        ServerState::Partial | ServerState::Unknown(_) => Role::StateUnknown,
        ServerState::Rejected(_) => Role::StateRejected,
        ServerState::Waiting | ServerState::Starting | ServerState::Listing => Role::Dim,
        ServerState::Approved => Role::StateApproved,
    }
}

fn sign(canvas: &Canvas<'_>, server: &Server) -> &'static str {
    let glyphs = canvas.glyphs;
    match server.state() {
        ServerState::Drift(_) | ServerState::New(_) | ServerState::Gone(_) => glyphs.needs_decision,
        ServerState::Refused | ServerState::Stale => glyphs.stale,
        ServerState::Consent | ServerState::Partial | ServerState::Unknown(_) => glyphs.unknown,
        ServerState::Rejected(_) => glyphs.rejected,
        ServerState::Waiting | ServerState::Starting | ServerState::Listing => glyphs.safe,
        ServerState::Approved => glyphs.approved,
    }
}
