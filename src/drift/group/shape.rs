//! What a change has in common with the same change on another item: where it is, names of parameters left out, and what
//! it does there.

use super::super::judge::shortened;
use super::super::{Change, ChangeKind, Drift, Severity};
use crate::canon::{Pointer, jcs};
use serde_json::{Value, json};
use std::collections::HashSet;

/// A change without the item it happened to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Shape {
    /// Its pointer, with `*` for the names and places of parameters on the way.
    site: String,
    /// The first member of the site, where others stand in it.
    place: String,
    did: Did,
}

/// What happened at a site.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Did {
    /// Something is there that was not; its value may differ from item to item.
    Came,
    /// Something is no longer there.
    Went,
    /// It is another one, of no consequence.
    Moved,
    /// From this value to that one, as canonical JSON; nothing where nothing stood.
    Became(Option<String>, Option<String>),
    /// A text lost this and gained that in one place.
    Edited(String, String),
    /// A set lost these and gained those.
    Members(Vec<String>, Vec<String>),
    /// Hints say what held by default, or promise more.
    Spelled,
    /// Order, or the form of a text, alone.
    Form,
}

/// Bytes of a value, or of an edit, up to which it can be the same on several items.
const LARGEST: usize = 400;

/// The shapes of a drift's changes, each once; none where one of them is its own. Another name is no shape.
pub(super) fn shapes(drift: &Drift) -> Option<Vec<Shape>> {
    let mut found = Vec::with_capacity(drift.changes.len().min(32));
    for change in drift.changes.iter().filter(|change| change.change != ChangeKind::Renamed) {
        let shape = Shape::of(change)?;
        if !found.contains(&shape) {
            found.push(shape);
        }
    }
    Some(found)
}

/// A title may come or go with any words; any other text must have been edited in the same way.
fn text(change: &Change, member: &str) -> Option<Did> {
    match (&change.before, &change.after) {
        (None, Some(_)) if member == "title" => Some(Did::Came),
        (Some(_), None) if member == "title" => Some(Did::Went),
        (Some(Value::String(old)), Some(Value::String(new))) => {
            let (lost, gained) = edit(old, new);
            let small = lost.len() + gained.len() <= LARGEST;
            small.then(|| Did::Edited(lost.to_owned(), gained.to_owned()))
        }
        _ => value(change),
    }
}

/// What stood and what stands between the beginning and the end that two texts share. Words are not cut.
pub(in crate::drift) fn edit<'a>(old: &'a str, new: &'a str) -> (&'a str, &'a str) {
    let same = old.chars().zip(new.chars()).take_while(|(a, b)| a == b);
    let mut start: usize = same.map(|(a, _)| a.len_utf8()).sum();
    let inside = |next: Option<char>| next.is_some_and(char::is_alphanumeric);
    if inside(old[start..].chars().next()) || inside(new[start..].chars().next()) {
        start = old[..start].trim_end_matches(char::is_alphanumeric).len();
    }
    let (old, new) = (&old[start..], &new[start..]);
    let shared = old.chars().rev().zip(new.chars().rev()).take_while(|(a, b)| a == b);
    let mut end: usize = shared.map(|(a, _)| a.len_utf8()).sum();
    let before = |text: &str| inside(text[..text.len() - end].chars().next_back());
    if before(old) || before(new) {
        end = old[old.len() - end..].trim_start_matches(char::is_alphanumeric).len();
    }
    (&old[..old.len() - end], &new[..new.len() - end])
}

fn value(change: &Change) -> Option<Did> {
    if let (Some(Value::Array(old)), Some(Value::Array(new))) = (&change.before, &change.after) {
        let set = |list: &[Value]| list.iter().map(Value::to_string).collect::<HashSet<_>>();
        let (before, after) = (set(old), set(new));
        let only = |a: &HashSet<String>, b: &HashSet<String>| {
            let mut found: Vec<_> = a.difference(b).cloned().collect();
            found.sort_unstable();
            found
        };
        let (lost, gained) = (only(&before, &after), only(&after, &before));
        let bytes: usize = lost.iter().chain(&gained).map(String::len).sum();
        return (bytes <= LARGEST && bytes > 0).then_some(Did::Members(lost, gained));
    }
    let text = |side: &Option<Value>| side.as_ref().map(jcs);
    let (before, after) = (text(&change.before), text(&change.after));
    let bytes = before.iter().chain(&after).map(String::len).max().unwrap_or(0);
    (bytes <= LARGEST).then_some(Did::Became(before, after))
}

/// The pointer with `*` in place of names on the way and of places in lists. The name at its end stays: a parameter that
/// is new everywhere is the same one everywhere.
fn site(tokens: &[String]) -> String {
    let mut site = Pointer::root();
    let mut named = false;
    for (at, token) in tokens.iter().enumerate() {
        let ends = at + 1 == tokens.len();
        let index = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
        let name = std::mem::take(&mut named);
        site = if (name || index) && !ends { site.child("*") } else { site.child(token) };
        let holds_names = ["properties", "$defs", "definitions", "patternProperties"].contains(&token.as_str());
        named = !name && at > 0 && holds_names;
    }
    site.as_str().to_owned()
}

impl Shape {
    /// What this change is without its item; none where it is its item's own.
    pub(super) fn of(change: &Change) -> Option<Self> {
        let tokens: Vec<String> = change.path.tokens().collect();
        let (first, last) = (tokens.first()?, tokens.last()?);
        let whole = tokens.len() == 1;
        let both = change.before.is_some() && change.after.is_some();
        let presence = || if change.before.is_none() { Did::Came } else { Did::Went };
        let mut site = site(&tokens);
        let did = match change.change {
            ChangeKind::AnnotationChanged if change.severity <= Severity::Info => {
                "/annotations".clone_into(&mut site);
                Did::Spelled
            }
            ChangeKind::TextChanged if change.severity == Severity::Safe => Did::Form,
            ChangeKind::TextChanged => text(change, last)?,
            ChangeKind::OrderChanged => Did::Form,
            // What a program sets; where it is data for programs, its value says nothing to a model.
            ChangeKind::FieldAdded | ChangeKind::FieldRemoved if !both => presence(),
            ChangeKind::SchemaChanged if whole && !both && first == "outputSchema" => presence(),
            ChangeKind::FieldChanged if change.severity <= Severity::Info => Did::Moved,
            ChangeKind::AnnotationChanged
            | ChangeKind::FieldChanged
            | ChangeKind::SchemaChanged
            | ChangeKind::PropertyAdded
            | ChangeKind::PropertyRemoved => value(change)?,
            _ => return None,
        };
        let place =
            if whole || site == "/annotations" || first == "inputSchema" { String::new() } else { first.clone() };
        Some(Self { site, place, did })
    }

    /// The member that an item must have for this to happen to it; empty where every item can.
    pub(super) fn place(&self) -> &str {
        &self.place
    }

    /// What happened, as a sentence: in the words that the changes have for it where they share them, but for the edit of a
    /// text, which those do not quote.
    pub(super) fn sentence(&self, shared: Option<&str>) -> String {
        match (&self.did, shared) {
            (Did::Edited(..), _) | (_, None) => self.told(),
            (_, Some(shared)) => shared.to_owned(),
        }
    }

    fn told(&self) -> String {
        let at = format!("`{}`", shortened(self.site.trim_start_matches('/')));
        let quoted = |text: &str| format!("`{}`", shortened(text));
        let each = |texts: &[String]| texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ");
        match &self.did {
            Did::Came => format!("{at} added"),
            Did::Went => format!("{at} removed"),
            Did::Moved => format!("{at} changed"),
            Did::Became(None, Some(after)) => format!("{at} added: {}", quoted(after)),
            Did::Became(Some(before), None) => format!("{at} removed (was {})", quoted(before)),
            Did::Became(before, after) => {
                let side = |side: &Option<String>| side.as_deref().map_or_else(|| "nothing".to_owned(), quoted);
                format!("{at} changed from {} to {}", side(before), side(after))
            }
            Did::Edited(lost, gained) if lost.is_empty() => format!("{at} gained {}", quoted(gained)),
            Did::Edited(lost, gained) if gained.is_empty() => format!("{at} lost {}", quoted(lost)),
            Did::Edited(lost, gained) => format!("{at} reworded: {} → {}", quoted(lost), quoted(gained)),
            Did::Members(lost, gained) if lost.is_empty() => format!("{at} gained {}", each(gained)),
            Did::Members(lost, gained) if gained.is_empty() => format!("{at} lost {}", each(lost)),
            Did::Members(lost, gained) => format!("{at} gained {}, lost {}", each(gained), each(lost)),
            Did::Spelled => "Safety hints say what held by default, or promise more, which nothing proves".to_owned(),
            Did::Form => format!("{at} changed only in order, white space, case or punctuation"),
        }
    }

    /// What tells this shape from others, for the id of a cause.
    pub(super) fn to_json(&self) -> Value {
        json!([self.site, format!("{:?}", self.did)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_name_of_a_path_stays() {
        let site =
            |path: &str| site(&Pointer::parse(path).map(|path| path.tokens().collect::<Vec<_>>()).unwrap_or_default());
        for (path, expected) in [
            ("/inputSchema/properties/a/title", "/inputSchema/properties/*/title"),
            ("/inputSchema/properties/a", "/inputSchema/properties/a"),
            ("/inputSchema/properties/properties/anyOf/0/type", "/inputSchema/properties/*/anyOf/*/type"),
            ("/inputSchema/$schema", "/inputSchema/$schema"),
            ("/properties", "/properties"),
        ] {
            assert_eq!(site(path), expected, "{path}");
        }
    }

    #[test]
    fn an_edit_is_what_differs_between_the_ends() {
        assert_eq!(edit("Reads a note.", "Reads a note. Returns JSON."), ("", " Returns JSON."));
        assert_eq!(edit("Lists issues of GitHub", "Lists issues of GitLab"), ("GitHub", "GitLab"));
        assert_eq!(edit("List issues.", "List all open issues."), ("", "all open "));
        assert_eq!(edit("é", "è"), ("é", "è"));
        assert_eq!(edit("a b", "a b"), ("", ""));
        assert_eq!(edit("", "x"), ("", "x"));
    }
}
