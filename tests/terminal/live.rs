//! Drift while somebody watches.

use super::project::{Project, drifted, two_tools};
use super::start::pinwatch;
use super::{eventually, recorded, selected, watching};
use serde_json::json;

#[test]
fn drift_appears_without_moving_the_cursor() {
    let project = recorded();
    let mut screen = watching(&project, 120, 40);
    screen.press("down 2");
    screen.until("capabilities selected", |screen| selected(screen)?.contains("capabilities").then_some(()));
    project.surface("files", &drifted());
    screen.until_shows("1 moderate");
    screen.until_shows("read_file      ◆");
    assert!(screen.look(selected).expect("a selection").contains("capabilities"), "{}", screen.contents());
    // Back at its pin it is approved again.
    project.surface("files", &two_tools());
    screen.until("no drift", |screen| (!screen.contents().contains("1 moderate")).then_some(()));
    assert!(screen.look(selected).expect("a selection").contains("capabilities"), "{}", screen.contents());
}

#[test]
fn enter_opens_the_diff_and_help_names_its_keys() {
    let project = recorded();
    let mut screen = watching(&project, 120, 40);
    project.surface("files", &drifted());
    screen.until_shows("1 moderate");
    screen.press("next-undecided, open");
    screen.until_shows("q back");
    screen.until_shows("a copy to the archive.");
    screen.until_shows("moderate");
    screen.press("help");
    screen.until_shows("─ Help");
    screen.until_shows("approve what is served");
    screen.press("filter, type 'digest'");
    screen.until("the filtered help", |screen| {
        let contents = screen.contents();
        (contents.contains("every digest") && !contents.contains("half a page")).then_some(())
    });
    screen.press("key 'enter', help");
    screen.until("the help gone", |screen| (!screen.contents().contains("─ Help")).then_some(()));
    screen.press("digests");
    screen.until_shows("Sees every change");
    screen.press("quit");
    screen.until_shows("a copy to the archive.");
    screen.press("quit");
    screen.until_shows("▸● DRIFT");
    screen.press("events");
    screen.until_shows("─ Events");
    screen.until_shows("DRIFT");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}

/// A list of twenty, thirteen deep, five times: each is ended after its 2 s, and all after 10 s.
#[test]
fn keys_are_answered_while_a_rule_is_evaluated() {
    let project = recorded();
    let list = "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]";
    let bomb = (0..13).fold("true".to_owned(), |inside, at| format!("{list}.all(x{at}, {inside})"));
    let rule = |at| format!("[[policy.rule]]\nname = \"bomb_{at}\"\nexpr = \"{bomb}\"\n");
    let rules: String = (0..5).map(rule).collect();
    project.write("pinwatch.toml", &format!("{rules}{}", Project::entry("files", &[])));
    let mut screen = pinwatch(&project, &["watch", "--yes"], 120, 40);
    screen.until_shows("Nothing needs you.");
    for _ in 0..3 {
        screen.press("help");
        screen.until_shows("─ Help");
        screen.press("key 'q'");
        screen.until("the help gone", |screen| (!screen.contents().contains("─ Help")).then_some(()));
    }
    assert!(!screen.contents().contains("POLICY"), "evaluated by now: {}", screen.contents());
    screen.until_shows("POLICY  bomb_0: not evaluated: it was ended after 2 s");
    screen.until_shows("and 4 more");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}

#[test]
fn hanging_and_flooding_servers_delay_no_other() {
    let project = Project::with_files();
    for id in ["hanging", "flooding"] {
        project.surface(id, &two_tools());
    }
    // Whoever waited for one of these two would wait past every ceiling here.
    let patient = "start-timeout = \"1h\"\nrequest-timeout = \"1h\"\n";
    let entries = [("files", ""), ("flooding", "flood-for-ever"), ("hanging", "hang")]
        .map(|(id, behave)| Project::entry(id, &[behave][usize::from(behave.is_empty())..]) + patient);
    project.write("pinwatch.toml", &entries.concat());
    project.expect(0, &["record", "--yes", "files"]);
    let mut screen = pinwatch(&project, &["watch", "--yes"], 120, 40);
    screen.until_shows("✓ files OK");
    screen.until("both started", |_| (project.was_started("hanging") && project.was_started("flooding")).then_some(()));
    for surface in [drifted(), two_tools(), drifted()] {
        let clean = surface == two_tools();
        project.surface("files", &surface);
        screen.until("files as it is now", |screen| (screen.contents().contains("1 moderate") != clean).then_some(()));
    }
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}

#[test]
fn looks_and_keys_go_on_while_a_scanner_runs() {
    let project = recorded();
    project.write("scan.sh", "cat >/dev/null\necho >asked\nuntil [ -e go ]; do sleep 0.02; done\ncat answer.json\n");
    let said = json!({"item": "tool/read_file", "pointer": "/description", "rule": "r", "severity": "critical",
        "message": "Sends files away"});
    project.write("answer.json", &json!({"format": "pinwatch.opinion.v1", "findings": [said]}).to_string());
    project.write(
        "pinwatch.toml",
        &format!("[findings]\ncommand = [\"sh\", \"scan.sh\"]\n{}", Project::entry("files", &[])),
    );
    let mut screen = watching(&project, 120, 40);
    let mut served = drifted();
    project.surface("files", &served);
    screen.until_shows("1 moderate");
    eventually("the scanner is asked", || project.path("asked").exists());
    screen.press("help");
    screen.until_shows("─ Help");
    screen.press("quit");
    served["tools"].as_array_mut().expect("tools").push(json!({"name": "zip", "inputSchema": {"type": "object"}}));
    project.surface("files", &served);
    screen.until_shows("2 moderate");
    assert!(!screen.contents().contains("critical"), "{}", screen.contents());
    project.write("go", "");
    screen.until_shows("1 critical");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}

#[test]
fn posing_tool_is_critical_in_the_list() {
    let project = Project::with_files();
    let mut other = two_tools();
    other["server_info"]["name"] = "helper".into();
    other["tools"] = json!([{"name": "help", "description": "Helps.", "inputSchema": {"type": "object"}}]);
    project.surface("helper", &other);
    project.write("pinwatch.toml", &[Project::entry("files", &[]), Project::entry("helper", &["string-ids"])].concat());
    project.expect(0, &["record", "--yes"]);
    let mut screen = pinwatch(&project, &["watch", "--yes"], 120, 40);
    screen.until_shows("Nothing needs you");
    other["tools"].as_array_mut().expect("tools").push(two_tools()["tools"][1].clone());
    project.surface("helper", &other);
    screen.until_shows("1 critical");
    screen.until_shows("▸▲ read_file");
    screen.press("open");
    screen.until_shows("Has the name of `read_file` of server `files`");
    // Where the other one has gone, nothing is met.
    project.write("pinwatch.toml", &Project::entry("helper", &["string-ids"]));
    screen.until("calm", |screen| (!screen.contents().contains("▲")).then_some(()));
    screen.until_shows("moderate");
}

#[test]
fn escapes_of_a_server_never_reach_the_terminal() {
    let project = Project::with_files();
    let mut hostile = two_tools();
    let title = "\u{1b}]0;owned\u{7}";
    hostile["server_info"]["title"] = title.into();
    hostile["tools"][0]["name"] = "list\u{1b}]52;c;b3duZWQ=\u{7}files".into();
    hostile["tools"][1]["title"] = title.into();
    hostile["tools"][1]["description"] = "Read.\u{1b}[2J\u{1b}[31mowned\u{9b}5m\u{200b}\u{202e}\u{e0041}".into();
    hostile["instructions"] = title.into();
    project.surface("files", &hostile);
    let mut screen = pinwatch(&project, &["watch", "--yes"], 120, 40);
    screen.until_shows("as the baseline");
    screen.press("pane-items");
    for _ in 0..8 {
        screen.press("down");
    }
    for _ in 0..8 {
        screen.takes("open");
        screen.until_shows("q back");
        screen.press("quit, up");
    }
    screen.until_shows("<U+001B>");
    screen.press("events");
    screen.until_shows("none of them approved");
    screen.press("quit 5");
    assert_eq!(screen.wait(), 0);
    let written = screen.written();
    let text = String::from_utf8_lossy(&written);
    for raw in
        ["\u{1b}]0;", "\u{1b}]52", "\u{7}", "\u{1b}[2J\u{1b}[31mowned", "\u{9b}", "\u{200b}", "\u{202e}", "\u{e0041}"]
    {
        assert!(!text.contains(raw), "{raw:?} was written");
    }
    assert!(text.contains("<U+001B>"));
}

/// What a server sends back of the secrets that it was given is masked wherever it is shown: in what it says of itself, and
/// in the reason for which a list was not read.
#[test]
fn the_details_show_no_secret_that_was_passed() {
    const SECRET: &str = "hunter2-k9Zq8wLmT4xV";
    let project = Project::new();
    let mut surface = two_tools();
    surface["server_info"]["version"] = SECRET.into();
    project.surface("files", &surface);
    let entry = Project::entry("files", &["error-at-list"]);
    // The fixture's error quotes it.
    project.write("pinwatch.toml", &format!("{entry}env = {{ API_TOKEN = {SECRET:?} }}\n"));
    let mut screen = pinwatch(&project, &["watch", "--yes"], 120, 60);
    screen.until_shows("as the baseline");
    screen.press("details");
    screen.until_shows("server info");
    screen.until_shows("not read: tools/list was answered with error");
    let written = String::from_utf8_lossy(&screen.written()).into_owned();
    assert!(!written.contains(SECRET), "{}", screen.contents());
}

#[test]
fn renamed_server_shows_snapshots_and_history() {
    let project = recorded();
    project.surface("files", &drifted());
    project.expect(0, &["record", "--yes", "--label", "drifted"]);
    project.surface("docs", &drifted());
    project.write("pinwatch.toml", &Project::entry("docs", &[]));
    project.expect(0, &["rename", "files", "docs"]);
    let mut screen = pinwatch(&project, &["watch", "--yes"], 120, 40);
    screen.until_shows("Needs you  2");
    screen.press("snapshots");
    screen.until_shows("\"drifted\"");
    screen.until("both snapshots", |screen| (screen.contents().matches(" snapshot   ").count() == 2).then_some(()));
    // The two are compared as this server's; where the baseline stands depends on the second in which it was written.
    screen.takes("top");
    for _ in 0..4 {
        let contents = screen.contents();
        if contents.lines().any(|row| row.contains('▸') && row.contains(" snapshot ")) {
            screen.takes("mark");
        }
        screen.takes("down");
    }
    screen.press("open");
    screen.until("one against the other", |screen| {
        let contents = screen.contents();
        (contents.contains("─ docs  snapshot ") && contents.contains("a copy to the archive.")).then_some(())
    });
    screen.press("quit");
    screen.until_shows("─ Snapshots of docs");
    screen.press("quit, pane-items");
    screen.until_shows("tab next pane");
    // What was decided under the old id is the history of the item, and was decided here.
    screen.press("top, bottom");
    screen.until("the last item", |screen| selected(screen).filter(|row| row.contains("OK")));
    assert!(!screen.contents().contains("in file") && !screen.contents().contains("file:"), "{}", screen.contents());
    screen.press("history");
    screen.until_shows("by ana  \"first");
    screen.until("its snapshots", |screen| (screen.contents().matches(" snapshot   ").count() == 2).then_some(()));
}
