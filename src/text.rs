//! Text on its way to a person: the one escaping seam, and how two texts differ.

mod conflict;
mod diff;
mod encoding;
mod hidden;
mod marker;
mod shell;
mod visible;
mod words;

pub use conflict::marked;
pub use diff::{DiffLine, LineKind, Run, WordRun, fold, lines};
pub use encoding::{NotUtf8, utf8};
pub use hidden::{Hidden, Stretch, Told, spelt};
pub use marker::{Form, disarmed, is_marked};
pub use shell::{shell_argument, shell_quoted, shell_word};
pub use visible::{Visible, hidden_count, is_hidden, read_back, visible};
pub use words::words;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};

/// What is escaped in a URI: all but RFC 3986's unreserved characters.
pub const UNRESERVED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

use std::fmt::{self, Write as _};

/// How what stands in the place of a secret begins: `<redacted NAME>`.
pub const MASK: &str = "<redacted ";

/// `1 tool`, `2 tools`.
pub fn count<N: Copy + fmt::Display + PartialEq + From<u8>>(many: N, one: &str) -> String {
    format!("{many} {one}{}", if many == N::from(1) { "" } else { "s" })
}

/// A double-quoted text of TOML, and of YAML 1.2, in which whatever a reader would not see is escaped.
pub fn double_quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            hidden if is_hidden(hidden) => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\U{:08X}", u32::from(hidden));
            }
            other => quoted.push(other),
        }
    }
    quoted + "\""
}

/// The one of `known` that `word` is a slip of, if it is near one.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = word.to_lowercase().replace('_', "-");
    let near = |candidate: &str| (strsim::jaro_winkler(&plain, candidate) * 1000.0).round();
    let best = known.into_iter().max_by(|a, b| near(a).total_cmp(&near(b)));
    best.filter(|best| near(best) >= 800.0)
}

/// `; did you mean …?` of the one of `known` that `word` is a slip of; nothing where it is near none.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// The first `most` characters of a text, with `…` where that cuts it: whoever masks secrets looks for the rest of one there.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
