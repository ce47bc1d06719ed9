//! Regular expressions of a schema: whether one matches a text, and texts that match.
//!
//! An expression is ECMA-262's, and is translated for the engine. A schema's expressions are hostile: the engine's backtracking
//! and size are bounded, and past a bound the answer is not known.

use super::automaton::Automaton;
use super::node::Arena;
use fancy_regex::{Regex, RegexBuilder};
use jsonschema_regex::{RepeatedClass, Search, search_form, to_rust_regex};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Backtracking steps of one match.
const BACKTRACK_LIMIT: usize = 5_000;
/// Matches that the engine gives up before a pattern is not asked again.
const MOST_GIVEN_UP: u32 = 3;
/// Bytes of one compiled expression.
const SIZE_LIMIT: usize = 1 << 18;
/// Characters of a text that is matched at all.
const LONGEST_TEXT: usize = 4_096;

/// An expression that is ready to be matched.
enum Compiled {
    /// One class of characters, so many times: counted, whatever the count is.
    Repeated(RepeatedClass),
    Engine(Regex),
}

impl Compiled {
    /// None where the expression is malformed or too large.
    fn new(source: &str) -> Option<Self> {
        let translated = to_rust_regex(source).ok()?;
        let expression = match search_form(source, &translated) {
            Some(Search::RepeatedClass(class)) => return Some(Self::Repeated(class)),
            Some(Search::Collapsed(collapsed)) => collapsed,
            None => translated.into_owned(),
        };
        let mut builder = RegexBuilder::new(&expression);
        builder.backtrack_limit(BACKTRACK_LIMIT);
        builder.delegate_size_limit(SIZE_LIMIT).delegate_dfa_size_limit(SIZE_LIMIT);
        Some(Self::Engine(builder.build().ok()?))
    }

    /// None where the engine gives up.
    fn matches(&self, text: &str) -> Option<bool> {
        match self {
            Self::Repeated(class) => Some(class.is_match(text)),
            // regex-automata panics on some pairs of expression and text (rust-lang/regex issue 1344).
            Self::Engine(regex) => catch_unwind(AssertUnwindSafe(|| regex.is_match(text))).ok()?.ok(),
        }
    }
}

/// Compiled patterns, made when first asked for.
#[derive(Default)]
pub(super) struct Patterns {
    compiled: RefCell<HashMap<u32, Option<Rc<Compiled>>>>,
    automata: RefCell<HashMap<u32, Option<Rc<Automaton>>>>,
    given_up: RefCell<HashMap<u32, u32>>,
    whole: OnceCell<Option<Rc<Automaton>>>,
}

impl Patterns {
    fn compiled(&self, arena: &Arena, pattern: u32) -> Option<Rc<Compiled>> {
        if let Some(known) = self.compiled.borrow().get(&pattern) {
            return known.clone();
        }
        let source = arena.patterns.get(pattern as usize)?;
        let built = Compiled::new(source).map(Rc::new);
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
        let matched = compiled.matches(text);
        if matched.is_none() {
            *self.given_up.borrow_mut().entry(pattern).or_default() += 1;
        }
        matched
    }

    /// The pattern's automaton; none where it has none of a bounded size.
    pub(super) fn automaton(&self, arena: &Arena, pattern: u32) -> Option<Rc<Automaton>> {
        if let Some(known) = self.automata.borrow().get(&pattern) {
            return known.clone();
        }
        let source = arena.patterns.get(pattern as usize)?;
        let translated = to_rust_regex(source).ok();
        let built = translated.and_then(|expression| Automaton::new(&expression)).map(Rc::new);
        self.automata.borrow_mut().insert(pattern, built.clone());
        built
    }

    pub(super) fn whole(&self) -> Option<Rc<Automaton>> {
        self.whole.get_or_init(|| Automaton::whole().map(Rc::new)).clone()
    }
}
