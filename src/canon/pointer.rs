//! JSON Pointers (RFC 6901).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// A JSON Pointer from a definition's root; the empty one is the whole definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pointer(String);

impl Pointer {
    /// The pointer to the whole.
    pub fn root() -> Self {
        Self::default()
    }

    /// A pointer in RFC 6901's text form; `None` where it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        (text.is_empty() || text.starts_with('/')).then(|| Self(text.to_owned()))
    }

    /// This pointer, one member or index further; `~` and `/` in `token` are escaped.
    #[must_use]
    pub fn child(&self, token: impl fmt::Display) -> Self {
        let token = token.to_string().replace('~', "~0").replace('/', "~1");
        Self(format!("{}/{token}", self.0))
    }

    /// The text form.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its tokens, unescaped.
    pub fn tokens(&self) -> impl Iterator<Item = String> + '_ {
        self.0.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"))
    }

    /// Whether `self` is `other` or lies inside what `other` points to.
    pub fn is_within(&self, other: &Self) -> bool {
        self.0.strip_prefix(&other.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl TryFrom<String> for Pointer {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or_else(|| format!("`{text}` is not a JSON Pointer"))
    }
}

impl From<Pointer> for String {
    fn from(pointer: Pointer) -> Self {
        pointer.0
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What `pointer` points to in `value`.
pub fn at<'a>(value: &'a Value, pointer: &Pointer) -> Option<&'a Value> {
    value.pointer(pointer.as_str())
}
