//! What a server shows of who it is, as received: nothing of it is read or believed here.

use super::Reason;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// What stood in one place where a server may say who it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Exhibit {
    /// Nobody looked: there is no such place on this transport, or the look did not come so far.
    #[default]
    Unasked,
    /// It was looked for, and is not there.
    Absent,
    /// What stood there, within bounds.
    Bytes(Bytes),
    /// Why what stands there, if anything does, was not read.
    Unread(Reason),
}

/// What a server showed in each of those places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presented {
    /// `_meta` of the answer to `initialize` or `server/discover`.
    pub meta: Exhibit,
    /// The header `Capiscio-Server-DID` of its answers.
    pub did_header: Exhibit,
    /// The header `Capiscio-Server-Badge`.
    pub badge_header: Exhibit,
    /// `/.well-known/mcp-attestation` on its origin.
    pub attestation: Exhibit,
    /// `/.well-known/capiscio/mcp-server.json` there.
    pub principal: Exhibit,
    /// The account and the scopes that it was looked at with: what we showed it, not the server's word.
    pub account: Exhibit,
}

/// One of those places, by its name in a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each is the member of `Presented` of its name")]
pub enum PlaceOfIdentity {
    Meta,
    DidHeader,
    BadgeHeader,
    Attestation,
    Principal,
    Account,
}

impl PlaceOfIdentity {
    /// Every place.
    pub const ALL: [Self; 6] =
        [Self::Meta, Self::DidHeader, Self::BadgeHeader, Self::Attestation, Self::Principal, Self::Account];
}

impl Presented {
    /// What stood in a place.
    pub fn at(&mut self, place: PlaceOfIdentity) -> &mut Exhibit {
        match place {
            PlaceOfIdentity::Meta => &mut self.meta,
            PlaceOfIdentity::DidHeader => &mut self.did_header,
            PlaceOfIdentity::BadgeHeader => &mut self.badge_header,
            PlaceOfIdentity::Attestation => &mut self.attestation,
            PlaceOfIdentity::Principal => &mut self.principal,
            PlaceOfIdentity::Account => &mut self.account,
        }
    }
}
