//! What is known around a text: the item that it belongs to and the tools of its server. Which other server has a tool that it
//! names is told afterwards ([`super::OtherTools`]): that changes the sentence of a finding and never how bad it is.

use crate::digest::Item;
use crate::surface::Kind;
use memchr::memmem;
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

/// Where a named tool stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Standing {
    /// On the server that the text belongs to.
    Same,
    /// On another server, or on none.
    Elsewhere,
    /// Not one: any tool, all other tools.
    Any,
}

/// The items of one server, as far as what one of them says is weighed by the others.
#[derive(Debug, Default)]
pub struct Around<'a> {
    items: Vec<&'a Item>,
    /// The keys of its tools and prompts, in lower case; made when a name is looked for.
    names: OnceCell<HashSet<String>>,
    /// Whether a definition has a string of exactly these characters: a parameter, a value.
    said: RefCell<HashMap<String, bool>>,
    /// Every short string of the definitions; made where many are looked for.
    strings: OnceCell<HashSet<Box<[u8]>>>,
}

impl<'a> Around<'a> {
    /// What one server shows.
    pub fn of(items: impl IntoIterator<Item = &'a Item>) -> Self {
        Self { items: items.into_iter().collect(), ..Self::default() }
    }

    fn has(&self, name: &str) -> bool {
        let called = |item: &&&Item| matches!(item.id.kind, Kind::Tool | Kind::Prompt);
        let names = || self.items.iter().filter(called).map(|item| item.id.key.to_lowercase()).collect();
        self.names.get_or_init(names).contains(name)
    }

    /// Whether a definition of the server holds the string.
    fn says(&self, string: &str) -> bool {
        if let Some(known) = self.said.borrow().get(string) {
            return *known;
        }
        if self.said.borrow().len() >= LOOKED_FOR {
            return self
                .strings
                .get_or_init(|| self.items.iter().flat_map(|item| strings(item)).map(Box::from).collect())
                .contains(string.as_bytes());
        }
        let quoted = format!("\"{string}\"");
        let finder = memmem::Finder::new(&quoted);
        let found = self.items.iter().any(|item| finder.find(item.definition.bytes()).is_some());
        self.said.borrow_mut().insert(string.to_owned(), found);
        found
    }
}

/// Strings that are looked for one by one.
const LOOKED_FOR: usize = 32;
/// Bytes of a string that can be a name.
const NAME: usize = 80;

/// What stands between two quotation marks of a definition's JSON, where it can be a name.
fn strings(item: &Item) -> impl Iterator<Item = &[u8]> {
    item.definition.bytes().split(|byte| *byte == b'"').filter(|string| string.len() <= NAME)
}

/// What is known around the texts of one item.
pub(super) struct KnownHere<'a> {
    pub(super) around: &'a Around<'a>,
    pub(super) item: Option<&'a Item>,
    /// The item's own key, in lower case, where it is called by that name.
    own: Option<String>,
}

impl<'a> KnownHere<'a> {
    pub(super) fn of(item: &'a Item, around: &'a Around<'a>) -> Self {
        let own = matches!(item.id.kind, Kind::Tool | Kind::Prompt).then(|| item.id.key.to_lowercase());
        Self { around, item: Some(item), own }
    }

    /// Around a text of which nothing is known: an example of a rule.
    pub(super) fn nothing(around: &'a Around<'a>) -> Self {
        Self { around, item: None, own: None }
    }

    /// Whether a word in lower case is the name of the item itself.
    pub(super) fn is_own(&self, word: &str) -> bool {
        self.own.as_deref().is_some_and(|own| own == word || own == plain(word))
    }

    /// Whether the server's definitions have exactly this string: its parameters, their values.
    pub(super) fn is_said(&self, string: &str) -> bool {
        self.around.says(string)
    }

    /// Where a tool of that name, in lower case, stands.
    pub(super) fn place(&self, word: &str) -> Standing {
        if self.around.has(word) || self.around.has(plain(word)) { Standing::Same } else { Standing::Elsewhere }
    }

    /// Whether the text is the server's own: its instructions speak of its tools as of itself.
    pub(super) fn is_of_server(&self) -> bool {
        self.item.is_some_and(|item| item.id.kind == Kind::Instructions)
    }
}

/// A tool's name as its server knows it, of one as a client writes it: `mcp__mail__send`, `mail:send`.
pub(super) fn plain(name: &str) -> &str {
    let short = name.rsplit_once("__").or_else(|| name.rsplit_once(':'));
    short.map_or(name, |(_, short)| short)
}
