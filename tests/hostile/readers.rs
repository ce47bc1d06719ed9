//! No damaged file of another system, and no damaged rule, makes its reader panic: it gives a value, or says what is wrong.
//!
//! The vectors are the seeds. `PINWATCH_TEST_SEED` is another run, `PINWATCH_FUZZ_SECONDS` a longer one: so many seconds a
//! reader in place of a count.

use super::house::House;
use pinwatch::canon::{Code, MAX_PLAIN_DEPTH, jcs, read, read_plain};
use pinwatch::config::yaml;
use pinwatch::interop::assay::{Declared, Observed, call as assay_call, candidate, read_pins, unpinned, verdict};
use pinwatch::interop::capiscio;
use pinwatch::interop::mcptrust::{Locked, Seal, Shown, compare};
use pinwatch::signature::{Keyring, PublicKey, Standing, ToolSignature, TrustedKey};
use pinwatch::store::verify;
use serde_json::Value;
use std::fmt::Display;
use std::fs;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// Damaged inputs that each reader gets where no time is named.
const ROUNDS: usize = 1_500;
/// Bytes of an input, so that repetition does not grow it without an end.
const MOST: usize = 256 * 1024;
/// What stands in the place of something else: other types, numbers past a double, half a character, other lengths.
const WORDS: [&[u8]; 24] = [
    b"null",
    b"-0",
    b"1e999",
    b"18446744073709551616",
    b"\"\\ud800\"",
    b"{}",
    b"[]",
    b"\"\"",
    b"\"",
    b"\\",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xae",
    b"\xf3\xa0\x81\x81",
    b"\r\n",
    b"---\n",
    b"*a",
    b"&a ",
    b"sha256:",
    b"0000000000000000000000000000000000000000000000000000000000000000",
    b"\"__proto__\":1,",
    b": ",
    b"[[",
];

fn vector(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vectors").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn vectors(names: &[&str]) -> Vec<Vec<u8>> {
    names.iter().map(|name| vector(name)).collect()
}

/// A range of a text that is not too long.
fn range(dice: &mut fastrand::Rng, text: &[u8]) -> std::ops::Range<usize> {
    let start = dice.usize(..=text.len());
    start..(start + dice.usize(..64)).min(text.len())
}

/// Between two commas, line breaks or brackets: mostly a member, with its comma.
fn member(dice: &mut fastrand::Rng, text: &[u8]) -> std::ops::Range<usize> {
    let is_edge = |byte: &u8| b",\n{}[]".contains(byte);
    let start = dice.usize(..=text.len());
    let start = text[..start].iter().rposition(is_edge).map_or(0, |at| at + 1);
    let length = text[start..].iter().position(is_edge).map_or(text.len() - start, |length| length + 1);
    start..start + length
}

/// One of the seeds with one to four damages.
fn damaged(dice: &mut fastrand::Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut text = seeds[dice.usize(..seeds.len())].clone();
    for _ in 0..dice.usize(1..=4) {
        let place = range(dice, &text);
        match dice.u8(..9) {
            0 => text.truncate(place.start),
            1 => drop(text.drain(place)),
            2 => {
                for byte in &mut text[place] {
                    *byte ^= if dice.u8(..8) == 0 { 1 << dice.u8(..8) } else { 0 };
                }
            }
            3 => drop(text.splice(place, WORDS[dice.usize(..WORDS.len())].iter().copied())),
            // A member twice, and its value in the place of another one.
            4 => {
                let member = member(dice, &text);
                let (at, again) = (member.start, text[member].to_vec());
                drop(text.splice(at..at, again));
            }
            5 => {
                let (from, to) = (member(dice, &text), member(dice, &text));
                let copy = text[from].to_vec();
                drop(text.splice(to, copy));
            }
            // Another length, of a digest as of a signature.
            6 => {
                let at = place.start;
                let run = vec![*text.get(at).unwrap_or(&b'a'); 1 << dice.u8(..12)];
                drop(text.splice(at..at, run));
            }
            7 => {
                let open = if dice.bool() { b"[".as_slice() } else { b"{\"a\":" };
                drop(text.splice(place, open.repeat(1 << dice.u8(..14))));
            }
            _ => {
                let other = &seeds[dice.usize(..seeds.len())];
                let at = dice.usize(..=other.len());
                text.truncate(place.start);
                text.extend_from_slice(&other[at..]);
            }
        }
        text.truncate(MOST);
    }
    text
}

/// Gives a reader damaged seeds. What it refuses it names.
fn survives<E: Display>(rounds: usize, seeds: &[Vec<u8>], reader: impl Fn(&[u8]) -> Result<(), E>) {
    for seed in seeds {
        assert!(reader(seed).is_ok(), "a seed is refused: {}", seed.escape_ascii());
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("PINWATCH_TEST_SEED").unwrap_or(1);
    let end = number("PINWATCH_FUZZ_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut dice = fastrand::Rng::with_seed(seed);
    let (mut round, mut taken) = (0, 0);
    while end.map_or(round < rounds, |end| Instant::now() < end) {
        let text = damaged(&mut dice, seeds);
        let read = catch_unwind(AssertUnwindSafe(|| reader(&text)));
        let read = read.unwrap_or_else(|_| panic!("seed {seed}, round {round}: {}", text.escape_ascii()));
        match read {
            Ok(()) => taken += 1,
            Err(error) => {
                let said = error.to_string();
                assert!(!said.trim().is_empty(), "seed {seed}, round {round}: {}", text.escape_ascii());
            }
        }
        round += 1;
    }
    // A run in which all is refused at the first byte, or nothing is, has tried nothing.
    assert!((1..round).contains(&taken), "{taken} of {round} were taken");
    if end.is_some() {
        writeln!(std::io::stderr(), "{round} inputs, of which {taken} were taken").expect("standard error is there");
    }
}

const LOCKS: [&str; 7] = [
    "mcptrust/executed_lock_a.v2.json",
    "mcptrust/executed_lock_a.v3.json",
    "mcptrust/repo-testdata/backward_compat/legacy_v1_lock.json",
    "mcptrust/repo-testdata/lockfile_v2_missing_method.json",
    "mcptrust/repo-testdata/lockfile_v2_with_artifact.json",
    "mcptrust/repo-testdata/golden/mcp-lock.v3.json",
    "mcptrust/repo-testdata/proxy/mcp-lock.proxy.v3.json",
];

#[test]
fn a_damaged_mcptrust_lock_is_read_or_named() {
    survives(ROUNDS, &vectors(&LOCKS), |text| {
        let lock = Locked::read(text)?;
        let _ = compare(&lock, &Shown::default());
        Ok::<_, pinwatch::interop::Refused>(())
    });
}

#[test]
fn a_damaged_signature_of_a_lock_holds_for_nothing() {
    let folder = "mcptrust/repo-testdata/backward_compat";
    let seeds =
        ["legacy_v1_sig.hex", "new_v1_sig.txt", "new_v2_sig.txt"].map(|name| vector(&format!("{folder}/{name}")));
    let lock = vector(&format!("{folder}/legacy_v1_lock.json"));
    let key = vector(&format!("{folder}/test_public.key"));
    let key = PublicKey::parse(&String::from_utf8_lossy(&key)).expect("a key");
    let hex = String::from_utf8_lossy(&seeds[0]).trim().to_owned();
    survives(ROUNDS, &seeds, |text| {
        let text = String::from_utf8_lossy(text);
        let seal = Seal::parse(&text).map_err(|error| error.to_string())?;
        if seal.holds(&lock, &key).map_err(|error| error.to_string())? {
            assert!(text.to_lowercase().contains(&hex), "another signature holds");
        }
        Ok::<_, String>(())
    });
    // The same signature over a damaged lock: it holds for what has the same value alone.
    let seal = Seal::parse(&String::from_utf8_lossy(&seeds[0])).expect("a signature");
    let value = |text: &[u8]| read(text, MAX_PLAIN_DEPTH).ok().map(|reading| jcs(&reading.value));
    survives(ROUNDS, std::slice::from_ref(&lock), |text| {
        if seal.holds(text, &key)? {
            assert_eq!(value(text), value(&lock), "another lock is signed");
        }
        Ok::<_, pinwatch::interop::mcptrust::Unsealed>(())
    });
}

/// As `pinwatch export assay-pins` writes them, and as JSON.
const PINS: [&[u8]; 2] = [
    b"tool_pins:\n  \"read_file\":\n    server_id: \"files\"\n    tool_name: \"read_file\"\n    \
      schema_hash: \"aef2d35bdafb41e125d3d6aa28c6bd17b96414d7e8f2694080295728560c36f8\"\n    \
      meta_hash: \"611ce5c1f24a464c3926e85e7595b69875cf4d7c26c9c0ff5504700b3a17643a\"\nversion: \"2.0\"\nname: p\n",
    br#"{"tool_pins": {"a": {"server_id": "s", "tool_name": "a",
      "schema_hash": "aef2d35bdafb41e125d3d6aa28c6bd17b96414d7e8f2694080295728560c36f8",
      "meta_hash": "611ce5c1f24a464c3926e85e7595b69875cf4d7c26c9c0ff5504700b3a17643a"}}}"#,
];

#[test]
fn a_damaged_tool_pins_policy_is_read_or_named() {
    survives(ROUNDS, &PINS.map(<[u8]>::to_vec), |text| {
        let pins = read_pins(&yaml(text)?).map_err(|error| error.to_string())?;
        let _ = unpinned(&pins, "files", &[]);
        Ok::<_, String>(())
    });
}

const MANIFESTS: &str = "assay/manifest_workflow";

#[test]
fn a_damaged_declared_manifest_is_read_or_named() {
    survives(ROUNDS, &vectors(&[&format!("{MANIFESTS}/declared.json")]), |text| {
        let declared = Declared::read(text)?;
        let _ = (declared.recomputed(), declared.ambiguous());
        Ok::<_, pinwatch::interop::Refused>(())
    });
}

#[test]
fn a_damaged_observed_document_is_read_or_named() {
    let names = ["observed", "observed_partial", "not_observed"].map(|name| format!("{MANIFESTS}/{name}.json"));
    survives(ROUNDS, &names.map(|name| vector(&name)), |text| {
        let observed = Observed::read(text)?;
        let _ = verdict(pinwatch::digest::Sha256::of(""), &observed);
        Ok::<_, pinwatch::interop::Refused>(())
    });
}

/// A candidate that is made says the digest of the very bytes that it is of.
#[test]
fn a_candidate_of_damaged_bytes_is_made_or_named() {
    survives(ROUNDS, &vectors(&[&format!("{MANIFESTS}/observed.json")]), |text| {
        let made = candidate(text)?;
        assert!(made.contains(&format!("\"sha256:{}\"", pinwatch::digest::Sha256::of(text))), "{made}");
        Ok::<_, pinwatch::interop::Refused>(())
    });
}

/// The key whose seed is 32 bytes 0x07, with which Assay's own code signed the vector.
const SPKI: &str = "MCowBQYDK2VwAyEA6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=";

#[test]
fn a_damaged_signed_tool_is_never_taken_for_another() {
    let lines = vector("assay/tool_definition_outputs.jsonl");
    let line = lines.split(|byte| *byte == b'\n').find(|line| line.windows(15).any(|part| part == b"40_signed_basic"));
    let tool = read(line.expect("the vector"), MAX_PLAIN_DEPTH).expect("JSON").value["signed"].clone();
    let keyring = Keyring { keys: vec![TrustedKey::parse("build", SPKI).expect("a key")], required: false };
    let bare = |tool: &Value| {
        let mut bare = tool.clone();
        bare.as_object_mut().map(|members| members.remove("x-assay-sig"));
        jcs(&bare)
    };
    let seeds = [tool.to_string().into_bytes(), serde_json::to_vec_pretty(&tool).expect("JSON")];
    survives(ROUNDS, &seeds, |text| {
        let reading = read(text, MAX_PLAIN_DEPTH).map_err(|error| error.to_string())?;
        if let Some(code) = reading.codes.iter().find(|code| **code != Code::Number) {
            return Err(code.sentence().to_owned());
        }
        let found = ToolSignature::of(&reading.value, &keyring);
        assert!(!found.to_string().is_empty());
        if matches!(found.standing, Standing::Trusted(_)) {
            assert_eq!(bare(&reading.value), bare(&tool), "another text is signed");
        }
        Ok(())
    });
}

const RULES: &str = r#"[policy]
preset = "mcptrust-strict"
[[policy.rule]]
name = "require_namespacing"
expr = "input.tools.all(t, t.name.startsWith('myapp_'))"
mode = "warn"
message = "tools must use myapp_ prefix"
[[policy.rule]]
name = "calm"
expr = "!input.tools.exists(t, t.risk_level == 'HIGH')"
[[policy.suppress]]
server = "files"
policy-rule = "calm"
digest = "sha256:299088d4aca84b9b290751c0be455bac56adbcf1dfb9f3a32e0673d43b1a71ee"
reason = "older than the rule"
[servers.files]
command = "true"
"#;

/// Each run reads a file of its own, so there are fewer.
#[test]
fn a_damaged_policy_rule_is_read_or_named() {
    let house = House::new();
    survives(ROUNDS / 5, &[RULES.as_bytes().to_vec()], |text| {
        house.write("pinwatch.toml", text);
        house.load().map(drop)
    });
}

#[test]
fn a_damaged_audit_chain_holds_or_is_named() {
    let records: Value = serde_json::from_slice(&vector("audit-record/records.json")).expect("the vectors");
    let chain = ["rec1", "rec2"].map(|name| records["records"][name].to_string()).join("\n");
    let seeds = [vector("enclawed/audit-chain.jsonl"), chain.into_bytes()];
    survives(ROUNDS, &seeds, |text| {
        let verified = verify(text).expect("bytes in memory can be read");
        verified.broken.map_or(Ok(()), |(record, fault)| Err(format!("record {record}: {fault}")))
    });
}

#[test]
fn a_damaged_event_of_a_call_is_read_or_named() {
    let events: Value = serde_json::from_slice(&vector("capiscio/events.DERIVED.json")).expect("the vectors");
    let invocations =
        ["spec_conformant", "as_emitted_by_capiscio_core_HEAD"].map(|name| events[name].to_string().into());
    survives(ROUNDS, &invocations, |text| {
        let event = read_plain(text)?;
        capiscio::call(&event).map(drop).map_err(|refused| refused.to_string())
    });
    let decision = concat!(
        r#"{"type":"assay.tool.decision","time":"2026-11-27T20:31:00Z","data":{"tool":"t","decision":"allow","#,
        r#""reason_code":"P_OK","tool_call_id":"1","tool_definition_digest":"sha256:"#,
        r#"c41714dc6f20508fbfc54367dfa3e2de4b53b153e3d158dba001cea1a4d90eab","tool_definition_digest_alg":"sha256","#,
        r#""tool_definition_canonicalization":"jcs:mcp_tool_definition.v1","tool_definition_schema":"#,
        r#""assay.mcp.tool-definition.snapshot.v1","tool_definition_source":"mcp.tools/list"}}"#
    );
    survives(ROUNDS, &[decision.as_bytes().to_vec()], |text| {
        let event = read_plain(text)?;
        assay_call(&event).map(drop).map_err(|refused| refused.to_string())
    });
}
