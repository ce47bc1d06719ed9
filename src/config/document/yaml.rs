//! YAML as a tree, its first document. Aliases are not followed: they could make much of little.

use super::{Branch, Grain, Grown, MAX_DEPTH, MAX_NODES, Malformed};
use crate::text::visible;
use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use serde_json::Value;
use std::ops::Range;

pub(super) fn read(text: &str) -> Result<Branch, Malformed> {
    let mut reader = YamlReader { text, open: Vec::new(), nodes: 0, places: Places::of(text) };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            Malformed::at(error.marker().line(), format!("it is no YAML: {}", visible(error.info())))
        })?;
        if let Some(top) = reader.take(event, span)? {
            return Ok(top);
        }
    }
    Ok(Branch { line: 1, at: 0..text.len(), value: Grown::Leaf(Value::Null) })
}

/// The tables and lists that are open.
struct YamlReader<'a> {
    text: &'a str,
    open: Vec<Open>,
    nodes: usize,
    places: Places,
}

/// Where characters stand in the text: the parser counts characters.
enum Places {
    /// Each is one byte.
    Bytes,
    Characters(Vec<usize>),
}

impl Places {
    fn of(text: &str) -> Self {
        if text.is_ascii() {
            return Self::Bytes;
        }
        Self::Characters(text.char_indices().map(|(at, _)| at).chain([text.len()]).collect())
    }

    fn at(&self, character: usize) -> usize {
        match self {
            Self::Bytes => character,
            Self::Characters(places) => places.get(character).or(places.last()).copied().unwrap_or_default(),
        }
    }
}

enum Open {
    Table { line: usize, start: usize, members: Vec<Grain>, key: Option<(String, usize, Range<usize>)> },
    List { line: usize, start: usize, list: Vec<Branch> },
}

impl YamlReader<'_> {
    /// Takes an event; the whole tree with the last one.
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<Option<Branch>, Malformed> {
        let line = span.start.line();
        let (start, end) = (self.places.at(span.start.index()), self.places.at(span.end.index()));
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(Malformed::at(line, format!("it has more than {MAX_NODES} values")));
        }
        let done = match event {
            Event::MappingStart(..) => {
                self.open(Open::Table { line, start, members: Vec::new(), key: None })?;
                return Ok(None);
            }
            Event::SequenceStart(..) => {
                self.open(Open::List { line, start, list: Vec::new() })?;
                return Ok(None);
            }
            Event::Scalar(text, style, ..) => {
                Branch { line, at: self.scalar_at(start, end), value: Grown::Leaf(scalar(&text, style)) }
            }
            Event::Alias(_) => Branch {
                line,
                at: start..end,
                value: Grown::Refused("an alias (`*name`) stands there, which is not followed".to_owned()),
            },
            Event::MappingEnd | Event::SequenceEnd => match self.open.pop() {
                Some(Open::Table { line, start, members, .. }) => {
                    Branch { line, at: start..end, value: Grown::Table(members) }
                }
                Some(Open::List { line, start, list }) => Branch { line, at: start..end, value: Grown::List(list) },
                None => return Ok(None),
            },
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {
                return Ok(None);
            }
        };
        self.close(done)
    }

    /// Where a scalar stands, without what follows a quoted one on its line: the parser ends that at the next token.
    fn scalar_at(&self, start: usize, end: usize) -> Range<usize> {
        let text = self.text.get(start..end).unwrap_or_default();
        let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''));
        let Some(quote) = quote else { return start..start + text.trim_end().len() };
        let mut letters = text.char_indices().skip(1).peekable();
        while let Some((at, letter)) = letters.next() {
            if letter == '\\' && quote == '"' {
                letters.next();
            } else if letter == quote {
                // Two single quotes are one of the text.
                if quote == '"' || letters.next_if(|(_, next)| *next == quote).is_none() {
                    return start..start + at + 1;
                }
            }
        }
        start..end
    }

    fn open(&mut self, open: Open) -> Result<(), Malformed> {
        let (Open::Table { line, .. } | Open::List { line, .. }) = &open;
        if self.open.len() == MAX_DEPTH {
            return Err(Malformed::at(*line, format!("it is nested deeper than {MAX_DEPTH} levels")));
        }
        self.open.push(open);
        Ok(())
    }

    /// Puts a finished value where it belongs.
    fn close(&mut self, done: Branch) -> Result<Option<Branch>, Malformed> {
        match self.open.last_mut() {
            None => return Ok(Some(done)),
            Some(Open::List { list, .. }) => list.push(done),
            Some(Open::Table { members, key, .. }) => match (key.take(), done) {
                (Some((name, line, key)), value) => members.push(Grain { name, line, key, value }),
                (None, Branch { line, at, value: Grown::Leaf(Value::String(name)) }) => *key = Some((name, line, at)),
                (None, Branch { line, at, value: Grown::Leaf(name) }) => *key = Some((name.to_string(), line, at)),
                (None, Branch { line, .. }) => return Err(Malformed::at(line, "a key is not text")),
            },
        }
        Ok(None)
    }
}

/// YAML 1.2.2, section 10.3.2: what a scalar without quotes is.
fn scalar(text: &str, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return Value::String(text.to_owned());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => {
            let number = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
            let whole = text.parse::<i64>().ok().filter(|_| number).map(Value::from);
            let real = || text.parse::<f64>().ok().filter(|value| number && value.is_finite()).map(Value::from);
            whole.or_else(real).unwrap_or_else(|| Value::String(text.to_owned()))
        }
    }
}
