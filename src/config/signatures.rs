//! `[assay]`: the keys that a project trusts to sign tools, and whether every tool must be signed by one.

use super::error::ConfigError;
use super::toml_source::Section;
use crate::signature::{Keyring, TrustedKey};
use crate::text::is_hidden;

pub(super) const ASSAY: [&str; 2] = ["require-signed", "trusted-keys"];

/// The section of a project's file; nothing is trusted where there is none.
pub(super) fn read(top: &Section<'_>) -> Result<Keyring, ConfigError> {
    let Some(section) = top.section("assay")? else { return Ok(Keyring::default()) };
    section.only(&ASSAY)?;
    let mut keyring = Keyring::default();
    for (name, text) in section.pairs("trusted-keys")?.unwrap_or_default() {
        if name.trim().is_empty() || name.contains(is_hidden) {
            return Err(section.bad_value("trusted-keys", "the name must contain a visible character"));
        }
        let key = TrustedKey::parse(&name, &text.value)
            .map_err(|fault| section.bad_value("trusted-keys", format!("the key `{name}`: {fault}")))?;
        if let Some(same) = keyring.keys.iter().find(|known| known.id == key.id) {
            let text = format!("`{}` and `{name}` are one key", same.name);
            return Err(section.bad_value("trusted-keys", text));
        }
        keyring.keys.push(key);
    }
    if let Some(required) = section.flag("require-signed")?.filter(|flag| flag.value) {
        if keyring.keys.is_empty() {
            return Err(section.bad_value("require-signed", "needs `trusted-keys`: no key could have signed"));
        }
        keyring.required = required.value;
    }
    Ok(keyring)
}
