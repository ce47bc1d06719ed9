//! Puts servers together from the files that name them: ours, and the clients'. One server found in several files is one
//! server with all its origins; what two clients start differently under one name is two.

use super::clients::word_of;
use super::clients::{CLIENTS, Client, File, Found, Level, MCP_JSON, McpJsonLists, System, is_honoured, named_file};
use super::entry::{Entry, NoLaunch, OffKey};
use super::error::{ConfigError, Fault, Place, Problem};
use super::launch::{self, Bound, NamingFile, Vantage};
use super::read::{MAX_USER_BYTES, read_regular};
use super::request::{AdHoc, Reach, Request};
use super::toml_source::At;
use super::{Fate, FoundBy, IgnoredKey, Origin, Searched, ServerConfig, Why, find};
use crate::mcp::Target;
use crate::store::Root;
use crate::text::visible;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time that a scanner has for its answer.
const SCAN_TIMEOUT: Duration = Duration::from_mins(1);

#[derive(Default)]
pub(super) struct Gathered {
    pub(super) servers: Vec<ServerConfig>,
    /// Entries that are not watched, each with its reason as its target.
    pub(super) unwatched: Vec<ServerConfig>,
    pub(super) problems: Vec<Problem>,
    pub(super) searched: Vec<Searched>,
    /// Every id that some file names.
    pub(super) ids: BTreeSet<String>,
}

/// Puts servers together.
pub(super) struct Gatherer<'a> {
    request: &'a Request<'a>,
    root: &'a Path,
    interval: Duration,
    scoped_digests: bool,
    bound: Bound<'a>,
    gathered: Gathered,
    /// The servers that our own file or the command line names: where.
    own: BTreeMap<String, Place>,
    /// The names that a client has used already: where. Its nearer file counts, as it does for the client.
    used: BTreeMap<(&'static str, String), Place>,
    /// The files that were read for a client, canonical.
    read: BTreeSet<(&'static str, PathBuf)>,
}

impl<'a> Gatherer<'a> {
    pub(super) fn new(
        request: &'a Request<'a>,
        root: &'a Path,
        interval: Duration,
        scoped_digests: bool,
        bound: Bound<'a>,
    ) -> Self {
        let (gathered, own) = (Gathered::default(), BTreeMap::new());
        let (used, read) = (BTreeMap::new(), BTreeSet::new());
        Self { request, root, interval, scoped_digests, bound, gathered, own, used, read }
    }

    /// What was put together. Entries that are not watched get an id that nothing else here has.
    pub(super) fn done(mut self) -> Gathered {
        let mut taken: BTreeSet<String> = self.gathered.servers.iter().map(|server| server.id.to_string()).collect();
        for entry in &mut self.gathered.unwatched {
            let client = entry.origin.client.and_then(word_of).unwrap_or("pinwatch.toml");
            let others = (2..).map(|number| format!("{}@{client}-{number}", entry.name));
            let mut ids = [entry.name.clone(), format!("{}@{client}", entry.name)].into_iter().chain(others);
            let free = ids.find(|id| !taken.contains(id)).unwrap_or_default();
            taken.insert(free.clone());
            *entry = entry.clone().called(&free);
        }
        self.gathered
    }

    /// The server of the command line.
    pub(super) fn typed(&mut self, ad_hoc: &AdHoc) -> Result<(), ConfigError> {
        let source = NamingFile::new(None, self.request.cwd, FoundBy::AdHoc);
        self.own_entry(ad_hoc.entry(), &source).map(drop)
    }

    /// The servers of a file of ours: a fault in one is an error.
    pub(super) fn ours(&mut self, file: &Path, found_by: FoundBy, entries: &[Entry]) -> Result<(), ConfigError> {
        let folder = file.parent().unwrap_or(self.request.cwd);
        let source = NamingFile::new(Some(file), folder, found_by);
        let mut searched = Searched::of(file);
        searched.servers = Some(entries.len());
        for entry in entries {
            let (name, line) = (entry.id.clone(), entry.line);
            let fate = self.own_entry(entry.clone(), &source)?;
            searched.entries.push((name, line, fate));
        }
        self.gathered.searched.push(searched);
        Ok(())
    }

    /// The scanner that a file of ours names.
    pub(super) fn scanner(&self, file: &Path, found_by: FoundBy, entry: &Entry) -> ServerConfig {
        let folder = file.parent().unwrap_or(self.request.cwd);
        let source = NamingFile::new(Some(file), folder, found_by);
        let mut scanner = self.server(entry, &source, &self.place(&source, entry.line));
        // What asks a model takes longer than a server's answer may.
        scanner.request_timeout = self.request.timeout.unwrap_or(SCAN_TIMEOUT);
        scanner
    }

    /// The clients that a file of ours includes, for its own folder.
    pub(super) fn included(&mut self, ours: &Path, words: &[At<String>]) -> Result<(), ConfigError> {
        let folder = ours.parent().unwrap_or(self.request.cwd);
        let walk = Root::walk(folder).unwrap_or_default();
        let mut seen = BTreeSet::new();
        for word in words {
            let place = || Place::line(&find::shown(self.request.cwd, ours), word.line);
            let Some(client) = Client::named(&word.value) else {
                return Err(ConfigError::unknown(place(), "client", &word.value, " in `include`", &Client::words()));
            };
            if !seen.insert(&word.value) {
                continue;
            }
            if word.value != MCP_JSON {
                let files = client.files().map(|file| (client, file)).collect::<Vec<_>>();
                self.files(&files, &walk);
                continue;
            }
            let file = client.files().filter(|file| file.is_mcp_json()).map(|file| (client, file));
            if !self.files(&file.collect::<Vec<_>>(), &walk) {
                let text = format!("`include` names `{MCP_JSON}`, and there is no such file here or above");
                self.gathered.problems.push(Problem { place: place(), text });
            }
        }
        Ok(())
    }

    /// A client's file that was named on the command line: without it there is nothing to do.
    pub(super) fn named(&mut self, path: &Path) -> Result<(), ConfigError> {
        let file = named_file(path);
        let shown = find::shown(self.request.cwd, path);
        let fault = |text| Fault::Malformed(text).at(Place::whole(&shown));
        let bytes = read_regular(path, MAX_USER_BYTES).map_err(fault)?;
        if let Some(client) = file.client() {
            self.entries(client, file, path, &bytes, FoundBy::Named);
        }
        Ok(())
    }

    /// A file of ours that is not there.
    pub(super) fn missing(&mut self, file: &Path) {
        self.gathered.searched.push(Searched::of(file));
    }

    /// Every client's files: the project's first, then, as far as the request reaches, this user's and the machine's.
    pub(super) fn discovered(&mut self, walk: &[PathBuf]) {
        let files = |project: bool| -> Vec<(&'static Client, &'static File)> {
            let all = CLIENTS.iter().flat_map(|client| client.files().map(move |file| (client, file)));
            all.filter(|(_, file)| (file.level == Level::Project) == project).collect()
        };
        self.files(&files(true), walk);
        let any = !self.gathered.servers.is_empty() || !self.gathered.unwatched.is_empty();
        if self.request.reach == Reach::Everything || !any {
            self.files(&files(false), walk);
        }
    }

    /// Reads files of clients; whether any is there.
    fn files(&mut self, files: &[(&'static Client, &'static File)], walk: &[PathBuf]) -> bool {
        let mut any = false;
        for (client, file) in files {
            for path in file.paths(walk, System::here(), self.request.environment) {
                any |= self.file(client, file, &path, walk);
            }
        }
        any
    }

    /// Reads a file of a client; whether it is there.
    fn file(&mut self, client: &'static Client, file: &'static File, path: &Path, walk: &[PathBuf]) -> bool {
        let mut searched = Searched { client: Some(client.name), level: Some(file.level), ..Searched::of(path) };
        if path.symlink_metadata().is_err() {
            self.gathered.searched.push(searched);
            return false;
        }
        let refused = match self.readable(client, file, path, walk) {
            Ok(Some(bytes)) => {
                self.entries(client, file, path, &bytes, FoundBy::Found);
                return true;
            }
            Ok(None) => "it is a link to a file that was read for this client".to_owned(),
            Err(text) => {
                let place = Place::whole(&find::shown(self.request.cwd, path));
                self.gathered.problems.push(Problem { place, text: text.clone() });
                text
            }
        };
        searched.note = Some(refused);
        self.gathered.searched.push(searched);
        true
    }

    /// The bytes of a file; none where they were read for this client already.
    fn readable(
        &mut self,
        client: &'static Client,
        file: &File,
        path: &Path,
        walk: &[PathBuf],
    ) -> Result<Option<Vec<u8>>, String> {
        let (real, limit) = file.real(path, walk)?;
        if !self.read.insert((client.word, real)) {
            return Ok(None);
        }
        read_regular(path, limit).map(Some)
    }

    /// The servers of a client's file.
    fn entries(&mut self, client: &'static Client, file: &'static File, path: &Path, bytes: &[u8], found_by: FoundBy) {
        let read = file.read(&find::shown(self.request.cwd, path), path, bytes);
        let mut searched = Searched { client: Some(client.name), level: Some(file.level), ..Searched::of(path) };
        searched.servers = Some(read.entries.len());
        if let [only] = read.problems.as_slice() {
            searched.note = Some(only.text.clone());
        }
        self.gathered.problems.extend(read.problems);
        let home = (self.request.environment)("HOME").map(PathBuf::from);
        let folder = match file.level {
            Level::Project => file.project_of(path),
            // Clients start their user's servers in no folder of their own.
            Level::User | Level::System => home.as_deref().or(path.parent()),
        };
        let folder = folder.unwrap_or(self.request.cwd);
        let lists = (file.is_mcp_json() && file.level == Level::Project)
            .then(|| McpJsonLists::of(folder, self.request.cwd, self.request.environment));
        for Found { entry, project, .. } in read.entries {
            let (name, line) = (entry.id.clone(), entry.line);
            let folder = project.as_deref().unwrap_or(folder);
            let source = NamingFile {
                client: Some(client),
                inputs: &read.inputs,
                lists: lists.as_ref(),
                ..NamingFile::new(Some(path), folder, found_by)
            };
            let fate = match &project {
                Some(project) if !self.is_here(project) => {
                    self.set_aside(&entry, &source, Why::OtherProject(project.clone()))
                }
                _ => self.client_entry(&entry, &source, client),
            };
            searched.entries.push((name, line, fate));
        }
        self.gathered.searched.push(searched);
        if let Some(lists) = lists {
            self.gathered.searched.extend(lists.searched());
        }
    }

    /// Whether the current folder belongs to a project.
    fn is_here(&self, project: &Path) -> bool {
        let project = project.canonicalize().unwrap_or_else(|_| project.to_owned());
        self.request.cwd.starts_with(project)
    }

    fn place(&self, source: &NamingFile<'_>, line: usize) -> Place {
        source.file.map_or(Place::CommandLine, |file| Place::line(&find::shown(self.request.cwd, file), line))
    }

    fn set_aside(&mut self, entry: &Entry, source: &NamingFile<'_>, why: Why) -> Fate {
        self.gathered.ids.insert(entry.id.clone());
        let place = self.place(source, entry.line);
        let server = self.server(entry, source, &place).unwatched(&why);
        self.gathered.unwatched.push(server);
        Fate::Aside(why)
    }

    /// The server of an entry, usable or not.
    fn server(&self, entry: &Entry, source: &NamingFile<'_>, place: &Place) -> ServerConfig {
        let context = self.context(source);
        let mut server = launch::server(entry.clone(), &context).unwrap_or_else(|fault| {
            let problem = Problem { place: place.clone(), text: fault.sentence() };
            launch::unusable(entry.clone(), &context, &problem, &fault)
        });
        if let Some(client) = source.client {
            let file = source.file.map(|file| find::shown(self.request.cwd, file)).unwrap_or_default();
            let ignored = |key: &OffKey| {
                let known = is_honoured(client.word, *key) == Some(false);
                IgnoredKey { key: key.name, client: client.name, file: file.clone(), known }
            };
            server.ignored = entry.off.iter().map(ignored).collect();
        }
        server.notes.extend(source.lists.and_then(|lists| lists.approves(&entry.id)));
        server
    }

    fn context<'b>(&self, source: &'b NamingFile<'_>) -> Vantage<'b>
    where
        'a: 'b,
    {
        Vantage {
            source,
            request: self.request,
            root: self.root,
            interval: self.interval,
            scoped_digests: self.scoped_digests,
            bound: self.bound,
        }
    }

    /// An entry that is ours: a fault in it is an error, unless it is about its address only.
    fn own_entry(&mut self, entry: Entry, source: &NamingFile<'_>) -> Result<Fate, ConfigError> {
        let place = self.place(source, entry.line);
        self.own.insert(entry.id.clone(), place.clone());
        if let Some(key) = entry.off.first() {
            return Ok(self.set_aside(&entry, source, Why::SwitchedOff { key: key.name, client: None }));
        }
        self.gathered.ids.insert(entry.id.clone());
        let context = self.context(source);
        let server = match launch::server(entry.clone(), &context) {
            Ok(server) => server,
            Err(fault) => {
                let line = entry.lines.get(&fault.field);
                let place = line.map_or(place, |line| self.place(source, *line));
                if !fault.of_address {
                    let server = visible(&entry.id).to_string();
                    return Err(Fault::Server { server, text: fault.sentence() }.at(place));
                }
                launch::unusable(entry, &context, &Problem { place, text: fault.sentence() }, &fault)
            }
        };
        let fate = Fate::Watched(server.id.clone());
        self.gathered.servers.push(server);
        Ok(fate)
    }

    fn client_entry(&mut self, entry: &Entry, source: &NamingFile<'_>, client: &'static Client) -> Fate {
        let place = self.place(source, entry.line);
        // What is rejected takes no name from a farther file's entry.
        if let Some(listed) = source.lists.and_then(|lists| lists.rejects(&entry.id)) {
            return self.set_aside(entry, source, Why::Listed(listed));
        }
        if let Some(first) = self.used.get(&(client.word, entry.id.clone())) {
            // Of one client the nearer file counts; a farther one that starts the same is an origin all the same.
            let first = first.clone();
            let server = self.server(entry, source, &place);
            let usable = !matches!(server.target, Target::Unusable(_));
            let same = if usable { self.joined(entry, &server) } else { None };
            return same.unwrap_or_else(|| self.set_aside(entry, source, Why::Shadowed(first)));
        }
        self.used.insert((client.word, entry.id.clone()), place.clone());
        if let Some(key) = entry.off.iter().find(|key| is_honoured(client.word, **key) == Some(true)) {
            return self.set_aside(entry, source, Why::SwitchedOff { key: key.name, client: Some(client.name) });
        }
        if entry.written == Err(NoLaunch::Inside) {
            return self.set_aside(entry, source, Why::Inside);
        }
        let server = self.server(entry, source, &place);
        self.merged(entry, server, source, client)
    }

    /// The known server of this name that starts the same: the entry is one more origin of it.
    fn joined(&mut self, entry: &Entry, server: &ServerConfig) -> Option<Fate> {
        let mut family = self.gathered.servers.iter_mut().filter(|known| known.name == entry.id);
        let known = family.find(|known| known.starts_as(server))?;
        known.others.push(server.origin.clone());
        // Where one entry starts it as a matter of course, another one's key has nothing to say.
        if known.ignored.is_empty() || server.ignored.is_empty() {
            known.ignored.clear();
        } else {
            known.ignored.extend(server.ignored.iter().cloned());
        }
        let new: Vec<_> = server.notes.iter().filter(|note| !known.notes.contains(note)).cloned().collect();
        known.notes.extend(new);
        Some(Fate::Same(known.id.clone()))
    }

    /// A client's server beside those that are known: the same one, another one of its name, or a new one.
    fn merged(&mut self, entry: &Entry, mut server: ServerConfig, source: &NamingFile<'_>, client: &Client) -> Fate {
        let qualified = format!("{}@{}", entry.id, client.word);
        if let Some(same) = self.joined(entry, &server) {
            return same;
        }
        if let Some(own) = self.own.get(&entry.id).cloned() {
            return self.set_aside(entry, source, Why::Shadowed(own));
        }
        if self.gathered.servers.iter().any(|known| known.name == entry.id) {
            server = server.called(&qualified);
        }
        if let Some(known) = self.gathered.servers.iter().find(|known| known.id == server.id) {
            let first = known.origin.file.as_deref().map(|file| find::shown(self.request.cwd, file));
            let place = first.map_or(Place::CommandLine, |file| Place::line(&file, known.origin.line));
            return self.set_aside(entry, source, Why::Shadowed(place));
        }
        self.gathered.ids.insert(server.id.to_string());
        let fate = match &server.target {
            Target::Unusable(reason) => Fate::Unusable(server.id.clone(), reason.text.clone()),
            Target::Stdio { .. } | Target::Http { .. } | Target::Unwatched(_) => Fate::Watched(server.id.clone()),
        };
        self.gathered.servers.push(server);
        fate
    }
}

impl Searched {
    /// A file that was looked for and is not there, until it is said otherwise.
    fn of(file: &Path) -> Self {
        Self { file: file.to_owned(), client: None, level: None, servers: None, note: None, entries: Vec::new() }
    }
}

impl Origin {
    /// Where an entry of a source stands.
    pub(super) fn of(source: &NamingFile<'_>, line: usize) -> Self {
        let (file, client) = (source.file.map(Path::to_owned), source.client.map(|client| client.name));
        Self { file, line, found_by: source.found_by, client }
    }
}
