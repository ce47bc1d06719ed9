//! Each configured server: whether it could be started, whether that was agreed to, and its baseline.

use super::super::audit;
use super::Line;
use crate::config::ServerConfig;
use crate::decisions::BaselineState;
use crate::desktop;
use crate::mcp::Target;
use crate::project::Project;
use crate::report::Again;
use crate::store::RunningGuards;
use jiff::Timestamp;

pub(super) fn all(project: &Project, again: &Again, lines: &mut Vec<Line>) {
    for server in &project.config.servers {
        lines.push(launch(server));
        lines.extend(consent(project, server));
        lines.push(baseline(project, again, &server.id));
        if let BaselineState::Present(known) = project.baseline(&server.id)
            && let Some(said) = known.digest_scope.differs_from(&server.digest_scope)
        {
            let way_out = "change `digest-scope`, or forget the baseline and record it anew";
            lines.push(Line::warn("baseline", format!("{}: {said}", server.id), way_out));
        }
    }
    let root = project.desk.store.root().name();
    for guard in RunningGuards::new(project.desk.store.places()).list().iter().filter(|guard| guard.root == root) {
        let said = format!("{}: {}", guard.server, guard.sentence());
        lines.push(match &guard.closed {
            None => Line::ok("guard", said),
            Some(_) => Line::warn("guard", said, "what it says; its client gets this for every request"),
        });
    }
    match project.not_configured() {
        Ok(known) => {
            for entry in project.config.unwatched.iter().chain(&known) {
                unwatched(project, again, entry, lines);
            }
        }
        Err(error) => lines.push(Line::problem("baseline", error.to_string(), "see that snapshots/ can be read")),
    }
    lines.push(match audit::standing(project) {
        Ok(said) => Line::ok("audit", said),
        Err(said) => Line::problem("audit", said, "somebody changed the log: pinwatch audit verify"),
    });
    match project.desk.store.log().history() {
        Ok(history) => {
            let open = history.unsettled(&project.desk.store.root().name()).len();
            if open > 0 {
                let way_out = "the next decision or pinwatch watch settles them from the baselines";
                lines.push(Line::warn("log", format!("{open} decisions were interrupted"), way_out));
            }
        }
        Err(error) => {
            lines.push(Line::problem(
                "log",
                error.to_string(),
                "move the file aside; approvals then read `(in the file)`",
            ));
        }
    }
}

/// A baseline that nothing is compared with.
fn unwatched(project: &Project, again: &Again, entry: &ServerConfig, lines: &mut Vec<Line>) {
    let BaselineState::Present(baseline) = project.baseline(&entry.id) else { return };
    let Some(reason) = entry.unwatched_reason() else { return };
    if baseline.accepts_unwatched(reason.code).is_some() {
        return;
    }
    let said = format!("{} has one and is not watched: {}", entry.id, reason.text);
    let way_out = format!(
        "watch it again, or: {} gives its pins to another id, {} drops them, {} accepts it",
        again.rename(&entry.id),
        again.forget(&entry.id),
        again.unwatch(&entry.id),
    );
    lines.push(Line::warn("baseline", said, way_out));
}

fn launch(server: &ServerConfig) -> Line {
    let id = &server.id;
    match &server.target {
        Target::Unusable(reason) | Target::Unwatched(reason) => {
            Line::problem("server", format!("{id}: {}", reason.text), "fix its entry")
        }
        Target::Http { .. } => Line::ok("server", format!("{id}: {} (not called)", server.shared.line())),
        Target::Stdio { command, cwd, env, .. } => {
            let path = env.get("PATH").map(Into::into).or_else(|| std::env::var_os("PATH")).unwrap_or_default();
            match desktop::find(command, &path, cwd) {
                _ if !cwd.is_dir() => Line::problem(
                    "server",
                    format!("{id}: its folder {} does not exist", cwd.display()),
                    "create it, or change `cwd`",
                ),
                Some(found) => Line::ok("server", format!("{id}: {command} is {}", found.display())),
                None => {
                    let way_out = match command.as_str() {
                        "npx" | "node" | "npm" => "install Node.js, or give the path in `command`",
                        "uvx" | "uv" => "install uv, or give the path in `command`",
                        "docker" | "podman" => "install it, or give the path in `command`",
                        _ => "install it, or give its path in `command`",
                    };
                    // A PATH that the entry sets is a value of its environment, which is not shown.
                    let place = if env.contains_key("PATH") { "the PATH that its entry sets" } else { "PATH" };
                    let folders = if env.contains_key("PATH") { String::new() } else { format!(" {}", path.display()) };
                    let said = format!("{id}: command not found: {command}, in {place}{folders}");
                    Line::problem("server", said, way_out)
                }
            }
        }
    }
}

fn consent(project: &Project, server: &ServerConfig) -> Option<Line> {
    let id = &server.id;
    match project.gate.ask(server) {
        Ok(None) => None,
        Ok(Some(asked)) => {
            let why = asked.request.changed.join("; ");
            let why = if why.is_empty() { String::new() } else { format!(" again: {why}") };
            let way_out = "review it with pinwatch servers, then agree in pinwatch watch or with --yes";
            Some(Line::warn("consent", format!("{id}: needed before its first start{why}"), way_out))
        }
        Err(_) if matches!(server.target, Target::Unusable(_)) => None,
        Err(reason) => Some(Line::problem("consent", format!("{id}: {}", reason.text), "see the state folder below")),
    }
}

fn baseline(project: &Project, again: &Again, id: &str) -> Line {
    match project.baseline(id) {
        BaselineState::Present(baseline) => {
            let (pins, rejections) = (baseline.pins.len(), baseline.rejections.len());
            let now = Timestamp::now();
            let is_ahead = |at: &str| at.parse::<Timestamp>().is_ok_and(|at| at.duration_since(now).as_hours() >= 24);
            if let Some(pin) = baseline.pins.iter().find(|pin| is_ahead(&pin.decision.at)) {
                let said = format!("{id}: a decision is dated {}, in the future", pin.decision.at);
                return Line::warn("baseline", said, "check the clocks");
            }
            Line::ok("baseline", format!("{id}: {pins} pins, {rejections} rejections, all digests correct"))
        }
        BaselineState::Verifying | BaselineState::Absent => {
            Line::warn("baseline", format!("{id}: none yet"), again.record(id, ""))
        }
        BaselineState::Refused(why) => {
            let way_out = format!("restore it from version control, or {}", again.forget(id));
            Line::problem("baseline", format!("{id}: refused: {why}"), way_out)
        }
    }
}
