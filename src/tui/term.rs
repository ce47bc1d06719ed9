//! The terminal: taken once, given back on every way out, written to in one frame at a time.
//!
//! A frame is the difference to the one before, wrapped in a synchronized update, so that a resize never shows a half.
//! Nothing is written when nothing differs.

use crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
use ratatui::backend::{Backend as _, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::Color;
use std::io::{self, BufWriter, IsTerminal as _, Stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Notify;

/// Whether the terminal is ours now; what restores it, in whatever order, does so once.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether the mouse is ours, and whether the title is.
static MOUSE: AtomicBool = AtomicBool::new(false);
static TITLED: AtomicBool = AtomicBool::new(false);
/// The window's title onto its stack, and off it again (XTWINOPS 22 and 23).
const KEEP_TITLE: &str = "\u{1b}[22;2t";
const GIVE_TITLE_BACK: &str = "\u{1b}[23;2t";
static HOOK: Once = Once::new();
static PANICKED: Notify = Notify::const_new();

pub struct Term {
    backend: CrosstermBackend<BufWriter<Stdout>>,
    shown: Buffer,
    cursor: Option<Position>,
    mouse: bool,
    title: String,
}

impl Term {
    /// Takes the terminal: raw, alternate screen, bracketed paste; no mouse, so that its own selection works.
    pub fn take() -> io::Result<Self> {
        restore_on_panic();
        // NO_COLOR is resolved by the theme; crossterm would drop the modifiers with the colours.
        crossterm::style::force_color_output(true);
        enter()?;
        let backend = CrosstermBackend::new(BufWriter::with_capacity(1 << 16, io::stdout()));
        Ok(Self { backend, shown: Buffer::empty(Rect::ZERO), cursor: None, mouse: false, title: String::new() })
    }

    /// Columns and rows.
    pub fn size() -> io::Result<(u16, u16)> {
        crossterm::terminal::size()
    }

    /// Forgets what is on the screen, so that the next frame draws every cell.
    pub fn forget(&mut self) {
        self.shown = Buffer::empty(Rect::ZERO);
    }

    /// Writes what differs from the frame before.
    pub fn draw(&mut self, frame: Buffer, cursor: Option<Position>) -> io::Result<()> {
        if self.shown.area != frame.area {
            // Every cell of the frame differs from these: all are drawn, and nothing has to be cleared first.
            let mut other = Cell::EMPTY;
            other.set_fg(Color::Rgb(1, 2, 3)).set_bg(Color::Rgb(3, 2, 1));
            self.shown = Buffer::filled(frame.area, other);
        }
        let changes = self.shown.diff(&frame);
        if changes.is_empty() && self.cursor == cursor {
            return Ok(());
        }
        queue!(self.backend, BeginSynchronizedUpdate, cursor::Hide)?;
        self.backend.draw(changes.into_iter())?;
        if let Some(at) = cursor {
            queue!(self.backend, cursor::MoveTo(at.x, at.y), cursor::Show)?;
        }
        queue!(self.backend, EndSynchronizedUpdate)?;
        io::Write::flush(&mut self.backend)?;
        self.shown = frame;
        self.cursor = cursor;
        Ok(())
    }

    /// Takes the mouse, or leaves it to the terminal.
    pub fn mouse(&mut self, on: bool) -> io::Result<()> {
        if self.mouse == on {
            return Ok(());
        }
        self.mouse = on;
        MOUSE.store(on, Ordering::SeqCst);
        if on { execute!(self.backend, EnableMouseCapture) } else { execute!(self.backend, DisableMouseCapture) }
    }

    /// Sets the window's title; the one before is kept by the terminal and comes back with the end.
    pub fn title(&mut self, text: &str) -> io::Result<()> {
        text.clone_into(&mut self.title);
        let keep = if TITLED.swap(true, Ordering::SeqCst) { "" } else { KEEP_TITLE };
        self.say(&format!("{keep}\u{1b}]2;{text}\u{1b}\\"))
    }

    /// Writes what is no part of a frame.
    pub fn say(&mut self, sequence: &str) -> io::Result<()> {
        io::Write::write_all(&mut self.backend, sequence.as_bytes())?;
        io::Write::flush(&mut self.backend)
    }

    /// Gives the terminal to the shell until it continues us.
    #[cfg(unix)]
    pub fn suspend(&mut self) -> io::Result<()> {
        let stop = || rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TSTP);
        Ok(self.outside(stop)??)
    }

    /// There is no such thing here.
    #[cfg(not(unix))]
    pub fn suspend(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Gives the terminal away for as long as `work` takes.
    pub fn outside<T>(&mut self, work: impl FnOnce() -> T) -> io::Result<T> {
        restore();
        let done = work();
        enter()?;
        self.forget();
        if std::mem::take(&mut self.mouse) {
            self.mouse(true)?;
        }
        let title = std::mem::take(&mut self.title);
        if !title.is_empty() {
            self.title(&title)?;
        }
        Ok(done)
    }
}

impl Drop for Term {
    fn drop(&mut self) {
        restore();
    }
}

/// Whether standard output and input are a terminal that can be drawn on.
pub fn usable(term: Option<&str>) -> bool {
    io::stdout().is_terminal() && io::stdin().is_terminal() && term != Some("dumb")
}

fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)
}

/// Gives the terminal back, once. Errors are of no use to anyone here.
pub fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        if MOUSE.swap(false, Ordering::SeqCst) {
            let _ = execute!(io::stdout(), DisableMouseCapture);
        }
        if TITLED.swap(false, Ordering::SeqCst) {
            let _ = io::Write::write_all(&mut io::stdout(), GIVE_TITLE_BACK.as_bytes());
        }
        let _ =
            execute!(io::stdout(), EndSynchronizedUpdate, DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
        let _ = disable_raw_mode();
    }
}

/// A panic on whatever thread restores the terminal, is printed as usual, and ends the loop, so that servers are ended
/// on the way out as always.
fn restore_on_panic() {
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let taken = TAKEN.load(Ordering::SeqCst);
            restore();
            usual(panic);
            if taken {
                PANICKED.notify_one();
            }
        }));
    });
}

/// Waits until something panics while the terminal is taken.
pub async fn panicked() {
    PANICKED.notified().await;
}
