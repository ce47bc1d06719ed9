//! Whether a document admits a server: the rules one after another, and the first that fails decides.

use super::{Document, Origin, Rule, TrustRoot, Unread};
use jiff::Timestamp;

/// What a document is held to.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The keys and levels that are trusted.
    pub root: &'a TrustRoot,
    /// Where the server was reached; none over standard input and output.
    pub origin: Option<&'a Origin>,
    /// The least level; none where any level of the scheme does.
    pub required: Option<&'a str>,
    /// The moment for which it is asked.
    pub now: Timestamp,
}

/// What came of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admission {
    /// What each rule that held found, in order. May quote the document.
    pub held: Vec<(Rule, String)>,
    /// The server that is admitted, or the rule that failed.
    pub outcome: Result<Admitted, Denial>,
}

/// An admitted server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admitted {
    /// The document's id.
    pub id: String,
    /// The key that signed it.
    pub signer_key_id: String,
    /// The level's own name.
    pub level: String,
}

/// Why a server is not admitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denial {
    /// The rule that failed.
    pub rule: Rule,
    /// A sentence's end; may quote the document.
    pub why: String,
}

impl std::fmt::Display for Denial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({}): {}", self.rule.word(), self.rule.code(), self.why)
    }
}

/// Asks the rules in their order. A document that could not be read fails the rule that it is one, which then comes first, as
/// that of an absent document does.
pub fn admit(document: Result<&Document, &Unread>, asked: Asked<'_>) -> Admission {
    let document = match document {
        Ok(document) => document,
        Err(unread) => {
            let why = unread.to_string();
            return Admission { held: Vec::new(), outcome: Err(Denial { rule: Rule::NotMcpServer, why }) };
        }
    };
    let mut held = Vec::new();
    for rule in Rule::DOCUMENT {
        match ask(rule, document, asked) {
            Ok(found) => held.push((rule, found)),
            Err(why) => return Admission { held, outcome: Err(Denial { rule, why }) },
        }
    }
    let text = |name| document.text(name).unwrap_or_default();
    let level = asked.root.level(text("clearance")).map(|level| level.name.clone());
    let admitted = Admitted {
        id: text("id").to_owned(),
        signer_key_id: text("signerKeyId").to_owned(),
        level: level.unwrap_or_default(),
    };
    Admission { held, outcome: Ok(admitted) }
}

/// What one rule found, or why it failed. Each may count on those before it.
fn ask(rule: Rule, document: &Document, asked: Asked<'_>) -> Result<String, String> {
    let text = |name| document.text(name).unwrap_or_default();
    let root = asked.root;
    let key = || {
        let id = text("signerKeyId");
        let found = root.keys.iter().find(|key| key.id == id);
        found.ok_or_else(|| format!("the key `{id}` is not in the trust root"))
    };
    let level = || {
        let name = text("clearance");
        root.level(name).ok_or_else(|| format!("`{name}` is not a level of the scheme ({})", root.names()))
    };
    match rule {
        Rule::UnsupportedVersion => version(document),
        Rule::NotMcpServer => is_of_a_server(document).map(|()| format!("`{}`", text("id"))),
        Rule::Unsigned => match (document.text("signerKeyId"), document.text("signature")) {
            (Some(id), Some(_)) => Ok(format!("by the key `{id}`")),
            (None, _) => Err("it names no `signerKeyId`".to_owned()),
            (_, None) => Err("it has no `signature`".to_owned()),
        },
        Rule::SignerNotTrusted => key().map(|key| key.key.id()),
        Rule::SignerExpired => match &key()?.not_after {
            None => Ok("its key has no end".to_owned()),
            Some(end) => match end.parse::<Timestamp>() {
                Err(_) => Err(format!("the end of its key's time, `{end}`, is not a time")),
                Ok(at) if asked.now >= at => Err(format!("its key ended at {end}")),
                Ok(_) => Ok(format!("its key is valid until {end}")),
            },
        },
        Rule::SignerNotApproved => {
            let (key, level) = (key()?, level()?);
            // By the level's own name: an alias must not widen what a key may sign.
            if key.approved.contains(&level.name) {
                Ok(format!("`{}`", level.name))
            } else {
                Err(format!("its key may not sign for `{}`", level.name))
            }
        }
        Rule::BadSignature => signature(document, root),
        Rule::BelowRequired => {
            let level = level()?;
            let Some(required) = asked.required else { return Ok("no level is required".to_owned()) };
            let least = root.level(required);
            let least = least
                .ok_or_else(|| format!("the required level `{required}` is none of the scheme ({})", root.names()))?;
            if level.rank < least.rank {
                return Err(format!("it is cleared for `{}`, and `{}` is required", level.name, least.name));
            }
            Ok(format!("`{}`, and `{}` is required", level.name, least.name))
        }
        Rule::HostNotBound => bound(document, asked.origin),
        Rule::ToolNotAdmitted => Ok("no tool is asked about".to_owned()),
    }
}

/// The integer 1 of the draft, or a text whose first number is 1.
fn version(document: &Document) -> Result<String, String> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match document.member("v") {
        None => Err("it has no `v`".to_owned()),
        Some(number) if number.as_f64() == Some(1.0) => Ok("1, as the draft has it".to_owned()),
        Some(value) => match value.as_str().and_then(|text| text.split_once('.')) {
            Some(("1", minor)) if digits(minor) => Ok(format!("1.{minor}")),
            Some((major, minor)) if digits(major) && digits(minor) => {
                Err(format!("its version is {major}.{minor}, and only 1 is read"))
            }
            _ => Err(format!("`v` is {value}, and neither 1 nor a text like \"1.0\"")),
        },
    }
}

/// Whether it says of an MCP server what a document must say. What is missing would not be missed by the signature.
fn is_of_a_server(document: &Document) -> Result<(), String> {
    let capabilities = document.texts("capabilities");
    if !capabilities.is_some_and(|list| list.contains(&"mcp-server")) {
        return Err("its `capabilities` are not a list of strings with `mcp-server`".to_owned());
    }
    for name in ["id", "publisher", "version"] {
        if document.text(name).is_none() {
            return Err(format!("its `{name}` is missing or no text"));
        }
    }
    if document.member("netAllowedHosts").is_some() && document.texts("netAllowedHosts").is_none() {
        return Err("its `netAllowedHosts` are not a list of strings".to_owned());
    }
    if document.member("verification").is_some_and(|value| !value.is_string()) {
        return Err("its `verification` is not a string".to_owned());
    }
    Ok(())
}

fn signature(document: &Document, root: &TrustRoot) -> Result<String, String> {
    let key = root.keys.iter().find(|key| Some(key.id.as_str()) == document.text("signerKeyId"));
    let (Some(key), Some(signature)) = (key, document.signature()) else {
        return Err("its `signature` is not base64".to_owned());
    };
    let holds = |body: String| key.key.verifies(body.as_bytes(), &signature);
    if holds(document.body()) {
        return Ok("Ed25519, over its canonical form".to_owned());
    }
    if holds(document.enclawed_body()) {
        return Err("it holds in the dialect of enclawed-oss alone, which signs other bytes".to_owned());
    }
    Err("the signature is not of this text by that key".to_owned())
}

fn bound(document: &Document, origin: Option<&Origin>) -> Result<String, String> {
    let hosts = document.texts("netAllowedHosts").unwrap_or_default();
    if hosts.is_empty() {
        return Ok("it names no origin: any will do".to_owned());
    }
    let Some(origin) = origin else {
        return Err("it is bound to origins, and a process has none".to_owned());
    };
    if hosts.iter().any(|host| Origin::of(host).as_ref() == Some(origin)) {
        return Ok(origin.to_string());
    }
    let some: Vec<_> = hosts.iter().take(3).map(|host| format!("`{host}`")).collect();
    let more = if hosts.len() > some.len() { ", …" } else { "" };
    Err(format!("it is bound to {}{more}, not to {origin}", some.join(", ")))
}
