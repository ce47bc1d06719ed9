//! The lines in which two texts of a client's file differ, without those around them: what stands there may be a secret
//! that nobody told us of.

use crate::text::{LineKind, lines};

/// Which text a line is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Side {
    Before,
    After,
}

/// A line that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The text that it is of.
    pub side: Side,
    /// Its number in that text, from 1.
    pub number: usize,
    /// Printable. Of a long line what differs, and some of what stands around it.
    pub text: String,
}

/// Characters of a line that are shown whole, and of a longer one around what differs.
const WHOLE: usize = 200;
const AROUND: usize = 40;

/// The lines that differ, in their order.
pub(super) fn of(before: &str, after: &str) -> Vec<Excerpt> {
    // Most of a file is equal: searching for the least difference of all of it would take long.
    let equal = before.split('\n').zip(after.split('\n')).take_while(|(old, new)| old == new).count();
    let rest = |text: &str| text.split('\n').skip(equal).map(str::to_owned).collect::<Vec<_>>();
    let (mut old, mut new) = (rest(before), rest(after));
    while !old.is_empty() && old.last() == new.last() {
        old.pop();
        new.pop();
    }
    let mut found = Vec::new();
    for line in lines(&old.join("\n"), &new.join("\n")) {
        let (side, number) = match line.kind {
            LineKind::Equal => continue,
            LineKind::Removed => (Side::Before, line.old),
            LineKind::Added => (Side::After, line.new),
        };
        let text: String = line.runs.iter().map(|run| run.text.as_str()).collect();
        // An old line that is empty stands for none at all, where the other text has more lines.
        let is_nothing = text.is_empty() && if side == Side::Before { old.is_empty() } else { new.is_empty() };
        if !is_nothing {
            found.push(Excerpt { side, number: equal + number.unwrap_or_default(), text });
        }
    }
    shorten(&mut found);
    found
}

/// Long lines come in pairs, before and after: of each is shown where it differs from the other.
fn shorten(found: &mut [Excerpt]) {
    let texts = |side| found.iter().filter(|line| line.side == side).map(|line| line.text.clone()).collect::<Vec<_>>();
    let (old, new) = (texts(Side::Before), texts(Side::After));
    let (mut olds, mut news) = (0, 0);
    for line in found {
        let (at, others) = match line.side {
            Side::Before => (&mut olds, &new),
            Side::After => (&mut news, &old),
        };
        let other = others.get(*at);
        *at += 1;
        if line.text.chars().count() > WHOLE {
            line.text = cut(&line.text, other.map_or("", String::as_str));
        }
    }
}

/// The stretch of `text` that `other` lacks, with some of what stands around it.
fn cut(text: &str, other: &str) -> String {
    let (text, other): (Vec<char>, Vec<char>) = (text.chars().collect(), other.chars().collect());
    let same = |a: &mut dyn Iterator<Item = (&char, &char)>| a.take_while(|(a, b)| a == b).count();
    let first = same(&mut text.iter().zip(&other));
    let last = same(&mut text[first..].iter().rev().zip(other[first.min(other.len())..].iter().rev()));
    let start = first.saturating_sub(AROUND);
    let end = (text.len() - last + AROUND).min(text.len());
    let mut shown: String = text[start..end].iter().collect();
    if end - start > 2 * WHOLE {
        let half = |part: &[char]| part.iter().collect::<String>();
        shown = format!("{} … {}", half(&text[start..start + WHOLE]), half(&text[end - WHOLE..end]));
    }
    format!("{}{shown}{}", if start > 0 { "…" } else { "" }, if end < text.len() { "…" } else { "" })
}
