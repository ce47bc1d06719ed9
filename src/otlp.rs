//! Tells a collector numbers and events (OTLP/HTTP), where a config names one. It decides nothing and nothing waits for it: what
//! cannot be told is counted and let go.
//!
//! A server is told of only where its launch may run: a project's file that names a collector is agreed to with each launch.

mod follow;
mod push;
mod queue;

pub use follow::{Reporter, Standing};
pub use push::{Line, Report, teller};
pub use queue::Queue;
