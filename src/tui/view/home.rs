//! Home: what needs the person, worst first, with digest and approval in the row; the change of the selected row; what is
//! fine in one line.
//!
//! ```text
//! ─ Needs you  2 ──────────────────────────────── definition ──────── approval ───
//! ▸▲ send_mail   mailer  Tells the model to …     6f74062d → 91c0aa12 approved 11-02
//!  ◆ delete_file files   Renamed from …           77ab0c41 → 0d2e9f55 approved 11-02
//! ─ send_mail · mailer ────────────────────────────────────────────── 1 of 2 ───
//! ─ ✓ weather OK · ! billing stale 4m: exit status 1 ── servers: tab ──
//! ```

use super::table::Columns;
use super::{Canvas, change, servers, waits};
use crate::tui::action::{Action, Context};
use crate::tui::approval::{approval, digests_of};
use crate::tui::layout::{self, HomePlaces, Shape};
use crate::tui::line::Line;
use crate::tui::model::{Entry, EntryId, HomeRow, Model, Server, ServerState, Waiting};
use crate::tui::theme::Role;
use crate::tui::words::{count, severity_role};
use ratatui::layout::{Constraint, Rect};

/// Columns from which both digests stand in a row, from which the one now does, and from which the server does.
const BOTH_DIGESTS: u16 = 100;
const ONE_DIGEST: u16 = 76;
const SERVER: u16 = 56;
/// Columns from which a row says who decided.
const WHO: u16 = 120;

pub fn draw(canvas: &mut Canvas<'_>, model: &Model) {
    let places = layout::home(model);
    if model.home.all == 0 {
        calm(canvas, model, &places);
    } else {
        needs_you(canvas, model, &places);
    }
    if places.servers.width > 0 {
        servers::draw(canvas, model, places.servers, Shape::Open, false);
        canvas.column(places.servers.right(), layout::places(model).body);
    }
}

fn needs_you(canvas: &mut Canvas<'_>, model: &Model, places: &HomePlaces) {
    title(canvas, model, places);
    if model.home.rows.is_empty() {
        let text = " nothing fits the filter; esc clears it";
        canvas.line(places.rows.x, places.rows.y, places.rows.width, Line::of(Role::Dim, text));
        return;
    }
    let shown = model.home.rows.iter().skip(model.home.list.scroll);
    let rows = shown.map(|row| cells(canvas, model, row, places.rows.width)).collect::<Vec<_>>();
    let at = model.home.at.checked_sub(model.home.list.scroll);
    let widths = widths(model, places.rows.width);
    let columns = Columns { widths: &widths };
    columns.draw(canvas, places.rows, rows, at, true);
    let shown = (places.rows.top()..places.rows.bottom()).zip(model.home.rows.iter().skip(model.home.list.scroll));
    for (y, row) in shown.filter(|(_, row)| row.entry().is_none()) {
        whole(canvas, model, row, Rect { y, height: 1, ..places.rows }, &columns);
    }
    if places.below.height > 0 {
        below(canvas, model, places.below);
    }
    foot(canvas, model, places.foot);
}

/// A server that waits as a whole has neither digest nor approval: its headline has all the room.
fn whole(canvas: &mut Canvas<'_>, model: &Model, row: &HomeRow, rect: Rect, columns: &Columns<'_>) {
    let Some((server, place)) = model.server_of(&row.server).zip(columns.places(rect).get(2).copied()) else { return };
    let mut line = Line::of(Role::Dim, if row.skipped { "left open  " } else { "" });
    line.join(waits::headline(model, server, &row.what));
    canvas.line(place.x, rect.y, rect.right().saturating_sub(place.x), line);
    if model.home.row() == Some(row) {
        canvas.select(rect, true);
    }
}

/// What is counted, filtered and marked; at its right the names of the last columns, over them.
fn title(canvas: &mut Canvas<'_>, model: &Model, places: &HomePlaces) {
    let home = &model.home;
    let mut title = Line::of(Role::TitleFocused, "Needs you");
    let (shown, all) = (home.rows.len(), home.all);
    title.put(Role::Dim, if shown == all { format!("  {all}") } else { format!("  {shown} of {all}") });
    if !home.list.filter.is_empty() || home.list.typing {
        title.put(Role::Text, "  ").put(Role::Key, "/").quote(Role::Input, home.list.filter.text());
    }
    title.join(waits::marked(model));
    let above = home.list.scroll;
    let below = shown.saturating_sub(above + usize::from(places.rows.height));
    let around = canvas.around(above, below);
    if around.width() > 0 {
        title.put(Role::Text, "  ").join(around);
    }
    let taken = u16::try_from(title.width()).unwrap_or(u16::MAX).saturating_add(places.title.x + 4);
    canvas.title(places.title, true, title, &[]);
    let widths = widths(model, places.rows.width);
    let columns = Columns { widths: &widths }.places(places.title);
    let names: &[&str] = match columns.len() {
        5.. if places.rows.width >= BOTH_DIGESTS => &["definition", "approval"],
        5.. if places.rows.width >= ONE_DIGEST => &["digest", "approval"],
        4.. if places.rows.width >= SERVER => &["approval"],
        _ => &[],
    };
    for (name, place) in names.iter().rev().zip(columns.iter().rev()) {
        if place.x > taken {
            let name = Line::of(Role::Column, format!(" {name} "));
            let width = u16::try_from(name.width()).unwrap_or(0);
            canvas.clear(Rect::new(place.x - 1, place.y, width, 1));
            canvas.line(place.x - 1, place.y, width, name);
        }
    }
}

/// Sign and name, server, headline, digest, approval: as many as the width has room for.
fn widths(model: &Model, width: u16) -> Vec<Constraint> {
    let longest = |of: &dyn Fn(&HomeRow) -> usize, most: usize| {
        let widest = model.home.rows.iter().map(of).max().unwrap_or(0);
        Constraint::Length(u16::try_from(widest.min(most)).unwrap_or(0))
    };
    let third = usize::from(width / 4).max(12);
    let mut widths = vec![Constraint::Length(1), longest(&|row| name(row).width(), third)];
    if width >= SERVER {
        widths.push(longest(&|row| Line::quoted(Role::Text, &row.server).width(), third / 2));
    }
    widths.push(Constraint::Fill(1));
    if width >= BOTH_DIGESTS {
        widths.push(Constraint::Length(19));
    } else if width >= ONE_DIGEST {
        widths.push(Constraint::Length(8));
    }
    if width >= WHO {
        widths.push(Constraint::Length(24));
    } else if width >= SERVER {
        widths.push(Constraint::Length(14));
    }
    widths
}

fn name(row: &HomeRow) -> Line {
    match &row.what {
        Waiting::Decision(entry) => waits::plain_name(entry),
        _ => Line::quoted(Role::Text, &row.server),
    }
}

fn cells(canvas: &Canvas<'_>, model: &Model, row: &HomeRow, width: u16) -> Vec<Line> {
    let server = model.server_of(&row.server);
    let mut cells = vec![sign(canvas, model, row), name(row)];
    if width >= SERVER {
        let whole = row.entry().is_none();
        cells.push(if whole { Line::default() } else { Line::quoted(Role::Text, &row.server) });
    }
    let mut headline = Line::default();
    if row.skipped && row.entry().is_some() {
        headline.put(Role::Dim, "skipped  ");
    }
    if let Some(entry) = row.entry() {
        headline.quote(Role::Text, &entry.summary);
    }
    cells.push(headline);
    let [digest, approval] =
        row.entry().zip(server).map(|(entry, server)| about(canvas, model, server, entry, width)).unwrap_or_default();
    if width >= ONE_DIGEST {
        cells.push(digest);
    }
    if width >= SERVER {
        cells.push(approval);
    }
    cells
}

/// Digest and approval of an entry; of a group what all members say, else how many there are.
fn about(canvas: &Canvas<'_>, model: &Model, server: &Server, entry: &Entry, width: u16) -> [Line; 2] {
    let rows = server.rows_of(&entry.id);
    let pick = |[long, short]: [Line; 2], wide: bool| if wide { long } else { short };
    let approval = |row| pick(approval(server, row, model.now, &model.zone), width >= WHO);
    match (rows.as_slice(), &entry.id) {
        ([row], EntryId::Row(_)) => [pick(digests_of(row, canvas.glyphs.arrow), width >= BOTH_DIGESTS), approval(row)],
        ([first, rest @ ..], _) => {
            let own = approval(first);
            let same = rest.iter().all(|row| approval(row) == own);
            let mixed = Line::of(Role::Dim, "not all alike");
            [Line::of(Role::Dim, format!("({})", rows.len())), if same { own } else { mixed }]
        }
        ([], _) => [Line::of(Role::Dim, canvas.glyphs.none), Line::of(Role::Dim, canvas.glyphs.none)],
    }
}

/// How bad it is; whether it is marked or put off.
fn sign(canvas: &Canvas<'_>, model: &Model, row: &HomeRow) -> Line {
    let glyphs = canvas.glyphs;
    let entry = row.entry();
    match entry.and_then(|entry| entry.severity) {
        _ if entry.is_some_and(|entry| waits::is_marked(model, &row.server, &entry.id)) => {
            Line::of(Role::Key, glyphs.marked)
        }
        _ if row.what == Waiting::Consent && model.session.is_launch_marked(&row.server) => {
            Line::of(Role::Key, glyphs.marked)
        }
        _ if row.skipped => Line::of(Role::Dim, glyphs.skipped),
        Some(severity) => Line::of(severity_role(severity), glyphs.severity(severity)),
        None => Line::of(
            Role::Warning,
            if matches!(row.what, Waiting::Refused | Waiting::Policy) { glyphs.stale } else { glyphs.unknown },
        ),
    }
}

/// What the selected row is about.
fn below(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let Some(row) = model.home.row() else { return };
    let place = Line::of(Role::Dim, format!("{} of {}", model.home.at + 1, model.home.all));
    if row.entry().is_some() {
        change::draw_below(canvas, model, rect, place);
        return;
    }
    let Some(server) = model.server_of(&row.server) else { return };
    canvas.title(rect, false, Line::quoted(Role::Title, &row.server), &[place]);
    let page = Rect::new(rect.x + 1, rect.y + 1, rect.width.saturating_sub(2), rect.height - 1);
    canvas.lines(page, waits::lines(model, server, &row.what, usize::from(page.width)));
}

/// Nothing needs the person: one calm line, then the servers.
fn calm(canvas: &mut Canvas<'_>, model: &Model, places: &HomePlaces) {
    canvas.title(places.title, false, Line::of(Role::Title, "Needs you"), &[]);
    let words = waits::calm(model);
    canvas.line(places.rows.x, places.rows.y, places.rows.width, words);
    servers::draw(canvas, model, places.below, Shape::Open, true);
    foot(canvas, model, places.foot);
}

/// What is fine and what is not, in one line: the longest that has room.
fn foot(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    if rect.height == 0 {
        return;
    }
    let fine: Vec<_> = model.servers.iter().filter(|server| server.state() == ServerState::Approved).collect();
    let mut parts: Vec<Line> = Vec::new();
    let named = |names: &[&Server]| {
        let mut line = Line::of(Role::StateApproved, canvas.glyphs.approved);
        for (at, server) in names.iter().enumerate() {
            line.put(Role::Text, if at > 0 { ", " } else { " " }).quote(Role::Text, &server.look.id);
        }
        line.put(Role::Dim, " OK");
        line
    };
    match fine.as_slice() {
        [] => {}
        few @ [_, ..] if few.len() <= 3 => parts.push(named(few)),
        many => parts.push(Line::of(
            Role::StateApproved,
            format!("{} {} OK", canvas.glyphs.approved, count(many.len(), "server")),
        )),
    }
    for server in &model.servers {
        if let Some(reason) = server.look.stale.as_ref().filter(|_| server.is_stale()) {
            let mut line = Line::of(Role::Stale, format!("{} ", canvas.glyphs.stale));
            line.quote(Role::Text, &server.look.id).put(Role::Text, " ").join(servers::state(model, server));
            line.put(Role::Dim, ": ").quote(Role::Dim, &reason.text);
            parts.push(line);
        } else if (ServerState::Partial..ServerState::Approved).contains(&server.state()) {
            let mut line = Line::quoted(Role::Text, &server.look.id);
            line.put(Role::Text, " ").join(servers::state(model, server));
            parts.push(line);
        }
    }
    let mut end = Line::of(Role::Dim, "servers: ");
    end.put(Role::Key, model.keymap.key(Action::NextPane, &[Context::Home]).unwrap_or_default());
    let between = format!(" {} ", canvas.glyphs.between);
    let mut line = Line::default();
    for part in parts {
        if line.width() > 0 {
            line.put(Role::Dim, between.clone());
        }
        line.join(part);
    }
    let room = usize::from(rect.width).saturating_sub(end.width() + 10);
    canvas.title(rect, false, line.fit(room, canvas.glyphs.ellipsis), &[end]);
}
