//! Whose account a token is of, as far as the authorization server told it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

/// Bytes of the longest token that is looked into.
const MOST_BYTES: usize = 64 << 10;
/// Characters of an account.
const MOST_CHARACTERS: usize = 256;

/// The subject of an id token. It came from the authorization server itself, over a connection of ours, so that its
/// signature adds nothing (OpenID Connect Core, 3.1.3.7); it is compared, and nothing is granted by it.
pub fn account(id_token: &str) -> Option<String> {
    if id_token.len() > MOST_BYTES {
        return None;
    }
    let claims = URL_SAFE_NO_PAD.decode(id_token.split('.').nth(1)?).ok()?;
    let claims: Value = serde_json::from_slice(&claims).ok()?;
    let subject = claims.get("sub")?.as_str()?;
    (!subject.is_empty() && subject.chars().count() <= MOST_CHARACTERS).then(|| subject.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn account_is_the_subject_of_an_id_token() {
        let token = |claims: &str| format!("e30.{}.sig", URL_SAFE_NO_PAD.encode(claims));
        assert_eq!(account(&token(r#"{"sub":"ana@a.example"}"#)).as_deref(), Some("ana@a.example"));
        for none in [token("{}"), token(r#"{"sub":""}"#), token("x"), "opaque".to_owned(), "a.!.b".to_owned()] {
            assert_eq!(account(&none), None, "{none}");
        }
        assert_eq!(account(&token(&format!(r#"{{"sub":"{}"}}"#, "x".repeat(300)))), None);
    }
}
