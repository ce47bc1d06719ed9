//! Two texts as one with conflict markers, as git writes them, for a person to choose by hand.

use similar::{ChangeTag, TextDiff};

/// The lines that both have once, and what differs between markers, ours first. Lines are taken as they are.
pub fn marked(ours: &str, theirs: &str) -> String {
    let diff = TextDiff::from_lines(ours, theirs);
    let mut text = String::with_capacity(ours.len() + theirs.len() / 4);
    let (mut mine, mut other) = (String::new(), String::new());
    let flush = |text: &mut String, mine: &mut String, other: &mut String| {
        if !(mine.is_empty() && other.is_empty()) {
            text.extend(["<<<<<<< ours\n", mine.as_str(), "=======\n", other.as_str(), ">>>>>>> theirs\n"]);
            mine.clear();
            other.clear();
        }
    };
    for change in diff.iter_all_changes() {
        let side = match change.tag() {
            ChangeTag::Delete => &mut mine,
            ChangeTag::Insert => &mut other,
            ChangeTag::Equal => {
                flush(&mut text, &mut mine, &mut other);
                &mut text
            }
        };
        side.push_str(change.value());
        if change.missing_newline() {
            side.push('\n');
        }
    }
    flush(&mut text, &mut mine, &mut other);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_stands_between_markers() {
        let both = marked("a\nb\nc\n", "a\nx\nc\nd");
        assert_eq!(
            both,
            "a\n<<<<<<< ours\nb\n=======\nx\n>>>>>>> theirs\nc\n<<<<<<< ours\n=======\nd\n>>>>>>> theirs\n"
        );
        assert_eq!(marked("a\n", "a\n"), "a\n");
    }
}
