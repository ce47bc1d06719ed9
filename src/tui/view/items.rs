//! The items of the selected server: state and name keep their width, the rest gives way.

use super::Canvas;
use crate::drift::Severity;
use crate::monitor::{BaselineState, Phase};
use crate::review::ApprovalState;
use crate::surface::Overall;
use crate::tui::action::{Action, Context};
use crate::tui::layout::{self, Shape};
use crate::tui::line::Line;
use crate::tui::model::{Entry, EntryId, Model, Pane, Server, SortKey, name};
use crate::tui::theme::Role;
use crate::tui::words::{
    clock, count, effect_role, findings, sentences, severity_role, short_day, state_role, state_word,
};
use ratatui::layout::Rect;

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect, shape: Shape) {
    let focused = model.pane == Pane::Items;
    let content = layout::inner(rect, shape);
    let [head, list, foot] = layout::items(model.size, content);
    let below = model.entries.len().saturating_sub(model.items.scroll + usize::from(list.height));
    let more = if shape == Shape::Open { canvas.more(below) } else { Line::default() };
    canvas.title(rect, focused, title(model, focused, usize::from(rect.width)), &[more]);
    let Some(server) = model.selected_server() else { return };
    if shape == Shape::Title {
        return;
    }
    if model.entries.is_empty() {
        canvas.lines(content, empty(model, server, usize::from(content.width)));
        return;
    }
    let columns = Columns::of(model, list.width);
    if head.height > 0 {
        canvas.line(head.x, head.y, head.width, columns.names(canvas, model));
    }
    let shown = model.entries.iter().enumerate().skip(model.items.scroll);
    for (y, (at, entry)) in (list.top()..list.bottom()).zip(shown) {
        let row = columns.row(canvas, model, server, entry);
        canvas.line(list.x, y, list.width, row);
        if model.entry_index() == Some(at) {
            canvas.select(Rect::new(list.x, y, list.width, 1), focused);
        }
    }
    draw_foot(canvas, model, foot);
}

/// The words of the selected row, where its change is not beside it.
fn draw_foot(canvas: &mut Canvas<'_>, model: &Model, foot: Rect) {
    if foot.height == 0 {
        return;
    }
    let width = usize::from(foot.width);
    canvas.line(foot.x, foot.y, foot.width, Line::of(Role::Gutter, canvas.glyphs.fold.repeat(width)));
    let Some(entry) = model.selected_entry() else { return };
    let Some(review) = model.selected_server().and_then(|server| server.look.review.as_ref()) else { return };
    let drift = match &entry.id {
        EntryId::Row(id) => review.row(id).and_then(|row| review.drift_of(row)),
        EntryId::Drift(kind, id) => review.drifts.iter().find(|drift| drift.drift_type == *kind && drift.id == *id),
        EntryId::Group(_) => None,
    };
    let mut lines = Vec::new();
    if let EntryId::Group(id) = &entry.id {
        for cause in review.group(id).into_iter().flat_map(|group| &group.causes) {
            let mut line = Line::of(Role::Dim, format!(" {} ", canvas.glyphs.between));
            line.quote(Role::Text, cause);
            lines.extend(line.wrap(width, 3));
        }
    }
    let reasons = drift.map(sentences).unwrap_or_default().into_iter().map(|(_, reason)| reason);
    let found = drift.map(|drift| findings(&drift.findings)).unwrap_or_default().into_iter();
    let found = found.map(|finding| {
        (canvas.glyphs.severity(finding.severity), severity_role(finding.severity), finding.text.as_str())
    });
    for (sign, role, text) in found.chain(reasons.map(|reason| (canvas.glyphs.between, Role::Dim, reason))) {
        let mut line = Line::of(role, format!(" {sign} "));
        line.quote(Role::Text, text);
        lines.extend(line.wrap(width, 3));
    }
    if lines.is_empty() {
        let words = match entry.state {
            Some(ApprovalState::Approved) => " equal to its pin",
            Some(ApprovalState::Unknown) => " cannot be read now: what it is at present is not known",
            _ => "",
        };
        lines.push(Line::of(Role::Dim, words));
    }
    canvas.lines(Rect { y: foot.y + 1, height: foot.height - 1, ..foot }, lines);
}

/// Server, counts, filter, trouble; in a narrow place without what can be seen elsewhere.
fn title(model: &Model, focused: bool, width: usize) -> Line {
    let role = if focused { Role::TitleFocused } else { Role::Title };
    let Some(server) = model.selected_server() else { return Line::of(role, "Items") };
    Line::first_that_fits([false, true].map(|short| one_title(model, server, role, short)), width.saturating_sub(4))
}

fn one_title(model: &Model, server: &Server, role: Role, short: bool) -> Line {
    let mut line = Line::default();
    line.quote(role, &server.look.id);
    // What no file names any more has no launch.
    if !short && !matches!(server.look.phase, Phase::Unwatched(_)) {
        line.put(Role::Dim, format!(" ({})", server.look.launch.transport_word()));
    }
    if !model.items.filter.is_empty() || model.items.typing {
        line.put(Role::Text, "  ").put(Role::Key, "/").quote(Role::Input, model.items.filter.text());
    }
    if let Some(review) = &server.look.review {
        let all = review.rows.len();
        let shown = model.entries.len();
        let filtered = !model.items.filter.is_empty();
        let many = if filtered { format!("{shown} of {}", count(all, "item")) } else { count(all, "item") };
        if !short || filtered {
            line.put(Role::Dim, format!("  {many}"));
        }
        let counts = review.counts;
        for (many, state) in [
            (counts.drifted, ApprovalState::Drifted),
            (counts.new, ApprovalState::New),
            (counts.gone, ApprovalState::Gone),
            (counts.rejected, ApprovalState::Rejected),
        ] {
            if many > 0 {
                line.put(Role::Text, "  ").put(state_role(state), format!("{many} {}", state_word(state)));
            }
        }
        if review.first_contact {
            line.put(Role::Text, "  ").put(Role::Warning, "first contact");
        }
    }
    line.join(marked(model)).join(trouble(model, server));
    line
}

/// How many rows are marked, over all servers.
pub fn marked(model: &Model) -> Line {
    match model.marked.len() {
        0 => Line::default(),
        many => Line::of(Role::Key, format!("  {} {many} marked", model.glyphs.marked)),
    }
}

/// Whether an entry is marked.
pub fn is_marked(model: &Model, server: &crate::surface::ServerId, entry: &EntryId) -> bool {
    let EntryId::Row(id) = entry else { return false };
    let review = model.server_of(server).and_then(|server| server.look.review.as_ref());
    review.and_then(|review| review.row(id)).is_some_and(|row| model.is_marked(server, row))
}

/// The name of an entry, and how much of it cannot be seen.
pub fn full_name(entry: &Entry) -> Line {
    let mut line = plain_name(entry);
    line.join(badge(entry));
    line
}

/// Why what is shown may be old or in part.
fn trouble(model: &Model, server: &Server) -> Line {
    let mut line = Line::default();
    let look = &server.look;
    if let BaselineState::Refused(why) = &look.baseline {
        line.put(Role::SeverityCritical, "  baseline refused: ").quote(Role::Text, why);
    }
    if let Phase::Retrying { at, failures, .. } = &look.phase {
        line.put(Role::Stale, format!("  retry {} ({failures})", clock(*at, &model.zone)));
    }
    if let Some(reason) = &look.stale {
        let unwatched = matches!(look.phase, Phase::Unwatched(_));
        let word = if unwatched { "  not watched: " } else { "  stale: " };
        line.put(Role::Stale, word).quote(Role::Stale, &reason.text);
    } else if let Some(Overall::Partial(reason)) = look.surface.as_ref().map(|surface| surface.overall()) {
        line.put(Role::StateUnknown, "  partial: ").quote(Role::StateUnknown, &reason.text);
    }
    line
}

/// What stands there while there are no rows.
fn empty(model: &Model, server: &Server, width: usize) -> Vec<Line> {
    let key = |action| model.keymap.key(action, &[Context::Browse]).unwrap_or_default();
    let mut lines = vec![Line::default()];
    let mut say = |line: Line| lines.extend(line.wrap(width, 1));
    if !model.items.filter.is_empty() {
        say(Line::of(Role::Dim, " nothing fits the filter; esc clears it"));
        return lines;
    }
    match &server.look.phase {
        Phase::NeedsConsent(request) => {
            let why = match request.changed.as_slice() {
                [] => " not started: nobody agreed to its launch here yet",
                _ => " not started: its launch changed since you agreed",
            };
            say(Line::of(Role::Warning, why));
            for sentence in request.off.iter().chain(&request.changed) {
                let mut line = Line::of(Role::Dim, "   ");
                line.quote(Role::Text, sentence);
                say(line);
            }
            say(Line::default());
            let mut line = Line::of(Role::Dim, " ");
            line.quote(Role::Text, &request.argv.join(" "));
            say(line);
            say(Line::default());
            let mut line = Line::of(Role::Dim, " ");
            line.put(Role::Key, key(Action::Open)).put(Role::Dim, " shows exactly what would run, and asks");
            say(line);
        }
        Phase::Retrying { at, failures, reason } => {
            let mut line = Line::of(Role::Stale, " nothing could be read: ");
            line.quote(Role::Text, &reason.text);
            say(line);
            let text = format!(" next try {}, after {}", clock(*at, &model.zone), count(*failures as usize, "failure"));
            say(Line::of(Role::Dim, text));
            for row in server.look.stderr_tail.iter().rev().take(4).rev() {
                let mut line = Line::of(Role::Dim, "   ");
                line.quote(Role::Dim, row);
                say(line);
            }
        }
        Phase::Waiting => say(Line::of(Role::Dim, " its turn has not come")),
        Phase::Starting => say(Line::of(Role::Dim, " starting")),
        Phase::Listing => say(Line::of(Role::Dim, " reading its lists")),
        Phase::Unusable if !server.look.asked.is_empty() => {
            say(Line::of(Role::Warning, " needs input: enter asks for it"));
        }
        Phase::Unusable => say(Line::of(Role::Stale, " not usable")),
        Phase::Unwatched(reason) => {
            let mut line = Line::of(Role::Dim, " not watched: ");
            line.quote(Role::Text, &reason.text);
            say(line);
        }
        Phase::Paused => say(Line::of(Role::Stale, " paused")),
        Phase::Stopped => say(Line::of(Role::Dim, " stopped")),
        Phase::Idle if server.look.baseline == BaselineState::Verifying => {
            say(Line::of(Role::Dim, " verifying its baseline"));
        }
        Phase::Idle if server.look.review.is_none() => say(Line::of(Role::Dim, " nothing is compared yet")),
        Phase::Idle => say(Line::of(Role::Dim, " it shows no items")),
    }
    lines
}

/// Widths of the columns; 0 where one is left out.
struct Columns {
    severity: usize,
    name: usize,
    change: usize,
    decision: usize,
}

/// The marker and the longest state word.
const STATE: usize = 12;

impl Columns {
    fn of(model: &Model, width: u16) -> Self {
        let width = usize::from(width);
        let longest =
            model.entries.iter().map(|entry| plain_name(entry).width() + badge(entry).width()).max().unwrap_or(0);
        let severity = if width >= 56 { 12 } else { 2 };
        let decision = if width >= 84 { 15 } else { 0 };
        let room = width.saturating_sub(STATE + severity + decision);
        let name = if width >= 56 { (longest + 2).clamp(12, (room / 2).max(12)).min(room) } else { room };
        Self { severity, name, change: room.saturating_sub(name), decision }
    }

    fn names(&self, canvas: &Canvas<'_>, model: &Model) -> Line {
        let arrow = if model.sort.reversed { canvas.glyphs.rising } else { canvas.glyphs.falling };
        let label = |key: SortKey, text: &str| {
            if model.sort.key == key { format!("{text} {arrow}") } else { text.to_owned() }
        };
        let cell = |text: String, width: usize| Line::of(Role::Column, text).pad(width, canvas.glyphs.ellipsis);
        let mut line = cell(format!("   {}", label(SortKey::State, "state")), STATE);
        let severity = if self.severity > 2 { label(SortKey::Severity, "severity") } else { String::new() };
        line.join(cell(severity, self.severity));
        line.join(cell(label(SortKey::Name, "item"), self.name));
        if self.change >= 8 {
            line.join(cell("change".to_owned(), self.change));
        }
        if self.decision > 0 {
            line.join(cell("decision".to_owned(), self.decision));
        }
        line
    }

    fn row(&self, canvas: &Canvas<'_>, model: &Model, server: &Server, entry: &Entry) -> Line {
        let cut = canvas.glyphs.ellipsis;
        let row = match &entry.id {
            EntryId::Row(id) => server.look.review.as_ref().and_then(|review| review.row(id)),
            EntryId::Drift(..) | EntryId::Group(_) => None,
        };
        let mut line = Line::of(Role::Text, " ");
        match entry.state {
            Some(state) => {
                let skipped = row.is_some_and(|row| model.is_skipped(&server.look.id, row));
                let marked = row.is_some_and(|row| model.is_marked(&server.look.id, row));
                let sign = if skipped { canvas.glyphs.skipped } else { canvas.glyphs.state(state) };
                if marked {
                    line.put(Role::Key, canvas.glyphs.marked);
                } else {
                    line.put(state_role(state), sign);
                }
                line.put(state_role(state), format!(" {}", state_word(state)));
            }
            None => {
                line.put(Role::StateDrift, format!("{} DRIFT", canvas.glyphs.safe));
            }
        }
        let mut line = line.pad(STATE, cut);
        line.join(severity(canvas, entry.severity, self.severity));
        let mut name = Line::default();
        if matches!(entry.id, EntryId::Group(_)) {
            let sign = if entry.opened { canvas.glyphs.falling } else { canvas.glyphs.current };
            name.put(Role::Key, sign).put(Role::Text, " ");
        }
        name.join(full_name(entry));
        line.join(name.fit(self.name.saturating_sub(1), cut).pad(self.name, cut));
        if self.change >= 8 {
            let mut change = Line::default();
            change.quote(Role::Text, &entry.summary);
            if entry.effect == Some(crate::drift::Effect::Breaking) {
                change.put(Role::Text, "  ").put(effect_role(crate::drift::Effect::Breaking), "breaking");
            }
            line.join(change.fit(self.change.saturating_sub(1), cut).pad(self.change, cut));
        }
        if self.decision > 0 {
            line.join(decision(canvas, model, server, row).fit(self.decision, cut));
        }
        line
    }
}

fn severity(canvas: &Canvas<'_>, severity: Option<Severity>, width: usize) -> Line {
    let line = match severity {
        Some(severity) if width > 2 => {
            Line::of(severity_role(severity), format!("{} {severity}", canvas.glyphs.severity(severity)))
        }
        Some(severity) => Line::of(severity_role(severity), canvas.glyphs.severity(severity)),
        None => Line::default(),
    };
    line.pad(width, canvas.glyphs.ellipsis)
}

fn plain_name(entry: &Entry) -> Line {
    if !entry.label.is_empty() {
        return Line::of(Role::Text, entry.label.as_str());
    }
    let item = entry.item();
    let (kind, key) = name(item);
    let mut line = Line::default();
    line.put(Role::Dim, if entry.inside { "  " } else { "" });
    let role = if key.is_empty() { Role::Text } else { Role::Dim };
    line.put(role, kind).quote(Role::Text, key);
    if let EntryId::Row(id) = &entry.id
        && id.copy > 0
    {
        line.put(Role::Dim, format!(" #{}", id.copy + 1));
    }
    line
}

/// How many characters of the definition cannot be seen.
fn badge(entry: &Entry) -> Line {
    let mut line = Line::default();
    if entry.hidden > 0 {
        line.put(Role::Text, " ").put(Role::Hidden, format!("{} hidden", entry.hidden));
    }
    line
}

/// What was decided last, and when.
fn decision(canvas: &Canvas<'_>, model: &Model, server: &Server, row: Option<&crate::review::Row>) -> Line {
    let Some(row) = row else { return Line::of(Role::Dim, canvas.glyphs.none) };
    if model.is_skipped(&server.look.id, row) {
        return Line::of(Role::Dim, "skipped");
    }
    let made = match row.state {
        ApprovalState::Rejected => row.rejected.as_ref().map(|decision| ("rejected", decision)),
        ApprovalState::Approved => row.pin.as_ref().map(|pin| ("ok", pin.decision.as_ref())),
        _ => None,
    };
    let Some((word, decision)) = made else { return Line::of(Role::Dim, canvas.glyphs.none) };
    let by_file = row.pin.as_ref().zip(server.decided_here.as_ref()).is_some_and(|(pin, here)| {
        row.state == ApprovalState::Approved && !here.contains(&(pin.item.id.clone(), pin.binds_to()))
    });
    let mut line = Line::default();
    if by_file {
        line.put(Role::Dim, "file: ").quote(Role::Dim, &decision.by);
    } else {
        line.put(Role::Dim, format!("{word} {}", short_day(&decision.at, model.now, &model.zone)));
    }
    line
}
