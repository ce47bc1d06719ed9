//! The terminal UI without a terminal: messages in, the model and the frame compared.

#![expect(clippy::expect_used, clippy::panic, reason = "a test stops where it cannot go on")]

#[path = "tui/dialogs.rs"]
mod dialogs;
#[path = "tui/driver.rs"]
mod driver;
#[path = "tui/groups.rs"]
mod groups;
#[path = "tui/keys.rs"]
mod keys;
#[path = "fixture/looks.rs"]
mod looks;
#[path = "tui/moves.rs"]
mod moves;
#[path = "tui/property.rs"]
mod property;
#[path = "tui/screens.rs"]
mod screens;
#[path = "tui/themes.rs"]
mod themes;
