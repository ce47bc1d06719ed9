//! A guard that listens: clients reach it over streamable HTTP, and it sends on what passes. Who may ask is looked at first
//! ([`entrance`]); each request of a client is an exchange of its own ([`exchange`]), in the conversation of its session.

mod account;
mod answer;
mod conversation;
mod entrance;
mod events;
mod exchange;
mod guard;
mod pass;
mod serve;

pub use serve::serve;
