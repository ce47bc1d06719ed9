//! Keys as words: what a test presses, by the names that the product gives its actions. Steps stand between commas:
//!
//! | step | presses |
//! |---|---|
//! | `open` | the first key of the action |
//! | `down 3` | it three times |
//! | `note 'ok'` | it, then the letters, then what ends the typing |
//! | `type 'ok'` | the letters alone |
//! | `key 'ctrl-y'` | a key by its own name, where the test is about the key |

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use pinwatch::tui::Action;

/// One key, or the action whose key it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Press {
    /// An action by its name.
    Act(Action),
    /// A key itself.
    Key(KeyEvent),
}

/// What these words press, in order; what is typed stands together, with what begins and ends the typing.
pub fn steps(words: &str) -> Vec<Vec<Press>> {
    let mut quote = None;
    let outside_quotes = |c: char| {
        match quote {
            None if c == '\'' || c == '"' => quote = Some(c),
            Some(open) if c == open => quote = None,
            _ => {}
        }
        quote.is_none() && c == ','
    };
    words.split(outside_quotes).flat_map(|step| presses(step.trim())).collect()
}

fn presses(step: &str) -> Vec<Vec<Press>> {
    let letters = |text: &str| text.chars().map(|c| Press::Key(KeyCode::Char(c).into())).collect::<Vec<_>>();
    let (name, rest) = step.split_once(' ').unwrap_or((step, ""));
    let quoted = ['\'', '"'].into_iter().find_map(|quote| rest.strip_prefix(quote)?.strip_suffix(quote));
    match (name, quoted) {
        ("type", Some(text)) => vec![letters(text)],
        ("key", Some(key)) => vec![vec![Press::Key(key_event(key))]],
        (_, Some(text)) => {
            // Where enter only tells which key confirms, tab leads back to the buttons.
            let end = if action(name) == Action::Note { "tab" } else { "enter" };
            vec![[vec![Press::Act(action(name))], letters(text), vec![Press::Key(key_event(end))]].concat()]
        }
        (_, None) => {
            let times = if rest.is_empty() { Ok(1) } else { rest.parse() };
            let times = times.unwrap_or_else(|_| panic!("neither a number nor in quotes: `{step}`"));
            vec![vec![Press::Act(action(name))]; times]
        }
    }
}

fn action(name: &str) -> Action {
    name.parse().unwrap_or_else(|_| panic!("no action `{name}`; a key itself is `key '{name}'`"))
}

/// A key by the name that the config uses.
pub fn key_event(name: &str) -> KeyEvent {
    let (rest, modifiers) = match name.strip_prefix("ctrl-") {
        Some(rest) => (rest, KeyModifiers::CONTROL),
        None => (name, KeyModifiers::NONE),
    };
    let mut letters = rest.chars();
    let code = match (letters.next(), letters.next()) {
        (Some(letter), None) => KeyCode::Char(letter),
        _ => match rest {
            "enter" => KeyCode::Enter,
            "esc" => KeyCode::Esc,
            "space" => KeyCode::Char(' '),
            "tab" => KeyCode::Tab,
            "shift-tab" => KeyCode::BackTab,
            "up" => KeyCode::Up,
            "down" => KeyCode::Down,
            "left" => KeyCode::Left,
            "right" => KeyCode::Right,
            "home" => KeyCode::Home,
            "end" => KeyCode::End,
            "pgup" => KeyCode::PageUp,
            "pgdn" => KeyCode::PageDown,
            "backspace" => KeyCode::Backspace,
            "f1" => KeyCode::F(1),
            other => panic!("no key `{other}`"),
        },
    };
    KeyEvent::new(code, modifiers)
}
