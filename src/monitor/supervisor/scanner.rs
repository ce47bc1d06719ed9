//! Another scanner's opinion on a supervised server: asked beside its looks, and compared with what was last seen when it comes.

use super::Supervisor;
use crate::config::consent::Asked;
use crate::monitor::opinion::SecondOpinion;
use crate::opinion::Question;
use std::sync::Arc;

impl Supervisor {
    /// Has the scanner asked what it was not asked yet.
    pub(super) fn take_question(&mut self, question: Option<Question>) {
        let digest = |question: Option<&Question>| question.map(|question| question.digest);
        let is_running = self.asking.is_some() && digest(self.question.as_deref()) == digest(question.as_ref());
        let is_answered = question.is_none() || self.second.question == digest(question.as_ref());
        if !is_running {
            self.question = question.map(Arc::new);
            if let Some(overtaken) = self.asking.take() {
                overtaken.abort();
            }
            if !is_answered {
                self.ask_scanner(None);
            }
        }
        self.look.scanner = self.second.request().filter(|_| is_answered && self.question.is_some()).cloned();
    }

    /// Asks the scanner, aside. `asked` is what a person agreed to before that.
    pub(super) fn ask_scanner(&mut self, asked: Option<Asked>) {
        let (Some(scanner), Some(question)) = (self.setup.scanner.clone(), self.question.clone()) else { return };
        let redactor = self.redactor();
        self.asking = Some(tokio::spawn(async move {
            if let Some(asked) = asked
                && let Err(reason) = scanner.agree(asked).await
            {
                return SecondOpinion::failed(&question, reason.text);
            }
            scanner.ask(&question, &redactor).await
        }));
    }

    /// Takes in what the scanner said; none where that was lost.
    pub(super) fn take_opinion(&mut self, second: Option<SecondOpinion>) {
        let lost = || {
            let question = self.question.as_deref();
            question
                .map(|question| SecondOpinion::failed(question, "asking for it failed; please report this".to_owned()))
        };
        let Some(second) = second.or_else(lost) else { return };
        self.second = Arc::new(second);
        self.compare_again();
        self.publish(self.look.phase.clone());
    }
}
