//! A program that is asked once: its input is one document, its output another. It is started like a server, in a group of
//! its own with a minimal environment, and ended with everything it started.

use super::Target;
use super::stdio::{Group, spawn, status_text};
use crate::surface::Reason;
use futures_util::FutureExt as _;
use futures_util::future::FusedFuture as _;
use std::pin::pin;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy, sink};
use tokio::process::{Child, ChildStderr};
use tokio::time::timeout;

/// Bytes of standard error that are kept, from its start.
const LAST_WORDS: u64 = 4_096;
/// Time for what is left in its pipes when it has ended.
const LEFTOVERS: Duration = Duration::from_millis(200);

/// What a program writes when it is given `input`, in `time` and at most `most` bytes. Its exit status is to be 0.
pub async fn answer_of(target: &Target, input: &[u8], most: u64, time: Duration) -> Result<Vec<u8>, Reason> {
    let Target::Stdio { command, args, cwd, env } = target else {
        return Err(Reason::new("start-failed", "it is no command"));
    };
    let (mut child, mut group) = spawn(command, args, cwd, env)?;
    let answer = timeout(time, talk(&mut child, &mut group, input, most)).await;
    // The whole group, while its leader is not yet reaped; it may have ended by itself.
    group.kill();
    let _ = child.start_kill();
    let _ = child.wait().await;
    answer.unwrap_or_else(|_| Err(Reason::new("timeout", format!("it did not answer within {} s", time.as_secs()))))
}

async fn talk(child: &mut Child, group: &mut Group, input: &[u8], most: u64) -> Result<Vec<u8>, Reason> {
    let (Some(mut stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(Reason::new("start-failed", "the process has no pipes"));
    };
    let ask = async {
        // One that ends before it has read all is told by its answer.
        let _ = stdin.write_all(input).await;
        drop(stdin);
        Ok(())
    };
    let mut answer = Vec::new();
    let read = async {
        let read = stdout.take(most + 1).read_to_end(&mut answer).await;
        let read = read.map_err(|error| Reason::new("unreadable", format!("its answer cannot be read: {error}")));
        let large = || Err(Reason::new("too-large", format!("it answered more than {most} bytes")));
        read.and_then(|length| if length as u64 > most { large() } else { Ok(()) })
    };
    let mut words = Vec::new();
    let talked = async {
        tokio::try_join!(read, ask)?;
        let status = child.wait().await.map_err(|error| Reason::new("exited", error.to_string()))?;
        // What it started and left behind holds its pipes open.
        group.kill();
        Ok(status)
    };
    let status = {
        let mut hear = pin!(hear(stderr, &mut words).fuse());
        let mut talked = pin!(talked);
        loop {
            tokio::select! {
                status = &mut talked => {
                    // Its last words say why.
                    if !hear.is_terminated() {
                        let _ = timeout(LEFTOVERS, &mut hear).await;
                    }
                    break status?;
                }
                () = &mut hear => {}
            }
        }
    };
    if status.success() {
        return Ok(answer);
    }
    let words = String::from_utf8_lossy(&words);
    let last = words.lines().rfind(|line| !line.trim().is_empty()).map(|line| format!(": {}", line.trim()));
    Err(Reason::new("exited", format!("{}{}", status_text(status), last.unwrap_or_default())))
}

/// Keeps the first words of standard error, and drains it for as long as it is open.
async fn hear(mut stderr: ChildStderr, words: &mut Vec<u8>) {
    let _ = (&mut stderr).take(LAST_WORDS).read_to_end(words).await;
    let _ = copy(&mut stderr, &mut sink()).await;
}
