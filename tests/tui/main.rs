//! The terminal UI without a terminal: messages in, the model and the frame compared.

#![expect(clippy::expect_used, clippy::panic, reason = "a test stops where it cannot go on")]

mod change;
mod dialogs;
mod driver;
mod environment;
mod groups;
mod home;
mod keys;
#[path = "../common/keys.rs"]
mod keys_as_words;
mod lines;
#[path = "../fixture/looks.rs"]
mod looks;
mod moves;
mod property;
mod screens;
mod sign_in;
mod themes;
