//! Resources and resource templates: lists of what can be read, often the user's own data.

use super::pattern::{HOSTED, any_path, fixed, judge_pattern};
use super::{Judgement, by_field, capitalized, field, field_kind, happened, shortened, text, vendor};
use crate::drift::delta::Delta;
use crate::drift::{Effect, Severity};
use crate::pin::Baseline;
use crate::surface::Kind;
use serde_json::Value;

/// Judges the deltas between two definitions of a resource: info, whatever they are.
pub(super) fn judge_resource(judgement: &mut Judgement, deltas: &[Delta]) {
    for delta in deltas {
        let reason = format!("`{}` {}", shortened(&field(&delta.path)), happened(delta));
        judgement.add(delta, field_kind(delta), Severity::Info, Effect::None, reason);
    }
}

/// Judges the deltas between two definitions of a template.
pub(super) fn judge(judgement: &mut Judgement, old: &Value, new: &Value, deltas: &[Delta]) {
    for (name, inside) in by_field(deltas) {
        if matches!(name.as_str(), "title" | "description" | "name") {
            text::judge_each(judgement, inside, &capitalized(&name));
        } else if let ("uriTemplate", [delta]) = (name.as_str(), inside)
            && let (Some(Value::String(before)), Some(Value::String(after))) = (delta.before, delta.after)
        {
            let (severity, effect, why) = judge_pattern(before, after);
            let reason = format!("URI template changed from `{}` to `{}`: {why}", shortened(before), shortened(after));
            judgement.add(delta, field_kind(delta), severity, effect, reason);
        } else {
            vendor::judge(judgement, &name, (old.get(&name), new.get(&name)), inside);
        }
    }
}

/// Why a new template reaches wider than those pinned, where it does: an expression that takes slashes, one in the
/// place of the scheme or host, or a fixed part that a pinned template goes on from.
pub(in crate::drift) fn reaches_wider(template: &str, baseline: &Baseline) -> Option<String> {
    if !template.contains('{') {
        return None;
    }
    let pinned = || baseline.pins_of_kind(Kind::ResourceTemplate).map(|pin| pin.item.id.key.as_ref());
    let prefix = fixed(template);
    if let Some(expression) = any_path(template) {
        let expression = shortened(expression);
        return Some(format!("`{{{expression}}}` matches any path, including slashes"));
    }
    let opens = |scheme: &str| prefix.strip_prefix(scheme).is_some_and(|rest| !rest.contains('/'));
    if template.starts_with('{') || HOSTED.iter().any(|scheme| opens(scheme)) {
        return Some("the caller chooses the scheme or host".to_owned());
    }
    let narrower = pinned()
        .find(|pinned| pinned.contains('{') && fixed(pinned).len() > prefix.len() && fixed(pinned).starts_with(prefix));
    narrower.map(|narrower| format!("its fixed prefix is shorter than that of `{}`", shortened(narrower)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canon::Definition;
    use crate::digest::{DigestScope, Item};
    use crate::pin::{Decision, DecisionState, Pin};
    use serde_json::json;
    use std::sync::Arc;

    #[test]
    fn a_wide_template_is_told_from_a_narrow_one() {
        let mut baseline = Baseline::empty("files", DigestScope::None, None);
        let value = json!({"uriTemplate": "file:///notes/{id}", "name": "n"});
        let item = Item::stored(Kind::ResourceTemplate, Definition::from_plain(&value), &DigestScope::None);
        let decision =
            Decision { state: DecisionState::Approved, by: "ana".into(), at: String::new(), note: String::new() };
        baseline.pins.push(Arc::new(Pin { item: Arc::new(item), varies: Vec::new(), decision: Arc::new(decision) }));
        for (template, wide) in [
            ("file:///notes/{+path}", true),
            ("file:///notes{/path*}", true),
            ("https://{host}/x", true),
            ("{uri}", true),
            ("file:///{id}", true),
            ("file:///notes/{id}/{part}", false),
            ("file:///other/{id}", false),
            ("memo://{id}", false),
            ("https://a.example/{id}", false),
            ("file:///notes", false),
        ] {
            assert_eq!(reaches_wider(template, &baseline).is_some(), wide, "{template}");
        }
    }
}
