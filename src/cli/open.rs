//! Opens the project that a command works on, by the options of the command line and the environment of this process.

use super::Global;
use crate::config::consent::Consents;
use crate::config::{AdHoc, Answers, Reach, Request, load};
use crate::decisions::Environment;
use crate::project::Project;
use crate::store::Places;
use crate::store::redact::Redactor;
use anyhow::Context as _;
use std::path::Path;
use std::sync::Arc;

/// Reads the config and finds the root. Nothing is started and nothing written.
pub fn open(global: &Global, ad_hoc: Option<&AdHoc>) -> anyhow::Result<Project> {
    read(global, ad_hoc, Reach::Everything, (Answers::NONE, &Redactor::default()))
}

/// The same for what CI runs: where no server is named, this user's own servers are not the project's business.
pub fn open_of_project(global: &Global, ad_hoc: Option<&AdHoc>, names: &[String]) -> anyhow::Result<Project> {
    let reach = if names.is_empty() { Reach::Project } else { Reach::Everything };
    read(global, ad_hoc, reach, (Answers::NONE, &Redactor::default()))
}

/// The same, with what this run knows already: what a person answered, and the secrets that were passed.
pub fn read(
    global: &Global,
    ad_hoc: Option<&AdHoc>,
    reach: Reach,
    (answers, passed): (&Answers, &Redactor),
) -> anyhow::Result<Project> {
    let cwd = std::env::current_dir().context("the current folder cannot be found")?;
    read_from(&cwd, global, ad_hoc, reach, (answers, passed))
}

/// The same as if it were started in the folder that `--root` names: a client starts a guard wherever it happens to be.
pub fn open_at_root(global: &Global, ad_hoc: Option<&AdHoc>) -> anyhow::Result<Project> {
    let cwd = match &global.root {
        Some(root) => root.clone(),
        None => std::env::current_dir().context("the current folder cannot be found")?,
    };
    read_from(&cwd, global, ad_hoc, Reach::Everything, (Answers::NONE, &Redactor::default()))
}

fn read_from(
    cwd: &Path,
    global: &Global,
    ad_hoc: Option<&AdHoc>,
    reach: Reach,
    (answers, passed): (&Answers, &Redactor),
) -> anyhow::Result<Project> {
    let environment: Environment = Arc::new(|name: &str| std::env::var(name).ok());
    let places = Places::from_env(|name| std::env::var_os(name))?;
    let request = Request {
        cwd,
        config: global.config.as_deref(),
        root: global.root.as_deref(),
        timeout: global.timeout,
        ad_hoc,
        agreed: global.yes,
        environment: &*environment,
        reach,
        answers,
        places: &places,
    };
    let config = load(&request)?;
    let mut consents = Consents::new(places.clone());
    if global.yes {
        consents = consents.with_everything();
    }
    if global.yes_disabled {
        consents = consents.with_what_is_off();
    }
    let project = Project::of(config, places, consents, environment, passed);
    super::out::mask_panics(&project.redactor);
    Ok(project)
}
