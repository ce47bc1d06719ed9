//! The rules of admission by their order, their words and what each asks.

use strum::{IntoStaticStr, VariantArray};

/// A rule; its word is the reason that its failure gives, and its place is that reason's code (SEP-2809, error signalling).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "each says what it asks in `asks`")]
pub enum Rule {
    UnsupportedVersion,
    NotMcpServer,
    Unsigned,
    SignerNotTrusted,
    SignerExpired,
    SignerNotApproved,
    BadSignature,
    BelowRequired,
    HostNotBound,
    ToolNotAdmitted,
}

word!(Rule);

impl Rule {
    /// The rules over a document, in the order in which they are asked. The last one is over a tool.
    pub const DOCUMENT: [Self; 9] = [
        Self::UnsupportedVersion,
        Self::NotMcpServer,
        Self::Unsigned,
        Self::SignerNotTrusted,
        Self::SignerExpired,
        Self::SignerNotApproved,
        Self::BadSignature,
        Self::BelowRequired,
        Self::HostNotBound,
    ];

    /// Its number.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// What it asks, for a person.
    pub fn asks(self) -> &'static str {
        match self {
            Self::UnsupportedVersion => "its version is 1 or \"1.x\"",
            Self::NotMcpServer => "it is a document of an MCP server",
            Self::Unsigned => "it names its signer and is signed",
            Self::SignerNotTrusted => "the signer is in the trust root",
            Self::SignerExpired => "the signer's key is still valid",
            Self::SignerNotApproved => "the signer may give this clearance",
            Self::BadSignature => "the signature holds",
            Self::BelowRequired => "the clearance is high enough",
            Self::HostNotBound => "it was issued for this origin",
            Self::ToolNotAdmitted => "the tool is in the server's list",
        }
    }
}
