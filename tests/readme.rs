//! The README is true where a machine can tell: its key table is the keymap's, and every command it shows is one.

#![expect(clippy::expect_used, reason = "a test stops where it cannot go on")]

use clap::Parser as _;
use pinwatch::cli::Cli;
use pinwatch::tui::Keymap;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("the README")
}

#[test]
fn the_key_table_is_the_keymap() {
    let table = Keymap::with(&BTreeMap::new()).expect("the default keys").markdown();
    assert!(readme().contains(&table), "put this into README.md:\n{table}");
}

#[test]
fn every_command_in_a_code_block_is_taken_by_the_parser() {
    let readme = readme();
    let mut inside = false;
    let mut commands = 0;
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = !inside && line.trim() == "```sh";
            continue;
        }
        let line = line.split(" #").next().unwrap_or_default().trim();
        if !inside || !line.starts_with("pinwatch") {
            continue;
        }
        let words = line.split_whitespace().map(|word| word.trim_matches('\''));
        let parsed = Cli::try_parse_from(words);
        assert!(parsed.is_ok(), "{line}: {}", parsed.err().map(|error| error.to_string()).unwrap_or_default());
        commands += 1;
    }
    assert!(commands > 8, "the README shows how it is used");
}
