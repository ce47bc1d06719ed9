//! `pinwatch servers`: what was found, where, and how each would be started. It starts none of them.

use super::context::Context;
use super::{Global, out};
use crate::config::{FoundBy, Why};
use crate::error::Exit;
use crate::mcp::Target;
use crate::monitor::BaselineState;

/// Lists the servers.
pub fn run(global: &Global) -> anyhow::Result<Exit> {
    let context = Context::open(global, None)?;
    let config = &context.config;
    out::line(&format!("root {}", config.root.path().display()));
    for searched in &config.searched {
        out::line(&format!("searched {}: {}", searched.file.display(), searched.found()));
    }
    for server in &config.servers {
        out::print("\n");
        out::line(&server.id);
        let launch = match &server.target {
            Target::Unusable(reason) => format!("not usable: {}", reason.text),
            Target::Stdio { .. } | Target::Http { .. } => {
                format!("{} ({})", server.shared.line(), server.shared.transport_word())
            }
        };
        out::line(&format!("  launch    {launch}"));
        let origin = match &server.origin.file {
            Some(file) => format!("{}:{}", file.display(), server.origin.line),
            None => "the command line".to_owned(),
        };
        let found_by = match server.origin.found_by {
            FoundBy::Found => "found by itself",
            FoundBy::Named => "named with --config",
            FoundBy::AdHoc => "typed",
        };
        out::line(&format!("  named in  {origin} ({found_by})"));
        let consent = match context.gate.ask(server) {
            Ok(None) => "given".to_owned(),
            Ok(Some(asked)) if asked.request.changed.is_empty() => "needed before its first start".to_owned(),
            Ok(Some(asked)) => format!("needed again: {}", asked.request.changed.join("; ")),
            Err(_) if matches!(server.target, Target::Unusable(_)) => {
                "not asked for: nothing can be started".to_owned()
            }
            Err(reason) => reason.text,
        };
        out::line(&format!("  consent   {consent}"));
        let baseline = match context.baseline(&server.id) {
            BaselineState::Verifying | BaselineState::Absent => "none yet".to_owned(),
            BaselineState::Present(baseline) => {
                format!("{} pins, {} rejections", baseline.pins.len(), baseline.rejections.len())
            }
            BaselineState::Refused(why) => format!("refused: {why}"),
        };
        out::line(&format!("  baseline  {baseline}"));
    }
    for aside in &config.set_aside {
        let why = match &aside.why {
            Why::Disabled => "its entry says `disabled`".to_owned(),
            Why::Shadowed(place) => format!("{place} has a server of this id"),
        };
        out::line(&format!("\n{} in {} is not watched: {why}", aside.id, aside.place));
    }
    for problem in &config.problems {
        out::line(&format!("not usable: {problem}"));
    }
    let configured = |id: &String| config.servers.iter().any(|server| *server.id == **id);
    for orphan in context.desk.store.servers()?.into_iter().filter(|id| !configured(id)) {
        out::line(&format!(
            "{orphan} has a baseline here and is not configured: `pinwatch rename {orphan} ID` gives its pins to another id, \
             `pinwatch forget {orphan}` drops them"
        ));
    }
    Ok(if config.servers.is_empty() { Exit::Unknown } else { Exit::Fine })
}
