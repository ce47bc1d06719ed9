//! Memory of a run at its highest.

use super::project::Done;
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Runs a command to its end. The peak is that of its process alone, in kB, as far as it was seen before the end; 0 where
/// the system does not tell.
pub fn run_measured(command: &mut Command) -> (Done, u64) {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let out = reader(child.stdout.take().expect("a pipe"));
    let err = reader(child.stderr.take().expect("a pipe"));
    let mut peak = 0;
    let status = loop {
        peak = peak.max(high_water(child.id()));
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status;
        }
        thread::sleep(Duration::from_millis(5));
    };
    let text = |reader: JoinHandle<String>| reader.join().expect("it was read");
    (Done { code: status.code().unwrap_or(-1), out: text(out), err: text(err) }, peak)
}

fn reader(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        pipe.read_to_string(&mut text).expect("the binary writes UTF-8");
        text
    })
}

/// The most that a process ever had in memory, in kB.
pub fn high_water(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0)
}
