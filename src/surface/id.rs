//! Server ids and the reversible folder names made of them.

use std::fmt::Write as _;

/// The id of one configured server, as written in its config.
pub type ServerId = std::sync::Arc<str>;

/// Why a text is no server id or no folder name of one.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum InvalidId {
    /// An id needs at least one character.
    #[error("a server id cannot be empty")]
    Empty,
    /// A folder name that no id is written as.
    #[error("`{0}` is not a folder name of a server id")]
    NotAFolderName(String),
    /// Most file systems end a name at 255 bytes.
    #[error("the server id is too long: its folder name has {0} bytes, at most 240 fit")]
    TooLong(usize),
}

/// Windows keeps these names, with any ending, for devices.
const RESERVED: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// The folder name of a server id: every byte outside `[a-z0-9_-]` is `%XX`, so that no id leaves the root or
/// meets another on a disk that ignores case; a name that Windows reserves has its first byte escaped.
pub fn folder_name(id: &str) -> Result<String, InvalidId> {
    if id.is_empty() {
        return Err(InvalidId::Empty);
    }
    let reserved = RESERVED.contains(&id);
    let mut name = String::with_capacity(id.len());
    for (at, byte) in id.bytes().enumerate() {
        let plain = byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-');
        if plain && !(reserved && at == 0) {
            name.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(name, "%{byte:02X}");
        }
    }
    if name.len() > 240 { Err(InvalidId::TooLong(name.len())) } else { Ok(name) }
}

/// The server id of a folder name; only the name that [`folder_name`] writes is taken.
pub fn server_id(folder: &str) -> Result<String, InvalidId> {
    let refuse = || InvalidId::NotAFolderName(folder.to_owned());
    let mut bytes = Vec::with_capacity(folder.len());
    let mut rest = folder.as_bytes();
    while let [first, tail @ ..] = rest {
        if *first == b'%' {
            let [high, low, tail @ ..] = tail else { return Err(refuse()) };
            let digits = [*high, *low];
            let text = std::str::from_utf8(&digits).map_err(|_| refuse())?;
            bytes.push(u8::from_str_radix(text, 16).map_err(|_| refuse())?);
            rest = tail;
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    let id = String::from_utf8(bytes).map_err(|_| refuse())?;
    if folder_name(&id).as_deref() == Ok(folder) { Ok(id) } else { Err(refuse()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_names_stay_inside_the_root_and_come_back() {
        for (id, name) in [
            ("files", "files"),
            ("Files", "%46iles"),
            ("../etc", "%2E%2E%2Fetc"),
            (".", "%2E"),
            ("con", "%63on"),
            ("a b", "a%20b"),
            ("é", "%C3%A9"),
            ("%41", "%2541"),
        ] {
            assert_eq!(folder_name(id).as_deref(), Ok(name));
            assert_eq!(server_id(name).as_deref(), Ok(id));
        }
    }

    #[test]
    fn folder_name_other_than_written_is_refused() {
        for name in ["Files", "%61", "a%2", "a%zz", "%ff", "con", ""] {
            assert!(server_id(name).is_err(), "{name}");
        }
    }
}
