//! Themes: a role for everything that is drawn, and a style a role. Views name roles only; a style is looked up here.
//!
//! A theme is a TOML file: `inherits` names another theme, `[palette]` names colours, `[roles]` gives styles. A colour's
//! name is looked up in the palette of the theme asked for, then in those it inherits: a palette alone is a theme. Some
//! are embedded; a user's file of the same name wins.

use super::color::{self, Depth};
use super::line::Role;
use crate::config::{ThemeFileError, theme_file};
use crate::text::did_you_mean;
use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Why a theme cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    /// There is none of that name, or its file cannot be read.
    #[error(transparent)]
    Unread(#[from] ThemeFileError),
    /// No TOML, or a member that a theme does not have: the theme, and what the reader says, with the line.
    #[error("theme `{0}`: {1}")]
    Format(String, String),
    /// A role that nothing on the screen has, or a style that is none: the theme, and what is wrong.
    #[error("theme `{0}`{1}")]
    Role(String, String),
    /// Themes that inherit from each other.
    #[error("theme `{0}` inherits from itself, through {1}")]
    Cycle(String, String),
    /// Roles that neither the theme nor what it inherits sets: the theme, the roles.
    #[error("theme `{0}` leaves roles without a style: {1}")]
    Incomplete(String, String),
}

/// The modifiers that terminals have.
const MODIFIERS: [(&str, Modifier); 6] = [
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underlined", Modifier::UNDERLINED),
    ("reversed", Modifier::REVERSED),
    ("crossed-out", Modifier::CROSSED_OUT),
];
/// Roles that are lines between things, not text to be read.
const LINES: [Role; 2] = [Role::Border, Role::Gutter];
/// The least contrast of text that can be read at a glance (WCAG 2.2, 1.4.3, for large text).
const LEAST_CONTRAST: f64 = 3.0;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    inherits: Option<String>,
    #[serde(default)]
    palette: BTreeMap<String, String>,
    #[serde(default)]
    roles: BTreeMap<String, StyleText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StyleText {
    fg: Option<String>,
    bg: Option<String>,
    #[serde(default)]
    modifiers: Vec<String>,
}

/// A style for every role.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// Its name, shown in the header.
    pub name: String,
    styles: BTreeMap<Role, Style>,
}

impl Theme {
    /// The theme `name`: the user's file in `folder` first, then the embedded one. Colours are brought to `depth`.
    pub fn load(name: &str, folder: Option<&Path>, depth: Depth) -> Result<Self, ThemeError> {
        let mut layers: Vec<(String, File)> = Vec::new();
        let mut next = Some(name.to_owned());
        while let Some(name) = next.take() {
            if layers.iter().any(|(seen, _)| *seen == name) {
                let names: Vec<_> = layers.iter().map(|(name, _)| name.as_str()).collect();
                return Err(ThemeError::Cycle(name, names.join(", ")));
            }
            let file: File = toml::from_str(&theme_file(&name, folder)?)
                .map_err(|error| ThemeError::Format(name.clone(), error.to_string()))?;
            layers.push((name, file));
            next = layers.last().and_then(|(_, file)| file.inherits.clone());
        }
        let mut palette = BTreeMap::new();
        for (_, file) in layers.iter().rev() {
            palette.extend(file.palette.iter().map(|(name, color)| (name.clone(), color.clone())));
        }
        let mut styles = BTreeMap::new();
        for (name, file) in layers.iter().rev() {
            for (role, text) in &file.roles {
                let style = style_of(text, &palette, depth);
                let fault = |why| ThemeError::Role(name.clone(), format!(", role `{role}`: {why}"));
                styles.insert(role_of(name, role)?, style.map_err(fault)?);
            }
        }
        keep_the_bar(&mut styles);
        let missing: Vec<_> =
            Role::ALL.iter().filter(|role| !styles.contains_key(role)).map(|role| role.name()).collect();
        if missing.is_empty() {
            Ok(Self { name: name.to_owned(), styles })
        } else {
            Err(ThemeError::Incomplete(name.to_owned(), missing.join(", ")))
        }
    }

    /// What of it can hardly be read or told apart, one sentence each. Only colours whose values are known are judged:
    /// the 16 are the terminal's own.
    pub fn warnings(&self) -> Vec<String> {
        let mut told = Vec::new();
        let paper = self.style(Role::Text).bg;
        for role in Role::ALL.iter().filter(|role| !LINES.contains(role)) {
            let style = self.style(*role);
            let Some((ink, paper)) = style.fg.zip(style.bg.or(paper)) else { continue };
            if let Some(contrast) = color::contrast(ink, paper).filter(|contrast| *contrast < LEAST_CONTRAST) {
                let name = role.name();
                told.push(format!(
                    "`{name}` can hardly be read: contrast {contrast:.1}, {LEAST_CONTRAST:.0} is the least"
                ));
            }
        }
        for (one, other) in [
            (Role::Added, Role::Removed),
            (Role::Text, Role::SeverityCritical),
            (Role::Text, Role::Hidden),
            (Role::Text, Role::FoundCritical),
            (Role::Text, Role::Selection),
            (Role::Button, Role::ButtonFocused),
        ] {
            if self.style(one) == self.style(other) {
                told.push(format!("`{}` looks like `{}`", other.name(), one.name()));
            }
        }
        told
    }

    /// How a role looks.
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(&role).copied().unwrap_or_default()
    }
}

/// A selection whose background is that of everything else, since the terminal has too few colours, is reversed.
fn keep_the_bar(styles: &mut BTreeMap<Role, Style>) {
    let text = styles.get(&Role::Text).copied().unwrap_or_default();
    let paper = text.bg;
    if let Some(bar) = styles.get_mut(&Role::Selection)
        && bar.bg == paper
        && bar.fg.is_none()
    {
        bar.fg = text.fg;
        *bar = bar.add_modifier(Modifier::REVERSED);
    }
}

fn role_of(theme: &str, name: &str) -> Result<Role, ThemeError> {
    name.parse().map_err(|_| {
        let near = did_you_mean(name, Role::ALL.iter().map(|role| role.name()));
        ThemeError::Role(theme.to_owned(), format!(": no role `{name}`{near}"))
    })
}

/// A style as a theme's file has it; what it cannot be as a sentence.
fn style_of(text: &StyleText, palette: &BTreeMap<String, String>, depth: Depth) -> Result<Style, String> {
    let color = |written: &String| {
        let color = palette.get(written).unwrap_or(written).parse::<Color>();
        let color = color.map_err(|_| format!("no colour `{written}`; a name of the 16, 0 to 255, or #rrggbb"))?;
        Ok::<_, String>(color::fit(color, depth))
    };
    let mut style = Style::new();
    style.fg = text.fg.as_ref().map(color).transpose()?.flatten();
    style.bg = text.bg.as_ref().map(color).transpose()?.flatten();
    for word in &text.modifiers {
        let known = MODIFIERS.iter().find(|(name, _)| name == word);
        let names = MODIFIERS.map(|(name, _)| name).join(", ");
        let (_, modifier) = known.ok_or_else(|| format!("no modifier `{word}`; {names}"))?;
        style = style.add_modifier(*modifier);
    }
    Ok(style)
}
