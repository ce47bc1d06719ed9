//! Evaluates the rules of a policy in a child of this program, which is ended after its time and its memory: an expression
//! is anybody's, and evaluating one has no bound on its cost.
//!
//! The child is given one document and answers a line for each rule, so that the rule that ended it has a name. The rules
//! after it are tried in another child, within the time of all.

use super::lock::{LOCK, lock_of, name};
use super::look::pins_without_ignored;
use crate::config::ServerConfig;
use crate::digest::{Item, Surface};
use crate::drift::Policy;
use crate::interop::mcptrust::{
    Came, Difference, Locked, NO_BASELINE, Rule, Ruled, Rules, Shown, Verdicts, Version, as_read, asked_by, compare,
    evaluate, input,
};
use crate::pin::Baseline;
use crate::store::redact::Redactor;
use crate::surface::Kind;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::sync::OnceLock;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::Command;
use tokio::time::{Instant, timeout_at};

/// One child's time.
const TIME: Duration = Duration::from_secs(2);
/// The time of all rules of a server.
const WHOLE_TIME: Duration = Duration::from_secs(10);
/// Address space of a child, in bytes.
const MEMORY: u64 = 512 << 20;
/// Bytes of the stack on which expressions are parsed and evaluated.
const STACK: usize = 32 << 20;
/// Bytes that are read of what a child says before it ends.
const LAST_WORDS: u64 = 4_096;
/// Bytes that a child is given, and that it answers.
const INPUT: usize = 32 << 20;
const OUTPUT: u64 = 1 << 20;

static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// From now on rules are evaluated by this program started again with `words`, which calls [`run`].
pub fn enable(words: Vec<OsString>) {
    // The first say counts; it is always the same.
    let _ = WORDS.set(words);
}

/// What the child does: standard input is `[input, [expr, …]]`, and each answer is a line.
pub fn run() -> io::Result<()> {
    limit()?;
    // The main thread's stack is as large as whoever started pinwatch says, and the parser recurses.
    let answering = std::thread::Builder::new().stack_size(STACK).spawn(answer_all)?;
    // A panic was told on standard error.
    answering.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
}

fn answer_all() -> io::Result<()> {
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text)?;
    let asked: Value = serde_json::from_slice(&text)?;
    drop(text);
    let mut stdout = io::stdout().lock();
    for expr in asked[1].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let (ruled, members) = (evaluate(expr, &asked[0]), asked_by(expr));
        let why = if let Ruled::Error(why) = &ruled { why.as_str() } else { "" };
        let answer = json!([ruled.word(), why, members.into_iter().collect::<Vec<_>>().join(" ")]);
        writeln!(stdout, "{answer}")?;
        stdout.flush()?;
    }
    Ok(())
}

/// Bounds this process; a core file of it would hold what a server shows.
#[cfg(unix)]
fn limit() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let bound = |most| Rlimit { current: Some(most), maximum: Some(most) };
    setrlimit(Resource::Core, bound(0))?;
    setrlimit(Resource::Cpu, bound(TIME.as_secs() + 1))?;
    // macOS has no such bound; there the time alone ends it.
    let memory = setrlimit(Resource::As, bound(MEMORY));
    if cfg!(target_os = "linux") { Ok(memory?) } else { Ok(()) }
}

#[cfg(not(unix))]
fn limit() -> io::Result<()> {
    Ok(())
}

/// The rules over one server.
async fn judge(
    (checks, policy): (&Rules, &Policy),
    server: &str,
    surface: &Surface,
    baseline: Option<&Baseline>,
    lock: &Result<Option<Locked>, String>,
) -> Verdicts {
    let baseline = baseline.map(|known| pins_without_ignored(known, server, policy));
    let mut unseen = Vec::new();
    if let Some(reason) = surface.overall().reason() {
        unseen.push(("", format!("the server could not be read whole: {}", reason.text)));
    }
    let (lock, unread) = match lock {
        Ok(lock) => (lock.as_ref(), None),
        Err(why) => (None, Some(why.clone())),
    };
    if lock.is_none_or(|lock| lock.artifact.is_none()) {
        let why = format!("no {LOCK} in the project's root holds an artifact of this server");
        unseen.push(("artifact", unread.unwrap_or(why)));
    }
    let shown = shown(surface.items.iter().map(AsRef::as_ref));
    let pinned = baseline.as_deref().map(|known| self::shown(known.pins.iter().map(|pin| &*pin.item)));
    let mut drift = match pinned.map(|pinned| Locked::of(Version::V3, server, "", &pinned)) {
        Some(Ok(pinned)) => compare(&pinned, &shown),
        Some(Err(refused)) => {
            unseen.push(("drift", format!("what is pinned cannot be compared: {refused}")));
            Vec::new()
        }
        None => {
            unseen.push(("drift", NO_BASELINE.to_owned()));
            Vec::new()
        }
    };
    // Only a list that was read whole has lost something.
    let whole = |one: &Difference| match one.difference.split('_').next() {
        Some("PROMPT") => surface.is_complete(Kind::Prompt),
        Some("TEMPLATE") => surface.is_complete(Kind::ResourceTemplate),
        _ => surface.is_complete(Kind::Tool),
    };
    drift.retain(|one| !one.difference.ends_with("_REMOVED") || whole(one));
    let document = input(name(surface).as_deref(), lock, &shown, &drift);
    let outcomes = rule(&checks.rules, &document).await;
    checks.judge(server, &document, outcomes, &unseen)
}

/// The rules over one server, with the lock in the project's root as it is now and the secrets of any server masked. None
/// without rules.
pub async fn judge_server(
    rules: (&Rules, &Policy),
    (folder, config): (&Path, &ServerConfig),
    (surface, baseline): (&Surface, Option<&Baseline>),
    redactor: &Redactor,
) -> Option<Verdicts> {
    if rules.0.rules.is_empty() {
        return None;
    }
    let lock = lock_of(folder, config, surface);
    let mut verdicts = judge(rules, &config.id, surface, baseline, &lock).await;
    for verdict in &mut verdicts.rules {
        if let Ruled::Error(why) | Ruled::NotVisible(why) = &mut verdict.ruled {
            *why = redactor.mask(why).into_owned();
        }
    }
    Some(verdicts)
}

fn shown<'a>(items: impl Iterator<Item = &'a Item>) -> Shown {
    let mut shown = Shown::default();
    for item in items {
        let list = match item.id.kind {
            Kind::Tool => &mut shown.tools,
            Kind::Prompt => &mut shown.prompts,
            Kind::ResourceTemplate => &mut shown.templates,
            _ => continue,
        };
        list.push(as_read(item));
    }
    shown
}

/// What came of each rule, in their order.
async fn rule(rules: &[Rule], input: &Value) -> Vec<Came> {
    let mut outcomes = Vec::with_capacity(rules.len());
    let end = Instant::now() + WHOLE_TIME;
    while outcomes.len() < rules.len() {
        if Instant::now() >= end {
            let spent = || Ruled::Error(format!("the {} s of all rules were used up before it", WHOLE_TIME.as_secs()));
            outcomes.resize_with(rules.len(), || (spent(), BTreeSet::new()));
            break;
        }
        let rest = &rules[outcomes.len()..];
        let died = match child(rest, input, end.min(Instant::now() + TIME), &mut outcomes).await {
            Ok(died) => died,
            Err(error) => {
                let none = || Ruled::Error(format!("no process to evaluate it: {error}"));
                outcomes.resize_with(rules.len(), || (none(), BTreeSet::new()));
                break;
            }
        };
        if outcomes.len() < rules.len() {
            outcomes.push((Ruled::Error(died.to_owned()), BTreeSet::new()));
        }
    }
    outcomes
}

/// Lets one child answer; says why it ended, where it left rules without an answer.
async fn child(rules: &[Rule], input: &Value, end: Instant, outcomes: &mut Vec<Came>) -> io::Result<&'static str> {
    let exprs: Vec<_> = rules.iter().map(|rule| rule.expr.as_str()).collect();
    let asked = serde_json::to_vec(&json!([input, exprs]))?;
    if asked.len() > INPUT {
        return Err(io::Error::other("what the server shows is larger than 32 MiB"));
    }
    let words = WORDS.get().ok_or_else(|| io::Error::other("this program cannot be started again"))?;
    let mut child = Command::new(crate::mcp::own_program()?)
        .args(words)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(mut stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let most = outcomes.len() + rules.len();
    let talk = async {
        // A child that ends before it has read all is told by its answers.
        let _ = stdin.write_all(&asked).await;
        drop(stdin);
        let mut lines = BufReader::new(stdout.take(OUTPUT)).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            match answer(&line) {
                Some(one) if outcomes.len() < most => outcomes.push(one),
                _ => break,
            }
        }
    };
    let mut last_words = Vec::new();
    let listen = async {
        let _ = stderr.take(LAST_WORDS).read_to_end(&mut last_words).await;
    };
    let died = match timeout_at(end, async { tokio::join!(talk, listen) }).await {
        Ok(_) => cause(&String::from_utf8_lossy(&last_words)),
        Err(_) => "it was ended after 2 s",
    };
    // It may have ended by itself.
    let _ = child.start_kill();
    let _ = child.wait().await;
    Ok(died)
}

/// Why a child ended, by what Rust's runtime says before it aborts: both bounds end it by the same signal.
fn cause(last_words: &str) -> &'static str {
    if last_words.contains("memory allocation of") {
        "it needs more than 512 MiB of memory"
    } else if last_words.contains("overflowed its stack") {
        "it is nested too deep: more than 32 MiB of stack"
    } else {
        "its process ended by itself"
    }
}

fn answer(line: &str) -> Option<Came> {
    let [word, why, asked]: [String; 3] = serde_json::from_str(line).ok()?;
    let ruled = match word.as_str() {
        "passed" => Ruled::Passed,
        "failed" => Ruled::Failed,
        "error" => Ruled::Error(why),
        _ => return None,
    };
    Some((ruled, asked.split_whitespace().map(str::to_owned).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Rust 1.95 says on Linux.
    #[test]
    fn a_child_is_told_by_its_last_words() {
        let memory = "memory allocation of 167772160 bytes failed\n";
        let stack =
            "\nthread '<unknown>' (22586) has overflowed its stack\nfatal runtime error: stack overflow, aborting\n";
        for (said, why) in [(memory, "memory"), (stack, "stack"), ("", "by itself")] {
            assert!(cause(said).ends_with(why), "{said}");
        }
    }
}
