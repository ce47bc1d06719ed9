//! One statement: made, signed, verified, read.

use super::domain::{Bound, Domain, SUITE, preimage};
use crate::digest::Sha256;
use crate::interop::call::{Call, Ruled, Verdict, definition, run, text, time};
use crate::interop::document::Refused;
use crate::signature::{PublicKey, SigningKey};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use strum::IntoStaticStr;

/// The type of such a statement.
pub const TOOL_CALL: &str = "sealedproof.action.toolcall";

/// What the statements of the guard keep to: everything by digest, nothing disclosed.
const PROFILE: &str = "pinwatch.guard.v1";

/// The members that a signature does not cover.
const SIGNATURES: &str = "signatures";

/// How a call ended, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Ended {
    /// It did not pass.
    Denied,
    /// It was answered with a result.
    Result,
    /// It was answered with an error of the protocol.
    Error,
    /// What came as an answer did not pass.
    Unreadable,
    /// The client cancelled it.
    Cancelled,
    /// No answer came.
    Unanswered,
}

word!(Ended);

/// The statement of a call that is over. `version` is what the server says it is; `previous` the digest of the statement before
/// it in the run. What was read of no answer has no output.
pub fn statement(
    ruled: &Ruled<'_>,
    version: Option<&str>,
    input: &Bound,
    (ended, at, output): (Ended, &str, Option<&Bound>),
    previous: Option<Sha256>,
) -> Value {
    let evidence_id = format!("sp_evi_{}-{}", ruled.run, ruled.span);
    // The adapter wants a version or a digest in its place.
    let digest = ruled.definition.map(|definition| definition.digest());
    let version = version.or(digest.as_deref()).unwrap_or("unknown");
    let mut claims = json!({
        "decision": if ruled.passes { "allow" } else { "deny" },
        "ground": ruled.ground.word(),
        "ended": ended.word(),
        "policy": ruled.policy,
    });
    ruled.bind(&mut claims);
    let mut hints = vec![Value::from(ruled.ground.word())];
    hints.extend([Some(input), output].into_iter().flatten().filter_map(|bound| bound.fault).map(Value::from));
    let mut artifacts = vec![artifact("input", input)];
    artifacts.extend(output.map(|output| artifact("output", output)));
    let mut statement = json!({
        "statementType": TOOL_CALL,
        "statementVersion": "0.1",
        "issuedAt": at,
        "evidence_id": evidence_id,
        "subject": { "actionId": evidence_id, "artifacts": artifacts },
        "tool": { "name": format!("{}/{}", ruled.server, ruled.tool), "version": version, "server_id": ruled.server },
        "actor": { "type": "agent", "id": format!("run-{}", &ruled.run[..ruled.run.len().min(16)]) },
        "timestamp": { "start": ruled.at, "end": at },
        "trace": { "trace_id": ruled.run, "span_id": ruled.span },
        "input": closed(input),
        "profile": PROFILE,
        "suite_id": SUITE,
        "reason": { "hints": hints },
        "claims": claims,
    });
    if let Some(output) = output {
        statement["output"] = closed(output);
    }
    if let Some(previous) = previous {
        statement["chain"] = json!({ "prev_evidence_digest": format!("sha256:{previous}") });
    }
    statement
}

/// A value that is not disclosed.
fn closed(bound: &Bound) -> Value {
    let canonicalization = if bound.canonical { "sp-jcs-v1" } else { "raw" };
    json!({ "digest": format!("sha256:{}", bound.digest), "disclosure": "none", "canonicalization": canonicalization })
}

fn artifact(name: &str, bound: &Bound) -> Value {
    json!({ "name": name, "digest": format!("sha256:{}", bound.digest), "mediaType": "application/json" })
}

/// A statement without its signatures, and its suite.
fn unsigned(statement: &Value) -> Result<(Value, &str), Fault> {
    let suite = statement.get("suite_id").and_then(Value::as_str).unwrap_or_default();
    if suite != SUITE {
        return Err(Fault::Suite);
    }
    let mut bare = statement.clone();
    if let Some(members) = bare.as_object_mut() {
        members.remove(SIGNATURES);
    }
    Ok((bare, suite))
}

/// The digest of a statement, which the next one names.
pub fn digest(statement: &Value) -> Result<Sha256, Fault> {
    let (bare, suite) = unsigned(statement)?;
    Ok(Sha256::of(preimage(Domain::Statement, suite, &bare)))
}

/// A statement with its signature, and its digest.
pub fn signed(mut statement: Value, key: &SigningKey) -> Result<(Value, Sha256), Fault> {
    let (bare, suite) = unsigned(&statement)?;
    let bytes = preimage(Domain::Statement, suite, &bare);
    statement[SIGNATURES] = json!([{
        "role": "producer",
        "keyRef": format!("kid:{}", key.public().id()),
        "alg": "ed25519",
        "sig": BASE64_STANDARD.encode(key.sign(bytes.as_bytes())),
    }]);
    Ok((statement, Sha256::of(bytes)))
}

/// Why a statement does not hold, with SealedProof's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Another suite than the one that is known: nothing is guessed of it.
    #[error("its suite is not known (E003)")]
    Suite,
    /// No signature by this key holds over it, in this meaning.
    #[error("no signature of it holds (E201)")]
    Signature,
}

/// The id of the key that a statement says it is signed with: `sha256:` and the digest of the key's envelope.
pub fn key_of(statement: &Value) -> Option<&str> {
    let signatures = statement.get(SIGNATURES).and_then(Value::as_array)?;
    signatures.first()?.get("keyRef")?.as_str()?.strip_prefix("kid:")
}

/// Whether a signature of a statement by this key holds.
pub fn verify(statement: &Value, key: &PublicKey) -> Result<(), Fault> {
    let (bare, suite) = unsigned(statement)?;
    let bytes = preimage(Domain::Statement, suite, &bare);
    let signatures = statement.get(SIGNATURES).and_then(Value::as_array).ok_or(Fault::Signature)?;
    let holds = |one: &Value| {
        let signature = one.get("sig").and_then(Value::as_str).and_then(|text| BASE64_STANDARD.decode(text).ok());
        signature.is_some_and(|signature| key.verifies(bytes.as_bytes(), &signature))
    };
    if signatures.iter().any(holds) { Ok(()) } else { Err(Fault::Signature) }
}

/// The call that a statement tells of. Whether it is signed is not looked at.
pub fn call(statement: &Value) -> Result<Call, Refused> {
    let part = |name: &str| statement.get(name).ok_or_else(|| Refused::new(format!("`{name}` is missing")));
    let (tool, timestamp) = (part("tool")?, part("timestamp")?);
    for name in ["input", "actor"] {
        part(name)?;
    }
    text(statement, "evidence_id")?;
    let server = tool.get("server_id").and_then(Value::as_str);
    let name = text(tool, "name")?;
    let own = server.and_then(|server| name.strip_prefix(server)?.strip_prefix('/')).filter(|own| !own.is_empty());
    let none = Value::Null;
    let claims = statement.get("claims").unwrap_or(&none);
    let verdict = match claims.get("decision").and_then(Value::as_str) {
        // An adapter tells of calls that were made.
        None | Some("allow") => Verdict::Allowed,
        Some("deny") => Verdict::Denied,
        Some(_) => return Err(Refused::new("`claims.decision` must be allow or deny")),
    };
    Ok(Call {
        at: time(timestamp, "start")?,
        server: server.map(str::to_owned),
        tool: own.unwrap_or(name).to_owned(),
        caller: statement.pointer("/actor/id").and_then(Value::as_str).map(str::to_owned),
        verdict,
        definition: definition(claims)?,
        run: run(statement.pointer("/trace/trace_id").and_then(Value::as_str)),
    })
}
