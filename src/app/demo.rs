//! `pinwatch demo`: the live UI over the scripted servers, in a scratch root that is gone afterwards.

use super::watch;
use crate::cli::{Global, out};
use crate::config::consent::Consents;
use crate::config::{Answers, Reach, Request, load};
use crate::decisions::Environment;
use crate::demo;
use crate::error::Exit;
use crate::mcp::Target;
use crate::project::Project;
use crate::store::Places;
use crate::store::redact::Redactor;
use anyhow::Context as _;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The demo polls more often than a person's servers are polled, so that it is worth watching.
const POLL: Duration = Duration::from_secs(2);

/// Lays the scratch root, watches, and takes it away.
pub(super) async fn run(global: &Global) -> anyhow::Result<Exit> {
    let scratch = tempfile::Builder::new().prefix("pinwatch-demo-").tempdir().context("no scratch folder")?;
    let root = scratch.path().join("demo");
    std::fs::create_dir(&root).and_then(|()| demo::lay(&root)).context("the scratch folder cannot be written")?;
    let own = Places::from_env(|name| std::env::var_os(name));
    let below = Places::below(scratch.path());
    // The person's theme and keys hold here, too; nothing else of theirs is read or written.
    let places = Places { config: own.map_or_else(|_| below.config.clone(), |own| own.config), ..below };
    let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis().to_string();
    let start = began.clone();
    let environment: Environment = Arc::new(move |name: &str| match name {
        demo::START_VARIABLE => Some(start.clone()),
        other => std::env::var(other).ok(),
    });
    let file = root.join("pinwatch.toml");
    let request = Request {
        cwd: &root,
        config: Some(&file),
        root: Some(&root),
        timeout: None,
        ad_hoc: None,
        agreed: false,
        environment: &*environment,
        reach: Reach::Project,
        answers: Answers::NONE,
        places: &places,
    };
    let mut config = load(&request)?;
    let itself = std::env::current_exe().context("this program's own file cannot be found")?;
    for server in &mut config.servers {
        server.poll_interval = POLL;
        if let Target::Stdio { command, .. } = &mut server.target {
            // The baselines name the program by its plain name; here it is this very file that serves.
            *command = itself.to_string_lossy().into_owned();
        }
    }
    let servers = config.servers.clone();
    let project = Project::of(config, places.clone(), Consents::new(places), environment, &Redactor::default());
    for server in &servers {
        // The demo begins on a machine that has seen these baselines before.
        project.desk.store.remember(&server.id, project.desk.store.load(&server.id)?.as_ref())?;
    }
    out::mask_panics(&project.redactor);
    watch::run(Arc::new(project), global, servers, None).await
}
