//! Everything known of one server as lines: what its connection does, how it is started, what it said of itself, what
//! was odd, and the end of its standard error.

use super::failure;
use super::line::Line;
use super::model::{Model, Server};
use super::theme::Role;
use super::words::{age, clock, count};
use crate::canon::indented;
use crate::decisions::BaselineState;
use crate::digest::{DigestScope, Sha256, manifest_of};
use crate::monitor::Phase;
use crate::pin::Baseline;
use crate::surface::{Completeness, Kind, Transport};

/// Lines of standard error that are kept, and shown of a server that failed.
const MOST: usize = usize::MAX;

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
    policy(server, &mut page);
    notices(server, &mut page);
    // Of one that failed they stand beside the reason.
    if failure::lines(server, &model.zone, width, MOST).is_empty() {
        page.heading("stderr (last lines)");
        if server.look.stderr_tail.is_empty() {
            page.words(Role::Dim, "none");
        }
        for line in &server.look.stderr_tail {
            page.quoted("", line);
        }
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
        self.lines.extend(line.spelt(Role::Text, text).wrap(self.width, indent));
    }
}

/// The rules of the policy over the server as a whole, each with what came of it.
fn policy(server: &Server, page: &mut Page) {
    let Some(verdicts) = &server.look.verdicts else { return };
    page.heading("policy rules");
    for verdict in &verdicts.rules {
        let mut line = Line::default();
        let role = if verdict.fails() { Role::Warning } else { Role::Dim };
        line.put(role, format!("{:6} ", verdict.level())).quote(Role::Text, &verdict.rule);
        if verdict.level() != "pass" {
            line.put(Role::Dim, ": ").quote(Role::Text, &verdict.sentence());
        }
        page.lines.extend(line.wrap(page.width, 9));
    }
    page.put("judged on", Line::of(Role::Dim, verdicts.digest.as_str()));
}

fn connection(model: &Model, server: &Server, page: &mut Page) {
    let look = &server.look;
    page.heading("connection");
    let mut state = Line::default();
    match &look.phase {
        Phase::Waiting => state.put(Role::Dim, "waiting to start"),
        Phase::NeedsConsent(request) if request.changed.is_empty() => {
            state.put(Role::Warning, "not started: needs your consent")
        }
        Phase::NeedsConsent(_) => state.put(Role::Warning, "not started: its launch changed since you agreed"),
        Phase::Starting => state.put(Role::Text, "starting"),
        Phase::Listing => state.put(Role::Text, "reading its lists"),
        Phase::Idle => state.put(Role::StateApproved, "healthy, idle"),
        Phase::Retrying { .. } => state.put(Role::Stale, "failed"),
        Phase::Unusable if !look.asked.is_empty() => state.put(Role::Warning, "needs input before it can start"),
        Phase::Unusable => state.put(Role::Stale, "misconfigured: edit its entry"),
        Phase::Unwatched(_) if server.needs_watching() => {
            state.put(Role::Warning, "not watched, but has a baseline: watch it again, or accept this")
        }
        Phase::Unwatched(_) => state.put(Role::Dim, "not watched"),
        Phase::Paused => state.put(Role::Stale, "paused"),
        Phase::Stopped => state.put(Role::Dim, "stopped"),
    };
    page.put("state", state);
    let failed = failure::lines(server, &model.zone, page.width.saturating_sub(LABEL), MOST);
    for (at, line) in failed.into_iter().enumerate() {
        page.put(if at == 0 { "reason" } else { "" }, line);
    }
    if let (Some(reason), Phase::Unwatched(_)) = (&look.stale, &look.phase) {
        let mut why = Line::default();
        page.put("reason", why.spelt(Role::Stale, &reason.text).clone());
    }
    let mut last = Line::default();
    match look.last_good {
        Some(at) => last.put(Role::Text, format!("{} ({} ago)", clock(at, &model.zone), age(at, model.now))),
        None => last.put(Role::Stale, "never"),
    };
    page.put("last answer", last);
    if let Some(at) = look.next_poll {
        page.put("next check", Line::of(Role::Text, clock(at, &model.zone)));
    }
    if let Some(pid) = look.pid {
        page.put("process", Line::of(Role::Text, pid.to_string()));
    }
    if look.dropped > 0 {
        page.put(
            "dropped",
            Line::of(Role::Warning, count(usize::try_from(look.dropped).unwrap_or(usize::MAX), "update")),
        );
    }
    let zone = model.zone.iana_name().unwrap_or("local time");
    page.put("time zone", Line::of(Role::Dim, zone));
}

fn launch(server: &Server, page: &mut Page) {
    page.heading("launch (secrets masked)");
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
            version.spelt(Role::Text, &observed.protocol_version);
            page.put("handshake", version);
            let declared = serde_json::Value::Object(observed.client_capabilities.clone()).to_string();
            page.quoted("we declare", &declared);
        }
        None => page.put("handshake", Line::of(Role::Dim, "none yet")),
    }
    // Of the review, whose items show no secret.
    let items = || server.look.review.iter().flat_map(|review| &review.rows).filter_map(|row| row.now.as_ref());
    for (kind, label) in [(Kind::ServerInfo, "server info"), (Kind::Capabilities, "capabilities")] {
        for item in items().filter(|item| item.id.kind == kind) {
            let text = indented(&item.definition.as_read(), &|_| false);
            for (at, line) in text.trim_end().split('\n').enumerate() {
                let mut shown = Line::default();
                let body = line.trim_start_matches(' ');
                shown.put(Role::Text, " ".repeat((line.len() - body.len()).min(32))).spelt(Role::Text, body);
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
            Completeness::Complete => line.put(Role::Text, many.to_string()),
            Completeness::Partial(why) => {
                line.put(Role::StateUnknown, format!("{many}, incomplete: ")).spelt(Role::StateUnknown, &why.text)
            }
            Completeness::Failed(why) => {
                line.put(Role::StateUnknown, "not read: ").spelt(Role::StateUnknown, &why.text)
            }
            Completeness::Ignored => line.put(Role::Dim, "ignored by the config"),
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
        BaselineState::Verifying => page.words(Role::Dim, "verifying its digests"),
        BaselineState::Absent => page.words(Role::Warning, "none yet"),
        BaselineState::Refused(why) => {
            let mut line = Line::of(Role::SeverityCritical, "refused: ");
            page.lines.extend(line.spelt(Role::Text, why).wrap(page.width, 2));
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
            page.put("manifest", manifest(server, baseline));
            if let Some(reason) = server.unchecked() {
                page.put("unknown", Line::of(Role::StateUnknown, reason.text.clone()));
            }
        }
    }
}

/// Assay's digest of all tools, pinned and now. Of a list that was not read whole there is none.
fn manifest(server: &Server, baseline: &Baseline) -> Line {
    let pinned = manifest_of(baseline.pins.iter().map(|pin| pin.item.as_ref()));
    let surface = server.look.surface.as_ref().filter(|surface| surface.is_complete(Kind::Tool));
    let now = surface.and_then(|surface| manifest_of(surface.items.iter().map(AsRef::as_ref)));
    let short = |digest: Option<Sha256>| {
        digest.map_or_else(|| "not visible".to_owned(), |digest| digest.to_string().chars().take(8).collect())
    };
    let mut line = Line::of(Role::Digest, short(pinned));
    if pinned == now {
        line.put(Role::Dim, "  equal");
    } else {
        line.put(Role::Dim, " pinned, ").put(Role::DigestMoved, short(now)).put(Role::Dim, " now");
    }
    line
}

fn notices(server: &Server, page: &mut Page) {
    let look = &server.look;
    let noticed = look.notices.iter().chain(look.review.iter().flat_map(|review| &review.notices));
    page.heading("warnings");
    let before = page.lines.len();
    for notice in noticed {
        let mut line = Line::default();
        line.spelt(Role::Text, &notice.text);
        if notice.count > 1 {
            line.put(Role::Dim, format!("  x{}", notice.count));
        }
        page.lines.extend(line.wrap(page.width, 2));
    }
    if page.lines.len() == before {
        page.words(Role::Dim, "none");
    }
}
