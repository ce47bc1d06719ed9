//! Puts a guard before a command in a file's text, and takes it away again. Spans are changed, and nothing is written
//! anew: comments, indentation, line ends and the order of keys stay. Whether an edit did what it should is its caller's to
//! check, by reading the text again.

use crate::config::clients::{Spot, Spots};
use crate::config::document::Syntax;
use crate::text::double_quoted;
use std::ops::Range;

/// What stands in the place of a stretch of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub at: Range<usize>,
    pub with: String,
}

impl Edit {
    pub fn insert(at: usize, with: String) -> Self {
        Self { at: at..at, with }
    }
}

/// The text with every edit in it; they do not overlap.
pub(super) fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.at.start);
    let mut done = String::with_capacity(text.len());
    let mut here = 0;
    for Edit { at, with } in edits {
        done += &text[here..at.start];
        done += &with;
        here = at.end;
    }
    done + &text[here..]
}

/// A text of one client's file.
#[derive(Clone, Copy)]
pub(super) struct ClientText<'a> {
    pub text: &'a str,
    pub syntax: Syntax,
    /// What its client calls the list of arguments.
    pub args: &'static str,
    /// What its client calls the table of headers.
    pub headers: &'static str,
}

impl ClientText<'_> {
    /// Puts `words`, the first of them a program, before the command that stands at `spots`; with the text of a list of
    /// arguments that was not there. None where its place is none that is understood.
    pub fn wrap(&self, spots: &Spots, words: &[String]) -> Option<(Vec<Edit>, Option<String>)> {
        let command = spots.command.as_ref()?;
        let words: Vec<String> = words.iter().map(|word| self.quoted(word)).collect();
        if let Some(elements) = &command.elements {
            return Some((vec![self.insertion(command, elements, &words)?], None));
        }
        let old = self.text.get(command.value.clone()).filter(|old| !old.contains('\n'))?;
        let (program, rest) = words.split_first()?;
        let list: Vec<String> = rest.iter().cloned().chain([old.to_owned()]).collect();
        let edit = match &spots.args {
            Some(args) => self.insertion(args, args.elements.as_ref()?, &list)?,
            None => self.addition(command, self.args, &format!("[{}]", list.join(", "))),
        };
        let added = spots.args.is_none().then(|| edit.with.clone());
        Some((vec![Edit { at: command.value.clone(), with: program.clone() }, edit], added))
    }

    /// Takes the guard away from before the command that follows the first `many` arguments. `added` are texts of lists of
    /// arguments that were not there before a guard was.
    pub fn unwrap(&self, spots: &Spots, many: usize, added: &[String]) -> Option<Vec<Edit>> {
        let command = spots.command.as_ref()?;
        if let Some(elements) = &command.elements {
            // The program stands in the list, too.
            return Some(vec![self.removal(command, elements, many + 1)?]);
        }
        let args = spots.args.as_ref()?;
        let elements = args.elements.as_ref()?;
        let own = self.text.get(elements.get(many)?.clone())?;
        let places = [command.value.end, self.line_end(command.value.end)];
        let is_added = |at: usize| {
            let ends =
                added.iter().filter(|added| self.text[at..].starts_with(added.as_str())).map(|one| at + one.len());
            ends.filter(|end| *end == args.value.end).map(|end| at..end).next()
        };
        let removed = match places.into_iter().find_map(is_added) {
            Some(at) => Edit { at, with: String::new() },
            None => self.removal(args, elements, many + 1)?,
        };
        Some(vec![Edit { at: command.value.clone(), with: own.to_owned() }, removed])
    }

    pub fn quoted(&self, word: &str) -> String {
        match self.syntax {
            Syntax::Json | Syntax::Jsonc => serde_json::Value::from(word).to_string(),
            Syntax::Toml | Syntax::Yaml => double_quoted(word),
        }
    }

    /// Words before the first element of a list.
    fn insertion(&self, list: &Spot, elements: &[Range<usize>], words: &[String]) -> Option<Edit> {
        let is_flow = self.text.get(list.value.clone())?.starts_with('[');
        let Some(first) = elements.first() else {
            return is_flow.then(|| Edit::insert(list.value.start + 1, words.join(", ")));
        };
        if is_flow {
            let lead = self.lead(first.start);
            let tail = if lead.contains('\n') { lead } else { " " };
            return Some(Edit::insert(first.start, format!("{},{tail}", words.join(", "))));
        }
        let dash = self.dash(first.start)?;
        let lead = self.lead(dash);
        let lines = words.iter().map(|word| format!("- {word}{lead}"));
        lead.contains('\n').then(|| Edit::insert(dash, lines.collect()))
    }

    /// The first elements of a list are taken away.
    fn removal(&self, list: &Spot, elements: &[Range<usize>], many: usize) -> Option<Edit> {
        let (first, final_one) = (elements.first()?, elements.get(many.checked_sub(1)?)?);
        let is_flow = self.text.get(list.value.clone())?.starts_with('[');
        let at = match (elements.get(many), is_flow) {
            (Some(next), true) => first.start..next.start,
            (Some(next), false) => self.dash(first.start)?..self.dash(next.start)?,
            (None, true) => {
                let rest = self.text[final_one.end..].trim_start();
                let end = self.text.len() - rest.len();
                first.start..if rest.starts_with(',') { end + 1 } else { final_one.end }
            }
            (None, false) => return None,
        };
        Some(Edit { at, with: String::new() })
    }

    /// A member `name` beside one that is there.
    pub fn addition(&self, beside: &Spot, name: &str, value: &str) -> Edit {
        let before = &self.text[self.line_start(beside.key.start)..beside.key.start];
        let between = self.between(beside.key.end..beside.value.start);
        if self.is_json() {
            let lead = match self.lead(beside.key.start) {
                "" if between.ends_with(' ') => " ",
                lead => lead,
            };
            return Edit::insert(beside.value.end, format!(",{lead}\"{name}\"{between}{value}"));
        }
        if before.contains('{') {
            return Edit::insert(beside.value.end, format!(", {name}{between}{value}"));
        }
        // The first member of an element of a YAML list stands behind its dash.
        let indent = if self.syntax == Syntax::Yaml { before.replace('-', " ") } else { before.to_owned() };
        let end = self.line_break();
        Edit::insert(self.line_end(beside.value.end), format!("{end}{indent}{name}{between}{value}"))
    }

    pub fn is_json(&self) -> bool {
        matches!(self.syntax, Syntax::Json | Syntax::Jsonc)
    }

    /// What stands between a name and its value there, where that is plain.
    pub fn between(&self, at: Range<usize>) -> &str {
        let between = &self.text[at];
        let is_plain = !between.is_empty() && between.chars().all(|c| matches!(c, ' ' | ':' | '='));
        match (is_plain, self.syntax) {
            (true, _) => between,
            (false, Syntax::Toml) => " = ",
            (false, _) => ": ",
        }
    }

    /// How its lines end.
    pub fn line_break(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// The blanks before a place, with the end of the line before them where they begin their line.
    pub fn lead(&self, at: usize) -> &str {
        let before = &self.text[..at];
        let blank = before.trim_end_matches([' ', '\t']);
        let end = blank.strip_suffix('\n').map_or(blank, |line| line.strip_suffix('\r').unwrap_or(line));
        &before[end.len()..]
    }

    /// The dash of the element of a YAML list whose value stands at `at`.
    fn dash(&self, at: usize) -> Option<usize> {
        self.text[..at].trim_end_matches(' ').strip_suffix('-').map(str::len)
    }

    /// The start of the line of a place.
    pub fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |end| end + 1)
    }

    /// The end of the line of a place.
    pub fn line_end(&self, at: usize) -> usize {
        let line = self.text[at..].split('\n').next().unwrap_or_default();
        at + line.strip_suffix('\r').unwrap_or(line).len()
    }
}
