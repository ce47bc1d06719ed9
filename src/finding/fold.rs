//! One character as the reader of a text takes it: lower case, without marks, styles and look-alikes. Lexicon and text
//! pass the same folding, so that it need only be consistent.

use unicode_normalization::UnicodeNormalization as _;
use unicode_script::Script::{Armenian, Cherokee, Coptic, Cyrillic, Greek, Lisu};
use unicode_script::UnicodeScript as _;
use unicode_security::confusable_detection::skeleton as confusable_skeleton;

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

/// The Latin letter that a letter of another script looks like, in lower case: by Unicode's confusables (UTS 39), and by
/// how common fonts draw the lower case. Only of the scripts whose letters stand as Latin's do: Hebrew and Arabic put
/// particles before a Latin word, and Turkish has its own dotless i.
pub(super) fn look_alike(character: char) -> Option<char> {
    Some(match character {
        'ь' => 'b',
        'ε' => 'e',
        'ԍ' | 'ɡ' => 'g',
        'І' | 'Ι' | 'ɩ' => 'i',
        'к' | 'κ' => 'k',
        'ⅼ' => 'l',
        'м' => 'm',
        'п' | 'η' => 'n',
        'ꜱ' => 's',
        'т' | 'τ' => 't',
        'ц' => 'u',
        'ω' => 'w',
        'χ' => 'x',
        _ if !matches!(character.script(), Greek | Cyrillic | Armenian | Cherokee | Coptic | Lisu) => return None,
        _ => {
            let mut buffer = [0; 4];
            let mut drawn = confusable_skeleton(character.encode_utf8(&mut buffer));
            let letter = drawn.next().filter(char::is_ascii_alphabetic)?;
            return drawn.next().is_none().then(|| letter.to_ascii_lowercase());
        }
    })
}

/// Letters of other scripts that can hardly be told from a Latin one in running lower-case text.
const TWINS: &str = "аАВсСеЕНһіІјЈКМоОрРѕЅТхХуԁԛԝӏοΟνΑΒΕΗΙΚΜΝΡΤΧϲօ";

/// Whether a letter is one of [`TWINS`].
pub(super) fn is_twin(character: char) -> bool {
    TWINS.contains(character)
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
    fn letters_of_scripts_like_latin_look_alike() {
        let letters = |text: &str| text.chars().map(|c| look_alike(c).unwrap_or('-')).collect::<String>();
        assert_eq!(letters("раѕѕԝоrd"), "passwo--");
        // Armenian, Cherokee, Coptic, Lisu.
        assert_eq!(letters("օᎪⲞꓝ"), "oaof");
        // Latin, Hebrew, Arabic and Han letters, and a sign, are what they are.
        assert_eq!(letters("ıéוסا口×Ａ𝐚"), "---------");
    }

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
