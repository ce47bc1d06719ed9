//! YAML as a tree, its first document. Aliases are not followed: they could make much of little.

use super::{Branch, Grown, MAX_DEPTH, MAX_NODES, Malformed};
use crate::text::visible;
use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use serde_json::Value;

pub(super) fn read(text: &str) -> Result<Branch, Malformed> {
    let mut reader = YamlReader { open: Vec::new(), nodes: 0 };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            Malformed::at(error.marker().line(), format!("it is no YAML: {}", visible(error.info())))
        })?;
        if let Some(top) = reader.take(event, span)? {
            return Ok(top);
        }
    }
    Ok(Branch { line: 1, value: Grown::Leaf(Value::Null) })
}

/// The tables and lists that are open.
struct YamlReader {
    open: Vec<Open>,
    nodes: usize,
}

enum Open {
    Table { line: usize, members: Vec<(String, usize, Branch)>, key: Option<(String, usize)> },
    List { line: usize, list: Vec<Branch> },
}

impl YamlReader {
    /// Takes an event; the whole tree with the last one.
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<Option<Branch>, Malformed> {
        let line = span.start.line();
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(Malformed::at(line, format!("it has more than {MAX_NODES} values")));
        }
        let done = match event {
            Event::MappingStart(..) => {
                self.open(Open::Table { line, members: Vec::new(), key: None })?;
                return Ok(None);
            }
            Event::SequenceStart(..) => {
                self.open(Open::List { line, list: Vec::new() })?;
                return Ok(None);
            }
            Event::Scalar(text, style, ..) => Branch { line, value: Grown::Leaf(scalar(&text, style)) },
            Event::Alias(_) => Branch {
                line,
                value: Grown::Refused("an alias (`*name`) stands there, which is not followed".to_owned()),
            },
            Event::MappingEnd | Event::SequenceEnd => match self.open.pop() {
                Some(Open::Table { line, members, .. }) => Branch { line, value: Grown::Table(members) },
                Some(Open::List { line, list }) => Branch { line, value: Grown::List(list) },
                None => return Ok(None),
            },
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {
                return Ok(None);
            }
        };
        self.close(done)
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
                (Some((name, line)), done) => members.push((name, line, done)),
                (None, Branch { line, value: Grown::Leaf(Value::String(name)) }) => *key = Some((name, line)),
                (None, Branch { line, value: Grown::Leaf(name) }) => *key = Some((name.to_string(), line)),
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
