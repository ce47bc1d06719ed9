//! A thin MCP client that keeps the exact bytes of every item.
//!
//! It speaks stdio and streamable HTTP in both eras, and splits messages without building values: a typed client drops
//! and rewrites what pinwatch exists to show, and can be blinded by one malformed number. Every size, count and wait is
//! bounded by [`Limits`]. It decides nothing about what it saw, and prints and stores nothing.

mod behind;
mod client;
mod disclosed;
mod door;
mod endpoint;
mod era;
mod fault;
mod http;
mod http_sse;
mod inbox;
mod limits;
mod lines;
mod link;
mod list;
mod listen;
mod message;
mod notices;
mod open;
mod own;
mod posted;
mod probe;
mod program;
mod reason;
mod response;
mod revisions;
mod session;
mod sign_in;
mod sse;
mod stderr;
mod stdio;
mod target;
mod upstream;
pub mod watchdog;
mod well_known;

pub use behind::Behind;
pub use limits::Limits;
pub use own::own_program;
pub use posted::{Posted, post};
pub use program::answer_of;
pub use reason::Failure;
pub use session::{Event, Look, Session};
pub use sign_in::{AuthorizationServer, Begun, Located, SignIn, renewed};
pub use target::{Identify, Options, Target};
pub use upstream::{NoReply, Reply, ReplyForm, Upstream, is_of_protocol, not_of_protocol};
