//! The key table: no conflicts, every action reachable, all of it in help and README.

use super::driver::Ui;
use super::looks;
use pinwatch::tui::{Action, Context, Keymap};
use std::collections::BTreeMap;

fn rebound(pairs: &[(&str, &[&str])]) -> Result<Keymap, String> {
    let map: BTreeMap<_, _> = pairs
        .iter()
        .map(|(name, keys)| ((*name).to_owned(), keys.iter().map(|key| (*key).to_owned()).collect()))
        .collect();
    Keymap::with(&map).map_err(|error| error.to_string())
}

#[test]
fn the_default_keys_do_not_conflict_and_reach_every_action() {
    let keymap = rebound(&[]).expect("no conflict");
    for action in Action::ALL {
        assert!(keymap.rows(&Context::ALL).any(|row| row.action == *action), "{action} has no key");
    }
}

#[test]
fn the_key_table() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("tui__keys", Keymap::default().markdown()));
}

#[test]
fn a_conflict_is_reported_with_both_actions() {
    let error = rebound(&[("approve", &["r"])]).expect_err("a conflict");
    assert_eq!(error, "the key r is both `approve` (main screen) and `reject` (main screen)");
    let error = rebound(&[("quit", &["j"])]).expect_err("a conflict");
    assert_eq!(error, "the key j is both `down` (moving) and `quit` (everywhere)");
    assert!(rebound(&[("approve", &["r"]), ("reject", &["X"])]).is_ok(), "both moved");
}

#[test]
fn unknown_names_are_refused_with_the_nearest() {
    assert_eq!(rebound(&[("aprove", &["a"])]).expect_err("unknown"), "no action `aprove`; the nearest is `approve`");
    assert!(rebound(&[("approve", &["hyper-a"])]).expect_err("unknown").starts_with("no key `hyper-a`"));
    assert_eq!(rebound(&[("approve", &[])]).expect_err("none"), "`approve` needs at least one key");
}

#[test]
fn keys_read_back_as_they_are_written() {
    for row in Keymap::default().rows(&Context::ALL) {
        for key in &row.keys {
            assert_eq!(key.to_string().parse(), Ok(*key));
        }
    }
}

#[test]
fn a_rebound_key_acts_and_shows_in_hints_and_help() {
    let mut setup = looks::setup("ansi", looks::all());
    setup.keymap = rebound(&[("digests", &["ctrl-y"])]).expect("a keymap");
    let mut ui = Ui::new(Vec::new(), (120, 40));
    ui.model = pinwatch::tui::Model::new(setup, (120, 40));
    ui.keys("2");
    assert!(ui.bottom().contains("ctrl-y digests"), "{}", ui.bottom());
    ui.keys("?");
    assert!(ui.screen().contains("ctrl-y"), "{}", ui.screen());
    ui.keys("?").keys("ctrl-y");
    assert_eq!(ui.model.screen, pinwatch::tui::Screen::Digests);
}

#[test]
fn help_is_of_the_current_screen_and_closes_by_three_keys() {
    let mut ui = Ui::new(looks::all(), (120, 40));
    for (open, close) in [("?", "?"), ("f1", "q"), ("?", "esc")] {
        ui.keys(open);
        assert!(ui.screen().contains("record-baseline"), "{}", ui.screen());
        ui.keys(close);
        assert!(ui.model.help.is_none(), "{close}");
    }
    ui.keys("2 enter ?");
    assert!(!ui.screen().contains("record-baseline") && ui.screen().contains("next-change"), "{}", ui.screen());
}

#[test]
fn help_is_filtered_as_typed_and_letters_are_letters_there() {
    let mut ui = Ui::new(looks::all(), (120, 40));
    ui.keys("? /").type_text("quit");
    let screen = ui.screen();
    assert!(screen.contains("quit-now") && !screen.contains("record-snapshot"), "{screen}");
    ui.keys("esc");
    assert!(ui.screen().contains("record-baseline"), "esc clears the filter");
    ui.keys("esc");
    assert!(ui.model.help.is_none());
}
