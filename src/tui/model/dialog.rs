//! What stands over the screen and asks, with what was typed into it so far.

use crate::canon::Pointer;
use crate::config::Asked;
use crate::config::consent::ConsentRequest;
use crate::decisions::Decided;
use crate::monitor::SigningIn;
use crate::pin::DecisionState;
use crate::review::{FirstRecord, RowId};
use crate::surface::{ClientIdentity, Reason, ServerId};
use crate::tui::action::Context;
use crate::tui::effect::Target;
use crate::tui::input::Input;
use std::sync::Arc;

/// What stands over the screen and has the keys.
#[derive(Clone, Debug)]
pub struct Dialog {
    /// What is asked.
    pub ask: Ask,
    /// The server that it is about; of several the first.
    pub server: ServerId,
    /// First line shown.
    pub scroll: usize,
    /// Whether the last line was on the screen: nothing is confirmed before.
    pub read: bool,
    /// Why nothing can be confirmed any more: what is asked about has moved on.
    pub moved: Option<&'static str>,
    /// The person's words: the note of a decision, or the answer to a question, which is never shown.
    pub text: Input,
    /// Whether keys go into that text; otherwise the buttons have them, and the focus is on cancel.
    pub typing: bool,
    /// The number being typed where one has to be.
    pub count: Input,
}

impl Dialog {
    /// A dialog that was not read yet. A question is there to be answered.
    pub fn new(ask: Ask, server: ServerId) -> Self {
        let typing = matches!(ask, Ask::Input(_));
        let (text, count) = (Input::default(), Input::default());
        Self { ask, server, scroll: 0, read: false, moved: None, text, typing, count }
    }

    /// The context of its keys.
    pub fn context(&self) -> Context {
        if matches!(self.ask, Ask::Copy(_)) { Context::Menu } else { Context::Dialog }
    }

    /// Whether words can be typed into it.
    pub fn takes_text(&self) -> bool {
        self.moved.is_none() && matches!(self.ask, Ask::Decide(_) | Ask::Input(_))
    }

    /// Whether closing it would lose what a person typed.
    pub fn has_words(&self) -> bool {
        !self.text.is_empty() || !self.count.is_empty()
    }

    /// Whether a number has to be typed, and is not yet the right one.
    pub fn wants_number(&self) -> bool {
        self.ask.number().is_some_and(|number| self.count.text().parse() != Ok(number))
    }

    /// Why the confirm key does nothing yet. `unread`: its last line is neither on the screen nor was there.
    pub fn hold(&self, unread: bool) -> Option<&'static str> {
        match &self.ask {
            _ if self.moved.is_some() => self.moved,
            _ if unread => Some("read to the end first"),
            _ if self.wants_number() => Some("type the count first"),
            Ask::SignIn(stage) if **stage == SigningIn::Asking => Some("wait for the answer"),
            Ask::Input(_) if self.text.is_empty() => Some("type an answer first"),
            Ask::Input(asked)
                if !asked.choices.is_empty() && !asked.choices.iter().any(|one| one == self.text.text()) =>
            {
                Some("type one of the listed answers first")
            }
            _ => None,
        }
    }
}

/// What a dialog asks.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "what the fields are is said with the variant")]
pub enum Ask {
    /// Approve or reject?
    Decide(Decide),
    /// Take the last decision back?
    Undo(Made),
    /// What shall be copied?
    Copy(Menu),
    /// First contact: shall this be the baseline?
    Baseline(FirstRecord),
    /// May it stay unwatched? For which reason it is not watched now.
    Unwatched(Reason),
    /// May this be started?
    Consent(Arc<ConsentRequest>),
    /// Shall it be looked at as these clients?
    LookAs(Vec<Arc<ClientIdentity>>),
    /// Where a sign-in stands, and whether it goes on.
    SignIn(Arc<SigningIn>),
    /// May these be started, each as it was shown? What is `apart` was marked and not shown whole.
    Launches { requests: Vec<Arc<ConsentRequest>>, apart: Vec<ServerId> },
    /// What does a client's file want to know?
    Input(Asked),
}

impl Ask {
    /// The number that has to be typed, where one has to be.
    pub fn number(&self) -> Option<usize> {
        match self {
            Self::Decide(decide) if decide.marked => Some(decide.targets.len()),
            Self::Launches { requests, .. } => Some(requests.len()),
            _ => None,
        }
    }
}

/// A decision being made: on what is selected, or on everything that is marked.
#[derive(Clone, Debug)]
pub struct Decide {
    pub verdict: DecisionState,
    /// What is decided on; of what is selected, on one server.
    pub targets: Vec<(ServerId, Target)>,
    pub marked: bool,
    /// What was marked and is left out: row and why.
    pub apart: Vec<(ServerId, RowId, &'static str)>,
    /// Where values differ from look to look, as the item is unstable.
    pub unstable: Vec<Pointer>,
    /// Whether an approval lets those values vary from now on.
    pub varies: bool,
}

#[derive(Clone, Debug)]
pub struct Menu {
    pub choices: Vec<Choice>,
    pub at: usize,
}

/// Something that can be copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub what: &'static str,
    /// Its text; hides nothing.
    pub text: String,
}

/// A decision that was carried out in this session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    pub server: ServerId,
    /// None where it is not known any more.
    pub what: Option<Decided>,
    /// One line an item. Not escaped.
    pub lines: Vec<String>,
}
