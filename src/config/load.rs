//! From a request to a configuration: which files are read, in which order, and who wins.

use super::error::{ConfigError, Fault, Place};
use super::expand::Lookup;
use super::file::{self, FileConfig};
use super::find;
use super::gather::{Gathered, Gatherer};
use super::launch::Bound;
use super::read::read_text;
use super::request::Request;
use super::{Config, FoundBy, PROJECT_FILE, Poll, Ui};
use crate::store::{Root, StoreError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const POLL_INTERVAL: Duration = Duration::from_secs(30);

/// Reads everything. Only what `request` names is asked: no clock, no other environment.
pub fn load(request: &Request<'_>) -> Result<Config, ConfigError> {
    let at_command_line = |error| Fault::Store(error).at(Place::CommandLine);
    let walk = Root::walk(request.cwd).map_err(at_command_line)?;
    // Canonical like the files that the walk finds, so that messages name them from here.
    let request = &Request { cwd: walk.first().map_or(request.cwd, PathBuf::as_path), ..*request };
    let source = ConfigFile::of(request, &walk);
    let mut personal = read_personal(request)?;
    let mut project = match &source.project {
        Some(file) => file::project(file, request.cwd, &read_text(request.cwd, file)?)?,
        None => FileConfig::default(),
    };
    let interval = project.interval.unwrap_or(POLL_INTERVAL);
    let root = root(request, &source).map_err(at_command_line)?;
    // Who types a server agrees to what they type, and not to a trust root that a found file names, unless they agree to all.
    let agreed = request.ad_hoc.is_none() || source.found_by == FoundBy::Named || request.agreed;
    let trust = project.trust.clone().filter(|_| agreed);
    let named = source.found_by == FoundBy::Named;
    let own = personal.otlp.take().map(|own| (own, false));
    let shared = project.otlp.take().filter(|_| agreed).map(|shared| (shared, true));
    let told = if named { shared.or(own) } else { own.or(shared) };
    let told = told.map(|(written, is_shared)| written.collector(request.environment, request.cwd, is_shared));
    let collector = told.transpose()?.map(Arc::new);
    let bound = Bound { trust: trust.as_ref(), collector: collector.as_ref().filter(|collector| collector.is_shared) };
    let mut gatherer = Gatherer::new(request, root.path(), interval, project.scoped_digests, bound);
    servers(&mut gatherer, request, &source, &project, &walk)?;
    let scanner = match (&source.project, &project.scanner) {
        (Some(file), Some(entry)) => Some(gatherer.scanner(file, source.found_by, entry)),
        _ => None,
    };
    let found = gatherer.done();
    if let (Some(file), None) = (&source.project, request.ad_hoc) {
        let known: Vec<&str> = found.ids.iter().map(String::as_str).collect();
        if let Some(word) = project.excepted.iter().find(|word| !known.contains(&word.value.as_str())) {
            let place = Place::line(&find::shown(request.cwd, file), word.line);
            return Err(ConfigError::unknown(place, "server", &word.value, " in [policy]", &known));
        }
    }
    // A shared file's word counts less than the person's own, and more where the person names it.
    let (policy, rule_files) = (project.policy.clone(), project.rule_files.clone());
    let evidence = project.evidence.clone();
    let (first, second) = if named { (personal, project) } else { (project, personal) };
    let decided_by = second.decided_by.or(first.decided_by).unwrap_or_else(|| user(request.environment));
    let mut ui = Ui::default();
    first.ui.lay_over(&mut ui);
    second.ui.lay_over(&mut ui);
    let Gathered { servers, unwatched, mut problems, searched, .. } = found;
    problems.sort_by(|a, b| a.place.cmp(&b.place));
    Ok(Config {
        root,
        servers,
        unwatched,
        problems,
        searched,
        decided_by,
        poll: Poll { interval },
        ui,
        policy,
        rule_files,
        scanner,
        trust,
        evidence,
        collector,
    })
}

/// Everything that names servers, in the order in which they count.
fn servers(
    gatherer: &mut Gatherer<'_>,
    request: &Request<'_>,
    source: &ConfigFile,
    project: &FileConfig,
    walk: &[PathBuf],
) -> Result<(), ConfigError> {
    if let Some(ad_hoc) = request.ad_hoc {
        return gatherer.typed(ad_hoc);
    }
    if let Some(file) = &source.project {
        gatherer.ours(file, source.found_by, &project.servers)?;
        return gatherer.included(file, &project.include);
    }
    if let Some(file) = &source.client {
        return gatherer.named(file);
    }
    gatherer.missing(&request.cwd.join(PROJECT_FILE));
    gatherer.discovered(walk);
    Ok(())
}

/// The file that says what to watch; where there is none, the clients' files do.
struct ConfigFile {
    project: Option<PathBuf>,
    /// A client's file that was named.
    client: Option<PathBuf>,
    found_by: FoundBy,
}

impl ConfigFile {
    fn of(request: &Request<'_>, walk: &[PathBuf]) -> Self {
        if let Some(named) = request.config {
            let file = find::in_real_folder(&request.cwd.join(named));
            let clients = ["json", "jsonc", "yaml", "yml"];
            let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
            let found_by = FoundBy::Named;
            return if clients.contains(&ending.as_str()) || file.ends_with(".codex/config.toml") {
                Self { project: None, client: Some(file), found_by }
            } else {
                Self { project: Some(file), client: None, found_by }
            };
        }
        let at_root = request.root.and_then(|root| find::first_with(&[request.cwd.join(root)], PROJECT_FILE));
        let project = at_root.or_else(|| find::first_with(walk, PROJECT_FILE));
        Self { project, client: None, found_by: FoundBy::Found }
    }
}

/// The folder that holds `snapshots/`: of a config that is named, its own, unless another is named.
fn root(request: &Request<'_>, source: &ConfigFile) -> Result<Root, StoreError> {
    let named = source.project.as_deref().filter(|_| source.found_by == FoundBy::Named).and_then(Path::parent);
    match named.filter(|_| request.root.is_none()) {
        Some(folder) => Ok(Root::at(folder)),
        None => Root::find(request.cwd, request.root, request.places),
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
