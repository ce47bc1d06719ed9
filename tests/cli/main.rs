//! The built binary without a terminal: what each command does to files, what it prints, and the exit code it ends with.

#![expect(clippy::expect_used, clippy::panic, reason = "a test stops where it cannot go on")]

#[path = "../common/fixture.rs"]
mod fixture;
#[path = "../common/needs.rs"]
#[expect(dead_code, reason = "no test here needs the material beside the repository")]
mod needs;
#[path = "../common/project.rs"]
mod project;

mod check;
mod compare;
mod complaints;
mod consent;
mod decide;
mod discover;
mod doctor;
mod files;
mod formats;
mod generate;
mod masked;
mod merge;
mod secrets;
mod typed;
