//! The key table: no conflicts, every action reachable, all of it in the help.

use super::driver::Ui;
use super::keys_as_words::{Press, key_event, steps};
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
fn default_keys_reach_every_action_without_conflict() {
    let keymap = rebound(&[]).expect("no conflict");
    for action in Action::ALL {
        assert!(keymap.rows(Context::ALL).any(|row| row.action == *action), "{action} has no key");
    }
}

#[test]
fn a_conflict_is_reported_with_both_actions() {
    let error = rebound(&[("approve", &["r"])]).expect_err("a conflict");
    assert_eq!(error, "the key r is both `approve` (home) and `reject` (home)");
    let error = rebound(&[("quit", &["j"])]).expect_err("a conflict");
    assert_eq!(error, "the key j is both `down` (moving) and `quit` (everywhere)");
    assert!(rebound(&[("approve", &["r"]), ("reject", &["X"])]).is_ok(), "both moved");
}

#[test]
fn unknown_names_are_refused_with_the_nearest() {
    assert_eq!(rebound(&[("aprove", &["a"])]).expect_err("unknown"), "no action `aprove`; did you mean `approve`?");
    assert!(rebound(&[("approve", &["hyper-a"])]).expect_err("unknown").starts_with("no key `hyper-a`"));
    assert_eq!(rebound(&[("approve", &[])]).expect_err("none"), "`approve` needs at least one key");
}

#[test]
fn keys_read_back_as_they_are_written() {
    for row in Keymap::default().rows(Context::ALL) {
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
    ui.model = pinwatch::tui::start(setup, (120, 40));
    ui.press("pane-items");
    assert!(ui.bottom().contains("ctrl-y digests"), "{}", ui.bottom());
    ui.press("help");
    assert!(ui.screen().contains("ctrl-y"), "{}", ui.screen());
    ui.press("help, key 'ctrl-y'");
    assert_eq!(ui.model.screen(), pinwatch::tui::Screen::Digests);
}

#[test]
fn keys_are_pressed_by_words() {
    let one = |name: &str| Press::Key(key_event(name));
    let all = steps("down 2, note 'ok, 1', type \"it's\", key 'ctrl-y', filter 'x'");
    let note = vec![Press::Act(Action::Note), one("o"), one("k"), one(","), one("space"), one("1"), one("tab")];
    let typed = vec![one("i"), one("t"), one("'"), one("s")];
    let filter = vec![Press::Act(Action::Filter), one("x"), one("enter")];
    let down = vec![Press::Act(Action::Down)];
    assert_eq!(all, [down.clone(), down, note, typed, vec![one("ctrl-y")], filter]);
}

#[test]
#[should_panic = "no key for `approve`"]
fn an_action_without_a_key_here_fails_the_test() {
    Ui::new(looks::all(), (80, 24)).press("events, approve");
}

#[test]
#[should_panic = "`approve` of \"filter, approve\" would be typed as a"]
fn an_action_that_would_be_typed_fails_the_test() {
    Ui::new(looks::all(), (80, 24)).press("filter, approve");
}

#[test]
fn help_is_of_the_screen_and_closes_by_three_keys() {
    let mut ui = Ui::new(looks::all(), (120, 40));
    for (open, close) in [("help", "help"), ("key 'f1'", "quit"), ("help", "back")] {
        ui.press(open);
        assert!(ui.screen().contains("record the baseline"), "{}", ui.screen());
        ui.press(close);
        assert!(ui.model.help.is_none(), "{close}");
    }
    ui.press("pane-items, open, help");
    let screen = ui.screen();
    assert!(!screen.contains("record the baseline") && screen.contains("next / previous part"), "{screen}");
}

#[test]
fn help_is_filtered_by_the_letters_typed() {
    let mut ui = Ui::new(looks::all(), (120, 40));
    ui.press("help, filter, type 'quit'");
    let screen = ui.screen();
    assert!(screen.contains("quit at once") && !screen.contains("record a snapshot"), "{screen}");
    ui.press("back");
    assert!(ui.screen().contains("record the baseline"), "esc clears the filter");
    ui.press("back");
    assert!(ui.model.help.is_none());
}

#[test]
fn the_help_of_home_fits_an_ordinary_screen() {
    let mut ui = Ui::new(looks::all(), (80, 24));
    ui.press("home, help");
    let screen = ui.screen();
    assert!(!screen.contains(" more ↓") && screen.lines().all(|row| !row.contains('…')), "{screen}");
}

#[test]
fn the_help_has_every_key_and_no_name_of_the_config() {
    let keymap = Keymap::default();
    let screens = [
        "home",
        "pane-servers",
        "details",
        "snapshots",
        "events",
        "search 'x'",
        "pane-items, open",
        "pane-items, digests",
    ];
    for opened in screens {
        let mut ui = Ui::new(looks::all(), (120, 200));
        ui.press(opened).press("help");
        let screen = ui.screen();
        let live = [ui.model.context(), Context::Moving, Context::Everywhere];
        for row in keymap.rows(&live).filter(|row| row.help != "back") {
            let key = format!(" {} ", row.keys[0]);
            assert!(screen.contains(&key), "{opened}: {} is not in the help\n{screen}", row.action);
            let name = row.action.name();
            assert!(!name.contains('-') || !screen.contains(name), "{opened}: {name}\n{screen}");
        }
    }
}

/// Every place where text is typed, opened at a size.
fn fields(size: (u16, u16)) -> Vec<(&'static str, Ui)> {
    let opened = |look: Vec<_>, words: &str| {
        let mut ui = Ui::new(look, size);
        ui.press(words);
        ui
    };
    vec![
        ("filter", opened(looks::all(), "pane-items, filter")),
        ("filter of servers", opened(looks::all(), "pane-servers, filter")),
        ("filter of the queue", opened(looks::all(), "home, filter")),
        ("filter of events", opened(looks::all(), "events, filter")),
        ("filter of the help", opened(looks::all(), "help, filter")),
        ("search", opened(looks::all(), "search")),
        ("note", {
            let mut ui = Ui::new(vec![looks::github()], size);
            ui.select("create_issue").press("open, bottom, approve, note");
            ui
        }),
        ("note on several", {
            let mut ui = Ui::new(vec![looks::github()], size);
            ui.select("create_issue").press("open, bottom, quit, mark, approve-marked, note");
            ui
        }),
        ("answer", opened(vec![looks::asking()], "pane-items, open")),
    ]
}

#[test]
fn in_a_text_no_letter_is_a_hint() {
    for size in [(40, 12), (80, 24), (120, 40)] {
        for (name, ui) in fields(size) {
            let frame = super::driver::frame(&super::driver::with_roles(&ui.model));
            let y = size.1 - 1;
            let keys: String = (0..size.0)
                .map(|x| &frame[(x, y)])
                .map(|cell| (super::driver::roles_of(cell).0, cell.symbol()))
                .map(|(role, symbol)| if role == pinwatch::tui::Role::Key { symbol } else { " " })
                .collect();
            let keys: Vec<_> = keys.split_whitespace().collect();
            let letters: Vec<_> = keys.iter().filter(|key| key.chars().count() == 1 && **key != "/").collect();
            // On few rows a dialog lies over the hints.
            let shown = !keys.is_empty() || size.1 < 16;
            assert!(letters.is_empty() && shown, "{name} at {size:?}: {keys:?}\n{}", ui.screen());
        }
    }
}

#[test]
fn enter_in_a_dialogs_text_drops_nothing() {
    let texts = |ui: &Ui| ui.model.dialog.as_ref().expect("it stays open").text.text().to_owned();
    for (name, mut ui) in fields((80, 24)).into_iter().skip(6) {
        ui.press("type 'words'");
        for _ in 0..3 {
            ui.press("key 'enter'");
            assert_eq!(texts(&ui), "words", "{name}");
            assert!(ui.asked().is_empty(), "{name}: enter confirms nothing");
        }
        let confirms = if name == "note on several" { "type the count first" } else { "y to " };
        assert!(ui.bottom().starts_with(confirms), "{name}: {}", ui.bottom());
        ui.press("cancel");
        assert!(ui.model.dialog.is_none(), "{name}: n cancels");
    }
}
