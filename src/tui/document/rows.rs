//! A diff as rows: one below the other, or both sides beside each other. Changed words and findings are marked where they
//! stand, and what is cut short says how much.

use super::page::Document;
use super::source::Source;
use crate::drift::{Marks, Severity};
use crate::text::{DiffLine, LineKind, Run, Stretch, Told, WordRun, fold};
use crate::tui::line::{Line, Role};
use crate::tui::words::severity_role;
use std::ops::Range;

/// Columns of a document from which both sides have room: 110 of the screen, less a margin on either side.
pub const BESIDE: usize = 108;

/// Indentation up to here is shown as it is; more is counted like any other blank run.
const INDENTATION: usize = 64;

/// The rows of one text, and what they are made of.
pub struct Rows<'a> {
    pub source: &'a Source<'a>,
    pub marks: &'a Marks,
    /// Where each line of the text that is served begins, in bytes.
    pub starts: Vec<usize>,
    /// Digits of a line number; 0 where there is no room for any.
    pub digits: usize,
}

impl Rows<'_> {
    /// The digits that the numbers of a diff take.
    pub fn digits(source: &Source<'_>, diff: &[DiffLine]) -> usize {
        let last = diff.iter().filter_map(|line| line.old.max(line.new)).max().unwrap_or(0);
        if source.width < 60 { 0 } else { last.to_string().len().max(2) }
    }

    /// Writes a diff, with lines far from any change folded away.
    pub fn write(&self, document: &mut Document, diff: Vec<DiffLine>) {
        let beside = self.source.manner.beside && self.source.width >= BESIDE;
        let both = diff.iter().any(|line| line.old.is_some()) && diff.iter().any(|line| line.new.is_some());
        let beside = beside && both;
        if beside {
            self.beside_heads(document);
        }
        // The changed lines of the block at hand: removed, added.
        let mut block: [Vec<DiffLine>; 2] = Default::default();
        for run in fold(diff, self.source.manner.context) {
            match run {
                Run::Line(line) if !beside => self.below(document, &line),
                Run::Line(line) => match line.kind {
                    LineKind::Removed => block[0].push(line),
                    LineKind::Added => block[1].push(line),
                    LineKind::Equal => {
                        self.beside_block(document, &mut block);
                        self.beside(document, Some(&line), Some(&line));
                    }
                },
                Run::Unchanged(many) => {
                    self.beside_block(document, &mut block);
                    self.folded(document, many, beside);
                }
            }
        }
        self.beside_block(document, &mut block);
    }

    fn folded(&self, document: &mut Document, many: usize, beside: bool) {
        let Source { glyphs, width, .. } = self.source;
        let mark = glyphs.fold.repeat(3);
        let gutter = if beside { self.one_gutter() } else { self.gutter() };
        let text = format!("{}{mark} {many} unchanged {mark}", " ".repeat(gutter));
        document.push(Line::of(Role::Gutter, text).fit(*width, glyphs.ellipsis));
    }

    /// `  4   4  +  `: both numbers, the sign, the sign of a finding; without numbers in a narrow place.
    fn gutter(&self) -> usize {
        if self.digits == 0 { 3 } else { 2 * self.digits + 5 }
    }

    /// The same of one side.
    fn one_gutter(&self) -> usize {
        self.digits + 4
    }

    /// One line over the whole width.
    fn below(&self, document: &mut Document, line: &DiffLine) {
        if line.kind != LineKind::Equal {
            document.first_difference.get_or_insert(document.lines.len());
        }
        let room = self.source.width.saturating_sub(self.gutter()).max(1);
        let number = |number: Option<usize>| number.map_or(String::new(), |number| number.to_string());
        for (at, body) in self.body(document, line, room).into_iter().enumerate() {
            let (old, new) = if at == 0 { (number(line.old), number(line.new)) } else { Default::default() };
            let digits = self.digits;
            let numbers = if digits > 0 { format!("{old:>digits$} {new:>digits$} ") } else { String::new() };
            document.push(self.row(numbers, line, at == 0, body));
        }
    }

    /// A row: its numbers, the sign of its kind, the sign of the worst finding in it where it is its first, its text.
    fn row(&self, numbers: String, line: &DiffLine, is_marked: bool, body: Line) -> Line {
        let (sign, [plain, _]) = look(line.kind);
        let found = self.stretch(line).filter(|_| is_marked).and_then(|stretch| self.marks.within(&stretch));
        let (role, mark) = match found {
            Some(severity) => (severity_role(severity), self.source.glyphs.severity(severity)),
            None => (plain, " "),
        };
        let mut row = Line::of(Role::Gutter, numbers);
        row.put(plain, sign).put(role, mark).put(plain, " ").join(body);
        row
    }

    /// The bytes of a line in the text that is served.
    fn stretch(&self, line: &DiffLine) -> Option<Range<usize>> {
        let start = *self.starts.get(line.new?.checked_sub(1)?)?;
        let length: usize = line.runs.iter().map(|run| run.text.original().len()).sum();
        Some(start..start + length)
    }

    /// The text of a line, wrapped or cut.
    fn body(&self, document: &mut Document, line: &DiffLine, room: usize) -> Vec<Line> {
        let (_, roles) = look(line.kind);
        let none = Marks::default();
        let (marks, start) = match self.stretch(line) {
            Some(stretch) => (self.marks, stretch.start),
            None => (&none, 0),
        };
        document.marks |= line.runs.iter().any(|run| run.text.has_marks());
        let told = self.source.manner.form.told();
        self.source.rows(document, &body(&line.runs, roles, marks, start, told), room, 0)
    }

    fn beside_heads(&self, document: &mut Document) {
        let [left, right] = self.columns();
        let blank = " ".repeat(self.one_gutter());
        let head = |text: &str, width: usize| Line::of(Role::Column, format!("{blank}{text}")).pad(width, "");
        let [before, after] = self.source.sides.names();
        let mut line = head(before, left);
        line.put(Role::Border, format!(" {} ", self.source.glyphs.vertical)).join(head(after, right).fit(right, ""));
        document.push(line);
    }

    fn columns(&self) -> [usize; 2] {
        let both = self.source.width.saturating_sub(3);
        [both / 2, both - both / 2]
    }

    /// Changed lines in pairs; what has no counterpart faces an empty place.
    fn beside_block(&self, document: &mut Document, block: &mut [Vec<DiffLine>; 2]) {
        let [removed, added] = std::mem::take(block);
        if !(removed.is_empty() && added.is_empty()) {
            document.first_difference.get_or_insert(document.lines.len());
        }
        for at in 0..removed.len().max(added.len()) {
            self.beside(document, removed.get(at), added.get(at));
        }
    }

    fn beside(&self, document: &mut Document, before: Option<&DiffLine>, after: Option<&DiffLine>) {
        let [left, right] = self.columns();
        let before = before.map(|line| self.side(document, line, line.old, left)).unwrap_or_default();
        let after = after.map(|line| self.side(document, line, line.new, right)).unwrap_or_default();
        for at in 0..before.len().max(after.len()) {
            let mut line = before.get(at).cloned().unwrap_or_default().pad(left, "");
            line.put(Role::Border, format!(" {} ", self.source.glyphs.vertical));
            document.push(line.join(after.get(at).cloned().unwrap_or_default()).clone());
        }
    }

    /// One side of a row: number, signs, text. What a finding is about is on the side that is served.
    fn side(&self, document: &mut Document, line: &DiffLine, number: Option<usize>, width: usize) -> Vec<Line> {
        let served = number == line.new && line.kind != LineKind::Removed;
        let room = width.saturating_sub(self.one_gutter()).max(1);
        let digits = self.digits;
        let row = |(at, body): (usize, Line)| {
            let number = number.filter(|_| at == 0).map_or(String::new(), |number| number.to_string());
            self.row(format!("{number:>digits$} "), line, at == 0 && served, body)
        };
        self.body(document, line, room).into_iter().enumerate().map(row).collect()
    }
}

/// The sign of a line, and the roles of its text and of the words that changed.
fn look(kind: LineKind) -> (&'static str, [Role; 2]) {
    match kind {
        LineKind::Equal => (" ", [Role::Dim; 2]),
        LineKind::Removed => ("-", [Role::Removed, Role::RemovedWord]),
        LineKind::Added => ("+", [Role::Added, Role::AddedWord]),
    }
}

fn found_role(severity: Severity) -> Role {
    if severity == Severity::Critical { Role::FoundCritical } else { Role::Found }
}

/// The runs of a line with a role for each: plain, changed, or what a finding says. `start` is where the line begins in
/// the text that the marks are of.
pub fn body(runs: &[WordRun], [plain, changed]: [Role; 2], marks: &Marks, start: usize, told: Told) -> Line {
    let mut line = Line::default();
    let mut at = start;
    for (index, run) in runs.iter().enumerate() {
        let role = if run.changed { changed } else { plain };
        for (first, stretch) in run.text.stretches().into_iter().enumerate() {
            let mut rest = match stretch {
                Stretch::Plain(text) => text,
                Stretch::Hidden(hidden) => {
                    line.put(Role::Hidden, hidden.told(told));
                    at += hidden.original_length();
                    continue;
                }
            };
            let level = rest.len() - rest.trim_start_matches(' ').len();
            if (index, first) == (0, 0) && level <= INDENTATION && rest.len() > level {
                line.put(role, " ".repeat(level));
                rest = &rest[level..];
                at += level;
            }
            while !rest.is_empty() {
                let (found, edge) = marks.at(at);
                let (piece, tail) = rest.split_at(rest.ceil_char_boundary(edge.map_or(rest.len(), |edge| edge - at)));
                line.put_visible(found.map_or(role, found_role), piece);
                at += piece.len();
                rest = tail;
            }
        }
    }
    line
}
