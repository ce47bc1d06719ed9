//! Where in a file's text the parts of an entry's launch stand, so that they can be changed and nothing else is touched.

use crate::config::document::{Form, Member, Node};
use std::ops::Range;

/// The parts of a launch that are there, by where they stand. Bytes of the text without a byte order mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::config) struct Spots {
    /// The command; of clients that keep it in one list with its arguments, that list.
    pub(in crate::config) command: Option<Spot>,
    pub(in crate::config) args: Option<Spot>,
    /// The address that counts.
    pub(in crate::config) url: Option<Spot>,
    pub(in crate::config) headers: Option<Spot>,
    /// Headers by the variable that holds their value.
    pub(in crate::config) header_variables: Option<Spot>,
    /// The member that names a variable for the `Authorization` header, where one does.
    pub(in crate::config) bearer: Option<&'static str>,
    /// The member that says that the transport is HTTP+SSE of revision 2024-11-05, where one does.
    pub(in crate::config) is_sse: Option<&'static str>,
}

/// A member of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::config) struct Spot {
    pub(in crate::config) key: Range<usize>,
    pub(in crate::config) value: Range<usize>,
    /// The elements of a list.
    pub(in crate::config) elements: Option<Vec<Range<usize>>>,
    /// The members of a table.
    pub(in crate::config) members: Vec<NamedSpot>,
}

/// A member of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::config) struct NamedSpot {
    pub(in crate::config) name: String,
    pub(in crate::config) key: Range<usize>,
    pub(in crate::config) value: Range<usize>,
}

/// What a client calls the members that are sought.
pub(super) struct SpotNames {
    pub(super) command: &'static str,
    pub(super) args: &'static str,
    pub(super) url: &'static [&'static str],
    pub(super) sse_url: Option<&'static str>,
    pub(super) headers: &'static [&'static str],
    pub(super) header_variables: Option<&'static str>,
    pub(super) bearer: Option<&'static str>,
}

impl Spots {
    /// Those of an entry, whose client calls them so.
    pub(super) fn of(entry: &Node<'_>, names: &SpotNames) -> Self {
        let members = entry.members().unwrap_or_default();
        // The older shape of Zed: `{"command": {"path", "args", "env"}}`.
        let command = members.iter().find(|member| member.name == names.command);
        let inner = command.filter(|command| command.value.form() == Form::Table);
        if let Some(inner) = inner.and_then(|inner| inner.value.members().ok()) {
            return Self { command: named(&inner, "path"), args: named(&inner, names.args), ..Self::default() };
        }
        let has = |name: &str| members.iter().any(|member| member.name == name);
        let url = names.url.iter().copied().find(|name| has(name));
        let kind = ["type", "transport"].into_iter().find_map(|name| {
            let member = members.iter().find(|member| member.name == name)?;
            Some((name, member.value.value().ok()?.as_str()?.to_owned()))
        });
        let is_sse = match kind {
            Some((name, kind)) => (kind == "sse").then_some(name),
            None => url.filter(|url| names.sse_url == Some(*url)),
        };
        Self {
            command: named(&members, names.command),
            args: named(&members, names.args),
            url: url.and_then(|name| named(&members, name)),
            headers: names.headers.iter().find_map(|name| named(&members, name)),
            header_variables: names.header_variables.and_then(|name| named(&members, name)),
            bearer: names.bearer.filter(|name| has(name)),
            is_sse,
        }
    }
}

fn named(members: &[Member<'_>], name: &str) -> Option<Spot> {
    let member = members.iter().find(|member| member.name == name)?;
    let list = (member.value.form() == Form::List).then(|| member.value.elements().unwrap_or_default());
    let elements = list.map(|list| list.iter().map(Node::at).collect());
    let inner = member.value.members().unwrap_or_default().into_iter();
    let members = inner.map(|Member { name, key, value, .. }| NamedSpot { name, key, value: value.at() }).collect();
    Some(Spot { key: member.key.clone(), value: member.value.at(), elements, members })
}
