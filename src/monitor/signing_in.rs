//! Where a person's sign-in to a server stands.

use crate::surface::Reason;
use std::collections::BTreeSet;

/// Where a sign-in stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SigningIn {
    /// It waits for a person to begin.
    Wanted {
        /// What the server said.
        asked: Reason,
        /// Why the last try came to nothing.
        refused: Option<Reason>,
    },
    /// The server, or the authorization server, is being asked.
    Asking,
    /// Other hosts than the server's would be spoken to: a person has to agree to them.
    Agree(BTreeSet<String>),
    /// A person is to open this URL in a browser, and agree there.
    Open(String),
}
