//! One line of text being typed or pasted. Keys that reach it never act as commands.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation as _;

/// Bytes that a line takes at most.
const MAX_BYTES: usize = 1_000;

/// A line with its cursor at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    text: String,
}

impl Input {
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub fn clear(&mut self) {
        self.text.clear();
    }

    /// Puts text at the end; breaks and tabs become blanks, other controls are left out.
    pub fn paste(&mut self, text: &str) {
        for letter in text.chars() {
            let letter = if matches!(letter, '\n' | '\r' | '\t') { ' ' } else { letter };
            if !letter.is_control() && self.text.len() + letter.len_utf8() <= MAX_BYTES {
                self.text.push(letter);
            }
        }
    }

    /// Takes a key: a character, backspace, ctrl-w (a word), ctrl-u (everything). Others are not for a text.
    pub fn key(&mut self, key: KeyEvent) {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Char('u') if ctrl => self.clear(),
            KeyCode::Char('w') if ctrl => {
                let kept = self.text.trim_end();
                self.text.truncate(kept.rfind(' ').map_or(0, |at| at + 1));
            }
            KeyCode::Char(letter) if !ctrl && !alt => self.paste(letter.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace => {
                let last = self.text.grapheme_indices(true).next_back().map_or(0, |(at, _)| at);
                self.text.truncate(last);
            }
            _ => {}
        }
    }
}
