//! Marks, and a decision on everything that is marked: each item is listed, and its number has to be typed.

use super::{launches, moves};
use crate::pin::DecisionState;
use crate::review::Row;
use crate::tui::action::Action;
use crate::tui::model::{Ask, Decide, Dialog, Model, Server};

const NOT_READ: &str = "not read to the end";

/// Marks what is selected, or takes its mark off: in a list a launch that waits, else an item. A list goes on to the next.
pub fn mark(model: &mut Model) {
    let listed = model.rows().is_some();
    if listed && launches::selected(model).is_some() {
        launches::toggle(model);
    } else {
        toggle(model);
    }
    if listed {
        moves::go(model, Action::Down);
    }
}

fn toggle(model: &mut Model) {
    let Some((row, server)) = model.selected_row().zip(model.selected_server()) else {
        model.warn("only an item can be marked");
        return;
    };
    let is_decided_on = row.state.needs_decision() || server.confirms(row);
    let Some(digest) = row.decides_on().filter(|_| is_decided_on) else {
        model.warn("nothing to decide here");
        return;
    };
    let mark = (server.look.id.clone(), row.id.clone(), digest);
    if !model.session.marked.remove(&mark) {
        model.session.marked.insert(mark);
    }
}

/// `A` or `R`: lists what is marked. What was not read, or is decided on alone, is left out and said.
pub fn ask(model: &mut Model, action: Action) {
    let verdict = if action == Action::ApproveMarked { DecisionState::Approved } else { DecisionState::Rejected };
    let (targets, apart, unstable) = Default::default();
    let mut marked = Decide { verdict, targets, marked: true, apart, unstable, varies: false };
    for server in &model.servers {
        for row in server.look.review.iter().flat_map(|review| &review.rows) {
            let id = &server.look.id;
            let Some(digest) = row.decides_on().filter(|_| model.session.is_marked(id, row)) else { continue };
            match refusal(model, server, row, verdict) {
                Some(why) => marked.apart.push((id.clone(), row.id.clone(), why)),
                None => marked.targets.push((id.clone(), (row.id.clone(), digest))),
            }
        }
    }
    match (marked.targets.first(), marked.apart.first()) {
        (Some((server, _)), _) => {
            let server = server.clone();
            model.dialog = Some(Dialog::new(Ask::Decide(marked), server));
        }
        (None, Some((.., NOT_READ))) => model.warn("Read each marked change to its end first: enter opens it"),
        (None, Some((.., why))) => model.warn(format!("no marked item can be decided: {why}")),
        (None, None) => model.warn("nothing is marked: space marks an item"),
    }
}

/// Why a marked row is not decided with others.
fn refusal(model: &Model, server: &Server, row: &Row, verdict: DecisionState) -> Option<&'static str> {
    if let Some(why) = server.refusal(row, verdict) {
        Some(why)
    } else if row.now.as_ref().is_some_and(|item| item.definition.is_disputed()) {
        Some("ambiguous JSON: decide on it alone")
    } else if model.session.is_seen(&server.look.id, row) {
        None
    } else {
        Some(NOT_READ)
    }
}
