//! What is selected: a server, its entry, and the next one that needs a decision, worst first over all servers.

use crate::surface::ServerId;
use crate::tui::model::{EntryId, HomeRow, Model, Pane, Screen, Server, Waiting};

/// Selects a server; its own selected entry comes with it.
pub fn server(model: &mut Model, id: &ServerId) {
    if model.server.as_ref() != Some(id) {
        model.server = Some(id.clone());
        model.home.on_rules = false;
        model.listed.items.filter.clear();
        model.listed.items.scroll = 0;
    }
}

pub fn entry(model: &mut Model, entry: Option<EntryId>) {
    model.home.on_rules = false;
    if let Some(server) = model.selected_server_mut() {
        server.selected = entry;
    }
}

/// Goes to an entry of any server.
pub fn go(model: &mut Model, id: &ServerId, selected: EntryId) {
    server(model, id);
    model.listed.items.filter.clear();
    entry(model, Some(selected));
    model.home.chosen = true;
    if model.screen() == Screen::Servers && model.listed.pane == Pane::Servers {
        model.listed.pane = Pane::Items;
    }
}

/// Selects a row of home: the server, and its entry where the row has one.
pub fn row(model: &mut Model, at: usize) {
    let Some(row) = model.home.rows.get(at).cloned() else { return };
    server(model, &row.server);
    if let Some(selected) = row.entry() {
        model.listed.items.filter.clear();
        entry(model, Some(selected.id.clone()));
    }
    model.home.on_rules = row.what == Waiting::Policy;
    model.home.at = at;
}

/// Place of the selected row of home: a server that waits as a whole has one row, and its rules one beside its entries.
pub fn place(model: &Model) -> Option<usize> {
    let server = model.selected_server()?;
    let own = |id: &EntryId| server.selected.as_ref() == Some(id);
    let same = |row: &HomeRow| {
        let rules = row.what == Waiting::Policy;
        row.server == server.look.id && rules == model.home.on_rules && row.entry().is_none_or(|entry| own(&entry.id))
    };
    model.home.rows.iter().position(same)
}

/// The next (or previous) row of home that is decided on and was not put off, from the selected one on, around the end.
pub fn undecided(model: &Model, forward: bool) -> Option<(ServerId, EntryId)> {
    let rows = &model.home.rows;
    // What is selected and waits no longer: on from where it stood.
    let place = place(model);
    let (before, after) = rows.split_at(place.unwrap_or(model.home.at).min(rows.len()));
    let after = after.iter().skip(usize::from(place.is_some()));
    let asked = |row: &HomeRow| {
        let entry = row.entry().filter(|entry| !row.skipped && entry.needs_decision())?;
        Some((row.server.clone(), entry.id.clone()))
    };
    let mut around = after.chain(before);
    if forward { around.find_map(asked) } else { around.rev().find_map(asked) }
}

/// To the next row that needs a decision; where there is none, home.
pub fn advance(model: &mut Model) {
    if let Some((server, entry)) = undecided(model, true) {
        go(model, &server, entry);
        return;
    }
    model.go_home();
    if model.notice.is_none() {
        model.say("nothing else needs a decision");
    }
}

/// Place of the selected server among those shown, and how many are.
pub fn server_place(model: &Model) -> (Option<usize>, usize) {
    let shown = model.shown_servers();
    let at = shown.iter().position(|server| model.server.as_ref() == Some(&server.look.id));
    (at, shown.len())
}

/// The next server, or the one before; around the end.
pub fn step_server(model: &mut Model, forward: bool) {
    let (Some(at), many) = server_place(model) else { return };
    let by = if forward { 1 } else { many.saturating_sub(1) };
    shown_server(model, (at + by) % many.max(1));
}

/// Selects a server by its place among those shown.
pub fn shown_server(model: &mut Model, at: usize) {
    let id = model.shown_servers().get(at).map(|server| server.look.id.clone());
    if let Some(id) = id {
        server(model, &id);
    }
}

/// While a filter of servers is typed, the selection goes to the first that fits it.
pub fn a_match(model: &mut Model) {
    if !model.listed.servers.typing {
        return;
    }
    let words = model.listed.servers.words();
    let fits = |server: &&Server| words.iter().all(|word| server.matches(word));
    if !model.selected_server().as_ref().is_some_and(fits) {
        let id = model.servers.iter().find(fits).map(|server| server.look.id.clone());
        if let Some(id) = id {
            server(model, &id);
        }
    }
}
