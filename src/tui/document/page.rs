//! Lines to read, and how a person wants them: plain data, made by its neighbours and kept in the model.

use crate::text::Told;
use crate::tui::line::{Line, Role};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Cells of a line at most.
    pub width: usize,
    /// From the top, each fitting the width it was made for.
    pub lines: Vec<Line>,
    /// Index of the last line of the change: who saw it has been shown the change.
    pub last_of_change: usize,
    /// Where its parts begin.
    pub parts: Vec<usize>,
    /// The first line that one side has and the other has not.
    pub first_difference: Option<usize>,
    /// Whether some line of a definition is cut short: then not all of it can have been shown.
    pub cut: bool,
    /// Whether a mark stands for some run of hidden characters, or would.
    pub marks: bool,
}

/// How a diff is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Unchanged lines around a change.
    pub context: usize,
    /// Both sides beside each other, where there is room.
    pub beside: bool,
    /// Whether long lines go on in the next row; else they are cut.
    pub wrap: bool,
    pub form: Form,
}

/// How the texts of a definition are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As text, a run of hidden characters as one mark.
    #[default]
    Marked,
    /// As text, each hidden character by itself.
    Opened,
    /// The whole definition as JSON, as the baseline's file has it.
    Json,
}

impl Form {
    /// The next one; `marks` says whether there is a mark to open.
    #[must_use]
    pub fn next(self, marks: bool) -> Self {
        match self {
            Self::Marked if marks => Self::Opened,
            Self::Marked | Self::Opened => Self::Json,
            Self::Json => Self::Marked,
        }
    }

    pub(super) fn told(self) -> Told {
        if self == Self::Opened { Told::Open } else { Told::Mark }
    }
}

impl Default for Manner {
    fn default() -> Self {
        Self { context: 3, beside: false, wrap: true, form: Form::default() }
    }
}

impl Document {
    /// The first line to show of a page of `height` lines when it is opened: the first difference stands on it, and the
    /// headline where there is room for both.
    pub fn opening(&self, height: usize) -> usize {
        let heading = |line: usize| self.parts.iter().rev().find(|part| **part <= line).copied().unwrap_or(line);
        self.first_difference.filter(|line| *line >= height).map_or(0, heading)
    }

    pub fn of(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    pub fn push(&mut self, line: Line) {
        self.lines.push(line);
    }

    /// Appends a line, wrapped; the following lines hang under `indent`.
    pub fn say(&mut self, line: &Line, indent: usize) {
        self.lines.extend(line.wrap(self.width, indent));
    }

    /// The same of several.
    pub fn say_each(&mut self, lines: impl IntoIterator<Item = Line>, indent: usize) {
        for line in lines {
            self.say(&line, indent);
        }
    }

    /// Appends our own words, wrapped.
    pub fn words(&mut self, role: Role, text: impl Into<String>) {
        self.say(&Line::of(role, text), 0);
    }

    /// Appends what a label is about, text from elsewhere that hangs beside it.
    pub fn labelled(&mut self, label: &str, text: &str) {
        self.say(Line::of(Role::Dim, label).quote(Role::Text, text), label.len());
    }

    /// One empty line, unless there is one already.
    pub fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.pieces.is_empty()) {
            self.lines.push(Line::default());
        }
    }

    pub fn begin(&mut self) {
        self.gap();
        self.parts.push(self.lines.len());
    }

    /// Begins a part with its heading.
    pub fn part(&mut self, heading: Line) {
        self.begin();
        self.lines.push(heading);
    }

    /// The same with our own words.
    pub fn heading(&mut self, text: impl Into<String>) {
        self.part(Line::of(Role::Heading, text));
    }
}
