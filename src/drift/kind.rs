//! The drift types, ours and those of MCPTrust's published capability-identity table.

use super::Severity;
use std::fmt;

/// What kind of drift it is; the words are DESIGN.md's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each name is its own sentence, and the table that defines them is DESIGN.md's")]
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
    ProtocolUpgraded,
    NameCollision,
    SurfaceUnstable,
}

impl DriftType {
    /// Every type, in order.
    pub const ALL: [Self; 22] = [
        Self::ToolAdded,
        Self::ToolRemoved,
        Self::ToolChanged,
        Self::ToolRenamed,
        Self::RiskLevelChanged,
        Self::PromptAdded,
        Self::PromptRemoved,
        Self::PromptChanged,
        Self::TemplateAdded,
        Self::TemplateRemoved,
        Self::TemplateChanged,
        Self::ResourceAdded,
        Self::ResourceRemoved,
        Self::ResourceChanged,
        Self::InstructionsChanged,
        Self::CapabilitiesChanged,
        Self::ServerChanged,
        Self::LaunchChanged,
        Self::AnchorChanged,
        Self::ProtocolUpgraded,
        Self::NameCollision,
        Self::SurfaceUnstable,
    ];

    /// The word of reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::ToolAdded => "tool_added",
            Self::ToolRemoved => "tool_removed",
            Self::ToolChanged => "tool_changed",
            Self::ToolRenamed => "tool_renamed",
            Self::RiskLevelChanged => "risk_level_changed",
            Self::PromptAdded => "prompt_added",
            Self::PromptRemoved => "prompt_removed",
            Self::PromptChanged => "prompt_changed",
            Self::TemplateAdded => "template_added",
            Self::TemplateRemoved => "template_removed",
            Self::TemplateChanged => "template_changed",
            Self::ResourceAdded => "resource_added",
            Self::ResourceRemoved => "resource_removed",
            Self::ResourceChanged => "resource_changed",
            Self::InstructionsChanged => "instructions_changed",
            Self::CapabilitiesChanged => "capabilities_changed",
            Self::ServerChanged => "server_changed",
            Self::LaunchChanged => "launch_changed",
            Self::AnchorChanged => "anchor_changed",
            Self::ProtocolUpgraded => "protocol_upgraded",
            Self::NameCollision => "name_collision",
            Self::SurfaceUnstable => "surface_unstable",
        }
    }
}

impl fmt::Display for DriftType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
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
