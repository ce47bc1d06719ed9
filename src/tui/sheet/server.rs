//! The dialogs about a server as a whole: its launch, what its file asks, whether it may stay unwatched.

use super::{Sheet, apart};
use crate::config::Asked;
use crate::config::consent::ConsentRequest;
use crate::surface::{ClientIdentity, Reason, ServerId};
use crate::tui::document::Document;
use crate::tui::line::{Line, Role};
use crate::tui::model::Server;
use crate::tui::words::{argument, count};
use std::sync::Arc;

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
    page.gap();
    told(page, request);
}

/// What of a launch differs from one to another, and all that a person has to know of it.
fn told(page: &mut Document, request: &ConsentRequest) {
    let start = page.lines.len();
    page.say_each(request.off.iter().map(|off| Line::quoted(Role::Warning, off)), 2);
    page.say_each(request.notes.iter().map(|note| Line::quoted(Role::Dim, note)), 2);
    if !request.changed.is_empty() {
        page.words(Role::Warning, "Changed since you agreed:");
    }
    page.say_each(
        request.changed.iter().map(|change| Line::of(Role::Warning, "  ").quote(Role::Text, change).clone()),
        4,
    );
    if page.lines.len() > start {
        page.gap();
    }
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
pub fn faces(page: &mut Document, server: &Server, clients: &[Arc<ClientIdentity>]) {
    page.words(
        Role::Dim,
        "Starts it again as pinwatch and as each of these, one after another, reads its lists and ends it. Where something \
         differs, up to twelve starts in all. No tool is called.",
    );
    page.gap();
    page.labelled("starts   ", &server.look.launch.line());
    for (at, client) in clients.iter().enumerate() {
        let says = format!("{} {}, which declares {}", client.name, client.version, client.declared());
        page.labelled(if at == 0 { "as       " } else { "         " }, &says);
    }
    page.gap();
    page.words(Role::Dim, "The server is told that these ask, not pinwatch. Over HTTP its operator may see that.");
}

/// Several launches that were marked: each as it was shown, and their number to be typed.
pub fn launches(sheet: &mut Sheet, requests: &[Arc<ConsentRequest>], left_out: &[ServerId]) {
    let title = format!("Start {}?", count(requests.len(), "server"));
    let page = &mut sheet.asks(&title, None, "", "agree to exactly these, and start them").body;
    page.words(
        Role::Dim,
        "Watching them runs these commands as you, or opens these URLs. You have seen each of them whole.",
    );
    for request in requests {
        page.part(Line::quoted(Role::Heading, &request.server));
        told(page, request);
    }
    let text = format!("{} left out, not shown to the end; still marked", count(left_out.len(), "server"));
    apart(page, text, left_out.iter().map(|server| Line::of(Role::Text, "  ").quote(Role::Text, server).clone()));
    page.gap();
}

/// Whether it is accepted that a server is not watched.
pub fn unwatched(page: &mut Document, server: &Server, reason: &Reason) {
    page.say(&Line::quoted(Role::Text, &reason.text), 0);
    page.gap();
    if let Some(baseline) = server.look.baseline.present() {
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
