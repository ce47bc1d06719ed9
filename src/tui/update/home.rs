//! Keys of home, and keeping its rows and its selection.

use super::{ask, change, marks, select, servers, sign_in};
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane, Screen, Waiting};

pub fn act(model: &mut Model, action: Action) {
    match action {
        Action::Back => _ = model.session.unmark(),
        Action::NextPane => servers::open(model, Pane::Servers),
        Action::PreviousPane => servers::open(model, Pane::Change),
        _ => {
            // Who acts on a row has chosen it.
            model.home.chosen = true;
            match model.home.row().map(|row| row.what.clone()) {
                Some(Waiting::Decision(_)) => on_item(model, action),
                Some(what) => on_server(model, &what, action),
                None if action == Action::Open => servers::open(model, Pane::Items),
                None => change::common(model, action),
            }
        }
    }
}

fn on_item(model: &mut Model, action: Action) {
    match action {
        Action::Open => model.open(Screen::Change),
        Action::Digests => model.open(Screen::Digests),
        _ => change::common(model, action),
    }
}

/// A row that stands for a server as a whole.
fn on_server(model: &mut Model, what: &Waiting, action: Action) {
    use Action::{Approve, Copy, Digests, History, Mark, Open, ReadOutside, Reject, Skip};
    match (action, what) {
        (Open | Approve, Waiting::Consent | Waiting::Input) => _ = ask::consent(model),
        (Open | Approve, Waiting::SignIn) => _ = sign_in::begin(model),
        (Open | Approve, Waiting::Unwatched) => _ = ask::unwatched(model, true),
        (Reject | Skip, Waiting::Unwatched) => _ = ask::unwatched(model, false),
        (Open | Approve, Waiting::FirstContact(_)) => ask::baseline(model),
        (Open, Waiting::Refused | Waiting::Policy) => servers::details(model),
        (Approve | Reject | Skip, Waiting::Policy) => {
            model.warn("a rule is nothing to approve: it passes, or [[policy.suppress]] in pinwatch.toml lets it be");
        }
        (Mark, Waiting::Consent) => marks::mark(model),
        // The item that it would be about is not shown.
        (Approve | Reject | Skip | Mark | Digests | History | Copy | ReadOutside, _) => {
            model.warn("this row stands for a server as a whole: enter says what it needs");
        }
        _ => change::common(model, action),
    }
}

/// Makes the rows anew where something moved. Until the person chose a row the worst is selected; then the selection stays
/// where it is, and where that row waits no longer, what stood below it is selected.
pub fn settle(model: &mut Model) {
    let before = select::place(model);
    let renewed = model.home.renew(&model.servers, model.revision, &model.session);
    let shown = model.screen() == Screen::Home && model.dialog.is_none();
    let after = select::place(model);
    match (before, after) {
        _ if shown && !model.home.chosen => {
            select::row(model, 0);
            model.home.list.at = 0;
        }
        (before, Some(after)) => {
            if let Some(before) = before.filter(|_| renewed) {
                model.home.list.scroll = (model.home.list.scroll + after).saturating_sub(before);
            }
            model.home.list.at = after;
        }
        (_, None) if shown => select::row(model, model.home.list.at.min(model.home.rows.len().saturating_sub(1))),
        (_, None) => {}
    }
    let many = model.home.rows.len();
    model.home.chosen &= many > 0;
    model.home.list.at = model.home.list.at.min(many.saturating_sub(1));
}
