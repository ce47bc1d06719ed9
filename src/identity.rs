//! Who a server is, as far as that was checked. What is not known here is said to be so: it never reads as nothing.
//!
//! `interop` works it out, a baseline is tied to it, reports and the screen show it.

use crate::surface::Reason;
use serde::Serialize;
use serde_json::{Value, json};
use strum::IntoStaticStr;

/// The code of an assertion that there is not a trust root to hold it to.
pub const NO_TRUST_ROOT: &str = "no-trust-root";

/// Who a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerIdentity {
    /// Whether a publisher vouches for it (ATSA).
    pub attestation: Attestation,
    /// The principal that it says it is (CapiscIO RFC-007).
    pub principal: Principal,
    /// As whom it was looked at.
    pub account: Account,
}

/// What came of a server's attestation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, IntoStaticStr)]
#[serde(tag = "state", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Attestation {
    /// Nothing can be said, and why.
    NotChecked(Reason),
    /// The server shows no assertion.
    Unattested,
    /// A trusted key's holder vouches for it.
    #[expect(missing_docs, reason = "the names say it")]
    Attested { level: String, clearance_id: String, signer_key_id: String },
    /// Its assertion does not admit it: the failed rule's word and number, and a sentence's end that may quote it.
    #[expect(missing_docs, reason = "the names say it")]
    Refused {
        reason: &'static str,
        code: u8,
        #[serde(rename = "text")]
        why: String,
    },
}

/// What a server says of its principal.
#[derive(Clone, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Principal {
    /// Where it would say so was not read, or the era has no such place.
    NotVisible(Reason),
    /// It names none; where what it says is unclear, in which way.
    UnverifiedOrigin(Option<String>),
    /// It names one. A badge that would prove it is not checked.
    #[strum(to_string = "DECLARED_PRINCIPAL")]
    #[expect(missing_docs, reason = "the names say it")]
    Declared { did: String, has_badge: bool },
}

/// The account and the scopes that a server was looked at with: its lists may depend on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Account {
    /// Nothing can be said, and why.
    NotChecked(Reason),
    /// Nobody is signed in.
    None,
    /// Somebody is: the account, who vouches for it, and the scopes, as the authorization server told them.
    SignedIn(String),
}

impl Default for ServerIdentity {
    fn default() -> Self {
        let reason = || Reason::new("not-observed", "the server was not looked at");
        Self {
            attestation: Attestation::NotChecked(reason()),
            principal: Principal::NotVisible(reason()),
            account: Account::NotChecked(reason()),
        }
    }
}

word!(ref Attestation);

impl Attestation {
    /// The state with what is most worth knowing of it, for a place with little room.
    pub fn short(&self) -> String {
        match self {
            Self::NotChecked(_) => "not checked".to_owned(),
            Self::Unattested => "unattested".to_owned(),
            Self::Attested { level, .. } => format!("attested ({level})"),
            Self::Refused { reason, code, .. } => format!("refused ({code} {reason})"),
        }
    }

    /// What is known of it, without a full stop. May quote the server.
    pub fn sentence(&self) -> String {
        match self {
            Self::NotChecked(reason) => format!("not checked: {}", reason.text),
            Self::Unattested => "unattested: the server shows no assertion".to_owned(),
            Self::Attested { level, clearance_id, signer_key_id } => {
                format!("attested at `{level}` as `{clearance_id}`, by the key `{signer_key_id}`")
            }
            Self::Refused { reason, code, why } => format!("refused: {reason} ({code}): {why}"),
        }
    }
}

// The words are RFC-007's own where it has one.
word!(ref Principal);

impl Principal {
    /// What is known of it, without a full stop. May quote the server.
    pub fn sentence(&self) -> String {
        match self {
            Self::NotVisible(reason) => format!("not visible: {}", reason.text),
            Self::UnverifiedOrigin(None) => "UNVERIFIED_ORIGIN: the server names no principal".to_owned(),
            Self::UnverifiedOrigin(Some(why)) => format!("UNVERIFIED_ORIGIN: {why}"),
            Self::Declared { did, has_badge: true } => {
                format!("DECLARED_PRINCIPAL {did} (badge present, not checked)")
            }
            Self::Declared { did, has_badge: false } => format!("DECLARED_PRINCIPAL {did} (no badge)"),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::NotVisible(reason) => json!({"state": self.word(), "code": reason.code, "text": reason.text}),
            Self::UnverifiedOrigin(why) => json!({"state": self.word(), "text": why}),
            Self::Declared { did, has_badge } => {
                let badge = if *has_badge { "present, not checked" } else { "none" };
                json!({"state": self.word(), "did": did, "badge": badge})
            }
        }
    }
}

impl ServerIdentity {
    /// As reports have it.
    pub fn to_json(&self) -> Value {
        let mut identity = json!({"attestation": self.attestation, "principal": self.principal.to_json()});
        if let Account::SignedIn(account) = &self.account {
            identity["account"] = Value::from(account.as_str());
        }
        identity
    }

    /// Every text of it that may quote the server, for whoever masks what is shown.
    pub fn texts_mut(&mut self) -> Vec<&mut String> {
        let mut texts = match &mut self.attestation {
            Attestation::NotChecked(reason) => vec![&mut reason.text],
            Attestation::Unattested => Vec::new(),
            Attestation::Attested { level, clearance_id, signer_key_id } => vec![level, clearance_id, signer_key_id],
            Attestation::Refused { why, .. } => vec![why],
        };
        texts.extend(match &mut self.principal {
            Principal::NotVisible(reason) => Some(&mut reason.text),
            Principal::UnverifiedOrigin(why) => why.as_mut(),
            Principal::Declared { did, .. } => Some(did),
        });
        texts.extend(match &mut self.account {
            Account::NotChecked(reason) => Some(&mut reason.text),
            Account::None => None,
            Account::SignedIn(account) => Some(account),
        });
        texts
    }

    /// The lines that a person is told, each with what it is about. What most servers are, unattested and of no principal,
    /// is told only where the project asks for more.
    pub fn lines(&self, is_asked: bool) -> Vec<(&'static str, String)> {
        let attested = match &self.attestation {
            Attestation::NotChecked(reason) => is_asked || reason.code == NO_TRUST_ROOT,
            Attestation::Unattested => is_asked,
            Attestation::Attested { .. } | Attestation::Refused { .. } => true,
        };
        let named = matches!(self.principal, Principal::Declared { .. } | Principal::UnverifiedOrigin(Some(_)));
        let attested = attested.then(|| ("admission", self.attestation.sentence()));
        let named = named.then(|| ("principal", self.principal.sentence()));
        let signed_in = match &self.account {
            Account::SignedIn(account) => Some(("signed in", account.clone())),
            Account::NotChecked(_) | Account::None => None,
        };
        attested.into_iter().chain(named).chain(signed_in).collect()
    }
}
