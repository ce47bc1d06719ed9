//! Keys of the main screen.

use super::{change, copy, decide, dialog, events, marks, motion, open_change, queue, versions, warn};
use crate::surface::ServerId;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{Entry, EntryId, Model, Pane, Screen, Server, Sort};

/// Does what a key says.
pub fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    if motion::is_motion(action) {
        match model.pane {
            Pane::Servers => move_server(model, action),
            Pane::Items => move_entry(model, action),
            Pane::Change => change::scroll(model, action),
            Pane::Events => events::act(model, action),
        }
        return;
    }
    match action {
        Action::Open => open(model),
        Action::Filter => filter(model),
        Action::NextPane => pane(model, 1),
        Action::PreviousPane => pane(model, Pane::ALL.len() - 1),
        Action::PaneServers => model.pane = Pane::Servers,
        Action::PaneItems => model.pane = Pane::Items,
        Action::PaneChange => model.pane = Pane::Change,
        Action::PaneEvents => model.pane = Pane::Events,
        Action::Left | Action::Right => model.pane = beside(model, action),
        Action::NextServer => step_server(model, true),
        Action::PreviousServer => step_server(model, false),
        Action::Sort => model.sort = model.sort.next(),
        Action::SortReverse => model.sort = Sort { reversed: !model.sort.reversed, ..model.sort },
        Action::Events => model.screen = Screen::Events,
        Action::RecordBaseline => dialog::baseline(model),
        Action::RecordSnapshot => snapshot(model, effects),
        Action::Back => back(model),
        Action::Queue => queue::open(model),
        Action::Copy => copy::ask(model),
        Action::Snapshots => versions::snapshots(model, effects),
        Action::Details if model.selected_server().is_some() => {
            model.details_scroll = 0;
            model.screen = Screen::Server;
        }
        Action::Mark if model.pane == Pane::Items => {
            marks::toggle(model);
            move_entry(model, Action::Down);
        }
        Action::ApproveMarked | Action::RejectMarked => marks::ask(model, action),
        Action::Quit => super::ask_to_leave(model, effects),
        Action::Digests if model.selected_entry().is_some() => {
            model.digests_over = Screen::Browse;
            model.screen = Screen::Digests;
        }
        Action::Approve | Action::Reject if matches!(model.pane, Pane::Servers | Pane::Events) => {
            // The item that it would be about is not where the keys are.
            model.pane = Pane::Items;
            let accept = action == Action::Approve;
            if dialog::consent(model).or_else(|| dialog::unwatched(model, accept)).is_none() {
                warn(model, "choose an item, then press it again");
            }
        }
        _ => change::common(model, action, effects),
    }
}

/// The pane that left or right leads to.
fn beside(model: &Model, action: Action) -> Pane {
    match (action, model.pane) {
        (Action::Left, Pane::Change) => Pane::Items,
        (Action::Left, _) => Pane::Servers,
        (Action::Right, Pane::Items | Pane::Change) => Pane::Change,
        _ => Pane::Items,
    }
}

/// `/`: the list that has the keys; over a change that is the items.
fn filter(model: &mut Model) {
    match model.pane {
        Pane::Servers => model.servers_list.typing = true,
        Pane::Events => model.events_list.typing = true,
        Pane::Items | Pane::Change => {
            model.pane = Pane::Items;
            model.items.typing = true;
        }
    }
}

fn pane(model: &mut Model, by: usize) {
    let at = Pane::ALL.iter().position(|pane| *pane == model.pane).unwrap_or(0);
    model.pane = Pane::ALL[(at + by) % Pane::ALL.len()];
}

fn open(model: &mut Model) {
    match model.pane {
        Pane::Servers => {
            model.pane = Pane::Items;
            dialog::consent(model);
        }
        Pane::Items | Pane::Change => {
            if dialog::consent(model).is_some() {
                return;
            }
            match model.selected_entry().map(|entry| entry.id.clone()) {
                Some(EntryId::Group(id)) if model.pane == Pane::Items => open_group(model, &id),
                Some(_) => open_change(model),
                None => {}
            }
        }
        Pane::Events => events::go(model),
    }
}

/// Lists the members of a group under it, or no longer.
fn open_group(model: &mut Model, id: &str) {
    let selected = model.server.clone();
    if let Some(server) = model.servers.iter_mut().find(|server| Some(&server.look.id) == selected.as_ref()) {
        if !server.opened.remove(id) {
            server.opened.insert(id.to_owned());
        }
        server.revision += 1;
    }
}

/// Esc: a filter first, then the marks, then pane by pane to the servers. It never ends the program.
fn back(model: &mut Model) {
    let list = match model.pane {
        Pane::Servers => &mut model.servers_list,
        Pane::Items | Pane::Change => &mut model.items,
        Pane::Events => &mut model.events_list,
    };
    if !list.filter.is_empty() {
        list.filter.clear();
        return;
    }
    if !model.marked.is_empty() {
        model.marked.clear();
        return;
    }
    model.pane = match model.pane {
        Pane::Change => Pane::Items,
        Pane::Servers | Pane::Items | Pane::Events => Pane::Servers,
    };
}

/// Asks for a snapshot of the selected server.
pub fn snapshot(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(server) = model.selected_server() else { return };
    let id = server.look.id.clone();
    if server.look.surface.is_none() {
        warn(model, format!("nothing of {id} was observed yet"));
    } else if server.is_stale() {
        super::warn(model, format!("{id} is stale: a snapshot records what a server shows now"));
    } else {
        effects.push(Effect::RecordSnapshot { server: id });
    }
}

/// Selects a server; its own selected entry comes with it.
pub fn select_server(model: &mut Model, id: &ServerId) {
    if model.server.as_ref() != Some(id) {
        model.server = Some(id.clone());
        model.items.filter.clear();
        model.items.scroll = 0;
    }
}

/// Selects an entry of the selected server.
pub fn select(model: &mut Model, entry: Option<EntryId>) {
    let id = model.server.clone();
    if let Some(server) = model.servers.iter_mut().find(|server| Some(&server.look.id) == id.as_ref()) {
        server.selected = entry;
    }
}

/// Place of the selected server among those shown, and how many are.
pub fn server_place(model: &Model) -> (Option<usize>, usize) {
    let shown = model.shown_servers();
    let at = shown.iter().position(|server| model.server.as_ref() == Some(&server.look.id));
    (at, shown.len())
}

/// Moves among the servers.
pub fn move_server(model: &mut Model, action: Action) {
    let page = layout::pane_content(model, Pane::Servers).map_or(1, |content| usize::from(content.height));
    let (at, many) = server_place(model);
    select_shown(model, motion::place(action, at, many, page));
}

pub fn step_server(model: &mut Model, forward: bool) {
    let (Some(at), many) = server_place(model) else { return };
    let by = if forward { 1 } else { many.saturating_sub(1) };
    select_shown(model, Some((at + by) % many.max(1)));
}

/// Selects a server by its place among those shown.
pub fn select_shown(model: &mut Model, at: Option<usize>) {
    let id = at.and_then(|at| model.shown_servers().get(at).map(|server| server.look.id.clone()));
    if let Some(id) = id {
        select_server(model, &id);
    }
}

/// While a filter of servers is typed, the selection goes to the first that fits it.
pub fn select_a_match(model: &mut Model) {
    if !model.servers_list.typing {
        return;
    }
    let words: Vec<_> = model.servers_list.filter.text().split_whitespace().map(str::to_lowercase).collect();
    let fits = |server: &&Server| words.iter().all(|word| server.matches(word));
    if !model.selected_server().as_ref().is_some_and(fits) {
        let id = model.servers.iter().find(fits).map(|server| server.look.id.clone());
        if let Some(id) = id {
            select_server(model, &id);
        }
    }
}

/// Moves among the items.
pub fn move_entry(model: &mut Model, action: Action) {
    let page = layout::item_rows(model).map_or(1, |rows| usize::from(rows.height));
    let to = motion::place(action, model.entry_index(), model.entries.len(), page);
    if let Some(entry) = to.and_then(|at| model.entries.get(at)).map(|entry| entry.id.clone()) {
        select(model, Some(entry));
    }
}

/// The next (or previous) entry that needs a decision and was not put off, over all servers, from the selected one on.
pub fn undecided(model: &Model, forward: bool) -> Option<(ServerId, EntryId)> {
    if model.in_queue() {
        return queue::beside(model, forward);
    }
    let from = model.servers.iter().position(|server| model.server.as_ref() == Some(&server.look.id))?;
    let many = model.servers.len();
    let asked = |server: &Server, entry: &Entry| {
        let rows = server.rows_of(&entry.id);
        // The members of a group that is open are asked about as the group.
        let skipped = !rows.is_empty() && rows.iter().all(|row| model.is_skipped(&server.look.id, row));
        entry.needs_decision() && !entry.inside && !skipped
    };
    for round in 0..=many {
        let at = if forward { (from + round) % many } else { (from + many - round % many) % many };
        let server = model.servers.get(at)?;
        let counts = server.look.review.as_ref().map(|review| review.counts).unwrap_or_default();
        if counts.drifted + counts.new + counts.gone == 0 {
            continue;
        }
        let mut list = crate::tui::model::entries(server, "", model.sort);
        if !forward {
            list.reverse();
        }
        // On the selected server: first what stands after the selected entry, in the last round what stands before it.
        let own = list.iter().position(|entry| Some(&entry.id) == server.selected.as_ref());
        let part = match own {
            Some(own) if round == 0 => &list[own + 1..],
            Some(own) if round == many => &list[..own],
            _ => list.as_slice(),
        };
        if let Some(entry) = part.iter().find(|entry| asked(server, entry)) {
            return Some((server.look.id.clone(), entry.id.clone()));
        }
    }
    None
}

/// Goes to an entry of any server.
pub fn go(model: &mut Model, server: &ServerId, entry: EntryId) {
    select_server(model, server);
    model.items.filter.clear();
    select(model, Some(entry));
    if model.screen == Screen::Browse && matches!(model.pane, Pane::Servers | Pane::Events) {
        model.pane = Pane::Items;
    }
}

/// Puts the selected row, or group, off for this session and goes on.
pub fn skip(model: &mut Model) {
    let Some(server) = model.server.clone() else { return };
    let asked = model.selected_rows().into_iter().filter(|row| row.state.needs_decision());
    let put_off: Vec<_> = asked.filter_map(|row| Some((server.clone(), row.id.clone(), row.decides_on()?))).collect();
    if put_off.is_empty() {
        warn(model, "there is nothing to decide on it");
        return;
    }
    model.skipped.extend(put_off);
    decide::advance(model);
}
