//! What servers do wrong, on the real binary: each behaviour with the state that a person must see, and what it costs.

#![expect(clippy::expect_used, clippy::panic, reason = "a test stops where it cannot go on")]

#[path = "../common/fixture.rs"]
mod fixture;
#[path = "../common/project.rs"]
#[expect(dead_code, reason = "these tests use a part of it")]
mod project;

mod pages;
mod peak;
mod stage;
mod table;
mod web;
