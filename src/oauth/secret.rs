//! A text that nobody may see: its `Debug` does not show it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A token, a code or a client's secret.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}
