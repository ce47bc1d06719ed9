//! Numbers as exact decimals, `digits × 10^exponent`: what a schema's number says, compared without rounding.
//!
//! A JSON number that `serde_json` holds has at most 20 digits, so no comparison here can overflow.

use crate::canon;
use serde_json::{Number, Value};
use std::cmp::Ordering;

/// An exact decimal; the digits have no trailing zero, and zero has exponent 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Decimal {
    digits: i128,
    exponent: i32,
}

impl Decimal {
    pub(super) const ZERO: Self = Self { digits: 0, exponent: 0 };

    /// `digits × 10^exponent`.
    pub(super) fn new(mut digits: i128, mut exponent: i32) -> Self {
        if digits == 0 {
            return Self::ZERO;
        }
        while digits % 10 == 0 {
            digits /= 10;
            exponent = exponent.saturating_add(1);
        }
        Self { digits, exponent }
    }

    /// The decimal that a JSON number writes. None where it has more digits or exponent than a double or a 64-bit integer.
    pub(super) fn of(number: &Number) -> Option<Self> {
        if let Some(whole) = number.as_i64() {
            return Some(Self::new(whole.into(), 0));
        }
        if let Some(whole) = number.as_u64() {
            return Some(Self::new(whole.into(), 0));
        }
        let exact = canon::Numeral::parse(&number.to_string())?;
        // Ten to the 37th is the last power of which every multiple of one digit fits.
        let digits: i128 = match exact.digits.len() {
            0 => return Some(Self::ZERO),
            1..=37 => exact.digits.parse().ok()?,
            _ => return None,
        };
        Some(Self::new(if exact.negative { -digits } else { digits }, exact.exponent.try_into().ok()?))
    }

    /// A text that only equal numbers share.
    pub(super) fn key(self) -> String {
        format!("{}e{}", self.digits, self.exponent)
    }

    pub(super) fn whole(value: i128) -> Self {
        Self::new(value, 0)
    }

    /// Whether it has no fraction.
    pub(super) fn is_whole(self) -> bool {
        self.exponent >= 0
    }

    /// Its value where it is whole and fits.
    pub(super) fn to_whole(self) -> Option<i128> {
        let scale = u32::try_from(self.exponent).ok()?;
        10_i128.checked_pow(scale)?.checked_mul(self.digits)
    }

    /// The largest whole number that is not above it; none where it is out of reach.
    pub(super) fn floor(self) -> Option<i128> {
        if self.exponent >= 0 {
            return self.to_whole();
        }
        let scale = self.exponent.unsigned_abs();
        match 10_i128.checked_pow(scale) {
            Some(power) => Some(self.digits.div_euclid(power)),
            None => Some(if self.digits < 0 { -1 } else { 0 }),
        }
    }

    /// The smallest whole number that is not below it; none where it is out of reach.
    pub(super) fn ceil(self) -> Option<i128> {
        Self { digits: -self.digits, exponent: self.exponent }.floor().map(|value| -value)
    }

    /// As a fraction in lowest terms, numerator and denominator; none where they do not fit.
    pub(super) fn fraction(self) -> Option<(i128, i128)> {
        if self.exponent >= 0 {
            return Some((self.to_whole()?, 1));
        }
        let power = 10_i128.checked_pow(self.exponent.unsigned_abs())?;
        let common = gcd(self.digits, power);
        Some((self.digits / common, power / common))
    }

    /// The sum, where it fits.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        let exponent = self.exponent.min(other.exponent);
        let scaled = |one: Self| {
            let shift = u32::try_from(one.exponent - exponent).ok()?;
            10_i128.checked_pow(shift)?.checked_mul(one.digits)
        };
        Some(Self::new(scaled(self)?.checked_add(scaled(other)?)?, exponent))
    }

    /// The same below zero.
    pub(super) fn negated(self) -> Self {
        Self { digits: -self.digits, exponent: self.exponent }
    }

    /// Half of it, where it fits.
    pub(super) fn half(self) -> Option<Self> {
        Some(Self::new(self.digits.checked_mul(5)?, self.exponent.checked_sub(1)?))
    }

    /// As a JSON value that means exactly this; none where no double does.
    pub(super) fn to_value(self) -> Option<Value> {
        if let Some(whole) = self.to_whole() {
            if let Ok(small) = i64::try_from(whole) {
                return Some(Value::from(small));
            }
            if let Ok(large) = u64::try_from(whole) {
                return Some(Value::from(large));
            }
        }
        let double: f64 = format!("{}e{}", self.digits, self.exponent).parse().ok()?;
        let number = Number::from_f64(double)?;
        (Self::of(&number) == Some(self)).then_some(Value::Number(number))
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let signs = self.digits.signum().cmp(&other.digits.signum());
        if signs != Ordering::Equal || self.digits == 0 {
            return signs;
        }
        let size = |one: &Self| i64::from(one.digits.unsigned_abs().ilog10()) + i64::from(one.exponent);
        let by_size = size(self).cmp(&size(other));
        let by_size = if self.digits < 0 { by_size.reverse() } else { by_size };
        if by_size != Ordering::Equal {
            return by_size;
        }
        // Equal sizes: the one with the larger exponent has that many digits fewer.
        let shift = self.exponent.abs_diff(other.exponent).min(37);
        let power = 10_i128.pow(shift);
        if self.exponent >= other.exponent {
            self.digits.saturating_mul(power).cmp(&other.digits)
        } else {
            self.digits.cmp(&other.digits.saturating_mul(power))
        }
    }
}

/// The greatest common divisor, not negative.
pub(super) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(value: &Value) -> Option<Decimal> {
        value.as_number().and_then(Decimal::of)
    }

    #[test]
    fn spellings_of_one_number_are_one_decimal() {
        assert_eq!(of(&json!(5)), of(&json!(5.0)));
        assert_eq!(of(&json!(1e300)).and_then(Decimal::to_value), Some(json!(1e300)));
        assert_eq!(of(&json!(0.1)), Some(Decimal::new(1, -1)));
        assert_eq!(of(&json!(-0.0)), Some(Decimal::ZERO));
        assert_ne!(of(&json!(9_007_199_254_740_993_u64)), of(&json!(9_007_199_254_740_992.0)));
    }

    #[test]
    fn order_is_exact_over_all_sizes() {
        let mut given = vec![json!(-1e300), json!(-2), json!(-1.5), json!(0), json!(1e-300), json!(0.1), json!(0.25)];
        given.extend([
            json!(9_007_199_254_740_992_u64),
            json!(9_007_199_254_740_993_u64),
            json!(u64::MAX),
            json!(1e300),
        ]);
        let decimals: Vec<_> = given.iter().map(of).collect();
        assert!(decimals.iter().all(Option::is_some));
        assert!(decimals.is_sorted());
    }

    #[test]
    fn whole_neighbours() {
        let half = Decimal::new(-15, -1);
        assert_eq!((half.floor(), half.ceil()), (Some(-2), Some(-1)));
        assert_eq!(Decimal::new(1, -300).ceil(), Some(1));
        assert_eq!(Decimal::new(1, 300).floor(), None);
        assert_eq!(Decimal::new(15, -1).fraction(), Some((3, 2)));
    }
}
