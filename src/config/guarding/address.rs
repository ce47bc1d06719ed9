//! Guards before servers with a URL: the entry asks the guard, and says in a header which server that stands before.

use super::{Guarding, Outcome};
use crate::config::clients::{Found, Level};
use crate::config::entry::{Entry, Written};
use crate::config::guarded::{AUTHORIZATION, behind_guard};

/// A guard that listens. No `Debug`: the secret is one.
#[derive(Clone, PartialEq, Eq)]
pub struct Listener {
    /// The URL that clients ask.
    pub url: String,
    /// What they send behind `Bearer `.
    pub secret: String,
}

impl Guarding {
    /// Puts the guard's URL in the place of the one of an entry that no guard stands before.
    pub(super) fn redirect(&mut self, at: usize, listener: &Listener) -> Outcome {
        let Found { entry, spots, .. } = &self.read.entries[at];
        let left = |why: &str| Outcome::Left(why.to_owned());
        let Ok(Written::Http { url, .. }) = &entry.written else { return left("it has no URL") };
        match self.level {
            Level::Project => {
                return left(
                    "it is reached over HTTP, and the project's file goes to others: the secret of your guards would \
                     stand in it. Put this server into your own file of the client",
                );
            }
            Level::System => {
                return left(
                    "it is reached over HTTP, and the machine's file can be read by others: the secret of your guards \
                     would stand in it. Put this server into your own file of the client",
                );
            }
            Level::User => {}
        }
        if let Some(name) = spots.is_sse {
            return Outcome::Left(format!(
                "its `{name}` says HTTP+SSE, the transport of revision 2024-11-05, which has no guard"
            ));
        }
        if let Some(name) = spots.bearer {
            return Outcome::Left(format!(
                "its `{name}` would replace the guard's secret: let pinwatch.toml name that token, and remove `{name}`"
            ));
        }
        let by_hand = Outcome::AddressByHand { url: listener.url.clone(), upstream: url.shown.clone() };
        let authorization = format!("Bearer {}", listener.secret);
        let Some((edits, added)) = self.source().redirect(spots, &listener.url, &authorization) else { return by_hand };
        let fits = |before: &Entry, after: &Entry| {
            let Ok(Written::Http { url, headers }) = &after.written else { return false };
            let is_said = url.shown == listener.url
                && headers.get(AUTHORIZATION).is_some_and(|text| text.shown == authorization)
                && url.variables().is_empty();
            let (behind, is_guarded) = behind_guard(after.clone());
            is_said && is_guarded && behind.written == before.written
        };
        if !self.rewrite(at, edits, fits) {
            return by_hand;
        }
        self.added.push(added);
        Outcome::Redirected
    }
}
