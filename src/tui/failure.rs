//! Why a server gives no answer, told once: the reason, then the last lines of its standard error. What it is started with
//! stands in its details.

use super::document::Document;
use super::line::Line;
use super::model::Server;
use super::theme::Role;
use super::words::clock;
use crate::monitor::Phase;
use jiff::tz::TimeZone;

/// The reason with the next try, and at most `most` lines of standard error, each within `width` cells; nothing where the
/// server answers, or is not watched.
pub fn lines(server: &Server, zone: &TimeZone, width: usize, most: usize) -> Vec<Line> {
    let look = &server.look;
    let Some(reason) = look.stale.as_ref().filter(|_| !matches!(look.phase, Phase::Unwatched(_))) else {
        return Vec::new();
    };
    let mut page = Document::of(width);
    let mut line = Line::quoted(Role::Stale, &reason.text);
    if let Phase::Retrying { at, failures, .. } = &look.phase {
        line.put(Role::Dim, format!("  next try {} ({failures})", clock(*at, zone)));
    }
    page.say(&line, 2);
    let said: Vec<_> = look.stderr_tail.iter().filter(|line| !line.trim().is_empty()).collect();
    for said in said.iter().skip(said.len().saturating_sub(most)) {
        page.say(Line::of(Role::Text, "  ").quote(Role::Warning, said), 4);
    }
    page.lines
}
