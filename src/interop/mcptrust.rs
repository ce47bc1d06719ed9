//! MCPTrust: lock files and their signatures, and what its `check` says of a difference (interop/FORMATS.md, 3).
//!
//! A lock is hashes. It never makes a pin: it is compared, and what is compared here stands beside it in full.

mod asks;
mod canon;
mod compare;
mod input;
mod lock;
mod make;
mod policy;
mod report;
mod says;
mod seal;

pub use asks::asked_by;
pub use canon::{Canon, canon};
pub use compare::{Difference, compare};
pub use input::{input, input_digest};
pub use lock::{Locked, LockedPrompt, LockedTemplate, LockedTool, Version};
pub use make::{
    Shown, arguments_hash, description_hash, input_schema_hash, normalized_hash, prompt_of, template_hash, tool_of,
};
pub use policy::{Came, Mode, NO_BASELINE, Preset, Rule, Ruled, Rules, Verdict, Verdicts, Waiver, evaluate};
pub use report::{FailOn, report};
pub use says::LockSays;
pub use seal::{Seal, Unsealed};

use crate::canon::{MAX_PLAIN_DEPTH, read_signed_zero};
use crate::digest::Item;
use serde_json::Value;

/// An item as its reader takes it: numbers are doubles, and -0 is another one than 0. What a baseline keeps of a plain
/// definition has lost that sign.
pub fn as_read(item: &Item) -> Value {
    let received =
        (!item.received.is_empty()).then(|| read_signed_zero(&item.received, MAX_PLAIN_DEPTH).ok()).flatten();
    received.map_or_else(|| item.definition.as_read(), |reading| reading.value)
}
