//! The only place where the model changes: a message in, effects out. Awaits nothing, reads no clock, draws nothing.

mod alarm;
mod browse;
mod change;
mod copy;
mod decide;
mod details;
mod dialog;
mod events;
mod help;
mod marks;
mod motion;
mod mouse;
mod queue;
mod search;
mod servers;
mod versions;

use super::action::Action;
use super::document::{self, Document, Source};
use super::effect::Effect;
use super::input::Input;
use super::keymap::Key;
use super::layout;
use super::model::{Ask, DocumentKey, Frozen, MAX_EVENTS, MAX_REMEMBERED, Model, Notice, Screen, Seen, entries};
use super::msg::Msg;
use super::sheet;
use crate::monitor::{Happening, HappeningKind};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind};
use jiff::Timestamp;
use std::collections::HashSet;

/// Takes one message.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let mut effects = Vec::new();
    match msg {
        Msg::Terminal(event) => terminal(model, event, &mut effects),
        Msg::Server(look) => {
            alarm::ring(model, &look, &mut effects);
            match &mut model.frozen {
                Some(frozen) => frozen.look(look.id.clone(), Some(look)),
                None => servers::look(model, *look),
            }
        }
        Msg::Removed(id) => match &mut model.frozen {
            Some(frozen) => frozen.look(id, None),
            None => servers::removed(model, &id),
        },
        Msg::Happened(happening) => {
            answer_consent(model, &happening);
            match &mut model.frozen {
                Some(frozen) => frozen.happen(happening),
                None => happened(model, happening),
            }
        }
        Msg::Versions { server, item, result } => versions::found(model, &server, item.as_ref(), result),
        Msg::Compared { server, versions, result } => versions::compared(model, &server, &versions, result),
        Msg::Copied { what, text, result } => copy::answered(model, what, text, result, &mut effects),
        Msg::Decided { server, result } => {
            model.pending = model.pending.saturating_sub(1);
            decide::answered(model, &server, result);
        }
        Msg::Undone { server, result } => {
            model.pending = model.pending.saturating_sub(1);
            decide::undone(model, &server, result);
        }
        Msg::Recorded { server, result } => {
            model.pending = model.pending.saturating_sub(1);
            let (text, warning) = match result {
                Ok(lines) => (lines.join("  "), false),
                Err(why) => (format!("nothing was recorded of {server}: {why}"), true),
            };
            model.notice = Some(Notice { text, warning });
        }
        Msg::DecidedHere { server, pins } => {
            if let Some(server) = model.servers.iter_mut().find(|other| other.look.id == server) {
                server.decided_here = Some(pins);
                server.revision += 1;
                model.revision += 1;
            }
        }
        Msg::Minute(at) => advance_clock(model, at),
        Msg::ThemeChanged(Ok(theme)) => {
            let warning = theme.warnings().into_iter().next();
            let text =
                format!("theme {}{}", theme.name, warning.as_ref().map(|why| format!(": {why}")).unwrap_or_default());
            model.notice = Some(Notice { text, warning: warning.is_some() });
            model.theme = theme;
        }
        Msg::ScreenChanged(keymap, switches) => {
            model.keymap = *keymap;
            // What was turned by a key stays, unless the config turned the same.
            if switches.mouse != model.switches.mouse {
                model.mouse = switches.mouse;
                effects.push(Effect::Mouse(model.mouse));
            }
            model.switches = switches;
        }
        Msg::Warning(text) | Msg::ThemeChanged(Err(text)) => model.notice = Some(Notice { text, warning: true }),
        Msg::Notice(text) => model.notice = Some(Notice { text, warning: false }),
        Msg::Drawn => drawn(model),
        Msg::Stop => leave(model, &mut effects),
    }
    let writes = effects.iter().filter(|effect| effect.is_write()).count();
    model.pending += writes;
    if model.leaving && model.pending == 0 && !model.quit {
        leave(model, &mut effects);
    }
    settle(model);
    alarm::title(model, &mut effects);
    effects
}

/// Says what became of an agreement once that is known: only what is kept may read as given.
fn answer_consent(model: &mut Model, happening: &Happening) {
    let text = || format!("{} {}", happening.server, happening.text);
    match happening.kind {
        HappeningKind::Consented => say(model, text()),
        HappeningKind::NotConsented => warn(model, format!("{}: {}", happening.server, happening.text)),
        _ => {}
    }
}

fn happened(model: &mut Model, happening: Happening) {
    advance_clock(model, happening.at);
    model.events.push_back((model.next_event, happening));
    model.next_event += 1;
    while model.events.len() > MAX_EVENTS {
        model.events.pop_front();
    }
}

/// `f`: nothing moves until it is pressed again; then everything that came is shown at once.
fn freeze(model: &mut Model) {
    let Some(frozen) = model.frozen.take() else {
        model.frozen = Some(Frozen::default());
        say(model, "frozen: what comes is counted above, and shown by the same key");
        return;
    };
    for (id, look) in frozen.looks {
        match look {
            Some(look) => servers::look(model, *look),
            None => servers::removed(model, &id),
        }
    }
    for happening in frozen.happened {
        happened(model, happening);
    }
    say(model, "live again");
}

/// Whether an action is about what is served now, which a frozen display does not show.
fn is_about_now(action: Action) -> bool {
    use Action::{Approve, ApproveMarked, RecordBaseline, Reject, RejectMarked, Undo};
    matches!(action, Approve | Reject | ApproveMarked | RejectMarked | RecordBaseline | Undo)
}

fn advance_clock(model: &mut Model, at: Timestamp) {
    model.now = model.now.max(at);
}

/// `q` on the main screen: a decision that is being written is waited for; the key again does not wait.
fn ask_to_leave(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.pending == 0 || model.leaving {
        leave(model, effects);
    } else {
        model.leaving = true;
        say(model, "it ends when what you decided is written; again to leave at once");
    }
}

fn leave(model: &mut Model, effects: &mut Vec<Effect>) {
    model.quit = true;
    effects.push(Effect::Quit);
}

/// A frame that shows the model was written: what stood on it to its last line was shown.
fn drawn(model: &mut Model) {
    if model.help.is_some() || layout::too_small(model.size) {
        return;
    }
    if model.dialog.is_some() {
        let Some((sheet, [_, content, _])) = sheet::sheet(model) else { return };
        let lines = sheet.lines.len();
        if let Some(dialog) = &mut model.dialog {
            dialog.read |= dialog.scroll + usize::from(content.height) >= lines;
        }
        return;
    }
    let Some(place) = layout::document(model) else { return };
    let Some((key, document)) = &model.document else { return };
    let end = model.document_scroll + usize::from(place.height);
    if !key.digests && !document.cut && end > document.last_of_change {
        let rows = model.selected_rows();
        let seen: Vec<_> = rows.into_iter().filter_map(|row| model.seen_key(row)).collect();
        remember(model, seen);
    }
}

/// Changes were read to their end. One that a server no longer shows is forgotten once many are remembered: it may show
/// another one at each look.
fn remember(model: &mut Model, seen: Vec<Seen>) {
    let before = model.seen.len();
    model.seen.extend(seen);
    if model.seen.len() > before.max(MAX_REMEMBERED) {
        let reviews = model.servers.iter().filter_map(|server| Some((&server.look.id, server.look.review.as_ref()?)));
        let shown: HashSet<Seen> =
            reviews.flat_map(|(id, review)| review.rows.iter().map(|row| Model::seen_of(id, row))).collect();
        model.seen.retain(|seen| shown.contains(seen));
    }
}

fn terminal(model: &mut Model, event: Event, effects: &mut Vec<Effect>) {
    match event {
        Event::Resize(width, height) => {
            // The same size again is how dtach and tmux ask for a fresh screen.
            if model.size == (width, height) {
                effects.push(Effect::Redraw);
            }
            model.size = (width, height);
        }
        Event::Paste(text) => {
            if let Some(input) = typing(model) {
                input.paste(&text);
            }
            browse::select_a_match(model);
        }
        Event::Key(key) if key.kind == KeyEventKind::Press => press(model, key, effects),
        Event::Mouse(event) if model.mouse => mouse::take(model, event),
        Event::Key(_) | Event::Mouse(_) | Event::FocusGained | Event::FocusLost => {}
    }
}

/// The text that keys go into, if any.
fn typing(model: &mut Model) -> Option<&mut Input> {
    if model.help.is_some() {
        return model.help.as_mut().filter(|help| help.typing).map(|help| &mut help.filter);
    }
    if model.dialog.is_some() {
        return match &mut model.dialog.as_mut()?.ask {
            Ask::Decide(decide) if decide.in_note => Some(&mut decide.note),
            Ask::Marked(marked) if marked.in_note => Some(&mut marked.note),
            Ask::Input(question) if question.in_answer => Some(&mut question.answer),
            _ => None,
        };
    }
    model.lists_mut().into_iter().find(|list| list.typing).map(|list| &mut list.filter)
}

fn stop_typing(model: &mut Model) {
    if let Some(help) = &mut model.help {
        help.typing = false;
    } else if let Some(dialog) = &mut model.dialog {
        match &mut dialog.ask {
            Ask::Decide(decide) => decide.in_note = false,
            Ask::Marked(marked) => marked.in_note = false,
            Ask::Input(question) => question.in_answer = false,
            Ask::Undo(_) | Ask::Copy(_) | Ask::Baseline { .. } | Ask::Consent(_) | Ask::Unwatched(_) => {}
        }
    } else {
        for list in model.lists_mut() {
            list.typing = false;
        }
    }
}

fn press(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    model.notice = None;
    let action = model.keymap.action(Key::from(key), &model.live());
    if typing(model).is_some() {
        // A letter typed is a letter, whatever it is bound to.
        match action {
            Some(Action::QuitNow) if Key::from(key).is_chord() => leave(model, effects),
            _ => text_key(model, key),
        }
        return;
    }
    if model.help.is_none() && dialog::count(model, key) {
        return;
    }
    let Some(action) = action else { return };
    match action {
        Action::QuitNow => leave(model, effects),
        Action::Redraw => effects.push(Effect::Redraw),
        Action::Suspend => effects.push(Effect::Suspend),
        Action::Mouse => {
            model.mouse = !model.mouse;
            say(model, if model.mouse { "the mouse is pinwatch's now" } else { "the mouse is the terminal's again" });
            effects.push(Effect::Mouse(model.mouse));
        }
        _ if model.help.is_some() => help::act(model, action),
        Action::Freeze if model.dialog.is_none() => freeze(model),
        _ if model.frozen.is_some() && is_about_now(action) => {
            warn(model, "the display is frozen: go on first, and see what is served now");
        }
        _ if model.dialog.is_some() => dialog::act(model, action, effects),
        Action::Help => model.help = Some(super::model::List::default()),
        _ => match model.screen {
            Screen::Browse => browse::act(model, action, effects),
            Screen::Queue => queue::act(model, action, effects),
            Screen::Change | Screen::Digests => change::act(model, action, effects),
            Screen::Versions => versions::act(model, action, effects),
            Screen::Compared => versions::act_compared(model, action),
            Screen::Search => search::act(model, action),
            Screen::Server => details::act(model, action, effects),
            Screen::Events => events::act(model, action),
        },
    }
}

/// A key while text is typed: esc clears a filter, enter and tab keep it; in a note both leave it as it is.
fn text_key(model: &mut Model, key: KeyEvent) {
    let note = model.help.is_none() && model.dialog.is_some();
    match key.code {
        KeyCode::Esc => {
            if !note && let Some(input) = typing(model) {
                input.clear();
            }
            stop_typing(model);
        }
        KeyCode::Enter if model.search.typing => {
            stop_typing(model);
            search::settle(model, true);
        }
        KeyCode::Enter | KeyCode::Tab | KeyCode::BackTab => {
            stop_typing(model);
            if note && key.code == KeyCode::Enter {
                dialog::say_what_confirms(model);
            }
        }
        KeyCode::Up | KeyCode::Down if !note => {
            let action = if key.code == KeyCode::Up { Action::Up } else { Action::Down };
            if model.help.is_some() {
                help::act(model, action);
            } else if model.search.typing {
                search::act(model, action);
            } else if model.queue_list.typing {
                queue::act(model, action, &mut Vec::new());
            } else if model.events_list.typing {
                events::act(model, action);
            } else if model.servers_list.typing {
                browse::move_server(model, action);
            } else {
                browse::move_entry(model, action);
            }
        }
        _ => {
            if let Some(input) = typing(model) {
                input.key(key);
            }
            browse::select_a_match(model);
        }
    }
}

/// Brings what is made of the state up to it: entries, selection, scrolling, document. Changes nothing that a person
/// chose.
pub fn settle(model: &mut Model) {
    queue::settle(model);
    if model.selected_server().is_none() {
        model.server = model.servers.first().map(|server| server.look.id.clone());
    }
    settle_entries(model);
    settle_scrolls(model);
    settle_document(model);
}

fn settle_entries(model: &mut Model) {
    let selected = model.server.clone();
    if let Some(server) = model.servers.iter_mut().find(|server| Some(&server.look.id) == selected.as_ref()) {
        server.open_selected();
    }
    let Some(server) = model.selected_server() else {
        model.entries.clear();
        model.entries_key = None;
        return;
    };
    let id = server.look.id.clone();
    let key = (id.clone(), server.revision, model.items.filter.text().to_owned(), model.sort);
    if model.entries_key.as_ref() == Some(&key) {
        return;
    }
    let fresh = entries(server, &key.2, key.3);
    let same_server = model.entries_key.as_ref().is_some_and(|(before, ..)| *before == id);
    let before = if same_server { model.entry_index() } else { None };
    model.entries = fresh;
    model.entries_key = Some(key);
    match (before, model.entry_index()) {
        // The selected row stays where it is on the screen, whatever came or went above it.
        (Some(before), Some(after)) => {
            model.items.scroll = (model.items.scroll + after).saturating_sub(before);
        }
        (_, Some(_)) => model.items.scroll = 0,
        (before, None) => {
            let at = before.unwrap_or(0).min(model.entries.len().saturating_sub(1));
            let entry = model.entries.get(at).map(|entry| entry.id.clone());
            // A filter that lets nothing through is no reason to forget what was selected.
            if entry.is_some() || model.items.filter.is_empty() {
                browse::select(model, entry);
            }
        }
    }
}

fn settle_scrolls(model: &mut Model) {
    use super::model::Pane;
    if let Some(rows) = layout::item_rows(model) {
        let height = usize::from(rows.height);
        model.items.scroll = motion::keep(model.items.scroll, model.entry_index(), model.entries.len(), height);
    }
    if let Some(content) = layout::pane_content(model, Pane::Servers) {
        let (at, many) = browse::server_place(model);
        model.servers_list.scroll = motion::keep(model.servers_list.scroll, at, many, usize::from(content.height));
    }
    details::settle(model);
    versions::settle(model);
    search::settle(model, false);
    events::settle(model);
    help::settle(model);
    if model.dialog.is_some()
        && let Some((sheet, [_, content, _])) = sheet::sheet(model)
        && let Some(dialog) = &mut model.dialog
    {
        dialog.scroll = dialog.scroll.min(sheet.lines.len().saturating_sub(usize::from(content.height)));
    }
}

fn settle_document(model: &mut Model) {
    let made = layout::document(model).and_then(|place| {
        let server = model.selected_server()?;
        let entry = model.selected_entry()?;
        let key = DocumentKey {
            server: server.look.id.clone(),
            revision: server.revision,
            entry: entry.id.clone(),
            width: usize::from(place.width),
            manner: model.manner,
            digests: model.screen == Screen::Digests,
            full: matches!(model.screen, Screen::Change | Screen::Digests),
        };
        if let Some((old, document)) = model.document.as_ref().filter(|(old, _)| *old == key) {
            return Some((old.clone(), document.lines.len(), None, place));
        }
        let source = Source::of(server, entry, key.width, key.manner, &model.glyphs, &model.zone)?;
        let made: Document = if key.digests { document::digests(&source) } else { document::change(&source) };
        Some((key, made.lines.len(), Some(made), place))
    });
    let Some((key, lines, made, place)) = made else {
        model.document = None;
        return;
    };
    if let Some(made) = made {
        let place_of = |key: &DocumentKey| (key.server.clone(), key.entry.clone(), key.digests, key.full);
        if model.document.as_ref().is_none_or(|(old, _)| place_of(old) != place_of(&key)) {
            model.document_scroll = if key.full { made.opening(usize::from(place.height)) } else { 0 };
        }
        model.document = Some((key, made));
    }
    model.document_scroll = model.document_scroll.min(lines.saturating_sub(usize::from(place.height)));
}

/// Opens the selected change over what is on the screen.
fn open_change(model: &mut Model) {
    if matches!(model.screen, Screen::Browse | Screen::Queue) {
        model.change_over = model.screen;
    }
    model.screen = Screen::Change;
}

/// What a server-wide drift is told when somebody wants to decide on it.
fn say(model: &mut Model, text: impl Into<String>) {
    model.notice = Some(Notice { text: text.into(), warning: false });
}

fn warn(model: &mut Model, text: impl Into<String>) {
    model.notice = Some(Notice { text: text.into(), warning: true });
}
