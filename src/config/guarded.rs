//! Looks through a guard: an entry that starts `pinwatch guard … -- COMMAND` names the server that the command is, and one
//! that asks a guard which listens says in a header which server that stands before.

use super::entry::{Entry, Pairs, Written};
use super::expand::Text;
use crate::surface::program_name;

/// The header in which an entry says which server is behind the guard, as its URL. A guard takes no notice of it: where it
/// sends what passes, its own config says.
pub(super) const UPSTREAM: &str = "Pinwatch-Upstream";
pub(super) const AUTHORIZATION: &str = "Authorization";
/// What stands before the name of an `Authorization` of the server's own, whose place is the guard's secret.
pub(super) const KEPT: &str = "Pinwatch-";

/// An entry as its server's own command has it, and whether a guard stands before it.
pub(super) fn behind_guard(mut entry: Entry) -> (Entry, bool) {
    let (command, args) = match &mut entry.written {
        Ok(Written::Stdio { command, args, .. }) => (command, args),
        Ok(Written::Http { url, headers }) => {
            let is_guarded = is_loopback(&url.shown) && listens(url, headers);
            return (entry, is_guarded);
        }
        Err(_) => return (entry, false),
    };
    if program_name(&command.shown) != "pinwatch" || args.first().is_none_or(|word| word.shown != "guard") {
        return (entry, false);
    }
    let Some(at) = args.iter().position(|word| word.shown == "--") else { return (entry, false) };
    let mut own: Vec<Text> = args.split_off(at + 1);
    if own.is_empty() {
        return (entry, false);
    }
    *command = own.remove(0);
    *args = own;
    (entry, true)
}

/// Whether a URL is one that a guard could listen at.
fn is_loopback(url: &str) -> bool {
    ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"].iter().any(|start| url.starts_with(start))
}

/// Puts the server's own URL and headers in the place of the guard's; whether there was a guard.
fn listens(url: &mut Text, headers: &mut Pairs) -> bool {
    let named = |headers: &Pairs, wanted: &str| headers.keys().find(|name| name.eq_ignore_ascii_case(wanted)).cloned();
    let Some(upstream) = named(headers, UPSTREAM).and_then(|name| headers.remove(&name)) else { return false };
    *url = upstream;
    while let Some(secret) = named(headers, AUTHORIZATION) {
        headers.remove(&secret);
    }
    if let Some(kept) = named(headers, &format!("{KEPT}{AUTHORIZATION}"))
        && let Some(own) = headers.remove(&kept)
    {
        // As the entry spells it.
        headers.insert(kept[KEPT.len()..].to_owned(), own);
    }
    true
}
