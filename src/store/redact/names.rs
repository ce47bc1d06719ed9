//! What counts as a secret: by its name, or by its looks.

/// A word of a name that says its value is secret.
const SECRET_WORDS: &str = "\
    accesstoken apikey apitoken auth authkey authorization authtoken bearer cookie cookies credential \
    credentials creds dsn jwt otp pass passcode passphrase passwd password pat pwd secret secretkey secrets \
    session sessionid sig signature token";

/// Endings of run-together words: `PGPASSWORD`, `mytoken`.
const SECRET_ENDINGS: &str = "\
    apikey passphrase passwd password secret token";

/// A last word that says the value is about a secret, and none.
const ABOUT: &str = "\
    algorithm budget count dir directory enabled endpoint env expires expiry file folder format header host id \
    issuer length limit max method min mode name path port prefix provider realm required scheme scope scopes \
    server service size source store suffix timeout ttl type uri url";

/// Words before `key` that make it no secret.
const HARMLESS_KEYS: &str = "\
    cache column foreign group hot index map natural object partition primary public row shortcut sort unique";

/// Words that name a digest or a version: random-looking values belong there.
const DIGEST_WORDS: &str = "\
    branch checksum commit digest fingerprint hash integrity ref rev revision sha sha256 tag version";

/// Whether a value under this name is secret whatever it looks like: `GITHUB_TOKEN`, `--api-key`, `clientSecret`.
/// `TOKEN_FILE`, `max-tokens` and `public-key` are none.
pub fn is_secret_name(name: &str) -> bool {
    let words = words(name);
    let Some(last) = words.last() else { return false };
    if words.first().is_some_and(|word| matches!(word.as_str(), "no" | "without" | "disable" | "skip" | "allow")) {
        return false;
    }
    let session = words.iter().any(|word| word == "session") && last == "id";
    if is(last, ABOUT) && !session {
        return false;
    }
    let before_last = words.len().checked_sub(2).map(|at| words[at].as_str());
    if last == "key" || last == "keys" {
        return !before_last.is_some_and(|word| is(word, HARMLESS_KEYS));
    }
    let squashed = words.concat();
    let secret =
        |word: &String| is(word, SECRET_WORDS) || SECRET_ENDINGS.split(' ').any(|ending| word.ends_with(ending));
    words.iter().any(secret) || secret(&squashed)
}

/// Whether `word` stands in a list of words.
fn is(word: &str, list: &str) -> bool {
    list.split(' ').any(|entry| entry == word)
}

/// Whether the value under this name is expected to look random and is public: a commit, a checksum.
pub(super) fn is_digest_name(name: &str) -> bool {
    words(name).last().is_some_and(|word| is(word, DIGEST_WORDS))
}

/// The lower-case words of a name in any of the usual spellings; digits at the end of a word are dropped.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let after = letters.get(at + 1);
        let starts = letter.is_uppercase()
            && (before.is_some_and(|c| c.is_lowercase() || c.is_ascii_digit())
                || (before.is_some_and(char::is_uppercase) && after.is_some_and(|c| c.is_lowercase())));
        if starts || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    let digest = |word: &str| word == "sha256";
    let trimmed = |word: String| {
        if digest(&word) { word } else { word.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned() }
    };
    words.into_iter().map(trimmed).filter(|word| !word.is_empty()).collect()
}

/// Prefixes of tokens that their issuers publish, by how long such a token is at least.
const PREFIXES: [(usize, &str); 5] = [
    (16, "sk_live_ sk_test_ rk_live_ rk_test_ whsec_ xoxb- xoxp- xoxa- xoxr- xoxs- xapp- tvly-"),
    (20, "ghp_ gho_ ghu_ ghs_ ghr_ glpat- glptt- gldt- sk- AKIA ASIA ya29. GOCSPX- hf_ shpat_ lin_api_"),
    (20, "ntn_ figd_ pplx- gsk_ r8_ sntrys_"),
    (24, "github_pat_"),
    (30, "AIza npm_ pypi- dop_v1_ SG. secret_ eyJ"),
];

/// Whether a value looks like a secret by itself: a published token prefix, a private key, or random characters.
pub fn looks_secret(value: &str) -> bool {
    has_token_prefix(value) || looks_random(value)
}

/// Whether a word starts as published tokens do, or is a private key.
pub(super) fn has_token_prefix(word: &str) -> bool {
    let token = |c: char| c.is_ascii_alphanumeric() || "_-.~+/=".contains(c);
    word.contains("-----BEGIN") && word.contains("PRIVATE KEY")
        || PREFIXES.iter().filter(|(least, _)| word.len() >= *least).any(|(_, prefixes)| {
            prefixes
                .split(' ')
                .filter_map(|prefix| word.strip_prefix(prefix))
                .any(|rest| rest.chars().all(token) && (rest.chars().any(|c| c.is_ascii_digit()) || rest.len() >= 32))
        })
}

/// Whether a word is one run of characters that nobody would type: 32 hex digits and more (a UUID among them), or 20
/// letters and digits that change class as often as random ones do.
pub(super) fn looks_random(word: &str) -> bool {
    let word = word.trim_end_matches('=');
    if !word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+')) {
        return false;
    }
    let solid: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
    let digits = solid.bytes().filter(u8::is_ascii_digit).count();
    if digits == 0 && solid.len() < 32 || digits == solid.len() {
        return solid.len() >= 20 && digits == 0 && changes(&solid, 40);
    }
    if solid.len() >= 32 && solid.bytes().all(|byte| byte.is_ascii_hexdigit()) && digits >= 4 {
        return true;
    }
    let piece = word.split(['_', '-', '+']).any(|piece| piece.len() >= 20 && changes(piece, 0));
    piece || (solid.len() >= 24 && mixed_case(&solid) && changes(&solid, 45))
}

fn mixed_case(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_lowercase()) && text.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// Whether neighbours differ in class (lower, upper, digit) in at least `percent` of the pairs; 0 stands for what tells
/// random text from words: 30 in mixed case, 20 otherwise.
fn changes(text: &str, percent: usize) -> bool {
    let class = |byte: u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    let percent = match percent {
        0 if mixed_case(text) => 30,
        0 => 20,
        given => given,
    };
    let bytes = text.as_bytes();
    let changed = bytes.windows(2).filter(|pair| class(pair[0]) != class(pair[1])).count();
    changed * 100 >= percent * (bytes.len().max(2) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_known_in_every_spelling() {
        for name in [
            "TOKEN",
            "GITHUB_TOKEN",
            "github-token",
            "githubToken",
            "--api-key",
            "APIKey",
            "API_KEY_2",
            "apikey",
            "X-Api-Key",
            "Authorization",
            "DB_PASS",
            "PGPASSWORD",
            "clientSecret",
            "secret",
            "COOKIE",
            "session_id",
            "sig",
            "GITHUB_PAT",
            "AWS_SECRET_ACCESS_KEY",
            "KEY",
            "privateKey",
            "access_token",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in [
            "TOKEN_FILE",
            "max-tokens",
            "tokenizer",
            "public-key",
            "primaryKey",
            "AUTH_URL",
            "CLIENT_ID",
            "author",
            "path",
            "PATH",
            "compass",
            "monkey",
            "no-auth",
            "AWS_ACCESS_KEY_ID",
            "LOG",
            "",
            "--",
            "keyboard",
        ] {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn secrets_are_told_from_names_by_their_looks() {
        for value in [
            "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
            "sk-proj-abcdefghijklmnop1234",
            "AKIAIOSFODNN7EXAMPLE",
            "550e8400-e29b-41d4-a716-446655440000",
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "q7ZkT2mVx9LbW4sRcY1NfG8h",
            "k3j9x0q2w8e7r6t5y4u3i2o1",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
        ] {
            assert!(looks_secret(value), "{value}");
        }
        for value in [
            "@modelcontextprotocol/server-filesystem@2026.8.31",
            "/home/ana/Projects/2026/Some-Long-Folder-Name",
            "windowsServer2022Datacenter",
            "server-everything-2026-08-31-rc1",
            "ghcr.io/github/github-mcp-server:v0.5.1",
            "image@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "20261127203100123456789",
            "modelcontextprotocolservereverything",
            "--allow-write-access-to-everything",
            "sk-learn",
            "production",
            "",
        ] {
            assert!(!looks_secret(value), "{value}");
        }
    }
}
