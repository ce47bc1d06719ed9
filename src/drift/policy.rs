//! The three profiles: which table of severities is in force. A profile changes how bad a drift is, never what it is.

use super::judge::Versions;
use super::{Admissions, CapabilityIdentity, Change, ChangeKind, Drift, DriftType, Exceptions, Severity};
use crate::finding::Settings;
use crate::signature::Keyring;
use crate::surface::Kind;
use std::cmp::Reverse;
use std::sync::Arc;
use strum::{EnumString, IntoStaticStr, VariantNames};

/// Which table of severities is in force; the words are those of `pinwatch.toml`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, IntoStaticStr, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case", parse_err_ty = String, parse_err_fn = no_profile)]
pub enum Profile {
    /// pinwatch's own table.
    #[default]
    Balanced,
    /// The higher of pinwatch's and MCPTrust's.
    Strict,
    /// MCPTrust's published capability-identity table; what it does not name is info.
    CapabilityIdentity,
}

word!(Profile);

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 3] = [Self::Balanced, Self::Strict, Self::CapabilityIdentity];
}

fn no_profile(word: &str) -> String {
    format!("no profile `{word}`; one of {}", Profile::VARIANTS.join(", "))
}

/// How drifts are judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// The table in force.
    pub profile: Profile,
    /// What the project says otherwise.
    pub exceptions: Arc<Exceptions>,
    /// The keys that the project trusts to sign tools.
    pub signatures: Arc<Keyring>,
    /// What the project says of the rules of findings.
    pub findings: Arc<Settings>,
    /// What the project demands of who a server is.
    pub admissions: Arc<Admissions>,
}

impl From<Profile> for Policy {
    fn from(profile: Profile) -> Self {
        Self { profile, ..Self::default() }
    }
}

impl Policy {
    /// Applies the profile, then what the project says otherwise, to a drift of a server that was judged by pinwatch's own
    /// table, and puts its changes in order.
    pub(super) fn apply(&self, server: &str, drift: &mut Drift) {
        if !drift.drift_type.is_of_identity() {
            let table = drift.capability_identity.iter().map(|row| row.severity).max();
            drift.severity = self.choose(drift.severity, table).max(Severity::Info);
            for change in &mut drift.changes {
                change.severity = self.choose(change.severity, table_of_change(drift.drift_type, change));
            }
        }
        let more = |change: &Change| change.change == ChangeKind::More;
        drift
            .changes
            .sort_by(|a, b| (more(a), Reverse(a.severity), &a.path).cmp(&(more(b), Reverse(b.severity), &b.path)));
        self.exceptions.rate(server, drift);
    }

    fn choose(&self, own: Severity, table: Option<Severity>) -> Severity {
        match self.profile {
            Profile::Balanced => own,
            Profile::Strict => table.map_or(own, |table| own.max(table)),
            Profile::CapabilityIdentity => table.unwrap_or(Severity::Info),
        }
    }
}

/// What the capability-identity table says of one change.
fn table_of_change(drift_type: DriftType, change: &Change) -> Option<Severity> {
    match (drift_type, change.change) {
        (DriftType::ToolAdded | DriftType::ToolRenamed, ChangeKind::ItemAdded | ChangeKind::Renamed) => {
            Some(Severity::Critical)
        }
        (DriftType::RiskLevelChanged, _) => Some(Severity::Critical),
        (DriftType::PromptChanged | DriftType::TemplateChanged, _) => Some(Severity::Safe),
        (DriftType::ToolChanged | DriftType::ToolRenamed | DriftType::ProtocolUpgraded, _) => {
            match change.path.tokens().next().as_deref() {
                Some("inputSchema" | "input_schema") => Some(Severity::Critical),
                Some("description") => Some(Severity::Safe),
                _ => None,
            }
        }
        _ => None,
    }
}

const fn row(drift_type: &'static str, severity: Severity) -> CapabilityIdentity {
    CapabilityIdentity { drift_type, severity }
}

/// What that table calls an added or removed item.
pub(super) fn of_presence(drift_type: DriftType) -> Vec<CapabilityIdentity> {
    match drift_type {
        DriftType::ToolAdded => vec![row("tool_added", Severity::Critical)],
        DriftType::ToolRemoved => vec![row("tool_removed", Severity::Info)],
        DriftType::ToolRenamed => vec![row("tool_added", Severity::Critical), row("tool_removed", Severity::Info)],
        DriftType::RiskLevelChanged => vec![row("risk_level_changed", Severity::Critical)],
        _ => Vec::new(),
    }
}

/// What that table calls a changed item: it looks at a tool's schema and description, at a prompt's description and
/// arguments, at a template's pattern, name, description and media type, and at nothing else.
pub(super) fn of_change(kind: Kind, Versions { before, after }: &Versions) -> Vec<CapabilityIdentity> {
    let differ = |members: &[&str]| members.iter().any(|member| before.get(member) != after.get(member));
    match kind {
        Kind::Tool => {
            let schema = differ(&["inputSchema", "input_schema"]).then(|| row("tool_changed", Severity::Critical));
            let description = differ(&["description"]).then(|| row("tool_changed", Severity::Safe));
            schema.into_iter().chain(description).collect()
        }
        Kind::Prompt if differ(&["description", "arguments"]) => vec![row("prompt_changed", Severity::Safe)],
        Kind::ResourceTemplate if differ(&["uriTemplate", "name", "description", "mimeType"]) => {
            vec![row("template_changed", Severity::Safe)]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_its_word() {
        for profile in Profile::ALL {
            assert_eq!(profile.word().parse(), Ok(profile));
        }
        assert!("Balanced".parse::<Profile>().is_err());
    }
}
