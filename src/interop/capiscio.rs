//! Tool invocation events of CapiscIO's RFC-006, v0.3 and v0.4, as its text has them and as capiscio-core writes them.

use super::call::{Call, Verdict, definition, text, time};
use super::document::Refused;
use crate::canon::jcs;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::Value;
use sha2::Digest as _;

/// The name of such an event.
pub const INVOCATION: &str = "capiscio.tool_invocation";

/// The levels of the text, and those that capiscio-core writes in their place.
const LEVELS: [&str; 7] = ["badge+envelope", "badge", "apikey", "anonymous", "BADGE", "API_KEY", "ANONYMOUS"];

/// The call that an event tells of.
pub fn call(event: &Value) -> Result<Call, Refused> {
    // It is there for every caller; of an anonymous one capiscio-core writes it empty.
    let caller = event.get("capiscio.agent.did").and_then(Value::as_str);
    let caller = caller.ok_or_else(|| Refused::new("`capiscio.agent.did` is missing or no text"))?;
    if !LEVELS.contains(&text(event, "capiscio.auth.level")?) {
        return Err(Refused::new("`capiscio.auth.level` must be badge+envelope, badge, apikey or anonymous"));
    }
    text(event, "capiscio.policy_version")?;
    let verdict = match text(event, "capiscio.decision")? {
        "ALLOW" => Verdict::Allowed,
        "DENY" => Verdict::Denied,
        _ => return Err(Refused::new("`capiscio.decision` must be ALLOW or DENY")),
    };
    Ok(Call {
        at: time(event, "timestamp")?,
        server: event.get("server_origin").and_then(Value::as_str).map(str::to_owned),
        tool: text(event, "capiscio.target")?.to_owned(),
        caller: Some(caller.to_owned()).filter(|caller| !caller.is_empty()),
        verdict,
        definition: definition(event)?,
    })
}

/// The digest of a call's arguments by RFC-006, 7.2.1: SHA-256 of the RFC 8785 text, in base64url without padding.
pub fn params_hash(params: &Value) -> String {
    format!("sha256:{}", BASE64_URL_SAFE_NO_PAD.encode(sha2::Sha256::digest(jcs(params))))
}
