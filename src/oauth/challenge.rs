//! What a server that turns us away asks for: the challenges of `WWW-Authenticate` (RFC 9110, 11.2; RFC 6750, 3).

/// The challenge of a server that wants a bearer token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Challenge {
    /// Where its document is, as it says (RFC 9728, 5.1).
    pub resource_metadata: Option<String>,
    /// The scopes that would do.
    pub scope: Option<String>,
    /// `insufficient_scope`, `invalid_token`, …
    pub error: Option<String>,
}

impl Challenge {
    /// What the values of the header say; none where no bearer token is asked for.
    pub fn of<'a>(values: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut bearer = values.filter_map(bearer).peekable();
        bearer.peek()?;
        let values: Vec<_> = bearer.collect();
        let find = |name| values.iter().find_map(|value| parameter(value, name));
        let (resource_metadata, scope, error) = (find("resource_metadata"), find("scope"), find("error"));
        Some(Self { resource_metadata, scope, error })
    }

    /// Whether a token is there and does not reach: another sign-in with these scopes would.
    pub fn is_step_up(&self) -> bool {
        self.error.as_deref() == Some("insufficient_scope")
    }
}

/// The part of a header's value that begins with the scheme `Bearer`.
fn bearer(value: &str) -> Option<&str> {
    let lower = value.to_ascii_lowercase();
    let mut from = 0;
    while let Some(at) = lower[from..].find("bearer").map(|at| from + at) {
        let (before, after) = (lower[..at].trim_end(), &lower[at + "bearer".len()..]);
        // A scheme stands at the start or after a comma, and a blank or the end follows it.
        let starts = before.is_empty() || before.ends_with(',');
        if starts && (after.is_empty() || after.starts_with([' ', '\t', ','])) {
            return Some(&value[at..]);
        }
        from = at + 1;
    }
    None
}

/// The value of a challenge's parameter: a token or a quoted string.
pub fn parameter(challenge: &str, wanted: &str) -> Option<String> {
    let mut rest = challenge;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        let end = rest.find([' ', '\t', ',', '=', '"'])?;
        let (name, after) = rest.split_at(end);
        let Some(value) = after.trim_start().strip_prefix('=') else {
            // A scheme, or a quotation mark that belongs to nothing.
            rest = after.strip_prefix('"').unwrap_or(after);
            continue;
        };
        let (text, left) = value_of(value.trim_start());
        if name.eq_ignore_ascii_case(wanted) {
            return Some(text);
        }
        rest = left;
    }
}

/// The token or quoted string at the start of `text`, and what stands after it.
fn value_of(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let (token, rest) = text.split_at(text.find([',', ' ', '\t']).unwrap_or(text.len()));
        return (token.to_owned(), rest);
    };
    let (mut value, mut characters) = (String::new(), quoted.chars());
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => value.extend(characters.next()),
            other => value.push(other),
        }
    }
    (value, characters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scope_is_found_in_every_challenge_spelling() {
        for (challenge, scope) in [
            (r#"Bearer error="insufficient_scope", scope="parts:read", resource_metadata="https://a/x""#, "parts:read"),
            (r#"Bearer realm="a, scope=no" , SCOPE = "a b""#, "a b"),
            ("Bearer scope=one,realm=x", "one"),
            (r#"Basic realm="x", Bearer scope="a \"b\"""#, r#"a "b""#),
            (r#"Bearer scope="cut"#, "cut"),
            ("Negotiate abc==, Bearer scope=x", "x"),
        ] {
            assert_eq!(parameter(challenge, "scope").as_deref(), Some(scope), "{challenge}");
            assert_eq!(Challenge::of([challenge].into_iter()).and_then(|one| one.scope).as_deref(), Some(scope));
        }
        for challenge in ["", "Bearer", "Bearer realm=\"scope=x\"", "\"", "=", "scope", "Bearer scope"] {
            assert_eq!(parameter(challenge, "scope").unwrap_or_default(), "", "{challenge}");
        }
    }

    #[test]
    fn only_a_bearer_challenge_asks_to_sign_in() {
        for (challenge, asks) in [
            ("Bearer", true),
            ("bearer realm=x", true),
            ("Basic realm=\"x\", Bearer", true),
            ("Basic realm=\"Bearer x\"", false),
            ("Bearerish x=y", false),
            ("", false),
        ] {
            assert_eq!(Challenge::of([challenge].into_iter()).is_some(), asks, "{challenge}");
        }
        let step = Challenge::of([r#"Bearer error="insufficient_scope", scope="a b""#].into_iter());
        assert!(step.is_some_and(|one| one.is_step_up() && one.scope.as_deref() == Some("a b")));
    }
}
