//! Letters of one script posing as those of another, in names and in words of a text.

use super::fold::{is_twin, look_alike};
use super::place::Place;
use super::signal::{Rule, Signal, Strength};
use crate::pin::COMMAND_WORDS;
use crate::text::words;

/// The rule.
pub(super) static RULE: Rule = Rule { name: "confusable-letters", title: "look-alike letters" };

/// Looks for it: one signal a word.
pub(super) fn find(text: &str, place: Place, found: &mut Vec<Signal>) {
    if text.is_ascii() || place == Place::Data {
        return;
    }
    let latin_text =
        text.chars().filter(char::is_ascii_alphabetic).count() > 4 * text.chars().filter(|c| is_foreign(*c)).count();
    let mut start = 0;
    for word in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let body = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        if let Some((strength, why)) = judged(body, place, latin_text) {
            found.push(Signal { rule: &RULE, strength, start, end: start + body.len(), why });
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

fn judged(word: &str, place: Place, latin_text: bool) -> Option<(Strength, String)> {
    if word.is_ascii() {
        return None;
    }
    let name = place == Place::Name;
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    if word.chars().any(is_styled) && letters > 1 {
        return Some((
            if name { Strength::Sure } else { Strength::Some },
            "styled letters in place of plain ones".to_owned(),
        ));
    }
    if name && word.chars().any(is_fullwidth) {
        return Some((Strength::Sure, "wide letters in place of plain ones".to_owned()));
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
        let strength = if name || command { Strength::Sure } else { Strength::Some };
        return suspect.then_some((strength, why));
    }
    // An abbreviation with an ending of its own language (`URLы`), a unit or a variable (`Δt`, `µs`).
    let acronym = word.chars().take_while(char::is_ascii_uppercase).count() >= 2
        && word.chars().skip_while(char::is_ascii_uppercase).all(|c| !c.is_ascii() && c.is_lowercase());
    let variable = letters <= 3 && !name;
    if acronym || variable {
        return None;
    }
    Some((if name || twins == foreign { Strength::Sure } else { Strength::Some }, why))
}
