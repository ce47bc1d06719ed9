//! The config that is in force, the root, and this user's own folder.

use super::Line;
use crate::project::Project;
use crate::store::disk::Disk;
use crate::store::{FoundBy, Places, known_key};
use crate::text::shell_word;
use rustix::fs::{Access, access};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

pub(super) fn config(project: &Project, lines: &mut Vec<Line>) {
    let config = &project.config;
    for searched in config.searched.iter().filter(|searched| searched.client.is_none() || searched.is_there()) {
        lines.push(Line::ok("config", format!("{}: {}", searched.file.display(), searched.found())));
    }
    for problem in &config.problems {
        lines.push(Line::problem("config", format!("not usable: {problem}"), "fix it: it may hide servers"));
    }
    if config.servers.is_empty() {
        let way_out =
            "name one in pinwatch.toml, or try: pinwatch watch --name files -- COMMAND; pinwatch demo needs nothing";
        lines.push(Line::warn("config", "no server is configured here", way_out));
    }
    if let Some(collector) = &config.collector {
        let (shown, file) = (&collector.shown, collector.file.display());
        lines.push(match &collector.target {
            Ok(_) => Line::ok("collector", format!("{file} names {shown}; it was not asked")),
            Err(reason) => Line::warn("collector", reason.text.clone(), "set the variable: nothing is told until then"),
        });
    }
    let profile = config.policy.rules.profile.word();
    lines.push(Line::ok("policy", format!("{profile}, {}", project.desk.policy_digest)));
    lines.push(Line::ok("decides", format!("decisions are recorded as {}", config.decided_by)));
}

pub(super) fn root(project: &Project, lines: &mut Vec<Line>) {
    let root = project.desk.store.root();
    let path = root.path().display();
    let why = match root.found_by() {
        FoundBy::Given => "named with --root",
        FoundBy::Config => "its pinwatch.toml",
        FoundBy::Baseline => "its baselines",
        FoundBy::Nothing => "no project found: your own data folder",
    };
    lines.push(if is_writable(root.path()) {
        Line::ok("root", format!("{path} ({why})"))
    } else {
        let way_out = "decisions cannot be saved there; change its permissions, or use --root";
        Line::problem("root", format!("{path} ({why}) is not writable"), way_out)
    });
    if root.repository().is_none() && root.found_by() != FoundBy::Nothing {
        let way_out = "baselines are meant to be committed and reviewed: git init";
        lines.push(Line::warn("root", "it is not in a repository", way_out));
    }
}

pub(super) fn state(places: &Places, lines: &mut Vec<Line>) {
    let path = places.state.display();
    match places.state.metadata() {
        Err(_) if is_writable(&places.state) => {
            lines.push(Line::ok("state", format!("{path} is created when needed")));
        }
        Err(error) => {
            let way_out = "decisions and consents are stored there; create it, or set XDG_STATE_HOME";
            lines.push(Line::problem("state", format!("{path}: {error}"), way_out));
        }
        Ok(data) => {
            let mode = data.permissions().mode() & 0o777;
            lines.push(if !is_writable(&places.state) {
                let way_out = "decisions and consents are stored there; change its permissions";
                Line::problem("state", format!("{path} is not writable"), way_out)
            } else if mode & 0o022 != 0 {
                let way_out = format!("others can change your decisions: chmod go-w {}", shell_word(&path.to_string()));
                Line::problem("state", format!("{path} has mode {mode:o}"), way_out)
            } else {
                Line::ok("state", format!("{path}, mode {mode:o}"))
            });
        }
    }
    lines.push(match known_key(&Disk::default(), places) {
        Ok(Some(_)) => Line::ok("machine key", "only you can read it"),
        Ok(None) => Line::ok("machine key", "is created with the first consent"),
        Err(error) => {
            let way_out = format!(
                "chmod 600 {}, or delete it; every launch then needs consent again",
                shell_word(&format!("{path}/machine.key"))
            );
            Line::problem("machine key", error.to_string(), way_out)
        }
    });
}

/// Whether a file or folder could be written to; of one that is not there, the nearest folder above that is.
fn is_writable(path: &Path) -> bool {
    let there = path.ancestors().find(|folder| folder.symlink_metadata().is_ok());
    there.is_some_and(|there| access(there, Access::WRITE_OK).is_ok())
}
