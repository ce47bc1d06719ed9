//! Looks through a guard: an entry that starts `pinwatch guard … -- COMMAND` names the server that the command is.

use super::entry::{Entry, Written};
use super::expand::Text;
use crate::surface::program_name;

/// An entry as its server's own command has it, and whether a guard stands before it.
pub(super) fn behind_guard(mut entry: Entry) -> (Entry, bool) {
    let Ok(Written::Stdio { command, args, .. }) = &mut entry.written else { return (entry, false) };
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
