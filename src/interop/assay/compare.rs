//! What Assay says of an observed list against a declared manifest: its reason codes, and its coarse verdict.

use super::{Declared, Entry, Extent, Observed, Status};
use crate::digest::{MANIFEST_PROJECTION, ManifestField, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use strum::IntoStaticStr;

/// What differs, and what could not be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// By name, then in the order of the fields.
    pub findings: Vec<Said>,
    /// Codes of what makes the comparison, or a part of it, inconclusive.
    pub inconclusive: Vec<&'static str>,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Said {
    /// The tool.
    pub name: String,
    /// Assay's reason code.
    pub reason_code: &'static str,
    /// Its severity: `high`, `medium` or `low`.
    pub severity: &'static str,
    /// Why a change cannot be said by its fields, where it cannot.
    pub attribution: Option<&'static str>,
}

/// Compares. What is not valid is inconclusive as a whole; a tool that is missing is removed only in a complete list.
pub fn compare(observed: &Observed, declared: &Declared) -> Compared {
    if let Some(code) = invalid(observed, declared) {
        return Compared { findings: Vec::new(), inconclusive: vec![code] };
    }
    let now: BTreeMap<_, _> = observed.tools.iter().map(|entry| (entry.name.as_str(), entry)).collect();
    let then: BTreeMap<_, _> = declared.tools.iter().map(|entry| (entry.name.as_str(), entry)).collect();
    let names: BTreeSet<_> = now.keys().chain(then.keys()).copied().collect();
    let mut compared = Compared::default();
    for name in names {
        match (now.get(name), then.get(name)) {
            (Some(entry), None) => compared.findings.push(said(
                name,
                entry.is_privileged(),
                "mcp_tool_added",
                "mcp_new_privileged_tool",
                "medium",
            )),
            (None, Some(entry)) if observed.seen == Some(Extent::Complete) => compared.findings.push(said(
                name,
                entry.is_privileged(),
                "mcp_tool_removed",
                "mcp_privileged_tool_removed",
                "medium",
            )),
            (None, Some(_)) => {
                const PARTIAL: &str = "inconclusive_manifest_partial_observation";
                if !compared.inconclusive.contains(&PARTIAL) {
                    compared.inconclusive.push(PARTIAL);
                }
            }
            (Some(now), Some(then)) if now.tool_digest != then.tool_digest => {
                compared.findings.extend(changed(now, then));
            }
            (Some(_), Some(_)) | (None, None) => {}
        }
    }
    compared
}

fn invalid(observed: &Observed, declared: &Declared) -> Option<&'static str> {
    if declared.ambiguous().is_some() {
        return Some("declared_mcp_manifest_ambiguous");
    }
    if declared.canonicalization != MANIFEST_PROJECTION || observed.canonicalization != declared.canonicalization {
        return Some("mcp_manifest_canonicalization_mismatch");
    }
    if declared.recomputed() != declared.manifest_digest {
        return Some("declared_manifest_digest_mismatch");
    }
    if declared.server_id().is_some_and(|id| id != observed.server_id) {
        return Some("mcp_manifest_server_mismatch");
    }
    if observed.seen.is_none() || observed.status == Status::NotObserved {
        return Some("inconclusive_manifest_not_observed");
    }
    if observed.status == Status::Ambiguous || super::twice(&observed.tools).is_some() {
        return Some("mcp_manifest_observation_ambiguous");
    }
    None
}

fn said(
    name: &str,
    is_privileged: bool,
    plain: &'static str,
    privileged: &'static str,
    severity: &'static str,
) -> Said {
    let (reason_code, severity) = if is_privileged { (privileged, "high") } else { (plain, severity) };
    Said { name: name.to_owned(), reason_code, severity, attribution: None }
}

/// A changed tool: field by field where both sides have every field's digest and one of them differs.
fn changed(now: &Entry, then: &Entry) -> Vec<Said> {
    let is_privileged = now.is_privileged() || then.is_privileged();
    let coarse = |attribution| {
        let whole = said(&now.name, is_privileged, "mcp_tool_changed", "mcp_privileged_tool_changed", "medium");
        vec![Said { attribution: Some(attribution), ..whole }]
    };
    let (Some(new), Some(old)) = (&now.field_digests, &then.field_digests) else {
        return coarse("field_attribution_unavailable");
    };
    let mut found = Vec::new();
    for field in ManifestField::ALL {
        let (Some(new), Some(old)) = (new.get(field.word()), old.get(field.word())) else {
            return coarse("field_attribution_unavailable");
        };
        if new == old {
            continue;
        }
        let (reason_code, plain, privileged) = match field {
            ManifestField::Description => ("mcp_tool_description_changed", "medium", "high"),
            ManifestField::InputSchema => ("mcp_tool_input_schema_changed", "medium", "high"),
            ManifestField::OutputSchema => ("mcp_tool_output_schema_changed", "low", "medium"),
            ManifestField::Annotations => ("mcp_tool_annotations_changed", "low", "medium"),
        };
        let severity = if is_privileged { privileged } else { plain };
        found.push(Said { name: now.name.clone(), reason_code, severity, attribution: None });
    }
    if found.is_empty() { coarse("field_attribution_inconsistent") } else { found }
}

/// The coarse verdict of one digest against another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "each is its system's word")]
pub enum Verdict {
    NoFinding,
    NoFindingWithCoverageWarning,
    #[strum(to_string = "pending_tool_manifest_review")]
    PendingReview,
    #[strum(to_string = "inconclusive_manifest_not_observed")]
    NotObserved,
    #[strum(to_string = "inconclusive_manifest_partial_observation")]
    PartialObservation,
    #[strum(to_string = "manifest_observation_ambiguous")]
    Ambiguous,
}

word!(Verdict);

/// What the digest of a whole manifest says alone. No look is never "no drift".
pub fn verdict(baseline: Sha256, observed: &Observed) -> Verdict {
    let Some(seen) = observed.seen else { return Verdict::NotObserved };
    let Some(digest) = observed.manifest_digest else { return Verdict::Ambiguous };
    match seen {
        Extent::Partial => Verdict::PartialObservation,
        Extent::Complete | Extent::Unknown if digest != baseline => Verdict::PendingReview,
        Extent::Unknown => Verdict::NoFindingWithCoverageWarning,
        Extent::Complete => Verdict::NoFinding,
    }
}
