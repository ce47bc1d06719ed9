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

use super::table::{Columns, filter, widest};
use super::{Canvas, change, servers};
use crate::monitor::ServerState;
use crate::tui::action::{Action, Context};
use crate::tui::approval::{WHO, about, column, told};
use crate::tui::calm;
use crate::tui::layout::{self, HomePlaces};
use crate::tui::line::{Line, Role};
use crate::tui::model::{HomeRow, Model, Waiting};
use crate::tui::waits;
use crate::tui::words::{count, severity_role};
use ratatui::layout::{Constraint, Rect};

/// Columns from which both digests stand in a row, from which the one now does, and from which the server does.
const BOTH_DIGESTS: u16 = 100;
const ONE_DIGEST: u16 = 76;
const SERVER: u16 = 56;

pub fn draw(canvas: &mut Canvas<'_>, model: &Model) {
    let places = layout::home(model);
    if model.home.all == 0 {
        calm(canvas, model, &places);
    } else {
        needs_you(canvas, model, &places);
    }
    if places.servers.width > 0 {
        servers::draw(canvas, model, places.servers, false);
        canvas.column(places.servers.right(), layout::places(model).body);
    }
}

fn needs_you(canvas: &mut Canvas<'_>, model: &Model, places: &HomePlaces) {
    let (rows, scroll) = (&model.home.rows, model.home.list.scroll);
    let shown: Vec<_> = rows.iter().skip(scroll).take(usize::from(places.rows.height)).collect();
    let cells: Vec<_> = shown.iter().map(|row| cells(model, row, places.rows.width)).collect();
    let columns = columns(model, places.rows.width, &cells);
    title(canvas, model, places, &columns);
    if model.home.rows.is_empty() {
        let text = " nothing fits the filter; esc clears it";
        canvas.line(places.rows.x, places.rows.y, places.rows.width, Line::of(Role::Dim, text));
        return;
    }
    columns.draw(canvas, places.rows, cells, (0, model.home.list.at.checked_sub(scroll)), true);
    for (y, row) in (places.rows.top()..).zip(shown).filter(|(_, row)| row.entry().is_none()) {
        whole(canvas, model, row, Rect { y, height: 1, ..places.rows }, &columns);
    }
    if places.below.height > 0 {
        below(canvas, model, places.below);
    }
    foot(canvas, model, places.foot);
}

/// A server that waits as a whole has neither digest nor approval: its headline has all the room.
fn whole(canvas: &mut Canvas<'_>, model: &Model, row: &HomeRow, rect: Rect, columns: &Columns<6>) {
    let [_, _, server, headline, ..] = columns.places(rect);
    let Some((server, place)) = model.server_of(&row.server).zip(server.or(headline)) else { return };
    let mut line = Line::of(Role::Dim, if row.skipped { "left open  " } else { "" });
    line.join(waits::headline(model, server, &row.what));
    canvas.line(place.x, rect.y, rect.right().saturating_sub(place.x), line);
    if model.home.row() == Some(row) {
        canvas.select(rect, true);
    }
}

/// What is counted, filtered and marked; at its right the names of the last columns, over them.
fn title(canvas: &mut Canvas<'_>, model: &Model, places: &HomePlaces, columns: &Columns<6>) {
    let home = &model.home;
    let mut title = Line::of(Role::TitleFocused, "Needs you");
    let (shown, all) = (home.rows.len(), home.all);
    title.put(Role::Dim, if shown == all { format!("  {all}") } else { format!("  {shown} of {all}") });
    filter(&mut title, &home.list);
    title.join(waits::marked(model));
    let around = canvas.around(home.list.scroll, shown, places.rows.height);
    if around.width() > 0 {
        title.put(Role::Text, "  ").join(around);
    }
    let taken = u16::try_from(title.width()).unwrap_or(u16::MAX).saturating_add(places.title.x + 4);
    canvas.title(places.title, true, title, &[]);
    let [.., digest, approval] = columns.places(places.title);
    let digest = digest.map(|place| (if places.rows.width >= BOTH_DIGESTS { "definition" } else { "digest" }, place));
    for (name, place) in digest.into_iter().chain(approval.map(|place| ("approval", place))) {
        if place.x > taken {
            let name = Line::of(Role::Column, format!(" {name} "));
            let width = u16::try_from(name.width()).unwrap_or(0);
            canvas.clear(Rect::new(place.x - 1, place.y, width, 1));
            canvas.line(place.x - 1, place.y, width, name);
        }
    }
}

/// Sign, name, server, headline, digest, approval: as many as the width has room for.
fn columns(model: &Model, width: u16, shown: &[[Line; 6]]) -> Columns<6> {
    let quarter = usize::from(width / 4).max(12);
    let rows = || model.home.rows.iter();
    let server = widest(rows().map(|row| Line::quoted(Role::Text, &row.server)), quarter / 2);
    let digest = Constraint::Length(if width >= BOTH_DIGESTS { 19 } else { 8 });
    let approval = column(shown.iter().map(|[.., approval]| approval), width);
    let from = |least, cells| Some(cells).filter(|_| width >= least);
    let [sign, name] = [Some(Constraint::Length(1)), Some(widest(rows().map(name), quarter))];
    let server = from(SERVER, server);
    Columns([sign, name, server, Some(Constraint::Fill(1)), from(ONE_DIGEST, digest), from(SERVER, approval)])
}

fn name(row: &HomeRow) -> Line {
    match &row.what {
        Waiting::Decision(entry) => waits::plain_name(entry),
        _ => Line::quoted(Role::Text, &row.server),
    }
}

fn cells(model: &Model, row: &HomeRow, width: u16) -> [Line; 6] {
    // A server that waits as a whole is drawn over these.
    let Some((entry, server)) = row.entry().zip(model.server_of(&row.server)) else {
        return [sign(model, row), name(row), Line::default(), Line::default(), Line::default(), Line::default()];
    };
    let [digest, approval] = about(model, server, entry, [width >= BOTH_DIGESTS, width >= WHO]);
    let mut headline = Line::default();
    if let Some(severity) = entry.severity.filter(|_| mark(model, row).is_some()) {
        // In its place is the mark.
        headline.put(severity_role(severity), model.setup.glyphs.severity(severity)).put(Role::Text, " ");
    }
    headline.join(told(server, entry, row.skipped));
    [sign(model, row), name(row), Line::quoted(Role::Text, &row.server), headline, digest, approval]
}

/// How bad it is; that it is marked or put off.
fn sign(model: &Model, row: &HomeRow) -> Line {
    let glyphs = &model.setup.glyphs;
    mark(model, row).unwrap_or_else(|| match row.what.worst().and_then(|entry| entry.severity) {
        Some(severity) => Line::of(severity_role(severity), glyphs.severity(severity)),
        None if matches!(row.what, Waiting::Refused | Waiting::Policy) => Line::of(Role::Warning, glyphs.stale),
        None => Line::of(Role::Warning, glyphs.unknown),
    })
}

fn mark(model: &Model, row: &HomeRow) -> Option<Line> {
    let glyphs = &model.setup.glyphs;
    let is_marked = match &row.what {
        Waiting::Decision(entry) => waits::is_marked(model, &row.server, &entry.id),
        _ => model.session.marked_launches.iter().any(|request| request.server == row.server),
    };
    let sign = if is_marked { (Role::Key, glyphs.marked) } else { (Role::Dim, glyphs.skipped) };
    (is_marked || row.skipped).then(|| Line::of(sign.0, sign.1))
}

/// What the selected row is about.
fn below(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let Some(row) = model.home.row() else { return };
    if row.entry().is_some() {
        change::draw(canvas, model, rect, false);
        return;
    }
    let Some(server) = model.server_of(&row.server) else { return };
    let place = Line::of(Role::Dim, format!("{} of {}", model.home.list.at + 1, model.home.all));
    canvas.title(rect, false, Line::quoted(Role::Title, &row.server), &[place]);
    let page = Rect::new(rect.x + 1, rect.y + 1, rect.width.saturating_sub(2), rect.height - 1);
    canvas.lines(page, waits::lines(model, server, &row.what, page));
}

/// Nothing needs the person: one calm line, then the servers.
fn calm(canvas: &mut Canvas<'_>, model: &Model, places: &HomePlaces) {
    canvas.title(places.title, false, Line::of(Role::Title, "Needs you"), &[]);
    canvas.lines(places.rows, calm::lines(model, usize::from(places.rows.width)));
    servers::draw(canvas, model, places.below, true);
    foot(canvas, model, places.foot);
}

/// What is fine and what is not, in one line: the longest that has room. Below the list of servers, why they fail alone.
fn foot(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    if rect.height == 0 {
        return;
    }
    let fine: Vec<_> = model.servers.iter().filter(|server| server.look.state() == ServerState::Approved).collect();
    let mut parts: Vec<Line> = Vec::new();
    let listed = model.home.all == 0;
    if !listed && !fine.is_empty() {
        let mut line = Line::of(Role::StateApproved, canvas.glyphs.approved);
        if fine.len() <= 3 {
            for (at, server) in fine.iter().enumerate() {
                line.put(Role::Text, if at > 0 { ", " } else { " " }).quote(Role::Text, &server.look.id);
            }
        } else {
            line.put(Role::Text, format!(" {}", count(fine.len(), "server")));
        }
        parts.push(line.put(Role::StateApproved, " OK").clone());
    }
    for server in &model.servers {
        if let Some(reason) = server.look.stale.as_ref().filter(|_| server.look.is_stale()) {
            let mut line = Line::of(Role::Stale, format!("{} ", canvas.glyphs.stale));
            line.quote(Role::Text, &server.look.id).put(Role::Text, " ").join(servers::state(model, server));
            line.put(Role::Dim, ": ").quote(Role::Dim, &reason.text);
            parts.push(line);
        } else if !listed && (ServerState::Partial..ServerState::Approved).contains(&server.look.state()) {
            let mut line = Line::quoted(Role::Text, &server.look.id);
            line.put(Role::Text, " ").join(servers::state(model, server));
            parts.push(line);
        }
    }
    if listed && parts.is_empty() {
        return;
    }
    let mut end = Line::of(Role::Dim, "servers: ");
    end.put(Role::Key, model.setup.keymap.key(Action::NextPane, &[Context::Home]).unwrap_or_default());
    let between = format!(" {} ", canvas.glyphs.between);
    let room = usize::from(rect.width).saturating_sub(end.width() + 10);
    let (mut line, many) = (Line::default(), parts.len());
    for (at, part) in parts.into_iter().enumerate() {
        if at > 0 && line.width() + part.width() + 12 > room {
            line = line.fit(room.saturating_sub(10), canvas.glyphs.ellipsis);
            line.put(Role::Dim, format!("{between}{} more", many - at));
            break;
        }
        line.put(Role::Dim, if at > 0 { between.as_str() } else { "" }).join(part);
    }
    canvas.title(rect, false, line.fit(room, canvas.glyphs.ellipsis), &[end]);
}
