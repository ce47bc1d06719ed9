//! The definition digest of a drifted tool with its cluster, and its own signature, as lines of a report.

use crate::digest::{DefinitionCluster, Item};
use crate::drift::{Drift, DriftType};
use crate::signature::{Keyring, Standing, ToolSignature};
use crate::surface::Kind;
use crate::text::visible;
use std::sync::Arc;

/// What stands beside a tool's drift. Missing is "not visible", never "clean". Printable.
pub fn beside_lines(drift: &Drift, scope: &str, keyring: &Keyring) -> Vec<String> {
    let sides = [("pinned", &drift.side.pinned), ("now", &drift.side.now)];
    if drift.id.kind != Kind::Tool || drift.drift_type == DriftType::RiskLevelChanged {
        return Vec::new();
    }
    let digest =
        |item: &Arc<Item>| item.digests.definition.map_or_else(|| "not visible".to_owned(), |cluster| cluster.digest());
    let signature = |item: &Arc<Item>| {
        let found = ToolSignature::of_item(item, keyring)?;
        (found.standing != Standing::Unsigned).then(|| found.to_string())
    };
    let both = |name: &str, said: Vec<(&str, String)>| match said.as_slice() {
        [(_, before), (_, after)] if before == after => vec![format!("{name:10}  equal   {}", visible(after))],
        said => said.iter().map(|(side, text)| format!("{name:10}  {side:6}  {}", visible(text))).collect(),
    };
    let of = |text: &dyn Fn(&Arc<Item>) -> Option<String>| -> Vec<(&str, String)> {
        sides.iter().filter_map(|(side, item)| Some((*side, text(item.as_ref()?)?))).collect()
    };
    let mut lines = both("definition", of(&|item| Some(digest(item))));
    if !lines.is_empty() {
        lines.push(format!("{:10}  {}, digest scope {scope}", "", DefinitionCluster::profile()));
    }
    lines.extend(both("signature", of(&signature)));
    lines
}
