//! How much of a definition a reader does not see.

use crate::canon::Definition;
use crate::text;
use memchr::memmem;
use serde_json::Value;

/// Characters of a definition's texts and names that a reader would not see; line breaks and tabs are seen as such.
pub(crate) fn hidden_count(definition: &Definition) -> usize {
    let bytes = definition.bytes();
    // Nothing hidden without a character beyond ASCII or an escape.
    if bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t'))
        && memmem::find(bytes, b"\\u").is_none()
    {
        return 0;
    }
    hidden_in(&definition.as_read())
}

fn hidden_in(value: &Value) -> usize {
    match value {
        Value::String(text) => text::hidden_count(text),
        Value::Array(values) => values.iter().map(hidden_in).sum(),
        Value::Object(members) => members.iter().map(|(name, value)| text::hidden_count(name) + hidden_in(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}
