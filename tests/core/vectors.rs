//! Digests equal to the byte: what assay's own code printed, RFC 8785's cases, and the contract of the definition digest.

use crate::data;
use pinwatch::canon::{Code, Definition, Form, Pointer, jcs, read, scan};
use pinwatch::digest::{DefinitionCluster, DigestScope, Item, NotBound, ToolIdentity, surface_varying};
use pinwatch::surface::{Kind, RawItem};
use serde_json::{Value, json};
use std::fs;

fn value(text: &str) -> Value {
    read(text.as_bytes(), 1000).expect("JSON").value
}

fn tool(text: &str) -> Item {
    let raw = RawItem { kind: Kind::Tool, bytes: text.to_owned().into() };
    Item::read(&raw, &DigestScope::None, 1000).expect("JSON")
}

fn digest(text: &str, scope: &DigestScope) -> Result<String, NotBound> {
    DefinitionCluster::of(&value(text), scope).map(|cluster| cluster.digest())
}

#[test]
fn all_48_published_tool_digest_cases_hold() {
    let read = |name: &str| fs::read_to_string(data("vectors/assay").join(name)).expect("a file of vectors");
    let (inputs, outputs) = (read("tool_definition_inputs.jsonl"), read("tool_definition_outputs.jsonl"));
    let mut cases = 0;
    for (input, output) in inputs.lines().zip(outputs.lines()) {
        let (input, expected) = (value(input), value(output));
        let id = input["id"].as_str().unwrap();
        assert_eq!(expected["id"], id);
        let server_id = input.get("server_id").and_then(Value::as_str);
        let scope = server_id.map_or(DigestScope::None, |id| DigestScope::Server(id.to_owned()));
        let cluster = DefinitionCluster::of(&input["tool"], &scope);
        match expected.get("binding_error") {
            Some(_) => assert_eq!(cluster, Err(NotBound::SchemaIsNoObject), "{id}"),
            None if expected["binding"].is_null() => assert_eq!(cluster, Err(NotBound::NoName), "{id}"),
            None => {
                let binding = &expected["binding"];
                let cluster = cluster.expect(id).to_json();
                assert_eq!(cluster["tool_definition_digest"], binding["digest"], "{id}");
                assert_eq!(cluster["tool_definition_digest_alg"], binding["digest_alg"], "{id}");
                assert_eq!(cluster["tool_definition_canonicalization"], binding["canonicalization"], "{id}");
                assert_eq!(cluster["tool_definition_schema"], binding["schema"], "{id}");
                assert_eq!(cluster["tool_definition_source"], binding["source"], "{id}");
                assert_eq!(cluster.as_object().unwrap().len(), 5, "{id}");
            }
        }
        let identity = ToolIdentity::of(&input["tool"]);
        match expected.get("identity") {
            None => assert_eq!(identity, None, "{id}"),
            Some(expected_identity) => {
                let identity = identity.expect(id);
                assert_eq!(identity.schema_hash.to_string(), expected_identity["schema_hash"], "{id}");
                assert_eq!(identity.meta_hash.to_string(), expected_identity["meta_hash"], "{id}");
                let name = expected_identity["tool_name"].as_str().unwrap();
                let fingerprint = identity.fingerprint(expected_identity["server_id"].as_str().unwrap(), name);
                assert_eq!(fingerprint, expected["identity_fingerprint"], "{id}");
            }
        }
        cases += 1;
    }
    assert_eq!(cases, 48);
}

const READ_FILE: &str = r#"{"name":"read_file","description":"Read a file",
    "inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}"#;

/// Printed by assay's own source for the tool above (interop/FORMATS.md, 1.2).
const GOLDEN: &str = "sha256:c41714dc6f20508fbfc54367dfa3e2de4b53b153e3d158dba001cea1a4d90eab";
const GOLDEN_SERVER_A: &str = "sha256:fb7d4fea7beb18a380c67e4085fd1b740c23a91f53cce8e0a388e5558f3111ab";

#[test]
fn the_golden_digests_unscoped_and_scoped() {
    assert_eq!(digest(READ_FILE, &DigestScope::None).unwrap(), GOLDEN);
    assert_eq!(digest(READ_FILE, &DigestScope::Server("server-a".into())).unwrap(), GOLDEN_SERVER_A);
}

#[test]
fn equivalent_definitions_give_one_digest() {
    let spelt_otherwise = r#"{ "description": " \u0052ead a file\t", "name": "read_file", "inputSchema":
        {"required":["path"], "properties":{"path":{"type":"str\u0069ng"}}, "type":"object"} }"#;
    assert_eq!(digest(spelt_otherwise, &DigestScope::None).unwrap(), GOLDEN);
}

#[test]
fn field_subsets_in_any_order_have_own_digests() {
    let subsets = [
        r#"{"name":"a"}"#,
        r#"{"name":"a","description":"b"}"#,
        r#"{"name":"a","inputSchema":{}}"#,
        r#"{"name":"a","description":"b","inputSchema":{}}"#,
    ];
    let reversed = [
        r#"{"name":"a"}"#,
        r#"{"description":"b","name":"a"}"#,
        r#"{"inputSchema":{},"name":"a"}"#,
        r#"{"inputSchema":{},"description":"b","name":"a"}"#,
    ];
    let mut seen = Vec::new();
    for (one, other) in subsets.iter().zip(reversed) {
        let found = digest(one, &DigestScope::None).unwrap();
        assert_eq!(digest(other, &DigestScope::None).unwrap(), found);
        assert!(!seen.contains(&found), "{one}");
        seen.push(found);
    }
}

#[test]
fn unknown_fields_and_metadata_do_not_move_it() {
    for extra in [
        r#""title":"Read""#,
        r#""x-assay-sig":{"version":1,"signature":"AA=="}"#,
        r#""_meta":{"provider":"x"}"#,
        r#""annotations":{"readOnlyHint":false}"#,
        r#""outputSchema":{"type":"object"}"#,
        r#""anything":[1,2,3]"#,
    ] {
        let text = READ_FILE.replacen('{', &format!("{{{extra},"), 1);
        assert_eq!(digest(&text, &DigestScope::None).unwrap(), GOLDEN, "{extra}");
        let (plain, extended) = (tool(READ_FILE), tool(&text));
        assert_ne!(plain.digests.surface, extended.digests.surface, "the surface digest covers {extra}");
        assert_eq!(plain.digests.identity, extended.digests.identity, "{extra}");
    }
}

#[test]
fn both_spellings_of_the_input_schema_normalize() {
    let snake = READ_FILE.replace("inputSchema", "input_schema");
    assert_eq!(digest(&snake, &DigestScope::None).unwrap(), GOLDEN);
    let both = READ_FILE.replacen('{', r#"{"input_schema":{"type":"string"},"#, 1);
    assert_eq!(digest(&both, &DigestScope::None).unwrap(), GOLDEN);
    let null_wins = r#"{"name":"a","inputSchema":null,"input_schema":{}}"#;
    assert_eq!(digest(null_wins, &DigestScope::None), Err(NotBound::SchemaIsNoObject));
}

#[test]
fn a_description_of_white_space_is_absent() {
    let without = digest(r#"{"name":"a"}"#, &DigestScope::None).unwrap();
    for blank in ["", " ", "\\t\\r\\n", "\u{3000}\u{a0}\u{85}\u{2028}"] {
        let text = format!(r#"{{"name":"a","description":"{blank}"}}"#);
        assert_eq!(digest(&text, &DigestScope::None).unwrap(), without, "{blank:?}");
    }
    let zero_width = "{\"name\":\"a\",\"description\":\"\u{200b}\"}";
    assert_ne!(digest(zero_width, &DigestScope::None).unwrap(), without);
}

#[test]
fn server_id_counts_only_scoped_and_not_blank() {
    let unscoped = digest(READ_FILE, &DigestScope::None).unwrap();
    assert_eq!(digest(READ_FILE, &DigestScope::Server("  ".into())).unwrap(), unscoped);
    assert_eq!(digest(READ_FILE, &DigestScope::Server(" server-a\n".into())).unwrap(), GOLDEN_SERVER_A);
}

#[test]
fn both_digests_need_one_observation() {
    let item = tool(READ_FILE);
    assert_eq!(item.digests.definition.unwrap().digest(), GOLDEN);
    assert_eq!(item.digests.identity, ToolIdentity::of(&value(READ_FILE)));
    // What cannot be read as one tool has no digest of theirs, and still one that a decision binds to.
    for unreadable in [r#"{"name":"a","description":"\ud800"}"#, r#"{"name":"a","minimum":1e999}"#] {
        let item = tool(unreadable);
        assert_eq!((item.digests.definition, item.digests.identity), (None, None), "{unreadable}");
        assert!(item.is_ambiguous());
    }
    let prompt = RawItem { kind: Kind::Prompt, bytes: READ_FILE.into() };
    let prompt = Item::read(&prompt, &DigestScope::None, 1000).unwrap();
    assert_eq!((prompt.digests.definition, prompt.digests.identity), (None, None));
}

/// RFC 8785, appendix B: the bits of a double and the text it is written as.
const NUMBERS: [(u64, &str); 24] = [
    (0x0000_0000_0000_0000, "0"),
    (0x8000_0000_0000_0000, "0"),
    (0x0000_0000_0000_0001, "5e-324"),
    (0x8000_0000_0000_0001, "-5e-324"),
    (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
    (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
    (0x4340_0000_0000_0000, "9007199254740992"),
    (0xc340_0000_0000_0000, "-9007199254740992"),
    (0x4430_0000_0000_0000, "295147905179352830000"),
    (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
    (0x44b5_2d02_c7e1_4af6, "1e+23"),
    (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
    (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
    (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
    (0x444b_1ae4_d6e2_ef50, "1e+21"),
    (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
    (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
    (0x41b3_de43_5555_5553, "333333333.3333332"),
    (0x41b3_de43_5555_5554, "333333333.33333325"),
    (0x41b3_de43_5555_5555, "333333333.3333333"),
    (0x41b3_de43_5555_5556, "333333333.3333334"),
    (0x41b3_de43_5555_5557, "333333333.33333343"),
    (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
    (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
];

#[test]
fn numbers_are_written_as_rfc_8785_does() {
    for (bits, text) in NUMBERS {
        let number = f64::from_bits(bits);
        assert_eq!(jcs(&json!(number)), text);
        // The text is the number: reading it is plain and gives it back.
        let reading = read(text.as_bytes(), 1).unwrap();
        assert!(reading.codes.is_empty(), "{text}");
        assert_eq!(jcs(&reading.value), text);
    }
}

#[test]
fn every_decimal_text_is_read_as_the_nearest_double() {
    // Without serde_json's `float_roundtrip` these come out one bit off (field/PROTOCOL.md, C).
    for (text, canonical) in [
        ("7e152", "7e+152"),
        ("1e2", "100"),
        ("0.10", "0.1"),
        ("-1e-7", "-1e-7"),
        ("2.2250738585072011e-308", "2.225073858507201e-308"),
    ] {
        assert_eq!(jcs(&value(text)), canonical);
    }
}

#[test]
fn plain_numbers_are_those_canonical_text_keeps() {
    let codes = |text: &str| read(text.as_bytes(), 1).unwrap().codes.into_iter().collect::<Vec<_>>();
    for plain in ["0.1", "5.0", "1e21", "-0", "9007199254740992", "1.5e300", "123456789012345680000"] {
        assert!(codes(plain).is_empty(), "{plain}");
    }
    for lossy in
        ["9007199254740993", "9223372036854775808.5", "18446744073709551615", "1e-400", "0.1000000000000000055"]
    {
        assert_eq!(codes(lossy), [Code::Number], "{lossy}");
    }
    // 2^63 is exact as a double, and RFC 8785 writes another decimal for it.
    assert_eq!(codes("9223372036854775808"), [Code::Number]);
    for infinite in ["1e400", "-1e999", "NaN", "Infinity", "-Infinity"] {
        assert_eq!(codes(infinite), [Code::NonFinite], "{infinite}");
    }
}

#[test]
fn strings_and_key_order_are_rfc_8785s() {
    // Section 3.2.2.2 and 3.2.3, with astral keys against the end of the basic plane.
    let text = "{\"\\u20ac\":\"Euro Sign\",\"\\r\":\"Carriage Return\",\"\\ufb33\":\"Hebrew Letter Dalet With Dagesh\",\
        \"1\":\"One\",\"\\ud83d\\ude00\":\"Emoji: Grinning Face\",\"\\u0080\":\"Control\",\"\\u00f6\":\"Latin Small Letter O With Diaeresis\"}";
    let expected = "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\
        \"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}";
    assert_eq!(jcs(&value(text)), expected);
    let escapes = r#""\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"\/\b\f\t\u007f\u2028""#;
    assert_eq!(jcs(&value(escapes)), "\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\\b\\f\\t\u{7f}\u{2028}\"");
}

#[test]
fn ambiguous_texts_have_their_codes() {
    let deep = format!("{}{}", "[".repeat(121), "]".repeat(121));
    let cases: [(&[u8], Code); 8] = [
        (br#"{"a":1,"\u0061":2}"#, Code::DuplicateMember),
        (br#"{"a":{"b":1,"b":1}}"#, Code::DuplicateMember),
        (br#"["\ud800"]"#, Code::LoneSurrogate),
        (br#"["\udc00\ud800"]"#, Code::LoneSurrogate),
        (b"[\"\xff\"]", Code::Encoding),
        (br#"{"$serde_json::private::RawValue":"[1, 2]"}"#, Code::ReservedMember),
        (br#"{"$serde_json::private::Number":"1.50"}"#, Code::ReservedMember),
        (deep.as_bytes(), Code::Depth),
    ];
    for (text, code) in cases {
        let reading = read(text, 1000).unwrap();
        assert_eq!(reading.codes.into_iter().collect::<Vec<_>>(), [code], "{}", String::from_utf8_lossy(text));
    }
    let as_deep_as_plain_goes = format!("{}{}", "[".repeat(120), "]".repeat(120));
    assert!(read(as_deep_as_plain_goes.as_bytes(), 1000).unwrap().codes.is_empty());
}

#[test]
fn what_is_no_json_is_refused_and_depth_is_bounded() {
    for text in [
        "",
        "{",
        "[1,]",
        "{\"a\" 1}",
        "01",
        "1.",
        "+1",
        "nul",
        "\"\n\"",
        "\"\\x\"",
        "[1] 2",
        "{1:2}",
        "'a'",
        "\"\\u12\"",
    ] {
        assert!(read(text.as_bytes(), 1000).is_err(), "{text:?}");
    }
    let deep = "[".repeat(100_000);
    assert!(matches!(read(deep.as_bytes(), 1000), Err(scan::Syntax::TooDeep { limit: 1000, .. })));
}

#[test]
fn equal_doubles_have_distinct_surface_digests() {
    let with = |maximum: &str| tool(&format!(r#"{{"name":"a","inputSchema":{{"maximum":{maximum}}}}}"#));
    let (one, other) = (with("9007199254740992"), with("9007199254740993"));
    // The blind spot of the other systems, kept as it is.
    assert_eq!(one.digests.definition, other.digests.definition);
    assert_eq!(one.digests.identity, other.digests.identity);
    assert_ne!(one.digests.surface, other.digests.surface);
    let Form::Decimal { text, decimals } = &other.definition.form else { unreachable!("one lossy number") };
    assert_eq!(decimals.iter().map(ToString::to_string).collect::<Vec<_>>(), ["/inputSchema/maximum"]);
    assert!(text.contains(r#""maximum":"9007199254740993""#));
    // And the number is not the string of its digits.
    assert_ne!(other.digests.surface, with(r#""9007199254740993""#).digests.surface);
}

/// The expected values are Python's SHA-256 of the preimages, written out by hand:
/// `{"decimals":[],"definition":{"description":null,"name":"t"},"kind":"tool","projection":"pinwatch.surface-varying.v1",
/// "varies":["/description"]}`, and the like.
#[test]
fn varying_digest_binds_to_places_that_may_vary() {
    let varying = |text: &str, places: &[&str]| {
        let definition = Definition::read(text.as_bytes(), 100).unwrap();
        let places: Vec<Pointer> = places.iter().map(|place| Pointer::parse(place).unwrap()).collect();
        surface_varying(Kind::Tool, &definition, &places).to_string()
    };
    let one = "sha256:dde0ce0af216d8d5d10fd694cf3b37c88c0de7aaac2dfb59133493814bd4a10f";
    assert_eq!(varying(r#"{"name":"t","description":"at 9:00"}"#, &["/description"]), one);
    assert_eq!(varying(r#"{"name":"t","description":"at 9:01"}"#, &["/description"]), one);
    // One definition under two sets of places, where the values are null on both sides: other digests.
    let text = r#"{"name":"t","description":"x","title":null}"#;
    let (both, first) = (
        "sha256:cbc7df88e5a4a4489bebbf00dbd3a73c806a817da317b6f11fb11c1a3e63f2ba",
        "sha256:9b901f89bb46ac98981e8736252ed08de731149b56190aa64c78982a77edb3df",
    );
    assert_eq!(varying(text, &["/description", "/title"]), both);
    assert_eq!(varying(text, &["/description"]), first);
}

#[test]
fn surface_digest_is_over_the_documented_preimage() {
    use sha2::Digest as _;
    let hex = |text: &str| format!("sha256:{:x}", HexOf(sha2::Sha256::digest(text).into()));
    let plain = tool(r#"{"name":"a","b":1.0}"#);
    assert_eq!(
        plain.digests.surface.to_string(),
        hex(r#"{"definition":{"b":1,"name":"a"},"kind":"tool","projection":"pinwatch.surface.v1"}"#)
    );
    let twice = tool(r#"{"name":"a","b":1,"b":2}"#);
    assert_eq!(
        twice.digests.surface.to_string(),
        hex(r#"{"kind":"tool","projection":"pinwatch.surface-text.v1","text":"{\"name\":\"a\",\"b\":1,\"b\":2}"}"#)
    );
    let decimal = tool(r#"{"name":"a","b":1e-400}"#);
    assert_eq!(
        decimal.digests.surface.to_string(),
        hex(
            r#"{"decimals":["/b"],"definition":{"b":"1e-400","name":"a"},"kind":"tool","projection":"pinwatch.surface-decimal.v1"}"#
        )
    );
}

struct HexOf([u8; 32]);

impl std::fmt::LowerHex for HexOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[test]
fn stored_definition_reads_back_the_same_digests() {
    for text in [
        READ_FILE,
        r#"{"name":"a","b":9007199254740993}"#,
        r#"{"name":"a","name":"b"}"#,
        r#"{"name":"a","c":"\ud800"}"#,
    ] {
        let item = tool(text);
        let stored = match &item.definition.form {
            Form::Plain(text) => Definition::read(text.text().as_bytes(), 1000).unwrap(),
            Form::Text(text) => Definition::read(text.as_bytes(), 1000).unwrap(),
            Form::Decimal { text, decimals } => {
                Definition::from_decimals(&value(text), decimals.clone()).expect("exact decimals")
            }
            Form::Bytes(bytes) => Definition::read(bytes, 1000).unwrap(),
        };
        let again = Item::stored(Kind::Tool, stored, &DigestScope::None);
        assert_eq!((again.digests, again.id.clone()), (item.digests, item.id.clone()), "{text}");
    }
}

#[test]
fn keys_come_from_the_key_member_or_from_the_digest() {
    assert_eq!(*tool(r#"{"name":"a","name":"b"}"#).id.key, *"b");
    for keyless in ["{}", r#"{"name":1}"#, r#"{"name":"\ud800"}"#, "[]"] {
        let key = tool(keyless).id.key;
        assert!(key.starts_with('#') && key.len() == 17, "{key}");
    }
}
