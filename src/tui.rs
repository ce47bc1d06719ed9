//! The terminal UI: one loop, one model, one way for data.
//!
//! ```text
//! keys, servers, events, clock ──Msg──▶ update(&mut Model) ──Effect──▶ the app
//!                                             │
//!                                          view(&Model) ──▶ one frame, if something moved
//! ```
//!
//! It starts no server and writes no file: it says what is wanted, and shows what it is told.

mod action;
mod approval;
mod calm;
mod color;
mod details;
mod document;
mod draft;
mod effect;
mod failure;
mod glyph;
mod guarded;
mod help;
mod input;
mod keymap;
mod layout;
mod line;
mod model;
mod motion;
mod msg;
mod notice;
mod setup;
mod sheet;
mod term;
mod theme;
mod update;
mod view;
mod waits;
mod words;

pub use action::{Action, Context};
pub use color::Depth;
pub use effect::{Effect, Target};
pub use glyph::{ASCII, Glyphs, UNICODE};
pub use keymap::{Key, Keymap, KeymapError};
pub use layout::{MINIMUM, body};
pub use line::Role;
pub use model::{Ask, Dialog, EntryId, HomeRow, Model, Pane, Screen, VersionId, VersionRow, Waiting};
pub use msg::Msg;
pub use setup::{Setup, Switches};
pub use term::usable;
pub use theme::{Theme, ThemeError};
pub use update::{start, update};
pub use view::view;

use crate::decisions;
use crate::desktop;
use crate::signals::{self, Signals};
use crossterm::event::{Event, EventStream};
use document::Document;
use futures_util::StreamExt as _;
use model::{DocumentKey, Session};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::future::poll_fn;
use std::io;
use std::task::{self, Poll};
use std::time::Duration;
use term::Term;
use tokio::sync::mpsc::{
    self,
    error::{TryRecvError, TrySendError},
};
use tokio::task::JoinHandle;

/// Messages taken before a frame is drawn.
const MESSAGES_A_FRAME: usize = 256;

/// What is left when the UI has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// One line a decision, to be printed. Not escaped.
    pub lines: Vec<String>,
    /// A message for the commit of the baselines that changed; none where none did.
    pub message: Option<String>,
}

/// Why the UI cannot be, or cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing to draw on.
    #[error(
        "this is not a terminal that can be drawn on (not a terminal, or TERM=dumb); without one use `pinwatch check` \
         to compare, `pinwatch record` to record, `pinwatch review` to list what is pending"
    )]
    NoTerminal,
    /// Some task panicked; the terminal was restored and the panic printed.
    #[error("pinwatch failed; please report what is printed above")]
    Panicked,
    /// The terminal is gone, or refuses.
    #[error("the terminal: {0}")]
    Terminal(#[from] io::Error),
}

/// Runs the UI until the person leaves, the messages end or a signal asks for it. Owns the terminal meanwhile and gives
/// it back on every way out.
///
/// An effect that finds its channel full is refused, and the person told: the screen waits for nothing.
pub async fn run(
    setup: Setup,
    mut messages: mpsc::Receiver<Msg>,
    effects: mpsc::Sender<Effect>,
) -> Result<Outcome, Error> {
    if !term::usable(std::env::var("TERM").ok().as_deref()) {
        return Err(Error::NoTerminal);
    }
    let (mut signals, hung_up) = (Signals::listen()?, signals::hung_up()?);
    let mut term = Term::take()?;
    let mut input = EventStream::new();
    term.mouse(setup.switches.mouse)?;
    let reader = setup.reader.clone();
    let mut model = start(setup, Term::size()?);
    let mut writing = None;
    draw(&mut term, &mut model)?;
    while !model.quit {
        if writing.is_none()
            && let Some(draft) = model.drafts.take()
        {
            writing = Some(tokio::task::spawn_blocking(|| draft.write()));
        }
        let first = tokio::select! {
            biased;
            event = poll_fn(|context| next_event(&mut input, context)) => match event {
                Some(event) => Msg::Terminal(event?),
                None => Msg::Stop,
            },
            () = signals.received() => Msg::Stop,
            () = hung_up.notified() => Msg::Stop,
            () = term::panicked() => return Err(Error::Panicked),
            written = written(&mut writing) => written?,
            message = messages.recv() => message.unwrap_or(Msg::Stop),
        };
        let mut to_read = take(&mut model, first, &mut term, &effects)?;
        // Bounded, so that who talks without end does not keep the screen from being drawn.
        for _ in 1..MESSAGES_A_FRAME {
            if model.quit || to_read.is_some() {
                break;
            }
            let Some(msg) = ready(&mut input, &mut messages).await else { break };
            to_read = take(&mut model, msg, &mut term, &effects)?;
        }
        if let Some(text) = to_read {
            // What waits for keys here would take them from the other program.
            input = EventStream::new();
            // The end of the old one left a sign for whoever polls next, and with it a first key would be passed over until
            // another came: crossterm hears of input once.
            let _ = crossterm::event::poll(Duration::ZERO);
            let read = term.outside(|| desktop::read(&reader, &text))?;
            signals.forget_interrupts();
            if let Err(error) = read {
                update(&mut model, Msg::Warning(error.to_string()));
            }
        }
        draw(&mut term, &mut model)?;
    }
    drop(term);
    let Session { recorded, made, decided, .. } = model.session;
    let made: Vec<_> = made.into_iter().filter_map(|made| made.what).collect();
    Ok(Outcome { message: decisions::commit_message(&recorded, &made), lines: decided })
}

/// What the thread that writes a big document has written; without end where there is none.
async fn written(writing: &mut Option<JoinHandle<(DocumentKey, Document)>>) -> Result<Msg, Error> {
    let Some(task) = writing else { return std::future::pending().await };
    let written = task.await;
    *writing = None;
    let (key, document) = written.map_err(|_| Error::Panicked)?;
    Ok(Msg::Written { key, document })
}

/// One message, and what it asks for: what the loop does itself, and what it hands on. It never waits for the app. Gives the
/// text that is to be read outside.
fn take(model: &mut Model, msg: Msg, term: &mut Term, effects: &mpsc::Sender<Effect>) -> io::Result<Option<String>> {
    let mut to_read = None;
    for effect in update(model, msg) {
        match effect {
            Effect::Redraw => term.forget(),
            Effect::Suspend => term.suspend()?,
            Effect::ReadOutside(text) => to_read = Some(text),
            Effect::Mouse(on) => term.mouse(on)?,
            Effect::Bell => term.say("\u{7}")?,
            Effect::Title(text) => term.title(&text)?,
            Effect::SendToClipboard(text) => term.say(&desktop::sequence(&text, model.setup.clipboard.between))?,
            effect => {
                if let Err(TrySendError::Full(effect)) = effects.try_send(effect) {
                    update(model, effect.refused());
                }
            }
        }
    }
    Ok(to_read)
}

/// A message that is there already; typing first.
///
/// The input is polled as this very task: crossterm keeps the waker of the poll that found nothing, and would wake
/// nobody after one without a task.
async fn ready(input: &mut EventStream, messages: &mut mpsc::Receiver<Msg>) -> Option<Msg> {
    match poll_fn(|context| Poll::Ready(next_event(input, context))).await {
        Poll::Ready(Some(Ok(event))) => return Some(Msg::Terminal(event)),
        Poll::Ready(Some(Err(_)) | None) => return Some(Msg::Stop),
        Poll::Pending => {}
    }
    match messages.try_recv() {
        Ok(msg) => Some(msg),
        Err(TryRecvError::Empty) => None,
        Err(TryRecvError::Disconnected) => Some(Msg::Stop),
    }
}

/// What is typed next; none at the terminal's end. crossterm takes the end for no event and reads on for ever, in
/// whatever thread asks it then: after the end it is not asked.
fn next_event(input: &mut EventStream, context: &mut task::Context<'_>) -> Poll<Option<io::Result<Event>>> {
    if signals::has_hung_up() { Poll::Ready(None) } else { input.poll_next_unpin(context) }
}

/// One frame. A key that changed nothing writes nothing.
fn draw(term: &mut Term, model: &mut Model) -> io::Result<()> {
    if model.quit {
        return Ok(());
    }
    // The size may have moved since the last message told it.
    let size = Term::size()?;
    if size != model.size {
        update(model, Msg::Terminal(Event::Resize(size.0, size.1)));
    }
    let mut frame = Buffer::empty(Rect::new(0, 0, size.0, size.1));
    let cursor = view(model, &mut frame);
    term.draw(frame, cursor)?;
    update(model, Msg::Drawn);
    Ok(())
}
