//! What the text of a number says, exactly: digits and exponent of any length, compared and never expanded. Who computes with
//! numbers takes `schema`'s decimals, which are bounded.

use std::fmt;

/// `±digits × 10^exponent`, digits without leading or trailing zeros; zero has no digits and no sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numeral {
    pub(crate) negative: bool,
    pub(crate) digits: String,
    pub(crate) exponent: i128,
}

impl Numeral {
    /// The decimal of a JSON number's text. None where the exponent has more than 30 digits: no double is near it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let leading = all.trim_start_matches('0');
        let digits = leading.trim_end_matches('0');
        if digits.is_empty() {
            return Some(Self { negative: false, digits: String::new(), exponent: 0 });
        }
        if exponent.trim_start_matches(['+', '-', '0']).len() > 30 {
            return None;
        }
        let written: i128 = exponent.strip_prefix('+').unwrap_or(exponent).parse().ok()?;
        let trailing = i128::try_from(leading.len() - digits.len()).ok()?;
        let after_point = i128::try_from(fraction.len()).ok()?;
        Some(Self { negative, digits: digits.to_owned(), exponent: written - after_point + trailing })
    }
}

impl fmt::Display for Numeral {
    /// `-9007199254740993`, `1e-400`: the exponent is left out where it is 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.digits.is_empty() {
            return f.write_str("0");
        }
        let sign = if self.negative { "-" } else { "" };
        write!(f, "{sign}{}", self.digits)?;
        if self.exponent == 0 { Ok(()) } else { write!(f, "e{}", self.exponent) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_number_are_one_decimal() {
        for (text, exact) in [
            ("100", "1e2"),
            ("1e2", "1e2"),
            ("1.00E+2", "1e2"),
            ("-0", "0"),
            ("-0.0e5", "0"),
            ("0.10", "1e-1"),
            ("9007199254740993", "9007199254740993"),
            ("1e-400", "1e-400"),
            ("-12.50", "-125e-1"),
            ("0e99999999999999999999999999999999999999999", "0"),
        ] {
            assert_eq!(Numeral::parse(text).map(|numeral| numeral.to_string()).as_deref(), Some(exact), "{text}");
        }
        assert_eq!(Numeral::parse("1e9999999999999999999999999999999999"), None);
    }
}
