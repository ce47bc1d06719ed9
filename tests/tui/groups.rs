//! A group is one row that opens into its members, is read as one, and decided as one.

use super::driver::Ui;
use super::looks;
use pinwatch::pin::DecisionState;
use pinwatch::tui::{Ask, Dialog, Effect, Msg, Screen, VersionId};
use serde_json::{Value, json};

fn names(ui: &Ui) -> Vec<String> {
    ui.model.listed.entries.iter().map(|entry| entry.about.key.to_string()).collect()
}

fn tool(name: &str, description: &str) -> Value {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    json!({"name": name, "description": description, "inputSchema": schema})
}

/// The document of the group that stands first.
fn group_of(tools: &[[Option<Value>; 2]]) -> Ui {
    let mut ui = Ui::new(vec![looks::became("some", tools)], (120, 100));
    ui.press("top, pane-change, open");
    ui
}

#[test]
fn a_group_is_one_row_and_opens_into_its_members() {
    let mut ui = Ui::new(vec![looks::sdk_bump(Some("move"))], (120, 40));
    assert_eq!(names(&ui), ["move", "archive"], "what has a change of its own, then the group");
    ui.press("pane-items, down");
    let screen = ui.screen();
    assert!(screen.contains("▸ 5 tools") && screen.contains("Output is now checked against a schema"), "{screen}");
    ui.press("open");
    assert_eq!(names(&ui), ["move", "archive", "archive", "copy", "list", "read", "stat"]);
    assert!(ui.screen().contains("▾ 5 tools"));
    ui.press("down 2, open");
    assert_eq!(
        (ui.model.screen(), ui.selected().as_str()),
        (Screen::Change, "copy"),
        "a member opens as any item does"
    );
    ui.press("back, up 2, open");
    assert_eq!(names(&ui), ["move", "archive"]);
}

#[test]
fn group_is_read_then_decided_by_member_digests() {
    let mut ui = Ui::new(vec![looks::sdk_bump(None)], (80, 24));
    ui.press("pane-items, approve");
    assert!(ui.model.dialog.is_none() && ui.model.screen() == Screen::Change, "it is opened first");
    ui.press("bottom, approve");
    let Some(Dialog { ask: Ask::Decide(decide), .. }) = &ui.model.dialog else { panic!("no dialog") };
    assert_eq!(decide.targets.len(), 6);
    let screen = ui.screen();
    assert!(screen.contains("Approve 6 items on suite?"), "{screen}");
    ui.press("bottom, confirm");
    let asked = ui.asked();
    let [Effect::Decide { verdict: DecisionState::Approved, targets, .. }] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    let look = looks::sdk_bump(None);
    let review = look.review.as_ref().expect("a review");
    for (id, digest) in targets {
        assert_eq!(review.row(id).and_then(pinwatch::review::Row::decides_on), Some(*digest));
    }
}

#[test]
fn the_head_of_a_group_says_who_approved_its_members() {
    let ui = Ui::home(vec![looks::sdk_bump(None)], (120, 40));
    let screen = ui.screen();
    let head: Vec<_> = screen.lines().skip_while(|row| !row.contains("your decision applies")).take(2).collect();
    assert!(head[1].contains("approved by ana 2026-11-02"), "{screen}");
}

#[test]
fn a_group_is_copied_without_the_name_of_one_member() {
    let mut ui = Ui::home(vec![looks::sdk_bump(None)], (120, 40));
    ui.press("copy");
    assert!(ui.screen().contains("what is shown of it"), "{}", ui.screen());
    assert!(!ui.screen().contains("name  archive"), "{}", ui.screen());
}

#[test]
fn every_version_of_the_change_is_in_the_document() {
    let mut ui = Ui::new(vec![looks::sdk_bump(None)], (120, 40));
    ui.press("pane-items, pane-change, open");
    let mut shown = String::new();
    for _ in 0..40 {
        shown += &ui.screen();
        ui.press("page-down");
    }
    for name in ["archive", "copy", "list", "move", "read", "stat"] {
        assert!(shown.contains(&format!("\"title\": \"{name}\"")), "{name}: {shown}");
    }
}

#[test]
fn chosen_row_is_not_taken_into_a_closed_group() {
    let mut ui = Ui::new(vec![looks::sdk_bump(None)], (120, 40));
    ui.press("pane-items, open, down 2");
    assert_eq!(ui.selected(), "copy");
    ui.look(looks::sdk_bump(Some("move")));
    assert_eq!(ui.selected(), "copy");
    ui.press("up 2, open, filter 'stat'");
    assert_eq!(names(&ui), ["archive", "stat"], "a member that fits is found in its closed group");
}

#[test]
fn skipping_a_group_skips_its_members() {
    let mut ui = Ui::new(vec![looks::sdk_bump(None)], (120, 40));
    ui.press("pane-items, skip");
    assert_eq!(ui.model.session.skipped.len(), 6);
    assert!(ui.bottom().contains("nothing else needs a decision"), "{}", ui.bottom());
}

#[test]
fn the_queue_has_a_group_once() {
    let mut ui = Ui::new(vec![looks::sdk_bump(Some("move"))], (120, 40));
    ui.press("home");
    assert_eq!(ui.model.home.rows.len(), 2);
    assert!(ui.screen().contains("5 tools"), "{}", ui.screen());
}

#[test]
fn unstable_item_is_offered_with_varying_values() {
    let look = looks::unstable();
    let mut ui = Ui::new(vec![look], (120, 40));
    ui.press("pane-items, approve, bottom");
    assert!(ui.screen().contains("lets these values vary; otherwise"), "{}", ui.screen());
    ui.press("vary");
    assert!(ui.screen().contains("approve, and let them vary"), "{}", ui.screen());
    ui.press("confirm");
    let asked = ui.asked();
    let [Effect::Decide { varies, .. }] = asked.as_slice() else { panic!("{asked:?}") };
    let places: Vec<_> = varies.iter().map(pinwatch::canon::Pointer::as_str).collect();
    assert_eq!(places, ["/inputSchema/properties/fields/default"]);
}

#[test]
fn new_tools_are_listed_then_each_told_briefly() {
    let names = ["add", "copy", "find", "list", "move", "stat"];
    let new = |name: &str| [None, Some(tool(name, &format!("Does {name}.\nNever {name}s twice\u{A0}.")))];
    let mut tools: Vec<_> = names.map(new).into();
    tools.push([Some(tool("stay", "Stays.")), Some(tool("stay", "Stays."))]);
    let mut ui = group_of(&tools);
    let screen = ui.screen();
    assert!(screen.contains("NEW  moderate  6 new tools; your decision applies to each"), "{screen}");
    let place = |text: &str| screen.find(text).unwrap_or_else(|| panic!("no `{text}`: {screen}"));
    for name in names {
        assert!(place(&format!("  {name}  Does {name}.\n")) < place("\n add\n"), "its line stands on top: {screen}");
        assert!(screen.contains(&format!("   Never {name}s twice⟦1 hidden: U+00A0⟧.\n")), "{name}: {screen}");
    }
    assert_eq!(screen.matches("parameters  path: string (required)\n").count(), 6, "{screen}");
    assert!(!screen.contains("\"type\""), "{screen}");
    ui.press("json 2");
    assert!(ui.screen().contains("\"type\": \"object\""), "{}", ui.screen());
}

#[test]
fn same_edit_is_shown_once_with_its_members() {
    let edited =
        |name: &str| [format!("Does {name}."), format!("Does {name}. Use UTC.")].map(|text| Some(tool(name, &text)));
    let mut tools: Vec<_> = ["add", "copy", "find", "list"].map(edited).into();
    tools.push([Some(tool("stay", "Stays.")), Some(tool("stay", "Stays."))]);
    let screen = group_of(&tools).screen();
    assert!(screen.contains("4 tools, same change; your decision applies to each"), "{screen}");
    assert_eq!(screen.matches(" Use UTC.").count(), 2, "what it is, and its diff: {screen}");
    let names = ["add", "copy", "find", "list"].map(|name| screen.matches(&format!("  {name}\n")).count());
    assert_eq!(names, [1; 4], "{screen}");
}

#[test]
fn of_many_that_are_gone_is_spoken_as_many() {
    let gone = |name: &str| [Some(tool(name, "Does it.")), None];
    let mut tools: Vec<_> = ["add", "copy", "find", "list", "move"].map(gone).into();
    tools.push([Some(tool("stay", "Stays.")), Some(tool("stay", "Stays."))]);
    let screen = group_of(&tools).screen();
    assert!(screen.contains("Existing calls fail: they are no longer served."), "{screen}");
}

#[test]
fn comparison_tells_what_differs_and_decides_nothing() {
    for (look, told) in [(looks::sdk_bump(None), "~ 6 tools  "), (looks::mailer(), "~ send_mail  ")] {
        let (server, review) = (look.id.clone(), look.review.clone().expect("a review"));
        let mut ui = Ui::new(vec![look], (120, 60));
        ui.press("open, json, back, snapshots");
        ui.msg(Msg::Versions { server: server.clone(), item: None, result: Ok(looks::snapshots()) });
        ui.msg(Msg::Compared { server, versions: [VersionId::Pinned, VersionId::Now], result: Ok(review) });
        let screen = ui.screen();
        assert!(screen.contains(told) && !screen.contains("your decision"), "{told}: {screen}");
        assert!(!screen.contains("<U+") && !screen.contains("definition as JSON"), "{screen}");
        ui.press("open");
        assert!(ui.screen().contains(told) && !ui.screen().contains("your decision"), "{told}: {}", ui.screen());
    }
}
