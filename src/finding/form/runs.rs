//! Stretches of one kind of characters, found without looking at each character: a text has few that are long.

/// The stretches of at least `least` bytes that are all `inside`, each with its start. `inside` holds for ASCII only, so
/// that stretches lie on character boundaries.
pub(in super::super) fn long_runs(
    text: &str,
    least: usize,
    inside: fn(u8) -> bool,
) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let mut from = 0;
    std::iter::from_fn(move || {
        while let Some(window) = bytes.get(from..from + least) {
            // A byte that is outside ends every stretch that would reach over it.
            if let Some(outside) = window.iter().rposition(|byte| !inside(*byte)) {
                from += outside + 1;
                continue;
            }
            let rest = &bytes[from + least..];
            let length = least + rest.iter().position(|byte| !inside(*byte)).unwrap_or(rest.len());
            let start = from;
            from += length;
            return Some((start, &text[start..start + length]));
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::long_runs;

    #[test]
    fn only_long_runs_are_found_and_whole() {
        let digits = |byte: u8| byte.is_ascii_digit();
        for (text, runs) in [
            ("", vec![]),
            ("123", vec![(0, "123")]),
            ("12", vec![]),
            ("a12345 12 678", vec![(1, "12345"), (10, "678")]),
            ("é123é", vec![(2, "123")]),
            ("12x345x67", vec![(3, "345")]),
        ] {
            assert_eq!(long_runs(text, 3, digits).collect::<Vec<_>>(), runs, "{text}");
        }
    }
}
