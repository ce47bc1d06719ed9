//! How many colours a terminal shows, and the nearest of them to a colour of a theme. The only door to colour.
//!
//! `NO_COLOR` is resolved here, by ourselves: crossterm would drop the modifiers with the colours.

use anstyle::{Ansi256Color, RgbColor};
use anstyle_lossy::{palette, rgb_to_xterm, xterm_to_rgb};
use ratatui::style::Color;

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Modifiers only.
    None,
    /// The 16 colours whose values are the person's.
    Sixteen,
    /// The 6×6×6 cube and 24 greys beside them.
    TwoHundredFiftySix,
    /// 24 bits.
    True,
}

impl Depth {
    /// The depth that a person asked for with `--color`, else that of an environment, read through `variable`.
    ///
    /// `NO_COLOR` counts when it is not empty (no-color.org).
    pub fn of(choice: Option<Self>, variable: &dyn Fn(&str) -> Option<String>) -> Self {
        if let Some(depth) = choice {
            return depth;
        }
        let value = |name| variable(name).unwrap_or_default();
        let term = value("TERM");
        if !value("NO_COLOR").is_empty() || term == "dumb" || term.ends_with("-m") || term.ends_with("-mono") {
            Self::None
        } else if matches!(value("COLORTERM").as_str(), "truecolor" | "24bit") || term.ends_with("-direct") {
            Self::True
        } else if term.contains("256color") {
            Self::TwoHundredFiftySix
        } else {
            Self::Sixteen
        }
    }
}

/// The nearest colour that `depth` has; none where it has none.
pub fn fit(color: Color, depth: Depth) -> Option<Color> {
    match (depth, color) {
        (Depth::None, _) => None,
        (Depth::TwoHundredFiftySix, Color::Rgb(r, g, b)) => {
            Some(Color::Indexed(rgb_to_xterm(RgbColor(r, g, b)).index()))
        }
        (Depth::Sixteen, Color::Rgb(r, g, b)) => Some(Color::Indexed(of_sixteen([r, g, b]))),
        (Depth::Sixteen, Color::Indexed(index)) if index > 15 => Some(Color::Indexed(of_sixteen(value(index)))),
        (_, color) => Some(color),
    }
}

/// The contrast of two colours, 1 to 21 (WCAG 2.2, relative luminance); none where a value is the terminal's own.
pub fn contrast(one: Color, other: Color) -> Option<f64> {
    let (one, other) = (luminance(one)?, luminance(other)?);
    Some((one.max(other) + 0.05) / (one.min(other) + 0.05))
}

fn luminance(color: Color) -> Option<f64> {
    let rgb = match color {
        Color::Rgb(r, g, b) => [r, g, b],
        Color::Indexed(index) if index > 15 => value(index),
        _ => return None,
    };
    let linear = |channel: u8| {
        let part = f64::from(channel) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    let [r, g, b] = rgb.map(linear);
    Some(0.2126 * r + 0.7152 * g + 0.0722 * b)
}

/// The one of the 16 that means the same: by hue, since a pale red is nearest to grey, and grey says nothing.
fn of_sixteen(rgb: [u8; 3]) -> u8 {
    /// Black, the greys and white, with xterm's value of each.
    const GREYS: [(u8, i32); 4] = [(0, 0), (8, 0x7f), (7, 0xe5), (15, 0xff)];
    let [r, g, b] = rgb.map(i32::from);
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    let (chroma, light) = (most - least, i32::midpoint(most, least));
    if chroma < 48 {
        return GREYS.into_iter().min_by_key(|(_, grey)| grey.abs_diff(light)).map_or(7, |(index, _)| index);
    }
    // Degrees, as in HSL.
    let hue = if most == r {
        (60 * (g - b) / chroma).rem_euclid(360)
    } else if most == g {
        120 + 60 * (b - r) / chroma
    } else {
        240 + 60 * (r - g) / chroma
    };
    let base = match hue {
        // A dark yellow is brown, and there is none; yellow itself cannot be read where a theme wants it dark.
        30..90 if light < 80 => 1,
        30..90 => 3,
        90..150 => 2,
        150..210 => 6,
        210..270 => 4,
        270..330 => 5,
        _ => 1,
    };
    if light >= 150 { base + 8 } else { base }
}

/// The usual value of one of xterm's 256 colours.
fn value(index: u8) -> [u8; 3] {
    let RgbColor(r, g, b) = xterm_to_rgb(Ansi256Color(index), palette::VGA);
    [r, g, b]
}
