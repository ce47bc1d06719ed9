//! Keys of the servers screen.

use super::{ask, change, launches, marks, select, sign_in, versions};
use crate::tui::action::Action;
use crate::tui::model::{EntryId, Model, Pane, Screen, Sort};

/// Opens it with one of its parts.
pub fn open(model: &mut Model, pane: Pane) {
    model.open(Screen::Servers);
    model.listed.pane = pane;
}

/// Opens what is known of the selected server.
pub fn details(model: &mut Model) {
    if model.selected_server().is_some() {
        model.open(Screen::Details);
    }
}

/// Keys that home and the servers have alike; false where it is another.
pub fn common(model: &mut Model, action: Action) -> bool {
    match action {
        Action::PaneServers => open(model, Pane::Servers),
        Action::PaneItems => open(model, Pane::Items),
        Action::PaneChange => open(model, Pane::Change),
        Action::Events => model.open(Screen::Events),
        Action::Details => details(model),
        Action::Snapshots => versions::snapshots(model),
        Action::ApproveMarked if !model.session.marked_launches.is_empty() => launches::ask(model),
        Action::ApproveMarked | Action::RejectMarked => marks::ask(model, action),
        Action::RecordBaseline => ask::baseline(model),
        Action::RecordSnapshot => versions::record(model),
        _ => return false,
    }
    true
}

pub fn act(model: &mut Model, action: Action) {
    match action {
        Action::Open => open_selected(model),
        Action::NextPane | Action::PreviousPane => match beside(model, action == Action::NextPane) {
            Some(pane) => model.listed.pane = pane,
            // The panes and home are a ring.
            None => model.go_home(),
        },
        Action::Left | Action::Right => {
            model.listed.pane = beside(model, action == Action::Right).unwrap_or(model.listed.pane);
        }
        Action::NextServer | Action::PreviousServer => select::step_server(model, action == Action::NextServer),
        Action::Sort => model.listed.sort = model.listed.sort.next(),
        Action::SortReverse => {
            model.listed.sort = Sort { reversed: !model.listed.sort.reversed, ..model.listed.sort };
        }
        Action::Back => back(model),
        Action::Mark if launches::selected(model).is_some() => marks::mark(model),
        Action::Digests if model.selected_entry().is_some() => model.open(Screen::Digests),
        Action::Approve | Action::Reject | Action::Skip | Action::Mark if model.listed.pane == Pane::Servers => {
            // The item that it would be about is not where the keys are.
            model.listed.pane = Pane::Items;
            let decides = matches!(action, Action::Approve | Action::Reject);
            if !decides || ask::whole(model, action == Action::Approve).is_none() {
                model.warn("choose an item, then press it again");
            }
        }
        _ => change::common(model, action),
    }
}

/// The pane beside the one that has the keys, if any.
fn beside(model: &Model, forward: bool) -> Option<Pane> {
    let at = Pane::ALL.iter().position(|pane| *pane == model.listed.pane)?;
    Pane::ALL.get(if forward { at + 1 } else { at.checked_sub(1)? }).copied()
}

fn open_selected(model: &mut Model) {
    if ask::consent(model).or_else(|| sign_in::begin(model)).is_some() || model.listed.pane == Pane::Servers {
        model.listed.pane = Pane::Items;
        return;
    }
    match model.selected_entry().map(|entry| entry.id.clone()) {
        Some(EntryId::Group(id)) if model.listed.pane == Pane::Items => open_group(model, &id),
        Some(_) => model.open(Screen::Change),
        None => details(model),
    }
}

/// Lists the members of a group under it, or no longer.
fn open_group(model: &mut Model, id: &str) {
    if let Some(server) = model.selected_server_mut() {
        if !server.opened.remove(id) {
            server.opened.insert(id.to_owned());
        }
        server.revision += 1;
    }
}

/// Esc: the marks, then pane by pane to the servers, then home. It never ends the program.
fn back(model: &mut Model) {
    match model.listed.pane {
        _ if model.session.unmark() => {}
        Pane::Change => model.listed.pane = Pane::Items,
        Pane::Items => model.listed.pane = Pane::Servers,
        Pane::Servers => model.go_home(),
    }
}
