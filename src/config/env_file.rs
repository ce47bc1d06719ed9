//! A file of variables that an entry names (`envFile`): `NAME=value` a line, as the editors read it. Nothing in it is expanded.

use super::expand::is_name;
use super::read::{MAX_PROJECT_BYTES, read_regular};
use crate::text::{NotUtf8, utf8};
use std::collections::BTreeMap;
use std::path::Path;

/// The variables of a file, or why it cannot be read.
pub(super) fn read(file: &Path) -> Result<BTreeMap<String, String>, String> {
    let bytes = read_regular(file, MAX_PROJECT_BYTES).map_err(|fault| format!("the file {fault}"))?;
    let fault = |problem: NotUtf8| format!("the file cannot be read: {problem}");
    let text = std::str::from_utf8(utf8(&bytes).map_err(fault)?).map_err(|_| fault(NotUtf8::Unknown))?;
    Ok(text.lines().filter_map(line).collect())
}

/// The variable of one line; none for a comment or anything else.
fn line(line: &str) -> Option<(String, String)> {
    let line = line.trim();
    let (name, value) = line.strip_prefix("export ").unwrap_or(line).split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    let quoted = |mark: char| value.strip_prefix(mark)?.strip_suffix(mark);
    let value = quoted('"').or_else(|| quoted('\'')).unwrap_or(value);
    is_name(name).then(|| (name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_name_and_a_value() {
        for (text, pair) in [
            ("A=b", Some(("A", "b"))),
            (" export A = 'b c' ", Some(("A", "b c"))),
            ("A=\"b=c\"", Some(("A", "b=c"))),
            ("A=", Some(("A", ""))),
            ("# A=b", None),
            ("A b=c", None),
            ("just text", None),
        ] {
            assert_eq!(line(text), pair.map(|(name, value)| (name.to_owned(), value.to_owned())), "{text}");
        }
    }
}
