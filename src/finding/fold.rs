//! One character as the reader of a text takes it: lower case, without marks, styles and look-alikes. Lexicon and text
//! pass the same folding, so that it need only be consistent.

use unicode_normalization::UnicodeNormalization as _;

/// The plain lower-case form of a character, most often one character; ASCII punctuation for its typographic kin.
pub(super) fn fold(character: char, into: &mut Vec<char>) {
    match character {
        'a'..='z' | '0'..='9' => into.push(character),
        ' '..='~' => into.push(character.to_ascii_lowercase()),
        '\u{2018}' | '\u{2019}' | '\u{2BC}' | '\u{2032}' | '\u{B4}' => into.push('\''),
        '\u{201C}' | '\u{201D}' | '\u{201E}' | '\u{AB}' | '\u{BB}' => into.push('"'),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => into.push('-'),
        'ß' => into.extend(['s', 's']),
        'æ' | 'Æ' => into.extend(['a', 'e']),
        'œ' | 'Œ' => into.extend(['o', 'e']),
        'ø' | 'Ø' => into.push('o'),
        'ł' | 'Ł' => into.push('l'),
        'đ' | 'Đ' => into.push('d'),
        'ı' => into.push('i'),
        '\u{1F130}'..='\u{1F149}' => into.push(letter(character, 0x1F130)),
        '\u{1F150}'..='\u{1F169}' => into.push(letter(character, 0x1F150)),
        '\u{1F170}'..='\u{1F189}' => into.push(letter(character, 0x1F170)),
        _ if decomposes(character) => {
            let parts = std::iter::once(character).nfkd().filter(|part| !is_mark(*part));
            into.extend(parts.flat_map(char::to_lowercase));
        }
        _ => into.extend(character.to_lowercase()),
    }
}

/// A name as the eye takes it in passing: look-alikes for their Latin letters, no case, no separators, digits for the
/// letters that they are drawn like.
pub fn skeleton(name: &str) -> String {
    let mut folded = Vec::new();
    for character in name.chars().take(512) {
        match look_alike(character) {
            Some(letter) => folded.push(letter),
            None => fold(character, &mut folded),
        }
    }
    let plain = folded.into_iter().filter(|c| c.is_alphanumeric());
    plain
        .map(|c| match c {
            '0' => 'o',
            '1' => 'l',
            c => c,
        })
        .collect()
}

/// The letter at a distance from the first of a styled alphabet.
fn letter(character: char, first: u32) -> char {
    char::from_u32(u32::from(character) - first + u32::from('a')).unwrap_or(character)
}

/// Blocks whose marks and styles are taken off: Latin, Greek, Cyrillic and compatibility forms. Marks of other scripts
/// are letters of their own.
fn decomposes(character: char) -> bool {
    matches!(
        character,
        '\u{A0}'..='\u{52F}'
            | '\u{1D2C}'..='\u{1DBF}'
            | '\u{1E00}'..='\u{1FFF}'
            | '\u{2070}'..='\u{209F}'
            | '\u{2100}'..='\u{214F}'
            | '\u{2460}'..='\u{24FF}'
            | '\u{FB00}'..='\u{FB06}'
            | '\u{FF01}'..='\u{FF5E}'
            | '\u{1D400}'..='\u{1D7FF}'
    )
}

fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}')
}

/// The Latin letter that a letter of another script looks like, in lower case. The table is that of the letters which
/// Unicode's confusables.txt maps to ASCII letters, as far as common fonts draw them alike.
pub(super) fn look_alike(character: char) -> Option<char> {
    Some(match character {
        'а' | 'А' | 'α' | 'Α' | 'Ꭺ' => 'a',
        'В' | 'Β' | 'Ь' | 'ь' | 'Ᏼ' => 'b',
        'с' | 'С' | 'ϲ' | 'Ϲ' | 'Ꮯ' => 'c',
        'ԁ' | 'Ꭰ' => 'd',
        'е' | 'Е' | 'Ε' | 'ε' | 'Ꭼ' | 'ҽ' => 'e',
        'ԍ' | 'Ԍ' | 'Ꮐ' | 'ɡ' => 'g',
        'Н' | 'Η' | 'һ' | 'Һ' | 'հ' | 'Ꮋ' => 'h',
        'і' | 'І' | 'ι' | 'Ι' | 'ɩ' | 'Ꭵ' => 'i',
        'ј' | 'Ј' | 'ϳ' | 'Ꭻ' => 'j',
        'К' | 'к' | 'Κ' | 'κ' | 'Ꮶ' => 'k',
        'ӏ' | 'Ӏ' | 'Ꮮ' | 'ⅼ' => 'l',
        'М' | 'м' | 'Μ' | 'Ꮇ' => 'm',
        'п' | 'ո' | 'Ν' | 'η' => 'n',
        'о' | 'О' | 'ο' | 'Ο' | 'օ' | 'Օ' | 'σ' => 'o',
        'р' | 'Р' | 'ρ' | 'Ρ' | 'Ꮲ' => 'p',
        'ԛ' | 'Ԛ' | 'գ' => 'q',
        'г' | 'Ꭱ' | 'ᴦ' => 'r',
        'ѕ' | 'Ѕ' | 'Ꮪ' | 'ꜱ' => 's',
        'Т' | 'т' | 'Τ' | 'τ' | 'Ꭲ' => 't',
        'υ' | 'ս' | 'ц' => 'u',
        'ѵ' | 'Ѵ' | 'ν' | 'Ꮩ' => 'v',
        'ԝ' | 'Ԝ' | 'ω' | 'ѡ' | 'Ꮃ' => 'w',
        'х' | 'Х' | 'χ' | 'Χ' => 'x',
        'у' | 'У' | 'γ' | 'Υ' | 'ү' => 'y',
        'Ζ' | 'Ꮓ' => 'z',
        _ => return None,
    })
}

/// Whether a letter of another script can hardly be told from a Latin one in running lower-case text.
pub(super) fn is_twin(character: char) -> bool {
    matches!(
        character,
        'а' | 'А'
            | 'В'
            | 'с'
            | 'С'
            | 'е'
            | 'Е'
            | 'Н'
            | 'һ'
            | 'і'
            | 'І'
            | 'ј'
            | 'Ј'
            | 'К'
            | 'М'
            | 'о'
            | 'О'
            | 'р'
            | 'Р'
            | 'ѕ'
            | 'Ѕ'
            | 'Т'
            | 'х'
            | 'Х'
            | 'у'
            | 'ԁ'
            | 'ԛ'
            | 'ԝ'
            | 'ӏ'
            | 'ο'
            | 'Ο'
            | 'ν'
            | 'Α'
            | 'Β'
            | 'Ε'
            | 'Η'
            | 'Ι'
            | 'Κ'
            | 'Μ'
            | 'Ν'
            | 'Ρ'
            | 'Τ'
            | 'Χ'
            | 'ϲ'
            | 'օ'
    )
}

/// The ASCII character that a TAG character stands for.
pub(super) fn tag(character: char) -> Option<char> {
    let point = u32::from(character);
    (0xE0020..=0xE007E).contains(&point).then(|| char::from_u32(point - 0xE0000)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_and_marks_are_taken_off() {
        let folded = |text: &str| {
            let mut into = Vec::new();
            text.chars().for_each(|character| fold(character, &mut into));
            into.into_iter().collect::<String>()
        };
        for (text, plain) in [
            ("IGNORE", "ignore"),
            ("𝐢𝓰𝗇𝚘𝔯𝕖", "ignore"),
            ("ｉｇｎｏｒｅ", "ignore"),
            ("ⓘgnore", "ignore"),
            ("🅰", "a"),
            ("précédé", "precede"),
            ("Straße", "strasse"),
            ("don’t", "don't"),
            ("ключ", "ключ"),
            ("無視", "無視"),
        ] {
            assert_eq!(folded(text), plain, "{text}");
        }
    }
}
