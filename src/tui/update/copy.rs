//! `y`: a menu of what can be copied of the selected item, and what comes of it. What is copied hides nothing.

use crate::canon::indented;
use crate::desktop::MOST;
use crate::digest::Item;
use crate::text::{is_hidden, read_back, shell_word, visible};
use crate::tui::action::Action;
use crate::tui::document::{self, Document, Form, Manner, Source};
use crate::tui::draft;
use crate::tui::effect::Effect;
use crate::tui::model::{Ask, Choice, Dialog, Menu, Model};
use crate::tui::motion;

pub fn ask(model: &mut Model) {
    let choices = choices(model);
    let Some(server) = model.server.clone().filter(|_| !choices.is_empty()) else {
        model.warn("nothing to copy here");
        return;
    };
    let ask = Ask::Copy(Menu { choices, at: 0 });
    model.dialog = Some(Dialog::new(ask, server));
}

/// What can be copied of the selection.
fn choices(model: &Model) -> Vec<Choice> {
    let Some(entry) = model.selected_entry() else { return Vec::new() };
    let mut choices = Vec::new();
    let mut add = |what, text: String| choices.push(Choice { what, text });
    let item = &entry.about;
    let name = if item.key.is_empty() { item.kind.word() } else { item.key.as_ref() };
    if entry.label.is_empty() {
        add("name", visible(name).to_string());
    }
    if let Some(row) = model.selected_row() {
        if let Some(now) = &row.now {
            if let Some(cluster) = &now.digests.definition {
                add("definition digest", cluster.digest());
            }
            add("surface digest", now.digests.surface.to_string());
            add("definition as JSON", json(now));
        }
        if let Some(pin) = &row.pin {
            add("surface digest that is pinned", pin.item.digests.surface.to_string());
            add("pinned definition as JSON", json(&pin.item));
        }
    }
    if let Some(document) = opened(model) {
        let lines: Vec<_> = document.lines.iter().map(|line| line.text().trim_end().to_owned()).collect();
        add("what is shown of it", lines.join("\n") + "\n");
    }
    choices
}

/// What is shown, with every mark of hidden characters opened: nobody can open one in a copy. Of a big document, which would
/// take too long to be written again here, the marks stand as they are shown, each with its text.
fn opened(model: &Model) -> Option<Document> {
    let (key, shown) = model.reading.document.as_ref()?;
    let (server, entry) = (model.selected_server()?, model.selected_entry()?);
    if !shown.marks || key.manner.form != Form::Marked || draft::is_big(server, &[entry]) {
        return Some(shown.clone());
    }
    let manner = Manner { form: Form::Opened, ..key.manner };
    let source = Source::of(server, entry, key.width, manner, &model.setup)?;
    Some(if key.is_change() { document::change(&source) } else { document::digests(&source) })
}

/// `E`: the change and both definitions of the selected item, for the person's own editor or pager.
pub fn read_outside(model: &mut Model) {
    let texts: Vec<_> = choices(model).into_iter().filter(|choice| choice.what.contains(' ')).collect();
    // What is shown comes last in the menu, and is what a person wants to read first.
    let (definitions, shown): (Vec<_>, Vec<_>) = texts.into_iter().partition(|choice| choice.what.ends_with("as JSON"));
    let shown = shown.into_iter().filter(|choice| choice.text.contains('\n')).map(|choice| choice.text);
    let definitions = definitions.into_iter().rev().map(|choice| format!("--- {}\n{}", choice.what, choice.text));
    let text = shown.chain(definitions).collect::<Vec<_>>().join("\n");
    if text.is_empty() {
        model.warn("nothing to read here");
    } else {
        model.request(Effect::ReadOutside(text));
    }
}

/// The definition with what nobody sees as `\uXXXX`: the same value, and nothing hidden in the clipboard.
fn json(item: &Item) -> String {
    match item.definition.exact() {
        Some(value) => indented(&value, &is_hidden),
        None => visible(&item.definition.characters()).to_string(),
    }
}

pub fn act(model: &mut Model, action: Action) {
    let Some(Dialog { ask: Ask::Copy(menu), .. }) = &mut model.dialog else { return };
    if let Some(at) = motion::place(action, Some(menu.at), menu.choices.len(), menu.choices.len()) {
        menu.at = at;
        return;
    }
    if action != Action::Open {
        return;
    }
    let choice = menu.choices.get(menu.at).cloned();
    let server = model.dialog.take().map(|dialog| dialog.server).unwrap_or_default();
    if let Some(Choice { what, text: copied }) = choice {
        text(model, &server, what, copied);
    }
}

/// Copies a text that hides nothing, by the desktop's tool where there is one.
pub fn text(model: &mut Model, server: &str, what: &'static str, text: String) {
    if model.setup.clipboard.tool.is_some() {
        model.request(Effect::Copy { what, text });
    } else {
        by_terminal(model, server, what, text);
    }
}

/// Through the terminal, where it is short enough for one.
fn by_terminal(model: &mut Model, server: &str, what: &'static str, text: String) {
    if text.len() > MOST {
        let many = text.len() / 1_000;
        let item = model.selected_entry().map(|entry| format!("{}/{}", entry.about.kind, entry.about.key));
        // The screen escapes it: what it shows is the command, to be typed as it stands.
        let words = [Some(server), item.as_deref()].into_iter().flatten().map(shell_word).collect::<Vec<_>>();
        let words = read_back(&words.join(" "));
        model.warn(format!("{many} kB are too much for a terminal's clipboard (74): `pinwatch show {words} > FILE`"));
        return;
    }
    model.say(format!("{what}: sent to the terminal, which does not say whether it took it"));
    model.request(Effect::SendToClipboard(text));
}

/// What came of a tool: where it failed, the terminal is tried.
pub fn answered(model: &mut Model, what: &'static str, text: String, result: Result<&'static str, String>) {
    match result {
        Ok(tool) => model.say(format!("{what}: copied by {tool}")),
        Err(why) => {
            let server = model.server.clone().unwrap_or_default();
            by_terminal(model, &server, what, text);
            if let Some(notice) = &mut model.notice {
                notice.text = format!("{why}; {}", notice.text);
            }
        }
    }
}
