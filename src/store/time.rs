//! Times as our files write them.

use jiff::Timestamp;
use serde::{Deserialize as _, Deserializer, Serializer};

/// A time as our files write it: RFC 3339 in UTC, whole seconds.
pub fn utc(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// [`utc`], for serde's `with`.
pub(super) fn serialize<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&utc(*at))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}
