//! Standard output and standard error: the one place that prints.

use crate::text::visible;
use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};

/// What is printed, while it is kept for a pager.
static HELD: Mutex<Option<String>> = Mutex::new(None);

/// Prints text that is safe to print. A reader that went away (`| head`) ends nothing.
pub fn print(text: &str) {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    match held.as_mut() {
        Some(held) => held.push_str(text),
        None => command(&disarmed(text, in_workflow())),
    }
}

/// What `work` prints, kept from standard output.
pub fn held<T>(work: impl FnOnce() -> T) -> (T, String) {
    *HELD.lock().unwrap_or_else(PoisonError::into_inner) = Some(String::new());
    let done = work();
    let held = HELD.lock().unwrap_or_else(PoisonError::into_inner).take();
    (done, held.unwrap_or_default())
}

/// Prints what a workflow of GitHub shall obey.
pub fn command(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

/// Whether a workflow of GitHub reads what is printed, and obeys some of it.
fn in_workflow() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Text of which a workflow's runner obeys nothing: it takes a line that starts with `::`, after blanks, and `##[` anywhere for
/// its own. In JSON the sign stands in a string, and is escaped as JSON does.
fn disarmed(text: &str, in_workflow: bool) -> Cow<'_, str> {
    let starts = |line: &str| line.trim_start().starts_with("::");
    if !in_workflow || !(text.contains("##[") || text.lines().any(starts)) {
        return text.into();
    }
    let bracket = if text.starts_with('{') { "##\\u005b" } else { "##<U+005B>" };
    let line = |line: &str| match line.find("::").filter(|_| starts(line)) {
        Some(at) => format!("{}<U+003A>{}", &line[..at], &line[at + 1..]),
        None => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect::<String>().replace("##[", bracket).into()
}

/// Prints one line, escaped.
pub fn line(text: &str) {
    print(&format!("{}\n", visible(text)));
}

/// Prints one line to standard error, escaped.
pub fn note(text: &str) {
    complain(visible(text).as_str());
}

/// Prints lines to standard error that are escaped already.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", disarmed(text, in_workflow()));
}

/// Whether a person watches standard error, so that progress is worth a line.
pub fn is_watched() -> bool {
    io::stderr().is_terminal() && std::env::var_os("CI").is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workflow_obeys_no_server() {
        let hostile = "reasons\n      ::stop-commands::x\n    + ::error::y ##[error]z\n";
        let harmless = "reasons\n      <U+003A>:stop-commands::x\n    + ::error::y ##<U+005B>error]z\n";
        assert_eq!(disarmed(hostile, true), harmless);
        assert_eq!(disarmed(hostile, false), hostile);
        assert_eq!(disarmed("{\"a\": \"##[error]\"}", true), "{\"a\": \"##\\u005berror]\"}");
    }
}
