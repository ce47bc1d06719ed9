//! A project as a git ref has it: its baselines, and the policy, findings, trust and ignore settings that they are judged by. Only
//! the launches are those of the work tree: a pull request cannot soften what judges it.
//!
//! The ref's files are laid out in a folder of their own and read by the same readers as ever. No link of theirs is made.

use super::Project;
use super::git::{Entry, GitError, MOST_FILES, Repository, submodules};
use crate::config::{AdHoc, Answers, Config, ConfigError, PROJECT_FILE, Policy, Reach, Request, Trust, load};
use crate::decisions::Desk;
use crate::store::{Root, Store, StoreError};
use crate::surface::ClientIdentity;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// Endings of the files that a config or a policy may name.
const ENDINGS: [&str; 11] = ["toml", "json", "jsonc", "jsonl", "yaml", "yml", "pem", "pub", "key", "sig", "txt"];
/// Bytes of one of them, and of all.
const MOST_BYTES: u64 = 64 << 20;
const MOST_OF_ALL: u64 = 256 << 20;

/// Why a project cannot be read at a ref.
#[derive(Debug, thiserror::Error)]
pub enum AtRefError {
    /// git could not say.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The config lies elsewhere.
    #[error("{} is not in the repository: at a ref there is no such file", .0.display())]
    Outside(PathBuf),
    /// A file that is none.
    #[error("{path} is a symbolic link at `{name}`: it is not followed")]
    Link {
        /// The ref.
        name: String,
        /// Where.
        path: String,
    },
    /// The config of the ref cannot be used.
    #[error("at `{name}`: {problem}")]
    Config {
        /// The ref.
        name: String,
        /// Why.
        problem: Box<ConfigError>,
    },
    /// The folder for it.
    #[error("the files of the ref cannot be laid out: {0}")]
    Io(#[from] io::Error),
    /// The baselines.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a report says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedBy {
    /// As it was typed.
    pub name: String,
    /// The commit.
    pub commit: String,
    /// What the work tree has otherwise, a sentence each.
    pub differs: Vec<String>,
}

/// The files of a ref; they are there as long as this is.
#[derive(Debug)]
pub struct AtRef {
    folder: TempDir,
    /// What a report says.
    pub judged_by: JudgedBy,
}

impl AtRef {
    /// The project judged by what a ref holds.
    pub fn judge(
        mut project: Project,
        config: Option<&Path>,
        ad_hoc: Option<&AdHoc>,
        name: &str,
    ) -> Result<(Project, Self), AtRefError> {
        let root = project.desk.store.root().path().to_owned();
        let repository = Repository::of(&root)?;
        let commit = repository.commit(name)?;
        let root_there = inside(&repository, &root)?;
        let config_there = match config {
            Some(config) => inside(&repository, &config.canonicalize().unwrap_or_else(|_| config.to_owned()))?,
            None => root_there.join(PROJECT_FILE),
        };
        let folder = tempfile::Builder::new().prefix("pinwatch-ref-").tempdir()?;
        // Paths in reports start at the repository's root, as ever.
        fs::create_dir(folder.path().join(".git"))?;
        let top = folder.path().canonicalize()?;
        lay_out(&repository, &commit, name, (&root_there, &config_there), &top)?;
        let there = read(&project, &top, (&root_there, &config_there), ad_hoc, name)?;

        let own = Root::at(&top.join(&root_there));
        let store = Store::new(own, project.desk.store.places().clone(), project.desk.store.redactor().clone());
        let mut differs = Vec::new();
        let policy = there.as_ref().map_or_else(Policy::default, |config| config.policy.clone());
        if policy.digest != project.config.policy.digest {
            differs.push("the policy, with findings, trust and what is ignored".to_owned());
        }
        for server in &mut project.config.servers {
            let known = there.iter().flat_map(|there| &there.servers).find(|known| known.id == server.id);
            let kinds = known.map(|known| known.ignore_kinds.clone()).unwrap_or_default();
            if kinds != server.ignore_kinds {
                differs.push(format!("`ignore-kinds` of {}", server.id));
                server.ignore_kinds = kinds;
            }
            let client = known.map_or_else(ClientIdentity::own, |known| Arc::clone(&known.client));
            if client != server.client {
                differs.push(format!("`declare` of {}", server.id));
                server.client = client;
            }
            if let Some(known) = known {
                server.digest_scope = known.digest_scope.clone();
            }
            let trust = known.map_or_else(|| there.as_ref()?.trust.clone(), |known| known.trust.clone());
            let held_to = |trust: &Option<Trust>| trust.as_ref().map(|trust| trust.held_to.clone());
            // Where it is the same, the work tree's file stays the one that was agreed to.
            if held_to(&trust) != held_to(&server.trust) {
                server.trust = trust;
            }
        }
        differs.extend(baselines(&project.desk.store, &store)?);
        let policy_digest = format!("sha256:{}", policy.digest).into();
        project.config.root = store.root().clone();
        project.desk = Desk { store, policy_digest, rules: policy.rules.clone(), ..project.desk };
        if policy.rules.findings.command != project.config.policy.rules.findings.command {
            // Launches come from the work tree alone, and its scanner is not the one that the ref wants asked.
            project.config.scanner = None;
        }
        project.config.policy = policy;
        project.is_at_ref = true;
        let judged_by = JudgedBy { name: name.to_owned(), commit, differs };
        Ok((project, Self { folder, judged_by }))
    }

    /// Removes the files.
    pub fn close(self) -> io::Result<()> {
        self.folder.close()
    }
}

/// The path of a file from the top of its repository.
fn inside(repository: &Repository, path: &Path) -> Result<PathBuf, AtRefError> {
    let there = path.strip_prefix(&repository.top).map(Path::to_owned);
    there.map_err(|_| AtRefError::Outside(path.to_owned()))
}

fn lay_out(
    repository: &Repository,
    commit: &str,
    name: &str,
    (root, config): (&Path, &Path),
    top: &Path,
) -> Result<(), AtRefError> {
    let snapshots = root.join("snapshots");
    let entries = repository.files(commit, name)?;
    for submodule in submodules(&entries) {
        if snapshots.starts_with(submodule) || submodule.starts_with(&snapshots) || config.starts_with(submodule) {
            let path = submodule.display().to_string();
            return Err(GitError::Submodule { name: name.to_owned(), path }.into());
        }
    }
    let is_link =
        |entry: &&Entry| entry.mode == "120000" && (entry.path == config || snapshots.starts_with(&entry.path));
    if let Some(link) = entries.iter().find(is_link) {
        return Err(AtRefError::Link { name: name.to_owned(), path: link.path.display().to_string() });
    }
    // Files of a policy lie beside the config or below the root.
    let beside = config.parent().unwrap_or(Path::new(""));
    let wanted: Vec<Entry> = entries.into_iter().filter(|entry| is_wanted(entry, [root, beside], config)).collect();
    if wanted.len() > MOST_FILES || wanted.iter().map(|entry| entry.size).sum::<u64>() > MOST_OF_ALL {
        return Err(GitError::TooLarge(name.to_owned()).into());
    }
    let objects: Vec<_> = wanted.iter().map(|entry| entry.object.clone()).collect();
    repository.contents(&objects, name, |at, bytes| {
        let path = top.join(&wanted[at].path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        // On a disk that tells no case apart two names may be one.
        let mut file = fs::File::create_new(path)?;
        io::Write::write_all(&mut file, &bytes)?;
        Ok(())
    })?;
    Ok(())
}

fn is_wanted(entry: &Entry, folders: [&Path; 2], config: &Path) -> bool {
    let plain = entry.path.components().all(|part| matches!(part, Component::Normal(_)))
        && entry.path.components().all(|part| !part.as_os_str().eq_ignore_ascii_case(".git"));
    let ending = entry.path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let named = folders.iter().any(|folder| entry.path.starts_with(folder)) && ENDINGS.contains(&ending);
    plain && entry.mode.starts_with("100") && entry.size <= MOST_BYTES && (named || entry.path == config)
}

/// The config of the ref; none where it has none.
fn read(
    project: &Project,
    top: &Path,
    (root, config): (&Path, &Path),
    ad_hoc: Option<&AdHoc>,
    name: &str,
) -> Result<Option<Config>, AtRefError> {
    let (root, config) = (top.join(root), top.join(config));
    fs::create_dir_all(&root)?;
    if !config.is_file() {
        return Ok(None);
    }
    let request = Request {
        cwd: &root,
        config: Some(&config),
        root: Some(&root),
        timeout: None,
        ad_hoc,
        // Who names the ref agrees to what it says.
        agreed: true,
        environment: &|_| None,
        reach: Reach::Project,
        answers: Answers::NONE,
        places: project.desk.store.places(),
    };
    let read = load(&request);
    Ok(Some(read.map_err(|problem| AtRefError::Config { name: name.to_owned(), problem: problem.into() })?))
}

/// The baselines that are others in the work tree.
fn baselines(here: &Store, there: &Store) -> Result<Vec<String>, StoreError> {
    let mut ids = here.servers()?;
    ids.extend(there.servers()?);
    ids.sort();
    ids.dedup();
    ids.retain(|id| here.text_of(id).ok().flatten() != there.text_of(id).ok().flatten());
    Ok(ids.into_iter().map(|id| format!("the baseline of {id}")).collect())
}
