//! Whether a server is admitted, as the chain tells it: the contract's `admission-control`, and what it was read off.

use super::record::{Outcome, spelled};
use crate::digest::Sha256;
use crate::drift::Admissions;
use crate::identity::{Attestation, ServerIdentity};
use serde_json::{Value, json};

/// What came of holding a server to the project's trust root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clearance {
    server: String,
    attestation: Attestation,
    /// The digest of the trust root; none where only a level is demanded.
    root: Option<String>,
    required: Option<String>,
    /// The closed list of tools, where there is one.
    tools: Option<Vec<String>>,
}

impl Clearance {
    /// What came of it; none where the project demands nothing. Texts of the identity are masked by who hands it.
    pub fn of(server: &str, identity: &ServerIdentity, demanded: &Admissions) -> Option<Self> {
        let required = demanded.required(server).map(str::to_owned);
        (demanded.root.is_some() || required.is_some()).then(|| Self {
            server: server.to_owned(),
            attestation: identity.attestation.clone(),
            root: demanded.root.clone(),
            required,
            tools: demanded.tools.get(server).map(|tools| tools.iter().cloned().collect()),
        })
    }

    /// What that means for the server. One that shows nothing is refused only where something is required of it.
    pub(super) fn outcome(&self) -> Outcome {
        match &self.attestation {
            Attestation::Attested { .. } => Outcome::Allowed,
            Attestation::Refused { .. } => Outcome::Denied,
            Attestation::Unattested if self.required.is_some() => Outcome::Denied,
            Attestation::Unattested | Attestation::NotChecked(_) => Outcome::Deferred,
        }
    }

    /// The contract's word for it.
    fn decision(&self) -> &'static str {
        match self.outcome() {
            Outcome::Allowed => "admitted",
            Outcome::Denied => "denied",
            Outcome::Deferred | Outcome::Error => "deferred",
        }
    }

    /// A verb and what is most worth knowing, for the record's sentence.
    pub(super) fn sentence(&self) -> String {
        let verb = match self.outcome() {
            Outcome::Allowed => "admitted",
            Outcome::Denied => "did not admit",
            Outcome::Deferred | Outcome::Error => "could not decide whether to admit",
        };
        format!("{verb} {}: {}", spelled(&self.server), spelled(&self.attestation.short()))
    }

    /// The contract's extension.
    pub(super) fn extension(&self) -> Value {
        let mut told = json!({"server_id": spelled(&self.server), "clearance_decision": self.decision()});
        if let Attestation::Attested { level, .. } = &self.attestation {
            told["clearance_level"] = spelled(level).into();
        }
        if let Some(root) = &self.root {
            told["trust_root_id"] = spelled(root).into();
        }
        if let Some(tools) = &self.tools {
            // The empty text is a list that admits none.
            let names = tools.join(" ");
            told["tool_allowlist_scope"] = if names.is_empty() { names } else { spelled(&names) }.into();
        }
        told
    }

    /// All of it that another look repeats: the wording of a reason is none of it.
    pub(super) fn evidence(&self) -> Value {
        let mut attestation = json!({"state": self.attestation.word()});
        match &self.attestation {
            Attestation::NotChecked(reason) => attestation["code"] = reason.code.into(),
            Attestation::Unattested => {}
            Attestation::Attested { level, clearance_id, signer_key_id } => {
                for (name, text) in [("level", level), ("clearance_id", clearance_id), ("signer_key_id", signer_key_id)]
                {
                    attestation[name] = spelled(text).into();
                }
            }
            Attestation::Refused { reason, code, .. } => {
                attestation["reason"] = (*reason).into();
                attestation["code"] = (*code).into();
            }
        }
        json!({
            "decision": self.decision(),
            "attestation": attestation,
            "required": self.required,
            "trust_root": self.root,
            "tools": self.tools.as_ref().map(|tools| format!("sha256:{}", Sha256::of(tools.join("\n")))),
        })
    }
}
