//! Tool invocation events of CapiscIO's RFC-006, v0.3 and v0.4: read as its text has them and as capiscio-core writes them, and
//! written of what the guard decided.

use super::call::{Call, Ground, Ruled, Verdict, definition, run, text, time};
use super::document::Refused;
use crate::canon::jcs;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
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
        run: run(event.get("trace_id").and_then(Value::as_str)),
    })
}

/// The event of a call that the guard decided. `params` is the [`params_hash`] of its arguments, where they have one. The
/// guard knows no caller's badge: the DID is empty, as capiscio-core writes it for an anonymous one.
pub fn event(ruled: &Ruled<'_>, params: Option<&str>, uuid: &str) -> Value {
    let mut event = json!({
        "event.name": INVOCATION,
        "id": uuid,
        "timestamp": ruled.at,
        "trace_id": ruled.run,
        "span_id": ruled.span,
        "server_origin": ruled.server,
        "capiscio.agent.did": "",
        "capiscio.auth.level": "anonymous",
        "capiscio.target": ruled.tool,
        "capiscio.policy_version": ruled.policy,
        "capiscio.decision": if ruled.passes { "ALLOW" } else { "DENY" },
    });
    if let Some(params) = params {
        event["capiscio.tool.params_hash"] = params.into();
    }
    if !ruled.passes {
        // Those of section 10 that say what a guard knows.
        let is_absent = matches!(ruled.ground, Ground::NotListed | Ground::NotAdmitted);
        event["capiscio.deny_reason"] = if is_absent { "TOOL_NOT_FOUND" } else { "TOOL_POLICY_DENIED" }.into();
    }
    ruled.bind(&mut event);
    event
}

/// The digest of a call's arguments by RFC-006, 7.2.1: SHA-256 of the RFC 8785 text, in base64url without padding.
pub fn params_hash(params: &Value) -> String {
    format!("sha256:{}", BASE64_URL_SAFE_NO_PAD.encode(sha2::Sha256::digest(jcs(params))))
}
