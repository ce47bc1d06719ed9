//! A real terminal for the built binary: a pseudo-terminal, an emulator that reads what is written to it, and waits that
//! are conditions with a ceiling.

use super::project::Project;
use crossterm::event::{KeyCode, KeyModifiers};
use keys::{Press, key_event, steps};
use pinwatch::tui::{Context, Keymap};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

#[path = "keys.rs"]
mod keys;

/// The longest any condition may take to come true, on a loaded machine.
pub const CEILING: Duration = Duration::from_secs(30);

/// A program of a project, in a terminal of 256 colours: nothing of this machine's own reaches it.
pub fn in_project(program: &str, words: &[&str], project: &Project) -> CommandBuilder {
    let mut command = CommandBuilder::new(program);
    command.args(words);
    command.cwd(project.path(""));
    command.env_clear();
    for (name, value) in project.environment() {
        command.env(name, value);
    }
    command.env("TERM", "xterm-256color");
    command
}

/// The built binary in a project.
pub fn pinwatch_in(project: &Project, words: &[&str]) -> CommandBuilder {
    in_project(env!("CARGO_BIN_EXE_pinwatch"), words, project)
}

/// A program in a terminal.
pub struct Terminal {
    /// Both ends of ours; none once the terminal is gone.
    ends: Option<(Box<dyn MasterPty + Send>, Box<dyn std::io::Write + Send>)>,
    reader: Option<JoinHandle<()>>,
    child: Box<dyn Child + Send + Sync>,
    shared: Arc<Shared>,
}

/// What the reading thread shares with the test.
struct Shared {
    read: Mutex<Read>,
    moved: Condvar,
    leaving: AtomicBool,
}

/// What was read so far.
struct Read {
    parser: vt100::Parser,
    bytes: Vec<u8>,
}

/// How a frame begins and ends: a synchronized update.
const FRAME: [&[u8]; 2] = [b"\x1b[?2026h", b"\x1b[?2026l"];

/// How many bytes a terminal shows by now: what has begun as a frame is seen when it has ended. Half a frame holds what
/// was there before, and a test that took that for what it waits for would type too early.
fn whole_frames(held: &[u8]) -> usize {
    let [begun, ended] = FRAME.map(|mark| memchr::memmem::rfind(held, mark));
    match begun {
        Some(begun) if ended.is_none_or(|ended| ended < begun) => begun,
        _ => {
            let half = (1..FRAME[0].len()).rev().find(|length| held.ends_with(&FRAME[0][..*length]));
            held.len() - half.unwrap_or(0)
        }
    }
}

/// The frames that have begun and ended in these bytes.
fn frames(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let begun = memchr::memmem::find_iter(bytes, FRAME[0]).map(|at| &bytes[at..]);
    begun.filter_map(|rest| Some(&rest[..memchr::memmem::find(rest, FRAME[1])?])).collect::<Vec<_>>().into_iter()
}

fn pty_size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

/// What a terminal sends for a key. Before `more` a lone escape could be the start of a sequence: written like this it is none.
fn bytes_of(press: Press, more: bool) -> String {
    let key = match press {
        Press::Key(key) => key,
        Press::Act(action) => {
            let key = Keymap::default().key(action, Context::ALL);
            key_event(&key.unwrap_or_else(|| panic!("no key for `{action}`")))
        }
    };
    match key.code {
        KeyCode::Char(letter) if key.modifiers.contains(KeyModifiers::CONTROL) => {
            char::from(u8::try_from(letter).expect("ASCII") & 0x1f).to_string()
        }
        KeyCode::Char(letter) => letter.to_string(),
        KeyCode::Enter => "\r".to_owned(),
        KeyCode::Tab => "\t".to_owned(),
        KeyCode::Esc => if more { "\u{1b}[27u" } else { "\u{1b}" }.to_owned(),
        other => panic!("no test has sent {other:?} to a terminal yet"),
    }
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a terminal has cells")
}

impl Terminal {
    /// Starts `command` in a terminal of this size.
    pub fn start(command: CommandBuilder, columns: u16, rows: u16) -> Self {
        let pair = native_pty_system().openpty(pty_size(columns, rows)).expect("a pseudo-terminal");
        let child = pair.slave.spawn_command(command).expect("the binary starts");
        drop(pair.slave);
        let parser = vt100::Parser::new(cells(rows), cells(columns), 0);
        let read = Mutex::new(Read { parser, bytes: Vec::new() });
        let shared = Arc::new(Shared { read, moved: Condvar::new(), leaving: AtomicBool::new(false) });
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let writer = pair.master.take_writer().expect("a writer");
        let screen = Arc::clone(&shared);
        let reader = thread::spawn(move || {
            let mut buffer = [0; 8192];
            let mut held = Vec::new();
            while let Ok(length @ 1..) = reader.read(&mut buffer) {
                let mut read = screen.read.lock().unwrap_or_else(PoisonError::into_inner);
                held.extend_from_slice(&buffer[..length]);
                let whole = whole_frames(&held);
                read.parser.process(&held[..whole]);
                held.drain(..whole);
                read.bytes.extend_from_slice(&buffer[..length]);
                screen.moved.notify_all();
                if screen.leaving.load(Ordering::SeqCst) {
                    return;
                }
            }
        });
        Self { ends: Some((pair.master, writer)), reader: Some(reader), child, shared }
    }

    /// Waits until the screen fulfils a condition, and gives what it found.
    pub fn until<T>(&self, what: &str, condition: impl Fn(&vt100::Screen) -> Option<T>) -> T {
        let deadline = Instant::now() + CEILING;
        let mut read = self.shared.read.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(found) = condition(read.parser.screen()) {
                return found;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "never came: {what}; the screen shows:\n{}", read.parser.screen().contents());
            let wait = left.min(Duration::from_millis(200));
            read = self.shared.moved.wait_timeout(read, wait).expect("no reader panicked").0;
        }
    }

    /// Waits until the screen shows a text.
    pub fn until_shows(&self, text: &str) {
        self.until(&format!("`{text}`"), |screen| screen.contents().contains(text).then_some(()));
    }

    /// Waits until nothing was written for `quiet`, and gives the bytes written so far.
    pub fn settled(&self, quiet: Duration) -> usize {
        let deadline = Instant::now() + CEILING;
        let mut read = self.shared.read.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let before = read.bytes.len();
            let (next, timeout) = self.shared.moved.wait_timeout(read, quiet).expect("no reader panicked");
            read = next;
            if timeout.timed_out() && read.bytes.len() == before {
                return before;
            }
            assert!(Instant::now() < deadline, "it never became quiet");
        }
    }

    /// Asks something of the screen as it is now.
    pub fn look<T>(&self, question: impl Fn(&vt100::Screen) -> T) -> T {
        question(self.shared.read.lock().unwrap_or_else(PoisonError::into_inner).parser.screen())
    }

    /// The screen as text.
    pub fn contents(&self) -> String {
        self.look(vt100::Screen::contents)
    }

    /// Every byte that the program has written so far.
    pub fn written(&self) -> Vec<u8> {
        self.shared.read.lock().unwrap_or_else(PoisonError::into_inner).bytes.clone()
    }

    /// Sends bytes as they are: what a terminal sends that is no key of ours.
    pub fn send(&mut self, bytes: &str) {
        let (_, writer) = self.ends.as_mut().expect("the terminal is there");
        writer.write_all(bytes.as_bytes()).expect("the terminal takes keys");
        writer.flush().expect("the terminal takes keys");
    }

    /// Sends keys at once, by their words (keys.rs).
    pub fn press(&mut self, words: &str) {
        let presses = steps(words).concat();
        let (last, first) = presses.split_last().expect("keys");
        let bytes: String = first.iter().map(|press| bytes_of(*press, true)).collect();
        self.send(&(bytes + &bytes_of(*last, false)));
    }

    /// Presses keys one by one, and waits for each until the program has taken it in: it is asked for a whole frame after it,
    /// and takes keys in order. Not for the middle of a text that is typed, where that request is none.
    pub fn takes(&mut self, words: &str) {
        for step in steps(words) {
            self.send(&step.iter().map(|press| bytes_of(*press, true)).collect::<String>());
            let before = self.written().len();
            self.press("redraw");
            self.until_drawn(before, &format!("{step:?} of \"{words}\""));
        }
    }

    /// Waits for a whole frame after the first bytes that were written.
    fn until_drawn(&self, before: usize, what: &str) {
        let deadline = Instant::now() + CEILING;
        let mut read = self.shared.read.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let (rows, columns) = read.parser.screen().size();
            let cells = usize::from(u16::from(rows)) * usize::from(u16::from(columns));
            if frames(&read.bytes[before..]).any(|frame| frame.len() >= cells) {
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let contents = || read.parser.screen().contents();
            assert!(!left.is_zero(), "{what} was not taken in; the screen shows:\n{}", contents());
            read = self.shared.moved.wait_timeout(read, left).expect("no reader panicked").0;
        }
    }

    /// Gives the terminal another size.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        let mut read = self.shared.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.parser.screen_mut().set_size(cells(rows), cells(columns));
        let (master, _) = self.ends.as_ref().expect("the terminal is there");
        master.resize(pty_size(columns, rows)).expect("the terminal takes a size");
    }

    /// Takes the terminal away, as a window that is closed does. `words` make the program write once more, so that
    /// the reading end is let go, too.
    pub fn hang_up(&mut self, words: &str) {
        self.shared.leaving.store(true, Ordering::SeqCst);
        self.press(words);
        self.reader.take().expect("the terminal is there").join().expect("no reader panicked");
        self.ends = None;
    }

    /// The program's process id.
    pub fn pid(&self) -> u32 {
        self.child.process_id().expect("it runs")
    }

    /// Waits for the program's end and gives its exit code.
    pub fn wait(&mut self) -> u32 {
        let deadline = Instant::now() + CEILING;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.exit_code();
            }
            assert!(Instant::now() < deadline, "it never ended; the screen shows:\n{}", self.contents());
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
