//! Carries the lines between a client and the server that it would have started, with a guard between them. What may pass
//! is [`crate::guard`]'s; here are the pipes, the processes, the files that are read and the clock.

mod client;
mod door;
mod ends;
mod evidence;
mod http;
mod line;
mod outgoing;
mod pump;
mod running;
mod teller;

pub use door::{Door, Launch, Opener};
pub use evidence::Wanted;
pub use http::serve;
pub use pump::{Ended, relay};
pub use running::Running;
