//! Server ids and the reversible folder names made of them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

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

/// All but `[a-z0-9_-]`.
const ESCAPED: AsciiSet = {
    let (mut set, mut letter) = (NON_ALPHANUMERIC.remove(b'_').remove(b'-'), b'A');
    while letter <= b'Z' {
        set = set.add(letter);
        letter += 1;
    }
    set
};

/// The folder name of a server id: every byte outside `[a-z0-9_-]` is `%XX`, so that no id leaves the root or
/// meets another on a disk that ignores case; a name that Windows reserves has its first byte escaped.
pub fn folder_name(id: &str) -> Result<String, InvalidId> {
    let Some(first) = id.bytes().next() else { return Err(InvalidId::Empty) };
    let mut name = utf8_percent_encode(id, &ESCAPED).to_string();
    if RESERVED.contains(&id) {
        name = format!("%{first:02X}{}", &id[1..]);
    }
    if name.len() > 240 { Err(InvalidId::TooLong(name.len())) } else { Ok(name) }
}

/// The server id of a folder name; only the name that [`folder_name`] writes is taken.
pub fn server_id(folder: &str) -> Result<String, InvalidId> {
    let id = percent_decode_str(folder).decode_utf8().ok();
    let id = id.filter(|id| folder_name(id).as_deref() == Ok(folder));
    id.map(Into::into).ok_or_else(|| InvalidId::NotAFolderName(folder.to_owned()))
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
