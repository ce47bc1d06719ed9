//! What a request of the client is about, as far as a guard has to know.

use super::envelope::{self, Envelope, Unfit, members};
use crate::surface::{ItemId, Kind};

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// A handshake of either era.
    Handshake,
    /// A page of a list.
    List {
        kind: Kind,
        /// Whether it is the first.
        first: bool,
    },
    /// Use of one item.
    Use(ItemId),
    /// A resource by its URI, which a template may stand for.
    Resource(String),
    /// Word of changes, for as long as the request stays open.
    Listen,
    /// Anything else.
    Other,
}

impl Ask {
    /// Reads what a request of this method asks for.
    pub fn read(method: &str, envelope: &Envelope, bytes: &[u8]) -> Result<Self, Unfit> {
        if let Some(kind) = Kind::LISTS.into_iter().find(|kind| kind.list_method().is_some_and(|it| it.0 == method)) {
            let [cursor] = params(envelope, bytes, ["cursor"])?;
            let first = cursor.is_none_or(|span| &bytes[span] == b"null");
            return Ok(Self::List { kind, first });
        }
        let named = |kind, member| -> Result<Self, Unfit> {
            let [name] = params(envelope, bytes, [member])?;
            Ok(Self::Use(ItemId::new(kind, envelope::text(bytes, name.as_ref()).unwrap_or_default())))
        };
        match method {
            "initialize" | "server/discover" => Ok(Self::Handshake),
            "tools/call" => named(Kind::Tool, "name"),
            "prompts/get" => named(Kind::Prompt, "name"),
            "resources/read" | "resources/subscribe" | "resources/unsubscribe" => {
                let [uri] = params(envelope, bytes, ["uri"])?;
                Ok(Self::Resource(envelope::text(bytes, uri.as_ref()).unwrap_or_default()))
            }
            "completion/complete" => completion(envelope, bytes),
            "subscriptions/listen" => Ok(Self::Listen),
            _ => Ok(Self::Other),
        }
    }

    /// The lists that say whether it may pass.
    pub fn lists(&self) -> &'static [Kind] {
        match self {
            Self::Use(id) if id.kind == Kind::Tool => &[Kind::Tool],
            Self::Use(id) if id.kind == Kind::Prompt => &[Kind::Prompt],
            Self::Use(_) => &[Kind::ResourceTemplate],
            Self::Resource(_) => &[Kind::Resource, Kind::ResourceTemplate],
            Self::Handshake | Self::List { .. } | Self::Listen | Self::Other => &[],
        }
    }

    /// The item as it is told.
    pub fn item(&self) -> Option<ItemId> {
        match self {
            Self::Use(id) => Some(id.clone()),
            Self::Resource(uri) => Some(ItemId::new(Kind::Resource, uri.as_str())),
            Self::Handshake | Self::List { .. } | Self::Listen | Self::Other => None,
        }
    }
}

/// Members of the parameters, where these are an object.
pub(super) fn params<const N: usize>(
    envelope: &Envelope,
    bytes: &[u8],
    names: [&'static str; N],
) -> Result<[Option<crate::canon::scan::Span>; N], Unfit> {
    match envelope.params.as_ref().filter(|span| bytes[span.start] == b'{') {
        Some(params) => members(bytes, params.start, names),
        None => Ok([const { None }; N]),
    }
}

/// A completion is of an argument of a prompt or of a template.
fn completion(envelope: &Envelope, bytes: &[u8]) -> Result<Ask, Unfit> {
    let [reference] = params(envelope, bytes, ["ref"])?;
    let Some(reference) = reference.filter(|span| bytes[span.start] == b'{') else { return Ok(Ask::Other) };
    let [kind, name, uri] = members(bytes, reference.start, ["type", "name", "uri"])?;
    let text = |span| envelope::text(bytes, Option::as_ref(&span)).unwrap_or_default();
    let use_of = |kind, key: String| Ask::Use(ItemId::new(kind, key));
    Ok(match text(kind).as_str() {
        "ref/prompt" => use_of(Kind::Prompt, text(name)),
        "ref/resource" => use_of(Kind::ResourceTemplate, text(uri)),
        _ => Ask::Other,
    })
}
