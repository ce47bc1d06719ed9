//! Which encoding a file is in: UTF-8 with or without a byte order mark is read, another one is refused by its name.

/// Bytes that are no UTF-8, by what they are instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotUtf8 {
    /// Two bytes a unit, as older editors and shells of Windows write.
    #[error("it is UTF-16; save it as UTF-8")]
    Utf16,
    /// Four bytes a character.
    #[error("it is UTF-32; save it as UTF-8")]
    Utf32,
    /// Not known.
    #[error("it is no UTF-8")]
    Unknown,
}

/// The bytes of a text file without the byte order mark of UTF-8. UTF-16 and UTF-32 are told by their marks, and without one
/// by the zeros of the ASCII characters that every file of ours and of a client starts with.
pub fn utf8(bytes: &[u8]) -> Result<&[u8], NotUtf8> {
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => Ok(rest),
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] | [1..=0xFF, 0, 0, 0, ..] | [0, 0, 0, 1..=0xFF, ..] => {
            Err(NotUtf8::Utf32)
        }
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [1..=0xFF, 0, ..] | [0, 1..=0xFF, ..] => Err(NotUtf8::Utf16),
        _ => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_is_told_by_its_first_bytes() {
        let utf16 = |little: bool| -> Vec<u8> {
            let unit = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
            "\u{FEFF}{}".encode_utf16().flat_map(unit).collect()
        };
        for text in [utf16(true), utf16(false), utf16(true)[2..].to_vec(), utf16(false)[2..].to_vec()] {
            assert_eq!(utf8(&text), Err(NotUtf8::Utf16), "{text:?}");
        }
        for text in [&b"\xFF\xFE\0\0{\0\0\0"[..], b"\0\0\xFE\xFF\0\0\0{", b"{\0\0\0}\0\0\0", b"\0\0\0{"] {
            assert_eq!(utf8(text), Err(NotUtf8::Utf32), "{text:?}");
        }
        for (text, rest) in [("\u{FEFF}{}", "{}"), ("{}", "{}"), ("", ""), ("\u{FEFF}", "")] {
            assert_eq!(utf8(text.as_bytes()), Ok(rest.as_bytes()));
        }
    }
}
