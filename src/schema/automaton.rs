//! Regular expressions as automata, so that expressions, lengths and excluded texts are decided together, exactly.
//!
//! A shortest text is searched over the product of all automata. Expressions with look-around or back-references have no
//! automaton; size and steps are bounded.

use super::budget::Meter;
use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::{Anchored, util::start};
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// Bytes of one automaton.
const SIZE_LIMIT: usize = 1 << 18;
/// States of a product that are visited.
const MOST_STATES: usize = 8_000;

/// One expression, searched for anywhere in a text.
pub(super) struct Automaton {
    dfa: dense::DFA<Vec<u32>>,
    start: StateID,
}

impl Automaton {
    /// The automaton of an expression in Rust's syntax; none where it has none of a bounded size.
    pub(super) fn new(expression: &str) -> Option<Self> {
        let config = dense::Config::new()
            .start_kind(StartKind::Unanchored)
            .dfa_size_limit(Some(SIZE_LIMIT))
            .determinize_size_limit(Some(SIZE_LIMIT));
        let nfa = thompson::Config::new().nfa_size_limit(Some(SIZE_LIMIT));
        let dfa = dense::Builder::new().configure(config).thompson(nfa).build(expression).ok()?;
        let start = dfa.start_state(&start::Config::new().anchored(Anchored::No)).ok()?;
        Some(Self { dfa, start })
    }

    /// The automaton of all texts.
    pub(super) fn whole() -> Option<Self> {
        Self::new(r"(?s)\A.*\z")
    }

    fn has_quit(&self, stand: Stand) -> bool {
        matches!(stand, Stand::At(state) if self.dfa.is_quit_state(state))
    }
}

/// What a text must be.
#[derive(Clone, Copy)]
pub(super) struct Texts<'a> {
    /// The automaton of whole characters: the others work on bytes and must not wander through broken ones.
    pub(super) whole: &'a Rc<Automaton>,
    /// Each must match.
    pub(super) wanted: &'a [Rc<Automaton>],
    /// None may match.
    pub(super) unwanted: &'a [Rc<Automaton>],
    /// Characters at least.
    pub(super) least: u64,
    /// Characters at most.
    pub(super) most: u64,
    /// Texts that it must not be.
    pub(super) excluded: &'a [String],
}

/// Where a search for a text ends.
pub(super) enum Text {
    Found(String),
    None,
    /// It takes more than the bounds.
    Unknown,
}

/// Where one automaton stands in a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Stand {
    Matched,
    At(StateID),
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct ProductState {
    stands: Vec<Stand>,
    /// Characters so far, not counted past what matters.
    length: u64,
    /// The node in the tree of excluded texts; none once the text is another one.
    excluded: Option<usize>,
}

/// The excluded texts as a tree of bytes.
#[derive(Default)]
struct Tree {
    nodes: Vec<(HashMap<u8, usize>, bool)>,
}

impl Tree {
    fn new(texts: &[String]) -> Self {
        let mut tree = Self { nodes: vec![(HashMap::new(), false)] };
        for text in texts {
            let mut at = 0;
            for byte in text.bytes() {
                let fresh = tree.nodes.len();
                let next = tree.nodes.get_mut(at).map_or(fresh, |(next, _)| *next.entry(byte).or_insert(fresh));
                if next == fresh {
                    tree.nodes.push((HashMap::new(), false));
                }
                at = next;
            }
            if let Some((_, ends)) = tree.nodes.get_mut(at) {
                *ends = true;
            }
        }
        tree
    }

    fn step(&self, at: Option<usize>, byte: u8) -> Option<usize> {
        self.nodes.get(at?)?.0.get(&byte).copied()
    }

    fn ends(&self, at: Option<usize>) -> bool {
        at.and_then(|at| self.nodes.get(at)).is_some_and(|(_, ends)| *ends)
    }
}

impl Texts<'_> {
    /// A shortest text that is all this.
    pub(super) fn find(&self, meter: &Meter) -> Text {
        let automata: Vec<&Automaton> =
            self.wanted.iter().chain([self.whole]).chain(self.unwanted).map(AsRef::as_ref).collect();
        let positive = self.wanted.len() + 1;
        let tree = Tree::new(self.excluded);
        let alphabet = alphabet(&automata, self.excluded);
        let cost = (alphabet.len() * automata.len() / 8 + 1) as u64;
        let cap = if self.most == u64::MAX { self.least } else { self.most.saturating_add(1) };
        let first = ProductState {
            stands: automata.iter().map(|automaton| standing(automaton, automaton.start)).collect(),
            length: 0,
            excluded: Some(0),
        };
        let mut seen = HashSet::from([first.clone()]);
        let mut visited = vec![(first, usize::MAX, 0_u8)];
        let mut open = VecDeque::from([0_usize]);
        while let Some(at) = open.pop_front() {
            let Some((place, ..)) = visited.get(at).cloned() else { return Text::Unknown };
            if self.is_goal(&place, &automata, positive, &tree) {
                return spelled(&visited, at).map_or(Text::Unknown, Text::Found);
            }
            if visited.len() > MOST_STATES || !meter.take(cost) {
                return Text::Unknown;
            }
            for byte in &alphabet {
                let starts_character = byte & 0b1100_0000 != 0b1000_0000;
                let length = if starts_character { (place.length + 1).min(cap) } else { place.length };
                if length > self.most {
                    continue;
                }
                let stands: Option<Vec<Stand>> = place
                    .stands
                    .iter()
                    .zip(&automata)
                    .enumerate()
                    .map(|(index, (stand, automaton))| {
                        let next = match stand {
                            Stand::Matched => Stand::Matched,
                            Stand::At(state) => standing(automaton, automaton.dfa.next_state(*state, *byte)),
                        };
                        is_hopeful(next, automaton, index < positive).then_some(next)
                    })
                    .collect();
                let Some(stands) = stands else { continue };
                if stands.iter().zip(&automata).any(|(stand, automaton)| automaton.has_quit(*stand)) {
                    return Text::Unknown;
                }
                let next = ProductState { stands, length, excluded: tree.step(place.excluded, *byte) };
                if seen.insert(next.clone()) {
                    open.push_back(visited.len());
                    visited.push((next, at, *byte));
                }
            }
        }
        Text::None
    }

    fn is_goal(&self, place: &ProductState, automata: &[&Automaton], positive: usize, tree: &Tree) -> bool {
        let fits = place.length >= self.least && place.length <= self.most && !tree.ends(place.excluded);
        fits && place.stands.iter().zip(automata).enumerate().all(|(index, (stand, automaton))| {
            let matched = match stand {
                Stand::Matched => true,
                Stand::At(state) => automaton.dfa.is_match_state(automaton.dfa.next_eoi_state(*state)),
            };
            matched == (index < positive)
        })
    }
}

/// The state, or that the expression has matched: a match anywhere is for good.
fn standing(automaton: &Automaton, state: StateID) -> Stand {
    if automaton.dfa.is_match_state(state) { Stand::Matched } else { Stand::At(state) }
}

/// Whether a text that goes on from here can still be what it must.
fn is_hopeful(stand: Stand, automaton: &Automaton, wanted: bool) -> bool {
    match stand {
        Stand::Matched => wanted,
        Stand::At(state) => !(wanted && automaton.dfa.is_dead_state(state)),
    }
}

/// One byte for all bytes that no automaton and no excluded text tells apart, the most readable one.
fn alphabet(automata: &[&Automaton], excluded: &[String]) -> Vec<u8> {
    let own: HashSet<u8> = excluded.iter().flat_map(|text| text.bytes()).collect();
    let readable = (b'a'..=b'z').chain(b'0'..=b'9').chain(b'A'..=b'Z').chain([b'-', b'_', b'.', b' ']);
    let mut seen = HashSet::new();
    let mut bytes = Vec::new();
    for byte in readable.chain(b'!'..=b'~').chain(0..=u8::MAX) {
        let classes: Vec<u8> = automata.iter().map(|automaton| automaton.dfa.byte_classes().get(byte)).collect();
        let continues = byte & 0b1100_0000 == 0b1000_0000;
        if seen.insert((classes, continues, own.contains(&byte).then_some(byte))) {
            bytes.push(byte);
        }
    }
    bytes
}

fn spelled(visited: &[(ProductState, usize, u8)], mut at: usize) -> Option<String> {
    let mut bytes = Vec::new();
    while let Some((_, before, byte)) = visited.get(at).filter(|(_, before, _)| *before != usize::MAX) {
        bytes.push(*byte);
        at = *before;
    }
    bytes.reverse();
    String::from_utf8(bytes).ok()
}
