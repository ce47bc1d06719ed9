//! Decision events of Assay (CloudEvents 1.0, `assay.tool.decision`).

use crate::interop::call::{Call, Verdict, definition, text, time};
use crate::interop::document::Refused;
use serde_json::Value;

/// The type of such an event.
pub const DECISION: &str = "assay.tool.decision";

/// The call that an event tells of.
pub fn call(event: &Value) -> Result<Call, Refused> {
    let data = event.get("data").ok_or_else(|| Refused::new("`data` is missing"))?;
    let verdict = match text(data, "decision")? {
        "allow" => Verdict::Allowed,
        "deny" => Verdict::Denied,
        "error" => Verdict::Error,
        _ => return Err(Refused::new("`decision` must be allow, deny or error")),
    };
    for name in ["reason_code", "tool_call_id"] {
        text(data, name)?;
    }
    let owned = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    Ok(Call {
        at: time(event, "time")?,
        server: owned(data.get("server_id")),
        tool: text(data, "tool")?.to_owned(),
        caller: owned(event.get("subject")),
        verdict,
        definition: definition(data)?,
    })
}
