//! What a supervisor tells the audit chain: off the loop, one thing after another, and nothing waits for it.

use super::Supervisor;
use crate::drift::SplitView;
use crate::monitor::event::HappeningKind;
use crate::monitor::sighted::{Chain, Pace, Untold, sighted};
use crate::review::Review;
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Instant;

impl Supervisor {
    /// Takes in what was seen, and tells the chain where that is due.
    pub(super) fn saw(&mut self, review: Option<&Review>) {
        let Some(surface) = self.look.surface.clone() else { return };
        let (at, redactor) = (Timestamp::now(), self.redactor());
        let seen = (&*self.look.id, &*surface, review);
        self.chain.is_news |= sighted(&mut self.chain.seen, seen, &self.setup.policy, &redactor, at);
        self.tell_chain(at);
    }

    /// Takes in what other clients were shown, likewise.
    pub(super) fn saw_faces(&mut self, split: &SplitView) {
        let at = Timestamp::now();
        self.chain.seen.shown_to_others(split, at);
        self.chain.is_news = true;
        self.tell_chain(at);
    }

    /// Tells the chain what it was not told yet, where that is due.
    pub(super) fn tell_chain(&mut self, at: Timestamp) {
        let Chain { seen, is_news, pace, telling } = &mut self.chain;
        if !*is_news || telling.is_some() || !pace.is_due(seen.worst(), Instant::now()) {
            return;
        }
        *is_news = false;
        let seen = seen.take();
        let (desk, server) = (self.setup.desk.clone(), Arc::clone(&self.look.id));
        let turns = Arc::clone(&self.setup.turns.log);
        self.chain.telling = Some(tokio::spawn(async move {
            // The semaphore is never closed.
            let _turn = turns.acquire_owned().await;
            let tell = move || desk.saw(&server, &seen, at).err().map(|error| (seen, error));
            tokio::task::spawn_blocking(tell).await.ok().flatten()
        }));
    }

    /// Keeps what could not be told for the next time.
    pub(super) fn take_untold(&mut self, untold: Option<Untold>) {
        let Some((untold, error)) = untold else { return };
        self.chain.seen.take_back(untold);
        self.chain.is_news = true;
        self.happen(HappeningKind::Notice, "", &format!("the audit log could not be written: {error}"));
    }

    /// At the end nothing is left to wait for.
    pub(super) async fn tell_the_rest(&mut self) {
        for _ in 0..2 {
            if let Some(telling) = self.chain.telling.take() {
                let untold = telling.await.ok().flatten();
                self.take_untold(untold);
            }
            self.chain.pace = Pace::default();
            self.tell_chain(Timestamp::now());
        }
        if let Some(telling) = self.chain.telling.take() {
            let untold = telling.await.ok().flatten();
            self.take_untold(untold);
        }
    }
}
