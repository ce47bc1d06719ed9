//! The only place where the model changes: a message in, effects out. Awaits nothing, reads no clock, draws nothing.

mod alarm;
mod ask;
mod change;
mod copy;
mod decide;
mod details;
mod dialog;
mod events;
mod home;
mod launches;
mod look;
mod marks;
mod mouse;
mod moves;
mod search;
mod select;
mod servers;
mod settle;
mod sign_in;
mod versions;

use super::action::{Action, Context};
use super::effect::Effect;
use super::input::Input;
use super::keymap::Key;
use super::layout;
use super::model::{Frozen, List, MAX_REMEMBERED, Model, Pane, Screen, Seen, Session};
use super::motion;
use super::msg::Msg;
use super::setup::Setup;
use super::sheet;
use super::words::count;
use crate::monitor::{Happening, HappeningKind};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind};
use std::collections::HashSet;

/// The model before the first message.
pub fn start(setup: Setup, size: (u16, u16)) -> Model {
    let mut model = Model::new(setup, size);
    settle::settle(&mut model);
    model
}

/// Takes one message.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    match &msg {
        Msg::Server(look) => alarm::ring(model, look),
        Msg::Happened(happening) => answer_consent(model, happening),
        _ => {}
    }
    match &mut model.frozen {
        Some(frozen) if msg.is_news() => frozen.keep(msg),
        _ => take(model, msg),
    }
    if model.session.leaving && model.session.pending == 0 && !model.quit {
        leave(model);
    }
    settle::settle(model);
    alarm::title(model);
    model.take_requests()
}

fn take(model: &mut Model, msg: Msg) {
    match msg {
        Msg::Terminal(event) => terminal(model, event),
        Msg::Server(look) => look::look(model, *look),
        Msg::Removed(id) => look::removed(model, &id),
        Msg::Happened(happening) => {
            model.now = model.now.max(happening.at);
            model.events.push(happening);
        }
        Msg::Versions { server, item, result } => versions::found(model, &server, item.as_ref(), result),
        Msg::Guards(told) => look::guarded(model, &told),
        Msg::CallsLogged => versions::logged(model),
        Msg::Compared { server, versions, result } => versions::compared(model, &server, &versions, result),
        Msg::Copied { what, text, result } => copy::answered(model, what, text, result),
        Msg::Decided { server, result } => decide::answered(model, &server, result),
        Msg::Undone { server, result } => decide::undone(model, &server, result),
        Msg::Recorded { server, baseline, result } => decide::recorded(model, server, baseline, result),
        Msg::DecidedElsewhere { server, pins } => {
            if let Some(server) = model.servers.iter_mut().find(|other| other.look.id == server) {
                server.decided_elsewhere = pins;
                server.revision += 1;
                model.revision += 1;
            }
        }
        Msg::Chain(chain) => model.events.chain = Some(chain),
        Msg::Collector(standing) => events::collector(model, standing),
        Msg::Minute(at) => model.now = model.now.max(at),
        Msg::ThemeChanged(Ok(theme)) => {
            match theme.warnings().first() {
                Some(why) => model.warn(format!("theme {}: {why}", theme.name)),
                None => model.say(format!("theme {}", theme.name)),
            }
            model.setup.theme = theme;
        }
        Msg::ScreenChanged(keymap, switches) => {
            model.setup.keymap = *keymap;
            // What was turned by a key stays, unless the config turned the same.
            if switches.mouse != model.setup.switches.mouse {
                model.mouse = switches.mouse;
                model.request(Effect::Mouse(model.mouse));
            }
            model.setup.switches = switches;
            model.revision += 1;
        }
        Msg::Warning(text) | Msg::ThemeChanged(Err(text)) => model.warn(text),
        Msg::Notice(text) => model.say(text),
        Msg::Written { key, document } => settle::written(model, key, document),
        Msg::Drawn => drawn(model),
        Msg::Stop => leave(model),
    }
}

/// Says what became of an agreement once that is known: only what is kept may read as given.
fn answer_consent(model: &mut Model, happening: &Happening) {
    match happening.kind {
        HappeningKind::Consented => {
            let agreed = &mut model.session.agreed;
            agreed.push(happening.server.clone());
            let what = if agreed.len() == 1 { happening.server.to_string() } else { count(agreed.len(), "server") };
            // One that was not kept stays told.
            if !model.notice.as_ref().is_some_and(|notice| notice.warning) {
                model.say(format!("Agreed; starting {what}"));
            }
        }
        HappeningKind::SignedIn => model.say(format!("Signed in to {}", happening.server)),
        HappeningKind::NotConsented | HappeningKind::SignInRefused => {
            model.warn(format!("{}: {}", happening.server, happening.text));
        }
        _ => {}
    }
}

/// `f`: nothing moves until it is pressed again; then everything that came is shown at once.
fn freeze(model: &mut Model) {
    let Some(frozen) = model.frozen.take() else {
        model.frozen = Some(Frozen::default());
        model.say("frozen: what happens is counted above; the same key shows them");
        return;
    };
    for msg in frozen.news {
        take(model, msg);
    }
    model.say("live again");
}

/// Whether an action is about what is served now, which a frozen display does not show.
fn is_about_now(action: Action) -> bool {
    use Action::{Approve, ApproveMarked, RecordBaseline, Reject, RejectMarked, Undo};
    matches!(action, Approve | Reject | ApproveMarked | RejectMarked | RecordBaseline | Undo)
}

/// `q` on the main screen: a decision that is being written is waited for; the key again does not wait.
fn ask_to_leave(model: &mut Model) {
    if model.session.pending == 0 || model.session.leaving {
        leave(model);
    } else {
        model.session.leaving = true;
        model.say("saving your decision first; press again to leave at once");
    }
}

fn leave(model: &mut Model) {
    model.quit = true;
    model.request(Effect::Quit);
}

/// A frame that shows the model was written: what stood on it to its last line was shown.
fn drawn(model: &mut Model) {
    if model.help.is_some() || layout::too_small(model.size) {
        return;
    }
    read(model);
    launches::drawn(model);
}

fn read(model: &mut Model) {
    if model.dialog.is_some() {
        let Some((sheet, [_, content, _])) = sheet::sheet(model) else { return };
        let lines = sheet.body.lines.len();
        if let Some(dialog) = &mut model.dialog {
            dialog.read |= dialog.scroll + usize::from(content.height) >= lines;
        }
        return;
    }
    let Some(place) = layout::document(model).filter(|_| !model.drafts.is_awaiting()) else { return };
    let Some((key, document)) = &model.reading.document else { return };
    let end = model.reading.scroll + usize::from(place.height);
    if key.is_change() && !document.cut && end > document.last_of_change {
        let Some(id) = &model.server else { return };
        let seen = model.selected_rows().into_iter().map(|row| Session::seen_of(id, row)).collect();
        remember(model, seen);
    }
}

/// Changes were read to their end. One that a server no longer shows is forgotten once many are remembered: it may show
/// another one at each look.
fn remember(model: &mut Model, seen: Vec<Seen>) {
    let before = model.session.seen.len();
    model.session.seen.extend(seen);
    if model.session.seen.len() > before.max(MAX_REMEMBERED) {
        let reviews = model.servers.iter().filter_map(|server| Some((&server.look.id, server.look.review.as_ref()?)));
        let shown: HashSet<Seen> =
            reviews.flat_map(|(id, review)| review.rows.iter().map(|row| Session::seen_of(id, row))).collect();
        model.session.seen.retain(|seen| shown.contains(seen));
    }
}

fn terminal(model: &mut Model, event: Event) {
    match event {
        Event::Resize(width, height) => {
            // The same size again is how dtach and tmux ask for a fresh screen.
            if model.size == (width, height) {
                model.request(Effect::Redraw);
            }
            model.size = (width, height);
        }
        Event::Paste(text) => {
            if let Some(input) = typing(model) {
                input.paste(&text);
            }
            select::a_match(model);
        }
        Event::Key(key) if key.kind == KeyEventKind::Press => press(model, key),
        Event::Mouse(event) if model.mouse => mouse::take(model, event),
        Event::Key(_) | Event::Mouse(_) | Event::FocusGained | Event::FocusLost => {}
    }
}

/// The text of what has the keys, and whether they go into it.
fn field(model: &mut Model) -> Option<(&mut Input, &mut bool)> {
    if model.help.is_some() {
        return model.help.as_mut().map(|help| (&mut help.filter, &mut help.typing));
    }
    if model.dialog.is_some() {
        return model.dialog.as_mut().map(|dialog| (&mut dialog.text, &mut dialog.typing));
    }
    let list = model.filtered().and_then(|rows| model.list_of_mut(rows));
    list.map(|list| (&mut list.filter, &mut list.typing))
}

/// The text that keys go into, if any.
fn typing(model: &mut Model) -> Option<&mut Input> {
    field(model).filter(|(_, typing)| **typing).map(|(text, _)| text)
}

fn stop_typing(model: &mut Model) {
    if let Some((_, typing)) = field(model) {
        *typing = false;
    }
}

fn press(model: &mut Model, key: KeyEvent) {
    model.notice = None;
    model.session.agreed.clear();
    let action = model.setup.keymap.action(Key::from(key), &model.live());
    if typing(model).is_some() {
        // A letter typed is a letter, whatever it is bound to.
        match action {
            Some(Action::QuitNow) if Key::from(key).is_chord() => leave(model),
            _ => text_key(model, key),
        }
        return;
    }
    if model.help.is_none() && dialog::count(model, key) {
        return;
    }
    let Some(action) = action else {
        elsewhere(model, key);
        return;
    };
    match action {
        Action::QuitNow => leave(model),
        Action::Redraw => model.request(Effect::Redraw),
        Action::Suspend => model.request(Effect::Suspend),
        Action::Mouse => {
            model.mouse = !model.mouse;
            model.say(if model.mouse { "mouse on" } else { "mouse off: the terminal selects text" });
            model.request(Effect::Mouse(model.mouse));
        }
        _ if model.help.is_some() => act(model, action),
        Action::Freeze if model.dialog.is_none() => freeze(model),
        _ if model.frozen.is_some() && is_about_now(action) => {
            model.warn("the display is frozen: unfreeze first, to see what is served");
        }
        Action::Help => model.help = Some(List::default()),
        _ => act(model, action),
    }
}

/// What a key does on the screen that is shown, or to the help or the dialog over it. What means the same on several screens
/// is done here.
fn act(model: &mut Model, action: Action) {
    let screen = model.screen();
    match action {
        _ if model.dialog.is_some() && model.help.is_none() => dialog::act(model, action),
        Action::Back if (model.help.is_some() || screen != Screen::Search) && clear_filter(model) => {}
        Action::Filter => start_typing(model),
        Action::Help | Action::Back | Action::Quit if model.help.is_some() => model.help = None,
        _ if model.help.is_some() => moves::go(model, action),
        Action::Home => model.go_to_worst(),
        Action::Quit if screen == Screen::Home => ask_to_leave(model),
        Action::Quit if screen == Screen::Servers => model.go_home(),
        Action::Quit => model.back(),
        // Those have something to clear first.
        Action::Back if !matches!(screen, Screen::Home | Screen::Servers | Screen::Versions) => model.back(),
        _ if motion::is_motion(action) => moves::go(model, action),
        Action::MoreContext | Action::LessContext | Action::SideBySide | Action::Wrap | Action::Json => {
            // Who acts on a row has chosen it.
            model.home.chosen |= screen == Screen::Home;
            change::manner(model, action);
        }
        _ if matches!(screen, Screen::Home | Screen::Servers) && servers::common(model, action) => {}
        _ => match screen {
            Screen::Home => home::act(model, action),
            Screen::Servers => servers::act(model, action),
            Screen::Change | Screen::Digests => change::act(model, action),
            Screen::Versions => versions::act(model, action),
            Screen::Compared => versions::act_compared(model, action),
            Screen::Search => search::act(model, action),
            Screen::Details => details::act(model, action),
            Screen::Events => events::act(model, action),
            _ => {}
        },
    }
}

/// Esc clears a filter first; whether there was one.
fn clear_filter(model: &mut Model) -> bool {
    field(model).filter(|(text, _)| !text.is_empty()).map(|(text, _)| text.clear()).is_some()
}

/// Keys go into the filter of what is shown; over a change that is the list of items.
fn start_typing(model: &mut Model) {
    if model.help.is_none() && model.screen() == Screen::Servers && model.listed.pane == Pane::Change {
        model.listed.pane = Pane::Items;
    }
    if let Some((_, typing)) = field(model) {
        *typing = true;
    }
}

/// A key that does nothing here says where it does something.
fn elsewhere(model: &mut Model, key: KeyEvent) {
    if model.help.is_some() || model.dialog.is_some() {
        return;
    }
    let key = Key::from(key);
    let places = [Context::Home, Context::Servers, Context::Change, Context::Details, Context::Versions];
    let row = model.setup.keymap.rows(&places).find(|row| row.keys.contains(&key));
    if let Some(text) = row.map(|row| format!("{key} is a key of {}: {}", row.context.word(), row.help)) {
        model.warn(text);
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
        KeyCode::Enter if !note && model.screen() == Screen::Search && model.help.is_none() => {
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
            act(model, action);
        }
        _ => {
            if let Some(input) = typing(model) {
                input.key(key);
            }
            select::a_match(model);
        }
    }
}
