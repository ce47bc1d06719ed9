//! A model with a person at its keys, and its frames as text: rows, and runs of cells by role.

use super::keys_as_words::{Press, key_event, steps};
use super::looks;
use crossterm::event::{Event, KeyEvent};
use pinwatch::monitor::ServerLook;
use pinwatch::tui::{Action, Depth, Effect, Model, Msg, Role, Theme, start, update, view};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Color;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// A model that is drawn after every message, as the loop does.
pub struct Ui {
    /// The model.
    pub model: Model,
    /// What was asked for so far.
    pub effects: Vec<Effect>,
}

impl Ui {
    /// On the servers screen, over these servers; where there is one, at its items.
    pub fn new(servers: Vec<ServerLook>, size: (u16, u16)) -> Self {
        let pane = if servers.len() == 1 { "pane-items" } else { "pane-servers" };
        let mut ui = Self::home(servers, size);
        ui.press(pane);
        ui
    }

    /// As it starts, over these servers.
    pub fn home(servers: Vec<ServerLook>, size: (u16, u16)) -> Self {
        let mut ui = Self { model: start(looks::setup("ansi", servers), size), effects: Vec::new() };
        ui.drawn();
        ui
    }

    fn drawn(&mut self) {
        let effects = update(&mut self.model, Msg::Drawn);
        assert!(effects.is_empty(), "drawing asks for nothing");
    }

    /// A message, then a frame.
    pub fn msg(&mut self, msg: Msg) -> &mut Self {
        let effects = update(&mut self.model, msg);
        self.effects.extend(effects);
        self.drawn();
        self
    }

    /// A server's new state.
    pub fn look(&mut self, look: ServerLook) -> &mut Self {
        self.msg(Msg::Server(Box::new(look)))
    }

    /// Keys as words (tests/common/keys.rs). An action without a key on this screen is an error of the test.
    pub fn press(&mut self, words: &str) -> &mut Self {
        for press in steps(words).into_iter().flatten() {
            let key = match press {
                Press::Act(action) => self.key_of(action, words),
                Press::Key(key) => key,
            };
            self.msg(Msg::Terminal(Event::Key(key)));
        }
        self
    }

    fn key_of(&self, action: Action, words: &str) -> KeyEvent {
        let key = self.model.setup.keymap.key(action, &self.model.live());
        let key = key.unwrap_or_else(|| panic!("no key for `{action}` of \"{words}\" here:\n{}", self.screen()));
        let is_typing = view(&self.model, &mut blank(&self.model)).is_some();
        assert!(!is_typing || key.chars().count() > 1, "`{action}` of \"{words}\" would be typed as {key}");
        key_event(&key)
    }

    /// What another thread does: writes the document that is waited for.
    pub fn write(&mut self) -> &mut Self {
        let draft = self.model.drafts.take().expect("a document is waited for");
        let (key, document) = draft.write();
        self.msg(Msg::Written { key, document })
    }

    /// Down until the selected item has this key.
    pub fn select(&mut self, key: &str) -> &mut Self {
        self.press("pane-items, top");
        for _ in 0..100 {
            if self.selected() == key {
                return self;
            }
            self.press("down");
        }
        panic!("no item `{key}` in the list");
    }

    /// Key of the selected item.
    pub fn selected(&self) -> String {
        self.model.selected_entry().map(|entry| entry.about.key.to_string()).unwrap_or_default()
    }

    /// What was asked for since the last call.
    pub fn asked(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// The frame as text.
    pub fn screen(&self) -> String {
        rows(&frame(&self.model))
    }

    /// What stands below the body: what just happened, then the keys.
    pub fn bottom(&self) -> String {
        let screen = self.screen();
        let rows = screen.lines().skip(usize::from(pinwatch::tui::body(&self.model).bottom()));
        rows.map(str::trim).collect::<Vec<_>>().join(" ")
    }
}

fn blank(model: &Model) -> Buffer {
    Buffer::empty(Rect::new(0, 0, model.size.0, model.size.1))
}

/// One frame of a model.
pub fn frame(model: &Model) -> Buffer {
    let mut buffer = blank(model);
    view(model, &mut buffer);
    buffer
}

/// The rows of a frame.
pub fn rows(buffer: &Buffer) -> String {
    let mut text = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut row = String::new();
        let mut wide = 0;
        for x in buffer.area.left()..buffer.area.right() {
            if wide > 0 {
                wide -= 1;
                continue;
            }
            let symbol = buffer[(x, y)].symbol();
            wide = unicode_width::UnicodeWidthStr::width(symbol).saturating_sub(1);
            row.push_str(symbol);
        }
        writeln!(text, "{}", row.trim_end()).expect("a string takes text");
    }
    text
}

/// A theme that draws each role in a colour of its own: what lies over others in the background.
pub fn by_role() -> Theme {
    static THEME: LazyLock<Theme> = LazyLock::new(|| {
        let mut file = "[roles]\n".to_owned();
        for (at, role) in Role::ALL.iter().enumerate() {
            let ground = if matches!(role, Role::Selection | Role::SelectionUnfocused) { "bg" } else { "fg" };
            writeln!(file, "{} = {{ {ground} = \"{}\" }}", role.name(), at + 1).expect("a string takes text");
        }
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("roles.toml"), file).expect("a file");
        Theme::load("roles", Some(folder.path()), Depth::True).expect("a theme")
    });
    THEME.clone()
}

/// A model that is drawn with [`by_role`].
pub fn with_roles(model: &Model) -> Model {
    let mut model = model.clone();
    let name = std::mem::take(&mut model.setup.theme.name);
    model.setup.theme = by_role();
    model.setup.theme.name = name;
    model
}

/// The roles of a cell drawn with [`by_role`]: its own, and what lies over it.
pub fn roles_of(cell: &ratatui::buffer::Cell) -> (Role, Option<Role>) {
    let role = |color| match color {
        Color::Indexed(number) => Role::ALL.get(usize::from(number) - 1).copied(),
        _ => None,
    };
    (role(cell.fg).unwrap_or(Role::Text), role(cell.bg))
}

/// Rows, then the runs of every role but plain text, as the row shows them.
pub fn dump(model: &Model) -> String {
    let model = with_roles(model);
    let mut buffer = blank(&model);
    let cursor = view(&model, &mut buffer);
    let mut text = rows(&buffer);
    text.push_str("--- roles\n");
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut runs: Vec<(u16, u16, String)> = Vec::new();
        for x in buffer.area.left()..buffer.area.right() {
            let cell = &buffer[(x, y)];
            let (role, over) = roles_of(cell);
            let name = match over {
                Some(over) => over.name().to_owned(),
                None if role == Role::Text || cell.symbol() == " " => continue,
                None => role.name().to_owned(),
            };
            match runs.last_mut() {
                // A blank between two words of a role does not end its run.
                Some((_, end, last)) if *last == name && x <= *end + 2 => *end = x,
                _ => runs.push((x, x, name)),
            }
        }
        let runs: Vec<_> = runs.iter().map(|(from, to, name)| format!("{from}-{to} {name}")).collect();
        if !runs.is_empty() {
            writeln!(text, "{y:>2}: {}", runs.join(", ")).expect("a string takes text");
        }
    }
    if let Some(Position { x, y }) = cursor {
        writeln!(text, "--- cursor {x},{y}").expect("a string takes text");
    }
    text
}
