//! The validator as a judge of instances: built offline, with bounded expressions, formats as annotations.

use super::dialect::Dialect;
use super::pattern::engine;
use jsonschema::Validator;
use serde_json::Value;

/// A validator for one schema, or why there is none.
pub(super) struct Oracle {
    built: Result<Validator, String>,
}

/// Characters of a validator's message that are kept; the message may quote the schema.
const LONGEST_MESSAGE: usize = 160;

impl Oracle {
    /// Builds the validator of a schema; nothing is fetched.
    pub(super) fn new(schema: &Value, dialect: Dialect) -> Self {
        let built = jsonschema::options()
            .with_draft(dialect.draft())
            .offline()
            .should_validate_formats(false)
            .without_content_media_type_support("application/json")
            .without_content_encoding_support("base64")
            .with_pattern_options(engine())
            .build(schema)
            .map_err(|error| {
                let message: String = error.to_string().chars().take(LONGEST_MESSAGE).collect();
                match error.instance_path().as_str() {
                    "" => message,
                    place => format!("{message} (at {place})"),
                }
            });
        Self { built }
    }

    /// Whether the validator accepts an instance; an error says why there is none.
    pub(super) fn accepts(&self, instance: &Value) -> Result<bool, &str> {
        match &self.built {
            Ok(validator) => Ok(validator.is_valid(instance)),
            Err(reason) => Err(reason),
        }
    }
}
