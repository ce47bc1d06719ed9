//! Puts guards before the servers of a client's file, and takes them away again. Nothing is written here: what comes of it
//! is a text beside the one that was read. An edit counts only where the file, read again as discovery reads it, says the
//! same of every server as before.

mod address;
mod edit;
mod excerpt;
mod headers;
mod outcome;
mod wrap;

pub use address::Listener;
pub use excerpt::{Excerpt, Side};
pub use outcome::{EntryAt, EntryOutcome, Outcome, Wanted};

use super::clients::{Client, ClientFile, File, Found, Level, System};
use super::entry::{Entry, Written};
use super::error::{ConfigError, Place, Problem};
use super::guarded::{UPSTREAM, behind_guard};
use super::read::read_regular;
use super::{Lookup, find};
use crate::store::redact::{Redactor, Secrets};
use crate::text::utf8;
use edit::{ClientText, Edit, apply};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The files of a client that are there.
#[derive(Default)]
pub struct ClientFiles {
    /// Those that could be read.
    pub files: Vec<Guarding>,
    /// What is wrong with the others. Printable.
    pub problems: Vec<Problem>,
    /// Every path that was tried.
    pub tried: Vec<PathBuf>,
}

/// A file of a client, and what becomes of it.
pub struct Guarding {
    /// Its path, as it was found.
    pub path: PathBuf,
    /// The path that this leads to, which is the file that is written.
    pub real: PathBuf,
    /// Whose file it is.
    pub level: Level,
    /// Whether the client writes it anew whenever it likes: a plugin's.
    pub is_cache: bool,
    /// What became of its entries, in their order. Those that were not meant are left out.
    pub outcomes: Vec<EntryOutcome>,
    /// Texts of lists of arguments and of headers that were not there before: an uninstall takes them away whole.
    pub added: Vec<String>,
    file: &'static File,
    before: Vec<u8>,
    /// Bytes of the byte order mark.
    mark: usize,
    text: String,
    /// The lines of its entries in the text as it was read.
    lines: Vec<usize>,
    read: ClientFile,
    shown: PathBuf,
}

/// The files of the client that `word` names, as seen from a folder.
pub fn client_files(word: &str, walk: &[PathBuf], environment: Lookup<'_>) -> Result<ClientFiles, ConfigError> {
    let client = Client::named(word)
        .ok_or_else(|| ConfigError::unknown(Place::CommandLine, "client", word, "", &Client::words()))?;
    let mut found = ClientFiles::default();
    let mut known = BTreeSet::new();
    let cwd = walk.first().map_or(Path::new("."), PathBuf::as_path);
    for file in client.files() {
        for path in file.paths(walk, System::here(), environment) {
            found.tried.push(path.clone());
            if path.symlink_metadata().is_err() {
                continue;
            }
            let read = file.real(&path, walk).and_then(|(real, limit)| {
                let is_new = known.insert(real.clone());
                is_new.then(|| Ok((read_regular(&path, limit)?, real))).transpose()
            });
            let shown = find::shown(cwd, &path);
            let read = read
                .and_then(|read| read.map(|(bytes, real)| Guarding::of(file, &path, &shown, real, bytes)).transpose());
            match read {
                Ok(guarding) => found.files.extend(guarding),
                Err(text) => found.problems.push(Problem { place: Place::whole(&shown), text }),
            }
        }
    }
    Ok(found)
}

impl Guarding {
    fn of(file: &'static File, path: &Path, shown: &Path, real: PathBuf, before: Vec<u8>) -> Result<Self, String> {
        let plain = utf8(&before).map_err(|problem| problem.to_string())?;
        let text = std::str::from_utf8(plain).map_err(|_| "it is no UTF-8".to_owned())?.to_owned();
        let found = file.read(shown, path, &before);
        Ok(Self {
            path: path.to_owned(),
            real,
            level: file.level,
            is_cache: file.is_plugin(),
            outcomes: Vec::new(),
            added: Vec::new(),
            mark: before.len() - plain.len(),
            file,
            before,
            text,
            lines: found.entries.iter().map(|found| found.entry.line).collect(),
            read: found,
            shown: shown.to_owned(),
        })
    }

    /// What is wrong with it as a whole, or with entries that cannot be read.
    pub fn problems(&self) -> &[Problem] {
        &self.read.problems
    }

    /// The names of its entries.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.read.entries.iter().map(|found| found.entry.id.as_str())
    }

    /// The same file, where it says `bytes`.
    pub fn with(&self, bytes: &[u8]) -> Result<Self, String> {
        Self::of(self.file, &self.path, &self.shown, self.real.clone(), bytes.to_vec())
    }

    /// The file as it was read.
    pub fn before(&self) -> &[u8] {
        &self.before
    }

    /// The file as it shall be.
    pub fn after(&self) -> Vec<u8> {
        [&self.before[..self.mark], self.text.as_bytes()].concat()
    }

    /// Whether anything is to be written.
    pub fn is_changed(&self) -> bool {
        self.before[self.mark..] != *self.text.as_bytes()
    }

    /// Whether a guard stands before none of its servers.
    pub fn is_unguarded(&self) -> bool {
        !self.read.entries.iter().any(|found| behind_guard(found.entry.clone()).1)
    }

    /// The lines that differ, as a person may see them. `hidden` takes the secret of guards out of a text, and leaves where it
    /// stood.
    pub fn excerpts(&self, redactor: &Redactor, hidden: fn(&str) -> String) -> Vec<Excerpt> {
        let redactor = redactor.and(&Redactor::new(&self.secrets(hidden)));
        let before = hidden(&String::from_utf8_lossy(&self.before[self.mark..]));
        let after = hidden(&self.text);
        excerpt::of(&redactor.mask(&before), &redactor.mask(&after))
    }

    /// A text with what is secret in this file masked.
    pub fn masked(&self, text: &str, redactor: &Redactor) -> String {
        redactor.and(&Redactor::new(&self.secrets(str::to_owned))).mask(text).into_owned()
    }

    /// What its entries pass, as it is written, but for what `hidden` takes out by itself.
    fn secrets(&self, hidden: fn(&str) -> String) -> Secrets {
        let mut secrets = Secrets::default();
        for written in self.read.entries.iter().filter_map(|found| found.entry.written.as_ref().ok()) {
            match written {
                Written::Stdio { args, env, .. } => {
                    secrets.args(&args.iter().map(|arg| arg.shown.as_str()).collect::<Vec<_>>());
                    for (name, value) in env {
                        secrets.variable(name, &value.shown);
                    }
                }
                Written::Http { url, headers } => {
                    secrets.url(&url.shown);
                    for (name, value) in headers {
                        if name.eq_ignore_ascii_case(UPSTREAM) {
                            secrets.url(&value.shown);
                        } else if hidden(&value.shown) == value.shown {
                            secrets.header(name, &value.shown);
                        }
                    }
                }
            }
        }
        secrets
    }

    /// Takes the edits of the entry at `changed`, unless by them it is not as it should be, or another is not as it was.
    fn rewrite(&mut self, changed: usize, edits: Vec<Edit>, fits: impl Fn(&Entry, &Entry) -> bool) -> bool {
        let text = apply(&self.text, edits);
        let bytes = [&self.before[..self.mark], text.as_bytes()].concat();
        let read = self.file.read(&self.shown, &self.path, &bytes);
        let is_same = |(at, (before, after)): (usize, (&Found, &Found))| {
            let (before_entry, after_entry) = (without_lines(&before.entry), without_lines(&after.entry));
            let names = before_entry.id == after_entry.id && before.project == after.project;
            names && if at == changed { fits(&before_entry, &after_entry) } else { before_entry == after_entry }
        };
        let as_many = (read.entries.len(), read.problems.len()) == (self.read.entries.len(), self.read.problems.len());
        let same = as_many && self.read.entries.iter().zip(&read.entries).enumerate().all(is_same);
        if same {
            (self.text, self.read) = (text, read);
        }
        same
    }

    fn source(&self) -> ClientText<'_> {
        ClientText {
            text: &self.text,
            syntax: self.file.syntax(),
            args: self.file.args(),
            headers: self.file.headers(),
        }
    }
}

/// An entry wherever it stands.
fn without_lines(entry: &Entry) -> Entry {
    Entry { line: 0, lines: BTreeMap::new(), ..entry.clone() }
}
