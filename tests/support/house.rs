//! A home with a repository `home/project`, and an environment that knows no other folder.

use pinwatch::config::{self, AdHoc, Answers, Config, ConfigError, Reach, Request};
use pinwatch::store::Places;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Everything is below one folder.
pub struct House {
    folder: PathBuf,
    _kept: Option<tempfile::TempDir>,
    pub environment: BTreeMap<String, String>,
    pub answers: Answers,
}

impl House {
    pub fn new() -> Self {
        // In memory where that is at hand: a thousand flushes say nothing more on a disk.
        let kept = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let house = Self::at(kept.path());
        Self { _kept: Some(kept), ..house }
    }

    /// A house in a folder that another process keeps.
    pub fn at(folder: &Path) -> Self {
        let home = folder.join("home").to_str().unwrap().to_owned();
        fs::create_dir_all(folder.join("home/project/.git")).unwrap();
        let environment = [("HOME", home.as_str()), ("USER", "ana"), ("TOKEN", "t0ken-value-1"), ("SET", "set")];
        let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        Self { folder: folder.to_owned(), _kept: None, environment, answers: Answers::default() }
    }

    /// A house whose project has this `pinwatch.toml`.
    pub fn with(toml: &str) -> Self {
        let house = Self::new();
        house.write("pinwatch.toml", toml);
        house
    }

    /// The folder that everything is below.
    pub fn folder(&self) -> PathBuf {
        self.folder.canonicalize().unwrap()
    }

    pub fn project(&self) -> PathBuf {
        self.folder().join("home/project")
    }

    /// The person's own folders, beside the home.
    pub fn places(&self) -> Places {
        Places::below(&self.folder.canonicalize().unwrap().join("own"))
    }

    /// Writes a file, named from the project's folder.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let file = self.project().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        file
    }

    pub fn load(&self) -> Result<Config, ConfigError> {
        self.load_as("", |_| {})
    }

    /// From a folder of the project, with a changed request.
    pub fn load_as(&self, folder: &str, change: impl FnOnce(&mut Request<'_>)) -> Result<Config, ConfigError> {
        self.request(folder, None, change)
    }

    /// From a folder of the project, a server that is typed.
    pub fn load_typed(&self, folder: &str, ad_hoc: &AdHoc) -> Result<Config, ConfigError> {
        self.request(folder, Some(ad_hoc), |_| {})
    }

    fn request(
        &self,
        folder: &str,
        ad_hoc: Option<&AdHoc>,
        change: impl FnOnce(&mut Request<'_>),
    ) -> Result<Config, ConfigError> {
        let cwd = if folder.is_empty() { self.project() } else { self.project().join(folder) };
        fs::create_dir_all(&cwd).unwrap();
        let environment = |name: &str| self.environment.get(name).cloned();
        let places = self.places();
        let mut request = Request {
            cwd: &cwd,
            places: &places,
            config: None,
            root: None,
            timeout: None,
            ad_hoc,
            agreed: false,
            environment: &environment,
            reach: Reach::Everything,
            answers: &self.answers,
        };
        change(&mut request);
        config::load(&request)
    }
}

/// The entries that are not watched: id, code and text of the reason.
pub fn aside(config: &Config) -> Vec<(&str, &str, &str)> {
    let reasons = config.unwatched.iter().filter_map(|entry| Some((entry, entry.unwatched_reason()?)));
    reasons.map(|(entry, reason)| (&*entry.id, reason.code, reason.text.as_str())).collect()
}
