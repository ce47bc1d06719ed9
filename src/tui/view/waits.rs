//! Words for what waits: the name of an entry, the headline of a server that waits as a whole, what it needs.

use crate::decisions::BaselineState;
use crate::interop::mcptrust::Verdict;
use crate::monitor::Phase;
use crate::surface::ServerId;
use crate::tui::action::{Action, Context};
use crate::tui::line::Line;
use crate::tui::model::{Entry, EntryId, Model, Server, Waiting, name};
use crate::tui::sheet;
use crate::tui::theme::Role;
use crate::tui::words::{age, count};

/// How many rows are marked, over all servers.
pub fn marked(model: &Model) -> Line {
    match model.session.marked.len() + model.session.marked_launches.len() {
        0 => Line::default(),
        many => Line::of(Role::Key, format!("  {} {many} marked", model.glyphs.marked)),
    }
}

/// Whether an entry is marked.
pub fn is_marked(model: &Model, server: &ServerId, entry: &EntryId) -> bool {
    let EntryId::Row(id) = entry else { return false };
    let review = model.server_of(server).and_then(|server| server.look.review.as_ref());
    review.and_then(|review| review.row(id)).is_some_and(|row| model.session.is_marked(server, row))
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
    let (kind, key) = name(entry.item());
    let mut line = Line::default();
    line.put(Role::Dim, if entry.inside { "  " } else { "" });
    let role = if key.is_empty() { Role::Text } else { Role::Dim };
    line.put(role, kind).quote(Role::Text, key);
    if let EntryId::Row(id) = &entry.id
        && id.copy > 0
    {
        line.put(Role::Dim, format!(" #{}", id.copy + 1));
    }
    line
}

/// What a server that waits as a whole waits for, in one line.
pub fn headline(model: &Model, server: &Server, what: &Waiting) -> Line {
    let text = match (what, &server.look.phase, &server.look.baseline) {
        (Waiting::Refused, _, BaselineState::Refused(why)) => {
            return Line::of(Role::SeverityCritical, "Its baseline file is refused: ").quote(Role::Text, why).clone();
        }
        (Waiting::Input, ..) => "Its file asks for an answer before it can be started",
        (Waiting::Unwatched, ..) => "Not watched, but it has a baseline",
        (Waiting::FirstContact(many), ..) => {
            let key = model.keymap.key(Action::RecordBaseline, &[Context::Home]).unwrap_or_default();
            return Line::of(Role::Text, format!("{many} new, none recorded: {key} records them"));
        }
        (Waiting::Policy, ..) => {
            let failing: Vec<_> = failing(server).collect();
            let [first, rest @ ..] = failing.as_slice() else { return Line::default() };
            let mut line = Line::of(Role::Warning, "POLICY  ");
            line.quote(Role::Text, &first.rule).put(Role::Text, ": ").quote(Role::Text, &first.sentence());
            if !rest.is_empty() {
                line.put(Role::Dim, format!("  and {} more", rest.len()));
            }
            return line;
        }
        (_, Phase::NeedsConsent(request), _) if !request.off.is_empty() => {
            "Its entry is switched off, but its client may start it"
        }
        (_, Phase::NeedsConsent(request), _) if !request.changed.is_empty() => "Its launch changed since you agreed",
        (Waiting::Consent, Phase::NeedsConsent(request), _) => {
            let url = request.cwd.is_none() && request.argv.len() == 1;
            let would = if url { "Not watched yet; would open " } else { "Not started yet; would run " };
            return Line::of(Role::Text, would).quote(Role::Text, &request.argv.join(" ")).clone();
        }
        _ => "",
    };
    Line::of(Role::Text, text)
}

/// The rules of the policy that fail.
fn failing(server: &Server) -> impl Iterator<Item = &Verdict> {
    server.look.verdicts.iter().flat_map(|verdicts| &verdicts.rules).filter(|verdict| verdict.fails())
}

/// What a server that waits as a whole needs, and the key for it.
pub fn lines(model: &Model, server: &Server, what: &Waiting, width: usize) -> Vec<Line> {
    let key = |action| model.keymap.key(action, &[Context::Home]).unwrap_or_default();
    let say = |parts: &[(Role, String)]| {
        let mut line = Line::default();
        for (role, text) in parts {
            line.put(*role, text.as_str());
        }
        line.wrap(width, 0)
    };
    match (what, &server.look.phase) {
        (Waiting::Consent, Phase::NeedsConsent(request)) => {
            let mut lines = sheet::launch(request, width);
            lines.push(Line::default());
            lines.extend(say(&[
                (Role::Key, key(Action::Open)),
                (Role::Dim, " asks whether to start it  ".to_owned()),
                (Role::Key, key(Action::Mark)),
                (Role::Dim, " marks it, and ".to_owned()),
                (Role::Key, key(Action::ApproveMarked)),
                (Role::Dim, " starts all marked".to_owned()),
            ]));
            lines
        }
        (Waiting::Unwatched, Phase::Unwatched(reason)) => {
            let mut lines = Line::default().quote(Role::Text, &reason.text).wrap(width, 0);
            lines.push(Line::default());
            lines.extend(say(&[
                (Role::Key, key(Action::Approve)),
                (Role::Dim, " accepts that it is not watched, and keeps its baseline  ".to_owned()),
                (Role::Key, key(Action::Reject)),
                (Role::Dim, " leaves it open".to_owned()),
            ]));
            lines
        }
        (Waiting::FirstContact(many), _) => {
            let mut lines =
                say(&[(Role::Text, format!("First contact: {} and no baseline yet.", count(*many, "item")))]);
            lines.push(Line::default());
            lines.extend(say(&[
                (Role::Key, key(Action::RecordBaseline)),
                (Role::Dim, " lists every item and records them as the baseline  ".to_owned()),
                (Role::Key, key(Action::PaneItems)),
                (Role::Dim, " reads them one by one".to_owned()),
            ]));
            lines
        }
        (Waiting::Policy, _) => {
            let mut lines = Vec::new();
            for verdict in failing(server) {
                let mut line = Line::of(Role::Warning, "fails  ");
                line.quote(Role::Text, &verdict.rule).put(Role::Text, ": ").quote(Role::Text, &verdict.sentence());
                lines.extend(line.wrap(width, 2));
            }
            lines.push(Line::default());
            lines.extend(say(&[
                (Role::Dim, "It goes when the rules pass, or by a [[policy.suppress]] in pinwatch.toml.  ".to_owned()),
                (Role::Key, key(Action::Open)),
                (Role::Dim, " shows every rule, and the digest that a suppression names".to_owned()),
            ]));
            lines
        }
        (Waiting::Input, _) => {
            let mut lines: Vec<_> = server
                .look
                .asked
                .iter()
                .flat_map(|asked| Line::default().quote(Role::Text, &asked.description).wrap(width, 0))
                .collect();
            lines.push(Line::default());
            lines.extend(say(&[(Role::Key, key(Action::Open)), (Role::Dim, " asks for it".to_owned())]));
            lines
        }
        _ => {
            let mut lines = headline(model, server, what).wrap(width, 0);
            lines.push(Line::default());
            lines.extend(say(&[
                (Role::Key, key(Action::Open)),
                (Role::Dim, " shows what is known of the server".to_owned()),
            ]));
            lines
        }
    }
}

/// Nothing needs the person: what was compared, and how old that is. What was not compared is not called fine.
pub fn calm(model: &Model) -> Line {
    let fresh = model.servers.iter().filter(|server| !server.is_stale());
    let approved: usize =
        fresh.filter_map(|server| server.look.review.as_ref()).map(|review| review.counts.approved).sum();
    let open = model.servers.iter().filter(|server| server.look.review.is_none() || server.is_stale()).count();
    let mut line = if open == 0 {
        Line::of(Role::Text, " Nothing needs you.")
    } else {
        Line::of(Role::Warning, format!(" Nothing to decide so far; {} not compared now.", count(open, "server")))
    };
    if approved > 0 {
        let verb = if approved == 1 { "is" } else { "are" };
        line.put(Role::Text, format!(" {} {verb} as approved", count(approved, "item")));
        if let Some(at) = model.servers.iter().filter_map(|server| server.look.last_good).min() {
            line.put(Role::Dim, format!("; looked at {} ago", age(at, model.now)));
        }
    }
    line
}
