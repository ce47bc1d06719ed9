//! A topic's Markdown as text for a terminal of 80 columns: headings, paragraphs, lists, tables and code, which is all that
//! the topics use.

use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr as _;

/// Columns of a line.
const WIDTH: usize = 80;
/// Columns before what stands under a heading.
const INDENT: usize = 2;
/// Columns between two columns.
const GAP: usize = 2;
/// Columns that the last cell of a row needs beside the others; with fewer it stands under the first.
const NARROWEST: usize = 26;

pub fn title(page: &str) -> &str {
    page.lines().next().unwrap_or_default().trim_start_matches("# ")
}

/// The page as it is printed.
pub fn rendered(page: &str) -> String {
    let mut text = String::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line.is_empty() {
            text.push('\n');
        } else if line.starts_with("```") {
            for line in lines.by_ref().take_while(|line| !line.starts_with("```")) {
                let _ = writeln!(text, "{}", format!("{:INDENT$}{line}", "").trim_end());
            }
        } else if line.starts_with('|') {
            let mut rows = vec![cells(line)];
            while let Some(line) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(cells(line));
            }
            table(&mut text, &rows);
        } else if let Some(heading) = line.strip_prefix('#') {
            let _ = writeln!(text, "{}", heading.trim_start_matches('#').trim().to_uppercase());
            lines.next_if(|line| line.is_empty());
        } else {
            // A paragraph or an item of a list ends where something else begins.
            let mut words = line.to_owned();
            while let Some(line) = lines.next_if(|line| continues(line)) {
                words = format!("{words} {}", line.trim());
            }
            let hanging = if words.starts_with("- ") { INDENT + 2 } else { INDENT };
            wrap(&mut text, &" ".repeat(INDENT), &plain(&words), hanging);
        }
    }
    text
}

/// Whether a line goes on with the words of the one before.
fn continues(line: &str) -> bool {
    !line.is_empty() && !["- ", "|", "```", "#"].iter().any(|start| line.starts_with(start))
}

/// A row's cells. What stands in columns needs no backticks, and has no room for them.
fn cells(line: &str) -> Vec<String> {
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut cells: Vec<_> = line.strip_suffix('|').unwrap_or(line).split('|').map(|cell| plain(cell.trim())).collect();
    if let Some((_last, columns)) = cells.split_last_mut() {
        for cell in columns {
            *cell = cell.replace('`', "");
        }
    }
    cells
}

/// Prints a table: under a line for each group, where the first cell comes again, else in columns.
fn table(text: &mut String, rows: &[Vec<String>]) {
    let [head, _rule, body @ ..] = rows else { return };
    if !body.windows(2).any(|rows| rows[0].first() == rows[1].first()) {
        return columns(text, INDENT, head, body);
    }
    let groups = body.chunk_by(|one, other| one.first() == other.first());
    for (place, group) in groups.enumerate() {
        let name = group.first().and_then(|row| row.first()).map_or("", String::as_str);
        let _ = writeln!(text, "{}{:INDENT$}{name}", if place == 0 { "" } else { "\n" }, "");
        let rest: Vec<Vec<String>> = group.iter().map(|row| row.iter().skip(1).cloned().collect()).collect();
        columns(text, INDENT + GAP, &[], &rest);
    }
}

/// Prints rows in columns below their heading; where the last would be too narrow, each cell on a line of its own.
fn columns(text: &mut String, indent: usize, head: &[String], body: &[Vec<String>]) {
    let last = body.first().map_or(0, Vec::len).saturating_sub(1);
    let all = || std::iter::once(head).filter(|head| !head.is_empty()).chain(body.iter().map(Vec::as_slice));
    let width = |column: usize| all().filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or(0);
    let widths: Vec<_> = (0..last).map(width).collect();
    let before = indent + widths.iter().map(|width| width + GAP).sum::<usize>();
    let margin = " ".repeat(indent);
    if before + NARROWEST <= WIDTH {
        for row in all() {
            let mut line = margin.clone();
            for (cell, width) in row.iter().zip(&widths) {
                let _ = write!(line, "{cell}{:1$}", "", width + GAP - cell.width());
            }
            wrap(text, &line, row.get(last).map_or("", String::as_str), before);
        }
        return;
    }
    for row in body {
        wrap(text, &margin, row.first().map_or("", String::as_str), indent + GAP);
        for (cell, name) in row.iter().zip(head).skip(1).filter(|(cell, _)| !cell.is_empty()) {
            let named = if last > 1 { format!("{name}: {cell}") } else { cell.clone() };
            wrap(text, &" ".repeat(indent + GAP), &named, indent + 2 * GAP);
        }
    }
}

/// Adds words in lines, the first behind `start`, the others `hanging` columns in.
fn wrap(text: &mut String, start: &str, words: &str, hanging: usize) {
    let mut line = start.to_owned();
    let mut is_empty = true;
    for word in words.split(' ').filter(|word| !word.is_empty()) {
        if !is_empty && line.width() + 1 + word.width() > WIDTH {
            let _ = writeln!(text, "{}", line.trim_end());
            line = " ".repeat(hanging);
            is_empty = true;
        }
        line = if is_empty { line + word } else { format!("{line} {word}") };
        is_empty = false;
    }
    let _ = writeln!(text, "{}", line.trim_end());
}

/// Words without the marks of Markdown; backticks stay, since they say where a name ends.
fn plain(words: &str) -> String {
    let mut text = String::new();
    let mut rest = words;
    // Of `[words](address)` an address of the web is kept; one of a file leads nowhere from a terminal.
    while let Some((before, after)) = rest.split_once("](") {
        let (Some((start, name)), Some((address, after))) = (before.rsplit_once('['), after.split_once(')')) else {
            break;
        };
        let address = if address.starts_with("http") { format!(" ({address})") } else { String::new() };
        let _ = write!(text, "{start}{name}{address}");
        rest = after;
    }
    (text + rest).replace("**", "")
}
