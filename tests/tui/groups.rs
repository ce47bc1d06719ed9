//! A group is one row that opens into its members, is read as one, and decided as one.

use super::driver::Ui;
use super::looks;
use pinwatch::pin::DecisionState;
use pinwatch::tui::{Ask, Dialog, Effect, Screen};

fn names(ui: &Ui) -> Vec<String> {
    ui.model.listed.entries.iter().map(|entry| entry.item().key.to_string()).collect()
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
