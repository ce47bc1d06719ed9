//! References of a tool's schemas that lead nowhere.

use crate::canon::Pointer;
use crate::schema::dangling;
use serde_json::Value;

/// Members that hold schemas.
const SCHEMAS: [&str; 3] = ["inputSchema", "input_schema", "outputSchema"];

/// Each reference that leads nowhere, with its place in the definition.
pub(super) fn references(definition: &Value) -> Vec<(Pointer, String)> {
    let schemas = SCHEMAS.iter().filter_map(|member| Some((member, definition.get(*member)?)));
    let found = schemas.flat_map(|(member, schema)| {
        dangling(schema)
            .into_iter()
            .filter_map(move |found| Some((Pointer::parse(&format!("/{member}{}", found.pointer))?, found.reference)))
    });
    found.collect()
}
