//! How two texts differ, line by line and, in paired lines, word by word. The lines are visible text already.
//!
//! Bounded: past [`MAX_STEPS`] two texts are shown as one replaced by the other. `similar` stands behind it.

use super::{Stretch, Visible, visible};
use similar::{Algorithm, ChangeTag, TextDiff};
use unicode_segmentation::UnicodeSegmentation as _;

/// Tokens of one side times tokens of the other above which no difference is searched for.
const MAX_STEPS: usize = 25_000_000;

/// What a line of a diff is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// On both sides.
    Equal,
    /// Only before.
    Removed,
    /// Only after.
    Added,
}

/// A stretch of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordRun {
    /// Printable text.
    pub text: Visible,
    /// Whether its counterpart line lacks it. False on a line without a counterpart.
    pub changed: bool,
}

/// One line of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct DiffLine {
    pub kind: LineKind,
    /// Its number before, from 1.
    pub old: Option<usize>,
    /// Its number after, from 1.
    pub new: Option<usize>,
    pub runs: Vec<WordRun>,
    /// Of a changed line: whether its counterpart stands in the same block, so that `runs` compare words.
    pub paired: bool,
}

/// A diff with its long equal stretches folded away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// A line to show.
    Line(DiffLine),
    /// So many equal lines left out.
    Unchanged(usize),
}

/// The diff of two texts; empty where they are equal. Trailing line breaks count as text.
pub fn lines(before: &str, after: &str) -> Vec<DiffLine> {
    let old: Vec<Visible> = before.split('\n').map(visible).collect();
    let new: Vec<Visible> = after.split('\n').map(visible).collect();
    let old_text: Vec<&str> = old.iter().map(Visible::as_str).collect();
    let new_text: Vec<&str> = new.iter().map(Visible::as_str).collect();
    let mut found = Vec::with_capacity(old.len().max(new.len()));
    // Changed lines of the block at hand, by index.
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    for (tag, old_index, new_index) in tags(&old_text, &new_text) {
        match (tag, old_index, new_index) {
            (ChangeTag::Equal, Some(old_at), Some(new_at)) => {
                flush(&mut found, &old, &new, &mut removed, &mut added);
                found.push(DiffLine {
                    kind: LineKind::Equal,
                    old: Some(old_at + 1),
                    new: Some(new_at + 1),
                    runs: vec![WordRun { text: old[old_at].clone(), changed: false }],
                    paired: false,
                });
            }
            (_, Some(old_at), _) => removed.push(old_at),
            (_, None, Some(new_at)) => added.push(new_at),
            (_, None, None) => {}
        }
    }
    flush(&mut found, &old, &new, &mut removed, &mut added);
    if found.iter().all(|line| line.kind == LineKind::Equal) { Vec::new() } else { found }
}

type Tagged = (ChangeTag, Option<usize>, Option<usize>);

/// What is equal, removed and added between two sequences, in order.
fn tags(old: &[&str], new: &[&str]) -> Vec<Tagged> {
    if old.len().saturating_mul(new.len()) > MAX_STEPS {
        let gone = (0..old.len()).map(|at| (ChangeTag::Delete, Some(at), None));
        return gone.chain((0..new.len()).map(|at| (ChangeTag::Insert, None, Some(at)))).collect();
    }
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).diff_slices(old, new);
    diff.iter_all_changes().map(|change| (change.tag(), change.old_index(), change.new_index())).collect()
}

/// Writes a block of changed lines: the first removed is paired with the first added, and so on.
fn flush(
    found: &mut Vec<DiffLine>,
    old: &[Visible],
    new: &[Visible],
    removed: &mut Vec<usize>,
    added: &mut Vec<usize>,
) {
    let paired = removed.len().min(added.len());
    let words: Vec<_> = (0..paired).map(|at| word_runs(&old[removed[at]], &new[added[at]])).collect();
    let whole = |text: &Visible| vec![WordRun { text: text.clone(), changed: false }];
    for (at, index) in removed.drain(..).enumerate() {
        let runs = words.get(at).map_or_else(|| whole(&old[index]), |(before, _)| before.clone());
        let paired = at < paired;
        found.push(DiffLine { kind: LineKind::Removed, old: Some(index + 1), new: None, runs, paired });
    }
    for (at, index) in added.drain(..).enumerate() {
        let runs = words.get(at).map_or_else(|| whole(&new[index]), |(_, after)| after.clone());
        let paired = at < paired;
        found.push(DiffLine { kind: LineKind::Added, old: None, new: Some(index + 1), runs, paired });
    }
}

/// The words of a removed and an added line that the other lacks.
fn word_runs(before: &Visible, after: &Visible) -> (Vec<WordRun>, Vec<WordRun>) {
    let (old, new) = (words(before), words(after));
    let (mut old_runs, mut new_runs) = (Vec::new(), Vec::new());
    for (tag, old_index, new_index) in tags(&old, &new) {
        let changed = tag != ChangeTag::Equal;
        if let Some(at) = old_index {
            push_word(&mut old_runs, old[at], changed);
        }
        if let Some(at) = new_index {
            push_word(&mut new_runs, new[at], changed);
        }
    }
    let finish = |runs: Vec<(String, bool)>| {
        runs.into_iter().map(|(text, changed)| WordRun { text: Visible::from_visible(text), changed }).collect()
    };
    (finish(old_runs), finish(new_runs))
}

/// Words and what stands between them. A run of hidden characters is a word of its own: a part of an escape would be
/// another text.
fn words(text: &Visible) -> Vec<&str> {
    let of = |stretch| match stretch {
        Stretch::Plain(text) => text.split_word_bounds().collect(),
        Stretch::Hidden(hidden) => vec![hidden.escapes],
    };
    text.stretches().into_iter().flat_map(of).collect()
}

fn push_word(runs: &mut Vec<(String, bool)>, word: &str, changed: bool) {
    match runs.last_mut() {
        Some((text, last)) if *last == changed => text.push_str(word),
        _ => runs.push((word.to_owned(), changed)),
    }
}

/// Leaves out equal lines further than `context` lines from a change.
pub fn fold(lines: Vec<DiffLine>, context: usize) -> Vec<Run> {
    let changed: Vec<usize> =
        lines.iter().enumerate().filter(|(_, line)| line.kind != LineKind::Equal).map(|(at, _)| at).collect();
    let mut runs = Vec::new();
    let mut next = 0;
    for (at, line) in lines.into_iter().enumerate() {
        while changed.get(next).is_some_and(|change| *change + context < at) {
            next += 1;
        }
        let near = changed.get(next).is_some_and(|change| change.abs_diff(at) <= context);
        match runs.last_mut() {
            _ if near => runs.push(Run::Line(line)),
            Some(Run::Unchanged(count)) => *count += 1,
            _ => runs.push(Run::Unchanged(1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(lines: &[DiffLine]) -> Vec<String> {
        let side = |kind| match kind {
            LineKind::Equal => ' ',
            LineKind::Removed => '-',
            LineKind::Added => '+',
        };
        let word = |run: &WordRun| if run.changed { format!("[{}]", run.text) } else { run.text.to_string() };
        lines
            .iter()
            .map(|line| format!("{}{}", side(line.kind), line.runs.iter().map(word).collect::<String>()))
            .collect()
    }

    #[test]
    fn hidden_characters_count_as_changed_words() {
        let diff = lines("one\nread the file\nend", "one\nread the\u{200B} file now\nend");
        assert_eq!(shape(&diff), [" one", "-read the file", "+read the[<U+200B>] file[ now]", " end"]);
        assert!(lines("same", "same").is_empty());
        let diff = lines("a\u{200B}\u{200C} b", "a\u{200B}\u{200D} b");
        assert_eq!(shape(&diff), ["-a[<U+200B><U+200C>] b", "+a[<U+200B><U+200D>] b"]);
    }

    #[test]
    fn far_equal_lines_are_folded() {
        let before = "1\n2\n3\n4\n5\n6\n7";
        let folded = fold(lines(before, "1\n2\n3\n4\n5\n6\nseven"), 1);
        assert_eq!(folded.first(), Some(&Run::Unchanged(5)));
        assert_eq!(folded.len(), 4);
    }
}
