//! Signing in to a server as the MCP specification has it (OAuth 2.1): what is read, checked and chosen on the way.
//!
//! Nothing here sends, waits or keeps. A document is a stranger's word until it is checked, and each check that fails has a
//! code of its own, which is stable:
//!
//! - addresses: `bad-address`, `insecure-address`, `loopback-from-afar`
//! - the server's document: `resource-metadata-elsewhere`, `no-resource-metadata`, `bad-resource-metadata`,
//!   `resource-mismatch`, `no-authorization-server`, `authorization-server-not-named`, `bad-scope`
//! - the authorization server's: `no-issuer-metadata`, `bad-issuer-metadata`, `issuer-mismatch`, `no-pkce`, `no-code-flow`
//! - the client: `no-client`, `bad-registration`, `registration-of-another-redirect`
//! - the answer in the browser: `ambiguous-answer`, `state-mismatch`, `token-in-redirect`, `authorization-refused`,
//!   `no-code`
//! - the token: `bad-token-answer`, `token-refused`, `not-a-bearer-token`

mod account;
mod address;
mod answer;
mod challenge;
mod client;
mod given;
mod issuer;
mod method;
mod resource;
mod scope;
mod secret;
mod signed_in;
mod wanted;

pub use account::account;
pub use address::{at_origin, checked, is_local, place};
pub use answer::{code, refusal};
pub use challenge::{Challenge, parameter};
pub use client::{Choice, Client, choose, registered, registration};
pub use given::Given;
pub use issuer::Issuer;
pub use method::AuthMethod;
pub use resource::Resource;
pub use scope::{join, split};
pub use secret::Secret;
pub use signed_in::SignedIn;
pub use wanted::wanted;

/// Bytes of the longest text that is taken from a document: an address, an id, a scope.
const MOST_TEXT: usize = 2_048;
