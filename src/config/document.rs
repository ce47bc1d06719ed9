//! A client's file as a tree, whatever it is written in: what the readers of its shape walk. It knows no client.
//!
//! Bounded in depth, in entries and in nodes; members keep their order, their lines, and stay twice where they are twice.

mod json;
mod toml;
mod yaml;

use crate::text::utf8;
use serde_json::Value;
use std::ops::Range;

/// Levels of nesting, and entries of one table or list.
const MAX_DEPTH: usize = 64;
const MAX_ENTRIES: usize = 10_000;
/// Nodes of one tree.
const MAX_NODES: usize = 200_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// RFC 8259 to the letter.
    Json,
    /// The same with comments and commas at the end.
    Jsonc,
    Toml,
    /// YAML 1.2, its core schema.
    Yaml,
}

/// What is wrong with a file as a whole: the line, where one is known, and the sentence. Escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Malformed {
    pub(super) line: Option<usize>,
    pub(super) text: String,
}

impl Malformed {
    fn at(line: usize, text: impl Into<String>) -> Self {
        Self { line: Some(line), text: text.into() }
    }
}

/// A file that was read.
pub(super) struct Document(Kind);

enum Kind {
    /// Kept as text: only the tables on the way to the servers are ever taken apart.
    Json(Vec<u8>),
    Tree(Branch),
}

/// A value of a tree with the line it stands on, and where it stands in the text.
struct Branch {
    line: usize,
    at: Range<usize>,
    value: Grown,
}

enum Grown {
    Table(Vec<Grain>),
    List(Vec<Branch>),
    Leaf(Value),
    /// What cannot be read, and why.
    Refused(String),
}

/// One member of a table.
struct Grain {
    name: String,
    line: usize,
    key: Range<usize>,
    value: Branch,
}

/// One value of a document.
pub(super) struct Node<'a>(Inner<'a>);

enum Inner<'a> {
    Json { text: &'a [u8], at: Range<usize> },
    Tree(&'a Branch),
}

pub(super) struct Member<'a> {
    pub(super) name: String,
    pub(super) line: usize,
    /// Where its name stands in the text.
    pub(super) key: Range<usize>,
    pub(super) value: Node<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Table,
    List,
    Other,
}

/// The one value of a YAML file of another system; what has two readings is refused.
pub fn yaml(bytes: &[u8]) -> Result<Value, String> {
    let read = Document::read(bytes, Syntax::Yaml).map_err(|fault| match fault.line {
        Some(line) => format!("line {line}: {}", fault.text),
        None => fault.text,
    })?;
    read.map_or(Ok(Value::Null), |document| document.top().value())
}

impl Document {
    /// Reads a file; none where nothing but white space is in it.
    pub(super) fn read(bytes: &[u8], syntax: Syntax) -> Result<Option<Self>, Malformed> {
        let bytes = utf8(bytes).map_err(|problem| Malformed { line: None, text: problem.to_string() })?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(None);
        }
        let text =
            || std::str::from_utf8(bytes).map_err(|_| Malformed { line: None, text: "it is no UTF-8".to_owned() });
        let kind = match syntax {
            Syntax::Json => Kind::Json(json::strict(bytes.to_vec())?),
            Syntax::Jsonc => Kind::Json(json::strict(json::without_comments(text()?)?)?),
            Syntax::Toml => Kind::Tree(toml::read(text()?)?),
            Syntax::Yaml => Kind::Tree(yaml::read(text()?)?),
        };
        Ok(Some(Self(kind)))
    }

    pub(super) fn top(&self) -> Node<'_> {
        match &self.0 {
            Kind::Json(text) => Node(json::top(text)),
            Kind::Tree(branch) => Node(Inner::Tree(branch)),
        }
    }
}

impl<'a> Node<'a> {
    pub(super) fn form(&self) -> Form {
        match &self.0 {
            Inner::Json { text, at } => match text.get(at.start) {
                Some(b'{') => Form::Table,
                Some(b'[') => Form::List,
                _ => Form::Other,
            },
            Inner::Tree(branch) => match branch.value {
                Grown::Table(_) => Form::Table,
                Grown::List(_) => Form::List,
                Grown::Leaf(_) | Grown::Refused(_) => Form::Other,
            },
        }
    }

    pub(super) fn line(&self) -> usize {
        match &self.0 {
            Inner::Json { text, at } => json::line(text, at.start),
            Inner::Tree(branch) => branch.line,
        }
    }

    /// Where it stands in the text, without a byte order mark.
    pub(super) fn at(&self) -> Range<usize> {
        match &self.0 {
            Inner::Json { at, .. } => at.clone(),
            Inner::Tree(branch) => branch.at.clone(),
        }
    }

    /// The members of a table; none of anything else.
    pub(super) fn members(&self) -> Result<Vec<Member<'a>>, Malformed> {
        match &self.0 {
            Inner::Json { text, at } => json::members(text, at),
            Inner::Tree(Branch { value: Grown::Table(members), .. }) => {
                let member = |member: &'a Grain| Member {
                    name: member.name.clone(),
                    line: member.line,
                    key: member.key.clone(),
                    value: Node(Inner::Tree(&member.value)),
                };
                Ok(members.iter().map(member).collect())
            }
            Inner::Tree(_) => Ok(Vec::new()),
        }
    }

    /// The elements of a list; none of anything else.
    pub(super) fn elements(&self) -> Result<Vec<Node<'a>>, Malformed> {
        match &self.0 {
            Inner::Json { text, at } => json::elements(text, at),
            Inner::Tree(Branch { value: Grown::List(list), .. }) => {
                Ok(list.iter().map(|branch| Node(Inner::Tree(branch))).collect())
            }
            Inner::Tree(_) => Ok(Vec::new()),
        }
    }

    /// The whole value; refused where two readers could read it differently.
    pub(super) fn value(&self) -> Result<Value, String> {
        match &self.0 {
            Inner::Json { text, at } => crate::canon::read_plain(&text[at.clone()]),
            Inner::Tree(branch) => branch.value(),
        }
    }
}

impl Branch {
    /// Its depth is bounded where it is read.
    fn value(&self) -> Result<Value, String> {
        match &self.value {
            Grown::Leaf(value) => Ok(value.clone()),
            Grown::Refused(why) => Err(why.clone()),
            Grown::List(list) => list.iter().map(Self::value).collect::<Result<_, _>>().map(Value::Array),
            Grown::Table(members) => {
                let mut table = serde_json::Map::new();
                for Grain { name, value, .. } in members {
                    if table.insert(name.clone(), value.value()?).is_some() {
                        return Err(crate::canon::Code::DuplicateMember.sentence().to_owned());
                    }
                }
                Ok(Value::Object(table))
            }
        }
    }
}
