//! The first line: how many servers, what needs a decision, what is stale, whether it is live.

use super::Canvas;
use crate::monitor::{HappeningKind, Phase};
use crate::tui::line::Line;
use crate::tui::model::Model;
use crate::tui::theme::Role;
use crate::tui::words::{age, count};
use ratatui::layout::Rect;

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let left = left(model);
    let room = usize::from(rect.width).saturating_sub(left.width() + 3);
    // Whole pieces only, the most telling last to go.
    let right = right(model).into_iter().find(|right| right.width() <= room).unwrap_or_default();
    let width = u16::try_from(right.width()).unwrap_or(0);
    canvas.line(rect.x, rect.y, rect.width, left);
    canvas.line(rect.right().saturating_sub(width + 1), rect.y, width, right);
}

fn left(model: &Model) -> Line {
    let mut line = Line::of(Role::Text, " ");
    line.put(Role::Product, if model.demo { "pinwatch demo" } else { "pinwatch" });
    line.put(Role::Text, "  ").put(Role::Text, count(model.servers.len(), "server"));
    let sum = |of: fn(crate::review::Counts) -> usize| -> usize {
        let counts = model.servers.iter().filter_map(|server| server.look.review.as_ref());
        counts.map(|review| of(review.counts)).sum()
    };
    let of = |want: fn(&crate::tui::model::Server) -> bool| model.servers.iter().filter(|server| want(server)).count();
    let consent = of(|server| matches!(server.look.phase, Phase::NeedsConsent(_)));
    for (many, word, role) in [
        (sum(|counts| counts.drifted), "DRIFT", Role::StateDrift),
        (sum(|counts| counts.new), "NEW", Role::StateNew),
        (sum(|counts| counts.gone), "GONE", Role::StateGone),
        (of(crate::tui::model::Server::is_stale), "stale", Role::Stale),
        (consent, "to start", Role::Warning),
    ] {
        if many > 0 {
            line.put(Role::Text, "  ").put(role, format!("{many} {word}"));
        }
    }
    line
}

/// From the longest to the shortest.
fn right(model: &Model) -> Vec<Line> {
    let paused = model.servers.iter().filter(|server| server.look.phase == Phase::Paused).count();
    let dropped: u64 = model.servers.iter().map(|server| server.look.dropped).sum();
    let mut live = Line::default();
    if dropped > 0 {
        live.put(Role::Warning, format!("{dropped} dropped  "));
    }
    match paused {
        0 => live.put(Role::StateApproved, "live"),
        _ if paused == model.servers.len() => live.put(Role::Stale, "paused"),
        _ => live.put(Role::Stale, format!("{paused} paused")),
    };
    let mut change = live.clone();
    match model.events.iter().rev().find(|(_, event)| is_change(event.kind)) {
        Some((_, event)) => change.put(Role::Dim, format!("  last change {} ago", age(event.at, model.now))),
        None => change.put(Role::Dim, "  no change yet"),
    };
    let mut theme = change.clone();
    theme.put(Role::Dim, format!("  theme {}", model.theme.name));
    vec![theme, change, live]
}

/// Whether a server's surface moved.
fn is_change(kind: HappeningKind) -> bool {
    use HappeningKind::{Changed, Drifted, Gone, New, Returned};
    matches!(kind, Drifted | New | Gone | Returned | Changed)
}
