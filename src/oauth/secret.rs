//! A text that nobody may see: its `Debug` does not show it.

use serde::{Deserialize, Serialize};

/// A token, a code or a client's secret.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

opaque!(Secret);
