//! Regular expressions of a schema: whether one matches a text, by the validator's own engine, and texts that match.
//!
//! A schema's expressions are hostile: the engine's backtracking and size are bounded, and past a bound the answer is not known.

use super::automaton::Automaton;
use super::node::Arena;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, Validator};
use serde_json::json;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// Backtracking steps of one match.
const BACKTRACK_LIMIT: usize = 5_000;
/// Matches that the engine gives up before a pattern is not asked again.
const MOST_GIVEN_UP: u32 = 3;
/// Bytes of one compiled expression.
const SIZE_LIMIT: usize = 1 << 18;
/// Characters of a text that is matched at all.
const LONGEST_TEXT: usize = 4_096;

/// The engine's options, for every validator that is built here.
pub(super) fn engine() -> PatternOptions<jsonschema::FancyRegex> {
    PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT).size_limit(SIZE_LIMIT).dfa_size_limit(SIZE_LIMIT)
}

/// Compiled patterns, made when first asked for.
#[derive(Default)]
pub(super) struct Patterns {
    compiled: RefCell<HashMap<u32, Option<Rc<Validator>>>>,
    automata: RefCell<HashMap<u32, Option<Rc<Automaton>>>>,
    given_up: RefCell<HashMap<u32, u32>>,
    whole: OnceCell<Option<Rc<Automaton>>>,
}

impl Patterns {
    fn compiled(&self, arena: &Arena, pattern: u32) -> Option<Rc<Validator>> {
        if let Some(known) = self.compiled.borrow().get(&pattern) {
            return known.clone();
        }
        let source = arena.patterns.get(pattern as usize)?;
        let built = jsonschema::options()
            .offline()
            .with_pattern_options(engine())
            .build(&json!({ "pattern": &**source }))
            .ok()
            .map(Rc::new);
        self.compiled.borrow_mut().insert(pattern, built.clone());
        built
    }

    /// Whether the pattern matches somewhere in `text`; none where the engine gives up or does not know the pattern.
    pub(super) fn matches(&self, arena: &Arena, pattern: u32, text: &str) -> Option<bool> {
        let given_up = self.given_up.borrow().get(&pattern).copied().unwrap_or(0);
        if text.len() > LONGEST_TEXT || given_up >= MOST_GIVEN_UP {
            return None;
        }
        let compiled = self.compiled(arena, pattern)?;
        match compiled.validate(&json!(text)) {
            Ok(()) => Some(true),
            Err(error) if matches!(error.kind(), ValidationErrorKind::Pattern { .. }) => Some(false),
            Err(_) => {
                *self.given_up.borrow_mut().entry(pattern).or_default() += 1;
                None
            }
        }
    }

    /// The pattern's automaton; none where it has none of a bounded size.
    pub(super) fn automaton(&self, arena: &Arena, pattern: u32) -> Option<Rc<Automaton>> {
        if let Some(known) = self.automata.borrow().get(&pattern) {
            return known.clone();
        }
        let source = arena.patterns.get(pattern as usize)?;
        let translated = jsonschema_regex::to_rust_regex(source).ok();
        let built = translated.and_then(|expression| Automaton::new(&expression)).map(Rc::new);
        self.automata.borrow_mut().insert(pattern, built.clone());
        built
    }

    /// The automaton of all texts.
    pub(super) fn whole(&self) -> Option<Rc<Automaton>> {
        self.whole.get_or_init(|| Automaton::whole().map(Rc::new)).clone()
    }
}
