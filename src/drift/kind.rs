//! The drift types, ours and those of MCPTrust's published capability-identity table.

use super::Severity;
use strum::{EnumString, IntoStaticStr, VariantNames};

/// What kind of drift it is; the words are DESIGN.md's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr, EnumString, VariantNames)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it, and the table that defines them is DESIGN.md's")]
pub enum DriftType {
    ToolAdded,
    ToolRemoved,
    ToolChanged,
    ToolRenamed,
    RiskLevelChanged,
    PromptAdded,
    PromptRemoved,
    PromptChanged,
    TemplateAdded,
    TemplateRemoved,
    TemplateChanged,
    ResourceAdded,
    ResourceRemoved,
    ResourceChanged,
    InstructionsChanged,
    CapabilitiesChanged,
    ServerChanged,
    LaunchChanged,
    AnchorChanged,
    AdmissionRefused,
    ToolNotAdmitted,
    SplitView,
    ProtocolUpgraded,
    NameCollision,
    SurfaceUnstable,
}

word!(DriftType);

impl DriftType {
    /// Whether approving what is served settles it. What the project demands of a server is settled there, or by its publisher;
    /// two faces are settled by the server.
    pub fn is_settled_by_approval(self) -> bool {
        !matches!(self, Self::AdmissionRefused | Self::ToolNotAdmitted | Self::SplitView)
    }

    /// Whether it is about who the server is, not about what it shows: as bad under every profile, and in no group.
    pub(super) fn is_of_identity(self) -> bool {
        matches!(self, Self::AnchorChanged | Self::AdmissionRefused | Self::ToolNotAdmitted | Self::SplitView)
    }
}

/// One row of MCPTrust's table that a drift is there, with that table's severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CapabilityIdentity {
    /// `tool_added`, `tool_removed`, `tool_changed`, `risk_level_changed`, `prompt_changed` or `template_changed`.
    pub drift_type: &'static str,
    /// That table's severity.
    pub severity: Severity,
}
