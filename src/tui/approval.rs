//! What stands beside every item: its change, its digest and its approval state, in a few words.

use super::guarded;
use super::line::{Line, Role};
use super::model::{Entry, EntryId, Model, Server};
use super::words::short_day;
use crate::digest::Item;
use crate::drift::{Drift, is_of_the_server};
use crate::review::{ApprovalState, Row};
use crate::text::visible;
use jiff::{Timestamp, tz::TimeZone};
use ratatui::layout::Constraint;

/// Columns of a list from which a row says who decided.
pub const WHO: u16 = 120;

/// The width of the approval column in a list that is `width` wide: from [`WHO`] on as much as the widest of the cells that
/// are shown needs, up to 34 where there is room.
pub fn column<'a>(shown: impl Iterator<Item = &'a Line>, width: u16) -> Constraint {
    if width < WHO {
        return Constraint::Length(14);
    }
    let widest = shown.map(Line::width).max().and_then(|widest| u16::try_from(widest).ok()).unwrap_or(0);
    let most = (24 + (width - WHO) / 4).min(34);
    Constraint::Length(widest.clamp(24, most))
}

/// Digest and approval of an entry, in the long form where its column is `wide`; of a group what all members say, else how
/// many there are.
pub fn about(model: &Model, server: &Server, entry: &Entry, wide: [bool; 2]) -> [Line; 2] {
    let Model { now, setup, .. } = model;
    let rows = server.rows_of(&entry.id);
    let pick = |[long, short]: [Line; 2], wide: bool| if wide { long } else { short };
    let approval = |row| pick(approval(server, row, *now, &setup.zone), wide[1]);
    match (rows.as_slice(), &entry.id) {
        ([row], EntryId::Row(_)) => [pick(digests_of(server, row, setup.glyphs.arrow), wide[0]), approval(row)],
        ([first, rest @ ..], _) => {
            let own = approval(first);
            let same = rest.iter().all(|row| approval(row) == own);
            let mixed = Line::of(Role::Dim, "not all alike");
            [Line::of(Role::Dim, format!("({})", rows.len())), if same { own } else { mixed }]
        }
        ([], _) => [setup.glyphs.none; 2].map(|none| Line::of(Role::Dim, none)),
    }
}

/// What an entry's change is in a few words, after what guards did and whether it is `skipped`.
pub fn told(server: &Server, entry: &Entry, skipped: bool) -> Line {
    let mut line = Line::of(Role::Dim, if skipped { "skipped  " } else { "" });
    line.join(guarded::badge(server, &server.rows_of(&entry.id)));
    line.quote(Role::Text, &entry.summary).clone()
}

/// In the place of digests, of a row of the server as a whole: `k1 → k2`, `2 faces`.
pub fn moved_in_words(drift: &Drift, arrow: &str) -> Option<[Line; 2]> {
    let (before, after) = drift.moved_in_words()?;
    let after = Line::quoted(Role::DigestMoved, &after);
    let mut long = after.clone();
    if let Some(before) = before {
        long = Line::quoted(Role::Digest, &before);
        long.put(Role::Dim, format!(" {arrow} ")).join(after.clone());
    }
    Some([long, after])
}

/// What was decided last of a row: the long form with who, then the short one. A pin that this machine's own log does not
/// know reads as the file's.
fn approval(server: &Server, row: &Row, now: Timestamp, zone: &TimeZone) -> [Line; 2] {
    let decided = match row.state {
        ApprovalState::Rejected => row.rejected.as_deref().map(|decision| ("rejected", Role::StateRejected, decision)),
        _ => row.pin.as_ref().map(|pin| ("approved", Role::Dim, pin.decision.as_ref())),
    };
    if let Some(drift) = server.look.drift_of(row).filter(|_| is_of_the_server(&row.id.item)) {
        return drift.settled_by().map(|text| Line::of(Role::Dim, text));
    }
    let Some((word, role, decision)) = decided else {
        return [Line::of(Role::StateNew, "never"), Line::of(Role::StateNew, "never")];
    };
    let by_file = word == "approved" && server.decided_by_file(row);
    // As written where it is no time.
    let at = decision.at.parse();
    let day = at.map_or_else(|_| visible(&decision.at).to_string(), |at| short_day(at, now, zone));
    let [short, mut long] =
        if by_file { ["file:", "in file"] } else { [word; 2] }.map(|word| Line::of(role, format!("{word} {day}")));
    long.put(role, " by ").quote(role, &decision.by);
    [long, short]
}

/// Approved and now: `6f74062d → 91c0aa12`, then what is now alone. `arrow` is the sign between the two; `gone`: nothing
/// is served, as was read. Where the item moved and its definition digest did not, the long form says so: that digest
/// does not cover all of it.
pub fn digests(pinned: Option<&Item>, now: Option<&Item>, gone: bool, arrow: &str) -> [Line; 2] {
    let moved = pinned.zip(now).is_none_or(|(pinned, now)| pinned.digests.surface != now.digests.surface);
    let (before, after) = (pinned.map(|item| item.digests.short()), now.map(|item| item.digests.short()));
    let mut short = match after {
        Some(after) => Line::of(if moved { Role::DigestMoved } else { Role::Digest }, after.to_string()),
        // What cannot be read now is not known to be gone.
        None => Line::of(Role::Dim, if gone { "gone" } else { "not read" }),
    };
    if before == after {
        let mut long = short.clone();
        if let Some(after) = after.filter(|_| moved) {
            short = Line::of(Role::Digest, after.to_string());
            long = short.clone();
            long.put(Role::Dim, " unchanged");
        }
        return [long, short];
    }
    let mut long =
        before.map_or_else(|| Line::of(Role::Dim, "new"), |before| Line::of(Role::Digest, before.to_string()));
    long.put(Role::Dim, format!(" {arrow} ")).join(short.clone());
    [long, short]
}

pub fn digests_of(server: &Server, row: &Row, arrow: &str) -> [Line; 2] {
    let drift = server.look.drift_of(row).filter(|_| is_of_the_server(&row.id.item));
    if let Some(drift) = drift {
        return moved_in_words(drift, arrow)
            .unwrap_or_else(|| digests(drift.side.pinned.as_deref(), drift.side.now.as_deref(), false, arrow));
    }
    let gone = row.state == ApprovalState::Gone;
    digests(row.pin.as_ref().map(|pin| &*pin.item), row.now.as_deref(), gone, arrow)
}
