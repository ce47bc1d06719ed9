//! What a text speaks of and what it orders: its words as marks. A mark is a mention (of a tool, the user, a secret) or an act
//! (an order, a condition, a verb), with where it stands; patterns look for marks that follow one another.

use super::known::{KnownHere, Standing};
use super::token::{Token, tokens};
use super::words::{self, Class, Form, is_task_word, is_tool_word};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

/// What a mark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sign {
    /// A word of a list.
    Word(Class),
    /// A tool, by its name or as one of all.
    Tool(Standing),
    /// What is done with any tool: every request, all operations.
    Task,
    /// The tool that the text belongs to, or its server.
    Own,
    /// A parameter or value of this tool or its server.
    Parameter,
    /// An identifier that is nothing known and not used as a tool.
    Name,
    /// A URL or a host.
    Address,
    /// An e-mail address, a phone or account number: somebody's.
    Contact,
    /// The path of a file that holds credentials.
    SecretFile,
    Command,
    /// A word that orders, not a verb that is an order by its form.
    Must,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) sign: Sign,
    /// The words it is made of. An order that is nothing but a verb's form is empty and stands before the verb.
    pub(super) at: Range<usize>,
    /// How the word stands.
    pub(super) form: Form,
    /// Whether a negation stands before it.
    pub(super) negated: bool,
}

pub(super) struct Reading {
    pub(super) tokens: Vec<Token>,
    /// By where they begin.
    pub(super) marks: Vec<Mark>,
}

/// Words between a negation and the verb that it turns.
const NEGATED: usize = 5;
/// Words between a quantifier and what it counts.
const QUANTIFIED: usize = 4;
/// Words between a verb of use and the tool that is used.
const USED: usize = 3;
/// Words of a shell command.
const COMMAND: usize = 14;
/// Words back to the order that a further verb belongs to.
const ORDERED: usize = 40;

fn list(lines: &'static str) -> BTreeSet<&'static str> {
    lines.lines().collect()
}

/// What may stand between the start of a clause and the verb of an order.
static FILLERS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| list(include_str!("words/marks/filler.txt")));
static QUANTIFIERS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| list(include_str!("words/marks/quantifier.txt")));
static SECRET_FILES: LazyLock<BTreeSet<&str>> = LazyLock::new(|| list(include_str!("words/parts/secret_file.txt")));
static SECRET_STEMS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| list(include_str!("words/parts/secret_stem.txt")));
static OWN: LazyLock<BTreeSet<&str>> = LazyLock::new(|| list(include_str!("words/parts/own.txt")));
static BETWEEN: LazyLock<BTreeSet<&str>> = LazyLock::new(|| list(include_str!("words/parts/between.txt")));
static JOINERS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| list(include_str!("words/marks/joiner.txt")));
static ADDRESSING: &str = include_str!("words/parts/addressing.txt");
static ANYONE: &str = include_str!("words/parts/anyone.txt");
/// Commands by their first word.
static COMMANDS: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut known = BTreeMap::<_, Vec<_>>::new();
    for line in include_str!("words/parts/command.txt").lines() {
        known.entry(line.split(' ').next().unwrap_or_default()).or_default().push(line);
    }
    known
});
static DOMAINS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| list(include_str!("words/parts/domain.txt")));

struct Classes {
    order: Option<Class>,
    not: Option<Class>,
    call: Option<Class>,
    uses: Option<Class>,
    when: Option<Class>,
    example: Option<Class>,
}

static CLASSES: LazyLock<Classes> = LazyLock::new(|| Classes {
    order: words::class("order"),
    not: words::class("not"),
    call: words::class("call"),
    uses: words::class("use"),
    example: words::class("example"),
    when: words::class("when"),
});

/// Whether the first sentence says what the tool does rather than what the model is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    Describes,
    Orders,
}

impl Reading {
    /// Reads a text with what is known around it.
    pub(super) fn of(text: &str, opening: Opening, known: &KnownHere<'_>) -> Self {
        let mut reading = Self { tokens: tokens(text), marks: Vec::new() };
        for at in 0..reading.tokens.len() {
            reading.words_at(at);
            reading.mention_at(at, text, known);
        }
        reading.marks.sort_by_key(|mark| (mark.at.start, mark.at.end));
        reading.orders(opening);
        reading.negations();
        reading
    }

    /// The marks of each sentence, in order.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &[Mark]> {
        self.marks.chunk_by(|a, b| self.tokens[a.at.start].sentence == self.tokens[b.at.start].sentence)
    }

    /// Whether the second of two sentences follows the first with none between them.
    pub(super) fn follows(&self, one: &[Mark], next: &[Mark]) -> bool {
        let sentence = |marks: &[Mark]| marks.first().map(|mark| self.tokens[mark.at.start].sentence);
        sentence(next) == sentence(one).map(|sentence| sentence + 1)
    }

    pub(super) fn text_of<'t>(&self, text: &'t str, word: usize) -> &'t str {
        self.tokens.get(word).and_then(|token| text.get(token.start..token.end)).unwrap_or_default()
    }

    /// The bytes that some words take.
    pub(super) fn span(&self, words: &Range<usize>) -> Range<usize> {
        let last = words.end.max(words.start + 1) - 1;
        self.tokens[words.start].start..self.tokens[last].end
    }

    /// Whether somebody stands between a verb that names whom it tells and what is told: `tell students that`.
    pub(super) fn tells_another(&self, verb: usize, told: usize) -> bool {
        let names = ADDRESSING.lines().any(|stem| self.word(verb).starts_with(stem));
        let anyone = |word: &str| ANYONE.lines().any(|one| one == word);
        names && told > verb + 1 && !anyone(self.word(verb + 1))
    }

    fn same_clause(&self, one: usize, other: usize) -> bool {
        self.tokens.get(one).zip(self.tokens.get(other)).is_some_and(|(one, other)| one.clause == other.clause)
    }

    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.word.as_str())
    }

    fn mark(&mut self, sign: Sign, at: Range<usize>) {
        self.marks.push(Mark { sign, at, form: Form::Plain, negated: false });
    }

    /// The words of the lists that begin here. What is cited orders nothing.
    fn words_at(&mut self, at: usize) {
        let token = &self.tokens[at];
        let cited = token.cited;
        let mut found = Vec::new();
        for phrase in words::phrases(&token.word) {
            let end = at + 1 + phrase.rest.len();
            let fits = phrase.rest.iter().enumerate().all(|(index, word)| self.word(at + 1 + index) == word.as_str());
            if fits && self.same_clause(at, end - 1) && !(cited && words::is_act(phrase.class)) {
                found.push((phrase.class, phrase.form, at..end));
            }
        }
        for (class, form, range) in found {
            if Some(class) == CLASSES.order {
                self.mark(Sign::Must, range.clone());
            }
            self.marks.push(Mark { sign: Sign::Word(class), at: range, form, negated: false });
        }
    }

    fn mention_at(&mut self, at: usize, text: &str, known: &KnownHere<'_>) {
        if let Some(sign) = address(self.word(at)).filter(|_| !self.is_example(at)) {
            self.mark(sign, at..at + 1);
        }
        if let Some(end) = self.command_at(at) {
            self.mark(Sign::Command, at..end + 1);
        }
        let token = &self.tokens[at];
        let word = token.word.as_str();
        if is_secret_file(word) {
            return self.mark(Sign::SecretFile, at..at + 1);
        }
        if QUANTIFIERS.contains(word)
            && let Some((sign, end)) = self.counted(at)
        {
            // A server's own instructions order the use of its own tools.
            let own = sign == Sign::Tool(Standing::Any) && known.is_of_server();
            return self.mark(if own { Sign::Own } else { sign }, at..end);
        }
        if word == "this" || word == "the" {
            let of_itself = (at + 1..at + 3).find(|next| self.same_clause(at, *next) && is_own_word(self.word(*next)));
            if word == "this"
                && let Some(next) = of_itself
            {
                self.mark(Sign::Own, at..next + 1);
            }
            return;
        }
        if known.is_own(word) && (token.name || token.quoted || self.beside_tool_word(at)) {
            return self.mark(Sign::Own, at..at + 1);
        }
        let written = token.name || token.quoted;
        let same = known.place(word) == Standing::Same;
        // What is called stays a tool though a parameter has its name: else a server could excuse itself.
        if written && !same && !self.is_called(at) && known.is_said(&text[token.start..token.end]) {
            return self.mark(Sign::Parameter, at..at + 1);
        }
        if self.is_tool(at, same) {
            let own = same && known.is_of_server();
            let place = if same { Standing::Same } else { Standing::Elsewhere };
            return self.mark(if own { Sign::Own } else { Sign::Tool(place) }, at..at + 1);
        }
        if written && word.len() > 1 {
            self.mark(Sign::Name, at..at + 1);
        }
    }

    /// Whether what stands here is an example.
    fn is_example(&self, at: usize) -> bool {
        let sentence = self.tokens[at].sentence;
        let before = self.marks.iter().rev().take_while(|mark| self.tokens[mark.at.start].sentence == sentence);
        before.take(12).any(|mark| matches!(mark.sign, Sign::Word(class) if Some(class) == CLASSES.example))
    }

    /// Whether a word is used as the name of a tool; `same` where the server has one of that name.
    fn is_tool(&self, at: usize, same: bool) -> bool {
        let token = &self.tokens[at];
        let joined = token.name && (token.word.contains('_') || !token.word.contains('-'));
        let beside = self.beside_tool_word(at);
        if same {
            token.name || token.quoted || beside || (self.is_used(at) && token.word.len() > 3)
        } else if joined {
            beside || self.is_used(at)
        } else {
            ((token.quoted || token.name) && beside) || (token.quoted && self.is_called_before(at))
        }
    }

    fn beside_tool_word(&self, at: usize) -> bool {
        let next = self.same_clause(at, at + 1) && matches!(self.word(at + 1), "tool" | "function");
        let before =
            at.checked_sub(1).is_some_and(|before| self.same_clause(before, at) && is_tool_word(self.word(before)));
        // `calls to send_mail`, `the send_mail operation`: what is written like a name and counted among calls.
        let joined = self.tokens[at].name && !self.word(at).contains('-');
        let done = joined && self.same_clause(at, at + 1) && is_task_word(self.word(at + 1));
        let named = at.checked_sub(2).is_some_and(|two| {
            self.same_clause(two, at)
                && (is_tool_word(self.word(two)) && matches!(self.word(at - 1), "named" | "called")
                    || joined && matches!(self.word(two), "call" | "calls") && matches!(self.word(at - 1), "to" | "of"))
        });
        next || before || done || named
    }

    /// Whether a verb of calling stands close before a word, or close after it in the passive; `use` only as `using`, `used`.
    fn is_used(&self, at: usize) -> bool {
        let is_call = |at: usize| {
            words::phrases(self.word(at)).iter().any(|phrase| {
                let calls = Some(phrase.class) == CLASSES.call && phrase.form != Form::Third;
                let uses = Some(phrase.class) == CLASSES.uses && phrase.form == Form::Other;
                phrase.rest.is_empty() && (calls || uses)
            })
        };
        let mut before =
            (1..=USED).filter_map(|back| at.checked_sub(back)).take_while(|back| self.same_clause(*back, at));
        let mut after = (at + 1..=at + USED).take_while(|next| self.same_clause(at, *next));
        before.any(is_call)
            || after.any(|after| self.is_of(after, CLASSES.call) || is_call(after))
            || at.checked_sub(1).is_some_and(|before| self.word(before) == "via")
    }

    /// Whether a word is what is called, invoked or executed: the verb stands right before it, or in the passive behind it.
    fn is_called(&self, at: usize) -> bool {
        let after = if BETWEEN.contains(self.word(at + 1)) { at + 2 } else { at + 1 };
        self.is_called_before(at) || (self.same_clause(after, at) && self.is_of(after, CLASSES.call))
    }

    fn is_called_before(&self, at: usize) -> bool {
        let before =
            at.checked_sub(1).map(|one| if BETWEEN.contains(self.word(one)) { one.checked_sub(1) } else { Some(one) });
        before.flatten().is_some_and(|verb| self.same_clause(verb, at) && self.is_of(verb, CLASSES.call))
    }

    fn is_of(&self, at: usize, class: Option<Class>) -> bool {
        words::phrases(self.word(at)).iter().any(|phrase| Some(phrase.class) == class && phrase.rest.is_empty())
    }

    /// The shell command that begins here: `a b` are words in a row, `a .. b` stand in one sentence.
    fn command_at(&self, at: usize) -> Option<usize> {
        let sentence = self.tokens[at].sentence;
        let inside = |at: usize| self.tokens.get(at).is_some_and(|token| token.sentence == sentence);
        COMMANDS.get(self.word(at))?.iter().find_map(|line| {
            if let Some((_, later)) = line.split_once(" .. ") {
                let mut rest = (at + 1..=at + COMMAND).take_while(|next| inside(*next));
                return rest.find(|next| self.word(*next) == later);
            }
            let fits =
                line.split(' ').enumerate().all(|(index, word)| inside(at + index) && self.word(at + index) == word);
            fits.then(|| at + line.split(' ').count() - 1)
        })
    }

    /// What a quantifier counts: tools, or what is done with them.
    fn counted(&self, at: usize) -> Option<(Sign, usize)> {
        let mut found = None;
        for next in (at + 1..=at + QUANTIFIED).take_while(|next| self.same_clause(at, *next)) {
            let word = self.word(next);
            if is_tool_word(word) {
                let calls = self.same_clause(at, next + 1) && is_task_word(self.word(next + 1));
                return Some(if calls { (Sign::Task, next + 2) } else { (Sign::Tool(Standing::Any), next + 1) });
            }
            if is_task_word(word) {
                found = Some((Sign::Task, next + 1));
            } else if found.is_some() || words::phrases(word).iter().any(|phrase| Some(phrase.class) == CLASSES.when) {
                break;
            }
        }
        found
    }

    /// Marks the verbs that are orders by their form alone: at the head of a clause, or joined to another order.
    fn orders(&mut self, opening: Opening) {
        let Some(order) = CLASSES.order else { return };
        let mut orders = Vec::new();
        // Words behind which a verb may go on with an order, and where a condition stood in this sentence.
        let (mut last, mut condition): (Option<usize>, Option<u32>) = (None, None);
        for mark in &self.marks {
            let token = &self.tokens[mark.at.start];
            let Sign::Word(class) = mark.sign else { continue };
            if class == order {
                last = Some(mark.at.start);
            } else if Some(class) == CLASSES.when {
                condition = Some(token.sentence);
            } else if words::is_act(class) && mark.form == Form::Plain {
                let described = opening == Opening::Describes && token.sentence == 0 && condition != Some(0);
                let heads = self.heads_clause(mark.at.start, last);
                if heads && !described && orders.last() != Some(&mark.at.start) {
                    last = Some(mark.at.start);
                    orders.push(mark.at.start);
                }
            }
        }
        self.marks.extend(orders.into_iter().map(|at| Mark {
            sign: Sign::Word(order),
            at: at..at,
            form: Form::Plain,
            negated: false,
        }));
        self.marks.sort_by_key(|mark| (mark.at.start, mark.at.end));
    }

    /// Whether nothing but fillers stands between a verb and the start of its clause, or `and` and an order before it.
    fn heads_clause(&self, verb: usize, last: Option<usize>) -> bool {
        if self.word(verb + 1) == "of" {
            return false;
        }
        let mut at = verb;
        let mut joined = false;
        for _ in 0..5 {
            let Some(before) = at.checked_sub(1).filter(|before| self.same_clause(*before, verb)) else {
                // The clause begins here; one that begins with `and` goes on with an order.
                return !joined || self.goes_on(verb, last);
            };
            let word = self.word(before);
            if JOINERS.contains(word) {
                joined = true;
                if self.goes_on(verb, last) {
                    return true;
                }
            } else if !FILLERS.contains(word) {
                return false;
            }
            at = before;
        }
        false
    }

    fn goes_on(&self, verb: usize, last: Option<usize>) -> bool {
        last.is_some_and(|last| verb - last <= ORDERED && self.tokens[last].sentence == self.tokens[verb].sentence)
    }

    fn negations(&mut self) {
        let mut last: Option<usize> = None;
        for at in 0..self.marks.len() {
            let start = self.marks[at].at.start;
            if let Some(not) = last {
                let close = start >= not && start - not <= NEGATED && self.same_clause(not, start);
                self.marks[at].negated = close;
            }
            if let Sign::Word(class) = self.marks[at].sign
                && Some(class) == CLASSES.not
            {
                last = Some(self.marks[at].at.end - 1);
            }
        }
    }
}

/// Words that mean the thing that a text belongs to, after `this`.
fn is_own_word(word: &str) -> bool {
    is_tool_word(word) || OWN.contains(word)
}

/// What a word is where something can be sent.
fn address(word: &str) -> Option<Sign> {
    let host = |text: &str| {
        let mut labels = text.trim_end_matches(['/', '.']).rsplit('.');
        let last = labels.next().is_some_and(|last| DOMAINS.contains(last));
        last && labels
            .next()
            .is_some_and(|label| !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))
    };
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let mail = word.split_once('@').is_some_and(|(name, at)| !name.is_empty() && at.contains('.') && !at.contains('/'));
    let phone = word.starts_with('+') && digits >= 7;
    let account = word.len() >= 15 && word.bytes().take(2).all(|byte| byte.is_ascii_alphabetic()) && digits >= 12;
    let wallet = word.starts_with("0x") && word.len() >= 20;
    if mail || phone || account || wallet {
        return Some(Sign::Contact);
    }
    let url = word.split_once("://").is_some_and(|(_, rest)| rest.len() > 3);
    let numbers = word.split('.').count() == 4 && word.split('.').all(|part| part.parse::<u8>().is_ok());
    (url || numbers || host(word.split('/').next().unwrap_or(word))).then_some(Sign::Address)
}

/// Whether a word is the path of a file in which credentials are kept.
fn is_secret_file(word: &str) -> bool {
    let path = word.contains(['/', '\\', '.', '_', '~']);
    path && word.split(['/', '\\']).any(|part| {
        SECRET_FILES.contains(part)
            || (part.starts_with(".env.") && !part.ends_with("example"))
            || part.split_once('.').is_some_and(|(stem, ending)| ending.len() <= 5 && SECRET_STEMS.contains(stem))
            || part.strip_suffix(".pub").is_some_and(|part| SECRET_FILES.contains(part))
    })
}
