//! Names that a text sets apart: parameters and phrases in code marks or quotes, tools that something is done with.

use super::super::lexicon::{Class, Mark};
use super::Reading;

/// Letters of a phrase in quotes.
const PHRASE: std::ops::RangeInclusive<usize> = 6..=160;

/// What stands before a tool that something goes to.
const HANDED: [&str; 4] = ["passed to ", "given to ", "handed to ", "supplied to "];

/// Words before a name that something is done with or by.
const VIA: [&str; 34] = [
    "with",
    "using",
    "via",
    "through",
    "by",
    "use",
    "call",
    "calling",
    "have",
    "run",
    "invoke",
    "tool",
    "of",
    "let",
    "mit",
    "uber",
    "durch",
    "avec",
    "par",
    "outil",
    "con",
    "mediante",
    "herramienta",
    "com",
    "ferramenta",
    "tramite",
    "strumento",
    "met",
    "via",
    "и",
    "через",
    "инструмент",
    "用",
    "通过",
];

impl Reading<'_> {
    /// Marks them; code marks and quotes are folded away.
    pub(super) fn name(&mut self) {
        let mut found = Vec::new();
        let offset = |original: usize| self.spans.partition_point(|span| (span.0 as usize) < original);
        self.fences = self.original.match_indices("```").map(|(at, _)| offset(at)).collect();
        let mut open: Option<(usize, char)> = None;
        for (at, mark) in self.original.char_indices().filter(|(_, c)| matches!(c, '`' | '\'' | '"')) {
            let quoted = open
                .and_then(|(start, by)| self.original.get(start..at).filter(|_| by == mark).map(|name| (start, name)));
            let class = quoted.and_then(|(start, name)| Some((start, class(name, mark)?)));
            if let Some((start, class)) = class {
                found.push(Mark { class, start: offset(start), end: offset(at), sentence: 0 });
                open = None;
            } else {
                open = Some((at + mark.len_utf8(), mark));
            }
        }
        let tools = self.marks.iter().filter(|mark| Class::Identifier.set().has(mark.class));
        let used = tools.filter(|mark| {
            let handed = HANDED.iter().any(|handed| self.behind(mark.start, 12).ends_with(handed));
            handed || VIA.contains(&self.word_before(mark.start)) || is_verb(self.between(mark.start, mark.end))
        });
        found.extend(used.map(|mark| Mark { class: Class::Instrument, ..*mark }));
        if !found.is_empty() {
            self.marks.append(&mut found);
            self.marks.sort_by_key(|mark| (mark.start, mark.end));
        }
    }
}

/// What stands in code marks or quotes: a name, or a phrase.
fn class(quoted: &str, mark: char) -> Option<Class> {
    let known = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '$');
    let name = quoted.starts_with(char::is_alphabetic) && quoted.chars().all(known);
    if (1..=40).contains(&quoted.len()) && name {
        return Some(Class::Slot);
    }
    // An apostrophe is no quote.
    (PHRASE.contains(&quoted.len()) && mark != '\'' && !quoted.contains('\n')).then_some(Class::Quoted)
}

/// Whether a name begins as tools' names do.
fn is_verb(name: &str) -> bool {
    let mut words = name.split('_').skip_while(|word| matches!(*word, "before" | "after" | "on" | "pre" | "post"));
    words.next().is_some_and(|first| VERBS.contains(&first))
}

/// What tools' names begin with.
const VERBS: [&str; 74] = [
    "cambiar",
    "crear",
    "enviar",
    "envoyer",
    "inviare",
    "pagar",
    "pagare",
    "payer",
    "senden",
    "transferir",
    "zahlen",
    "ueberweisen",
    "add",
    "apply",
    "approve",
    "book",
    "buy",
    "call",
    "cancel",
    "change",
    "charge",
    "commit",
    "copy",
    "create",
    "delete",
    "deploy",
    "disable",
    "download",
    "drop",
    "edit",
    "email",
    "exec",
    "execute",
    "fetch",
    "forward",
    "get",
    "git",
    "http",
    "insert",
    "install",
    "list",
    "mail",
    "make",
    "merge",
    "modify",
    "move",
    "notify",
    "open",
    "order",
    "pay",
    "place",
    "post",
    "publish",
    "push",
    "put",
    "query",
    "read",
    "refund",
    "remove",
    "rename",
    "reply",
    "run",
    "save",
    "search",
    "sell",
    "send",
    "set",
    "share",
    "submit",
    "transfer",
    "update",
    "upload",
    "web",
    "write",
];
