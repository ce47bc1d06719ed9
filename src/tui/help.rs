//! The help of the current screen, made of the keymap in force.

use super::action::Context;
use super::layout;
use super::line::Line;
use super::model::Model;
use super::theme::Role;
use ratatui::layout::Rect;

/// The rows that the filter lets through: key, action, what it does; a heading before each context.
pub fn rows(model: &Model) -> Vec<Line> {
    let Some(list) = &model.help else { return Vec::new() };
    let filter = list.filter.text().to_lowercase();
    let mut lines = Vec::new();
    let mut context = None;
    let contexts = [model.context(), Context::Moving, Context::Everywhere];
    let width = usize::from(places(model)[1].width);
    for row in model.keymap.rows(&contexts) {
        let keys: Vec<_> = row.keys.iter().map(ToString::to_string).collect();
        let keys = keys.join(" ");
        let text = format!("{keys} {} {}", row.action, row.help).to_lowercase();
        if !filter.split_whitespace().all(|word| text.contains(word)) {
            continue;
        }
        if context.replace(row.context) != Some(row.context) {
            if !lines.is_empty() {
                lines.push(Line::default());
            }
            lines.push(Line::of(Role::Heading, row.context.word()));
        }
        let mut line = Line::of(Role::Key, format!("{keys:<10} "));
        if width < 72 {
            line.put(Role::Text, row.action.name());
            lines.push(line);
            lines.extend(Line::of(Role::Dim, format!("  {}", row.help)).wrap(width, 2));
        } else {
            line.put(Role::Text, format!("{:<19} ", row.action.name())).put(Role::Dim, row.help);
            lines.extend(line.wrap(width, 31));
        }
    }
    lines
}

/// Its frame and its content.
pub fn places(model: &Model) -> [Rect; 2] {
    let [frame, content, _] = layout::sheet(model.size, 110, usize::from(u16::MAX), 0);
    [frame, content]
}
