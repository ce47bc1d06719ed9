//! The answer that comes back through the browser (RFC 6749, 4.1.2; RFC 9207): anybody on this machine could have sent it.

use super::{Issuer, Secret};
use crate::surface::Reason;
use std::collections::BTreeMap;
use url::form_urlencoded;

/// What brings a token where only a code belongs: a server of another flow, or an answer meant for another client.
const TOKENS: [&str; 4] = ["access_token", "id_token", "refresh_token", "token"];
/// Characters that are quoted of why a person was refused.
const MOST_QUOTED: usize = 200;

/// What an authorization server says of a refusal: its code, and its words where it has some, both cut.
pub fn refusal(error: &str, description: Option<&str>) -> String {
    let cut = |text: &str| text.chars().take(MOST_QUOTED).collect::<String>();
    let why = description.map(|why| format!(": {}", cut(why))).unwrap_or_default();
    format!("({}){why}", cut(error))
}

/// The code in the query of the redirect address. What does not belong to this sign-in is neither acted on nor quoted.
pub fn code(query: &str, state: &str, issuer: &Issuer) -> Result<Secret, Reason> {
    let mut answer: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        if answer.insert(name.into_owned(), value.into_owned()).is_some() {
            return Err(Reason::new("ambiguous-answer", "the answer in the browser says one thing twice"));
        }
    }
    let of = |name: &str| answer.get(name).map(String::as_str);
    if of("state") != Some(state) {
        let text = "the answer in the browser does not belong to this sign-in (another `state`)";
        return Err(Reason::new("state-mismatch", text));
    }
    match of("iss") {
        Some(named) if named != issuer.issuer => {
            return Err(Reason::new("issuer-mismatch", "the answer in the browser is of another authorization server"));
        }
        None if issuer.names_itself => {
            return Err(Reason::new("issuer-mismatch", "the answer in the browser does not say whose it is"));
        }
        _ => {}
    }
    if TOKENS.iter().any(|name| answer.contains_key(*name)) {
        let text = "the answer in the browser brought a token, which must not be in an address";
        return Err(Reason::new("token-in-redirect", text));
    }
    if let Some(error) = of("error") {
        let text = format!("the authorization server refused {}", refusal(error, of("error_description")));
        return Err(Reason::new("authorization-refused", text));
    }
    match of("code") {
        Some(code) if !code.is_empty() => Ok(Secret(code.to_owned())),
        _ => Err(Reason::new("no-code", "the answer in the browser brought no code")),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
mod tests {
    use super::*;
    use url::Url;

    fn told(query: &str, names_itself: bool) -> Result<String, (&'static str, String)> {
        let url = || Url::parse("https://a.example/x").unwrap();
        let issuer = Issuer {
            issuer: "https://a.example".to_owned(),
            authorization: url(),
            token: url(),
            registration: None,
            takes_documents: false,
            names_itself,
            methods: std::collections::BTreeSet::new(),
        };
        code(query, "s1", &issuer).map(|code| code.0).map_err(|reason| (reason.code, reason.text))
    }

    #[test]
    fn each_wrong_answer_is_refused_by_name() {
        assert_eq!(told("code=c&state=s1", false), Ok("c".to_owned()));
        assert_eq!(told("code=c&state=s1&iss=https%3A%2F%2Fa.example", true), Ok("c".to_owned()));
        for (query, names_itself, code) in [
            ("code=c", false, "state-mismatch"),
            ("code=c&state=s2", false, "state-mismatch"),
            ("error=x&state=s2", false, "state-mismatch"),
            ("code=c&state=s1&state=s1", false, "ambiguous-answer"),
            ("code=c&state=s1", true, "issuer-mismatch"),
            ("code=c&state=s1&iss=https%3A%2F%2Fb.example", false, "issuer-mismatch"),
            ("error=x&state=s1&iss=https%3A%2F%2Fb.example", false, "issuer-mismatch"),
            ("code=c&state=s1&access_token=t", false, "token-in-redirect"),
            ("id_token=t&state=s1", false, "token-in-redirect"),
            ("error=access_denied&state=s1", false, "authorization-refused"),
            ("state=s1", false, "no-code"),
            ("code=&state=s1", false, "no-code"),
        ] {
            assert_eq!(told(query, names_itself).unwrap_err().0, code, "{query}");
        }
    }

    #[test]
    fn what_is_not_ours_is_not_quoted() {
        let (_, text) = told("error=hunter2&error_description=hunter3&state=s2", false).unwrap_err();
        assert!(!text.contains("hunter"), "{text}");
        let (_, text) =
            told(&format!("error=denied&error_description={}&state=s1", "x".repeat(9_000)), false).unwrap_err();
        assert!(text.contains("denied") && text.len() < 300, "{text}");
    }
}
