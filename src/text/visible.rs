//! The escaping seam: the only way for text from a server to reach a terminal, a report or a log.
//!
//! Total, reversible and free of controls: what a person could not see stands as `<U+200B>`, and a literal `<U+` as
//! `<U+003C>U+`, so that nothing can be mistaken for an escape; nor, by the same means, for a mark of hidden characters.

use std::fmt::{self, Write as _};
use unicode_properties::{GeneralCategory, UnicodeEmoji as _, UnicodeGeneralCategory as _};

/// How a mark of hidden characters begins, which a screen shows in place of a run of escapes.
pub(super) const OPENS: char = '⟦';

/// Text that is safe to print and hides nothing. Made by [`visible`] only.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Visible(String);

impl Visible {
    /// A stretch of text that is visible already.
    pub(super) fn from_visible(text: String) -> Self {
        Self(text)
    }

    /// The printable text, on one line.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text it was made of.
    pub fn original(&self) -> String {
        read_back(&self.0)
    }
}

/// The character that an escape at the start of a text stands for, and the escape's length.
pub(super) fn escape(text: &str) -> Option<(char, usize)> {
    let (digits, _) = text.strip_prefix("<U+")?.split_once('>')?;
    let is_point = (4..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let point = u32::from_str_radix(digits, 16).ok().filter(|_| is_point).and_then(char::from_u32)?;
    Some((point, "<U+>".len() + digits.len()))
}

/// The text that [`visible`] shows as `shown`. What is no escape stands for itself, so that a text without `<U+` is read as
/// it is.
pub fn read_back(shown: &str) -> String {
    let mut text = String::with_capacity(shown.len());
    let mut rest = shown;
    while let Some(start) = rest.find("<U+") {
        text.push_str(&rest[..start]);
        let (point, length) = escape(&rest[start..]).unwrap_or(('<', 1));
        text.push(point);
        rest = &rest[start + length..];
    }
    text.push_str(rest);
    text
}

impl fmt::Display for Visible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl AsRef<str> for Visible {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// Escapes `text` for one line of a screen, report or log. Line breaks and tabs are escaped too: who shows a text on
/// several lines splits it first.
pub fn visible(text: &str) -> Visible {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'<') {
        return Visible(text.to_owned());
    }
    let mut shown = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let escape_start = match character {
            '<' => rest.as_str().starts_with("U+"),
            OPENS => rest.as_str().starts_with(|next: char| next.is_ascii_digit()),
            _ => false,
        };
        if escape_start || (is_hidden(character) && !in_place(character, before, rest.clone().next())) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "<U+{:04X}>", u32::from(character));
        } else {
            shown.push(character);
        }
        before = Some(character);
    }
    Visible(shown)
}

/// How many characters of a text [`visible`] escapes since they are hidden; line breaks and tabs, which a reader sees, are not
/// among them. Makes no text: it is asked of whatever is listed.
pub fn hidden_count(text: &str) -> usize {
    let mut before = None;
    let mut rest = text.chars();
    let mut count = 0;
    while let Some(character) = rest.next() {
        if is_hidden(character) {
            let after = rest.clone().next();
            let breaks = matches!(character, '\n' | '\t') || (character == '\r' && after == Some('\n'));
            count += usize::from(!breaks && !in_place(character, before, after));
        }
        before = Some(character);
    }
    count
}

/// Whether a character standing alone shows nothing, or moves others about: controls, format characters (zero-width,
/// bidi, TAG, soft hyphen), blanks that look like a space, variation selectors, fillers, private use, unassigned.
pub fn is_hidden(character: char) -> bool {
    match character {
        ' '..='~' | '\u{3000}' => false,
        // Default_Ignorable_Code_Point outside the categories below (DerivedCoreProperties.txt), and the braille blank.
        '\u{34F}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{17B4}'
        | '\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FFA0}'
        | '\u{E0100}'..='\u{E01EF}' => true,
        other => matches!(
            other.general_category(),
            GeneralCategory::Control
                | GeneralCategory::Format
                | GeneralCategory::LineSeparator
                | GeneralCategory::ParagraphSeparator
                | GeneralCategory::SpaceSeparator
                | GeneralCategory::PrivateUse
                | GeneralCategory::Unassigned
                | GeneralCategory::Surrogate
        ),
    }
}

/// Whether a hidden character does its honest work between its neighbours: an emoji's presentation or joiner, or a
/// joiner inside a word of a script that writes with joiners.
fn in_place(character: char, before: Option<char>, after: Option<char>) -> bool {
    let emoji = |neighbour: Option<char>| neighbour.is_some_and(|c| c.is_emoji_char() || c == '\u{FE0F}');
    let joining = |neighbour: Option<char>| {
        neighbour.is_some_and(|c| {
            matches!(c, '\u{620}'..='\u{64A}' | '\u{66E}'..='\u{6D3}' | '\u{750}'..='\u{77F}' | '\u{900}'..='\u{DFF}')
                && c.general_category() != GeneralCategory::Format
        })
    };
    match character {
        '\u{FE0F}' => {
            before.is_some_and(|c| c.is_emoji_char() && !c.is_ascii())
                || (before.is_some_and(|c| c.is_ascii_digit() || c == '#' || c == '*') && after == Some('\u{20E3}'))
        }
        '\u{200D}' => (emoji(before) && emoji(after)) || (joining(before) && joining(after)),
        '\u{200C}' => joining(before) && joining(after),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_seen() {
        for (text, shown) in [
            ("plain", "plain"),
            ("a\u{200B}b", "a<U+200B>b"),
            ("\u{1b}[31m", "<U+001B>[31m"),
            ("\u{E0069}", "<U+E0069>"),
            ("a\nb\tc", "a<U+000A>b<U+0009>c"),
            ("<U+200B>", "<U+003C>U+200B>"),
            ("<b>", "<b>"),
            ("\u{202E}", "<U+202E>"),
            ("no\u{AD}", "no<U+00AD>"),
            ("x\u{FE0F}", "x<U+FE0F>"),
            ("1\u{A0}000", "1<U+00A0>000"),
            // Characters that are drawn as nothing, though they are no space by their class.
            ("a\u{2800}b", "a<U+2800>b"),
            ("a\u{3164}b", "a<U+3164>b"),
            ("a\u{115F}b", "a<U+115F>b"),
        ] {
            assert_eq!(visible(text).as_str(), shown);
            assert_eq!(visible(text).original(), text);
        }
    }

    #[test]
    fn what_is_hidden_is_counted_as_it_is_shown() {
        for (text, count) in [
            ("plain <U+200B>\r\n\tand more\n", 0),
            ("a\u{200B}b\u{1b}[31m<U+200B>", 2),
            ("a lone \r, and \u{E0069}\u{202E}", 3),
            ("⚠\u{FE0F} 👨\u{200D}👩 x\u{FE0F}", 1),
            ("\u{200D}\n\u{200D}", 2),
        ] {
            assert_eq!(hidden_count(text), count, "{text:?}");
            let one_line = text.replace("\r\n", " ").replace(['\n', '\t'], " ");
            let shown = visible(&one_line);
            let escapes = shown.as_str().matches("<U+").count() - shown.as_str().matches("<U+003C>U+").count();
            assert_eq!(escapes, count, "{text:?}");
        }
    }

    #[test]
    fn what_is_no_escape_is_read_as_it_is() {
        for (typed, text) in [
            ("tool/größe", "tool/größe"),
            ("a<U+200b>b<U+000A>", "a\u{200B}b\n"),
            ("<U+003C>U+200B>", "<U+200B>"),
            ("<U+>", "<U+>"),
            ("<U+D800>", "<U+D800>"),
            ("<U++041>", "<U++041>"),
            ("<U+0000041>", "<U+0000041>"),
            ("<U+12", "<U+12"),
            ("<U+<U+0041>", "<U+A"),
        ] {
            assert_eq!(read_back(typed), text);
            assert_eq!(read_back(visible(text).as_str()), text);
        }
    }

    #[test]
    fn honest_use_stays_as_it_is() {
        for text in [
            "⚠\u{FE0F}",
            "👨\u{200D}👩\u{200D}👧",
            "می\u{200C}خواهم",
            "クラス\u{3000}名",
            "1\u{FE0F}\u{20E3}",
            "❤\u{FE0F}\u{200D}🔥",
        ] {
            assert_eq!(visible(text).as_str(), text);
        }
    }
}
