//! What is selected: a server, its entry, and the next one that needs the person, worst first over all servers.

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
    model.home.list.at = at;
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

/// Places from one of `many` on, around the end and without it; from a place that is empty, with it.
fn around(at: usize, is_taken: bool, many: usize, forward: bool) -> Vec<usize> {
    let after = at.min(many) + usize::from(is_taken);
    let mut around: Vec<_> = (after..many).chain(0..at.min(many)).collect();
    if !forward {
        around.reverse();
    }
    around
}

/// The next (or previous) row of home that was not put off. Beside a list of items or over a change it is one that is decided
/// on, as long as there is one.
fn waiting(model: &Model, forward: bool) -> Option<usize> {
    let rows = &model.home.rows;
    // What is selected and waits no longer: on from where it stood.
    let place = place(model);
    let mut around = around(place.unwrap_or(model.home.list.at), place.is_some(), rows.len(), forward);
    around.retain(|at| !rows[*at].skipped);
    let decided_on = || around.iter().find(|at| rows[**at].entry().is_some());
    let decided_on = (model.screen() != Screen::Home).then(decided_on).flatten();
    decided_on.or(around.first()).copied()
}

/// The next (or previous) item of a first record, worst first, where the person reads them one by one.
fn unrecorded(model: &Model, forward: bool) -> Option<(ServerId, EntryId)> {
    let row = model.home.rows.get(place(model)?).filter(|_| model.screen() != Screen::Home)?;
    let Waiting::FirstContact(entries) = &row.what else { return None };
    let selected = model.selected_entry().map(|entry| &entry.id);
    let at = entries.iter().position(|entry| Some(&entry.id) == selected);
    let next = *around(at.unwrap_or(0), at.is_some(), entries.len(), forward).first()?;
    Some((row.server.clone(), entries[next].id.clone()))
}

/// To the next (or previous) row that needs the person: over what is open, or home where it stands for a server as a whole.
/// False where there is none.
pub fn step(model: &mut Model, forward: bool) -> bool {
    if let Some((server, entry)) = unrecorded(model, forward) {
        go(model, &server, entry);
        return true;
    }
    let Some(at) = waiting(model, forward) else {
        if model.notice.is_none() {
            model.say("nothing else needs a decision");
        }
        return false;
    };
    let HomeRow { server, what, .. } = model.home.rows[at].clone();
    if let Waiting::Decision(entry) = what {
        go(model, &server, entry.id);
    } else {
        model.go_home();
        row(model, at);
        model.home.chosen = true;
    }
    true
}

/// The same after a decision, home where nothing is left.
pub fn advance(model: &mut Model) {
    if !step(model, true) {
        model.go_home();
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
