//! Whether a text is a regular expression of ECMAScript with the `u` flag (ECMA-262, 22.2.1): there an escape without a
//! meaning (`\_`), a lone brace and the inline flags of other dialects (`(?i)`) are errors. Names of Unicode properties are
//! not looked up.

use jsonschema_regex::is_valid_ecma_regex;

pub(super) fn is_expression(pattern: &str) -> bool {
    is_valid_ecma_regex(pattern) && escapes_have_meanings(pattern)
}

/// Whether each escaped sign is one of the syntax (`IdentityEscape` and `ClassEscape` under the `u` flag).
fn escapes_have_meanings(pattern: &str) -> bool {
    let (mut letters, mut in_class) = (pattern.chars(), false);
    while let Some(letter) = letters.next() {
        match letter {
            '[' => in_class = true,
            ']' => in_class = false,
            '\\' => match letters.next() {
                Some('-') if in_class => {}
                Some(sign) if !sign.is_alphanumeric() && !"^$\\.*+?()[]{}|/".contains(sign) => return false,
                _ => {}
            },
            _ => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::is_expression;

    /// Executed with `new RegExp(pattern, "u")` of node 20.
    #[test]
    fn an_expression_is_what_ecmascript_takes() {
        for pattern in [
            "",
            "a|b",
            "^(?:a|b)+$",
            "a{2}",
            "a{2,}?",
            "a{2,3}",
            "(?<=a)b(?!c)",
            "(?<n>a)\\k<n>",
            "(a)\\1",
            "\\1(a)",
            "[a-z\\-_]",
            "[\\w-]",
            "[-a]",
            "[^]",
            "[]",
            "\\p{L}+",
            "\\u{1F600}",
            "\\u00e9",
            "\\x41",
            "\\cA",
            "\\0",
            "\\/",
            "[$.{]",
            "é+",
            "|",
            "()",
            "(?=a)",
        ] {
            assert!(is_expression(pattern), "{pattern}");
        }
        for pattern in [
            "(",
            ")",
            "[",
            "]",
            "a{",
            "}",
            "{2}",
            "a{3,2}",
            "*a",
            "a**",
            "(?i)a",
            "(?P<n>a)",
            "\\_",
            "\\A",
            "\\z",
            "\\-",
            "\\k<n>",
            "\\1",
            "(?=a)*",
            "^*",
            "\\b+",
            "[b-a]",
            "[\\w-z]",
            "\\u{110000}",
            "\\u12",
            "\\x4",
            "\\c1",
            "\\01",
            "\\p",
            "\\p{}",
            "\\",
            "(?<1>a)",
            "(?<n>a)(?<n>b)",
            "[\\B]",
            "a{,2}",
            "(?#x)",
        ] {
            assert!(!is_expression(pattern), "{pattern}");
        }
    }
}
