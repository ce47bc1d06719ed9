//! A person, or a machine, signs in to a server (OAuth 2.1): its documents are read, a URL is made for a browser, the answer is
//! waited for on this machine, and a token is had.
//!
//! Each step is a call of its own, so that whoever takes it can show what comes next and ask: nothing is sent to another host
//! before it was agreed to. No redirect is followed, every answer is bounded in size and time, and no browser is opened here.

mod begun;
mod discover;
mod fetch;
mod flow;
mod grant;
mod known;
mod redirect;

pub use begun::Begun;
pub use flow::SignIn;
pub use grant::renewed;
pub use known::{AuthorizationServer, Located};
