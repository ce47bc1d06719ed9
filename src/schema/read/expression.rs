//! Regular expressions of a schema, read in simpler terms where they have some.

use super::SchemaReader;
use crate::schema::node::{Id, Node, TRUE};

impl SchemaReader<'_, '_> {
    /// A text that the pattern matches, in simpler terms where it has some: lookaheads at its start are patterns of their own,
    /// and one unit repeated is a length.
    pub(super) fn matches(&mut self, source: &str) -> Id {
        // A part of an expression counts its groups anew.
        let refers_back = source.contains("\\k") || (1..10).any(|group| source.contains(&format!("\\{group}")));
        if let Some(split) = jsonschema_regex::split_leading_lookaheads(source).filter(|_| !refers_back) {
            let mut parts = Vec::new();
            for (at, part) in split.iter().enumerate() {
                // The last part is what follows the lookaheads, which has no alternatives of its own: it needs no group.
                let rest = part.strip_prefix("^(?:").and_then(|inner| inner.strip_suffix(')'));
                parts.push(match rest.filter(|_| at + 1 == split.len()) {
                    Some(rest) => self.matches_one(&format!("^{rest}")),
                    None => self.matches_one(part),
                });
            }
            return self.arena.all(parts);
        }
        self.matches_one(source)
    }

    fn matches_one(&mut self, source: &str) -> Id {
        let bare = source.strip_prefix("^(?:").and_then(|inner| inner.strip_suffix(')'));
        let inner = bare.or_else(|| source.strip_prefix('^')).and_then(|inner| inner.strip_suffix('$'));
        if let Some((one_line, least, most)) = inner.and_then(repeated) {
            let mut parts = vec![self.arena.atom(Node::MinLength(least))];
            parts.extend(most.map(|most| self.arena.atom(Node::MaxLength(most))));
            if one_line {
                let line = self.arena.pattern_id("^.*$");
                parts.push(self.arena.atom(Node::Pattern(line)));
            }
            return self.arena.all(parts);
        }
        match self.pattern(source) {
            Ok(None) => TRUE,
            Ok(Some(pattern)) => self.arena.atom(Node::Pattern(pattern)),
            Err(unknown) => unknown,
        }
    }

    /// The id of a pattern; none where it matches every string.
    pub(super) fn pattern(&mut self, source: &str) -> Result<Option<u32>, Id> {
        self.pattern_chars = self.pattern_chars.saturating_add(source.len());
        if self.pattern_chars > self.budget.pattern_chars {
            return Err(self.arena.unknown("more characters of regular expressions than are read"));
        }
        let everything = ["", "^", "$", ".*", "^.*", ".*$", "(?:)", "()"];
        Ok(if everything.contains(&source) { None } else { Some(self.arena.pattern_id(source)) })
    }
}

/// `.{1,5}` or `[\s\S]+`: whether line ends are left out, and how often the unit stands at least and at most.
fn repeated(expression: &str) -> Option<(bool, u64, Option<u64>)> {
    let units = [(".", true), ("[\\s\\S]", false), ("[\\S\\s]", false), ("[\\d\\D]", false), ("[\\w\\W]", false)];
    let (count, one_line) =
        units.iter().find_map(|(unit, one_line)| Some((expression.strip_prefix(unit)?, *one_line)))?;
    let (least, most) = match count {
        "" => (1, Some(1)),
        "?" => (0, Some(1)),
        "*" => (0, None),
        "+" => (1, None),
        _ => {
            let inner = count.strip_prefix('{')?.strip_suffix('}')?;
            let (least, most) = inner.split_once(',').unwrap_or((inner, inner));
            (least.parse().ok()?, if most.is_empty() { None } else { Some(most.parse().ok()?) })
        }
    };
    most.is_none_or(|most| least <= most).then_some((one_line, least, most))
}
