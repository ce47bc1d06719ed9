//! Everything known of one server as lines: what its connection does, how it is started, what it said of itself, what
//! was odd, and the end of its standard error.

use super::line::Line;
use super::model::{Model, Server};
use super::theme::Role;
use super::words::{age, clock, count};
use crate::canon::indented;
use crate::digest::DigestScope;
use crate::monitor::{BaselineState, Phase};
use crate::surface::{Completeness, Kind, Transport};

/// Cells of the labels.
const LABEL: usize = 13;

/// The lines of a server, each of at most `width` cells.
pub fn lines(model: &Model, server: &Server, width: usize) -> Vec<Line> {
    let mut page = Page { width, lines: Vec::new() };
    connection(model, server, &mut page);
    launch(server, &mut page);
    protocol(model, server, &mut page);
    lists(server, &mut page);
    baseline(server, &mut page);
    notices(server, &mut page);
    page.heading("standard error, its end");
    if server.look.stderr_tail.is_empty() {
        page.words(Role::Dim, "nothing was written there");
    }
    for line in &server.look.stderr_tail {
        page.quoted("", line);
    }
    page.lines
}

/// The lines so far.
struct Page {
    width: usize,
    lines: Vec<Line>,
}

impl Page {
    fn heading(&mut self, text: &str) {
        if !self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        self.lines.push(Line::of(Role::Heading, text));
    }

    fn words(&mut self, role: Role, text: &str) {
        self.lines.extend(Line::of(role, text).wrap(self.width, 2));
    }

    /// A label and what follows it, of our own words.
    fn put(&mut self, label: &str, value: Line) {
        let mut line = Line::of(Role::Dim, format!("{label:<LABEL$}"));
        self.lines.extend(line.join(value).wrap(self.width, LABEL));
    }

    /// The same of words from elsewhere.
    fn quoted(&mut self, label: &str, text: &str) {
        let mut line = Line::default();
        if !label.is_empty() {
            line.put(Role::Dim, format!("{label:<LABEL$}"));
        }
        let indent = if label.is_empty() { 2 } else { LABEL };
        self.lines.extend(line.quote(Role::Text, text).wrap(self.width, indent));
    }
}

fn connection(model: &Model, server: &Server, page: &mut Page) {
    let look = &server.look;
    page.heading("connection");
    let mut state = Line::default();
    match &look.phase {
        Phase::Waiting => state.put(Role::Dim, "its turn has not come"),
        Phase::NeedsConsent(request) if request.changed.is_empty() => {
            state.put(Role::Warning, "not started: nobody agreed to its launch here yet")
        }
        Phase::NeedsConsent(_) => state.put(Role::Warning, "not started: its launch changed since you agreed"),
        Phase::Starting => state.put(Role::Text, "starting"),
        Phase::Listing => state.put(Role::Text, "its lists are being read"),
        Phase::Idle => state.put(Role::StateApproved, "good; waiting for the next look"),
        Phase::Retrying { at, failures, .. } => {
            let failures = count(*failures as usize, "failure");
            state.put(Role::Stale, format!("next try {}, after {failures}", clock(*at, &model.zone)))
        }
        Phase::Unusable if !look.asked.is_empty() => {
            state.put(Role::Warning, "needs input: its file asks a person for something before it can be started")
        }
        Phase::Unusable => state.put(Role::Stale, "not usable as it is configured: only another config helps"),
        Phase::Unwatched(_) if server.needs_watching() => {
            state.put(Role::Warning, "not watched, and it has a baseline: accept that, or watch it again")
        }
        Phase::Unwatched(_) => state.put(Role::Dim, "not watched"),
        Phase::Paused => state.put(Role::Stale, "paused: nothing is looked at"),
        Phase::Stopped => state.put(Role::Dim, "stopped"),
    };
    page.put("state", state);
    let mut last = Line::default();
    match look.last_good {
        Some(at) => last.put(Role::Text, format!("{} ({} ago)", clock(at, &model.zone), age(at, model.now))),
        None => last.put(Role::Stale, "never"),
    };
    page.put("last good", last);
    if let Some(at) = look.next_poll {
        page.put("next look", Line::of(Role::Text, clock(at, &model.zone)));
    }
    if let Some(reason) = &look.stale {
        let mut why = Line::default();
        why.quote(Role::Stale, &reason.text).put(Role::Dim, format!("  ({})", reason.code));
        page.put(if matches!(look.phase, Phase::Unwatched(_)) { "because" } else { "stale" }, why);
    }
    if let Some(pid) = look.pid {
        page.put("process", Line::of(Role::Text, pid.to_string()));
    }
    if look.dropped > 0 {
        page.put("dropped", Line::of(Role::Warning, format!("{} looks and lines", look.dropped)));
    }
    let zone = model.zone.iana_name().unwrap_or("local time");
    page.put("clocks", Line::of(Role::Dim, zone));
}

fn launch(server: &Server, page: &mut Page) {
    page.heading("launch, secrets masked");
    match &server.look.launch.transport {
        Transport::Stdio { command, args, cwd, env } => {
            page.quoted("runs", command);
            for arg in args {
                // A word with a blank in it is one word all the same.
                let quoted = arg.is_empty() || arg.contains(char::is_whitespace);
                page.quoted(" ", &if quoted { format!("'{arg}'") } else { arg.clone() });
            }
            page.quoted("in", cwd);
            if !env.is_empty() {
                page.quoted("sets", &env.join(", "));
            }
        }
        Transport::Http { url, headers } => {
            page.quoted("opens", url);
            if !headers.is_empty() {
                page.quoted("headers", &headers.join(", "));
            }
        }
    }
    for (at, origin) in server.look.origins.iter().enumerate() {
        page.quoted(if at == 0 { "named in" } else { "and in" }, &origin.sentence());
    }
    let mut users: Vec<&str> = Vec::new();
    for user in server.look.origins.iter().filter_map(|origin| origin.client) {
        if !users.contains(&user) {
            users.push(user);
        }
    }
    if !users.is_empty() {
        page.put("used by", Line::of(Role::Text, users.join(", ")));
    }
    if let Some(resolved) = &server.look.resolved {
        for (at, sentence) in resolved.sentences().iter().enumerate() {
            page.quoted(if at == 0 { "resolves to" } else { " " }, sentence);
        }
    }
}

fn protocol(model: &Model, server: &Server, page: &mut Page) {
    page.heading("protocol");
    match &server.look.observed_as {
        Some(observed) => {
            let mut version = Line::of(Role::Text, format!("{}  ", observed.era.word()));
            version.quote(Role::Text, &observed.protocol_version);
            page.put("handshake", version);
            let declared = serde_json::Value::Object(observed.client_capabilities.clone()).to_string();
            page.quoted("we declare", &declared);
        }
        None => page.put("handshake", Line::of(Role::Dim, "none finished yet")),
    }
    // Of the review, whose items show no secret.
    let items = || server.look.review.iter().flat_map(|review| &review.rows).filter_map(|row| row.now.as_ref());
    for (kind, label) in [(Kind::ServerInfo, "server info"), (Kind::Capabilities, "capabilities")] {
        for item in items().filter(|item| item.id.kind == kind) {
            let text = indented(&item.definition.as_read(), &|_| false);
            for (at, line) in text.trim_end().split('\n').enumerate() {
                let mut shown = Line::default();
                let body = line.trim_start_matches(' ');
                shown.put(Role::Text, " ".repeat((line.len() - body.len()).min(32))).quote(Role::Text, body);
                page.put(
                    if at == 0 { label } else { "" },
                    shown.fit(page.width.saturating_sub(LABEL), model.glyphs.ellipsis),
                );
            }
        }
    }
}

fn lists(server: &Server, page: &mut Page) {
    let Some(surface) = &server.look.surface else { return };
    page.heading("lists");
    for (kind, state) in &surface.completeness {
        let many = surface.items.iter().filter(|item| item.id.kind == *kind).count();
        let mut line = Line::default();
        match state {
            Completeness::Complete if kind.key_member().is_none() => continue,
            Completeness::Complete => line.put(Role::Text, format!("{many}, read whole")),
            Completeness::Partial(why) => {
                line.put(Role::StateUnknown, format!("{many}, in part: ")).quote(Role::StateUnknown, &why.text)
            }
            Completeness::Failed(why) => {
                line.put(Role::StateUnknown, "not read: ").quote(Role::StateUnknown, &why.text)
            }
            Completeness::Ignored => line.put(Role::Dim, "not looked at, as the config says"),
        };
        let label = match kind {
            Kind::Tool => "tools",
            Kind::Prompt => "prompts",
            Kind::Resource => "resources",
            Kind::ResourceTemplate => "templates",
            other => other.word(),
        };
        page.put(label, line);
    }
}

fn baseline(server: &Server, page: &mut Page) {
    page.heading("baseline");
    match &server.look.baseline {
        BaselineState::Verifying => page.words(Role::Dim, "its digests are being verified"),
        BaselineState::Absent => page.words(Role::Warning, "none yet: first contact"),
        BaselineState::Refused(why) => {
            let mut line = Line::of(Role::SeverityCritical, "refused: ");
            page.lines.extend(line.quote(Role::Text, why).wrap(page.width, 2));
        }
        BaselineState::Present(baseline) => {
            let pins = count(baseline.pins.len(), "pin");
            let rejections = count(baseline.rejections.len(), "rejection");
            page.put("holds", Line::of(Role::Text, format!("{pins}, {rejections}")));
            let scope = match baseline.digest_scope {
                DigestScope::None => "definition digests do not cover the server's id",
                DigestScope::Server(_) => "definition digests cover the server's id",
            };
            page.put("scope", Line::of(Role::Text, scope));
            if let Some(reason) = server.unchecked() {
                page.put("unknown", Line::of(Role::StateUnknown, reason.text.clone()));
            }
        }
    }
}

fn notices(server: &Server, page: &mut Page) {
    let look = &server.look;
    let noticed = look.notices.iter().chain(look.review.iter().flat_map(|review| &review.notices));
    page.heading("odd, and limits met");
    let before = page.lines.len();
    for notice in noticed {
        let mut line = Line::default();
        line.quote(Role::Text, &notice.text);
        if notice.count > 1 {
            line.put(Role::Dim, format!("  x{}", notice.count));
        }
        page.lines.extend(line.wrap(page.width, 2));
    }
    if page.lines.len() == before {
        page.words(Role::Dim, "nothing");
    }
}
