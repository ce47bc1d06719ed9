//! Which scopes a sign-in asks for.

use super::{Challenge, Given, Resource, scope, split};
use crate::surface::Reason;
use std::collections::BTreeSet;

/// The scopes to ask for: those of the config, else those of the challenge, else all that the server's document names; and
/// with them those that an earlier sign-in had, which would be lost otherwise (step-up).
pub fn wanted(
    given: &Given,
    challenge: &Challenge,
    resource: &Resource,
    before: &BTreeSet<String>,
) -> Result<BTreeSet<String>, Reason> {
    let mut scopes = match (&given.scopes, &challenge.scope) {
        (Some(given), _) => given.clone(),
        (None, Some(asked)) => split(asked)?,
        (None, None) => resource.scopes.clone(),
    };
    if challenge.is_step_up() {
        scopes.extend(challenge.scope.as_deref().map(split).transpose()?.unwrap_or_default());
        scopes.extend(before.iter().cloned());
    }
    scope::checked(scopes)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
mod tests {
    use super::*;
    use crate::oauth::join;

    fn resource(scopes: &str) -> Resource {
        Resource { resource: "https://a.example/mcp".to_owned(), servers: Vec::new(), scopes: split(scopes).unwrap() }
    }

    fn told(
        given: Option<&str>,
        challenge: (Option<&str>, Option<&str>),
        resource_scopes: &str,
        before: &str,
    ) -> String {
        let given = Given { scopes: given.map(|scopes| split(scopes).unwrap()), ..Given::default() };
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let challenge = Challenge { scope: owned(challenge.0), error: owned(challenge.1), resource_metadata: None };
        join(&wanted(&given, &challenge, &resource(resource_scopes), &split(before).unwrap()).unwrap())
    }

    #[test]
    fn scopes_come_of_the_challenge_before_the_document() {
        assert_eq!(told(None, (None, None), "b a", ""), "a b");
        assert_eq!(told(None, (Some("c"), None), "a b", "z"), "c");
        assert_eq!(told(Some("d"), (Some("c"), None), "a b", ""), "d");
    }

    #[test]
    fn a_step_up_keeps_what_was_granted_before() {
        assert_eq!(told(None, (Some("write"), Some("insufficient_scope")), "x", "read"), "read write");
        assert_eq!(told(Some("own"), (Some("write"), Some("insufficient_scope")), "x", "read"), "own read write");
    }
}
