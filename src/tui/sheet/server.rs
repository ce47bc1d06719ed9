//! The dialogs about a server as a whole: its first record, its launch, what its file asks, whether it may stay unwatched.

use super::Sheet;
use crate::config::Asked;
use crate::config::consent::ConsentRequest;
use crate::digest::SurfaceDigest;
use crate::interop::mcptrust::LockSays;
use crate::monitor::LOCK;
use crate::review::{Review, RowId};
use crate::surface::{ClientIdentity, Kind, Reason, ServerId};
use crate::tui::document::Document;
use crate::tui::effect::Target;
use crate::tui::line::Line;
use crate::tui::model::{Dialog, Model};
use crate::tui::theme::Role;
use crate::tui::words::{argument, count};
use serde_json::Value;
use std::sync::Arc;

/// Cells of the names before the descriptions.
const NAMES: usize = 24;
/// Resources that are listed; more are counted.
const FEW: usize = 5;

/// First contact: what needs a look of its own first and apart, then what becomes a pin, by the first line of what it says of
/// itself. Resources are the user's data, and are counted.
pub fn baseline(sheet: &mut Sheet, model: &Model, dialog: &Dialog, (targets, apart): (&[Target], &[(RowId, String)])) {
    let cut = model.setup.glyphs.ellipsis;
    let shown = model.server_of(&dialog.server).map(|server| &server.look);
    let review = shown.and_then(|look| look.review.as_deref());
    let lock = shown.and_then(|look| look.lock.as_deref());
    let column = Column { says: lock.and_then(|says| says.as_ref().ok()), model };
    let items = count(targets.len(), "item");
    let text = "as the baseline; later changes to them are shown. This says what you saw, not that it is safe.";
    sheet.body.words(Role::Dim, format!("Records {items} {text}"));
    if let Some(lock) = lock {
        let served = review.iter().flat_map(|review| &review.rows).filter_map(|row| row.now.as_ref());
        told_by_lock(&mut sheet.body, model, lock, served.map(|item| item.digests.surface));
    }
    let text = format!("{} not recorded: decide on each afterwards", count(apart.len(), "item"));
    sheet.apart(
        text,
        apart.iter().map(|(row, why)| {
            let now = review.and_then(|review| review.row(row)?.now.as_ref()).map(|item| item.digests.surface);
            let mut line = column.cell(now);
            line.put(Role::SeverityCritical, format!("  {} ", model.setup.glyphs.critical));
            line.row([Role::Text; 2], row).put(Role::Dim, "  ").quote(Role::Text, why).clone()
        }),
    );
    let page = &mut sheet.body;
    let mut folded = Vec::new();
    for kind in [Kind::Tool, Kind::Prompt, Kind::ResourceTemplate, Kind::Resource] {
        let of_kind: Vec<_> = targets.iter().filter(|(row, _)| row.item.kind == kind).collect();
        let many = count(of_kind.len(), &kind.word().replace('_', " "));
        if of_kind.len() > FEW && !matches!(kind, Kind::Tool | Kind::Prompt) {
            folded.push(Line::of(Role::Text, format!("+ {many}")));
        } else if !of_kind.is_empty() {
            page.part(column.heading(many));
            page.lines.extend(of_kind.into_iter().map(|(row, digest)| {
                let mut line = column.cell(Some(*digest));
                let name = Line::of(Role::Text, "  ").quote(Role::Text, &row.item.key).number(row).clone();
                line.join(described(review, row, name, cut));
                line.fit(page.width, cut)
            }));
        }
    }
    page.gap();
    page.lines.extend(folded);
    for (row, digest) in targets.iter().filter(|(row, _)| row.item.kind.key_member().is_none()) {
        let mut line = column.cell(Some(*digest));
        line.put(Role::Text, format!("+ {}", row.item.kind.word().replace('_', " ")));
        if let Some(text) = first_line(review, row).filter(|_| row.item.kind == Kind::Instructions) {
            line.put(Role::Text, "  ").quote(Role::Dim, &text);
        }
        page.push(line.fit(page.width, cut));
    }
}

/// What a lock in the project says of each item, before it; without one there is no such column.
struct Column<'a> {
    says: Option<&'a LockSays>,
    model: &'a Model,
}

impl Column<'_> {
    /// Four cells: the column's name is that wide.
    fn cell(&self, item: Option<SurfaceDigest>) -> Line {
        let glyphs = &self.model.setup.glyphs;
        let Some(says) = self.says else { return Line::default() };
        let (role, sign) = match item.and_then(|digest| says.items.get(&digest)) {
            Some(true) => (Role::StateApproved, glyphs.approved),
            Some(false) => (Role::Warning, glyphs.differs),
            None => (Role::Dim, glyphs.none),
        };
        Line::of(role, format!(" {sign:<3}"))
    }

    fn heading(&self, text: String) -> Line {
        let mut line = Line::of(Role::Column, if self.says.is_some() { "lock  " } else { "" });
        line.put(Role::Heading, text).clone()
    }
}

/// What a lock in the project says of all that is served, and what its signs mean.
fn told_by_lock(
    page: &mut Document,
    model: &Model,
    lock: &Result<LockSays, String>,
    served: impl Iterator<Item = SurfaceDigest>,
) {
    let says = match lock {
        Err(why) => {
            page.say(&Line::quoted(Role::Warning, why), 2);
            return;
        }
        Ok(says) => says,
    };
    let (mut same, mut different, mut absent) = (0, 0, 0);
    for digest in served {
        *match says.items.get(&digest) {
            Some(true) => &mut same,
            Some(false) => &mut different,
            None => &mut absent,
        } += 1;
    }
    let glyphs = &model.setup.glyphs;
    let mut line = Line::of(Role::Dim, format!("{LOCK} here  "));
    line.put(Role::StateApproved, glyphs.approved).put(Role::Dim, format!(" {same} as locked  "));
    line.put(Role::Warning, glyphs.differs).put(Role::Dim, format!(" {different} different  "));
    line.put(Role::Dim, format!("{} {absent} not in it", glyphs.none));
    page.say(&line, 2);
    if let [first, rest @ ..] = says.gone.as_slice() {
        let mut line = Line::of(Role::Warning, "locked and not served: ");
        line.quote(Role::Text, &first.text());
        for id in rest.iter().take(FEW - 1) {
            line.put(Role::Text, ", ").quote(Role::Text, &id.text());
        }
        let more = rest.len().saturating_sub(FEW - 1);
        line.put(Role::Dim, if more > 0 { format!(" and {more} more") } else { String::new() });
        page.say(&line, 2);
    }
}

/// An item's name and the first line of its description.
pub fn described(review: Option<&Review>, row: &RowId, name: Line, cut: &str) -> Line {
    let mut line = if name.width() < NAMES { name.pad(NAMES, cut) } else { name };
    line.put(Role::Text, "  ");
    match first_line(review, row) {
        Some(text) => line.quote(Role::Dim, &text),
        None => line.put(Role::Dim, if row.item.kind == Kind::Tool { "no description" } else { "" }),
    };
    line
}

/// The first line with words in it: of the description, or of the text that an item is. Not escaped.
fn first_line(review: Option<&Review>, row: &RowId) -> Option<String> {
    let definition = review?.row(row)?.now.as_ref()?.definition.as_read();
    let text = match &definition {
        Value::String(text) => text.as_str(),
        other => other.get("description")?.as_str()?,
    };
    text.lines().find(|line| !line.trim().is_empty()).map(str::to_owned)
}

/// What a person agrees to before a launch that a found file names, word for word: exactly what would run or be opened.
pub fn launch(page: &mut Document, request: &ConsentRequest) {
    page.words(
        Role::Dim,
        if request.is_of_scanner() {
            "A second opinion runs this command as you, and gives it each text that you have not approved, of every server."
        } else if request.opens_url() {
            "Watching this server opens this URL; a URL can carry a secret away."
        } else {
            "Watching this server runs this command as you."
        },
    );
    if !request.off.is_empty() {
        page.gap();
    }
    page.say_each(request.off.iter().map(|off| Line::quoted(Role::Warning, off)), 2);
    page.say_each(request.notes.iter().map(|note| Line::quoted(Role::Dim, note)), 2);
    if !request.changed.is_empty() {
        page.gap();
        page.words(Role::Warning, "Changed since you agreed:");
    }
    for change in &request.changed {
        page.say(Line::of(Role::Warning, "  ").quote(Role::Text, change), 4);
    }
    page.gap();
    let [does, names] = if request.opens_url() { ["opens    ", "headers  "] } else { ["runs     ", "sets     "] };
    for (at, word) in request.argv.iter().enumerate() {
        page.labelled(if at == 0 { does } else { "         " }, &argument(word));
    }
    if let Some(cwd) = &request.cwd {
        page.labelled("in       ", &cwd.display().to_string());
    }
    for (label, words) in [(names, &request.names), ("reads    ", &request.variables)] {
        if !words.is_empty() {
            page.labelled(label, &words.join(", "));
        }
    }
    page.labelled("named in ", &request.origin.display().to_string());
}

/// Looking at a server as other clients: what it is told, and what of that is true.
pub fn faces(sheet: &mut Sheet, model: &Model, dialog: &Dialog, clients: &[Arc<ClientIdentity>]) {
    let page = &mut sheet.body;
    let launch = model.server_of(&dialog.server).map(|server| server.look.launch.line()).unwrap_or_default();
    page.words(
        Role::Dim,
        "Starts it again as pinwatch and as each of these, one after another, reads its lists and ends it. Where something \
         differs, up to twelve starts in all. No tool is called.",
    );
    page.gap();
    page.labelled("starts   ", &launch);
    for (at, client) in clients.iter().enumerate() {
        let says = format!("{} {}, which declares {}", client.name, client.version, client.declared());
        page.labelled(if at == 0 { "as       " } else { "         " }, &says);
    }
    page.gap();
    page.words(Role::Dim, "The server is told that these ask, not pinwatch. Over HTTP its operator may see that.");
}

/// Several launches that were marked: each as it was shown, and their number to be typed.
pub fn launches(sheet: &mut Sheet, requests: &[Arc<ConsentRequest>], apart: &[ServerId]) {
    let title = format!("Start {}?", count(requests.len(), "server"));
    let page = &mut sheet.asks(&title, None, "", "agree to exactly these, and start them").body;
    page.words(
        Role::Dim,
        "Watching them runs these commands as you, or opens these URLs. You have seen each of them whole.",
    );
    for request in requests {
        page.part(Line::quoted(Role::Heading, &request.server));
        let words: Vec<_> = request.argv.iter().map(|word| argument(word)).collect();
        page.say(Line::of(Role::Text, "  ").quote(Role::Text, &words.join(" ")), 4);
        page.say(Line::of(Role::Dim, "  named in ").quote(Role::Dim, &request.origin.display().to_string()), 4);
    }
    let text = format!("{} left out, not shown to the end; still marked", count(apart.len(), "server"));
    sheet.apart(text, apart.iter().map(|server| Line::of(Role::Text, "  ").quote(Role::Text, server).clone()));
    sheet.body.gap();
}

/// Whether it is accepted that a server is not watched.
pub fn unwatched(sheet: &mut Sheet, model: &Model, dialog: &Dialog, reason: &Reason) {
    let page = &mut sheet.body;
    page.say(&Line::quoted(Role::Text, &reason.text), 0);
    page.gap();
    if let Some(baseline) = model.server_of(&dialog.server).and_then(|server| server.look.baseline.present()) {
        let pins = count(baseline.pins.len(), "pin");
        let text = format!("Its baseline has {pins}; nothing is compared with them while it is not watched.");
        page.words(Role::Text, text);
    }
    let text = "Accepting is written to its baseline and the log; `check` then exits 0. The pins stay, and the next decision \
                on this server ends it.";
    page.words(Role::Dim, text);
}

/// What a client's file asks a person: the question, and who asks. Nobody sees the answer.
pub fn question(page: &mut Document, asked: &Asked) {
    page.say(&Line::quoted(Role::Text, if asked.description.is_empty() { &asked.id } else { &asked.description }), 2);
    page.labelled("asks     ", &asked.file.display().to_string());
    page.labelled("as       ", &format!("${{input:{}}}", asked.id));
    if !asked.choices.is_empty() {
        page.labelled("one of   ", &asked.choices.join(", "));
    }
    page.gap();
    let text = "The answer stays in memory until pinwatch ends; it is never shown or written. You are asked before the \
                server starts.";
    page.words(Role::Dim, text);
}
