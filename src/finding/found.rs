//! A finding as every report shows it, and which server has the tool that it names.

use super::severity::Severity;
use crate::canon::Pointer;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Something suspicious in a definition itself, as reports write it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule's kebab-case name.
    pub rule: Cow<'static, str>,
    /// Which text of the definition.
    pub path: Pointer,
    /// Byte offset in that text where it starts.
    pub start: usize,
    /// Byte offset where it ends.
    pub end: usize,
    /// Whether this change brought it.
    pub added: bool,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence. May quote the server.
    pub text: String,
    /// The tool that the text names and its server does not have.
    #[serde(skip)]
    pub tool: Option<String>,
}

impl Finding {
    /// A finding of what stands at a place as a whole, brought by this change, that names no tool.
    pub fn at(rule: &'static str, path: Pointer, severity: Severity, text: String) -> Self {
        Self { rule: Cow::Borrowed(rule), path, start: 0, end: 0, added: true, severity, text, tool: None }
    }

    /// The sentence without where the tool stands that it names: what is the same whoever looks.
    pub fn bare_text(&self) -> &str {
        let parted = self.tool.as_ref().and_then(|_| self.text.rsplit_once(STANDS));
        parted.map_or(&self.text, |(bare, _)| bare)
    }
}

/// Which watched servers have the tools that findings name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherTools(BTreeMap<String, BTreeSet<String>>);

impl OtherTools {
    /// Looks the tools that these findings name up; `servers_with` says which servers have one, by its name in lower case.
    pub fn of<'a>(
        findings: impl IntoIterator<Item = &'a Finding>,
        servers_with: impl Fn(&str) -> BTreeSet<String>,
    ) -> Self {
        let mut found = Self::default();
        for name in findings.into_iter().filter_map(|finding| finding.tool.as_deref()) {
            let name = name.to_lowercase();
            for name in [super::known::plain(&name).to_owned(), name] {
                let servers = || servers_with(&name);
                found.0.entry(name.clone()).or_insert_with(servers);
            }
        }
        found
    }

    /// Whether no finding names a tool that its own server does not have.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where a tool stands that the server `own` does not have, as a sentence's end.
    fn standing(&self, name: &str, own: &str) -> String {
        let lower = name.to_lowercase();
        let of = |name: &str| self.0.get(name).filter(|servers| !servers.is_empty());
        let servers = of(&lower).or_else(|| of(super::known::plain(&lower)));
        let name = crate::text::shortened(name, 80);
        let mut others = servers.into_iter().flatten().filter(|server| *server != own);
        match (others.next(), others.count()) {
            (None, _) => format!("no watched server has `{name}`"),
            (Some(server), 0) => format!("`{name}` is a tool of the server `{server}`"),
            (Some(server), more) => format!("`{name}` is a tool of the server `{server}` and of {more} more"),
        }
    }
}

/// Says at the end of each finding's sentence which other server has the tool that it names. What else quotes the sentence
/// is for the caller: the pairs of before and after are returned.
pub fn name_servers<'a>(
    findings: impl IntoIterator<Item = &'a mut Finding>,
    own: &str,
    tools: &OtherTools,
) -> Vec<(String, String)> {
    let mut renamed = Vec::new();
    for finding in findings {
        let Some(tool) = &finding.tool else { continue };
        let before = finding.text.clone();
        let standing = tools.standing(tool, own);
        finding.text = format!("{}{STANDS}{standing})", finding.bare_text());
        renamed.push((before, finding.text.clone()));
    }
    renamed
}

/// What parts the sentence of a finding from where the tool stands.
const STANDS: &str = " (";
