//! Spans of time as a person writes them: `500ms`, `30s`, `2m`, `1h`.

use std::time::Duration;

/// The shortest span that makes sense for a poll or a time-out.
const SHORTEST: Duration = Duration::from_millis(10);
/// The longest.
const LONGEST: Duration = Duration::from_hours(24);

/// Reads a whole number with its unit, `ms`, `s`, `m` or `h`; between 10 ms and 24 h.
pub fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let milliseconds = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => 0,
    };
    let number: u64 = number.parse().unwrap_or_default();
    if digits == 0 || milliseconds == 0 {
        let text = crate::text::visible(text);
        return Err(format!("`{text}` is not a duration; expected a whole number with ms, s, m or h, such as `30s`"));
    }
    let span = Duration::from_millis(number.saturating_mul(milliseconds));
    // A number too large for 64 bits reads as 0 above, and is out of bounds either way.
    if (SHORTEST..=LONGEST).contains(&span) { Ok(span) } else { Err(format!("`{text}` is not between 10ms and 24h")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_number_with_a_unit_is_a_duration() {
        for (text, milliseconds) in
            [("500ms", 500), ("30s", 30_000), ("2m", 120_000), ("24h", 86_400_000), ("10ms", 10), ("007s", 7_000)]
        {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "30", "s", "1.5s", "-1s", "30 s", "30S", "0s", "9ms", "25h", "99999999999999999999h", "1s1s"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
