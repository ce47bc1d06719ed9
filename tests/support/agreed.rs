//! An agreement to a launch, as a person gives it on the screen.

use crate::project::Project;
use pinwatch::config::consent::{Consent, Consents};
use pinwatch::config::{Answers, Reach, Request, load};
use pinwatch::store::Places;
use std::collections::BTreeMap;
use std::path::Path;

/// A search path on which the binary is.
pub fn path() -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_pinwatch")).parent().expect("a folder");
    format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default())
}

/// Agrees to the only server of a project, as a person does on the screen.
pub fn agree(project: &Project) {
    let home = |name: &str| project.home().join(name).join("pinwatch");
    let places = Places { state: home("state"), config: home("config"), data: home("data") };
    let mut values: BTreeMap<_, _> = project.environment().into_iter().collect();
    values.insert("PATH", path());
    let environment = |name: &str| values.get(name).cloned();
    let cwd = project.path("");
    let request = Request {
        agreed: false,
        cwd: &cwd,
        config: None,
        root: None,
        timeout: None,
        ad_hoc: None,
        environment: &environment,
        places: &places,
        reach: Reach::default(),
        answers: &Answers::default(),
    };
    let config = load(&request).expect("the config");
    let consents = Consents::new(places.clone());
    let Ok(Consent::Needed(asked)) = consents.check(&config.servers[0], &environment) else { panic!("it is asked") };
    consents.grant(&asked, "ana", "2026-11-27T20:31:00Z".parse().expect("a time")).expect("it is kept");
}
