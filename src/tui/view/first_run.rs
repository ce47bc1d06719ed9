//! Nothing is configured: what was searched, and how to begin. Never an empty frame.

use super::Canvas;
use crate::tui::document::Document;
use crate::tui::line::{Line, Role};
use crate::tui::model::Model;
use ratatui::layout::Rect;

const WAYS: [(&str, &str); 5] = [
    ("pinwatch demo", "see it at work: servers inside the binary that drift by script, no set-up"),
    ("pinwatch watch --name files -- COMMAND", "watch one server without a config"),
    ("pinwatch watch --name remote --url URL", "the same over HTTP"),
    ("pinwatch init", "write a config that takes the servers of the clients found here"),
    ("pinwatch.toml", "a config beside your project; `include` takes servers from your clients' files"),
];

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let place = Rect::new(rect.x + 2, rect.y, rect.width.saturating_sub(4), rect.height);
    let mut page = Document::of(usize::from(place.width));
    page.push(Line::default());
    page.push(Line::of(Role::TitleFocused, "No server is configured."));
    if !model.setup.searched.is_empty() {
        page.heading("searched");
        page.say_each(
            model.setup.searched.iter().map(|place| Line::of(Role::Text, "  ").quote(Role::Text, place).clone()),
            4,
        );
    }
    page.heading("how to begin");
    for (way, what) in WAYS {
        page.push(Line::of(Role::Key, format!("  {way}")));
        page.say(&Line::of(Role::Dim, format!("      {what}")), 6);
    }
    canvas.lines(place, page.lines);
}
