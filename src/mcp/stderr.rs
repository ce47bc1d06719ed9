//! Drains a server's standard error, so that it never blocks on it, and keeps the last lines.

use super::limits::Limits;
use crate::held::held;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::task::JoinHandle;

/// The reading task and what it kept. Dropping it ends the task.
#[derive(Debug)]
pub(super) struct Stderr {
    kept: Arc<Mutex<Tail>>,
    task: JoinHandle<()>,
}

impl Drop for Stderr {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Stderr {
    /// Starts to drain `stream`.
    pub fn drain(mut stream: impl AsyncRead + Unpin + Send + 'static, limits: &Limits) -> Self {
        let kept = Arc::new(Mutex::new(Tail::new(limits)));
        let tail = Arc::clone(&kept);
        let task = tokio::spawn(async move {
            let mut chunk = vec![0; 8 << 10];
            while let Ok(length @ 1..) = stream.read(&mut chunk).await {
                held(&tail).take(&chunk[..length]);
            }
        });
        Self { kept, task }
    }

    /// Waits until the stream is over; the caller bounds the time.
    pub async fn ended(&mut self) {
        if !self.task.is_finished() {
            // An aborted or panicked task has ended as well.
            let _ = (&mut self.task).await;
        }
    }

    /// The last lines, oldest first; bytes that are no UTF-8 stand as U+FFFD.
    pub fn tail(&self) -> Vec<String> {
        held(&self.kept).lines()
    }

    /// Bytes seen so far.
    pub fn total(&self) -> u64 {
        held(&self.kept).total
    }
}

#[derive(Debug)]
struct Tail {
    lines: VecDeque<Vec<u8>>,
    /// Whether the last line has not ended yet.
    open: bool,
    total: u64,
    most_lines: usize,
    most_bytes: usize,
}

impl Tail {
    fn new(limits: &Limits) -> Self {
        Self {
            lines: VecDeque::new(),
            open: false,
            total: 0,
            most_lines: limits.stderr_lines,
            most_bytes: limits.stderr_line_bytes,
        }
    }

    fn take(&mut self, chunk: &[u8]) {
        self.total += chunk.len() as u64;
        for part in chunk.split_inclusive(|byte| *byte == b'\n') {
            let ended = part.ends_with(b"\n");
            let text = part.strip_suffix(b"\n").unwrap_or(part);
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            if !self.open {
                self.lines.push_back(Vec::new());
            }
            if let Some(line) = self.lines.back_mut() {
                let room = self.most_bytes.saturating_sub(line.len());
                line.extend_from_slice(&text[..text.len().min(room)]);
            }
            self.open = !ended;
            if self.lines.len() > self.most_lines {
                self.lines.pop_front();
            }
        }
    }

    fn lines(&self) -> Vec<String> {
        self.lines.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tail_keeps_last_lines_and_the_start_of_each() {
        let limits = Limits { stderr_lines: 2, stderr_line_bytes: 4, ..Limits::default() };
        let mut tail = Tail::new(&limits);
        for chunk in ["one\ntw", "o\r\nthree is long", " and longer\nfo"] {
            tail.take(chunk.as_bytes());
        }
        assert_eq!(tail.lines(), ["thre", "fo"]);
        tail.take(b"ur\n");
        assert_eq!(tail.lines(), ["thre", "four"]);
        assert_eq!(tail.total, 39);
    }
}
