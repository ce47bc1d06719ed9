//! Which dialect a schema is read in that names none.

use super::budget::Budget;
use super::dialect::Dialect;
use super::node::Arena;
use super::read;
use super::resolve::Document;
use serde_json::Value;

/// The dialect to read `schema` in. Without `$schema` it is 2020-12; where that calls the schema malformed and an older
/// dialect does not (an array under `items`, a boolean `exclusiveMinimum`), it is the newest such one. An error is the text
/// of a `$schema` that names no known dialect.
pub(super) fn dialect(schema: &Value, budget: Budget) -> Result<Dialect, String> {
    if let Some(dialect) = Dialect::declared(schema)? {
        return Ok(dialect);
    }
    Ok(match older_signs(schema) {
        (_, true) if is_well_formed(schema, Dialect::Draft04, budget) => Dialect::Draft04,
        (true, false) if is_well_formed(schema, Dialect::Draft07, budget) => Dialect::Draft07,
        _ => Dialect::Draft202012,
    })
}

/// Whether every keyword that is read has a value of the kind that the dialect asks for.
fn is_well_formed(schema: &Value, dialect: Dialect, budget: Budget) -> bool {
    let mut arena = Arena::new();
    read::read(&mut arena, &Document::new(schema, dialect), budget);
    !arena.has_malformed
}

/// Whether a schema has an array under `items`, and whether it has a boolean `exclusiveMinimum` or `exclusiveMaximum`.
fn older_signs(schema: &Value) -> (bool, bool) {
    let (mut array, mut boolean) = (false, false);
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                array |= members.get("items").is_some_and(Value::is_array);
                boolean |= ["exclusiveMinimum", "exclusiveMaximum"]
                    .iter()
                    .any(|keyword| members.get(*keyword).is_some_and(Value::is_boolean));
                open.extend(members.values());
            }
            _ => {}
        }
    }
    (array, boolean)
}
