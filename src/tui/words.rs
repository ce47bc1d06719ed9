//! States, severities, clocks and ages as words with a role. Shared by panes, documents and dialogs.

pub use crate::text::count;

use super::line::Role;
use crate::drift::Severity;
use crate::review::ApprovalState;
use jiff::{Timestamp, tz::TimeZone};

fn state_face(state: ApprovalState) -> (&'static str, Role) {
    match state {
        ApprovalState::Drifted => ("DRIFT", Role::StateDrift),
        ApprovalState::New => ("NEW", Role::StateNew),
        ApprovalState::Rejected => ("REJECTED", Role::StateRejected),
        ApprovalState::Gone => ("GONE", Role::StateGone),
        ApprovalState::Unknown => ("UNKNOWN", Role::StateUnknown),
        ApprovalState::Approved => ("OK", Role::StateApproved),
    }
}

pub fn state_word(state: ApprovalState) -> &'static str {
    state_face(state).0
}

pub fn state_role(state: ApprovalState) -> Role {
    state_face(state).1
}

pub fn severity_role(severity: Severity) -> Role {
    match severity {
        Severity::Safe => Role::SeveritySafe,
        Severity::Info => Role::SeverityInfo,
        Severity::Moderate => Role::SeverityModerate,
        Severity::Critical => Role::SeverityCritical,
    }
}

/// An argument among others: one with a blank in it is one word all the same.
pub fn argument(word: &str) -> String {
    let is_quoted = word.is_empty() || word.contains(char::is_whitespace);
    if is_quoted { format!("'{word}'") } else { word.to_owned() }
}

/// `<1m`, then minutes, hours, days: nothing ticks by the second.
pub fn age(then: Timestamp, now: Timestamp) -> String {
    let minutes = now.as_second().saturating_sub(then.as_second()).max(0) / 60;
    match minutes {
        0 => "<1m".to_owned(),
        1..60 => format!("{minutes}m"),
        60..1_440 => format!("{}h", minutes / 60),
        _ => format!("{}d", minutes / 1_440),
    }
}

/// `14:02:11` in the zone.
pub fn clock(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned_datetime(zone.clone()).strftime("%H:%M:%S").to_string()
}

/// `2026-11-27` in the zone.
pub fn day(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned_datetime(zone.clone()).strftime("%Y-%m-%d").to_string()
}

/// `2026-11-27 14:02:05` in the zone.
pub fn moment(at: Timestamp, zone: &TimeZone) -> String {
    format!("{} {}", day(at, zone), clock(at, zone))
}

/// `2026-11-27 14:02` of a time in RFC 3339; as written where it is none.
pub fn clock_of(at: &str, zone: &TimeZone) -> String {
    match at.parse::<Timestamp>() {
        Ok(at) => at.to_zoned_datetime(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string(),
        Err(_) => crate::text::visible(at).to_string(),
    }
}

/// `11-27`, with its year where that is not this one.
pub fn short_day(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let (at, now) = (day(at, zone), day(now, zone));
    match at.split_once('-') {
        Some((year, rest)) if now.starts_with(year) => rest.to_owned(),
        _ => at,
    }
}
