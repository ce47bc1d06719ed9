//! Standard output and standard error: the one place that prints.

use crate::store::redact::Redactor;
use crate::text::{Form, disarmed, visible};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// What is printed, while it is kept for a pager.
static HELD: Mutex<Option<String>> = Mutex::new(None);

/// Prints text that is safe to print. A reader that went away (`| head`) ends nothing.
pub fn print(text: &str) {
    document(text, Form::Text);
}

/// Prints a text of a form, of which no CI system obeys anything.
pub fn document(text: &str, form: Form) {
    let text = if is_obeyed(&io::stdout()) { disarmed(text, form) } else { text.into() };
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    match held.as_mut() {
        Some(held) => held.push_str(&text),
        None => ours(&text),
    }
}

/// What `work` prints, kept from standard output.
pub fn held<T>(work: impl FnOnce() -> T) -> (T, String) {
    *HELD.lock().unwrap_or_else(PoisonError::into_inner) = Some(String::new());
    let done = work();
    let held = HELD.lock().unwrap_or_else(PoisonError::into_inner).take();
    (done, held.unwrap_or_default())
}

/// Prints words of this program alone, as they are.
pub fn ours(text: &str) {
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

/// Variables that CI systems set. A step may lack them all, in a container, while the agent outside reads what it prints.
const CI: [&str; 7] = ["CI", "TF_BUILD", "TEAMCITY_VERSION", "GITLAB_CI", "BUILDKITE", "GITHUB_ACTIONS", "TRAVIS"];

/// Whether a CI system may read a stream and obey some of it: whatever is no terminal, and one that a system gave the step.
pub fn is_obeyed(stream: &impl IsTerminal) -> bool {
    !stream.is_terminal() || CI.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
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
    let text = if is_obeyed(&io::stderr()) { disarmed(text, Form::Text) } else { text.into() };
    let _ = writeln!(io::stderr().lock(), "{text}");
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
}
