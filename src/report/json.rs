//! `pinwatch.report.v1`: one document, stable; hidden characters stand as `\uXXXX`.

use super::{BaselineWord, Report, ServerReport, Unwatched, state_of};
use crate::canon::{Part, indented_parts};
use crate::digest::{DefinitionCluster, Item, MANIFEST_PROJECTION, ManifestDigests, Sha256};
use crate::drift::{Drift, Group, Risk, SchemaVerdict, SplitView};
use crate::interop::mcptrust::{Verdict, Verdicts};
use crate::project::at_ref::JudgedBy;
use crate::review::{ApprovalState, Review};
use crate::signature::{Keyring, ToolSignature};
use crate::text::is_hidden;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The report as JSON text.
pub fn json(report: &Report) -> String {
    let mut members = vec![
        ("format", json!("pinwatch.report.v1").into()),
        ("outcome", json!(report.outcome().word()).into()),
        ("policy", json!({"profile": report.profile, "digest": report.policy_digest}).into()),
        ("problems", json!(report.problems).into()),
        // A server may show twenty thousand tools, and each drift of one is many values.
        ("servers", Part::List(Box::new(report.servers.iter().map(server)))),
    ];
    if let Some(JudgedBy { name, commit, differs }) = &report.judged_by {
        members.push(("judged_by", json!({"ref": name, "commit": commit, "differs": differs}).into()));
    }
    indented_parts(Part::Object(members), &is_hidden)
}

fn server(server: &ServerReport) -> Part<'_> {
    let (baseline, refused) = match &server.baseline {
        BaselineWord::Present => ("present", None),
        BaselineWord::Absent => ("absent", None),
        BaselineWord::Refused(why) => ("refused", Some(why.as_str())),
    };
    let unwatched = server.unwatched.as_ref().map(|Unwatched { reason, accepted, .. }| {
        let accepted = accepted.as_ref().map(|made| json!({"by": made.by, "at": made.at, "note": made.note}));
        json!({"code": reason.code, "text": reason.text, "accepted": accepted})
    });
    let observation = if unwatched.is_some() { "unwatched" } else { server.overall.word() };
    let reason = server.unknowns().next().map(|(_, reason)| json!({"code": reason.code, "text": reason.text}));
    let refused = refused.map(|why| json!({"code": "baseline-refused", "text": why}));
    let review = server.review.as_deref();
    let drifts = if server.drifts().is_empty() { None } else { review };
    let notices =
        server.notices.iter().map(|notice| json!({"code": notice.code, "count": notice.count, "text": notice.text}));
    let groups = drifts.into_iter().flat_map(|review| review.groups.iter().map(group));
    let drifts = drifts
        .into_iter()
        .flat_map(|review| (0..review.drifts.len()).map(|index| drift(review, index, &server.keyring).into()));
    Part::Object(vec![
        ("id", json!(server.id.as_ref()).into()),
        ("baseline", json!(baseline).into()),
        ("digest_scope", json!(server.digest_scope).into()),
        ("manifest", manifest(server.manifest).into()),
        ("observation", json!(observation).into()),
        ("reason", json!(reason.or(refused)).into()),
        ("policy", json!(server.policy.as_ref().map(policy)).into()),
        ("identity", server.identity.to_json().into()),
        ("shown_to", json!(server.split.as_ref().map(SplitView::to_json)).into()),
        ("unwatched", json!(unwatched).into()),
        ("notices", json!(notices.collect::<Vec<_>>()).into()),
        ("counts", review.map_or_else(|| json!({}), |review| json!(review.counts)).into()),
        ("groups", json!(groups.collect::<Vec<_>>()).into()),
        ("drifts", Part::List(Box::new(drifts))),
    ])
}

/// What came of each rule; `digest` is what a suppression of one names.
fn policy(verdicts: &Verdicts) -> Value {
    let rule = |one: &Verdict| {
        json!({
            "rule": one.rule,
            "mode": one.mode.word(),
            "result": one.ruled.word(),
            "fails": one.fails(),
            "text": one.sentence(),
            "suppressed": one.waived,
        })
    };
    json!({
        "passed": !verdicts.fails(),
        "digest": verdicts.digest,
        "rules": verdicts.rules.iter().map(rule).collect::<Vec<_>>(),
    })
}

fn group(group: &Group) -> Value {
    json!({
        "id": group.id,
        "digest": group.digest.to_string(),
        "type": group.drift_type.word(),
        "severity": group.severity.word(),
        "effect": group.effect.word(),
        "members": group.members.len(),
        "causes": group.causes,
    })
}

fn manifest([pinned, now]: [Option<Sha256>; 2]) -> Value {
    let text = |digest: Option<Sha256>| digest.map(|digest| format!("sha256:{digest}"));
    json!({"canonicalization": MANIFEST_PROJECTION, "pinned": text(pinned), "now": text(now)})
}

fn drift(review: &Review, index: usize, keyring: &Keyring) -> Value {
    of_drift(&review.drifts[index], Some(state_of(review, index)), keyring)
}

/// A drift as reports have it; where nothing is pinned it has no state.
pub fn of_drift(drift: &Drift, state: Option<ApprovalState>, keyring: &Keyring) -> Value {
    json!({
        "type": drift.drift_type.word(),
        "kind": drift.id.kind.word(),
        "key": drift.id.key,
        "state": state.map(ApprovalState::word),
        "severity": drift.severity.word(),
        "effect": drift.effect.word(),
        "group": drift.group,
        "capability_identity": drift.capability_identity.iter().map(|row| {
            json!({"type": row.drift_type, "severity": row.severity.word()})
        }).collect::<Vec<_>>(),
        "changes": drift.changes,
        "schemas": schemas(drift),
        "findings": drift.findings,
        "digests": both_digests(drift),
        "signature": {
            "pinned": drift.side.pinned.as_ref().and_then(|item| signature_json(item, keyring)),
            "now": drift.side.now.as_ref().and_then(|item| signature_json(item, keyring)),
        },
        "risk_level": {
            "pinned": drift.side.pinned.as_deref().and_then(risk),
            "now": drift.side.now.as_deref().and_then(risk),
        },
        "reasons": drift.reasons,
    })
}

/// MCPTrust's risk level of a tool, with the keywords that make it.
fn risk(item: &Item) -> Option<Value> {
    Risk::of_item(item).map(|risk| json!({"level": risk.level.word(), "words": risk.words}))
}

/// By the member of the definition that each is.
fn schemas(drift: &Drift) -> Value {
    let member = |verdict: &SchemaVerdict| verdict.root.tokens().next().unwrap_or_default();
    drift.verdicts().map(|verdict| (member(verdict), schema(verdict))).collect::<Map<_, _>>().into()
}

fn schema(verdict: &SchemaVerdict) -> Value {
    let mut value = json!({
        "accepts": verdict.accepts,
        "declares": {"added": verdict.declares_added, "removed": verdict.declares_removed},
        "witnesses": {"old_only": verdict.old_only, "new_only": verdict.new_only},
        "words": verdict.words,
        "changes": verdict.keywords,
    });
    if !verdict.undecided.is_empty() {
        value["undecided"] = verdict.undecided.as_str().into();
    }
    value
}

/// The digests of both sides, family by family; a side or a digest that is not there is null.
fn both_digests(drift: &Drift) -> Value {
    let digests = |item: &Option<Arc<Item>>| item.as_ref().map(|item| digests(item));
    let (pinned, now) = (digests(&drift.side.pinned), digests(&drift.side.now));
    let of = |side: &Option<Value>, family: &str| side.as_ref().map_or(Value::Null, |side| side[family].clone());
    let families = ["surface", "identity", "definition", "manifest"];
    let both = |family: &str| json!({"pinned": of(&pinned, family), "now": of(&now, family)});
    families.into_iter().map(|family| (family.to_owned(), both(family))).collect::<Map<_, _>>().into()
}

/// A tool's own signature: its state, and what is known of it in words. None of what is no tool.
pub fn signature_json(item: &Item, keyring: &Keyring) -> Option<Value> {
    let signature = ToolSignature::of_item(item, keyring)?;
    Some(json!({"state": signature.standing.word(), "text": signature.to_string(), "wrapped": signature.is_wrapped}))
}

/// One item's digests: surface, identity, the definition's five-field cluster, and the manifest's.
pub fn digests(item: &Item) -> Value {
    let digests = &item.digests;
    let manifest = ManifestDigests::of_item(item).map(|manifest| {
        let fields =
            manifest.fields().map(|(field, digest)| (field.word().to_owned(), json!(format!("sha256:{digest}"))));
        json!({"tool_digest": format!("sha256:{}", manifest.tool), "field_digests": fields.collect::<Map<_, _>>()})
    });
    json!({
        "manifest": manifest,
        "surface": digests.surface.to_string(),
        "identity": digests.identity.map(|identity| json!({
            "schema_hash": identity.schema_hash.to_string(),
            "meta_hash": identity.meta_hash.to_string(),
        })),
        "definition": digests.definition.map(DefinitionCluster::to_json),
    })
}
