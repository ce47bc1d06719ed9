//! Asking git for what it holds: by object ids, never by what stands in the work tree. A name of a ref comes from outside, and
//! is only ever handed over behind `--end-of-options`.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What git sets for a hook: it would lead to another repository than that of the folder.
const OF_HOOKS: [&str; 8] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
];

/// Bytes of one answer.
const MOST: u64 = 256 << 20;

/// Why git could not say.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no git here.
    #[error("git cannot be run: {0}")]
    NotRun(#[from] io::Error),
    /// The folder is in none.
    #[error("{} is not in a git repository", .0.display())]
    NoRepository(PathBuf),
    /// No commit has that name.
    #[error("no commit is named `{name}` here{hint}")]
    NoRef {
        /// As it was typed.
        name: String,
        /// What may help.
        hint: &'static str,
    },
    /// A tag or a branch of a pull request may have the name of what is meant.
    #[error("`{name}` names several refs here: write one of {}", .found.join(", "))]
    Ambiguous {
        /// As it was typed.
        name: String,
        /// Their full names.
        found: Vec<String>,
    },
    /// An object is not there, as in a partial clone.
    #[error("an object of `{0}` is not here: this is a partial clone; fetch it whole")]
    Missing(String),
    /// The files stand in another repository.
    #[error("{path} is a submodule at `{name}`: what it holds is in another repository; run pinwatch there")]
    Submodule {
        /// The ref.
        name: String,
        /// Where.
        path: String,
    },
    /// More than is read.
    #[error("`{0}` holds more than is read: {MOST_FILES} files, and 256 MiB")]
    TooLarge(String),
    /// Anything else.
    #[error("git: {0}")]
    Other(String),
}

/// Files of one commit.
pub const MOST_FILES: usize = 20_000;

/// A repository, by a folder in it.
#[derive(Debug)]
pub struct Repository {
    folder: PathBuf,
    /// Its top folder, canonical.
    pub top: PathBuf,
}

/// A file of a commit.
#[derive(Clone, Debug)]
pub struct Entry {
    /// From the top.
    pub path: PathBuf,
    /// `100644`, `120000`, …
    pub mode: String,
    /// Its object.
    pub object: String,
    /// Bytes.
    pub size: u64,
}

impl Repository {
    /// The repository that a folder is in.
    pub fn of(folder: &Path) -> Result<Self, GitError> {
        let found = run(folder, &["rev-parse", "--show-toplevel"].map(OsStr::new))?;
        let mut top = found.ok_or_else(|| GitError::NoRepository(folder.to_owned()))?;
        while top.last() == Some(&b'\n') {
            top.pop();
        }
        let top = PathBuf::from(OsString::from_vec(top)).canonicalize()?;
        Ok(Self { folder: folder.to_owned(), top })
    }

    /// The commit that a ref names: one, or none.
    pub fn commit(&self, name: &str) -> Result<String, GitError> {
        let verify = |name: String| -> Result<Option<String>, GitError> {
            if name.contains('\0') {
                return Ok(None);
            }
            let words = ["rev-parse", "--verify", "--quiet", "--end-of-options", &name].map(OsStr::new);
            let id = run(&self.folder, &words)?.map(|id| String::from_utf8_lossy(&id).trim().to_owned());
            Ok(id.filter(|id| id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit())))
        };
        let mut found = Vec::new();
        for place in ["refs/tags/", "refs/heads/", "refs/remotes/"] {
            if verify(format!("{place}{name}"))?.is_some() {
                found.push(format!("{place}{name}"));
            }
        }
        if found.len() > 1 {
            return Err(GitError::Ambiguous { name: name.to_owned(), found });
        }
        if let Some(id) = verify(format!("{name}^{{commit}}"))? {
            return Ok(id);
        }
        let shallow = run(&self.folder, &["rev-parse", "--is-shallow-repository"].map(OsStr::new))?;
        let hint = if shallow.is_some_and(|said| said.starts_with(b"true")) {
            ": this is a shallow clone; fetch it first (git fetch --depth=1 origin BRANCH; fetch-depth: 0 in a workflow)"
        } else {
            "; fetch it first"
        };
        Err(GitError::NoRef { name: name.to_owned(), hint })
    }

    /// All files of a commit, submodules and links among them.
    pub fn files(&self, commit: &str, name: &str) -> Result<Vec<Entry>, GitError> {
        let words = ["ls-tree", "-r", "-l", "-z", "--full-tree", commit].map(OsStr::new);
        let listed = run(&self.folder, &words)?.ok_or_else(|| GitError::Missing(name.to_owned()))?;
        let mut entries = Vec::new();
        for line in listed.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
            let Some(tab) = line.iter().position(|byte| *byte == b'\t') else { continue };
            let said = String::from_utf8_lossy(&line[..tab]).into_owned();
            let mut words = said.split_ascii_whitespace();
            let (Some(mode), Some(_), Some(object), Some(size)) =
                (words.next(), words.next(), words.next(), words.next())
            else {
                continue;
            };
            entries.push(Entry {
                path: PathBuf::from(OsString::from_vec(line[tab + 1..].to_vec())),
                mode: mode.to_owned(),
                object: object.to_owned(),
                size: size.parse().unwrap_or(0),
            });
        }
        Ok(entries)
    }

    /// What objects hold, each handed to `take` in the order asked for.
    pub fn contents(
        &self,
        objects: &[String],
        name: &str,
        mut take: impl FnMut(usize, Vec<u8>) -> Result<(), GitError>,
    ) -> Result<(), GitError> {
        let mut child = command(&self.folder, &["cat-file", "--batch"].map(OsStr::new))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let asked = objects.join("\n") + "\n";
        // Written aside: git answers while it is asked, and neither may wait for the other.
        let input = child.stdin.take();
        let writing = std::thread::spawn(move || input.map(|mut input| input.write_all(asked.as_bytes())));
        let read = match child.stdout.take() {
            Some(output) => read_batch(&mut BufReader::new(output), objects.len(), name, &mut take),
            None => Err(GitError::Other("it has no output".to_owned())),
        };
        // Where reading ended early, what is left would keep it waiting.
        let _ = child.kill();
        let _ = child.wait();
        let _ = writing.join();
        read
    }

    /// The commits in which a file was another one, the newest first, each with its time in seconds.
    pub fn history(&self, path: &Path) -> Result<Vec<(String, i64)>, GitError> {
        let words =
            [OsStr::new("log"), OsStr::new("--format=%H %ct"), OsStr::new("HEAD"), OsStr::new("--"), path.as_os_str()];
        let Some(said) = run(&self.top, &words)? else { return Ok(Vec::new()) };
        let said = String::from_utf8_lossy(&said).into_owned();
        let line = |line: &str| line.split_once(' ').and_then(|(id, at)| Some((id.to_owned(), at.parse().ok()?)));
        Ok(said.lines().filter_map(line).collect())
    }

    /// A file of a commit; none where it has none.
    pub fn file(&self, commit: &str, path: &Path) -> Result<Option<Vec<u8>>, GitError> {
        let mut object = OsString::from(format!("{commit}:"));
        object.push(path);
        run(&self.folder, &[OsStr::new("cat-file"), OsStr::new("blob"), &object])
    }
}

fn read_batch(
    output: &mut impl io::BufRead,
    many: usize,
    name: &str,
    take: &mut impl FnMut(usize, Vec<u8>) -> Result<(), GitError>,
) -> Result<(), GitError> {
    for at in 0..many {
        let mut line = String::new();
        output.by_ref().take(1024).read_line(&mut line)?;
        let size = line.trim_end().rsplit(' ').next().and_then(|size| size.parse::<u64>().ok());
        let Some(size) = size.filter(|size| *size <= MOST) else { return Err(GitError::Missing(name.to_owned())) };
        let mut bytes = Vec::new();
        output.by_ref().take(size).read_to_end(&mut bytes)?;
        let mut end = [0];
        output.read_exact(&mut end)?;
        take(at, bytes)?;
    }
    Ok(())
}

fn command(folder: &Path, words: &[&OsStr]) -> Command {
    let mut command = Command::new("git");
    for name in OF_HOOKS {
        command.env_remove(name);
    }
    // No other object in the place of one, nothing fetched, no question asked.
    let settings = [("GIT_NO_REPLACE_OBJECTS", "1"), ("GIT_NO_LAZY_FETCH", "1"), ("GIT_OPTIONAL_LOCKS", "0")];
    command.envs(settings).env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
    command.arg("-C").arg(folder).args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]).args(words);
    command
}

/// What git prints; none where it says no.
fn run(folder: &Path, words: &[&OsStr]) -> Result<Option<Vec<u8>>, GitError> {
    let mut child = command(folder, words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut said = Vec::new();
    if let Some(output) = child.stdout.take() {
        output.take(MOST + 1).read_to_end(&mut said)?;
    }
    if said.len() as u64 > MOST {
        let _ = child.kill();
        let _ = child.wait();
        return Err(GitError::Other("its answer is longer than 256 MiB".to_owned()));
    }
    Ok(child.wait()?.success().then_some(said))
}

/// The submodules among the files of a commit.
pub fn submodules(entries: &[Entry]) -> BTreeSet<&Path> {
    entries.iter().filter(|entry| entry.mode == "160000").map(|entry| entry.path.as_path()).collect()
}
