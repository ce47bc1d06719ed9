//! Why a server gives no answer, told once: the reason, then the last lines of its standard error. What it is started with
//! stands in its details.

use super::document::Document;
use super::line::{Line, Role};
use super::model::Server;
use super::words::{clock, count};
use crate::monitor::Phase;
use jiff::tz::TimeZone;

/// The reason with the next try, and the last lines of standard error: at most `most`, each wrapped whole, as many as
/// `height` rows have room for. Nothing where the server answers, is not watched, or waits for a person's answer.
pub fn lines(server: &Server, zone: &TimeZone, width: usize, [most, height]: [usize; 2]) -> Vec<Line> {
    let look = &server.look;
    let is_told = matches!(look.phase, Phase::Unwatched(_)) || !look.asked.is_empty();
    let Some(reason) = look.stale.as_ref().filter(|_| !is_told) else { return Vec::new() };
    let mut page = Document::of(width);
    let mut line = Line::quoted(Role::Stale, &reason.text);
    if let Phase::Retrying { at, failures, .. } = &look.phase {
        line.put(Role::Dim, format!("  next try {}, {} so far", clock(*at, zone), count(*failures, "failure")));
    }
    page.say(&line, 2);
    let mut last = Vec::new();
    for said in look.stderr_tail.iter().rev().filter(|line| !line.trim().is_empty()).take(most) {
        let wrapped = Line::of(Role::Text, "  ").quote(Role::Warning, said).wrap(width, 4);
        if !last.is_empty() && wrapped.len() > height.saturating_sub(page.lines.len() + last.len()) {
            break;
        }
        last.splice(0..0, wrapped);
    }
    page.lines.extend(last);
    page.lines
}
