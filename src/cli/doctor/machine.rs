//! The terminal, the clipboard, the pager, what this process may open, and the clock.

use super::super::{Global, descriptors};
use super::Line;
use crate::desktop::{self, Clipboard};
use crate::tui::{Depth, Glyphs, UNICODE, usable};
use jiff::Timestamp;

/// No clock is right that is before this program.
const WRITTEN: &str = "2026-11-01T00:00:00Z";

pub(super) fn all(global: &Global, servers: usize, lines: &mut Vec<Line>) {
    lines.push(terminal(global));
    let clipboard = Clipboard::of(&desktop::variable, &|name| desktop::on_path(name).is_some());
    lines.push(match clipboard.tool {
        Some(words) => Line::ok("clipboard", format!("y copies with {}", words.join(" "))),
        None => {
            Line::ok("clipboard", "no clipboard tool; y uses the terminal (OSC 52), which not every terminal allows")
        }
    });
    for (what, of) in [("pager", desktop::pager()), ("editor", desktop::editor())] {
        lines.push(match of.first() {
            Some(first) if desktop::on_path(first).is_some() => Line::ok(what, of.join(" ")),
            Some(first) => {
                let name = what.to_uppercase();
                Line::warn(what, format!("`{first}` is not on the PATH"), format!("install it, or set {name}"))
            }
            None => Line::ok(what, "none"),
        });
    }
    lines.push(match descriptors::raise(servers) {
        None => Line::ok("open files", format!("enough for {servers} servers")),
        Some(said) => Line::warn("open files", said, "raise it: ulimit -n 8192"),
    });
    let (now, written) = (Timestamp::now(), WRITTEN.parse::<Timestamp>().unwrap_or_default());
    lines.push(if now < written {
        let way_out = "decisions and consents are dated by it; set the clock";
        Line::problem("clock", format!("it says {}, which was before this program", now.strftime("%Y-%m-%d")), way_out)
    } else {
        Line::ok("clock", now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
    });
}

fn terminal(global: &Global) -> Line {
    let term = desktop::variable("TERM");
    if !usable(term.as_deref()) {
        let way_out = "the screen needs one; check, record, review and approve do not";
        return Line::warn("terminal", "pinwatch cannot draw on this one", way_out);
    }
    let depth = match Depth::of(global.color.choice(), &desktop::variable) {
        Depth::None => "no colours",
        Depth::Sixteen => "16 colours",
        Depth::TwoHundredFiftySix => "256 colours",
        Depth::True => "24-bit colours",
    };
    let signs = if Glyphs::of(&desktop::variable) == UNICODE { "UTF-8" } else { "ASCII only: LANG is not UTF-8" };
    let size = crossterm::terminal::size().map(|(columns, rows)| format!("{columns}x{rows}, ")).unwrap_or_default();
    Line::ok("terminal", format!("{}: {size}{depth}, {signs}", term.unwrap_or_default()))
}
