//! A review with what other clients are shown: a row of the server as a whole, which a decision on it does not settle.

use super::rows::rows_of_the_server;
use super::{Counts, Review};
use crate::drift::{SplitView, split_view_id};

impl Review {
    /// The same with what differs between clients, and with the reason where that is not decided.
    #[must_use]
    pub fn with_split(&self, split: &SplitView) -> Self {
        let mut found = self.with_drifts(split.drift.iter().cloned().collect());
        let own = rows_of_the_server(&found.drifts).find(|row| row.id.item == split_view_id());
        if let Some(row) = own.filter(|_| split.drift.is_some()) {
            found.rows.push(row);
            found.rows.sort_by(|a, b| (a.state, &a.id).cmp(&(b.state, &b.id)));
            found.counts = Counts::of(&found.rows);
        }
        if let Some(why) = &split.undecided {
            match &mut found.unchecked {
                Some(known) => known.text = format!("{}; {}", known.text, why.text),
                None => found.unchecked = Some(why.clone()),
            }
        }
        found
    }
}
