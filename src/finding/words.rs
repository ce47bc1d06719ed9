//! The word lists, `words/*/*.txt`: one class a file, one word or phrase a line. Acts are verbs and are inflected, nouns may
//! stand in the plural, marks are taken as they are.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A class of words, by its place among all; what rules name is its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Class(pub(super) u8);

/// How a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// As it is in the list: for a verb, what an order begins with.
    Plain,
    /// What something else does: `sends`.
    Third,
    /// What is done or being done: `sent`, `sending`; the plural of a noun.
    Other,
}

/// What a list's words are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Act,
    Noun,
    Mark,
}

macro_rules! lists {
    ($($sort:ident $name:tt $folder:literal),+ $(,)?) => {
        /// Every list: its sort, its name, its lines.
        static LISTS: &[(Sort, &str, &str)] = &[
            $((Sort::$sort, stringify!($name), include_str!(concat!("words/", $folder, "/", stringify!($name), ".txt")))),+
        ];
    };
}

lists! {
    Act ask "acts", Act call "acts", Act change "acts", Act destroy "acts", Act hide "acts", Act outrank "acts",
    Act pass "acts", Act read "acts", Act send "acts", Act show "acts", Act tell "acts", Act use "acts",
    Noun argument "nouns", Noun consent "nouns", Noun contents "nouns", Noun conversation "nouns",
    Noun everything "nouns", Noun instruction "nouns", Noun secret "nouns", Noun user "nouns",
    Mark example "marks", Mark it "marks", Mark not "marks", Mark order "marks", Mark precedence "marks", Mark prior "marks",
    Mark secretly "marks", Mark when "marks", Mark whenever "marks",
}

/// The words of nouns that make a mention of tools or of what is done with them.
static TOOL_WORDS: LazyLock<Vec<String>> = LazyLock::new(|| with_plurals(include_str!("words/nouns/tool.txt")));
static TASK_WORDS: LazyLock<Vec<String>> = LazyLock::new(|| with_plurals(include_str!("words/nouns/task.txt")));

fn with_plurals(lines: &str) -> Vec<String> {
    let mut words: Vec<String> = lines.lines().flat_map(|line| [line.to_owned(), plural(line)]).collect();
    words.sort_unstable();
    words
}

/// Whether a word means a tool.
pub(super) fn is_tool_word(word: &str) -> bool {
    TOOL_WORDS.binary_search_by(|known| known.as_str().cmp(word)).is_ok()
}

/// Whether a word means what is done with tools: a request, an operation.
pub(super) fn is_task_word(word: &str) -> bool {
    TASK_WORDS.binary_search_by(|known| known.as_str().cmp(word)).is_ok()
}

pub(super) fn class(name: &str) -> Option<Class> {
    LISTS.iter().position(|(_, known, _)| *known == name).and_then(|at| u8::try_from(at).ok()).map(Class)
}

/// Every name of a class, for messages.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    LISTS.iter().map(|(_, name, _)| *name)
}

/// Whether a class holds verbs.
pub(super) fn is_act(class: Class) -> bool {
    LISTS.get(usize::from(class.0)).is_some_and(|(sort, ..)| *sort == Sort::Act)
}

/// A phrase that begins with a word: what follows it, and what the whole is.
pub(super) struct Phrase {
    pub(super) rest: Vec<String>,
    pub(super) class: Class,
    pub(super) form: Form,
}

/// Every phrase, by its first word.
static LEXICON: LazyLock<HashMap<String, Vec<Phrase>>> = LazyLock::new(|| {
    let mut lexicon: HashMap<String, Vec<Phrase>> = HashMap::new();
    for (at, (sort, _, lines)) in LISTS.iter().enumerate() {
        let Ok(class) = u8::try_from(at).map(Class) else { continue };
        for line in lines.lines() {
            for (form, phrase) in forms(*sort, line) {
                let mut words = phrase.split(' ').map(str::to_owned);
                let Some(first) = words.next() else { continue };
                lexicon.entry(first).or_default().push(Phrase { rest: words.collect(), class, form });
            }
        }
    }
    lexicon
});

/// The phrases that begin with a word.
pub(super) fn phrases(word: &str) -> &'static [Phrase] {
    LEXICON.get(word).map_or(&[], Vec::as_slice)
}

fn forms(sort: Sort, line: &str) -> Vec<(Form, String)> {
    let mut forms = vec![(Form::Plain, line.to_owned())];
    match sort {
        Sort::Mark => {}
        Sort::Noun => forms.push((Form::Other, plural(line))),
        Sort::Act => {
            forms.push((Form::Third, plural(line)));
            forms.extend(inflections(line).into_iter().filter(|form| form != line).map(|form| (Form::Other, form)));
        }
    }
    forms
}

fn plural(word: &str) -> String {
    match word.as_bytes() {
        [.., b'y'] if !word.ends_with(['a', 'e', 'o']) && !word.ends_with("ey") && !word.ends_with("ay") => {
            format!("{}ies", &word[..word.len() - 1])
        }
        [.., b's' | b'x'] | [.., b'c' | b's', b'h'] => format!("{word}es"),
        _ => format!("{word}s"),
    }
}

/// Verbs whose past has a form of its own: the verb, a blank, the past.
static IRREGULAR: &str = include_str!("words/parts/irregular.txt");

/// The other forms of a regular verb: `stopping` and `stoping` are both made, as no text has the wrong one.
fn inflections(verb: &str) -> Vec<String> {
    let stem = verb.strip_suffix('e').unwrap_or(verb);
    let last = verb.chars().last().unwrap_or_default();
    let mut forms =
        vec![format!("{stem}ing"), format!("{stem}ed"), format!("{verb}{last}ing"), format!("{verb}{last}ed")];
    if let Some(stem) = verb.strip_suffix('y') {
        forms.push(format!("{stem}ied"));
    }
    let irregular = IRREGULAR.lines().filter_map(|line| line.split_once(' ')).filter(|(known, _)| *known == verb);
    forms.extend(irregular.map(|(_, past)| past.to_owned()));
    forms
}
