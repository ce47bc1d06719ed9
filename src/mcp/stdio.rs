//! A server that is a process of ours: started in a group of its own with a minimal environment, spoken to in lines, and
//! ended with everything it started. Nothing here outlives a dropped session.

use super::limits::Limits;
use super::lines::{Lines, TooLong};
use super::reason::too_large;
use super::stderr::Stderr;
#[cfg(unix)]
use super::watchdog;
use crate::surface::Reason;
use bytes::{Buf as _, Bytes, BytesMut};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio as Pipe};
use std::sync::Arc;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, sleep_until, timeout};

/// Variables of ours that a server gets; besides `LC_*` and `XDG_*`. Neither secrets nor settings of tools are among them.
const BASE: &[&str] = if cfg!(windows) {
    &[
        "PATH",
        "PATHEXT",
        "SYSTEMROOT",
        "SYSTEMDRIVE",
        "WINDIR",
        "COMSPEC",
        "USERNAME",
        "USERPROFILE",
        "HOMEDRIVE",
        "HOMEPATH",
        "APPDATA",
        "LOCALAPPDATA",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "PROCESSOR_ARCHITECTURE",
        "TEMP",
        "TMP",
    ]
} else {
    &["PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TERM", "TMPDIR", "SHELL", "TZ"]
};

/// Bytes that may wait to be written before answers to the server's own requests wait, too.
const MUCH: usize = 64 << 10;

/// A running server process.
#[derive(Debug)]
pub(super) struct Stdio {
    // Dropped first: the group is killed while its leader is not yet reaped and its id cannot mean another.
    group: Group,
    child: Child,
    stdin: Option<ChildStdin>,
    /// Bytes that wait to be written.
    out: BytesMut,
    stdout: ChildStdout,
    lines: Lines,
    stderr: Stderr,
    /// How the process ended.
    status: Option<ExitStatus>,
    /// Until when what it left in its pipes is read.
    leaving: Option<Instant>,
    /// Standard output is over.
    over: bool,
    limits: Arc<Limits>,
}

impl Stdio {
    pub fn start(
        command: &str,
        args: &[String],
        cwd: &Path,
        env: &BTreeMap<String, String>,
        limits: Arc<Limits>,
    ) -> Result<Self, Reason> {
        let (mut child, group) = spawn(command, args, cwd, env)?;
        let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(Reason::new("start-failed", "the process has no pipes"));
        };
        Ok(Self {
            group,
            stdin: child.stdin.take(),
            child,
            out: BytesMut::new(),
            stdout,
            lines: Lines::new(limits.message_bytes),
            stderr: Stderr::drain(stderr, &limits),
            status: None,
            leaving: None,
            over: false,
            limits,
        })
    }

    /// Its process id, until its end was seen.
    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// What it wrote to standard error.
    pub fn stderr(&self) -> &Stderr {
        &self.stderr
    }

    /// Puts a message into the queue; it is written while [`Self::next`] waits.
    pub fn send(&mut self, message: &[u8]) {
        self.out.extend_from_slice(message);
        self.out.extend_from_slice(b"\n");
    }

    /// Whether much waits for the server to read it.
    pub fn is_behind(&self) -> bool {
        self.out.len() > MUCH
    }

    /// Whether so much waits that the server cannot be reading.
    pub fn is_unread(&self) -> bool {
        self.out.len() > self.limits.unread_bytes
    }

    /// Makes room for an answer of about `length` bytes.
    pub fn expect(&mut self, length: usize) {
        self.lines.expect(length);
    }

    /// Gives back what a long line needed.
    pub fn shrink(&mut self) {
        self.lines.shrink();
    }

    /// The next line; an error when there will be none. Writes what is queued meanwhile. Cancel-safe.
    pub async fn next(&mut self) -> Result<Bytes, Reason> {
        loop {
            match self.lines.take() {
                Ok(Some(line)) => return Ok(line),
                Ok(None) => {}
                Err(TooLong) => return Err(too_large(self.limits.message_bytes)),
            }
            if self.over {
                let rest = self.lines.rest();
                if !rest.is_empty() {
                    return Ok(rest);
                }
                return Err(self.end().await);
            }
            self.step().await;
        }
    }

    /// One read, one write, or the end of the process, whichever is first.
    async fn step(&mut self) {
        let Self { child, stdin, out, stdout, lines, leaving, .. } = self;
        let (running, sending) = (leaving.is_none(), !out.is_empty() && stdin.is_some());
        tokio::select! {
            biased;
            // What was said before the end is read before the end is seen.
            read = stdout.read_buf(lines.room()) => self.over = !matches!(read, Ok(1..)),
            wrote = write_some(stdin, out), if sending => {
                if wrote.is_err() {
                    // It reads no more; what it still says, or how it ends, tells more than this error.
                    self.stdin = None;
                    self.out.clear();
                }
            }
            status = child.wait(), if running => {
                self.status = status.ok();
                self.leaving = Some(Instant::now() + self.limits.leftovers);
                // What it started and left behind holds its pipes open.
                self.group.kill();
            }
            () = sleep_until(leaving.unwrap_or_else(Instant::now)), if !running => self.over = true,
        }
    }

    /// Why no line will come any more.
    async fn end(&mut self) -> Reason {
        if self.status.is_none() {
            // Standard output ends a moment before the process does.
            if let Ok(status) = timeout(self.limits.leftovers, self.child.wait()).await {
                self.status = status.ok();
            }
        }
        // Its last words say why.
        let _ = timeout(self.limits.leftovers, self.stderr.ended()).await;
        self.group.kill();
        match self.status {
            Some(status) => Reason::new("exited", status_text(status)),
            None => Reason::new("closed-stdout", "closed its standard output, but still runs"),
        }
    }

    /// Ends the process: standard input closed, then SIGTERM, then SIGKILL, each with its time; what it started goes with
    /// it.
    pub async fn close(mut self) {
        // What is queued goes out before the end, if it is read.
        if let Some(mut stdin) = self.stdin.take() {
            let _ = timeout(self.limits.leftovers, stdin.write_all(&self.out)).await;
        }
        if self.status.is_none() && !self.ends_within(self.limits.close_stdin).await {
            self.group.terminate();
            if !self.ends_within(self.limits.close_term).await {
                self.group.kill();
                // Without a group it is the process alone; it may have ended by itself.
                let _ = self.child.start_kill();
                self.ends_within(self.limits.close_last).await;
            }
        }
        self.group.kill();
    }

    /// Waits for the end of the process, and reads on, since it may be writing; but not for ever.
    async fn ends_within(&mut self, span: std::time::Duration) -> bool {
        let deadline = Instant::now() + span;
        let mut chunk = vec![0; 64 << 10];
        let mut drained = 0;
        while drained <= self.limits.message_bytes {
            let open = !self.over;
            tokio::select! {
                biased;
                _ = self.child.wait() => return true,
                () = sleep_until(deadline) => return false,
                read = self.stdout.read(&mut chunk), if open => {
                    self.over = !matches!(read, Ok(1..));
                    drained += read.unwrap_or(0);
                }
            }
        }
        false
    }
}

/// Starts a process with pipes, a minimal environment and `env`, in a group of its own.
pub(super) fn spawn(
    command: &str,
    args: &[String],
    cwd: &Path,
    env: &BTreeMap<String, String>,
) -> Result<(Child, Group), Reason> {
    let mut process = Command::new(command);
    process
        .args(args)
        .current_dir(cwd)
        .env_clear()
        .envs(base_environment())
        .envs(env)
        .stdin(Pipe::piped())
        .stdout(Pipe::piped())
        .stderr(Pipe::piped())
        .kill_on_drop(true);
    #[cfg(unix)]
    process.process_group(0);
    // A program is looked up in the PATH that it is given, where it is given one.
    let path = env.get("PATH").cloned().or_else(|| std::env::var("PATH").ok()).unwrap_or_default();
    let child = process.spawn().map_err(|error| not_started(command, cwd, &path, &error))?;
    let group = Group::of(&child);
    Ok((child, group))
}

/// Writes some of `out`; what is written is taken off even if the caller is cancelled right after.
async fn write_some(stdin: &mut Option<ChildStdin>, out: &mut BytesMut) -> io::Result<()> {
    let Some(pipe) = stdin else { return Ok(()) };
    let written = pipe.write(out).await?;
    out.advance(written);
    Ok(())
}

fn base_environment() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| {
        name.to_str().is_some_and(|name| {
            let name = if cfg!(windows) { name.to_ascii_uppercase() } else { name.to_owned() };
            BASE.contains(&name.as_str()) || name.starts_with("LC_") || name.starts_with("XDG_")
        })
    })
}

/// Why there is no process. The folders of PATH are no part of it: a person reads the first words of a reason.
pub(super) fn not_started(command: &str, cwd: &Path, path: &str, error: &io::Error) -> Reason {
    if !cwd.is_dir() {
        return Reason::new("start-failed", format!("working folder not found: {}", cwd.display()));
    }
    if error.kind() != io::ErrorKind::NotFound {
        return Reason::new("start-failed", format!("cannot start {command}: {error}"));
    }
    // execve says the same of a script whose interpreter is not there (execve(2), ENOENT).
    let in_folder = Path::new(command).components().nth(1).is_some();
    let is_there = |folder: &Path| cwd.join(folder).join(command).is_file();
    let is_script = if in_folder { is_there(cwd) } else { std::env::split_paths(path).any(|folder| is_there(&folder)) };
    let what = if is_script { "interpreter not found, which it names in its first line" } else { "command not found" };
    Reason::new("command-not-found", format!("{what}: {command}"))
}

/// How a process ended, as a person says it.
pub(super) fn status_text(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("killed by signal {signal}");
    }
    status.code().map_or_else(|| status.to_string(), |code| format!("exit status {code}"))
}

/// The process group of a server. Killed when dropped.
#[derive(Debug)]
pub(super) struct Group {
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
}

#[cfg(unix)]
impl Group {
    pub(super) fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        let leader = id.and_then(rustix::process::Pid::from_raw);
        if let Some(leader) = leader {
            watchdog::guard(leader);
        }
        Self { leader }
    }

    pub(super) fn terminate(&self) {
        if let Some(leader) = self.leader {
            // It may be gone already, which is what was wanted.
            let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::TERM);
        }
    }

    /// Kills what is left of the group, once: later its id may mean another.
    pub(super) fn kill(&mut self) {
        if let Some(leader) = self.leader.take() {
            let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
            watchdog::forget(leader);
        }
    }
}

#[cfg(not(unix))]
impl Group {
    pub(super) fn of(_: &Child) -> Self {
        Self {}
    }

    pub(super) fn terminate(&self) {}

    pub(super) fn kill(&mut self) {}
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
