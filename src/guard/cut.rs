//! Cuts raw text out of a message; what is left stands byte for byte as it came.

use crate::canon::scan::{self, Span, Syntax};

/// The text with only these elements of the array at `array`.
pub(super) fn keep_elements(bytes: &[u8], array: &Span, kept: &[Span]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    text.extend_from_slice(&bytes[..=array.start]);
    for (at, element) in kept.iter().enumerate() {
        if at > 0 {
            text.push(b',');
        }
        text.extend_from_slice(&bytes[element.clone()]);
    }
    text.extend_from_slice(&bytes[array.end - 1..]);
    text
}

/// The text without the member `name` of the object that starts at `at`.
pub(super) fn without_member(bytes: &[u8], at: usize, name: &str) -> Result<Vec<u8>, Syntax> {
    let members = scan::members(bytes, at, usize::MAX, usize::MAX)?;
    let place = members.iter().position(|(key, _)| scan::unescape(bytes, key.clone()).0 == name);
    let Some(place) = place else { return Ok(bytes.to_vec()) };
    let (key, value) = &members[place];
    // The comma behind it goes with it; of the last one that before it.
    let cut = match (place.checked_sub(1).map(|before| &members[before]), members.get(place + 1)) {
        (_, Some((next, _))) => key.start..next.start,
        (Some((_, before)), None) => before.end..value.end,
        (None, None) => key.start..value.end,
    };
    Ok([&bytes[..cut.start], &bytes[cut.end..]].concat())
}

/// An array of these values.
pub(super) fn array(values: &[&[u8]]) -> Vec<u8> {
    let mut text = vec![b'['];
    text.extend_from_slice(&values.join(&b','));
    text.push(b']');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_cut_out_with_one_comma() {
        for (text, left) in [
            (r#"{"a": 1, "b": 2, "c": 3}"#, r#"{"a": 1, "c": 3}"#),
            (r#"{ "b": 2 , "c": 3}"#, r#"{ "c": 3}"#),
            (r#"{"a": 1 , "b": 2 }"#, r#"{"a": 1 }"#),
            (r#"{ "b":2 }"#, "{  }"),
            (r#"{"a": {"b": 2}}"#, r#"{"a": {"b": 2}}"#),
            (r#"{"\u0062":2,"a":1}"#, r#"{"a":1}"#),
        ] {
            let cut = without_member(text.as_bytes(), 0, "b").unwrap_or_default();
            assert_eq!(String::from_utf8_lossy(&cut), left, "{text}");
        }
    }

    #[test]
    fn kept_elements_stand_as_they_came() {
        let text = br#"{"tools":[ {"a":1.0} , 2 ,{"b": 3}],"x":1}"#;
        let elements = scan::elements(text, 9, usize::MAX, 9).unwrap_or_default();
        let kept = keep_elements(text, &(9..35), &[elements[0].clone(), elements[2].clone()]);
        assert_eq!(String::from_utf8_lossy(&kept), r#"{"tools":[{"a":1.0},{"b": 3}],"x":1}"#);
        let none = keep_elements(text, &(9..35), &[]);
        assert_eq!(String::from_utf8_lossy(&none), r#"{"tools":[],"x":1}"#);
    }
}
