//! Words of a command that is printed for a person to run.

use super::marker::is_marked;
use super::visible;

/// A name as a word for a POSIX shell, printable. What would not survive printing, and a `-` that would make an option of it, stands in
/// the escape of the seam, which the command line reads back.
pub fn shell_word(word: &str) -> String {
    let shown = visible(word).to_string();
    quoted(shown.strip_prefix('-').map(|rest| format!("<U+002D>{rest}")).unwrap_or(shown))
}

/// An argument that is taken as it is, as a word for a POSIX shell, printable.
pub fn shell_argument(word: &str) -> String {
    quoted(visible(word).to_string())
}

fn quoted(shown: String) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "@%+=:,./-_".contains(c);
    // A marker is escaped once more where it is printed, and no shell takes `<` for a letter.
    if !shown.is_empty() && shown.chars().all(plain) && !is_marked(&shown) { shown } else { in_quotes(&shown) }
}

/// A name in quotes, needed or not: in `NAME@DIGEST` other shells take the `@` for a sign of theirs.
pub fn shell_quoted(word: &str) -> String {
    in_quotes(visible(word).as_str())
}

fn in_quotes(shown: &str) -> String {
    format!("'{}'", shown.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_one_word_of_a_shell_and_printable() {
        for (word, shown) in [
            ("tool/read_file", "tool/read_file"),
            ("a b", "'a b'"),
            ("it's", "'it'\\''s'"),
            ("a\nb", "'a<U+000A>b'"),
            ("a\0b", "'a<U+0000>b'"),
            ("a<U+200B>b", "'a<U+003C>U+200B>b'"),
            ("-rf", "'<U+002D>rf'"),
            ("$HOME`x`!", "'$HOME`x`!'"),
            ("section_end:1:x", "'section_end:1:x'"),
            ("größe", "'größe'"),
            ("", "''"),
        ] {
            assert_eq!(shell_word(word), shown);
        }
    }
}
