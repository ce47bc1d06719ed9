//! Strings: lengths, patterns, excluded texts.

use super::{Found, Search};
use crate::schema::automaton::{Text, Texts};
use crate::schema::evaluate::Literal;
use crate::schema::node::Node;
use serde_json::Value;

/// The longest text that is written out for a length.
const LONGEST: u64 = 512;

impl Search<'_> {
    /// A string, as its lengths, patterns and exclusions ask.
    pub(super) fn string(&mut self, atoms: &[Literal]) -> Found {
        let (mut least, mut most) = (0_u64, u64::MAX);
        let (mut wanted, mut unwanted) = (Vec::new(), Vec::new());
        for atom in atoms {
            match (self.arena.node(atom.node), atom.holds) {
                (Node::MinLength(length), true) => least = least.max(*length),
                (Node::MinLength(length), false) => most = most.min(length.saturating_sub(1)),
                (Node::MaxLength(length), true) => most = most.min(*length),
                (Node::MaxLength(length), false) => least = least.max(length.saturating_add(1)),
                (Node::Pattern(pattern), true) => wanted.push(*pattern),
                (Node::Pattern(pattern), false) => unwanted.push(*pattern),
                _ => {}
            }
        }
        if least > most {
            return Found::Nothing;
        }
        let candidates = plain_texts(least, most).into_iter().map(Value::String);
        if let Some(value) = self.first_of(candidates, atoms) {
            return Found::Instance(value);
        }
        self.exact_string((least, most), &wanted, &unwanted, atoms)
    }

    /// The same by automata. An expression without one is left out: that only widens what is searched.
    fn exact_string(&self, (least, most): (u64, u64), wanted: &[u32], unwanted: &[u32], atoms: &[Literal]) -> Found {
        let Some(whole) = self.patterns.whole() else { return Found::Unknown(self.why(atoms)) };
        let automata = |patterns: &[u32]| -> Vec<_> {
            patterns.iter().filter_map(|pattern| self.patterns.automaton(self.arena, *pattern)).collect()
        };
        let excluded: Vec<String> = atoms
            .iter()
            .filter(|atom| !atom.holds)
            .filter_map(|atom| match self.arena.node(atom.node) {
                Node::Enum(values) => Some(values),
                _ => None,
            })
            .flatten()
            .filter_map(|value| self.arena.value(*value).as_str().map(str::to_owned))
            .collect();
        let (wanted, unwanted) = (automata(wanted), automata(unwanted));
        let (wanted, unwanted) = (&wanted[..], &unwanted[..]);
        // Without lengths and exclusions there are far fewer states, and often nothing is left already.
        let loose = Texts { whole: &whole, wanted, unwanted, least: 0, most: u64::MAX, excluded: &[] };
        let exact = Texts { least, most, excluded: &excluded, ..loose };
        for texts in [loose, exact] {
            match texts.find(self.meter) {
                Text::None => return Found::Nothing,
                Text::Found(text) => {
                    if let Some(value) = self.first_of([Value::String(text)], atoms) {
                        return Found::Instance(value);
                    }
                }
                Text::Unknown => {}
            }
        }
        Found::Unknown(self.why(atoms))
    }
}

/// Texts of an allowed length, simple ones first.
fn plain_texts(least: u64, most: u64) -> Vec<String> {
    let mut texts = Vec::new();
    if least == 0 {
        texts.extend(
            ["a", "", "b", "A", "0", "1", "-", " ", "é", "x1", "a b", "a-b", "aa", "/", "#", "\n"].map(str::to_owned),
        );
        texts.extend((0..24).map(|number| format!("x{number}")));
    }
    for length in [least, least.saturating_add(1), most] {
        let Ok(length @ 1..) = usize::try_from(length.min(LONGEST)) else { continue };
        texts.extend(["a", "b", "A", "0", "-", " ", "é"].map(|unit| unit.repeat(length)));
        texts.extend((0..10).map(|digit| format!("{}{digit}", "a".repeat(length - 1))));
    }
    texts.retain(|text| (least..=most).contains(&u64::try_from(text.chars().count()).unwrap_or(u64::MAX)));
    texts
}
