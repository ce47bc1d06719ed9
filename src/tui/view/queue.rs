//! The queue: what waits for a person, over all servers, and the change of what is selected.

use super::{Canvas, change, items};
use crate::monitor::Phase;
use crate::tui::action::{Action, Context};
use crate::tui::layout;
use crate::tui::line::Line;
use crate::tui::model::{Entry, Model, QueueRow, Waiting};
use crate::tui::theme::Role;
use crate::tui::words::{count, severity_role, state_role, state_word};
use ratatui::layout::Rect;

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let [head, rows, foot] = layout::queue(model);
    let list = &model.queue_list;
    let mut title = Line::of(Role::TitleFocused, "Queue");
    title.put(Role::Dim, format!("  {} to decide, over all servers", model.queue.len()));
    if !list.filter.is_empty() || list.typing {
        title.put(Role::Text, "  ").put(Role::Key, "/").quote(Role::Input, list.filter.text());
    }
    title.join(items::marked(model));
    let below = model.queue.len().saturating_sub(list.scroll + usize::from(rows.height));
    let more = canvas.more(below);
    canvas.title(rect, true, title, &[more]);
    if model.queue.is_empty() {
        let text = if list.filter.is_empty() {
            " nothing waits for a decision"
        } else {
            " nothing fits the filter; esc clears it"
        };
        canvas.line(head.x, head.y, head.width, Line::of(Role::Dim, text));
        return;
    }
    let columns = Columns::of(model, rows.width);
    canvas.line(head.x, head.y, head.width, columns.names(canvas));
    for (y, row) in (rows.top()..rows.bottom()).zip(model.queue.iter().skip(list.scroll)) {
        canvas.line(rows.x, y, rows.width, columns.row(canvas, model, row));
        if row.is_selected(model) {
            canvas.select(Rect::new(rows.x, y, rows.width, 1), true);
        }
    }
    let selected = model.queue_index().and_then(|at| model.queue.get(at));
    match selected.map(|row| &row.what) {
        Some(Waiting::Decision(_)) if foot.height > 0 => change::draw_below(canvas, model, foot),
        Some(what @ (Waiting::Consent | Waiting::Unwatched | Waiting::FirstContact(_))) => {
            words(canvas, model, foot, what);
        }
        Some(Waiting::Decision(_)) | None => {}
    }
}

/// What a server that waits as a whole waits for.
fn words(canvas: &mut Canvas<'_>, model: &Model, foot: Rect, what: &Waiting) {
    if foot.height == 0 {
        return;
    }
    let width = usize::from(foot.width);
    canvas.title(foot, false, Line::default(), &[]);
    let key = |action| model.keymap.key(action, &[Context::Queue]).unwrap_or_default();
    let line = match what {
        Waiting::Consent => {
            Line::of(Role::Dim, format!(" {} shows exactly what would run, and asks", key(Action::Open)))
        }
        Waiting::Unwatched => {
            let why = model.selected_server().and_then(|server| server.look.stale.as_ref());
            let mut line = Line::of(Role::Text, " ");
            line.quote(Role::Text, why.map(|reason| reason.text.as_str()).unwrap_or_default());
            let (accept, leave) = (key(Action::Approve), key(Action::Reject));
            line.put(Role::Dim, format!("; {accept} accepts that it is not watched, {leave} leaves it open"));
            line
        }
        _ => Line::of(
            Role::Dim,
            format!(
                " nothing is pinned yet: {} lists every item and records the baseline",
                key(Action::RecordBaseline)
            ),
        ),
    };
    canvas.lines(Rect { y: foot.y + 1, height: foot.height - 1, ..foot }, line.wrap(width, 1));
}

/// Widths; 0 where a column is left out.
struct Columns {
    severity: usize,
    state: usize,
    server: usize,
    item: usize,
    change: usize,
}

impl Columns {
    fn of(model: &Model, width: u16) -> Self {
        let width = usize::from(width);
        let wide = width >= 60;
        let longest = |of: fn(&QueueRow) -> usize| model.queue.iter().map(of).max().unwrap_or(0);
        let server = longest(|row| Line::default().quote(Role::Text, &row.server).width());
        let item = longest(|row| row.entry().map_or(0, |entry| items::full_name(entry).width()));
        let (severity, state) = if wide { (14, 10) } else { (4, 0) };
        let room = width.saturating_sub(severity + state);
        let server = (server + 2).clamp(8, (room / 4).max(8)).min(room);
        let item = if wide { (item + 2).clamp(10, (room / 3).max(10)) } else { room - server };
        Self { severity, state, server, item, change: room.saturating_sub(server + item) }
    }

    fn names(&self, canvas: &Canvas<'_>) -> Line {
        let cell = |text: &str, width: usize| Line::of(Role::Column, text).pad(width, canvas.glyphs.ellipsis);
        let severity = format!("   severity {}", canvas.glyphs.falling);
        let mut line = cell(if self.severity > 4 { &severity } else { "" }, self.severity);
        line.join(cell("state", self.state)).join(cell("server", self.server)).join(cell("item", self.item));
        line.join(cell("change", self.change));
        line
    }

    fn row(&self, canvas: &Canvas<'_>, model: &Model, row: &QueueRow) -> Line {
        let cut = canvas.glyphs.ellipsis;
        let cell = |line: Line, width: usize| line.fit(width.saturating_sub(1), cut).pad(width, cut);
        let mut server = Line::default();
        server.quote(Role::Text, &row.server);
        let entry = match &row.what {
            Waiting::Decision(entry) => entry,
            Waiting::Consent | Waiting::Unwatched | Waiting::FirstContact(_) => {
                let mut line = Line::of(Role::Text, " ").pad(self.severity, cut);
                let (word, text, role) = match row.what {
                    Waiting::FirstContact(many) => {
                        ("NEW", format!("first contact, {}", count(many, "item")), Role::StateNew)
                    }
                    Waiting::Unwatched if row.skipped => ("UNWATCHED", "left open".to_owned(), Role::Dim),
                    Waiting::Unwatched => ("UNWATCHED", "not watched, but it has a baseline".to_owned(), Role::Warning),
                    _ => ("CONSENT", consent_words(model, row).to_owned(), Role::Warning),
                };
                line.join(Line::of(role, word).pad(self.state, cut)).join(cell(server, self.server));
                line.put(Role::Dim, text);
                return line;
            }
        };
        let mut line = Line::of(Role::Text, " ");
        line.join(mark(canvas, model, row, entry));
        if let Some(severity) = entry.severity {
            let sign = canvas.glyphs.severity(severity);
            let text = if self.severity > 4 { format!(" {sign} {severity}") } else { format!(" {sign}") };
            line.put(severity_role(severity), text);
        }
        let mut line = line.pad(self.severity, cut);
        let state = entry.state.map(|state| Line::of(state_role(state), state_word(state))).unwrap_or_default();
        line.join(state.pad(self.state, cut)).join(cell(server, self.server));
        line.join(cell(items::full_name(entry), self.item));
        let mut change = Line::default();
        if row.skipped {
            change.put(Role::Dim, "skipped  ");
        }
        change.quote(Role::Text, &entry.summary);
        line.join(change.fit(self.change, cut));
        line
    }
}

/// What a launch that waits for consent is: a new one, or one that changed since a person agreed.
fn consent_words(model: &Model, row: &QueueRow) -> &'static str {
    let look = model.server_of(&row.server).map(|server| &server.look.phase);
    match look {
        Some(Phase::NeedsConsent(request)) if !request.off.is_empty() => {
            "its entry is off, but its client may start it"
        }
        Some(Phase::NeedsConsent(request)) if !request.changed.is_empty() => "its launch changed since you agreed",
        _ => "may it be started?",
    }
}

/// The sign before a row: marked, put off, or waiting.
fn mark(canvas: &Canvas<'_>, model: &Model, row: &QueueRow, entry: &Entry) -> Line {
    let marked = items::is_marked(model, &row.server, &entry.id);
    match (marked, row.skipped, entry.state) {
        (true, ..) => Line::of(Role::Key, canvas.glyphs.marked),
        (_, true, _) => Line::of(Role::Dim, canvas.glyphs.skipped),
        (.., Some(state)) => Line::of(state_role(state), canvas.glyphs.state(state)),
        _ => Line::of(Role::Text, " "),
    }
}
