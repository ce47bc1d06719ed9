//! Nothing is configured: what was searched, and how to begin. Never an empty frame.

use super::Canvas;
use crate::tui::line::Line;
use crate::tui::model::Model;
use crate::tui::theme::Role;
use ratatui::layout::Rect;

const WAYS: [(&str, &str); 4] = [
    ("pinwatch demo", "see it at work: servers inside the binary that drift by script, no set-up"),
    ("pinwatch watch --name files -- COMMAND", "watch one server without a config"),
    ("pinwatch watch --name remote --url URL", "the same over HTTP"),
    ("pinwatch.toml", "a config beside your project; `include` takes servers from your clients' files"),
];

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let width = usize::from(rect.width).saturating_sub(4);
    let mut lines = vec![Line::default(), Line::of(Role::TitleFocused, "No server is configured."), Line::default()];
    if !model.searched.is_empty() {
        lines.push(Line::of(Role::Heading, "searched"));
        for place in &model.searched {
            let mut line = Line::of(Role::Text, "  ");
            line.quote(Role::Text, place);
            lines.extend(line.wrap(width, 4));
        }
        lines.push(Line::default());
    }
    lines.push(Line::of(Role::Heading, "how to begin"));
    for (way, what) in WAYS {
        lines.push(Line::of(Role::Key, format!("  {way}")).fit(width, canvas.glyphs.ellipsis));
        lines.extend(Line::of(Role::Dim, format!("      {what}")).wrap(width, 6));
    }
    let place = Rect::new(rect.x + 2, rect.y, rect.width.saturating_sub(4), rect.height);
    canvas.lines(place, lines);
}
