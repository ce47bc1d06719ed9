//! The help of the current screen: what a person can do there, by task, in two columns where there is room. Which keys do it
//! comes from the keymap in force; what the config calls them is printed by `watch --explain-keys`.

use super::action::{Action, Context};
use super::keymap::Binding;
use super::line::{Line, Role};
use super::model::Model;
use ratatui::layout::Rect;

/// Columns from which two columns stand side by side.
const WIDE: usize = 78;
/// Cells of the keys.
const KEYS: usize = 15;
/// Cells of the widest column: from there on the eye loses its line.
const COLUMN: usize = 60;

/// A task, the actions that belong together in it, and their words; without words it is the hint.
type Entry = (&'static str, &'static [Action], &'static str);

/// The tasks in their order. Each action stands in one of them.
#[cfg_attr(not(test), expect(clippy::enum_glob_use, reason = "each action has its place here"))]
const TASKS: &[Entry] = {
    use Action::*;
    &[
        ("Decide", &[Approve], "approve what is served"),
        ("Decide", &[Reject], "reject it, keep the old"),
        ("Decide", &[Skip], "skip: decide later"),
        ("Decide", &[Undo], "undo the last decision"),
        ("Decide", &[Mark], "mark, or unmark"),
        ("Decide", &[ApproveMarked, RejectMarked], "approve / reject marked"),
        ("Decide", &[RecordBaseline], "record the baseline"),
        ("Decide", &[Confirm], ""),
        ("Decide", &[Cancel], ""),
        ("Decide", &[Note], "into the text and out"),
        ("Decide", &[Vary], "let values vary"),
        ("Read", &[Open], ""),
        ("Read", &[NextChange, PreviousChange], "next / previous part"),
        ("Read", &[MoreContext, LessContext], "more / less context"),
        ("Read", &[SideBySide, Wrap], "side by side / wrap"),
        ("Read", &[Json], "hidden text, JSON, text"),
        ("Read", &[Digests], "every digest"),
        ("Read", &[History], "versions of the item"),
        ("Read", &[ReadOutside], "open in your editor"),
        ("Read", &[Copy], "copy"),
        ("Find", &[NextUndecided, PreviousUndecided], "next / previous item"),
        ("Find", &[Filter], ""),
        ("Find", &[Search], "search all definitions"),
        ("Find", &[Sort, SortReverse], "sort / reverse"),
        ("Go to", &[Home], "home: what needs you"),
        ("Go to", &[NextPane, PreviousPane], "next / previous pane"),
        ("Go to", &[PaneServers, PaneItems, PaneChange], "servers, items, change"),
        ("Go to", &[Left, Right], "pane left / right"),
        ("Go to", &[NextServer, PreviousServer], "next / previous server"),
        ("Go to", &[Details], "details of the server"),
        ("Go to", &[Events], "event log"),
        ("Go to", &[Snapshots], "snapshots"),
        ("Servers", &[Poll], "check it now"),
        ("Servers", &[RecordSnapshot], "record a snapshot"),
        ("Servers", &[Restart], "restart it"),
        ("Servers", &[Pause], "pause it, or go on"),
        ("Servers", &[AskConsent], "withdraw your consent"),
        ("Servers", &[LookAs], "what other clients see"),
        ("Move", &[Down, Up], "down / up"),
        ("Move", &[HalfPageDown, HalfPageUp], "half a page"),
        ("Move", &[PageDown, PageUp], "a page"),
        ("Move", &[Top, Bottom], "top / end"),
        ("pinwatch", &[Help], "this help"),
        ("pinwatch", &[Quit, Back], "back; q quits from home"),
        ("pinwatch", &[QuitNow], "quit at once"),
        ("pinwatch", &[Freeze], "freeze, or go on"),
        ("pinwatch", &[Mouse], "mouse on or off"),
        ("pinwatch", &[Redraw, Suspend], "redraw / suspend"),
    ]
};

/// The rows that the filter lets through, by task.
pub fn rows(model: &Model) -> Vec<Line> {
    let Some(list) = &model.help else { return Vec::new() };
    let filter = list.filter.text().to_lowercase();
    let [_, content] = places(model);
    let width = usize::from(content.width);
    let columns = if width >= WIDE { 2 } else { 1 };
    let cells = ((width + 2) / columns).saturating_sub(2).min(COLUMN);
    let live = [model.context(), Context::Moving, Context::Everywhere];
    let tasks = TASKS.chunk_by(|(one, ..), (other, ..)| one == other).map(|entries| {
        let heading = Line::of(Role::Heading, entries[0].0);
        let shown = entries.iter().flat_map(|entry| shown(model, &live, entry, &filter, cells));
        [heading].into_iter().chain(shown).collect::<Vec<_>>()
    });
    let tasks: Vec<_> = tasks.filter(|lines| lines.len() > 1).collect();
    let many = tasks.iter().map(Vec::len).sum::<usize>();
    // Between two tasks is a blank line, unless that makes it longer than the screen.
    let gaps = many + tasks.len() <= columns * usize::from(content.height);
    let half = (many + if gaps { tasks.len() } else { 0 }).div_ceil(columns);
    beside(tasks, half, gaps, cells, model.setup.glyphs.ellipsis)
}

/// Fills columns of at least `half` lines from the top; a task is not torn.
fn beside(tasks: Vec<Vec<Line>>, half: usize, gaps: bool, cells: usize, cut: &'static str) -> Vec<Line> {
    let (mut left, mut right): (Vec<Line>, Vec<Line>) = (Vec::new(), Vec::new());
    for task in tasks {
        // To the right as soon as that makes the longer of the two shorter.
        let column = if right.is_empty() && left.len() + task.len() <= half + 1 { &mut left } else { &mut right };
        if gaps && !column.is_empty() {
            column.push(Line::default());
        }
        column.extend(task);
    }
    if right.is_empty() {
        return left;
    }
    let rows = left.len().max(right.len());
    left.resize_with(rows, Line::default);
    right.resize_with(rows, Line::default);
    let join = |(left, right): (Line, Line)| {
        let mut line = left.pad(cells + 2, cut);
        line.join(right);
        line
    };
    left.into_iter().zip(right).map(join).collect()
}

/// An entry where one of its actions has a key here and the filter lets it through.
fn shown(model: &Model, contexts: &[Context], entry: &Entry, filter: &str, cells: usize) -> Vec<Line> {
    let (_, actions, words) = entry;
    let row =
        |action: &Action| model.setup.keymap.rows(contexts).find(|row| row.action == *action && row.help != "back");
    let rows: Vec<&Binding> = actions.iter().filter_map(row).collect();
    let Some(first) = rows.first() else { return Vec::new() };
    let keys: Vec<_> = match rows.as_slice() {
        [one] => one.keys.iter().map(ToString::to_string).collect(),
        several => several.iter().filter_map(|row| row.keys.first()).map(ToString::to_string).collect(),
    };
    let keys = keys.join(" ");
    let words = if words.is_empty() { first.hint } else { words };
    let words = if words.is_empty() { first.help } else { words };
    let long: Vec<_> = rows.iter().map(|row| row.help).collect();
    let text = format!("{keys} {words} {}", long.join(" ")).to_lowercase();
    if !filter.split_whitespace().all(|word| text.contains(word)) {
        return Vec::new();
    }
    let mut line = Line::of(Role::Key, format!(" {keys:<width$}", width = KEYS - 1));
    line.put(Role::Text, words);
    line.wrap(cells, KEYS)
}

/// The whole screen above the hints, and what it holds.
pub fn places(model: &Model) -> [Rect; 2] {
    let (width, height) = model.size;
    let page = Rect::new(0, 0, width, height.saturating_sub(1));
    let content = Rect::new(1, 1, width.saturating_sub(2), height.saturating_sub(2));
    [page, content]
}
