//! Standard output and standard error: the one place that prints.

use crate::store::redact::Redactor;
use crate::text::visible;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

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
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            // Once is enough: what follows would fail in the same way.
            if !LOST.swap(true, Ordering::Relaxed) {
                note(&format!("error: the output could not be written: {error}"));
            }
        }
        Ok(()) | Err(_) => {}
    }
}

/// Whether something that should have been printed could not be.
static LOST: AtomicBool = AtomicBool::new(false);

/// Whether something that should have been printed could not be: then nobody may take the command for done.
pub fn is_lost() -> bool {
    LOST.load(Ordering::Relaxed)
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

/// What the servers of this run were given: no panic may quote it.
static MASK: RwLock<Option<Arc<Redactor>>> = RwLock::new(None);

/// From now on a panic says nothing that `redactor` knows.
pub fn mask_panics(redactor: &Arc<Redactor>) {
    *MASK.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(redactor));
}

/// From now on a panic is told like everything else: escaped and masked. Many of them quote the text at hand.
pub fn escape_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        // Who panics may be who sets it.
        let mask = MASK.try_read().ok().and_then(|mask| mask.clone());
        complain(&panic_text(&place, panic.payload_as_str(), mask.as_deref()));
        let trace = Backtrace::capture();
        if trace.status() == BacktraceStatus::Captured {
            complain(&trace.to_string());
        }
    }));
}

/// The most that is told of a panic's message: the place says more.
const QUOTED: usize = 400;

fn panic_text(place: &str, said: Option<&str>, mask: Option<&Redactor>) -> String {
    let said = said.unwrap_or_default();
    let said = mask.map_or_else(|| said.to_owned(), |mask| mask.mask_log(said));
    let short: String = said.chars().take(QUOTED).collect();
    let cut = if short.len() < said.len() { "…" } else { "" };
    format!("pinwatch panicked at {}: {}{cut}; please report this", visible(place), visible(&short))
}

/// Whether a person watches standard error, so that progress is worth a line.
pub fn is_watched() -> bool {
    io::stderr().is_terminal() && std::env::var_os("CI").is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_shows_no_control_and_no_secret() {
        let mut secrets = crate::store::redact::Secrets::default();
        secrets.variable("API_TOKEN", "k9-Zq8-wLmT4xVb2sRc1");
        let said = format!("byte 1 is inside of `\u{1b}]0;x\u{7}\n k9-Zq8-wLmT4xVb2sRc1 {}`", "x".repeat(1000));
        let text = panic_text("a.rs:1:2", Some(&said), Some(&Redactor::new(&secrets)));
        assert!(
            text.starts_with("pinwatch panicked at a.rs:1:2: byte 1 is inside of `<U+001B>]0;x<U+0007><U+000A> "),
            "{text}"
        );
        assert!(!text.contains("k9-Z") && text.len() < 600 && text.contains('…'), "{text}");
    }

    #[test]
    fn a_workflow_obeys_no_server() {
        let hostile = "reasons\n      ::stop-commands::x\n    + ::error::y ##[error]z\n";
        let harmless = "reasons\n      <U+003A>:stop-commands::x\n    + ::error::y ##<U+005B>error]z\n";
        assert_eq!(disarmed(hostile, true), harmless);
        assert_eq!(disarmed(hostile, false), hostile);
        assert_eq!(disarmed("{\"a\": \"##[error]\"}", true), "{\"a\": \"##\\u005berror]\"}");
    }
}
