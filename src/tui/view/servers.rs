//! The servers: a sign, the name, one word of state with its count, and how old it is where it is old.

use super::Canvas;
use super::table::{Columns, filter};
use crate::monitor::{Phase, ServerState};
use crate::tui::document::Document;
use crate::tui::glyph::Glyphs;
use crate::tui::layout;
use crate::tui::line::{Line, Role};
use crate::tui::model::{Model, Server};
use crate::tui::words::{age, severity_role};
use ratatui::layout::{Constraint, Rect};

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect, focused: bool) {
    let mut title = Line::of(if focused { Role::TitleFocused } else { Role::Title }, "Servers");
    title.put(Role::Dim, format!("  {}", model.servers.len()));
    let list = &model.listed.servers;
    filter(&mut title, list);
    let shown = model.shown_servers();
    let content = layout::inner(rect);
    let more = canvas.around(list.scroll, shown.len(), content.height);
    canvas.title(rect, focused, title, &[more]);
    let name = |server: &&Server| Line::quoted(Role::Text, &server.look.id).width();
    let longest = shown.iter().map(name).max().unwrap_or(0).clamp(8, 40);
    let columns = Columns([Constraint::Length(1), Constraint::Fill(1)].map(Some));
    let room = columns.places(content)[1].map_or(0, |place| usize::from(place.width));
    let visible = shown.iter().skip(list.scroll).take(usize::from(content.height));
    let rows: Vec<_> = visible.map(|server| cells(model, server, longest, room)).collect();
    let at = shown.iter().position(|server| model.server.as_ref() == Some(&server.look.id));
    columns.draw(canvas, content, rows, (0, at.and_then(|at| at.checked_sub(list.scroll))), focused);
    foot(canvas, model, content);
}

/// Sign, then name and state: with how bad the worst of it is and what came of its attestation, where there is room. States
/// stand in one column where they fit; elsewhere the name gives way, and that of this row alone.
fn cells(model: &Model, server: &Server, longest: usize, room: usize) -> [Line; 2] {
    let glyphs = &model.setup.glyphs;
    let (sign, _, role) = face(glyphs, server.look.state());
    let state = state(model, server);
    let column = room.saturating_sub(state.width() + 1).min(longest).max(4);
    let mut line = Line::quoted(Role::Text, &server.look.id).pad(column, glyphs.ellipsis);
    let beside = room.saturating_sub(longest + 1);
    line.put(Role::Text, " ").join(with_admission(server, with_worst(glyphs, server, state, beside), beside));
    [Line::of(role, sign), line]
}

/// Notices shown below the list.
const NOTICES: usize = 4;

/// Below the list, where there is room: what is odd about the selected server. Why it fails, or is refused, stands beside.
fn foot(canvas: &mut Canvas<'_>, model: &Model, content: Rect) {
    let Some(server) = model.selected_server() else { return };
    let mut page = Document::of(usize::from(content.width).saturating_sub(2));
    let mut say = |role, text: &str| page.say(Line::of(Role::Dim, " ").quote(role, text), 1);
    if let Some(review) = &server.look.review {
        for (what, said) in review.identity.lines(server.look.policy.admissions.root.is_some()) {
            say(Role::Dim, &format!("{what}: {said}"));
        }
    }
    if let Some(reason) = server.look.unchecked() {
        say(Role::StateUnknown, &reason.text);
    }
    for notice in server.look.odd().take(NOTICES) {
        let times = if notice.count > 1 { format!(" (x{})", notice.count) } else { String::new() };
        say(Role::Dim, &format!("{}{times}", notice.text));
    }
    let free = usize::from(content.height).saturating_sub(model.servers.len());
    let many = u16::try_from(page.lines.len()).unwrap_or(u16::MAX);
    if free > page.lines.len() {
        canvas.lines(Rect { y: content.bottom() - many, height: many, ..content }, page.lines);
    }
}

/// The state with how bad the worst of it is: the word where it has room, else its sign.
fn with_worst(glyphs: &Glyphs, server: &Server, state: Line, room: usize) -> Line {
    let Some(worst) = server.worst else { return state };
    let sign = glyphs.severity(worst);
    let with = |text: String| {
        let mut line = state.clone();
        line.put(Role::Text, " ").put(severity_role(worst), text);
        line
    };
    Line::first_that_fits([with(format!("{sign} {worst}")), with(sign.to_owned()), state.clone()], room)
}

/// The state with what came of the server's attestation, where it is held to a trust root and there is room.
fn with_admission(server: &Server, state: Line, room: usize) -> Line {
    let review = server.look.review.as_ref().filter(|_| server.look.policy.admissions.root.is_some());
    let Some(review) = review else { return state };
    let mut with = state.clone();
    with.put(Role::Text, "  ").spelt(Role::Dim, &review.identity.attestation.short());
    Line::first_that_fits([with, state], room)
}

/// The word of a server's state with its count; its age where it is stale.
pub fn state(model: &Model, server: &Server) -> Line {
    let (_, word, role) = face(&model.setup.glyphs, server.look.state());
    let mut line = Line::of(role, word);
    // A launch waits that is not the one that a person agreed to.
    if matches!(&server.look.phase, Phase::NeedsConsent(request) if !request.changed.is_empty()) {
        line.put(role, if server.look.state() == ServerState::Consent { " changed" } else { "" });
    }
    if server.look.is_stale() {
        line.put(Role::Text, if line.width() > 0 { " " } else { "" });
        match server.look.last_good {
            Some(at) => line.put(Role::Stale, format!("stale {}", age(at, model.now))),
            None => line.put(Role::Stale, "FAILED"),
        };
    }
    line
}

/// The sign of a state, its word with its count, and its role.
fn face(glyphs: &Glyphs, state: ServerState) -> (&'static str, String, Role) {
    let told = |sign, word: &str, role| (sign, word.to_owned(), role);
    let counted = |sign, word, many, role| (sign, format!("{word} {many}"), role);
    match state {
        ServerState::Refused => told(glyphs.stale, "REFUSED", Role::SeverityCritical),
        ServerState::Consent => told(glyphs.unknown, "CONSENT", Role::Warning),
        ServerState::SignIn => told(glyphs.unknown, "NEEDS SIGN-IN", Role::Warning),
        ServerState::Input => told(glyphs.unknown, "INPUT", Role::Warning),
        ServerState::Drift(many) => counted(glyphs.needs_decision, "DRIFT", many, Role::StateDrift),
        ServerState::New(many) => counted(glyphs.needs_decision, "NEW", many, Role::StateNew),
        ServerState::Gone(many) => counted(glyphs.needs_decision, "GONE", many, Role::StateGone),
        ServerState::Unwatched => told(glyphs.unknown, "UNWATCHED", Role::Warning),
        ServerState::Stale => told(glyphs.stale, "", Role::Stale),
        ServerState::Partial => told(glyphs.unknown, "partial", Role::StateUnknown),
        ServerState::Unchecked => told(glyphs.unknown, "UNKNOWN anchor", Role::StateUnknown),
        ServerState::Unknown(many) => counted(glyphs.unknown, "UNKNOWN", many, Role::StateUnknown),
        ServerState::Rejected(many) => counted(glyphs.rejected, "REJECTED", many, Role::StateRejected),
        ServerState::Busy(word) => told(glyphs.safe, word, Role::Dim),
        ServerState::Off => told(glyphs.safe, "not watched", Role::Dim),
        ServerState::Approved => told(glyphs.approved, "OK", Role::StateApproved),
    }
}
