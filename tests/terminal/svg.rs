//! A screen as an SVG: a text a row, its runs of one look at their columns, so that no font moves what stands behind them.

use std::fmt::Write as _;
use vt100::{Cell, Color, Screen};

const WIDTH: u32 = 9;
const HEIGHT: u32 = 19;
const MARGIN: u32 = 12;
const PAPER: &str = "#16181d";
const INK: &str = "#d7dae0";
/// The sixteen colours of a terminal with a dark background, each legible on it.
const SIXTEEN: [&str; 16] = [
    "#3b4048", "#f0717a", "#8fc97b", "#e5c07b", "#6cb2f5", "#d08be6", "#5fc4cf", "#c8ccd4", "#8b93a1", "#ff8b93",
    "#a8e094", "#f5d690", "#8cc6ff", "#e2a5f5", "#7fdde6", "#ffffff",
];

/// How a cell looks: ink, paper, and whether it is bold or dim.
type Look = (String, String, bool, bool);

/// The theme of the picture is `ansi`, which asks for no colour beyond the sixteen.
fn color(color: Color, default: &str) -> String {
    match color {
        Color::Default => default.to_owned(),
        Color::Idx(index) => SIXTEEN[usize::from(index)].to_owned(),
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
    }
}

fn look(cell: &Cell) -> Look {
    let (ink, paper) = (color(cell.fgcolor(), INK), color(cell.bgcolor(), PAPER));
    let (ink, paper) = if cell.inverse() { (paper, ink) } else { (ink, paper) };
    (ink, paper, cell.bold(), cell.dim())
}

/// The screen as a document.
pub fn svg(screen: &Screen) -> String {
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    let (width, height) = (u32::from(columns) * WIDTH + 2 * MARGIN, u32::from(rows) * HEIGHT + 2 * MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace, SFMono-Regular, \
         Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"15\">\n<rect width=\"{width}\" height=\"{height}\" \
         rx=\"8\" fill=\"{PAPER}\"/>\n"
    );
    for row in 0..rows {
        let mut runs: Vec<(u16, u16, Look, String)> = Vec::new();
        for column in 0..columns {
            let Some(cell) = screen.cell(row, column).filter(|cell| !cell.is_wide_continuation()) else { continue };
            let shown = if cell.has_contents() { cell.contents() } else { " " };
            let seen = look(cell);
            match runs.last_mut().filter(|run| run.2 == seen) {
                Some(run) => {
                    run.1 = column + 1;
                    run.3.push_str(shown);
                }
                None => runs.push((column, column + 1, seen, shown.to_owned())),
            }
        }
        let top = MARGIN + u32::from(row) * HEIGHT;
        let mut line = String::new();
        for (from, to, (ink, paper, bold, dim), shown) in &runs {
            let (left, long) = (MARGIN + u32::from(*from) * WIDTH, u32::from(to - from) * WIDTH);
            if paper != PAPER {
                let _ = writeln!(
                    text,
                    "<rect x=\"{left}\" y=\"{top}\" width=\"{long}\" height=\"{HEIGHT}\" fill=\"{paper}\"/>"
                );
            }
            let bold = if *bold { " font-weight=\"bold\"" } else { "" };
            let dim = if *dim { " fill-opacity=\"0.7\"" } else { "" };
            let shown = shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let _ = write!(
                line,
                "<tspan x=\"{left}\" textLength=\"{long}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{ink}\"{bold}{dim}>{shown}</tspan>"
            );
        }
        let _ = writeln!(text, "<text y=\"{}\" xml:space=\"preserve\">{line}</text>", top + 14);
    }
    text + "</svg>\n"
}

/// The words of such a document, a line a row.
pub fn words(svg: &str) -> String {
    let rows = svg.lines().filter(|line| line.starts_with("<text "));
    let row = |line: &str| -> String {
        let shown: String = line.split('<').filter_map(|part| part.split_once('>')).map(|(_, shown)| shown).collect();
        shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").trim_end().to_owned() + "\n"
    };
    rows.map(row).collect()
}
