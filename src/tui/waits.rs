//! Words for what waits: the name of an entry, the headline of a server that waits as a whole, what it needs.

use crate::decisions::BaselineState;
use crate::monitor::{Phase, SigningIn};
use crate::surface::ServerId;
use crate::tui::action::{Action, Context};
use crate::tui::document::Document;
use crate::tui::line::{Line, Role};
use crate::tui::model::{Entry, EntryId, Model, Server, Waiting};
use crate::tui::sheet;
use ratatui::layout::Rect;

/// How many rows are marked, over all servers.
pub fn marked(model: &Model) -> Line {
    match model.session.marked.len() + model.session.marked_launches.len() {
        0 => Line::default(),
        many => Line::of(Role::Key, format!("  {} {many} marked", model.setup.glyphs.marked)),
    }
}

pub fn is_marked(model: &Model, server: &ServerId, entry: &EntryId) -> bool {
    let row = model.server_of(server).and_then(|server| server.row_of(entry));
    row.is_some_and(|row| model.session.is_marked(server, row))
}

/// The name of an entry, and how much of it cannot be seen.
pub fn full_name(entry: &Entry) -> Line {
    let mut line = plain_name(entry);
    if entry.hidden > 0 {
        line.put(Role::Text, " ").put(Role::Hidden, format!("{} hidden", entry.hidden));
    }
    line
}

/// The name of an entry; of a group how many it stands for.
pub fn plain_name(entry: &Entry) -> Line {
    if !entry.label.is_empty() {
        return Line::of(Role::Text, entry.label.as_str());
    }
    let mut line = Line::of(Role::Dim, if entry.inside { "  " } else { "" });
    let roles = [if entry.about.key.is_empty() { Role::Text } else { Role::Dim }, Role::Text];
    match &entry.id {
        EntryId::Row(id) => line.row(roles, id).clone(),
        EntryId::Group(_) => line.item(roles, &entry.about).clone(),
    }
}

/// What a server that waits as a whole waits for, in one line.
pub fn headline(model: &Model, server: &Server, what: &Waiting) -> Line {
    let text = match (what, &server.look.phase, &server.look.baseline) {
        (Waiting::Refused, _, BaselineState::Refused(why)) => {
            return Line::of(Role::SeverityCritical, "Its baseline file is refused: ").quote(Role::Text, why).clone();
        }
        (Waiting::Input, ..) => "Its file asks for an answer before it can be started",
        (Waiting::Unwatched, ..) => "Not watched, but it has a baseline",
        (Waiting::FirstContact(entries), ..) => {
            let all = entries.len();
            let first = server.look.review.as_ref().map(|review| review.to_look_at_first()).unwrap_or_default();
            let Some(worst) = first.first() else {
                let key = model.setup.keymap.key(Action::RecordBaseline, &[Context::Home]).unwrap_or_default();
                return Line::of(Role::Text, format!("{all} new, none recorded: {key} records them"));
            };
            let text = format!("{all} new, {} to look at first: ", first.len());
            return Line::of(Role::Text, text).quote(Role::Text, worst.why).clone();
        }
        (Waiting::Policy, ..) => {
            let failing: Vec<_> = server.look.failing_rules().collect();
            let [first, rest @ ..] = failing.as_slice() else { return Line::default() };
            let mut line = Line::of(Role::Warning, "POLICY  ");
            line.quote(Role::Text, &first.rule).put(Role::Text, ": ").quote(Role::Text, &first.sentence());
            if !rest.is_empty() {
                line.put(Role::Dim, format!("  and {} more", rest.len()));
            }
            return line;
        }
        (Waiting::SignIn, Phase::NeedsSignIn(stage), _) => return sheet::standing(stage),
        (_, Phase::NeedsConsent(request), _) if !request.off.is_empty() => {
            "Its entry is switched off, but its client may start it"
        }
        (_, Phase::NeedsConsent(request), _) if !request.changed.is_empty() => "Its launch changed since you agreed",
        (Waiting::Consent, Phase::NeedsConsent(request), _) => {
            let would =
                if request.opens_url() { "Not watched yet; would open " } else { "Not started yet; would run " };
            return Line::of(Role::Text, would).quote(Role::Text, &request.argv.join(" ")).clone();
        }
        _ => "",
    };
    Line::of(Role::Text, text)
}

/// What the connection of a server does, or waits for.
pub fn connection(model: &Model, server: &Server) -> Line {
    if let Some(what) = Waiting::whole(server).filter(|what| *what != Waiting::Refused) {
        return headline(model, server, &what);
    }
    let (role, words) = match &server.look.phase {
        Phase::Starting => (Role::Text, "Starting"),
        Phase::Listing => (Role::Text, "Reading its lists"),
        Phase::Idle => (Role::StateApproved, "Healthy, idle"),
        Phase::Retrying { .. } => (Role::Stale, "Failed"),
        Phase::Unusable => (Role::Stale, "Not usable: edit its entry"),
        Phase::Unwatched(_) => (Role::Dim, "Not watched"),
        Phase::Paused => (Role::Stale, "Paused"),
        Phase::Stopped => (Role::Dim, "Stopped"),
        Phase::Waiting | Phase::NeedsConsent(_) | Phase::NeedsSignIn(_) => (Role::Dim, "Waiting to start"),
    };
    Line::of(role, words)
}

/// What a server that waits as a whole needs, as the dialog says it that enter opens, and the key for it.
pub fn lines(model: &Model, server: &Server, what: &Waiting, place: Rect) -> Vec<Line> {
    let key = |action| model.setup.keymap.key(action, &[Context::Home]).unwrap_or_default();
    let mut page = Document::of(usize::from(place.width));
    let mut keys = Line::default();
    let mut does = |action, text: &str| {
        keys.put(Role::Key, key(action)).put(Role::Dim, text);
    };
    match (what, &server.look.phase) {
        (Waiting::Consent, Phase::NeedsConsent(request)) => {
            sheet::launch(&mut page, request);
            does(Action::Open, " asks whether to start it  ");
            does(Action::Mark, " marks it, and ");
            does(Action::ApproveMarked, " starts all marked");
        }
        (Waiting::SignIn, Phase::NeedsSignIn(stage)) => {
            if let SigningIn::Wanted { refused: Some(why), .. } = &**stage {
                page.say(&Line::quoted(Role::Warning, &why.text), 2);
            }
            sheet::stands(&mut page, stage);
            let begun = !matches!(**stage, SigningIn::Wanted { .. });
            does(Action::Open, if begun { " shows where it stands" } else { " asks the server where one signs in" });
        }
        (Waiting::Unwatched, Phase::Unwatched(reason)) => {
            sheet::unwatched(&mut page, server, reason);
            does(Action::Approve, " accepts that it is not watched, and keeps its baseline  ");
            does(Action::Reject, " leaves it open");
        }
        (Waiting::FirstContact(_), _) => {
            let record = server.look.review.as_ref().map(|review| review.first_record()).unwrap_or_default();
            sheet::first_record(&mut page, model, server, (&record, 0..usize::from(place.height)));
            does(Action::RecordBaseline, " asks whether to record them  ");
            does(Action::PaneItems, " reads them one by one");
        }
        (Waiting::Policy, _) => {
            for verdict in server.look.failing_rules() {
                let mut line = Line::of(Role::Warning, "fails  ");
                line.quote(Role::Text, &verdict.rule).put(Role::Text, ": ");
                page.say(line.quote(Role::Text, &verdict.sentence()), 2);
            }
            page.words(Role::Dim, "It goes when the rules pass, or by a [[policy.suppress]] in pinwatch.toml.");
            does(Action::Open, " shows every rule, and the digest that a suppression names");
        }
        (Waiting::Input, _) => {
            for asked in &server.look.asked {
                sheet::question(&mut page, asked);
            }
            does(Action::Open, " asks for it");
        }
        _ => {
            if let BaselineState::Refused(why) = &server.look.baseline {
                page.say(&Line::quoted(Role::Text, why), 2);
                page.words(Role::Dim, "Nothing is compared: take it back from git, or delete it and record again.");
            }
            does(Action::Open, " shows what is known of the server");
        }
    }
    // On few rows what it is about has them all, and the hints have the keys.
    let room = usize::from(place.height) - if place.height >= 8 { 2 } else { 0 };
    if page.lines.len() > room {
        let more = page.lines.len() + 1 - room;
        page.lines.truncate(room.saturating_sub(1));
        page.words(Role::Dim, format!("and {more} more lines"));
    }
    page.gap();
    page.say(&keys, 0);
    page.lines
}
