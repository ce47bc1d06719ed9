//! What a server shows a client, as received: kinds, keys, raw items, one look at all of it.
//!
//! The first module of core: it knows bytes and words, no digest, no rule. Nothing here reads a clock or a file.

mod client;
mod id;
mod item;
mod launch;
mod observation;
mod package;
mod presented;
mod reason;

pub use client::ClientIdentity;
pub use id::{InvalidId, ServerId, folder_name, server_id};
pub use item::{ItemId, Kind, RawItem};
pub use launch::{Launch, Transport};
pub(crate) use observation::overall;
pub use observation::{Completeness, Era, Notice, Observation, ObservedAs, Overall};
pub use package::{Package, Spelling, only_runs_others, program_name};
pub use presented::{Exhibit, PlaceOfIdentity, Presented};
pub use reason::Reason;
