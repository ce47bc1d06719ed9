//! From a request to a configuration: which files are read, in which order, and who wins.

use super::clients::Client;
use super::entry::{Entry, NoLaunch};
use super::error::{ConfigError, Fault, Place, Problem};
use super::expand::Lookup;
use super::file::{self, FileConfig};
use super::find;
use super::launch::{self, Context};
use super::read::{read_bytes, read_text};
use super::request::Request;
use super::{Config, FoundBy, PROJECT_FILE, Poll, Searched, SetAside, Ui, Why};
use crate::store::{Root, StoreError};
use crate::text::visible;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

const POLL_INTERVAL: Duration = Duration::from_secs(30);

/// Reads everything. Only what `request` names is asked: no clock, no other environment.
pub fn load(request: &Request<'_>) -> Result<Config, ConfigError> {
    let at_command_line = |error| Fault::Store(error).at(Place::CommandLine);
    let walk = Root::walk(request.cwd).map_err(at_command_line)?;
    // Canonical like the files that the walk finds, so that messages name them from here.
    let request = &Request { cwd: walk.first().map_or(request.cwd, PathBuf::as_path), ..*request };
    let source = Source::of(request, &walk);
    let personal = read_personal(request)?;
    let project = match &source.project {
        Some(file) => file::project(&find::shown(request.cwd, file), &read_text(request.cwd, file)?)?,
        None => FileConfig::default(),
    };
    let mut loader = Loader {
        request,
        root: root(request, &source).map_err(at_command_line)?,
        interval: project.interval.unwrap_or(POLL_INTERVAL),
        scoped_digests: project.scoped_digests,
        config: Parts::default(),
    };
    loader.servers(&source, &project)?;
    if let (Some(file), None) = (&source.project, request.ad_hoc) {
        let known: Vec<&str> = loader.config.ids.keys().map(String::as_str).collect();
        if let Some(word) = project.excepted.iter().find(|word| !known.contains(&word.value.as_str())) {
            let place = Place::line(&find::shown(request.cwd, file), word.line);
            return Err(ConfigError::unknown(place, "server", &word.value, " in [policy]", &known));
        }
    }
    let named = source.found_by == FoundBy::Named;
    // A shared file's word counts less than the person's own, and more where the person names it.
    let policy = project.policy.clone();
    let (first, second) = if named { (personal, project) } else { (project, personal) };
    let decided_by = second.decided_by.or(first.decided_by).unwrap_or_else(|| user(request.environment));
    let mut ui = Ui::default();
    first.ui.lay_over(&mut ui);
    second.ui.lay_over(&mut ui);
    let Loader { root, interval, config, .. } = loader;
    let Parts { servers, set_aside, mut problems, searched, .. } = config;
    problems.sort_by(|a, b| a.place.cmp(&b.place));
    Ok(Config { root, servers, set_aside, problems, searched, decided_by, poll: Poll { interval }, ui, policy })
}

/// The file that says what to watch.
struct Source {
    /// A file of ours.
    project: Option<PathBuf>,
    /// A client's file that is read by itself.
    client: Option<(Client, PathBuf)>,
    found_by: FoundBy,
}

impl Source {
    fn of(request: &Request<'_>, walk: &[PathBuf]) -> Self {
        if let Some(named) = request.config {
            let file = find::in_real_folder(&request.cwd.join(named));
            let json = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
            let found_by = FoundBy::Named;
            return if json {
                Self { project: None, client: Some((Client::McpJson, file)), found_by }
            } else {
                Self { project: Some(file), client: None, found_by }
            };
        }
        let at_root = request.root.and_then(|root| find::first_with(&[request.cwd.join(root)], PROJECT_FILE));
        let project = at_root.or_else(|| find::first_with(walk, PROJECT_FILE));
        let client = Client::McpJson.file(walk).filter(|_| project.is_none());
        Self { project, client: client.map(|file| (Client::McpJson, file)), found_by: FoundBy::Found }
    }
}

/// The folder that holds `snapshots/`: of a config that is named, its own, unless another is named.
fn root(request: &Request<'_>, source: &Source) -> Result<Root, StoreError> {
    let named = source.project.as_deref().filter(|_| source.found_by == FoundBy::Named).and_then(Path::parent);
    match named.filter(|_| request.root.is_none()) {
        Some(folder) => Ok(Root::at(folder)),
        None => Root::find(request.cwd, request.root, request.places),
    }
}

#[derive(Default)]
struct Parts {
    servers: Vec<super::ServerConfig>,
    set_aside: Vec<SetAside>,
    problems: Vec<Problem>,
    searched: Vec<Searched>,
    /// Every id seen, and where first.
    ids: BTreeMap<String, Place>,
}

struct Loader<'a> {
    request: &'a Request<'a>,
    root: Root,
    interval: Duration,
    scoped_digests: bool,
    config: Parts,
}

/// A file that names servers.
struct Origin<'a> {
    file: Option<&'a Path>,
    folder: &'a Path,
    found_by: FoundBy,
    /// Whether a fault in an entry is an error: the file is ours.
    ours: bool,
}

impl Origin<'_> {
    fn place(&self, cwd: &Path, line: usize) -> Place {
        self.file.map_or(Place::CommandLine, |file| Place::line(&find::shown(cwd, file), line))
    }
}

impl Loader<'_> {
    fn servers(&mut self, source: &Source, project: &FileConfig) -> Result<(), ConfigError> {
        if let Some(ad_hoc) = self.request.ad_hoc {
            let origin = Origin { file: None, folder: self.request.cwd, found_by: FoundBy::AdHoc, ours: true };
            return self.entry(ad_hoc.entry(), &origin);
        }
        if let Some(file) = &source.project {
            let folder = file.parent().unwrap_or(self.request.cwd);
            let origin = Origin { file: Some(file), folder, found_by: source.found_by, ours: true };
            self.searched(file, Some(project.servers.len()));
            for entry in &project.servers {
                self.entry(entry.clone(), &origin)?;
            }
            return self.included(file, folder, project);
        }
        self.searched(&self.request.cwd.join(PROJECT_FILE), None);
        if let Some((client, file)) = &source.client {
            return self.client(*client, file, source.found_by);
        }
        self.searched(&self.request.cwd.join(Client::McpJson.word()), None);
        Ok(())
    }

    fn included(&mut self, file: &Path, folder: &Path, project: &FileConfig) -> Result<(), ConfigError> {
        let shown = find::shown(self.request.cwd, file);
        for (index, word) in project.include.iter().enumerate() {
            if project.include[..index].iter().any(|earlier| earlier.value == word.value) {
                continue;
            }
            let place = Place::line(&shown, word.line);
            let Some(client) = Client::ALL.into_iter().find(|client| client.word() == word.value) else {
                let known = Client::ALL.map(Client::word);
                return Err(ConfigError::unknown(place, "client", &word.value, " in `include`", &known));
            };
            let walk = Root::walk(folder).unwrap_or_default();
            if let Some(file) = client.file(&walk) {
                self.client(client, &file, FoundBy::Found)?;
                continue;
            }
            self.searched(&folder.join(client.word()), None);
            let text = format!("`include` names `{}`, and there is no such file here or above", client.word());
            self.config.problems.push(Problem { place, text });
        }
        Ok(())
    }

    fn client(&mut self, client: Client, file: &Path, found_by: FoundBy) -> Result<(), ConfigError> {
        let shown = find::shown(self.request.cwd, file);
        let text = match read_bytes(self.request.cwd, file) {
            Ok(text) => text,
            Err(error) if found_by == FoundBy::Named => return Err(error),
            Err(error) => {
                self.config.problems.push(Problem { place: error.place, text: error.fault.to_string() });
                return Ok(());
            }
        };
        let read = client.read(&shown, &text);
        self.searched(file, Some(read.entries.len()));
        self.config.problems.extend(read.problems);
        let origin =
            Origin { file: Some(file), folder: file.parent().unwrap_or(self.request.cwd), found_by, ours: false };
        read.entries.into_iter().try_for_each(|entry| self.entry(entry, &origin))
    }

    fn entry(&mut self, entry: Entry, origin: &Origin<'_>) -> Result<(), ConfigError> {
        let place = origin.place(self.request.cwd, entry.line);
        let first = self.config.ids.entry(entry.id.clone()).or_insert_with(|| place.clone());
        let shadowed = (*first != place).then(|| Why::Shadowed(first.clone()));
        if let Some(why) = shadowed.or((entry.written == Err(NoLaunch::Disabled)).then_some(Why::Disabled)) {
            self.config.set_aside.push(SetAside { id: entry.id.into(), place, why });
            return Ok(());
        }
        let context = Context {
            file: origin.file,
            folder: origin.folder,
            root: self.root.path(),
            found_by: origin.found_by,
            environment: self.request.environment,
            interval: self.interval,
            timeout: self.request.timeout,
            scoped_digests: self.scoped_digests,
        };
        let server = match launch::server(entry.clone(), &context) {
            Ok(server) => server,
            Err(fault) => {
                let place = entry.lines.get(&fault.field).map_or(place, |line| origin.place(self.request.cwd, *line));
                if origin.ours && !fault.of_address {
                    let server = visible(&entry.id).to_string();
                    return Err(Fault::Server { server, text: fault.sentence() }.at(place));
                }
                launch::unusable(entry, &context, &Problem { place, text: fault.sentence() })
            }
        };
        self.config.servers.push(server);
        Ok(())
    }

    fn searched(&mut self, file: &Path, servers: Option<usize>) {
        self.config.searched.push(Searched { file: file.to_owned(), servers });
    }
}

fn read_personal(request: &Request<'_>) -> Result<FileConfig, ConfigError> {
    let file = request.places.config.join("config.toml");
    if !file.is_file() {
        return Ok(FileConfig::default());
    }
    file::personal(&find::shown(request.cwd, &file), &read_text(request.cwd, &file)?)
}

/// The OS user, as the environment says.
fn user(environment: Lookup<'_>) -> String {
    let named = ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(environment).filter(|name| !name.is_empty());
    named.unwrap_or_else(|| "unknown".to_owned())
}
