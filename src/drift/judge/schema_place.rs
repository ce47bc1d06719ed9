//! Where in a JSON Schema a pointer leads, by the words of drafts 04 to 2020-12: to a parameter, a keyword, or a schema.
//! No meaning: it only tells a property named `title` from the keyword.

use crate::schema::{Holds, holds};

/// What a pointer from a schema's root leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SchemaPlace {
    /// A schema that is no parameter's own.
    Schema,
    /// The schema of a parameter, by its name.
    Parameter(String),
    /// A keyword's value, or something inside it.
    Keyword(String),
}

/// What the tokens, from the schema's root, lead to; and the innermost parameter on the way.
pub(super) fn place(tokens: &[String]) -> (SchemaPlace, Option<String>) {
    let mut parameter = None;
    let mut here = SchemaPlace::Schema;
    let mut rest = tokens.iter().peekable();
    while let Some(keyword) = rest.next() {
        here = SchemaPlace::Keyword(keyword.clone());
        match holds(keyword) {
            Some(Holds::ByName) => {
                let Some(name) = rest.next() else { break };
                here = SchemaPlace::Schema;
                if keyword == "properties" {
                    parameter = Some(name.clone());
                    here = SchemaPlace::Parameter(name.clone());
                }
            }
            Some(Holds::Directly) => {
                let index = |token: &&String| token.bytes().all(|byte| byte.is_ascii_digit());
                if rest.next_if(index).is_some() || rest.peek().is_some() {
                    here = SchemaPlace::Schema;
                }
            }
            None => break,
        }
    }
    (here, parameter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canon::Pointer;

    #[test]
    fn a_property_is_told_from_a_keyword() {
        let place =
            |path: &str| place(&Pointer::parse(path).map(|p| p.tokens().collect::<Vec<_>>()).unwrap_or_default());
        let parameter = |name: &str| Some(name.to_owned());
        assert_eq!(place(""), (SchemaPlace::Schema, None));
        assert_eq!(place("/properties/title"), (SchemaPlace::Parameter("title".into()), parameter("title")));
        assert_eq!(place("/properties/title/title"), (SchemaPlace::Keyword("title".into()), parameter("title")));
        assert_eq!(place("/properties"), (SchemaPlace::Keyword("properties".into()), None));
        assert_eq!(place("/properties/a/anyOf/0/enum"), (SchemaPlace::Keyword("enum".into()), parameter("a")));
        assert_eq!(place("/properties/a/anyOf/0"), (SchemaPlace::Schema, parameter("a")));
        assert_eq!(place("/default/properties/x"), (SchemaPlace::Keyword("default".into()), None));
        assert_eq!(place("/items/properties/b"), (SchemaPlace::Parameter("b".into()), parameter("b")));
        assert_eq!(place("/additionalProperties"), (SchemaPlace::Keyword("additionalProperties".into()), None));
    }
}
