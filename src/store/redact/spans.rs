//! A launch as written, with its secrets masked.

use super::names::is_secret_name;
use super::search::{Search, Span};
use crate::text::MASK;

/// What stands in the place of the secret called `name`.
pub(super) fn marker(name: &str) -> String {
    format!("{MASK}{}>", name.trim_start_matches('-'))
}

/// An argument vector with its secrets masked: values of secret-looking options and pairs, header values, tokens,
/// random-looking words, user info and secret query values of URLs. `${VAR}` stays as written.
pub fn mask_args<S: AsRef<str>>(args: &[S]) -> Vec<String> {
    let spans = Search::Written.in_args(args);
    args.iter().zip(spans).map(|(arg, spans)| replace(arg.as_ref(), spans)).collect()
}

/// One argument, seen by itself, with its secrets masked.
pub fn mask_argument(argument: &str) -> String {
    replace(argument, Search::Written.in_argument(argument, None))
}

/// A URL without user info, its secret query values and random-looking path segments masked.
pub fn mask_url(url: &str) -> String {
    mask_argument(url)
}

/// A value kept under `name`, masked as a whole where the name or the value is secret. References to variables, and the
/// scheme word of a credential, stay: `Bearer ${TOKEN}` is written as it is.
pub fn mask_value(name: &str, value: &str) -> String {
    let search = Search::Written;
    replace(
        value,
        if is_secret_name(name) { search.in_secret(value, name) } else { search.in_argument(value, Some(name)) },
    )
}

pub(super) fn replace(text: &str, mut spans: Vec<Span>) -> String {
    spans.sort_by_key(|span| (span.at.start, std::cmp::Reverse(span.at.end)));
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for Span { at, name } in spans {
        if at.start < done {
            continue;
        }
        masked.push_str(&text[done..at.start]);
        masked.extend(name.map(|name| marker(&name)));
        done = at.end;
    }
    masked.push_str(&text[done..]);
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_keep_meaning_and_lose_secrets() {
        let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
        for (args, masked) in [
            (vec!["-y", "@scope/server@1.2.3", "/home/ana/docs"], vec!["-y", "@scope/server@1.2.3", "/home/ana/docs"]),
            (vec!["--token", "hunter2", "x"], vec!["--token", "<redacted token>", "x"]),
            (vec!["--api-key=a b"], vec!["--api-key=<redacted api-key>"]),
            (vec!["-e", "GITHUB_TOKEN=hunter2"], vec!["-e", "GITHUB_TOKEN=<redacted GITHUB_TOKEN>"]),
            (vec!["--env=API_KEY=hunter2"], vec!["--env=API_KEY=<redacted API_KEY>"]),
            (vec!["--header", "X-Team: blue"], vec!["--header", "X-Team: <redacted X-Team>"]),
            (vec!["-H", "Authorization: Bearer abc"], vec!["-H", "Authorization: Bearer <redacted Authorization>"]),
            (vec!["--header=Authorization:${AUTH}"], vec!["--header=Authorization:${AUTH}"]),
            (vec!["-H", "Authorization: Bearer ${T}"], vec!["-H", "Authorization: Bearer ${T}"]),
            (vec!["--token", "${T:-hunter2}"], vec!["--token", "${T:-<redacted token>}"]),
            (vec!["${API_TOKEN:-hunter2}"], vec!["${API_TOKEN:-<redacted API_TOKEN>}"]),
            (vec!["--verbose", token], vec!["--verbose", "<redacted token>"]),
            (vec!["--no-auth", "folder"], vec!["--no-auth", "folder"]),
            (vec!["--token", "--verbose"], vec!["--token", "--verbose"]),
            (vec!["-u", "ana:hunter2"], vec!["-u", "ana:<redacted password>"]),
            (vec![r#"{"apiKey":"hunter2","n":1}"#], vec![r#"{"apiKey":"<redacted apiKey>","n":1}"#]),
            (vec!["Server=db;Password=hunter2;Port=1"], vec!["Server=db;Password=<redacted Password>;Port=1"]),
            (vec!["postgres://ana:hunter2@db/x"], vec!["postgres://db/x"]),
            (vec!["ghcr.io/owner/token:latest"], vec!["ghcr.io/owner/token:latest"]),
            (
                vec!["--rev", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"],
                vec!["--rev", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"],
            ),
            (
                vec!["-c", "server --api-key 'a b' --token ${T} --password x -v"],
                vec!["-c", "server --api-key '<redacted api-key>' --token ${T} --password <redacted password> -v"],
            ),
            (vec!["é=✓", ""], vec!["é=✓", ""]),
        ] {
            assert_eq!(mask_args(&args), masked);
        }
    }

    #[test]
    fn urls_lose_user_info_and_secret_values() {
        for (url, masked) in [
            ("https://a.example/mcp", "https://a.example/mcp"),
            ("https://ana:pw@a.example:8080/mcp?x=1#y", "https://a.example:8080/mcp?x=1#y"),
            ("https://ana:p@w@a.example/", "https://a.example/"),
            ("https://a.example/?api_key=hunter2&q=cats", "https://a.example/?api_key=<redacted api_key>&q=cats"),
            ("https://a.example/?api_key=${KEY}", "https://a.example/?api_key=${KEY}"),
            ("https://a.example/#access_token=hunter2", "https://a.example/#access_token=<redacted access_token>"),
            ("https://a.example/s/550e8400-e29b-41d4-a716-446655440000/mcp", "https://a.example/s/<redacted path>/mcp"),
            ("https://a.example/?to=http%3A%2F%2Fana%3Apw%40b", "https://a.example/?to=<redacted to>"),
        ] {
            assert_eq!(mask_url(url), masked);
        }
    }

    #[test]
    fn masked_value_keeps_references_and_scheme() {
        for (name, value, masked) in [
            ("TOKEN", "hunter2", "<redacted TOKEN>"),
            ("TOKEN", "${T}", "${T}"),
            ("TOKEN", "$T", "$T"),
            ("TOKEN", "a${T}b", "<redacted TOKEN>${T}<redacted TOKEN>"),
            ("Authorization", "Basic YTpi", "Basic <redacted Authorization>"),
            ("LOG", "info", "info"),
            ("DATABASE_URL", "postgres://a:b@h/db", "postgres://h/db"),
        ] {
            assert_eq!(mask_value(name, value), masked);
        }
    }
}
