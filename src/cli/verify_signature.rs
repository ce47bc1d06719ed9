//! `pinwatch verify-signature`: the `x-assay-sig` of a tool in a file, with the exit codes of Assay's own command.

use super::open;
use super::{Global, VerifySignature, input, out};
use crate::canon::{Code, MAX_PLAIN_DEPTH, read};
use crate::error::{Exit, describe};
use crate::signature::{Keyring, Standing, ToolSignature, TrustedKey};
use crate::text::utf8;
use anyhow::{Context as _, bail};
use serde_json::Value;

/// Assay's codes, the worst first where a file holds several tools.
const INVALID: u8 = 4;
const MALFORMED: u8 = 1;
const NOT_TRUSTED: u8 = 3;
const UNSIGNED: u8 = 2;
const WORST: [u8; 4] = [INVALID, MALFORMED, NOT_TRUSTED, UNSIGNED];

/// Checks and prints a line a tool. What cannot be read at all is malformed, as it is to Assay.
pub fn run(global: &Global, verify: &VerifySignature) -> Exit {
    match checked(global, verify) {
        Ok(codes) => WORST.into_iter().find(|code| codes.contains(code)).map_or(Exit::Fine, Exit::Foreign),
        Err(error) => {
            out::complain(&describe(&error));
            Exit::Foreign(MALFORMED)
        }
    }
}

fn checked(global: &Global, verify: &VerifySignature) -> anyhow::Result<Vec<u8>> {
    let name = verify.file.display();
    let mut keyring: Keyring = open::open(global, None)?.config.policy.rules.signatures.as_ref().clone();
    if let Some(path) = &verify.key {
        let bytes = input::read(path)?;
        let text = utf8(&bytes).map(String::from_utf8_lossy).unwrap_or_default();
        let key = TrustedKey::parse(&path.display().to_string(), &text);
        // Who names a key on the command line means this one.
        keyring.keys.insert(0, key.with_context(|| format!("{} is not a public key", path.display()))?);
    }
    let bytes = input::read(&verify.file)?;
    let reading = read(&bytes, MAX_PLAIN_DEPTH).map_err(|fault| anyhow::anyhow!("{name} cannot be read: {fault}"))?;
    if let Some(code) = reading.codes.iter().find(|code| **code != Code::Number) {
        bail!("{name} has more than one reading: {}", code.sentence());
    }
    let tools = match &reading.value {
        Value::Array(tools) => tools.as_slice(),
        Value::Object(members) => match members.get("tools") {
            Some(Value::Array(tools)) => tools.as_slice(),
            Some(_) | None => std::slice::from_ref(&reading.value),
        },
        _ => bail!("{name} is not a tool; expected an object, or a list of them"),
    };
    if tools.is_empty() {
        bail!("{name} holds no tool");
    }
    Ok(tools.iter().map(|tool| told(tool, &keyring)).collect())
}

fn told(tool: &Value, keyring: &Keyring) -> u8 {
    let signature = ToolSignature::of(tool, keyring);
    let tool = tool.get("name").and_then(Value::as_str).unwrap_or("(no name)");
    out::line(&format!("{tool}: {signature}"));
    match signature.standing {
        Standing::Trusted(_) => 0,
        Standing::Unsigned => UNSIGNED,
        Standing::Unnamed(_) | Standing::NotChecked(_) => NOT_TRUSTED,
        Standing::DoesNotHold(_) => INVALID,
        Standing::Malformed(_) => MALFORMED,
    }
}
