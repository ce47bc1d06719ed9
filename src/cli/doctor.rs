//! `pinwatch doctor`: what would keep pinwatch from working here, and the way out of each. It starts no server and writes
//! nothing.

mod files;
mod machine;
mod servers;

use super::open;
use super::{Global, out};
use crate::error::{Exit, describe};
use crate::store::Places;
use crate::text::read_back;
use std::fmt;

/// How one thing stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Ok,
    /// It works, and something is worth knowing.
    Warn,
    /// Something does not work.
    Problem,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Problem => "problem",
        })
    }
}

/// One thing that was looked at.
#[derive(Debug)]
struct Line {
    mark: Mark,
    what: &'static str,
    said: String,
    /// Printable: it may hold a command.
    way_out: Option<String>,
}

impl Line {
    fn ok(what: &'static str, said: impl Into<String>) -> Self {
        Self { mark: Mark::Ok, what, said: said.into(), way_out: None }
    }

    fn warn(what: &'static str, said: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self { mark: Mark::Warn, what, said: said.into(), way_out: Some(way_out.into()) }
    }

    fn problem(what: &'static str, said: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self { mark: Mark::Problem, what, said: said.into(), way_out: Some(way_out.into()) }
    }
}

/// Looks at everything. Exit 2 where something does not work.
pub fn run(global: &Global) -> anyhow::Result<Exit> {
    let places = Places::from_env(|name| std::env::var_os(name))?;
    let mut lines = Vec::new();
    let servers = match open::open(global, None) {
        Ok(project) => {
            files::config(&project, &mut lines);
            files::root(&project, &mut lines);
            servers::all(&project, &global.again(None, &project.redactor), &mut lines);
            project.config.servers.len()
        }
        Err(error) => {
            // Printable already, with its own hint; it is escaped once more below.
            let said = describe(&error);
            let said = said.strip_prefix("error: ").unwrap_or(&said).replace('\n', " ");
            lines.push(Line::problem(
                "config",
                read_back(&said),
                "put that right; what follows could be looked at without it",
            ));
            0
        }
    };
    files::state(&places, &mut lines);
    machine::all(global, servers, &mut lines);
    for line in &lines {
        out::line(&format!("{:8} {:12} {}", line.mark, line.what, line.said));
        if let Some(way_out) = &line.way_out {
            out::print(&format!("{:21} -> {way_out}\n", ""));
        }
    }
    let count = |mark: Mark| lines.iter().filter(|line| line.mark == mark).count();
    let (problems, warnings) = (count(Mark::Problem), count(Mark::Warn));
    out::line(&match (problems, warnings) {
        (0, 0) => "all is well".to_owned(),
        (0, warnings) => format!("nothing is broken; {warnings} to know of"),
        (problems, _) => format!("broken: {problems}"),
    });
    Ok(if problems == 0 { Exit::Fine } else { Exit::Unknown })
}
