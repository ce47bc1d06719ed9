//! Other systems' logs of calls: a line as a call, and files of them that grow, read on from where they were read to.

use crate::canon::read_plain;
use crate::interop::call::{Call, LogFormat};
use crate::interop::{assay, capiscio, sealedproof};
use serde_json::Value;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

/// The longest line of a log.
const LONGEST: usize = 1 << 20;
const TOO_LONG: &str = "the line is longer than 1 MiB";
/// Bytes of a file that are read at once: of a longer one its end.
const MOST_BYTES: u64 = 64 << 20;
/// Calls of a file that are kept, the latest.
const MOST_CALLS: usize = 50_000;

/// Logs of calls, followed by their files.
#[derive(Debug, Default)]
pub struct CallLogs(Vec<CallLog>);

/// One of them.
#[derive(Debug, Default)]
struct CallLog {
    file: PathBuf,
    /// The inode: a log that was rotated is another file.
    number: u64,
    read_to: u64,
    /// What follows the last line's end.
    rest: Vec<u8>,
    /// Why that is not kept until its end: it is too long, or of a file that is longer than what is read its beginning is not
    /// known.
    skipped: Option<&'static str>,
    /// The latest of its calls, in the order of the lines.
    calls: VecDeque<Call>,
    /// The call in a last line without an end.
    last: Option<Call>,
    /// Lines that are no event, or a broken one; the first fault.
    refused: (u64, String),
    /// Why it cannot be read.
    fault: Option<String>,
}

impl CallLogs {
    /// Follows exactly these files; what was read of those that it follows already stays.
    pub fn follow(&mut self, files: &[PathBuf]) {
        let mut known = std::mem::take(&mut self.0);
        self.0 = files
            .iter()
            .map(|file| match known.iter().position(|log| log.file == *file) {
                Some(at) => known.swap_remove(at),
                None => CallLog { file: file.clone(), ..CallLog::default() },
            })
            .collect();
    }

    /// Reads what was written since. Blocks on the disk.
    pub fn read_on(&mut self) {
        for log in &mut self.0 {
            log.fault = log.read_on().err().map(|error| error.to_string());
        }
    }

    /// Their calls.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.0.iter().flat_map(|log| log.calls.iter().chain(&log.last))
    }

    /// What of them is not told, a sentence each. Not escaped.
    pub fn faults(&self) -> Vec<String> {
        let told = |log: &CallLog| {
            let file = log.file.display();
            let fault = log.fault.as_ref().map(|fault| format!("{file} cannot be read: {fault}"));
            let (many, first) = &log.refused;
            let refused = (*many > 0).then(|| format!("{file}: lines that are no call: {many}; the first: {first}"));
            fault.into_iter().chain(refused).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(told).collect()
    }
}

impl CallLog {
    fn read_on(&mut self) -> io::Result<()> {
        // A pipe would keep who reads it waiting.
        if !std::fs::metadata(&self.file)?.is_file() {
            return Err(io::Error::other("it is not a regular file"));
        }
        let mut file = File::open(&self.file)?;
        let about = file.metadata()?;
        if about.ino() != self.number || about.len() < self.read_to {
            *self = Self { file: std::mem::take(&mut self.file), number: about.ino(), ..Self::default() };
        }
        let from = about.len().saturating_sub(MOST_BYTES);
        if from > self.read_to {
            // The line that is cut is none.
            (self.read_to, self.skipped) = (from, Some("older lines of the file are not read"));
            self.rest.clear();
        }
        file.seek(SeekFrom::Start(self.read_to))?;
        let mut new = Vec::new();
        file.take(MOST_BYTES).read_to_end(&mut new)?;
        self.read_to += new.len() as u64;
        for part in new.split_inclusive(|byte| *byte == b'\n') {
            self.take(part);
        }
        self.last = call(&self.rest).ok().flatten();
        Ok(())
    }

    /// Takes a line, or a part of one.
    fn take(&mut self, part: &[u8]) {
        if self.rest.len() + part.len() > LONGEST {
            self.skipped = Some(TOO_LONG);
            self.rest.clear();
        }
        if self.skipped.is_none() {
            self.rest.extend_from_slice(part);
        }
        if part.ends_with(b"\n") {
            let line = std::mem::take(&mut self.rest);
            let line = self.skipped.take().map_or(Ok(line.trim_ascii()), Err);
            if line != Ok(&[]) {
                self.line(line);
            }
        }
    }

    fn line(&mut self, line: Result<&[u8], &str>) {
        match line.map_err(str::to_owned).and_then(call) {
            Ok(Some(call)) => {
                if self.calls.len() == MOST_CALLS {
                    self.calls.pop_front();
                }
                self.calls.push_back(call);
            }
            Ok(None) => {}
            Err(fault) => {
                if self.refused.0 == 0 {
                    self.refused.1 = fault;
                }
                self.refused.0 += 1;
            }
        }
    }
}

/// A line that tells of a call.
#[derive(Clone, Debug)]
pub struct Told {
    /// Whose form it has.
    pub format: LogFormat,
    /// The call.
    pub call: Call,
    /// The line as it was read.
    pub event: Value,
}

/// The call that a line tells of; none of an event of another type.
pub fn call(line: &[u8]) -> Result<Option<Call>, String> {
    Ok(told(line)?.map(|told| told.call))
}

/// The same with the line.
pub fn told(line: &[u8]) -> Result<Option<Told>, String> {
    if line.len() > LONGEST {
        return Err(TOO_LONG.to_owned());
    }
    let event = read_plain(line)?;
    let word = |name: &str| event.get(name).and_then(Value::as_str);
    let (format, read) = if word("type") == Some(assay::DECISION) {
        (LogFormat::Assay, assay::call(&event))
    } else if word("event.name") == Some(capiscio::INVOCATION) {
        (LogFormat::Capiscio, capiscio::call(&event))
    } else if word("statementType") == Some(sealedproof::TOOL_CALL) {
        (LogFormat::Sealedproof, sealedproof::call(&event))
    } else if ["type", "event.name", "statementType"].into_iter().any(|name| word(name).is_some()) {
        return Ok(None);
    } else {
        return Err("it is no event: none of `type`, `event.name` and `statementType`".to_owned());
    };
    let call = read.map_err(|refused| refused.to_string())?;
    Ok(Some(Told { format, call, event }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::OpenOptions;
    use std::io::Write as _;
    use std::path::Path;

    fn event(tool: &str) -> String {
        format!(
            r#"{{"type":"assay.tool.decision","time":"2026-11-27T20:31:00Z","data":{{"tool":"{tool}","decision":"allow","reason_code":"P","tool_call_id":"1"}}}}"#
        )
    }

    fn add(file: &Path, text: &str) -> io::Result<()> {
        OpenOptions::new().create(true).append(true).open(file)?.write_all(text.as_bytes())
    }

    #[test]
    fn a_log_is_read_on_as_it_grows() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("calls.jsonl");
        let mut logs = CallLogs::default();
        logs.follow(std::slice::from_ref(&file));
        let tools = |logs: &mut CallLogs| {
            logs.read_on();
            logs.calls().map(|call| call.tool.clone()).collect::<Vec<_>>()
        };
        assert!(tools(&mut logs).is_empty());
        assert!(logs.faults()[0].contains("cannot be read"), "{:?}", logs.faults());
        add(&file, &format!("{}\n{{}}\n{}", event("a"), &event("b")[..20]))?;
        assert_eq!(tools(&mut logs), ["a"], "half a line is none yet");
        assert!(logs.faults()[0].ends_with(
            "lines that are no call: 1; the first: it is no event: none of `type`, `event.name` and `statementType`"
        ));
        add(&file, &event("b")[20..])?;
        assert_eq!(tools(&mut logs), ["a", "b"], "a last line needs no end");
        add(&file, &format!("\n{}\n{}\n", "x".repeat(LONGEST + 1), event("c")))?;
        assert_eq!(tools(&mut logs), ["a", "b", "c"]);
        // Another file of its name is read anew; one that is cut off, too.
        std::fs::rename(&file, folder.path().join("calls.1"))?;
        add(&file, &format!("{}\n", event("d")))?;
        assert_eq!(tools(&mut logs), ["d"]);
        std::fs::write(&file, "")?;
        assert!(tools(&mut logs).is_empty());
        logs.follow(&[folder.path().to_owned()]);
        logs.read_on();
        assert!(logs.faults()[0].ends_with("it is not a regular file"));
        Ok(())
    }
}
