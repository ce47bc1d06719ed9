//! TOML as a tree.

use super::{Branch, Grain, Grown, Malformed};
use crate::text::visible;
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The parser bounds the depth.
pub(super) fn read(text: &str) -> Result<Branch, Malformed> {
    let lines = Lines::of(text);
    match DeTable::parse(text) {
        Ok(table) => Ok(Branch { line: 1, at: table.span(), value: members(table.get_ref(), &lines) }),
        Err(error) => {
            let line = lines.at(error.span().map_or(0, |span| span.start));
            Err(Malformed::at(line, format!("it is no TOML: {}", visible(error.message()))))
        }
    }
}

fn members(table: &DeTable<'_>, lines: &Lines) -> Grown {
    let member = |(key, value): (&Spanned<std::borrow::Cow<'_, str>>, &Spanned<DeValue<'_>>)| Grain {
        name: key.get_ref().to_string(),
        line: lines.at(key.span().start),
        key: key.span(),
        value: branch(value, lines),
    };
    let mut members: Vec<_> = table.iter().map(member).collect();
    members.sort_by_key(|member| member.key.start);
    Grown::Table(members)
}

fn branch(value: &Spanned<DeValue<'_>>, lines: &Lines) -> Branch {
    let leaf = |value| Grown::Leaf(value);
    let grown = match value.get_ref() {
        DeValue::String(text) => leaf(Value::String(text.to_string())),
        DeValue::Boolean(flag) => leaf(Value::Bool(*flag)),
        DeValue::Integer(number) => {
            leaf(i64::from_str_radix(number.as_str(), number.radix()).map_or(Value::Null, Value::from))
        }
        DeValue::Float(number) => leaf(number.as_str().parse::<f64>().map_or(Value::Null, Value::from)),
        DeValue::Datetime(time) => leaf(Value::String(time.to_string())),
        DeValue::Array(list) => Grown::List(list.iter().map(|value| branch(value, lines)).collect()),
        DeValue::Table(table) => members(table, lines),
    };
    Branch { line: lines.at(value.span().start), at: value.span(), value: grown }
}

/// Where lines start.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect())
    }

    /// The line of a byte, from 1.
    fn at(&self, byte: usize) -> usize {
        1 + self.0.partition_point(|end| *end < byte)
    }
}
