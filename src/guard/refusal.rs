//! Why something does not pass, as a person is told it and as the client gets it.

use super::Verdict;
use crate::surface::{ItemId, Kind};
use crate::text::{shortened, visible};
use serde_json::json;
use std::sync::Arc;

/// The code of every error of ours: of the range that JSON-RPC leaves to servers, and none that MCP or an SDK uses.
pub const CODE: i32 = -32_090;

/// Characters of a name that are told.
const LONGEST: usize = 200;

/// Why something does not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// An item that is served, and may not pass.
    Item(ItemId, Verdict),
    /// An item that the server does not list.
    NotListed(ItemId),
    /// The server's list could not be read, and why.
    Unread(Kind, Arc<str>),
    /// The guard is closed, and why.
    Closed(Arc<str>),
    /// The message could be read as two things, and why.
    Unfit(Arc<str>),
    /// The server gave no answer, and why.
    Unanswered(Arc<str>),
    /// Another request of that id waits for its answer.
    InUse,
    /// The client called it off while it waited for the server's list.
    CalledOff,
    /// No evidence could be taken of it, and why.
    NoEvidence(Arc<str>),
}

/// A kind, as several of it are called.
fn plural(kind: Kind) -> &'static str {
    match kind {
        Kind::Tool => "tools",
        Kind::Prompt => "prompts",
        Kind::Resource => "resources",
        _ => "resource templates",
    }
}

impl Refusal {
    /// One sentence for a person. Printable.
    pub fn sentence(&self) -> String {
        let name = |id: &ItemId| format!("`{}`", visible(&shortened(&id.key, LONGEST)));
        match self {
            Self::Item(id, verdict) => {
                let name = name(id);
                match verdict {
                    Verdict::Changed => format!("{name} changed since it was approved; review it in pinwatch"),
                    Verdict::Rejected => format!("{name} was rejected; review it in pinwatch"),
                    Verdict::ApprovedElsewhere => {
                        format!(
                            "{name} is approved in the baseline's file, but not on this machine; confirm it in pinwatch"
                        )
                    }
                    Verdict::NotAdmitted => {
                        format!("{name} is not in the closed list of tools that pinwatch.toml gives this server")
                    }
                    Verdict::New | Verdict::Approved | Verdict::Ignored => {
                        format!("{name} was never approved; review it in pinwatch")
                    }
                }
            }
            Self::NotListed(id) => format!("{} is not in the server's list of {}", name(id), plural(id.kind)),
            Self::Unread(kind, why) => format!("the server's list of {} could not be read: {why}", plural(*kind)),
            Self::Closed(why) => format!("the guard is closed: {why}"),
            Self::Unfit(why) => format!("not passed on: {why}"),
            Self::Unanswered(why) => format!("the server gave no answer: {why}"),
            Self::InUse => "another request with this id is waiting for its answer".to_owned(),
            Self::CalledOff => "it was cancelled before the server's list was read".to_owned(),
            Self::NoEvidence(why) => {
                format!("no evidence of the call could be written, and --strict-evidence wants it: {why}")
            }
        }
    }

    /// What the client gets for the request whose raw id this is.
    pub fn answer(&self, id: &[u8]) -> Vec<u8> {
        let data = match self {
            Self::Item(id, verdict) => json!({"item": id.text(), "state": verdict.word()}),
            Self::NotListed(id) => json!({"item": id.text(), "state": "not_listed"}),
            Self::Unread(..) => json!({"state": "list_unread"}),
            Self::Closed(_) => json!({"state": "closed"}),
            Self::Unfit(_) => json!({"state": "unreadable"}),
            Self::Unanswered(_) => json!({"state": "unanswered"}),
            Self::InUse => json!({"state": "id_in_use"}),
            Self::CalledOff => json!({"state": "cancelled"}),
            Self::NoEvidence(_) => json!({"state": "no_evidence"}),
        };
        let error = json!({"code": CODE, "message": self.sentence(), "data": {"pinwatch": data}});
        [b"{\"jsonrpc\":\"2.0\",\"id\":", id, b",\"error\":", error.to_string().as_bytes(), b"}"].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_one_a_person_understands() {
        let mail = ItemId::new(Kind::Tool, "send_mail");
        let changed = Refusal::Item(mail.clone(), Verdict::Changed);
        assert_eq!(changed.sentence(), "`send_mail` changed since it was approved; review it in pinwatch");
        assert_eq!(
            String::from_utf8_lossy(&changed.answer(b"7")),
            r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32090,"data":{"pinwatch":{"item":"tool/send_mail","state":"changed"}},"message":"`send_mail` changed since it was approved; review it in pinwatch"}}"#
        );
        assert_eq!(Refusal::NotListed(mail).sentence(), "`send_mail` is not in the server's list of tools");
        let odd = Refusal::NotListed(ItemId::new(Kind::Prompt, "a\u{1b}[2J\u{200b}"));
        assert_eq!(odd.sentence(), "`a<U+001B>[2J<U+200B>` is not in the server's list of prompts");
    }
}
