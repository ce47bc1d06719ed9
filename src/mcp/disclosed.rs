//! What the headers of a server's answers say of who it is (CapiscIO RFC-007, section 6.1).

use crate::surface::{Exhibit, Reason};
use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName};

const DID: HeaderName = HeaderName::from_static("capiscio-server-did");
const BADGE: HeaderName = HeaderName::from_static("capiscio-server-badge");

/// What was heard in one session.
#[derive(Clone, Debug, Default)]
pub(super) struct Disclosed {
    pub did: Exhibit,
    pub badge: Exhibit,
}

impl Disclosed {
    /// Takes in an answer's headers. What an earlier answer said stays until another one says otherwise: a server may say it
    /// once, in its answer to the handshake.
    pub fn hear(&mut self, headers: &HeaderMap) {
        for (name, heard) in [(DID, &mut self.did), (BADGE, &mut self.badge)] {
            match value(headers, &name) {
                Exhibit::Absent if *heard != Exhibit::Unasked => {}
                now => *heard = now,
            }
        }
    }
}

fn value(headers: &HeaderMap, name: &HeaderName) -> Exhibit {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Exhibit::Absent,
        (Some(value), None) => Exhibit::Bytes(Bytes::copy_from_slice(value.as_bytes())),
        (Some(_), Some(_)) => Exhibit::Unread(Reason::new("header-twice", format!("the header `{name}` occurs twice"))),
    }
}
