//! Kinds of items, their keys, and one item's exact bytes.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use strum::{EnumString, IntoStaticStr};

/// What an item of a surface is. The order is the order of a baseline file.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, IntoStaticStr, EnumString,
)]
#[strum(serialize_all = "snake_case", parse_err_ty = String, parse_err_fn = no_kind)]
#[serde(rename_all = "snake_case", try_from = "String")]
pub enum Kind {
    /// An entry of `tools/list`; its key is `name`.
    Tool,
    /// An entry of `prompts/list`; its key is `name`.
    Prompt,
    /// An entry of `resources/list`; its key is `uri`.
    Resource,
    /// An entry of `resources/templates/list`; its key is `uriTemplate`.
    ResourceTemplate,
    /// The server's `instructions` string; its key is empty.
    Instructions,
    /// The server's `capabilities` object; its key is empty.
    Capabilities,
    /// The server's `serverInfo` object; its key is empty.
    ServerInfo,
    /// The masked launch that pinwatch used; its key is empty.
    Launch,
}

word!(Kind);

impl Kind {
    /// Every kind, in order.
    pub const ALL: [Self; 8] = [
        Self::Tool,
        Self::Prompt,
        Self::Resource,
        Self::ResourceTemplate,
        Self::Instructions,
        Self::Capabilities,
        Self::ServerInfo,
        Self::Launch,
    ];

    /// The four kinds that come from a paged list.
    pub const LISTS: [Self; 4] = [Self::Tool, Self::Prompt, Self::Resource, Self::ResourceTemplate];

    /// The member that holds an entry's key; none for the kinds with a single item.
    pub fn key_member(self) -> Option<&'static str> {
        match self {
            Self::Tool | Self::Prompt => Some("name"),
            Self::Resource => Some("uri"),
            Self::ResourceTemplate => Some("uriTemplate"),
            Self::Instructions | Self::Capabilities | Self::ServerInfo | Self::Launch => None,
        }
    }

    /// The request that lists this kind and the member of its result that holds the entries.
    pub fn list_method(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Tool => Some(("tools/list", "tools")),
            Self::Prompt => Some(("prompts/list", "prompts")),
            Self::Resource => Some(("resources/list", "resources")),
            Self::ResourceTemplate => Some(("resources/templates/list", "resourceTemplates")),
            Self::Instructions | Self::Capabilities | Self::ServerInfo | Self::Launch => None,
        }
    }
}

impl TryFrom<String> for Kind {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        word.parse()
    }
}

fn no_kind(word: &str) -> String {
    format!("no kind `{word}`; one of {}", Kind::ALL.map(Kind::word).join(", "))
}

/// An item's place in a surface. Two items may share it: servers send duplicates.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemId {
    /// What the item is.
    pub kind: Kind,
    /// Its key, unescaped: text from the server. Show it through the escaping seam only.
    pub key: Arc<str>,
}

impl ItemId {
    /// The id of `key` among the items of `kind`.
    pub fn new(kind: Kind, key: impl Into<Arc<str>>) -> Self {
        Self { kind, key: key.into() }
    }

    /// `KIND/KEY` as the command line takes it. The key is the server's text, not escaped.
    pub fn text(&self) -> String {
        format!("{}/{}", self.kind, self.key)
    }

    /// The item of a `KIND/KEY`; the key is split off at the first `/`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (kind, key) = text.split_once('/').unwrap_or((text, ""));
        Ok(Self { kind: kind.parse()?, key: key.into() })
    }
}

/// One entry as received: nothing of it is read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawItem {
    /// The list or handshake member it came from.
    pub kind: Kind,
    /// The JSON value's exact bytes, a slice of the message they came in.
    pub bytes: Bytes,
}
