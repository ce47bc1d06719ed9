//! The built binary without a terminal: what each command does to files, what it prints, and the exit code it ends with.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where it cannot go on")]

#[path = "../support/agreed.rs"]
mod agreed;
#[path = "../support/attest.rs"]
mod attest;
#[path = "../support/collector.rs"]
#[expect(dead_code, reason = "these tests use a collector that does one thing")]
mod collector;
#[path = "../common/fixture.rs"]
mod fixture;
#[path = "../support/house.rs"]
#[expect(dead_code, reason = "these tests load a whole file only")]
mod house;
#[path = "../common/needs.rs"]
mod needs;
#[path = "../support/origin.rs"]
mod origin;
#[path = "../common/project.rs"]
mod project;
#[path = "../support/reviewed.rs"]
mod reviewed;
#[path = "../support/signed.rs"]
mod signed;
#[path = "../support/signing.rs"]
mod signing;
#[path = "../support/spoken.rs"]
mod spoken;

mod admit;
mod anchor;
mod audit;
mod baseline_ref;
mod check;
mod compare;
mod complaints;
mod consent;
mod decide;
mod digests;
mod discover;
mod doctor;
mod encoding;
mod evidence;
mod export;
mod faces;
mod files;
mod findings;
mod foreign;
mod form;
mod formats;
mod generate;
mod guard;
mod guard_http;
mod guard_install;
mod help;
mod identity;
mod keyring;
mod masked;
mod merge;
mod opinion;
mod otlp;
mod pasted;
mod policy;
mod readme;
mod replay;
mod secrets;
mod sign_in;
mod signature;
mod typed;
mod unwatched;
