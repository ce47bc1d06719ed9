//! A TOML text read key by key, each fault with its file and line. Unknown keys and wrong types are refused.

use super::duration::duration;
use super::error::{ConfigError, Fault, Place};
use crate::text::visible;
use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A TOML text and the name it is shown under.
pub(super) struct TomlText<'a> {
    file: &'a Path,
    text: &'a str,
}

/// A value with the line it stands on.
#[derive(Clone, Debug)]
pub(super) struct At<T> {
    pub(super) value: T,
    pub(super) line: usize,
}

/// One table of the text.
pub(super) struct Section<'a> {
    source: &'a TomlText<'a>,
    table: &'a DeTable<'a>,
    /// The dotted key of the table; empty at the top.
    path: String,
    line: usize,
}

impl<'a> TomlText<'a> {
    pub(super) fn new(file: &'a Path, text: &'a str) -> Self {
        Self { file, text }
    }

    /// The document, or the first thing that is no TOML.
    pub(super) fn parse(&self) -> Result<Spanned<DeTable<'a>>, ConfigError> {
        DeTable::parse(self.text).map_err(|error| {
            let line = self.line(error.span().map_or(0, |span| span.start));
            Fault::Malformed(visible(error.message()).to_string()).at(Place::line(self.file, line))
        })
    }

    pub(super) fn top(&'a self, document: &'a Spanned<DeTable<'a>>) -> Section<'a> {
        Section { source: self, table: document.get_ref(), path: String::new(), line: 1 }
    }

    fn line(&self, at: usize) -> usize {
        1 + self.text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count()
    }
}

impl<'a> Section<'a> {
    /// Refuses every key that is not `known`, the first one in the file.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), ConfigError> {
        let unknown = self.table.iter().map(|(key, _)| key).filter(|key| !known.contains(&key.get_ref().as_ref()));
        match unknown.min_by_key(|key| key.span().start) {
            None => Ok(()),
            Some(key) => {
                let place = self.place(self.source.line(key.span().start));
                Err(ConfigError::unknown(place, "key", key.get_ref(), &self.inside(), known))
            }
        }
    }

    /// The keys in the order of the file.
    pub(super) fn keys(&self) -> Vec<At<&'a str>> {
        let mut keys: Vec<_> = self.table.iter().map(|(key, _)| (key.span().start, key.get_ref().as_ref())).collect();
        keys.sort_unstable();
        keys.into_iter().map(|(start, key)| At { value: key, line: self.source.line(start) }).collect()
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The line of a key; of the table where it has no such key.
    pub(super) fn line_of(&self, key: &str) -> usize {
        self.table.get_key_value(key).map_or(self.line, |(key, _)| self.source.line(key.span().start))
    }

    pub(super) fn place_of(&self, key: &str) -> Place {
        self.place(self.line_of(key))
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<At<String>>, ConfigError> {
        self.read(key, r#"a string such as "name""#, |value| value.as_str().map(str::to_owned))
    }

    /// A word out of those that are `known`.
    pub(super) fn word<T: FromStr>(&self, key: &'static str, known: &[&str]) -> Result<Option<T>, ConfigError> {
        let Some(word) = self.text(key)? else { return Ok(None) };
        word.value.parse().map(Some).map_err(|_| self.unknown(word.line, key, &word.value, known))
    }

    pub(super) fn flag(&self, key: &str) -> Result<Option<At<bool>>, ConfigError> {
        self.read(key, "true or false", DeValue::as_bool)
    }

    pub(super) fn port(&self, key: &str) -> Result<Option<u16>, ConfigError> {
        let port = |value: &DeValue<'_>| value.as_integer()?.to_string().parse().ok().filter(|port| *port != 0);
        Ok(self.read(key, "a port such as 8765", port)?.map(|port| port.value))
    }

    pub(super) fn duration(&self, key: &str) -> Result<Option<Duration>, ConfigError> {
        let text = self.read(key, r#"a duration such as "30s""#, |value| value.as_str().map(str::to_owned))?;
        text.map(|text| duration(&text.value).map_err(|fault| self.bad_value(key, fault))).transpose()
    }

    /// A list of texts.
    pub(super) fn texts(&self, key: &str) -> Result<Option<Vec<At<String>>>, ConfigError> {
        const WANTED: &str = r#"a list of strings such as ["a", "b"]"#;
        let Some(list) = self.read(key, WANTED, |value| value.as_array())? else { return Ok(None) };
        let one = |entry: &Spanned<DeValue<'_>>| {
            let line = self.source.line(entry.span().start);
            let wrong = || self.wrong_type(line, key, WANTED, entry.get_ref().type_str());
            Ok(At { value: entry.get_ref().as_str().ok_or_else(wrong)?.to_owned(), line })
        };
        list.value.iter().map(one).collect::<Result<_, _>>().map(Some)
    }

    /// A list of tables, `[[key]]`.
    pub(super) fn sections(&self, key: &str) -> Result<Vec<Section<'a>>, ConfigError> {
        const WANTED: &str = "a list of tables";
        let Some(list) = self.read(key, WANTED, |value| value.as_array())? else { return Ok(Vec::new()) };
        let dot = if self.path.is_empty() { "" } else { "." };
        let path = format!("{}{dot}{}", self.path, written_key(key));
        let one = |entry: &'a Spanned<DeValue<'a>>| {
            let line = self.source.line(entry.span().start);
            let wrong = || self.wrong_type(line, key, WANTED, entry.get_ref().type_str());
            let table = entry.get_ref().as_table().ok_or_else(wrong)?;
            Ok(Section { source: self.source, table, path: path.clone(), line })
        };
        list.value.iter().map(one).collect()
    }

    /// A text, or a list of them.
    pub(super) fn text_or_texts(&self, key: &str) -> Result<Option<Vec<String>>, ConfigError> {
        if let Some(text) = self.table.get(key).and_then(|value| value.get_ref().as_str()) {
            return Ok(Some(vec![text.to_owned()]));
        }
        Ok(self.texts(key)?.map(|texts| texts.into_iter().map(|text| text.value).collect()))
    }

    /// A table of texts.
    pub(super) fn pairs(&self, key: &str) -> Result<Option<BTreeMap<String, At<String>>>, ConfigError> {
        let Some(section) = self.section(key)? else { return Ok(None) };
        let mut pairs = BTreeMap::new();
        for key in section.keys() {
            if let Some(text) = section.text(key.value)? {
                pairs.insert(key.value.to_owned(), text);
            }
        }
        Ok(Some(pairs))
    }

    /// A table inside this one.
    pub(super) fn section(&self, key: &str) -> Result<Option<Section<'a>>, ConfigError> {
        let dot = if self.path.is_empty() { "" } else { "." };
        let path = format!("{}{dot}{}", self.path, written_key(key));
        let table = self.read(key, "a table", |value| value.as_table())?;
        Ok(table.map(|table| Section { source: self.source, table: table.value, path, line: table.line }))
    }

    /// The line of the table's own key.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// A table that lacks something.
    pub(super) fn incomplete(&self, text: &str) -> ConfigError {
        Fault::Malformed(format!("[{}] {text}", self.path)).at(self.place(self.line))
    }

    /// A value of the right type that makes no sense.
    pub(super) fn bad_value(&self, key: &str, text: impl Into<String>) -> ConfigError {
        let key_shown = visible(key).to_string();
        Fault::BadValue { key: key_shown, section: self.inside(), text: text.into() }.at(self.place_of(key))
    }

    pub(super) fn unknown(&self, line: usize, what: &'static str, word: &str, known: &[&str]) -> ConfigError {
        ConfigError::unknown(self.place(line), what, word, &self.inside(), known)
    }

    fn read<T>(
        &self,
        key: &str,
        wanted: &'static str,
        of: impl FnOnce(&'a DeValue<'a>) -> Option<T>,
    ) -> Result<Option<At<T>>, ConfigError> {
        let Some((name, value)) = self.table.get_key_value(key) else { return Ok(None) };
        let line = self.source.line(name.span().start);
        match of(value.get_ref()) {
            Some(value) => Ok(Some(At { value, line })),
            None => Err(self.wrong_type(line, key, wanted, value.get_ref().type_str())),
        }
    }

    fn wrong_type(&self, line: usize, key: &str, wanted: &'static str, found: &str) -> ConfigError {
        let found = match found {
            "string" => "a string",
            "integer" => "a number",
            "float" => "a number with a point",
            "boolean" => "true or false",
            "datetime" => "a date",
            "array" => "a list",
            _ => "a table",
        };
        let key = visible(key).to_string();
        Fault::WrongType { key, section: self.inside(), wanted, found }.at(self.place(line))
    }

    /// ` in [poll]`; nothing at the top.
    fn inside(&self) -> String {
        if self.path.is_empty() { String::new() } else { format!(" in [{}]", self.path) }
    }

    fn place(&self, line: usize) -> Place {
        Place::line(self.source.file, line)
    }
}

/// A key as the header of a table writes it.
fn written_key(key: &str) -> String {
    let bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if bare { key.to_owned() } else { format!("\"{}\"", visible(key)) }
}
