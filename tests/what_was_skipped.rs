//! The last line of a `cargo test`: how many tests were skipped, and for what. Cargo runs the targets by name, and this
//! comes after all others.

#![expect(clippy::print_stdout, reason = "this line is what it is for")]

#[path = "common/needs.rs"]
#[expect(dead_code, reason = "it reads what the others note down")]
mod needs;

use std::collections::BTreeMap;
use std::fs;

fn main() {
    // Asked for the names of its tests, it has none.
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let notes = needs::notes();
    let said = fs::read_to_string(&notes).unwrap_or_default();
    let mut by_reason: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, why) in said.lines().filter_map(|line| line.split_once('\t')) {
        *by_reason.entry(why).or_default() += 1;
    }
    let count: usize = by_reason.values().sum();
    let reasons: Vec<_> = by_reason.iter().map(|(why, count)| format!("{count}: {why}")).collect();
    match count {
        0 => println!("\nno test was skipped"),
        1 => println!("\n1 test was SKIPPED ({})", reasons.join("; ")),
        count => println!("\n{count} tests were SKIPPED ({})", reasons.join("; ")),
    }
    clear(&notes);
}

/// Deletes the notes of this run, and those of runs that never came to an end.
fn clear(notes: &std::path::Path) {
    let names = notes.parent().and_then(|folder| fs::read_dir(folder).ok());
    for entry in names.into_iter().flatten().flatten() {
        let name = entry.file_name();
        let run = name.to_str().and_then(|name| name.strip_prefix("skipped-")?.parse().ok());
        let Some(run) = run.and_then(rustix::process::Pid::from_raw) else { continue };
        if entry.path() == *notes || rustix::process::test_kill_process(run).is_err() {
            // One that another run has just deleted is as good as deleted.
            let _ = fs::remove_file(entry.path());
        }
    }
}
