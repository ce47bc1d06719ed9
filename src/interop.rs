//! The formats of other systems, data in and data out. Each keeps to its system's own rules, also where they differ from
//! ours; nothing here reads a file, starts a server or decides anything.

pub mod assay;
pub mod atsa;
pub mod call;
pub mod capiscio;
mod document;
pub(crate) mod families;
pub mod mcptrust;
pub mod otlp;
pub mod principal;
pub mod sealedproof;

pub use document::{Refused, Written};

use crate::identity::{Account, ServerIdentity};
use crate::surface::{Exhibit, Observation, Reason};
use jiff::Timestamp;

/// Who a server is that was looked at, at `url` where it has one, held to what is trusted.
pub fn identify(
    observation: &Observation,
    trust: Option<&atsa::Trust>,
    url: Option<&str>,
    now: Timestamp,
) -> ServerIdentity {
    let origin = url.and_then(atsa::Origin::of);
    let assertion = atsa::Assertion::of(observation);
    ServerIdentity {
        attestation: assertion.attestation(trust, origin.as_ref(), now),
        principal: principal::principal(observation),
        account: account(observation),
    }
}

/// As whom a server was looked at.
fn account(observation: &Observation) -> Account {
    let reason = |code, text: &str| Account::NotChecked(Reason::new(code, text));
    match &observation.presented.account {
        _ if observation.observed_as.is_none() => reason("not-observed", "the server was not looked at"),
        Exhibit::Unasked => reason("not-known", "it is not known as whom the server was looked at"),
        Exhibit::Absent => Account::None,
        Exhibit::Bytes(account) => Account::SignedIn(String::from_utf8_lossy(account).into_owned()),
        Exhibit::Unread(why) => Account::NotChecked(why.clone()),
    }
}
