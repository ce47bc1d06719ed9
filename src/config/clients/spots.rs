//! Where in a file's text the parts of an entry's launch stand, so that they can be changed and nothing else is touched.

use crate::config::document::{Form, Member, Node};
use std::ops::Range;

/// The parts of a launch that are there, by where they stand. Bytes of the text without a byte order mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::config) struct Spots {
    /// The command; of clients that keep it in one list with its arguments, that list.
    pub(in crate::config) command: Option<Spot>,
    pub(in crate::config) args: Option<Spot>,
}

/// A member of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::config) struct Spot {
    pub(in crate::config) key: Range<usize>,
    pub(in crate::config) value: Range<usize>,
    /// The elements of a list.
    pub(in crate::config) elements: Option<Vec<Range<usize>>>,
}

impl Spots {
    /// Those of an entry, whose client calls them so.
    pub(super) fn of(entry: &Node<'_>, command_name: &str, args_name: &str) -> Self {
        let members = entry.members().unwrap_or_default();
        let named = |members: &[Member<'_>], name: &str| -> Option<Spot> {
            let member = members.iter().find(|member| member.name == name)?;
            let list = (member.value.form() == Form::List).then(|| member.value.elements().unwrap_or_default());
            let elements = list.map(|list| list.iter().map(Node::at).collect());
            Some(Spot { key: member.key.clone(), value: member.value.at(), elements })
        };
        // The older shape of Zed: `{"command": {"path", "args", "env"}}`.
        let command = members.iter().find(|member| member.name == command_name);
        let inner = command.filter(|command| command.value.form() == Form::Table);
        if let Some(inner) = inner.and_then(|inner| inner.value.members().ok()) {
            return Self { command: named(&inner, "path"), args: named(&inner, args_name) };
        }
        Self { command: named(&members, command_name), args: named(&members, args_name) }
    }
}
