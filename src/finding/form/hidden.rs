//! Characters that show nothing or move others about. What honest writing needs is left alone: emoji, flags, joiners in
//! Persian and Indic words, marks of direction in right-to-left text, breaks in scripts without spaces.

use crate::finding::fold::tag;
use crate::finding::names::HIDDEN_CHARACTERS;
use crate::finding::severity::Severity;
use crate::finding::signal::Signal;
use crate::text::is_hidden;
use unicode_properties::{GeneralCategory, UnicodeEmoji as _, UnicodeGeneralCategory as _};

/// Looks for it: one signal a stretch.
pub(in super::super) fn find(text: &str, found: &mut Vec<Signal>) {
    if text.is_ascii() && !text.bytes().any(|byte| byte < b' ' || byte == 0x7F) {
        return;
    }
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let rtl = characters.iter().any(|(_, character)| is_rtl(*character));
    let mut at = 0;
    while at < characters.len() {
        let start = at;
        let mut worst = None;
        while let Some(severity) = judged(&characters, at, rtl) {
            worst = worst.max(Some(severity));
            at += 1;
        }
        if let Some(severity) = worst {
            let end = characters.get(at).map_or(text.len(), |(offset, _)| *offset);
            let stretch: Vec<char> = characters[start..at].iter().map(|(_, character)| *character).collect();
            if severity > Severity::Info {
                found.push(Signal::new(HIDDEN_CHARACTERS, severity, characters[start].0..end, said(&stretch)));
            }
        } else {
            at += 1;
        }
    }
}

/// What a stretch of hidden characters says, where it says something, and what it is.
fn said(stretch: &[char]) -> String {
    let mut points: Vec<String> = stretch.iter().take(3).map(|c| format!("U+{:04X}", u32::from(*c))).collect();
    if stretch.len() > 3 {
        points.push(format!("and {} more", stretch.len() - 3));
    }
    let bytes: Vec<u8> = stretch.iter().filter_map(|c| selector_byte(*c)).collect();
    let text: String = if stretch.iter().any(|c| tag(*c).is_some()) {
        stretch.iter().filter_map(|c| tag(*c)).collect()
    } else {
        String::from_utf8(bytes).unwrap_or_default()
    };
    let text: String = text.chars().filter(|c| !c.is_control()).take(80).collect();
    let points = points.join(" ");
    if text.chars().count() > 1 {
        format!("Contains hidden characters that spell \"{text}\": {points}")
    } else {
        format!("Contains hidden characters: {points}")
    }
}

/// The byte that a variation selector stands for where they carry text.
fn selector_byte(character: char) -> Option<u8> {
    let point = u32::from(character);
    match point {
        0xFE00..=0xFE0F => u8::try_from(point - 0xFE00).ok(),
        0xE0100..=0xE01EF => u8::try_from(point - 0xE0100 + 16).ok(),
        _ => None,
    }
}

fn is_rtl(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}')
}

/// Letters of scripts in which joiners shape words.
fn joins(character: char) -> bool {
    matches!(character, '\u{600}'..='\u{6FF}' | '\u{700}'..='\u{77F}' | '\u{840}'..='\u{8FF}' | '\u{900}'..='\u{DFF}'
        | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{18AF}' | '\u{1A20}'..='\u{1CFF}' | '\u{A840}'..='\u{AAFF}')
        && character.general_category() != GeneralCategory::Format
}

/// Letters of scripts that do not part words by spaces.
fn unspaced(character: char) -> bool {
    matches!(character, '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}')
}

/// How bad a hidden character is; info where it is honest in print, none where it is honest everywhere or not hidden.
fn judged(characters: &[(usize, char)], at: usize, rtl: bool) -> Option<Severity> {
    let character = characters.get(at)?.1;
    let before = at.checked_sub(1).map(|at| characters[at].1);
    let after = characters.get(at + 1).map(|(_, character)| *character);
    let either = |test: fn(char) -> bool| before.is_some_and(test) || after.is_some_and(test);
    let both = |test: fn(char) -> bool| before.is_some_and(test) && after.is_some_and(test);
    match character {
        // An escape sequence is another rule's; the signs before digits of Arabic are seen.
        '\n'
        | '\t'
        | ' '..='~'
        | '\u{1B}'
        | '\u{9B}'
        | '\u{600}'..='\u{605}'
        | '\u{6DD}'
        | '\u{70F}'
        | '\u{890}'
        | '\u{891}'
        | '\u{8E2}' => None,
        '\r' => (after != Some('\n') && after.is_some()).then_some(Severity::Info),
        // Breaks of other systems, and Apple's sign among the private ones.
        '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{F8FF}' => Some(Severity::Info),
        _ if !is_hidden(character) => None,
        '\u{E0001}'..='\u{E007F}' => (!in_flag(characters, at)).then_some(Severity::Critical),
        '\u{FE0E}' | '\u{FE0F}' => {
            let sign = |c: char| !c.is_ascii() && (c.is_emoji_char() || !c.is_alphanumeric() && !is_hidden(c));
            let honest = before.is_some_and(sign)
                || (before.is_some_and(|c| c.is_ascii_digit() || c == '#' || c == '*') && after == Some('\u{20E3}'));
            (!honest).then_some(Severity::Critical)
        }
        '\u{FE00}'..='\u{FE0D}' | '\u{E0100}'..='\u{E01EF}' => {
            let honest = before.is_some_and(|c| unspaced(c) || joins(c) || c.is_emoji_char() && !c.is_ascii())
                && after.is_none_or(|c| selector_byte(c).is_none());
            (!honest).then_some(Severity::Critical)
        }
        '\u{200D}' => {
            let emoji =
                |c: char| c.is_emoji_char() && !c.is_ascii() || matches!(c, '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}');
            let honest = before.is_some_and(emoji) && after.is_some_and(emoji) || before.is_some_and(joins);
            (!honest).then_some(Severity::Critical)
        }
        '\u{200C}' | '\u{180B}'..='\u{180F}' => (!before.is_some_and(joins)).then_some(Severity::Critical),
        '\u{200E}' | '\u{200F}' | '\u{61C}' => (!rtl).then_some(Severity::Moderate),
        '\u{2066}'..='\u{2069}' | '\u{202A}' | '\u{202B}' | '\u{202C}' => {
            Some(if rtl { Severity::Info } else { Severity::Critical })
        }
        '\u{200B}' => (!either(unspaced)).then_some(Severity::Critical),
        '\u{FEFF}' => Some(if at == 0 { Severity::Moderate } else { Severity::Critical }),
        // Hyphenation of long words, in text that came from a page.
        '\u{AD}' => Some(if both(char::is_alphabetic) && in_long_word(characters, at) {
            Severity::Info
        } else {
            Severity::Moderate
        }),
        '\u{34F}' => Some(if either(is_rtl) { Severity::Info } else { Severity::Critical }),
        _ => Some(of_category(characters, at, character)),
    }
}

fn of_category(characters: &[(usize, char)], at: usize, character: char) -> Severity {
    match character.general_category() {
        // No-break, thin and wide blanks of typography.
        GeneralCategory::SpaceSeparator | GeneralCategory::Unassigned => Severity::Info,
        GeneralCategory::PrivateUse => {
            let from = at.saturating_sub(3);
            let run = characters[from..(at + 4).min(characters.len())].iter();
            let private = run.filter(|(_, c)| c.general_category() == GeneralCategory::PrivateUse).count();
            if private > 3 { Severity::Critical } else { Severity::Moderate }
        }
        _ => Severity::Critical,
    }
}

/// Whether a soft hyphen stands in a word of at least ten letters.
fn in_long_word(characters: &[(usize, char)], at: usize) -> bool {
    let letters = |(_, c): &&(usize, char)| c.is_alphabetic() || *c == '\u{AD}';
    let before = characters[..at].iter().rev().take(12).take_while(letters).count();
    let after = characters[at..].iter().take(12).take_while(letters).count();
    before + after >= 11
}

/// Whether a TAG character belongs to a flag: the black flag, at most six letters or digits, the closing tag.
fn in_flag(characters: &[(usize, char)], at: usize) -> bool {
    let is_tag = |c: char| matches!(c, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}' | '\u{E007F}');
    let mut start = at;
    while start > 0 && at - start < 8 && is_tag(characters[start].1) {
        start -= 1;
    }
    let tags = characters[start + 1..].iter().take(8).take_while(|(_, c)| is_tag(*c)).map(|(_, c)| *c);
    let tags: Vec<char> = tags.collect();
    let closed = tags.iter().position(|c| *c == '\u{E007F}');
    characters[start].1 == '\u{1F3F4}'
        && closed.is_some_and(|closed| (3..=6).contains(&closed) && start + 1 + closed >= at)
}
