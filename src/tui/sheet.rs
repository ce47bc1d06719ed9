//! What a dialog says, as lines: the part that scrolls and the foot that stays. `update` needs to know how long it is,
//! `view` draws it.

mod decide;
mod first_record;
mod server;
mod sign_in;

pub use first_record::first_record;
pub use server::{launch, question, unwatched};
pub use sign_in::{standing, stands};

use super::action::Action;
use super::document::Document;
use super::layout;
use super::line::{Line, Role};
use super::model::{Ask, Dialog, Menu, Model};
use ratatui::layout::Rect;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthChar as _;

#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// In the frame's upper edge.
    pub title: Line,
    /// What scrolls.
    pub body: Document,
    /// What stays: what is typed, then the buttons.
    pub foot: Vec<Line>,
    /// What the confirm key does.
    pub yes: String,
    /// Whether its last line is neither on the screen nor was there.
    pub unread: bool,
    /// Why the confirm key does nothing yet.
    pub hold: Option<&'static str>,
    /// Foot row and column of the text cursor, while something is typed.
    pub cursor: Option<(usize, usize)>,
}

/// The widest dialog.
const WIDTH: u16 = 84;

/// The dialog that is open, with its frame, its content's place and its foot's.
pub fn sheet(model: &Model) -> Option<(Sheet, [Rect; 3])> {
    let dialog = model.dialog.as_ref()?;
    let width = usize::from(layout::sheet(model.size, WIDTH, 1, 0)[1].width);
    let mut sheet = Sheet { body: Document::of(width), ..Sheet::default() };
    let on = Some(&*dialog.server);
    // It closes with its server.
    let server = || model.server_of(&dialog.server);
    match &dialog.ask {
        Ask::Decide(decide) => decide::write(&mut sheet, model, dialog, decide),
        Ask::Copy(menu) => copy(sheet.asks("Copy", None, "", "copy"), model, menu),
        Ask::Undo(made) => {
            sheet.asks("Undo the last decision on ", on, "?", "undo it");
            for line in &made.lines {
                sheet.body.say(Line::of(Role::Text, "  ").quote(Role::Text, line), 4);
            }
            sheet.body.gap();
            let text = "The baseline goes back to what it was, and the items need a decision again. The log keeps both. \
                        If one of them was decided again since, nothing changes.";
            sheet.body.words(Role::Dim, text);
        }
        Ask::Baseline(record) => {
            let page = &mut sheet.asks("Record the baseline of ", on, "?", "record the baseline").body;
            let shown = dialog.scroll..dialog.scroll + usize::from(model.size.1);
            first_record(page, model, server()?, (record, shown));
        }
        Ask::Unwatched(reason) => {
            let page = &mut sheet.asks("Leave ", on, " unwatched?", "accept that it is not watched").body;
            unwatched(page, server()?, reason);
        }
        Ask::Consent(request) => {
            let [before, yes] = match &**request {
                scanner if scanner.is_of_scanner() => ["Ask the scanner about ", "agree to exactly this, and run it"],
                _ => ["Start ", "agree to exactly this, and start it"],
            };
            launch(&mut sheet.asks(before, on, "?", yes).body, request);
        }
        Ask::LookAs(clients) => {
            let page = &mut sheet.asks("Look at ", on, " as other clients?", "look as each of them").body;
            server::faces(page, server()?, clients);
        }
        Ask::SignIn(stage) => sign_in::write(&mut sheet, &dialog.server, stage),
        Ask::Launches { requests, apart } => server::launches(&mut sheet, requests, apart),
        Ask::Input(asked) => {
            question(&mut sheet.asks("Input for ", on, "", "use this answer").body, asked);
            let typed = "*".repeat(dialog.text.text().graphemes(true).count());
            sheet.field(model, "answer  ", Line::of(Role::Input, typed), ["type it here", "type it"]);
        }
    }
    if dialog.ask.number().is_some() {
        sheet.foot.insert(0, number(model, dialog));
        sheet.cursor = sheet.cursor.map(|(row, column)| (row + 1, column));
    } else if sheet.foot.is_empty() {
        sheet.foot.push(Line::default());
    }
    let places = layout::sheet(model.size, WIDTH, sheet.body.lines.len(), sheet.foot.len() + 1);
    sheet.unread = !dialog.read && dialog.scroll + usize::from(places[1].height) < sheet.body.lines.len();
    sheet.hold = dialog.hold(sheet.unread);
    sheet.foot.push(buttons(model, dialog, &sheet));
    Some((sheet, places))
}

impl Sheet {
    /// Its question, about what a server or a file named, and what the confirm key does.
    fn asks(&mut self, before: &str, about: Option<&str>, after: &str, yes: &str) -> &mut Self {
        self.title.put(Role::TitleFocused, before).quote(Role::TitleFocused, about.unwrap_or_default());
        self.title.put(Role::TitleFocused, after);
        yes.clone_into(&mut self.yes);
        self
    }

    /// What is typed, or how one begins to: what it says while it is typed into, and what a key does before.
    fn field(&mut self, model: &Model, label: &str, typed: Line, [hint, begin]: [&str; 2]) {
        let Some(dialog) = &model.dialog else { return };
        let mut line = Line::of(Role::Dim, label);
        line.join(tail(typed, self.body.width.saturating_sub(label.len() + 2)));
        self.cursor = dialog.typing.then(|| (self.foot.len(), line.width()));
        if dialog.text.is_empty() && dialog.typing {
            line.put(Role::Dim, hint);
        } else if dialog.text.is_empty() && dialog.takes_text() {
            let key = model.setup.keymap.key(Action::Note, &[dialog.context()]).unwrap_or_default();
            line.put(Role::Dim, format!("{key} to {begin}"));
        }
        self.foot.push(line);
    }
}

/// Names what is left out and why, after a line that counts it.
fn apart(page: &mut Document, text: String, lines: impl Iterator<Item = Line>) {
    let mut lines = lines.peekable();
    if lines.peek().is_some() {
        page.gap();
        page.words(Role::Warning, text);
        page.say_each(lines, 4);
    }
}

fn copy(sheet: &mut Sheet, model: &Model, menu: &Menu) {
    for (at, choice) in menu.choices.iter().enumerate() {
        let chosen = at == menu.at;
        let mut line = Line::of(Role::Text, if chosen { model.setup.glyphs.current } else { " " });
        line.put(Role::Text, " ").put(if chosen { Role::ButtonFocused } else { Role::Text }, choice.what);
        let length = choice.text.len();
        // What is short is shown, of the rest how much it is.
        if length <= 80 {
            line.put(Role::Text, "  ").quote(Role::Dim, &choice.text);
        } else {
            line.put(Role::Dim, format!("  {length} bytes"));
        }
        sheet.body.push(line.fit(sheet.body.width, model.setup.glyphs.ellipsis));
    }
}

/// The number as it is typed, and whether it is the right one.
fn number(model: &Model, dialog: &Dialog) -> Line {
    let typed = dialog.count.text();
    let mut number = Line::of(Role::Dim, "count   ");
    number.quote(Role::Input, if typed.is_empty() { "_" } else { typed });
    if dialog.wants_number() {
        number.put(Role::Dim, "  type how many");
    } else {
        number.put(Role::Notice, format!("  {}", model.setup.glyphs.approved));
    }
    number
}

/// The end of a line that is longer than its place.
fn tail(line: Line, width: usize) -> Line {
    if line.width() <= width {
        return line;
    }
    let text = line.text();
    let mut used = 0;
    let kept = text.char_indices().rev().take_while(|(_, letter)| {
        used += letter.width().unwrap_or(0);
        used <= width
    });
    Line::of(Role::Input, &text[kept.last().map_or(text.len(), |(at, _)| at)..])
}

/// Cancel has the focus; the other answer is a letter of its own.
fn buttons(model: &Model, dialog: &Dialog, sheet: &Sheet) -> Line {
    let yes = &sheet.yes;
    let key = |action| model.setup.keymap.key(action, &[dialog.context()]).unwrap_or_default();
    if matches!(dialog.ask, Ask::Copy(_)) {
        let mut line = Line::of(Role::Key, key(Action::Open));
        line.put(Role::Button, format!(" {yes}   ")).put(Role::Key, key(Action::Cancel));
        line.put(Role::Button, " cancel");
        return line;
    }
    // While keys go into a text no button has the focus, and `y` is a letter.
    let mut line = Line::of(if dialog.typing { Role::Dim } else { Role::ButtonFocused }, "[ cancel ]");
    line.put(Role::Text, "  ");
    match sheet.hold {
        Some(why) => line.put(if dialog.moved.is_some() { Role::Warning } else { Role::Dim }, why),
        None if dialog.typing => {
            line.put(Role::Dim, format!("{}, then {} to {yes}", key(Action::Note), key(Action::Confirm)))
        }
        None => line.put(Role::Key, key(Action::Confirm)).put(Role::Button, format!(" {yes}")),
    };
    line
}
