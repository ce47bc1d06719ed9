//! Whatever happens in whatever order at whatever size: no panic, and nothing hidden reaches a cell.

use super::driver::frame;
use super::keys_as_words::key_event;
use super::looks;
use crossterm::event::Event;
use pinwatch::text::is_hidden;
use pinwatch::tui::{Msg, update};
use proptest::prelude::*;

const KEYS: [&str; 60] = [
    "a",
    "r",
    "s",
    "y",
    "n",
    "p",
    "N",
    "P",
    "q",
    "esc",
    "enter",
    "tab",
    "shift-tab",
    "1",
    "3",
    "4",
    "4",
    "h",
    "j",
    "k",
    "l",
    "g",
    "G",
    "ctrl-d",
    "ctrl-u",
    "pgdn",
    "up",
    "down",
    "[",
    "]",
    "{",
    "}",
    "/",
    "o",
    "O",
    "ctrl-r",
    "B",
    "S",
    "e",
    "d",
    "?",
    "f1",
    "ctrl-l",
    "ctrl-z",
    "backspace",
    "x",
    "!",
    "u",
    "space",
    "A",
    "R",
    "c",
    "i",
    "f",
    "%",
    "b",
    "H",
    "ctrl-f",
    "v",
    "w",
];

fn looks_of(number: usize) -> pinwatch::monitor::ServerLook {
    match number % 12 {
        0 => looks::github(),
        1 => looks::github_again(),
        2 => looks::github_with_more_drift(),
        3 => looks::github_without("merge_pr"),
        4 => looks::github_decided("create_issue"),
        5 => looks::search(),
        6 => looks::billing(),
        7 => looks::notes(),
        8 => looks::deploy(),
        9 => looks::hostile(),
        10 => looks::hostile_launch(),
        _ => looks::waiting("github"),
    }
}

fn message() -> impl Strategy<Value = Msg> {
    let press = |at: usize| Msg::Terminal(Event::Key(key_event(KEYS[at])));
    let server = || (0usize..12).prop_map(|number| looks_of(number).id);
    prop_oneof![
        20 => (0..KEYS.len()).prop_map(press),
        4 => (0u16..140, 0u16..50).prop_map(|(width, height)| Msg::Terminal(Event::Resize(width, height))),
        6 => (0usize..12).prop_map(|number| Msg::Server(Box::new(looks_of(number)))),
        1 => server().prop_map(Msg::Removed),
        2 => (0usize..8).prop_map(|at| Msg::Happened(looks::events().swap_remove(at))),
        1 => "\\PC{0,12}|[\u{200B}\u{1b}\n]{1,5}".prop_map(|text| Msg::Terminal(Event::Paste(text))),
        1 => "[a-z\u{200B}\u{1b}]{0,80}".prop_map(Msg::Notice),
        1 => server().prop_map(|server| Msg::Decided { server, result: Ok(vec!["done".to_owned()]) }),
        1 => server().prop_map(|server| Msg::Undone { server, result: Ok(vec!["taken\u{7} back".to_owned()]) }),
        1 => server().prop_map(|server| Msg::Recorded { server, baseline: true, result: Err("no\u{7}".to_owned()) }),
        1 => (0u16..140, 0u16..50, any::<bool>()).prop_map(|(column, row, wheel)| {
            use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
            let kind = if wheel { MouseEventKind::ScrollDown } else { MouseEventKind::Down(MouseButton::Left) };
            Msg::Terminal(Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }))
        }),
        1 => (server(), any::<bool>()).prop_map(|(server, found)| {
            let result = if found { Ok(looks::snapshots()) } else { Err("no\u{7}".to_owned()) };
            Msg::Versions { server, item: None, result }
        }),
        1 => (server(), 0usize..12).prop_map(|(server, number)| {
            let result = looks_of(number).review.ok_or_else(|| "no\u{7}".to_owned());
            let versions = [looks::snapshots()[2].id.clone(), pinwatch::tui::VersionId::File("a\u{7}".into())];
            Msg::Compared { server, versions, result }
        }),
        1 => any::<bool>().prop_map(|dark| {
            let name = if dark { "dark" } else { "ansi" };
            Msg::ThemeChanged(pinwatch::tui::Theme::load(name, None, pinwatch::tui::Depth::Sixteen).map_err(|error| error.to_string()))
        }),
        6 => Just(Msg::Drawn),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn update_and_view_never_panic_and_hide_nothing(
        start in 0usize..3,
        size in (0u16..140, 0u16..50),
        messages in prop::collection::vec(message(), 0..60),
    ) {
        let servers = match start {
            0 => Vec::new(),
            1 => looks::all(),
            _ => vec![looks::hostile(), looks::hostile_launch()],
        };
        let mut model = pinwatch::tui::start(looks::setup("ansi", servers), size);
        for msg in messages {
            // What ended stays ended; the rest of the walk goes on without it.
            model.quit = false;
            update(&mut model, msg);
            let frame = frame(&model);
            for cell in &frame.content {
                // A combining mark stands with what it is written on, and a joiner with its emoji.
                let alone = cell.symbol().chars().count() == 1;
                let hidden = alone && cell.symbol().chars().any(is_hidden);
                prop_assert!(!hidden, "{:?}", cell.symbol());
                prop_assert!(!cell.symbol().contains(char::is_control), "{:?}", cell.symbol());
            }
        }
    }
}
