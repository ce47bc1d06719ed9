//! Times as our files write them.

use jiff::Timestamp;

/// A time as our files write it: RFC 3339 in UTC, whole seconds.
pub fn utc(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
