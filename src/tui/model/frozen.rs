//! What came while the display is frozen: kept, counted, taken when it goes on.

use super::events::MAX_EVENTS;
use crate::tui::msg::Msg;

/// News that wait.
#[derive(Clone, Debug, Default)]
pub struct Frozen {
    /// In the order in which they came. What a later one makes old is not among them.
    pub news: Vec<Msg>,
    /// How often something happened.
    pub events: usize,
}

impl Frozen {
    /// Keeps a message; past the log's own bound its oldest line goes, as it would there.
    pub fn keep(&mut self, msg: Msg) {
        let is_line = |msg: &Msg| matches!(msg, Msg::Happened(_));
        self.events += usize::from(is_line(&msg));
        self.news.retain(|kept| !msg.makes_old(kept));
        if is_line(&msg) && self.news.iter().filter(|kept| is_line(kept)).count() >= MAX_EVENTS {
            let oldest = self.news.iter().position(is_line).unwrap_or_default();
            self.news.remove(oldest);
        }
        self.news.push(msg);
    }
}
