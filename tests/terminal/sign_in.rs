//! Signing in from the screen of the built binary, with a person in the browser.

use super::project::Project;
use super::signed::{Signed, agree};
use super::start::pinwatch;

/// The URL that the open dialog shows, over several rows.
fn url(contents: &str) -> Option<String> {
    let rows = contents.lines().map(|row| row.trim().trim_matches('│').trim());
    let rows = rows.skip_while(|row| !row.contains("/authorize?")).take_while(|row| !row.is_empty());
    let url: String = rows.collect();
    url.contains("scope=").then_some(url)
}

#[test]
fn a_sign_in_of_another_terminal_is_noticed() {
    let server = Signed::start();
    let project = Project::new();
    project.write("pinwatch.toml", &format!("[servers.weather]\nurl = \"{}\"\n", server.url()));
    let mut screen = pinwatch(&project, &["watch", "--yes"], 120, 36);
    screen.until_shows("Needs sign-in");
    let host = server.issuer_host();
    let mut other = pinwatch(&project, &["sign-in", "weather", "--yes", "--agree", &host], 400, 36);
    let url = other.until("the whole URL", |screen| {
        let contents = screen.contents();
        let url = contents.lines().find(|row| row.contains("/authorize?"))?.trim().to_owned();
        Some(url)
    });
    assert!(agree(&url).contains("You can close this page."));
    assert_eq!(other.wait(), 0);
    screen.until_shows("1 not recorded");
    screen.press("events");
    screen.until_shows("in another terminal: account ana");
    project.expect(0, &["sign-out", "weather"]);
    screen.until_shows("signed out in another terminal");
    screen.press("quit");
    screen.until_shows("Needs sign-in");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}

#[test]
fn a_person_signs_in_from_the_screen() {
    let server = Signed::start();
    let project = Project::new();
    project.write("pinwatch.toml", &format!("[servers.weather]\nurl = \"{}\"\n", server.url()));
    let mut screen = pinwatch(&project, &["watch", "--yes"], 120, 36);
    screen.until_shows("Needs sign-in");
    screen.press("open");
    screen.until_shows("The server says that one signs in somewhere else");
    screen.until_shows(&server.issuer_host());
    assert!(server.asked().iter().all(|asked| !asked.of_issuer), "asked before anybody agreed");
    screen.press("confirm");
    let url = screen.until("the whole URL", |screen| url(&screen.contents()));
    assert!(agree(&url).contains("You can close this page."));
    screen.until_shows("1 not recorded");
    let shown = String::from_utf8_lossy(&screen.written()).into_owned();
    assert!(server.given().iter().all(|token| !shown.contains(token.as_str())), "a token was shown");
    screen.press("events");
    screen.until_shows("account ana at");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}
