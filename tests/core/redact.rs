//! Masking, for any text: it never fails, and what is secret is never left.

use pinwatch::store::redact::{
    Redactor, Secrets, is_secret_name, looks_secret, mask_args, mask_argument, mask_url, mask_value,
};
use proptest::prelude::*;

/// A value that a person might have as a secret, and that says nothing else.
fn secret() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9!#%+,./:;=?@^_~é-]{8,40}".prop_filter("an option, not a value", |text| !text.starts_with('-'))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_text_is_masked_without_failing(texts in prop::collection::vec(any::<String>(), 0..6), name in any::<String>()) {
        mask_args(&texts);
        let mut secrets = Secrets::default();
        secrets.args(&texts);
        for text in &texts {
            mask_argument(text);
            mask_url(&format!("https://{text}"));
            mask_value(&name, text);
            is_secret_name(text);
            looks_secret(text);
            secrets.header(&name, text);
            secrets.variable(&name, text);
            secrets.url(text);
        }
        let redactor = Redactor::new(&secrets);
        for text in &texts {
            redactor.mask(text);
            redactor.mask_log(text);
            redactor.find(text.as_bytes());
        }
    }

    #[test]
    fn syntax_does_not_make_masking_fail(text in r#"[-$%{}:=/@?#&"' \\a-cT~é]{0,40}"#) {
        mask_argument(&text);
        mask_args(&["--token", &text, &text]);
        mask_value("TOKEN", &text);
        let mut secrets = Secrets::default();
        secrets.args(&["--token", &text, &text]);
        secrets.url(&text);
        Redactor::new(&secrets).mask(&text);
    }

    #[test]
    fn a_value_under_a_secret_name_is_never_left(secret in secret()) {
        for masked in [
            mask_args(&["--api-key".to_owned(), secret.clone()]).join(" "),
            mask_args(&["-H".to_owned(), format!("X-Anything: {secret}")]).join(" "),
            mask_argument(&format!("--password={secret}")),
            mask_value("DB_PASSWORD", &secret),
        ] {
            prop_assert!(!masked.contains(&secret), "{}", masked);
        }
    }

    #[test]
    fn a_known_value_is_never_left_between_other_words(
        secret in secret(), before in "[^a-zA-Z0-9_]{0,4}", after in "[^a-zA-Z0-9_]{0,4}", long in any::<bool>(),
    ) {
        let secret = if long { format!("{secret}{secret}{secret}") } else { secret };
        let mut secrets = Secrets::default();
        secrets.variable("API_TOKEN", &secret);
        let redactor = Redactor::new(&secrets);
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii();
        let joined = before.ends_with(word) || after.starts_with(word);
        let text = format!("{before}{secret}{after}");
        if long || !joined {
            prop_assert!(!redactor.mask(&text).contains(&secret));
            let log = redactor.mask_log(&text);
            prop_assert!(!log.contains(&secret));
            let json = serde_json::json!({"description": text}).to_string();
            prop_assert_eq!(redactor.find(json.as_bytes()), Some("API_TOKEN".to_owned()));
        }
    }

    #[test]
    fn what_holds_no_known_value_is_left_as_it_is(text in "[a-z ]{0,60}") {
        let mut secrets = Secrets::default();
        secrets.variable("API_TOKEN", "Zq8!-not-in-lower-case-words");
        prop_assert_eq!(Redactor::new(&secrets).mask(&text), text.as_str());
    }

    #[test]
    fn masking_twice_is_masking_once(text in any::<String>(), secret in secret()) {
        let line = format!("{text} --token {secret} https://u:{secret}@h/?api_key=x");
        let once = mask_argument(&line);
        prop_assert_eq!(mask_argument(&once), once);
    }
}
