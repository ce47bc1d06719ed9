//! Decision events of Assay (CloudEvents 1.0, `assay.tool.decision`): read, and written of what the guard decided.

use crate::interop::call::{Call, Ground, Ruled, Verdict, definition, run, text, time};
use crate::interop::document::Refused;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

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
        run: run(event.get("traceparent").and_then(Value::as_str).and_then(|parent| parent.split('-').nth(1))),
    })
}

/// The event of a call that the guard decided. `uuid` makes its id. The run and the call stand in CloudEvents' own extension
/// for tracing; what of Assay's members is Assay's to say (its policy snapshot, its approvals) is left out.
pub fn event(ruled: &Ruled<'_>, uuid: &str) -> Value {
    let mut data = json!({
        "tool": ruled.tool,
        "decision": if ruled.passes { "allow" } else { "deny" },
        "reason_code": code(ruled.ground, ruled.passes),
        "reason": ruled.ground.word(),
        "tool_call_id": format!("{}-{}", ruled.run, ruled.span),
        "policy_version": ruled.policy,
        "server_id": ruled.server,
    });
    ruled.bind(&mut data);
    json!({
        "specversion": "1.0",
        "id": format!("evt_decision_{uuid}"),
        "type": DECISION,
        "source": format!("urn:pinwatch:guard:{}", utf8_percent_encode(ruled.server, NON_ALPHANUMERIC)),
        "time": ruled.at,
        "traceparent": format!("00-{}-{}-01", ruled.run, ruled.span),
        "data": data,
    })
}

/// Assay's code for what was decided (its reason codes, SPEC-Mandate-v1.0.4 §7.10, and 6.21.0's for what was not observed).
fn code(ground: Ground, passes: bool) -> &'static str {
    match ground {
        _ if passes => "P_POLICY_ALLOW",
        Ground::Changed => "P_TOOL_DRIFT",
        Ground::New | Ground::ApprovedElsewhere => "P_APPROVAL_REQUIRED",
        Ground::Rejected => "P_TOOL_DENIED",
        Ground::NotAdmitted => "P_TOOL_NOT_ALLOWED",
        Ground::NotListed | Ground::ListUnread => "P_TOOL_UNOBSERVED",
        Ground::NoEvidence => "S_INTERNAL_ERROR",
        Ground::Approved
        | Ground::Ignored
        | Ground::Closed
        | Ground::Unreadable
        | Ground::IdInUse
        | Ground::Cancelled => "P_POLICY_DENY",
    }
}
