//! How a client proves itself to an authorization server.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

/// How a client says that it is itself (RFC 7591, 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum AuthMethod {
    /// It has no secret.
    None,
    /// By its secret in a header.
    #[serde(rename = "client_secret_basic")]
    #[strum(to_string = "client_secret_basic")]
    Basic,
    /// By its secret in the request's body.
    #[serde(rename = "client_secret_post")]
    #[strum(to_string = "client_secret_post")]
    Post,
}

word!(AuthMethod);
