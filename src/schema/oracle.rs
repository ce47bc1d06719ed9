//! The validator as a judge of instances: built offline, with bounded expressions, formats as annotations.

use super::dialect::Dialect;
use super::keyword::rebuilt;
use super::pattern::engine;
use super::resolve::{Document, Place};
use crate::text::shortened;
use jsonschema::Validator;
use serde_json::{Value, json};

/// A validator for one schema, or why there is none. Where parts of the schema are out of reach, two: one that takes them to
/// accept everything and one that takes them to accept nothing, which must agree.
pub(super) struct Oracle {
    built: Result<Vec<Validator>, String>,
}

/// Characters of a validator's message that are kept; the message may quote the schema.
const LONGEST_MESSAGE: usize = 160;

impl Oracle {
    /// Builds the validator of a document; nothing is fetched.
    pub(super) fn new(document: &Document<'_>) -> Self {
        let Some(root) = document.root() else { return Self { built: Err("there is no schema".to_owned()) } };
        let (all, none) = (without_unreachable(document, root, true), without_unreachable(document, root, false));
        let built = if all == *root.schema {
            build(root.schema, document.dialect).map(|validator| vec![validator])
        } else {
            [all, none].iter().map(|schema| build(schema, document.dialect)).collect()
        };
        Self { built }
    }

    /// Whether the validator accepts an instance; an error says why there is no answer.
    pub(super) fn accepts(&self, instance: &Value) -> Result<bool, &str> {
        let validators = self.built.as_ref().map_err(String::as_str)?;
        let mut answers = validators.iter().map(|validator| validator.is_valid(instance));
        let first = answers.next().unwrap_or(false);
        if answers.all(|answer| answer == first) { Ok(first) } else { Err("it depends on another document") }
    }
}

fn build(schema: &Value, dialect: Dialect) -> Result<Validator, String> {
    jsonschema::options()
        .with_draft(dialect.draft())
        .offline()
        .should_validate_formats(false)
        .without_content_media_type_support("application/json")
        .without_content_encoding_support("base64")
        .with_pattern_options(engine())
        .build(schema)
        .map_err(|error| {
            let message = shortened(&error.to_string(), LONGEST_MESSAGE);
            match error.instance_path().as_str() {
                "" => message,
                place => format!("{message} (at {place})"),
            }
        })
}

/// The schema with every reference that leads nowhere here taken to accept everything, or nothing.
fn without_unreachable(document: &Document<'_>, place: Place<'_>, everything: bool) -> Value {
    let Value::Object(members) = place.schema else { return place.schema.clone() };
    let elsewhere = |text: &str| !text.starts_with('#') && document.follow(place, text).is_err();
    let nowhere = members.get("$ref").and_then(Value::as_str).is_some_and(elsewhere);
    if nowhere && !everything {
        return json!({ "not": {} });
    }
    let inner = |schema: &Value| without_unreachable(document, document.enter(place, schema), everything);
    rebuilt(place.schema, |keyword| !(nowhere && keyword == "$ref"), inner)
}
