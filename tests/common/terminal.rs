//! A real terminal for the built binary: a pseudo-terminal, an emulator that reads what is written to it, and waits that
//! are conditions with a ceiling.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// The longest any condition may take to come true, on a loaded machine.
pub const CEILING: Duration = Duration::from_secs(30);

/// A program in a terminal.
pub struct Terminal {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn std::io::Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    shared: Arc<(Mutex<vt100::Parser>, Condvar)>,
    written: Arc<AtomicUsize>,
}

fn pty_size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
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
        let shared = Arc::new((Mutex::new(parser), Condvar::new()));
        let written = Arc::new(AtomicUsize::new(0));
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let writer = pair.master.take_writer().expect("a writer");
        let (screen, count) = (Arc::clone(&shared), Arc::clone(&written));
        thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(length @ 1..) = reader.read(&mut buffer) {
                count.fetch_add(length, Ordering::SeqCst);
                screen.0.lock().expect("no reader panicked").process(&buffer[..length]);
                screen.1.notify_all();
            }
            screen.1.notify_all();
        });
        Self { master: pair.master, writer, child, shared, written }
    }

    /// Waits until the screen fulfils a condition, and gives what it found.
    pub fn until<T>(&self, what: &str, condition: impl Fn(&vt100::Screen) -> Option<T>) -> T {
        let deadline = Instant::now() + CEILING;
        let mut parser = self.shared.0.lock().expect("no reader panicked");
        loop {
            if let Some(found) = condition(parser.screen()) {
                return found;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "never came: {what}; the screen shows:\n{}", parser.screen().contents());
            parser = self.shared.1.wait_timeout(parser, left.min(Duration::from_millis(200))).expect("no reader panicked").0;
        }
    }

    /// Waits until the screen shows a text.
    pub fn until_shows(&self, text: &str) {
        self.until(&format!("`{text}`"), |screen| screen.contents().contains(text).then_some(()));
    }

    /// The screen as text.
    pub fn contents(&self) -> String {
        self.shared.0.lock().expect("no reader panicked").screen().contents()
    }

    /// Sends keys as a terminal does.
    pub fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).expect("the terminal takes keys");
        self.writer.flush().expect("the terminal takes keys");
    }

    /// Gives the terminal another size.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.shared.0.lock().expect("no reader panicked").screen_mut().set_size(cells(rows), cells(columns));
        self.master.resize(pty_size(columns, rows)).expect("the terminal takes a size");
    }

    /// Bytes that the program has written so far.
    pub fn written(&self) -> usize {
        self.written.load(Ordering::SeqCst)
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
