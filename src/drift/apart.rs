//! What keeps an item apart from those that one act pins at first contact.

use super::signed::signed;
use super::{Finding, Severity};
use crate::digest::Item;
use crate::finding;
use crate::signature::Keyring;

/// Why an item is not to be pinned with all others: what its signature says against it, or what its texts say (`found`).
pub fn critical(item: &Item, found: &[Finding], keyring: &Keyring) -> Option<String> {
    let against = signed(item, keyring).into_iter().find(|finding| finding.severity == Severity::Critical);
    against.map(|finding| finding.text).or_else(|| finding::critical(found))
}
