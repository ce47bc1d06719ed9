//! A second opinion: what another scanner is asked about the texts that nobody approved, and what it answers, both as data.
//! Who runs the scanner is not known here.
//!
//! An answer can add findings and takes none away. It is a stranger's text like a server's: bounded, and quoted as what the
//! scanner says.

use crate::canon::{Pointer, value_at};
use crate::digest::{Item, Sha256, SurfaceDigest};
use crate::finding::{Finding, Severity, Text, TextKind, texts};
use crate::surface::{ItemId, Kind};
use crate::text::shortened;
use serde::Deserialize;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What stands before a scanner's own name of a rule.
pub const SCANNER: &str = "scanner:";
/// The format of a question.
const QUESTION: &str = "pinwatch.question.v1";
/// The format of an answer.
const ANSWER: &str = "pinwatch.opinion.v1";
/// Findings that are kept of an answer.
const MOST: usize = 1_000;
/// Characters of a rule's name, of a message and of a quote that are kept.
const NAME: usize = 60;
const MESSAGE: usize = 300;
const QUOTE: usize = 80;
/// No keyword of JSON Schema is longer (`unevaluatedProperties`), nor one that vendors write.
const LONGEST_KEYWORD: usize = 30;

/// The texts of one server that nobody approved, as a scanner is asked about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The JSON document.
    pub document: Vec<u8>,
    /// SHA-256 of the document.
    pub digest: Sha256,
    /// How many texts it holds.
    pub count: usize,
    /// What was asked about, with the characters as they are served.
    asked: Vec<Asked>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    item: ItemId,
    digest: SurfaceDigest,
    path: Pointer,
    characters: String,
    /// Whether it is a member's name, at whose path another string stands.
    shadowed: bool,
}

/// What a scanner said of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opinion {
    /// Its findings by the digest of the item that they are of.
    pub findings: HashMap<SurfaceDigest, Vec<Finding>>,
    /// What of its answer could not be used, as a sentence; none where all could.
    pub unusable: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    format: String,
    findings: Vec<Said>,
}

#[derive(Deserialize)]
struct Said {
    item: String,
    pointer: String,
    rule: String,
    severity: String,
    #[serde(default)]
    quote: String,
    message: String,
}

/// Whether a rule's name is one of a scanner.
pub fn is_of_scanner(rule: &str) -> bool {
    rule.strip_prefix(SCANNER).is_some_and(is_name)
}

/// Whether a scanner may call a rule so.
fn is_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !name.is_empty() && name.len() <= NAME && name.bytes().all(plain)
}

impl Question {
    /// What a scanner is asked about a server: each text of an item that is not approved as it is, unless it stands in a pin
    /// of the same item at the same place. None where there is no such text. `mask` takes the secrets out of a text.
    pub fn of(server: &str, now: &[&Item], pins: &[&Item], mask: &dyn Fn(&str) -> String) -> Option<Self> {
        let pinned: HashSet<_> = pins.iter().map(|item| (&item.id, item.digests.surface)).collect();
        let is_pinned = |item: &Item| pinned.contains(&(&item.id, item.digests.surface));
        let mut asked = Vec::new();
        for item in now.iter().filter(|item| item.id.kind != Kind::Launch && !is_pinned(item)) {
            let namesakes = pins.iter().filter(|pin| pin.id == item.id).map(|pin| pin.definition.as_read());
            let namesakes: Vec<_> = namesakes.collect();
            let approved = namesakes.iter().flat_map(read_texts).map(|text| (text.path, text.characters));
            let approved: HashSet<_> = approved.collect();
            let definition = item.definition.as_read();
            let new = read_texts(&definition).filter(|text| !approved.contains(&(text.path.clone(), text.characters)));
            asked.extend(new.map(|text| Asked {
                item: item.id.clone(),
                digest: item.digests.surface,
                path: text.path,
                characters: text.characters.to_owned(),
                shadowed: text.shadowed,
            }));
        }
        if asked.is_empty() {
            return None;
        }
        let tools = now.iter().chain(pins).filter(|item| item.id.kind == Kind::Tool).map(|item| mask(&item.id.key));
        let texts = asked.iter().map(|one| {
            let text = mask(&one.characters);
            json!({"item": mask(&one.item.text()), "pointer": mask(one.path.as_str()), "text": text})
        });
        let document = json!({
            "format": QUESTION,
            "server": server,
            "tools": tools.collect::<BTreeSet<_>>(),
            "texts": texts.collect::<Vec<_>>(),
        });
        let document = document.to_string().into_bytes();
        Some(Self { digest: Sha256::of(&document), count: asked.len(), document, asked })
    }

    /// What `scanner` answered, `mask` being what took the secrets out of the question.
    pub fn answered(&self, scanner: &str, answer: &str, mask: &dyn Fn(&str) -> String) -> Opinion {
        let refused = |why: String| Opinion { findings: HashMap::new(), unusable: Some(why) };
        let answer: Answer = match serde_json::from_str(answer) {
            Ok(answer) => answer,
            Err(error) => return refused(format!("its answer is not the JSON document that is expected: {error}")),
        };
        if answer.format != ANSWER {
            return refused(format!("the format of its answer is not {ANSWER}"));
        }
        let mut places: HashMap<(String, String), Vec<&Asked>> = HashMap::new();
        for one in &self.asked {
            let place = (mask(&one.item.text()), mask(one.path.as_str()));
            places.entry(place).or_default().push(one);
        }
        let mut opinion = Opinion::default();
        if answer.findings.len() > MOST {
            opinion.unusable = Some(format!("it has more than {MOST} findings; the first {MOST} are kept"));
        }
        for said in answer.findings.into_iter().take(MOST) {
            let place = (said.item.clone(), said.pointer.clone());
            match said.rated(places.get(&place).map(Vec::as_slice)) {
                Ok((severity, asked)) => {
                    let holds_it = |one: &&&Asked| one.characters.contains(&said.quote);
                    let quoted: Vec<_> = asked.iter().filter(holds_it).collect();
                    let about = if quoted.is_empty() { asked.iter().collect() } else { quoted };
                    for one in about {
                        let finding = said.finding(scanner, severity, one);
                        opinion.findings.entry(one.digest).or_default().push(finding);
                    }
                }
                Err(why) => opinion.unusable = opinion.unusable.or(Some(why)),
            }
        }
        opinion
    }
}

impl Said {
    /// How bad it is, and what it is about.
    fn rated<'a, 'b>(&self, asked: Option<&'b [&'a Asked]>) -> Result<(Severity, &'b [&'a Asked]), String> {
        if !is_name(&self.rule) {
            return Err(format!("a rule's name is not made of at most {NAME} letters, digits, `-`, `_` and `.`"));
        }
        let severity = self.severity.parse().ok().filter(|severity| *severity > Severity::Safe);
        let severity = severity.ok_or("a severity is none of info, moderate and critical")?;
        Ok((severity, asked.ok_or("a finding is about a text that it was not asked about")?))
    }

    /// As a finding of what it is about, in the scanner's own words.
    fn finding(&self, scanner: &str, severity: Severity, about: &Asked) -> Finding {
        let message = shortened(&self.message, MESSAGE);
        let at =
            Some(self.quote.as_str()).filter(|quote| !quote.is_empty()).and_then(|quote| about.characters.find(quote));
        // A quote that does not stand there is no evidence.
        let quote = at.map(|_| format!(": `{}`", shortened(&self.quote, QUOTE))).unwrap_or_default();
        let (start, end) = at.filter(|_| !about.shadowed).map_or((0, 0), |at| (at, at + self.quote.len()));
        Finding {
            rule: Cow::Owned(format!("{SCANNER}{}", self.rule)),
            path: about.path.clone(),
            start,
            end,
            added: true,
            severity,
            text: format!("The scanner `{scanner}` says \"{message}\"{quote}"),
            tool: None,
        }
    }
}

/// The texts of a definition that a scanner is asked about: what a model reads, and the names of members that are no keyword of
/// a schema; no data.
fn read_texts(definition: &Value) -> impl Iterator<Item = Text<'_>> {
    let is_read = |text: &Text<'_>| {
        let is_value = !text.shadowed && value_at(definition, &text.path).is_some_and(Value::is_string);
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'$');
        let keyword = || text.characters.len() <= LONGEST_KEYWORD && text.characters.bytes().all(plain);
        let parameter = || text.path.as_str().rsplit('/').nth(1) == Some("properties");
        text.kind != TextKind::Data && (is_value || !keyword() || parameter())
    };
    texts(definition).into_iter().filter(is_read)
}
