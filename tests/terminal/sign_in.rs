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
