//! Keys of the queue, and going through it.

use super::{browse, change, copy, decide, dialog, marks, motion, open_change};
use crate::surface::ServerId;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{EntryId, Model, Pane, Screen, Waiting, queue};

/// Does what a key says.
pub fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    if motion::is_motion(action) {
        let page = usize::from(layout::queue(model)[1].height);
        let to = motion::place(action, model.queue_index(), model.queue.len(), page);
        to.inspect(|at| select(model, *at));
        return;
    }
    let waiting = model.queue_index().and_then(|at| model.queue.get(at)).map(|row| row.what.clone());
    match (action, waiting) {
        (Action::Filter, _) => model.queue_list.typing = true,
        (Action::Back, _) if !model.queue_list.filter.is_empty() => model.queue_list.filter.clear(),
        (Action::Back, _) if !model.marked.is_empty() => model.marked.clear(),
        (Action::Back | Action::Quit, _) => model.screen = Screen::Browse,
        (Action::ApproveMarked | Action::RejectMarked, _) => marks::ask(model, action),
        (Action::Copy, Some(Waiting::Decision(_))) => copy::ask(model),
        (Action::Undo, _) => decide::ask_to_undo(model),
        (Action::Open | Action::Approve, Some(Waiting::Consent)) => {
            dialog::consent(model);
        }
        (Action::Open | Action::Approve, Some(Waiting::Unwatched)) => {
            dialog::unwatched(model, true);
        }
        (Action::Reject | Action::Skip, Some(Waiting::Unwatched)) => {
            dialog::unwatched(model, false);
        }
        (Action::Open | Action::Approve | Action::RecordBaseline, Some(Waiting::FirstContact(_))) => {
            dialog::baseline(model);
        }
        (Action::Open, Some(Waiting::Decision(_))) => open_change(model),
        (Action::Digests, Some(Waiting::Decision(_))) => {
            model.digests_over = Screen::Queue;
            model.screen = Screen::Digests;
        }
        (Action::RecordBaseline, _) => dialog::baseline(model),
        (Action::Mark, Some(Waiting::Decision(_))) => {
            marks::toggle(model);
            act(model, Action::Down, effects);
        }
        (
            Action::Approve
            | Action::Reject
            | Action::Skip
            | Action::ReadOutside
            | Action::NextChange
            | Action::PreviousChange,
            Some(Waiting::Decision(_)),
        )
        | (Action::NextUndecided | Action::PreviousUndecided | Action::Search | Action::History, _) => {
            change::common(model, action, effects);
        }
        _ => {}
    }
}

/// Opens the queue at its worst.
pub fn open(model: &mut Model) {
    model.screen = Screen::Queue;
    model.pane = Pane::Items;
    model.queue_list.filter.clear();
    model.queue_list.scroll = 0;
    model.queue = queue(model);
    model.queue_key = None;
    model.queue_at = 0;
    select(model, 0);
}

/// Selects a row: the server, and its entry where the row has one.
pub fn select(model: &mut Model, at: usize) {
    let Some(row) = model.queue.get(at).cloned() else { return };
    browse::select_server(model, &row.server);
    if let Some(entry) = row.entry() {
        browse::select(model, Some(entry.id.clone()));
    }
    model.queue_at = at;
}

/// The next (or previous) row of the queue that is decided on and was not put off, from the selected one on.
pub fn beside(model: &Model, forward: bool) -> Option<(ServerId, EntryId)> {
    let many = model.queue.len();
    let from = model.queue_index();
    let steps = (1..=many).map(|step| match (from, forward) {
        (Some(from), true) => (from + step) % many,
        (Some(from), false) => (from + many - step % many) % many,
        // What is selected waits no longer: on from where it stood.
        (None, true) => (model.queue_at + step - 1) % many,
        (None, false) => (model.queue_at + many - step % many) % many,
    });
    let mut rows = steps.filter(|at| Some(*at) != from).filter_map(|at| model.queue.get(at));
    let decided_on = |row: &crate::tui::model::QueueRow| {
        let entry = row.entry().filter(|_| !row.skipped)?;
        Some((row.server.clone(), entry.id.clone()))
    };
    rows.find_map(decided_on)
}

/// Makes the queue anew where something moved. The selection stays where it is; where it waits no longer, what stood
/// below it is selected.
pub fn settle(model: &mut Model) {
    if !model.in_queue() {
        return;
    }
    let key =
        (model.revision, model.skipped.len() + model.left_unwatched.len(), model.queue_list.filter.text().to_owned());
    if model.queue_key.as_ref() != Some(&key) {
        model.queue = queue(model);
        model.queue_key = Some(key);
    }
    match model.queue_index() {
        Some(at) => {
            model.queue_list.scroll = (model.queue_list.scroll + at).saturating_sub(model.queue_at);
            model.queue_at = at;
        }
        None if model.screen == Screen::Queue && !model.queue.is_empty() => {
            let at = model.queue_at.min(model.queue.len() - 1);
            select(model, at);
        }
        None => {}
    }
    let height = usize::from(layout::queue(model)[1].height);
    model.queue_list.scroll = motion::keep(model.queue_list.scroll, model.queue_index(), model.queue.len(), height);
}
