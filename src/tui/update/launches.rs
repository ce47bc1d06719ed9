//! Launches that wait for consent: marked one by one, and agreed to together after each was shown, by their typed number.

use crate::config::consent::ConsentRequest;
use crate::monitor::Command;
use crate::tui::document::Document;
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{Ask, Dialog, Model, Screen, Session, Waiting};
use crate::tui::sheet;
use std::sync::Arc;

/// The launch that the selected server waits with.
pub fn selected(model: &Model) -> Option<&Arc<ConsentRequest>> {
    model.selected_server()?.look.to_start()
}

/// Marks the selected server's launch, or takes its mark off.
pub fn toggle(model: &mut Model) {
    let Some(request) = selected(model).cloned() else { return };
    let marked = &mut model.session.marked_launches;
    match marked.iter().position(|other| *other == request) {
        Some(at) => {
            marked.remove(at);
        }
        None => marked.push(request),
    }
}

/// Lists the marked launches and asks to start them. One that was not shown whole is left out and said.
pub fn ask(model: &mut Model) {
    let Session { marked_launches, shown_launches, .. } = &model.session;
    let (shown, apart): (Vec<_>, Vec<_>) =
        marked_launches.iter().cloned().partition(|request| shown_launches.contains(request));
    let Some(first) = shown.first() else {
        model.warn("Read each marked launch to its end first: enter shows it");
        return;
    };
    let server = first.server.clone();
    let apart = apart.iter().map(|request| request.server.clone()).collect();
    model.dialog = Some(Dialog::new(Ask::Launches { requests: shown, apart }, server));
}

pub fn confirm(model: &mut Model, requests: &[Arc<ConsentRequest>]) {
    model.session.marked_launches.retain(|request| !requests.contains(request));
    for request in requests {
        model.request(Effect::Tell(request.server.clone(), Command::Consent));
    }
    model.say(format!("Saving your consent for {} servers", requests.len()));
}

/// A frame was written: a launch that stood on it whole was shown.
pub fn drawn(model: &mut Model) {
    let Some(request) = selected(model).cloned() else { return };
    let whole = match &model.dialog {
        Some(dialog) => dialog.read && matches!(&dialog.ask, Ask::Consent(asked) if *asked == request),
        None => model.screen() == Screen::Home && is_whole_on_home(model, &request),
    };
    if whole && !model.session.shown_launches.contains(&request) {
        model.session.shown_launches.push(request);
    }
}

fn is_whole_on_home(model: &Model, request: &ConsentRequest) -> bool {
    if model.home.row().is_none_or(|row| row.what != Waiting::Consent) {
        return false;
    }
    let place = layout::home(model).below;
    let mut page = Document::of(usize::from(place.width).saturating_sub(2));
    sheet::launch(&mut page, request);
    // Between the title line and that of the keys.
    page.lines.len() + 3 <= usize::from(place.height)
}

/// A launch that is another one by now, or waits no longer, is neither marked nor known as shown.
pub fn settle(model: &mut Model) {
    let servers = &model.servers;
    let waits = |request: &Arc<ConsentRequest>| servers.iter().any(|server| server.look.to_start() == Some(request));
    model.session.marked_launches.retain(waits);
    model.session.shown_launches.retain(waits);
}
