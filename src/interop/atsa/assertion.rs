//! Where a server shows its document: at its well-known address, or in its answer to the handshake.

use super::{Admission, Asked, Document, Origin, TrustRoot, Unread, admit};
use crate::canon::{MAX_PLAIN_DEPTH, read};
use crate::identity::{Attestation, NO_TRUST_ROOT};
use crate::surface::{Completeness, Exhibit, Kind, Observation, Reason};
use jiff::Timestamp;
use serde_json::Value;
use std::sync::Arc;

/// Members of `capabilities.experimental` that can hold nothing else. The text leaves the name open; a member of another name
/// is taken for an assertion by its form.
const NAMES: [&str; 3] = ["mcp-attestation", "attestation", "atsa"];

/// What a server is held to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trust {
    /// The keys and levels.
    pub root: Arc<TrustRoot>,
    /// The least level; none where a server need not be attested.
    pub required: Option<String>,
}

/// What a server shows of its attestation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assertion {
    /// Nothing, in every place where it could.
    Absent,
    /// Something that should be a document.
    Shown(Result<Document, Unread>),
    /// It could not be asked for.
    Unread(Reason),
}

impl Assertion {
    /// The assertion of a server that was looked at. The well-known address counts first.
    pub fn of(observation: &Observation) -> Self {
        let place = &observation.presented.attestation;
        if let Exhibit::Bytes(bytes) = place {
            return Self::Shown(Document::read(bytes));
        }
        if observation.observed_as.is_none() {
            return Self::Unread(Reason::new("not-observed", "the server was not looked at"));
        }
        match (in_band(observation), place) {
            (Some(shown), _) => Self::Shown(shown),
            (None, Exhibit::Unread(reason)) => Self::Unread(reason.clone()),
            (None, _) => match observation.completeness.get(&Kind::Capabilities) {
                Some(Completeness::Failed(reason) | Completeness::Partial(reason)) => Self::Unread(reason.clone()),
                _ => Self::Absent,
            },
        }
    }

    /// What the rules say of it; none where it could not be asked for.
    pub fn admission(&self, trust: &Trust, origin: Option<&Origin>, now: Timestamp) -> Option<Admission> {
        let asked = Asked { root: &trust.root, origin, required: trust.required.as_deref(), now };
        match self {
            Self::Unread(_) => None,
            Self::Absent => Some(admit(Err(&Unread("the server shows no document".to_owned())), asked)),
            Self::Shown(document) => Some(admit(document.as_ref(), asked)),
        }
    }

    /// The state that it gives a server.
    pub fn attestation(&self, trust: Option<&Trust>, origin: Option<&Origin>, now: Timestamp) -> Attestation {
        let admission = match (self, trust) {
            (Self::Absent, _) => return Attestation::Unattested,
            (Self::Unread(reason), _) => return Attestation::NotChecked(reason.clone()),
            (Self::Shown(_), None) => {
                let text = "the server shows an assertion, and no [trust] root says what it is held to";
                return Attestation::NotChecked(Reason::new(NO_TRUST_ROOT, text));
            }
            (Self::Shown(_), Some(trust)) => self.admission(trust, origin, now),
        };
        match admission.map(|admission| admission.outcome) {
            None => Attestation::Unattested,
            Some(Ok(admitted)) => Attestation::Attested {
                level: admitted.level,
                clearance_id: admitted.id,
                signer_key_id: admitted.signer_key_id,
            },
            Some(Err(denial)) => {
                Attestation::Refused { reason: denial.rule.word(), code: denial.rule.code(), why: denial.why }
            }
        }
    }
}

/// What stands in the handshake's answer under an experimental capability; none where nothing does.
fn in_band(observation: &Observation) -> Option<Result<Document, Unread>> {
    let item = observation.items.iter().find(|item| item.kind == Kind::Capabilities)?;
    let reading = read(&item.bytes, MAX_PLAIN_DEPTH).ok()?;
    let experimental = reading.value.get("experimental")?.as_object()?;
    let has_form = |value: &Value| value.get("clearance").is_some() && value.get("capabilities").is_some();
    let mut found = experimental.iter().filter(|(name, value)| NAMES.contains(&name.as_str()) || has_form(value));
    let (_, value) = found.next()?;
    if found.next().is_some() {
        return Some(Err(Unread("its handshake holds more than one assertion".to_owned())));
    }
    if let Some(code) = reading.codes.first() {
        return Some(Err(Unread(code.sentence().to_owned())));
    }
    Some(Document::read(value.to_string().as_bytes()))
}
