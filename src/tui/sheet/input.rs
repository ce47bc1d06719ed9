//! The dialog for what a client's file asks a person: the question, who asks, and an answer that nobody sees.

use super::Sheet;
use crate::tui::action::{Action, Context};
use crate::tui::line::Line;
use crate::tui::model::{Dialog, Model, Question};
use crate::tui::theme::Role;
use unicode_segmentation::UnicodeSegmentation as _;

const LABEL: &str = "answer  ";

pub fn sheet(model: &Model, dialog: &Dialog, question: &Question, width: usize) -> Sheet {
    let mut sheet = Sheet { yes: "use this answer", ..Sheet::default() };
    sheet.title.put(Role::TitleFocused, "Input for ").quote(Role::TitleFocused, &dialog.server);
    let asked = &question.asked;
    let mut line = Line::default();
    line.quote(Role::Text, if asked.description.is_empty() { &asked.id } else { &asked.description });
    sheet.lines.extend(line.wrap(width, 2));
    let mut labelled = |label: &str, text: &str| {
        let mut line = Line::of(Role::Dim, label);
        line.quote(Role::Text, text);
        sheet.lines.extend(line.wrap(width, 9));
    };
    labelled("asks     ", &asked.file.display().to_string());
    labelled("as       ", &format!("${{input:{}}}", asked.id));
    if !asked.choices.is_empty() {
        labelled("one of   ", &asked.choices.join(", "));
    }
    sheet.lines.push(Line::default());
    let text = "The answer stays in memory until pinwatch ends; it is never shown or written. You are asked before the \
                server starts.";
    sheet.lines.extend(Line::of(Role::Dim, text).wrap(width, 0));
    let mut answer = Line::of(Role::Dim, LABEL);
    let typed = question.answer.text().graphemes(true).count();
    let shown = typed.min(width.saturating_sub(LABEL.len() + 2));
    answer.put(Role::Input, "*".repeat(shown));
    if typed == 0 {
        let key = model.keymap.key(Action::Note, &[Context::Dialog]).unwrap_or_default();
        let hint = if question.in_answer { "type it here".to_owned() } else { format!("{key} to type it") };
        answer.put(Role::Dim, hint);
    }
    sheet.foot.push(answer);
    if question.in_answer {
        sheet.cursor = Some((0, LABEL.len() + shown));
    }
    sheet
}
