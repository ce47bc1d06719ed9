//! Which dialect of JSON Schema a document is written in, and what differs between dialects.

use serde_json::Value;
use strum::IntoStaticStr;

/// A published dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Dialect {
    #[strum(to_string = "draft-04")]
    Draft04,
    #[strum(to_string = "draft-06")]
    Draft06,
    #[strum(to_string = "draft-07")]
    Draft07,
    #[strum(to_string = "2019-09")]
    Draft201909,
    /// 2020-12, the default of MCP.
    #[strum(to_string = "2020-12")]
    Draft202012,
}

word!(ref Dialect);

impl Dialect {
    /// The keyword that names a schema resource.
    pub(super) fn id_keyword(self) -> &'static str {
        if self == Self::Draft04 { "id" } else { "$id" }
    }

    /// What `$schema` says. `Ok(None)` where it says nothing, `Err` with the text where it names none of these.
    pub(super) fn declared(schema: &Value) -> Result<Option<Self>, String> {
        let Some(text) = schema.get("$schema") else { return Ok(None) };
        let Some(text) = text.as_str() else { return Err(text.to_string()) };
        let bare = text.trim_end_matches('#').trim_start_matches("https://").trim_start_matches("http://");
        match bare {
            "json-schema.org/draft-04/schema" => Ok(Some(Self::Draft04)),
            "json-schema.org/draft-06/schema" => Ok(Some(Self::Draft06)),
            "json-schema.org/draft-07/schema" => Ok(Some(Self::Draft07)),
            "json-schema.org/draft/2019-09/schema" => Ok(Some(Self::Draft201909)),
            "json-schema.org/draft/2020-12/schema" => Ok(Some(Self::Draft202012)),
            _ => Err(text.to_owned()),
        }
    }
}
