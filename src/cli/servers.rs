//! `pinwatch servers`: what was found, where, and how each would be started. It starts none of them.

use super::open;
use super::{Global, out};
use crate::config::{Config, IgnoredKey, ServerConfig};
use crate::decisions::BaselineState;
use crate::error::Exit;
use crate::mcp::Target;
use crate::project::Project;
use crate::report::Again;
use crate::store::RunningGuards;

/// Lists the servers.
pub fn run(global: &Global, explain: bool) -> anyhow::Result<Exit> {
    let project = open::open(global, None)?;
    let config = &project.config;
    let again = global.again(None, &project.redactor);
    out::line(&format!("root {}", config.root.path().display()));
    if explain {
        explained(config);
    } else {
        for searched in config.searched.iter().filter(|searched| searched.client.is_none() || searched.is_there()) {
            out::line(&format!("searched {}: {}", searched.file.display(), searched.found()));
        }
        let missing =
            config.searched.iter().filter(|searched| searched.client.is_some() && !searched.is_there()).count();
        if missing > 0 {
            out::line(&format!(
                "searched {missing} other places where clients keep servers: nothing there (--explain lists them)"
            ));
        }
    }
    let guards = RunningGuards::new(project.desk.store.places()).list();
    let root = project.desk.store.root().name();
    for server in &config.servers {
        out::print("\n");
        out::line(&server.id);
        let launch = match &server.target {
            Target::Unusable(reason) | Target::Unwatched(reason) => format!("not usable: {}", reason.text),
            Target::Stdio { .. } | Target::Http { .. } => {
                format!("{} ({})", server.shared.line(), server.shared.transport_word())
            }
        };
        out::line(&format!("  launch    {launch}"));
        for (at, origin) in server.origins().enumerate() {
            let label = if at == 0 { "named in" } else { "and in  " };
            out::line(&format!("  {label}  {}", origin.sentence()));
        }
        for sentence in server.ignored.iter().map(IgnoredKey::sentence).chain(server.notes.iter().cloned()) {
            out::line(&format!("  note      {sentence}"));
        }
        for (at, sentence) in project.gate.resolved(server).sentences().iter().enumerate() {
            out::line(&format!("  {}  {sentence}", if at == 0 { "resolves" } else { "        " }));
        }
        let consent = match project.gate.ask(server) {
            Ok(None) => "given".to_owned(),
            Ok(Some(asked)) if asked.request.changed.is_empty() => "needed before its first start".to_owned(),
            Ok(Some(asked)) => format!("needed again: {}", asked.request.changed.join("; ")),
            Err(_) if matches!(server.target, Target::Unusable(_)) => {
                "not asked for: nothing can be started".to_owned()
            }
            Err(reason) => reason.text,
        };
        out::line(&format!("  consent   {consent}"));
        let baseline = match project.baseline(&server.id) {
            BaselineState::Verifying | BaselineState::Absent => "none yet".to_owned(),
            BaselineState::Present(baseline) => {
                format!("{} pins, {} rejections", baseline.pins.len(), baseline.rejections.len())
            }
            BaselineState::Refused(why) => format!("refused: {why}"),
        };
        out::line(&format!("  baseline  {baseline}"));
        for guard in guards.iter().filter(|guard| guard.root == root && *guard.server == *server.id) {
            out::line(&format!("  guard     {}", guard.sentence()));
        }
    }
    if !config.unwatched.is_empty() || !config.problems.is_empty() {
        out::print("\n");
    }
    for entry in &config.unwatched {
        let why = entry.unwatched_reason().map(|reason| reason.text.as_str()).unwrap_or_default();
        out::line(&format!("{} in {} is not watched: {why}", entry.id, entry.origin.place()));
        accepted(&project, &again, entry);
    }
    for problem in &config.problems {
        out::line(&format!("not usable: {problem}"));
    }
    for orphan in project.not_configured()? {
        out::line(&format!("{} has a baseline here but is not configured:", orphan.id));
        out::print(&format!(
            "  {} gives its pins to another id, {} drops them\n",
            again.rename(&orphan.id),
            again.forget(&orphan.id),
        ));
        accepted(&project, &again, &orphan);
    }
    Ok(if config.servers.is_empty() { Exit::Unknown } else { Exit::Fine })
}

/// Says who accepted that an entry is not watched, where it has a baseline.
fn accepted(project: &Project, again: &Again, entry: &ServerConfig) {
    let BaselineState::Present(baseline) = project.baseline(&entry.id) else { return };
    let reason = entry.unwatched_reason().map(|reason| reason.code).unwrap_or_default();
    match baseline.accepts_unwatched(reason) {
        Some(decision) => out::line(&format!("  accepted by {} {}", decision.by, decision.at)),
        None => out::print(&format!(
            "  its {} pins are compared with nothing: accept that with {}\n",
            baseline.pins.len(),
            again.unwatch(&entry.id)
        )),
    }
}

/// Every file that was tried, client by client, and what became of each entry.
fn explained(config: &Config) {
    let mut client = None;
    for searched in &config.searched {
        if client != Some(searched.client) {
            client = Some(searched.client);
            out::line(searched.client.unwrap_or("pinwatch"));
        }
        let level = searched.level.map(|level| format!(" ({})", level.word())).unwrap_or_default();
        out::line(&format!("  {}{level}: {}", searched.file.display(), searched.found()));
        for (name, line, fate) in &searched.entries {
            out::line(&format!("    line {line}, {name}: {fate}"));
        }
    }
}
