//! A pattern: what must stand in one sentence, or in it and the next one, for a rule to say something. Its grammar is small:
//!
//! ```text
//! all  = ["when tool(elsewhere)", "order change|pass or order send"]
//! ```
//!
//! Each entry is words of the grammar that follow one another inside one clause, at most [`GAP`] words apart; `a|b` is either,
//! ` or ` parts whole sequences, `+a` follows directly, `tool(…)` says where the tool stands. A verb behind a negation matches only after `not`.

use super::known::Standing;
use super::reading::{Mark, Reading, Sign};
use super::words::{self, Form};
use std::ops::Range;
use std::sync::LazyLock;

/// Words between two that follow one another.
pub(super) const GAP: usize = 10;

/// Words between two of which the second follows directly: an article, a preposition.
const DIRECT: usize = 2;

/// One word of the grammar: any of these signs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    signs: Vec<Sign>,
    /// Whether it follows the one before it directly: `+user`.
    direct: bool,
}

/// Words that follow one another in a clause, or others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Relation(Vec<Vec<Step>>);

/// The words of the grammar that are no word list.
pub(super) const MENTIONS: [(&str, &[Sign]); 10] = [
    ("address", &[Sign::Address, Sign::Contact]),
    ("command", &[Sign::Command]),
    ("contact", &[Sign::Contact]),
    ("must", &[Sign::Must]),
    ("name", &[Sign::Name]),
    ("own", &[Sign::Own]),
    ("parameter", &[Sign::Parameter]),
    ("secret-file", &[Sign::SecretFile]),
    ("task", &[Sign::Task]),
    ("tool", &[Sign::Tool(Standing::Same), Sign::Tool(Standing::Elsewhere), Sign::Tool(Standing::Any)]),
];

/// The places of a tool, as they are written.
pub(super) const STANDINGS: [(&str, Standing); 3] =
    [("any", Standing::Any), ("elsewhere", Standing::Elsewhere), ("same", Standing::Same)];

impl Relation {
    /// Reads an entry of `all` or `none`; what is wrong with it, as a sentence.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let sequences: Result<Vec<_>, _> = text.split(" or ").map(sequence).collect();
        sequences.map(Self)
    }

    /// Where it stands in the marks of a sentence, first.
    pub(super) fn find(&self, reading: &Reading, marks: &[Mark]) -> Option<Found> {
        self.0.iter().filter_map(|steps| follow(steps, reading, marks)).min_by_key(|found| found.at.start)
    }
}

/// Where a relation was found: the words, and the one that names a tool first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) at: Range<usize>,
    pub(super) tool: Option<usize>,
    /// Whether that tool is none of the server's own.
    pub(super) is_elsewhere: bool,
}

impl Found {
    pub(super) fn with(self, other: &Self) -> Self {
        let at = self.at.start.min(other.at.start)..self.at.end.max(other.at.end);
        let is_elsewhere = if self.tool.is_some() { self.is_elsewhere } else { other.is_elsewhere };
        Self { at, tool: self.tool.or(other.tool), is_elsewhere }
    }
}

fn sequence(text: &str) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let mut depth = 0_usize;
        let end = rest.find(|c: char| {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ' ' && depth == 0
        });
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        steps.push(step(word)?);
        rest = after.trim_start();
    }
    if steps.is_empty() { Err("an entry is empty".to_owned()) } else { Ok(steps) }
}

fn step(text: &str) -> Result<Step, String> {
    let mut signs = Vec::new();
    let direct = text.starts_with('+');
    let mut rest = text.trim_start_matches('+');
    loop {
        let end = rest.find(['|', '(']).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if let Some(inside) = after.strip_prefix('(') {
            let (places, after) = inside.split_once(')').ok_or_else(|| format!("`{text}` lacks its `)`"))?;
            if word != "tool" {
                return Err(format!("`{word}` has no places; `tool` has"));
            }
            for place in places.split('|') {
                let known = STANDINGS.iter().find(|(name, _)| *name == place);
                let known = known.ok_or_else(|| format!("no place `{place}`; one of any, elsewhere, same"))?;
                signs.push(Sign::Tool(known.1));
            }
            rest = after;
        } else {
            signs.extend(named(word)?);
            rest = after;
        }
        match rest.strip_prefix('|') {
            Some(more) => rest = more,
            None if rest.is_empty() => return Ok(Step { signs, direct }),
            None => return Err(format!("`{text}`: `|` is missing before `{rest}`")),
        }
    }
}

fn named(word: &str) -> Result<Vec<Sign>, String> {
    if let Some((_, signs)) = MENTIONS.iter().find(|(name, _)| *name == word) {
        return Ok(signs.to_vec());
    }
    words::class(word).map(|class| vec![Sign::Word(class)]).ok_or_else(|| {
        let mut known: Vec<&str> = MENTIONS.iter().map(|(name, _)| *name).chain(words::names()).collect();
        known.sort_unstable();
        format!("no word `{word}` in the grammar; it has {}", known.join(", "))
    })
}

/// A negation, and what is told. Every pattern asks for them in every sentence.
static NOT_IT: LazyLock<[Option<Sign>; 2]> =
    LazyLock::new(|| ["not", "it"].map(|name| words::class(name).map(Sign::Word)));

fn follow(steps: &[Step], reading: &Reading, marks: &[Mark]) -> Option<Found> {
    let first = steps.first()?;
    let [not, it] = *NOT_IT;
    (0..marks.len()).filter(|at| fits(first, &marks[*at], false)).find_map(|start| {
        let mut last = start;
        let mut turned = not.is_some_and(|not| first.signs.contains(&not));
        let mut tool = named_tool(&marks[start]);
        for step in &steps[1..] {
            let from = marks[last].at.end.max(marks[last].at.start);
            let clause = reading.tokens[marks[last].at.start].clause;
            let next = (last + 1..marks.len())
                .take_while(|next| {
                    let start = marks[*next].at.start;
                    start <= from + if step.direct { DIRECT } else { GAP } && reading.tokens[start].clause == clause
                })
                .find(|next| {
                    let told = step.direct && Some(marks[*next].sign) == it;
                    !(told && reading.tells_another(marks[last].at.start, marks[*next].at.start))
                        && (marks[*next].at.start > marks[last].at.start || marks[last].at.is_empty())
                        && fits(step, &marks[*next], turned)
                });
            last = next?;
            turned = turned || not.is_some_and(|not| step.signs.contains(&not));
            tool = tool.or_else(|| named_tool(&marks[last]));
        }
        let end = marks[start..=last].iter().map(|mark| mark.at.end.max(mark.at.start + 1)).max()?;
        let is_elsewhere = tool.is_some_and(|(_, standing)| standing == Standing::Elsewhere);
        Some(Found { at: marks[start].at.start..end, tool: tool.map(|(at, _)| at), is_elsewhere })
    })
}

/// The word of a mark that names one tool.
fn named_tool(mark: &Mark) -> Option<(usize, Standing)> {
    match mark.sign {
        Sign::Tool(standing) if standing != Standing::Any => Some((mark.at.start, standing)),
        _ => None,
    }
}

/// Whether a mark is what a step asks for. A verb behind a negation says the contrary of the verb.
fn fits(step: &Step, mark: &Mark, turned: bool) -> bool {
    let verb = matches!(mark.sign, Sign::Word(class) if words::is_act(class));
    step.signs.contains(&mark.sign) && (!verb || (mark.negated == turned && mark.form != Form::Third))
}

/// The words of the grammar, for a person: mentions, acts, other words.
pub fn grammar() -> [Vec<&'static str>; 3] {
    let mentions = MENTIONS.iter().map(|(name, _)| *name).collect();
    let (acts, rest) = words::names().partition(|name| words::class(name).is_some_and(words::is_act));
    [mentions, acts, rest]
}
