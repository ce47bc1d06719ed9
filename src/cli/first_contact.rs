//! A server of which nothing is approved yet: it is recorded as a whole, and not approved item by item.

use crate::digest::SurfaceDigest;
use crate::drift::Severity;
use crate::error::Printable;
use crate::report::Again;
use crate::review::{ApprovalState, FirstLook, Review};
use crate::surface::ItemId;
use crate::text::{shell_quoted, visible};

/// What `review` says of it: a headline, then what is suspicious, worst first, then the command that records it.
pub(super) struct Block {
    /// The worst of what is suspicious; none where nothing is.
    pub severity: Option<Severity>,
    /// `first contact: 22 items are new`
    pub head: String,
    /// Printable lines.
    pub lines: Vec<String>,
}

/// The command that records a server together with an item that stays new until it is named. Printable.
pub(super) fn accepting(again: &Again, server: &str, item: &str, digest: SurfaceDigest) -> String {
    again.record(server, &format!(" --accept {}", shell_quoted(&format!("{item}@{digest}"))))
}

/// Why an item is not approved by itself, and what pins it. `wanted`: its name, and the digest that was expected.
pub(super) fn refusal(again: &Again, review: &Review, wanted: Option<(&ItemId, &str, SurfaceDigest)>) -> Printable {
    let server = &review.server;
    let is_served = |id: &ItemId, digest| {
        review.rows.iter().any(|row| row.id.item == *id && row.decides_on() == Some(digest))
            || review.row_masked(id, digest).is_some()
    };
    let with_it = match wanted {
        Some((id, name, digest)) if is_served(id, digest) => {
            format!("; with this item, whatever was found in it: {}", accepting(again, server, name, digest))
        }
        _ => String::new(),
    };
    let (name, record) = (visible(server), again.record(server, ""));
    Printable(format!("{name} has no baseline yet: nothing was decided; record it as a whole first: {record}{with_it}"))
}

/// What waits there. Of a masked review.
pub(super) fn block(again: &Again, review: &Review) -> Block {
    let first = review.to_look_at_first();
    let rejected = review.counts.rejected;
    let rejected = if rejected > 0 { format!(", {rejected} rejected") } else { String::new() };
    let suspicious = match first.len() {
        0 => ", none suspicious".to_owned(),
        many => format!(", {many} to look at first"),
    };
    let severity = first.first().and_then(|look| look.severity);
    let record = format!("record the baseline: {}", again.record(&review.server, ""));
    Block {
        severity,
        head: format!(" first contact: {} new{rejected}{suspicious}", review.counts.new),
        lines: first.iter().flat_map(|look| lines(again, review, look)).chain([record]).collect(),
    }
}

/// What to look at, and the command that records it where it stays new until it is named.
fn lines(again: &Again, review: &Review, FirstLook { row, severity, why }: &FirstLook<'_>) -> Vec<String> {
    let word = severity.map_or_else(|| row.state.word().to_owned(), |severity| severity.to_string());
    let item = row.id.item.text();
    let mut lines = vec![format!("{word:8}  {}  {}", visible(&item), visible(why))];
    if let Some(digest) = row.decides_on().filter(|_| row.doubt.is_some() && row.state == ApprovalState::New) {
        lines.push(format!("  stays new unless named: {}", accepting(again, &review.server, &item, digest)));
    }
    lines
}
