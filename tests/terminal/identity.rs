//! Who the server is, while somebody watches: what it shows to others, and what expires by itself.

use super::attest::{document, trust_root};
use super::fixture::fixture_server;
use super::project::{Project, drifted, two_tools};
use super::start::pinwatch;
use super::watching;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

#[test]
fn a_second_face_is_shown_on_request() {
    let project = Project::with_files();
    project.surface("other", &drifted());
    let args = json!(["files.json", "--face", "cursor-vscode=other.json"]);
    let config = format!("[servers.files]\ncommand = {}\nargs = {args}\n", json!(fixture_server()));
    project.write("pinwatch.toml", &config);
    project.expect(0, &["record", "--yes"]);
    let mut screen = watching(&project, 120, 40);
    screen.press("details, look-as");
    screen.until_shows("Look at files as other clients?");
    screen.until_shows("cursor-vscode 1.0.0, which declares elicitation, roots");
    screen.press("confirm");
    screen.until_shows("are not shown the same");
    screen.press("quit, home");
    screen.until_shows("Shows cursor another `description` of tool/read_file than pinwatch");
    screen.until_shows("2 faces");
    screen.press("open, bottom, approve");
    screen.until_shows("not settled by deciding");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}

#[test]
fn an_expiring_key_is_noticed_though_nothing_moves() {
    let project = Project::with_files();
    let mut surface = two_tools();
    let assertion = document("urn:example:files", ("k1", 1));
    surface["capabilities"]["experimental"] = json!({"mcp-attestation": assertion});
    project.surface("files", &surface);
    let mut root = trust_root(&[("k1", 1)]);
    let end = Timestamp::now() + SignedDuration::from_secs(12);
    root["keys"][0]["notAfter"] = end.strftime("%Y-%m-%dT%H:%M:%SZ").to_string().into();
    project.write("root.json", &root.to_string());
    let config = format!("[trust]\nroot = \"root.json\"\n{}poll-interval = \"1s\"\n", Project::entry("files", &[]));
    project.write("pinwatch.toml", &config);
    project.expect(0, &["record", "--yes"]);
    let mut screen = pinwatch(&project, &["watch", "--yes"], 120, 40);
    screen.until_shows("signer_expired");
    screen.until_shows("The attestation is gone");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}
