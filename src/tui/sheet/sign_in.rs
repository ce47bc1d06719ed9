//! The dialog of a sign-in: where it stands, and what comes next.

use super::Sheet;
use crate::monitor::SigningIn;
use crate::tui::document::Document;
use crate::tui::line::{Line, Role};

/// What a sign-in that stands here says, and what the confirm key does.
pub fn write(sheet: &mut Sheet, server: &str, stage: &SigningIn) {
    let (title, yes) = match stage {
        SigningIn::Agree(_) => ("Let other hosts sign you in to ", "agree to exactly these hosts"),
        SigningIn::Open(_) => ("Sign in to ", "copy the URL"),
        SigningIn::Wanted { .. } | SigningIn::Asking => ("Sign in to ", "ask the server where"),
    };
    let after = if matches!(stage, SigningIn::Agree(_)) { "?" } else { "" };
    let page = &mut sheet.asks(title, Some(server), after, yes).body;
    if matches!(stage, SigningIn::Wanted { .. }) {
        page.say(&standing(stage), 2);
    }
    stands(page, stage);
}

/// What a person should know of where it stands.
pub fn stands(page: &mut Document, stage: &SigningIn) {
    match stage {
        SigningIn::Wanted { asked, .. } => {
            page.say(&Line::quoted(Role::Dim, &asked.text), 0);
            page.gap();
            let text = "pinwatch asks the server where one signs in, shows you the hosts, and then a URL for your browser. \
                        It opens no browser by itself.";
            page.words(Role::Dim, text);
        }
        SigningIn::Asking => page.words(Role::Text, "Waiting for an answer."),
        SigningIn::Agree(hosts) => {
            page.words(Role::Text, "The server says that one signs in somewhere else:");
            page.gap();
            page.say_each(hosts.iter().map(|host| Line::of(Role::Text, "  ").quote(Role::Warning, host).clone()), 4);
            page.gap();
            let text = "You type your password there, and it decides who you are. A server can name any host: agree only to one \
                        that you would sign in at for this server.";
            page.words(Role::Dim, text);
        }
        SigningIn::Open(url) => {
            page.words(Role::Text, "Open this URL in your browser and agree there:");
            page.gap();
            page.say(&Line::quoted(Role::Text, url), 0);
            page.gap();
            page.words(Role::Dim, "Waiting ten minutes for the browser, also when this is closed.");
        }
    }
}

/// Where a sign-in stands, in one line.
pub fn standing(stage: &SigningIn) -> Line {
    let text = match stage {
        SigningIn::Wanted { refused: Some(why), .. } => {
            let mut line = Line::of(Role::Warning, format!("Needs sign-in; refused ({}): ", why.code));
            return line.quote(Role::Text, &why.text).clone();
        }
        SigningIn::Wanted { .. } => "Needs sign-in",
        SigningIn::Asking => "Needs sign-in; waiting for an answer",
        SigningIn::Agree(_) => "Needs sign-in; other hosts wait for your consent",
        SigningIn::Open(_) => "Needs sign-in; waiting for your browser",
    };
    Line::of(Role::Text, text)
}
