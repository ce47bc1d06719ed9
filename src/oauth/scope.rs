//! Scopes (RFC 6749, 3.3): what is one, and how a set of them is written.

use crate::surface::Reason;
use std::collections::BTreeSet;

/// Scopes of one sign-in.
const MOST: usize = 200;
/// Characters of one.
const MOST_CHARACTERS: usize = 512;

/// The scopes of a text that names them, as a set.
pub fn split(text: &str) -> Result<BTreeSet<String>, Reason> {
    let scopes: BTreeSet<String> = text.split(' ').filter(|scope| !scope.is_empty()).map(str::to_owned).collect();
    checked(scopes)
}

/// Refuses what is no set of scopes.
pub(super) fn checked(scopes: BTreeSet<String>) -> Result<BTreeSet<String>, Reason> {
    let is_scope = |scope: &String| {
        let fits = |byte: u8| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
        !scope.is_empty() && scope.len() <= MOST_CHARACTERS && scope.bytes().all(fits)
    };
    if scopes.len() > MOST {
        return Err(Reason::new("bad-scope", format!("more than {MOST} scopes are asked for")));
    }
    match scopes.iter().find(|scope| !is_scope(scope)) {
        Some(_) => Err(Reason::new("bad-scope", "a scope has a character that no scope can have, or is too long")),
        None => Ok(scopes),
    }
}

/// Scopes as they are sent and compared: in order, a blank between two.
pub fn join(scopes: &BTreeSet<String>) -> String {
    scopes.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_scope_is_refused() {
        for text in ["a\u{1b}", "a\"b", "é", &"x".repeat(600)] {
            assert_eq!(split(text).unwrap_err().code, "bad-scope");
        }
        let many = (0..300).map(|at| format!("s{at}")).collect::<Vec<_>>().join(" ");
        assert_eq!(split(&many).unwrap_err().code, "bad-scope");
    }
}
