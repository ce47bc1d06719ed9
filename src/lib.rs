//! pinwatch watches a developer's MCP servers live, pins every definition by its digests, and shows what drifted.
//!
//! The rings; each imports only rings above it:
//!
//! ```text
//! core   pure and sync: no clock, no I/O, no terminal, no tokio    surface identity oauth canon digest signature text schema pin finding opinion drift review interop audit evidence guard
//! edge   files, processes, sockets, time, signals                  aside held signals desktop store mcp config decisions project monitor otlp relay
//! face   what a person or a program sees                           tui report cli
//! bin    wiring only                                               app, main
//! ```
//!
//! Inside core and edge each module knows only those before it, and no file imports one that imports it. One
//! observation's way through the house, and there is no other:
//!
//! ```text
//! mcp session ──Observation──▶ monitor ──▶ drift::compare(baseline, surface) ──Vec<Drift>──▶ review::state
//!     │                                                                               │
//!     └─ bytes equal to the last look? stop here                       tui model / report
//! ```

#[macro_use]
mod opaque;
#[macro_use]
mod word;

pub mod app;
pub mod aside;
pub mod audit;
pub mod canon;
pub mod cli;
pub mod config;
pub mod decisions;
pub mod demo;
pub mod desktop;
pub mod digest;
pub mod drift;
pub mod error;
pub mod evidence;
pub mod finding;
pub mod guard;
pub mod held;
pub mod identity;
pub mod interop;
pub mod mcp;
pub mod monitor;
pub mod oauth;
pub mod opinion;
pub mod otlp;
pub mod pin;
pub mod project;
pub mod relay;
pub mod report;
pub mod review;
pub mod schema;
pub mod signals;
pub mod signature;
pub mod store;
pub mod surface;
pub mod text;
pub mod tui;
