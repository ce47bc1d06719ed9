//! Everything known of one server as lines: what its connection does, how it is started, what it said of itself, what
//! was odd, and the end of its standard error.

use super::action::{Action, Context};
use super::document::Document;
use super::failure;
use super::guarded;
use super::line::{Line, Role};
use super::model::{Model, Server};
use super::waits;
use super::words::{age, argument, clock, count};
use crate::canon::indented;
use crate::decisions::BaselineState;
use crate::digest::{DigestScope, Item, Sha256, manifest_of};
use crate::drift::is_of_the_server;
use crate::monitor::Faces;
use crate::pin::Baseline;
use crate::surface::{Completeness, Kind, Notice, Transport};
use std::sync::Arc;

/// All lines of standard error that are kept.
const ALL: usize = usize::MAX;

/// Cells of the labels.
const LABEL: usize = 13;

/// The page of a server, of lines of at most `width` cells.
pub fn page(model: &Model, server: &Server, width: usize) -> Document {
    let mut page = Details { model, server, page: Document::of(width) };
    page.connection();
    page.guards();
    page.faces();
    page.launch();
    page.protocol();
    page.lists();
    page.baseline();
    page.identity();
    page.policy();
    page.notices();
    // Of one that failed they stand beside the reason.
    if failure::lines(server, &model.setup.zone, width, [ALL; 2]).is_empty() {
        page.list("stderr (last lines)", server.look.stderr_tail.iter().map(|line| spelt(line)));
    }
    page.page
}

/// Words from elsewhere, which no key opens here.
fn spelt(text: &str) -> Line {
    Line::default().spelt(Role::Text, text).clone()
}

struct Details<'a> {
    model: &'a Model,
    server: &'a Server,
    page: Document,
}

impl Details<'_> {
    /// A label and what follows it.
    fn put(&mut self, label: &str, value: Line) {
        self.page.say(Line::of(Role::Dim, format!("{label:<LABEL$}")).join(value), LABEL);
    }

    /// The same of words from elsewhere.
    fn quoted(&mut self, label: &str, text: &str) {
        self.put(label, spelt(text));
    }

    /// Several lines under one label.
    fn put_each(&mut self, mut label: &str, values: impl IntoIterator<Item = Line>) {
        for value in values {
            self.put(label, value);
            label = " ";
        }
    }

    /// Lines under a heading, which says so where there are none.
    fn list(&mut self, heading: &str, lines: impl Iterator<Item = Line>) {
        self.page.heading(heading);
        let mut lines = lines.peekable();
        if lines.peek().is_none() {
            self.page.words(Role::Dim, "none");
        }
        self.page.say_each(lines, 2);
    }

    /// Who the server is: its attestation and the principal that it declares.
    fn identity(&mut self) {
        let Some(review) = &self.server.look.review else { return };
        self.page.heading("identity");
        self.quoted("attestation", &review.identity.attestation.sentence());
        self.quoted("principal", &review.identity.principal.sentence());
    }

    /// The guards that run before it.
    fn guards(&mut self) {
        if self.server.guards.is_empty() {
            return;
        }
        self.page.heading("guards");
        for guard in &self.server.guards {
            self.page.say(&guarded::of_server(guard, &self.model.setup.zone), 2);
        }
    }

    /// What other clients are shown.
    fn faces(&mut self) {
        let Some(faces) = &self.server.look.faces else { return };
        self.page.heading("other clients");
        match faces {
            Faces::Running(clients) => {
                let words: Vec<_> = clients.iter().map(|client| client.word.as_str()).collect();
                self.put("looking as", Line::of(Role::Text, words.join(", ")));
            }
            Faces::Told(at, split) => {
                let role = match split.word() {
                    "differs" => Role::SeverityCritical,
                    "not_decided" => Role::StateUnknown,
                    _ => Role::Text,
                };
                self.put("told", Line::default().spelt(role, &split.sentence()).clone());
                let model = self.model;
                let when = format!("{} ({} ago)", clock(*at, &model.setup.zone), age(*at, model.now));
                self.put("looked", Line::of(Role::Text, when));
                let says = split.clients.iter().map(|(client, looks)| {
                    let says = format!("{} {}, declares {}: ", client.name, client.version, client.declared());
                    Line::of(Role::Text, says + &count(*looks, "look"))
                });
                self.put_each("as", says);
            }
        }
    }

    /// The rules of the policy over the server as a whole, each with what came of it.
    fn policy(&mut self) {
        let Some(verdicts) = &self.server.look.verdicts else { return };
        self.page.heading("policy rules");
        for verdict in &verdicts.rules {
            let role = if verdict.fails() { Role::Warning } else { Role::Dim };
            let mut line = Line::of(role, format!("{:6} ", verdict.level()));
            line.quote(Role::Text, &verdict.rule);
            if verdict.level() != "pass" {
                line.put(Role::Dim, ": ").quote(Role::Text, &verdict.sentence());
            }
            self.page.say(&line, 9);
        }
        self.put("judged on", Line::of(Role::Dim, verdicts.digest.as_str()));
    }

    fn connection(&mut self) {
        let (model, look) = (self.model, &self.server.look);
        self.page.heading("connection");
        self.put("state", waits::connection(model, self.server));
        let width = self.page.width.saturating_sub(LABEL);
        let failed = failure::lines(self.server, &model.setup.zone, width, [ALL; 2]);
        if let Some(reason) = look.stale.as_ref().filter(|_| failed.is_empty()) {
            self.put("reason", Line::default().spelt(Role::Stale, &reason.text).clone());
        }
        self.put_each("reason", failed);
        if look.scanner.is_some() {
            let key = model.setup.keymap.key(Action::AskConsent, &[Context::Details]).unwrap_or_default();
            let mut line = Line::of(Role::Warning, "the scanner needs your consent: ");
            self.put("opinion", line.put(Role::Key, key).put(Role::Dim, " shows what would run").clone());
        }
        match look.last_good {
            Some(at) => {
                let text = format!("{} ({} ago)", clock(at, &model.setup.zone), age(at, model.now));
                self.put("last answer", Line::of(Role::Text, text));
            }
            None => self.put("last answer", Line::of(Role::Stale, "never")),
        }
        if let Some(at) = look.next_poll {
            self.put("next check", Line::of(Role::Text, clock(at, &model.setup.zone)));
        }
        if let Some(pid) = look.pid {
            self.put("process", Line::of(Role::Text, pid.to_string()));
        }
        if look.dropped > 0 {
            self.put("dropped", Line::of(Role::Warning, count(look.dropped, "update")));
        }
        self.put("time zone", Line::of(Role::Dim, model.setup.zone.iana_name().unwrap_or("local time")));
    }

    fn launch(&mut self) {
        let look = &self.server.look;
        self.page.heading("launch (secrets masked)");
        match &look.launch.transport {
            Transport::Stdio { command, args, cwd, env } => {
                self.quoted("runs", command);
                self.put_each(" ", args.iter().map(|arg| spelt(&argument(arg))));
                self.quoted("in", cwd);
                if !env.is_empty() {
                    self.quoted("sets", &env.join(", "));
                }
            }
            Transport::Http { url, headers } => {
                self.quoted("opens", url);
                if !headers.is_empty() {
                    self.quoted("headers", &headers.join(", "));
                }
            }
        }
        for (at, origin) in look.origins.iter().enumerate() {
            self.quoted(if at == 0 { "named in" } else { "and in" }, &origin.sentence());
        }
        let mut users: Vec<&str> = Vec::new();
        for user in look.origins.iter().filter_map(|origin| origin.client) {
            if !users.contains(&user) {
                users.push(user);
            }
        }
        if !users.is_empty() {
            self.put("used by", Line::of(Role::Text, users.join(", ")));
        }
        let resolved = look.resolved.as_ref().map(|resolved| resolved.sentences()).unwrap_or_default();
        self.put_each("resolves to", resolved.iter().map(|text| spelt(text)));
    }

    fn protocol(&mut self) {
        self.page.heading("protocol");
        match &self.server.look.observed_as {
            Some(observed) => {
                let mut version = Line::of(Role::Text, format!("{}  ", observed.era.word()));
                self.put("handshake", version.spelt(Role::Text, &observed.protocol_version).clone());
                let declared = serde_json::Value::Object(observed.client_capabilities.clone()).to_string();
                self.quoted("we declare", &declared);
            }
            None => self.put("handshake", Line::of(Role::Dim, "none yet")),
        }
        // Of the review, whose items show no secret.
        let rows = || self.server.look.review.iter().flat_map(|review| &review.rows);
        for (kind, label) in [(Kind::ServerInfo, "server info"), (Kind::Capabilities, "capabilities")] {
            let own = |item: &&Arc<Item>| item.id.kind == kind && !is_of_the_server(&item.id);
            for item in rows().filter_map(|row| row.now.as_ref()).filter(own) {
                let text = indented(&item.definition.as_read(), &|_| false);
                let (room, cut) = (self.page.width.saturating_sub(LABEL), self.model.setup.glyphs.ellipsis);
                let lines = text.trim_end().split('\n').map(|line| {
                    let body = line.trim_start_matches(' ');
                    let mut shown = Line::of(Role::Text, " ".repeat((line.len() - body.len()).min(32)));
                    shown.spelt(Role::Text, body).clone().fit(room, cut)
                });
                self.put_each(label, lines);
            }
        }
    }

    fn lists(&mut self) {
        let Some(surface) = &self.server.look.surface else { return };
        self.page.heading("lists");
        for (kind, state) in &surface.completeness {
            let many = surface.items.iter().filter(|item| item.id.kind == *kind).count();
            let unknown =
                |text: String, why: &str| Line::of(Role::StateUnknown, text).spelt(Role::StateUnknown, why).clone();
            let line = match state {
                Completeness::Complete if kind.key_member().is_none() => continue,
                Completeness::Complete => Line::of(Role::Text, many.to_string()),
                Completeness::Partial(why) => unknown(format!("{many}, incomplete: "), &why.text),
                Completeness::Failed(why) => unknown("not read: ".to_owned(), &why.text),
                Completeness::Ignored => Line::of(Role::Dim, "ignored by the config"),
            };
            let label = match kind {
                Kind::Tool => "tools",
                Kind::Prompt => "prompts",
                Kind::Resource => "resources",
                Kind::ResourceTemplate => "templates",
                other => other.word(),
            };
            self.put(label, line);
        }
    }

    fn baseline(&mut self) {
        self.page.heading("baseline");
        match &self.server.look.baseline {
            BaselineState::Verifying => self.page.words(Role::Dim, "verifying its digests"),
            BaselineState::Absent => self.page.words(Role::Warning, "none yet"),
            BaselineState::Refused(why) => {
                self.page.say(Line::of(Role::SeverityCritical, "refused: ").spelt(Role::Text, why), 2);
            }
            BaselineState::Present(baseline) => {
                let pins = count(baseline.pins.len(), "pin");
                let rejections = count(baseline.rejections.len(), "rejection");
                self.put("holds", Line::of(Role::Text, format!("{pins}, {rejections}")));
                let covers = if baseline.digest_scope == DigestScope::None { "do not cover" } else { "cover" };
                self.put("scope", Line::of(Role::Text, format!("definition digests {covers} the server's id")));
                self.put("manifest", self.manifest(baseline));
                if let Some(reason) = self.server.look.unchecked() {
                    self.put("unknown", Line::of(Role::StateUnknown, reason.text.clone()));
                }
            }
        }
    }

    /// Assay's digest of all tools, pinned and now. Of a list that was not read whole there is none.
    fn manifest(&self, baseline: &Baseline) -> Line {
        let pinned = manifest_of(baseline.pins.iter().map(|pin| pin.item.as_ref()));
        let surface = self.server.look.surface.as_ref().filter(|surface| surface.is_complete(Kind::Tool));
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

    fn notices(&mut self) {
        let line = |notice: &Notice| {
            let times = if notice.count > 1 { format!("  x{}", notice.count) } else { String::new() };
            spelt(&notice.text).put(Role::Dim, times).clone()
        };
        self.list("warnings", self.server.look.odd().map(line));
    }
}
