//! What each command takes, and how what is typed is read.

mod audit;
mod decide;
mod foreign;
mod guard;
mod help;
mod look;

pub use audit::{Audit, AuditExport, AuditFormat, AuditVerify, Evidence, EvidenceCommand, PlainFormat};
pub use decide::{Decide, Diff, Forget, Prune, Reading, Rename, Show, Unwatch};
pub use foreign::{Admit, Compare, CompareFormat, Export, Exported, VerifySignature};
pub use guard::{Guard, GuardFiles, GuardSetup, Stand};
pub use help::{Explain, Generate, Generated, Help, MergeDriver, Rules, RulesTest, SignIn, SignOut};
pub use look::{Accepted, Check, Format, Record, Servers, Targets, Wanted, Watch};

use crate::canon::Pointer;
use crate::config::AdHocLaunch;
use crate::surface::ItemId;
use crate::text::read_back;
use clap::builder::{StringValueParser, TypedValueParser};

const TYPED: &str = "A server that is in no file";

/// How a server that is typed on the command line is reached.
fn launch(url: Option<&String>, headers: &[(String, String)], command: &[String]) -> Option<AdHocLaunch> {
    match url {
        Some(url) => Some(AdHocLaunch::Url { url: url.clone(), headers: headers.to_vec() }),
        None => (!command.is_empty()).then(|| AdHocLaunch::Command(command.to_vec())),
    }
}

/// `Name: value`, as HTTP writes it.
fn header(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("a header is written `Name: value`".to_owned()),
    }
}

/// A name as it is, or as it is printed: `<U+200B>` is the character, and a literal `<U+` stands as `<U+003C>U+`. So no
/// name has two readings, and one that no argument can hold (a NUL) has a spelling.
fn name() -> impl TypedValueParser<Value = String> {
    StringValueParser::new().map(|text| read_back(&text))
}

/// `KIND/NAME`; the name may hold a `/` of its own.
fn item(text: &str) -> Result<ItemId, String> {
    ItemId::parse(&read_back(text))
}

/// A JSON Pointer from a definition's root.
fn pointer(text: &str) -> Result<Pointer, String> {
    let pointer = Pointer::parse(&read_back(text)).filter(|pointer| !pointer.as_str().is_empty());
    pointer.ok_or_else(|| "a JSON Pointer from the definition, such as /inputSchema/properties/tags/default".to_owned())
}
