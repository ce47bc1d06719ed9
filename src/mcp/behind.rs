//! A server that stands behind something that carries its bytes: started with the environment, the folder and the standard
//! error of this process, as its client would have started it, and ended with everything that it started.

use super::limits::Limits;
use super::stdio::{Group, not_started};
use crate::surface::Reason;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

/// A running server. Dropped, it is killed with everything that it started.
#[derive(Debug)]
pub struct Behind {
    // Dropped first: the group is killed while its leader is not yet reaped.
    group: Group,
    child: Child,
    limits: Limits,
}

impl Behind {
    /// Starts a command line in place.
    pub fn start(argv: &[String], limits: &Limits) -> Result<(Self, ChildStdin, ChildStdout), Reason> {
        let [command, words @ ..] = argv else { return Err(Reason::new("start-failed", "there is no command")) };
        let mut process = Command::new(command);
        process.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true);
        #[cfg(unix)]
        process.process_group(0);
        let path = std::env::var("PATH").unwrap_or_default();
        let mut child = process.spawn().map_err(|error| not_started(command, Path::new("."), &path, &error))?;
        let group = Group::of(&child);
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Reason::new("start-failed", "the process has no pipes"));
        };
        Ok((Self { group, child, limits: limits.clone() }, stdin, stdout))
    }

    /// Waits for its end. What it left behind is ended, too. Cancel-safe.
    pub async fn ended(&mut self) -> Option<ExitStatus> {
        let status = self.child.wait().await.ok();
        self.group.kill();
        status
    }

    /// Asks it to end, then ends it; its standard input is closed by then.
    pub async fn end(mut self) -> Option<ExitStatus> {
        let Limits { close_stdin, close_term, close_last, .. } = self.limits;
        let mut status = self.ends_within(close_stdin).await;
        if status.is_none() {
            self.group.terminate();
            status = self.ends_within(close_term).await;
        }
        self.group.kill();
        if status.is_none() {
            // Without a group it is the process alone.
            let _ = self.child.start_kill();
            status = self.ends_within(close_last).await;
        }
        status
    }

    async fn ends_within(&mut self, time: Duration) -> Option<ExitStatus> {
        timeout(time, self.child.wait()).await.ok()?.ok()
    }
}
