//! Letters of one script posing as those of another, in names and in words of a text.

use crate::finding::fold::{is_twin, look_alike};
use crate::finding::names::CONFUSABLE_LETTERS;
use crate::finding::severity::Severity;
use crate::finding::signal::Signal;
use crate::finding::texts::TextKind;
use crate::pin::COMMAND_WORDS;
use crate::text::words;

/// Looks for it: one signal a word.
pub(in super::super) fn find(text: &str, kind: TextKind, found: &mut Vec<Signal>) {
    if text.is_ascii() || kind == TextKind::Data {
        return;
    }
    let latin_text =
        text.chars().filter(char::is_ascii_alphabetic).count() > 4 * text.chars().filter(|c| is_foreign(*c)).count();
    let mut start = 0;
    for word in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let body = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        if let Some((severity, why)) = judged(body, kind, latin_text) {
            let says = format!("Contains look-alike letters: {why}");
            found.push(Signal::new(CONFUSABLE_LETTERS, severity, start..start + body.len(), says));
        }
        start += word.len();
    }
}

fn is_foreign(character: char) -> bool {
    !character.is_ascii() && look_alike(character).is_some()
}

/// A letter of the styled alphabets, which show like a font and match no search.
fn is_styled(character: char) -> bool {
    matches!(character, '\u{1D400}'..='\u{1D7FF}' | '\u{24B6}'..='\u{24E9}' | '\u{1F130}'..='\u{1F189}')
}

fn is_fullwidth(character: char) -> bool {
    matches!(character, '\u{FF21}'..='\u{FF3A}' | '\u{FF41}'..='\u{FF5A}')
}

/// Characters of a word that a finding quotes.
const SHOWN: usize = 40;

fn judged(word: &str, kind: TextKind, latin_text: bool) -> Option<(Severity, String)> {
    if word.is_ascii() {
        return None;
    }
    let name = kind == TextKind::Name;
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    if word.chars().any(is_styled) && letters > 1 {
        return Some((
            if name { Severity::Critical } else { Severity::Moderate },
            "styled letters in place of plain ones".to_owned(),
        ));
    }
    if name && word.chars().any(is_fullwidth) {
        return Some((Severity::Critical, "wide letters in place of plain ones".to_owned()));
    }
    let foreign = word.chars().filter(|c| is_foreign(*c)).count();
    let ascii = word.chars().filter(char::is_ascii_alphabetic).count();
    if foreign == 0 || foreign + ascii != letters || letters < 2 {
        return None;
    }
    let twins = word.chars().filter(|c| is_twin(*c)).count();
    let plain: String = word.chars().map(|c| look_alike(c).filter(|_| !c.is_ascii()).unwrap_or(c)).collect();
    let mut shown: String = plain.chars().take(SHOWN).collect();
    if shown.len() < plain.len() {
        shown.push('…');
    }
    let why = format!("it reads `{shown}`, and {foreign} of its letters are of another alphabet");
    if ascii == 0 {
        // A word of another language may consist of twins by chance.
        let command = words(&plain).iter().any(|word| COMMAND_WORDS.contains(&word.as_str()));
        let suspect = twins == letters && letters > 2 && (command || latin_text);
        let severity = if name || command { Severity::Critical } else { Severity::Moderate };
        return suspect.then_some((severity, why));
    }
    // An abbreviation with an ending of its own language (`URLы`), a unit or a variable (`Δt`, `µs`).
    let acronym = word.chars().take_while(char::is_ascii_uppercase).count() >= 2
        && word.chars().skip_while(char::is_ascii_uppercase).all(|c| !c.is_ascii() && c.is_lowercase());
    let variable = letters <= 3 && !name;
    if acronym || variable {
        return None;
    }
    Some((if name || twins == foreign { Severity::Critical } else { Severity::Moderate }, why))
}
