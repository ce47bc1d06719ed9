//! The desktop that a person sits at: its programs, the editor or pager that they read with, its
//! clipboard, and what its terminal writes on.

mod background;
mod clipboard;
mod program;
mod reader;

pub use background::{AUTO, AUTO_ALWAYS, Background, theme_on};
pub use clipboard::{Between, Clipboard, MOST, copy, sequence};
pub use program::{editor, find, on_path, pager, variable};
pub use reader::{HEADING, read};
