//! What stands over the screen and asks, with what was typed into it so far.

use crate::canon::Pointer;
use crate::config::Asked;
use crate::config::consent::ConsentRequest;
use crate::pin::DecisionState;
use crate::review::RowId;
use crate::surface::{ItemId, Reason, ServerId};
use crate::tui::effect::Target;
use crate::tui::input::Input;
use std::sync::Arc;

/// What stands over the screen and has the keys.
#[derive(Clone, Debug)]
pub struct Dialog {
    /// What is asked.
    pub ask: Ask,
    /// The server.
    pub server: ServerId,
    /// First line shown.
    pub scroll: usize,
    /// Whether the last line was on the screen: nothing is confirmed before.
    pub read: bool,
    /// Why nothing can be confirmed any more: what is asked about has moved on.
    pub moved: Option<&'static str>,
}

impl Dialog {
    /// A dialog that was not read yet.
    pub fn new(ask: Ask, server: ServerId) -> Self {
        Self { ask, server, scroll: 0, read: false, moved: None }
    }
}

/// What a dialog asks.
#[derive(Clone, Debug)]
pub enum Ask {
    /// Approve or reject?
    Decide(Decide),
    /// Approve or reject what is marked?
    Marked(Marked),
    /// Take the last decision back?
    Undo(Made),
    /// What shall be copied?
    Copy(Menu),
    /// First contact: shall this be the baseline?
    Baseline {
        /// What becomes a pin.
        targets: Vec<Target>,
        /// What does not, since it needs a look of its own: row and why.
        apart: Vec<(RowId, String)>,
    },
    /// May it stay unwatched? For which reason it is not watched now.
    Unwatched(Reason),
    /// May this be started?
    Consent(Arc<ConsentRequest>),
    /// May these be started?
    Launches(Launches),
    /// What does a client's file want to know?
    Input(Question),
}

impl Ask {
    /// Whether keys go into its text.
    pub fn is_typed_into(&self) -> bool {
        match self {
            Self::Decide(decide) => decide.in_note,
            Self::Marked(marked) => marked.in_note,
            Self::Input(question) => question.in_answer,
            _ => false,
        }
    }

    /// Whether a number that has to be typed is not yet the right one.
    pub fn wants_number(&self) -> bool {
        match self {
            Self::Marked(marked) => !marked.is_counted(),
            Self::Launches(launches) => !launches.is_counted(),
            _ => false,
        }
    }

    /// Whether closing it would lose words that a person typed.
    pub fn has_words(&self) -> bool {
        match self {
            Self::Decide(decide) => !decide.note.is_empty(),
            Self::Marked(marked) => !marked.note.is_empty() || !marked.count.is_empty(),
            Self::Input(question) => !question.answer.is_empty(),
            Self::Launches(launches) => !launches.count.is_empty(),
            Self::Undo(_) | Self::Copy(_) | Self::Baseline { .. } | Self::Unwatched(_) | Self::Consent(_) => false,
        }
    }
}

/// Launches that were marked, being agreed to.
#[derive(Clone, Debug)]
pub struct Launches {
    /// Each as it was shown.
    pub requests: Vec<Arc<ConsentRequest>>,
    /// Servers whose launch was marked and not shown whole.
    pub apart: Vec<ServerId>,
    /// The number being typed; it has to be that of the requests.
    pub count: Input,
}

impl Launches {
    /// Whether the number typed is the number of launches.
    pub fn is_counted(&self) -> bool {
        self.count.text().parse() == Ok(self.requests.len())
    }
}

/// A question of a client's file being answered.
#[derive(Clone, Debug)]
pub struct Question {
    /// What is asked.
    pub asked: Asked,
    /// The answer being typed; it is never shown.
    pub answer: Input,
    /// Whether keys go into the answer.
    pub in_answer: bool,
}

impl Question {
    /// Whether this can be the answer.
    pub fn is_answered(&self) -> bool {
        let choices = &self.asked.choices;
        let text = self.answer.text();
        !text.is_empty() && (choices.is_empty() || choices.iter().any(|choice| choice == text))
    }
}

/// A decision being made.
#[derive(Clone, Debug)]
pub struct Decide {
    /// Approve or reject.
    pub verdict: DecisionState,
    /// What is decided on.
    pub targets: Vec<Target>,
    /// The person's words.
    pub note: Input,
    /// Whether keys go into the note; otherwise the buttons have them, and the focus is on cancel.
    pub in_note: bool,
    /// Where values differ from look to look, as the item is unstable.
    pub unstable: Vec<Pointer>,
    /// Whether an approval lets those values vary from now on.
    pub varies: bool,
}

/// A menu.
#[derive(Clone, Debug)]
pub struct Menu {
    /// What there is.
    pub choices: Vec<Choice>,
    /// The selected one.
    pub at: usize,
}

/// Something that can be copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What it is.
    pub what: &'static str,
    /// Its text; hides nothing.
    pub text: String,
}

/// A decision on several items being made.
#[derive(Clone, Debug)]
pub struct Marked {
    /// Approve or reject.
    pub verdict: DecisionState,
    /// What is decided on.
    pub targets: Vec<(ServerId, Target)>,
    /// What was marked and is left out: row and why.
    pub apart: Vec<(ServerId, RowId, &'static str)>,
    /// The number being typed; it has to be that of the targets.
    pub count: Input,
    /// The person's words.
    pub note: Input,
    /// Whether keys go into the note.
    pub in_note: bool,
}

impl Marked {
    /// Whether the number typed is the number of targets.
    pub fn is_counted(&self) -> bool {
        self.count.text().parse() == Ok(self.targets.len())
    }
}

/// A decision that was carried out in this session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The server.
    pub server: ServerId,
    /// What, and on which items; none where it is not known any more.
    pub what: Option<(DecisionState, Vec<ItemId>)>,
    /// One line an item. Not escaped.
    pub lines: Vec<String>,
}
