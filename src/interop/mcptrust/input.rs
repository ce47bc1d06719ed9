//! The document that expressions see as `input`, with its system's names and types (its docs/POLICY.md).
//!
//! Its program takes prompts and templates from the lock; here they are what is served now.

use super::canon::text;
use super::compare::Difference;
use super::make::{Shown, template_hash};
use super::{Locked, prompt_of};
use crate::canon::jcs;
use crate::digest::Sha256;
use crate::drift::RiskLevel;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The document. What is not known of an artifact is not in it, so that `has` is false.
pub fn input(server: Option<&str>, lock: Option<&Locked>, shown: &Shown, drift: &[Difference]) -> Value {
    let tool = |tool: &Value| {
        json!({
            "name": text(tool, "name"),
            "description": text(tool, "description"),
            "input_schema": tool.get("inputSchema").cloned().unwrap_or_default(),
            "risk_level": RiskLevel::of(tool).word(),
        })
    };
    let template = |template: &Value| {
        json!({
            "uriTemplate": text(template, "uriTemplate"),
            "mimeType": text(template, "mimeType"),
            "templateHash": template_hash(template),
        })
    };
    let names: BTreeSet<&str> = shown.prompts.iter().map(|prompt| text(prompt, "name")).collect();
    let definitions: Map<String, Value> =
        shown.prompts.iter().map(|prompt| (text(prompt, "name").to_owned(), json!(prompt_of(prompt)))).collect();
    let schemes: BTreeSet<String> =
        shown.templates.iter().filter_map(|template| scheme(text(template, "uriTemplate"))).collect();
    let item = |one: &Difference| {
        json!({"type": one.difference, "severity": one.severity, "id": one.identifier, "oldHash": one.old_hash,
               "newHash": one.new_hash, "message": one.message})
    };
    let artifact = lock.and_then(|lock| lock.artifact.as_ref()).map(artifact);
    let mut document = json!({
        "lockfileVersion": lock.map_or("3.0", |lock| lock.version.word()),
        "server": {"name": server.unwrap_or_default(), "artifact": artifact.clone().unwrap_or_else(|| json!({}))},
        "prompts": {"names": names, "definitions": definitions},
        "resources": {"templates": shown.templates.iter().map(template).collect::<Vec<_>>(), "schemes": schemes},
        "drift": {"hasDrift": !drift.is_empty(), "items": drift.iter().map(item).collect::<Vec<_>>()},
        "tools": shown.tools.iter().map(tool).collect::<Vec<_>>(),
    });
    if let Some(artifact) = artifact {
        // What npm's registry signs is no provenance to it.
        if artifact["provenance"]["method"] == "cosign_slsa" {
            document["provenance"] = artifact["provenance"].clone();
        }
        document["artifact"] = artifact;
    }
    document
}

/// What a suppression of a rule is bound to: all that a rule sees but the drift, which goes when it is decided.
pub fn input_digest(input: &Value) -> String {
    let mut seen = input.clone();
    if let Some(members) = seen.as_object_mut() {
        members.remove("drift");
    }
    format!("sha256:{}", Sha256::of(jcs(&json!({"projection": "pinwatch.policy-input.v1", "input": seen}))))
}

fn texts(value: &Value, members: &[&str]) -> Map<String, Value> {
    members.iter().map(|member| ((*member).to_owned(), json!(text(value, member)))).collect()
}

/// An artifact with every member that expressions may name; what the lock leaves out is empty.
fn artifact(locked: &Value) -> Value {
    let mut seen = texts(locked, &["type", "name", "version", "registry", "integrity", "image", "digest"]);
    if let Some(locked) = locked.get("provenance").filter(|provenance| provenance.is_object()) {
        let members = ["predicate_type", "builder_id", "source_repo", "source_ref", "workflow_uri"];
        let mut provenance = texts(locked, &members);
        provenance.extend(texts(locked, &["issuer", "identity", "verified_at"]));
        let method = Some(text(locked, "method")).filter(|method| !method.is_empty()).unwrap_or("unverified");
        provenance.insert("method".to_owned(), json!(method));
        let is_verified = locked.get("verified").and_then(Value::as_bool) == Some(true);
        provenance.insert("verified".to_owned(), json!(is_verified));
        // Its other names of two of them.
        for (alias, member) in [("config_source_uri", "source_repo"), ("config_source_entrypoint", "workflow_uri")] {
            provenance.insert(alias.to_owned(), json!(text(locked, member)));
        }
        seen.insert("provenance".to_owned(), Value::Object(provenance));
    }
    Value::Object(seen)
}

/// The scheme of a pattern (RFC 3986, 3.1). Its program wants `://` after it, and takes `file:/etc/{name}` for none.
fn scheme(pattern: &str) -> Option<String> {
    let (scheme, _) = pattern.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
    is_scheme.then(|| scheme.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheme_is_told_from_a_variable() {
        for (pattern, is) in [
            ("file:///{+path}", Some("file")),
            ("FILE:/etc/{name}", Some("file")),
            ("demo://resource/{id}", Some("demo")),
            ("{scheme}://a", None),
            ("{+path}", None),
            ("1a://b", None),
            ("://b", None),
        ] {
            assert_eq!(scheme(pattern).as_deref(), is, "{pattern}");
        }
    }

    /// Every member is there, so that a rule that names it is no error.
    #[test]
    fn an_artifact_has_every_member() {
        let image = artifact(&json!({"type": "oci", "image": "a", "digest": "sha256:0", "provenance": {}}));
        assert_eq!((&image["integrity"], &image["digest"]), (&json!(""), &json!("sha256:0")));
        assert_eq!(image["provenance"]["method"], "unverified");
        assert_eq!(image["provenance"]["verified"], false);
    }
}
