//! What a tool's own signature says against it. One that does not hold is critical, also where nothing is pinned yet; one
//! that holds says only who signed the text, and lowers nothing.

use super::{Finding, Severity};
use crate::canon::Pointer;
use crate::digest::Item;
use crate::signature::{Keyring, SIGNATURE_MEMBER, Standing, ToolSignature};

/// The rule of a signature that does not hold.
pub const DOES_NOT_HOLD: &str = "signature-does-not-hold";
/// The rule of one that cannot be read, which is as good as none.
pub const MALFORMED: &str = "signature-malformed";
/// The rule of a tool that no trusted key signed, where the project requires that.
pub const REQUIRED: &str = "signature-required";

/// Findings of an item's signature. All are `added`: nothing is compared.
pub(super) fn signed(item: &Item, keyring: &Keyring) -> Vec<Finding> {
    let Some(signature) = ToolSignature::of_item(item, keyring) else { return Vec::new() };
    let mut found = Vec::new();
    let mut tell = |rule, severity, text: String| {
        let path = match signature.standing {
            Standing::Unsigned => Pointer::root(),
            _ => Pointer::root().child(SIGNATURE_MEMBER),
        };
        found.push(Finding::at(rule, path, severity, text));
    };
    match &signature.standing {
        Standing::DoesNotHold(_) => tell(DOES_NOT_HOLD, Severity::Critical, signature.sentence()),
        Standing::Malformed(_) => tell(MALFORMED, Severity::Info, signature.sentence()),
        Standing::Unsigned | Standing::Trusted(_) | Standing::Unnamed(_) | Standing::NotChecked(_) => {}
    }
    let is_trusted = matches!(signature.standing, Standing::Trusted(_));
    if keyring.required && !is_trusted {
        let text = format!("pinwatch.toml requires a signature of a trusted key. {}", signature.sentence());
        tell(REQUIRED, Severity::Critical, text);
    }
    found
}
