//! Themes: a role for everything that is drawn, and a style a role. Views name roles only; a style is looked up here.
//!
//! A theme is a TOML file: `inherits` names another theme, `[palette]` names colours, `[roles]` gives styles. A colour's
//! name is looked up in the palette of the theme asked for, then in those it inherits: a palette alone is a theme. Some
//! are embedded; a user's file of the same name wins.

use super::color::{self, Depth};
use crate::text::{NotUtf8, utf8};
use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident = $name:literal,)*) => {
        /// What something on the screen is, so that a theme can say how it looks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Role { $($(#[$doc])* $role,)* }

        impl Role {
            /// Every role, in the order of a theme file.
            pub const ALL: &'static [Self] = &[$(Self::$role,)*];

            /// The name in a theme file.
            pub fn name(self) -> &'static str {
                match self { $(Self::$role => $name,)* }
            }
        }
    };
}

roles! {
    /// What is read first.
    Text = "text",
    /// What is there when looked for.
    Dim = "dim",
    /// The program's name.
    Product = "product",
    /// Title of a pane.
    Title = "title",
    /// Title of the pane that has the keys.
    TitleFocused = "title-focused",
    /// Frame of a pane.
    Border = "border",
    /// Frame of the pane that has the keys.
    BorderFocused = "border-focused",
    /// Heading inside a text.
    Heading = "heading",
    /// Name of a column.
    Column = "column",
    /// A key in a hint.
    Key = "key",
    /// What a key does.
    Hint = "hint",
    /// The selected row of the pane that has the keys.
    Selection = "selection",
    /// The selected row of another pane.
    SelectionUnfocused = "selection-unfocused",
    /// Pinned and different.
    StateDrift = "state-drift",
    /// Not pinned.
    StateNew = "state-new",
    /// Pinned and gone.
    StateGone = "state-gone",
    /// Equal to its pin.
    StateApproved = "state-approved",
    /// Refused by a person.
    StateRejected = "state-rejected",
    /// Not readable now.
    StateUnknown = "state-unknown",
    /// Shown from an older look.
    Stale = "stale",
    /// Severity `safe`.
    SeveritySafe = "severity-safe",
    /// Severity `info`.
    SeverityInfo = "severity-info",
    /// Severity `moderate`.
    SeverityModerate = "severity-moderate",
    /// Severity `critical`.
    SeverityCritical = "severity-critical",
    /// Effect `none`.
    EffectNone = "effect-none",
    /// Effect `compatible`.
    EffectCompatible = "effect-compatible",
    /// Effect `breaking`.
    EffectBreaking = "effect-breaking",
    /// Effect `unknown`.
    EffectUnknown = "effect-unknown",
    /// A line only in what is served now.
    Added = "added",
    /// Its words that the pin lacks.
    AddedWord = "added-word",
    /// A line only in what is pinned.
    Removed = "removed",
    /// Its words that are gone.
    RemovedWord = "removed-word",
    /// A stretch of a text that a finding is about.
    Found = "found",
    /// The same, of a critical one.
    FoundCritical = "found-critical",
    /// Line numbers and the mark of a fold.
    Gutter = "gutter",
    /// A character that would not be seen, written out.
    Hidden = "hidden",
    /// A digest that is equal on both sides.
    Digest = "digest",
    /// A digest that moved.
    DigestMoved = "digest-moved",
    /// What a person types.
    Input = "input",
    /// A button.
    Button = "button",
    /// The button that has the keys.
    ButtonFocused = "button-focused",
    /// A message that something went well.
    Notice = "notice",
    /// A message that something did not.
    Warning = "warning",
}

/// Why a theme cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    /// Neither embedded nor in the user's folder.
    #[error("no theme `{name}`; one of {known}")]
    NotFound {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The file cannot be read.
    #[error("theme {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// No TOML, or a member that a theme does not have.
    #[error("theme `{name}`: {message}")]
    Format {
        /// The theme.
        name: String,
        /// What the reader says, with the line.
        message: String,
    },
    /// A role that nothing on the screen has.
    #[error("theme `{name}`: no role `{role}`; the nearest is `{nearest}`")]
    UnknownRole {
        /// The theme.
        name: String,
        /// As written.
        role: String,
        /// The role most like it.
        nearest: &'static str,
    },
    /// A colour that is no colour.
    #[error("theme `{name}`, role `{role}`: no colour `{color}`; a name of the 16, 0 to 255, or #rrggbb")]
    Color {
        /// The theme.
        name: String,
        /// Where.
        role: String,
        /// As written.
        color: String,
    },
    /// A modifier that terminals do not have.
    #[error(
        "theme `{name}`, role `{role}`: no modifier `{modifier}`; bold, dim, italic, underlined, reversed, crossed-out"
    )]
    Modifier {
        /// The theme.
        name: String,
        /// Where.
        role: String,
        /// As written.
        modifier: String,
    },
    /// Themes that inherit from each other.
    #[error("theme `{0}` inherits from itself, through {1}")]
    Cycle(String, String),
    /// Roles that neither the theme nor what it inherits sets.
    #[error("theme `{name}` leaves roles without a style: {roles}")]
    Incomplete {
        /// The theme.
        name: String,
        /// The roles.
        roles: String,
    },
}

/// The embedded themes: name and text.
pub const EMBEDDED: [(&str, &str); 7] = [
    ("ansi", include_str!("../../themes/ansi.toml")),
    ("mono", include_str!("../../themes/mono.toml")),
    ("dark", include_str!("../../themes/dark.toml")),
    ("light", include_str!("../../themes/light.toml")),
    ("colour-blind", include_str!("../../themes/colour-blind.toml")),
    ("gruvbox", include_str!("../../themes/gruvbox.toml")),
    ("catppuccin", include_str!("../../themes/catppuccin.toml")),
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
            let file: File = toml::from_str(&text_of(&name, folder)?)
                .map_err(|error| ThemeError::Format { name: name.clone(), message: error.to_string() })?;
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
                styles.insert(role_of(name, role)?, style_of(name, role, text, &palette, depth)?);
            }
        }
        keep_the_bar(&mut styles);
        let missing: Vec<_> =
            Role::ALL.iter().filter(|role| !styles.contains_key(role)).map(|role| role.name()).collect();
        if missing.is_empty() {
            Ok(Self { name: name.to_owned(), styles })
        } else {
            Err(ThemeError::Incomplete { name: name.to_owned(), roles: missing.join(", ") })
        }
    }

    /// A theme that looks up nothing: `style` says how each role looks.
    pub fn of(name: &str, style: impl Fn(Role) -> Style) -> Self {
        Self { name: name.to_owned(), styles: Role::ALL.iter().map(|role| (*role, style(*role))).collect() }
    }

    /// The themes that can be asked for: name, and the user's file where it is one.
    pub fn list(folder: Option<&Path>) -> Vec<(String, Option<PathBuf>)> {
        let mut found: BTreeMap<String, Option<PathBuf>> =
            EMBEDDED.iter().map(|(name, _)| ((*name).to_owned(), None)).collect();
        for entry in folder.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            if path.extension().is_some_and(|extension| extension == "toml") && is_name(&name) {
                found.insert(name, Some(path));
            }
        }
        found.into_iter().collect()
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

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

fn text_of(name: &str, folder: Option<&Path>) -> Result<String, ThemeError> {
    if let Some(path) = folder.filter(|_| is_name(name)).map(|folder| folder.join(format!("{name}.toml"))) {
        let text = fs::read(&path).and_then(|bytes| {
            let fault = |problem: NotUtf8| std::io::Error::new(ErrorKind::InvalidData, problem);
            let text = std::str::from_utf8(utf8(&bytes).map_err(fault)?).map_err(|_| fault(NotUtf8::Unknown))?;
            Ok(text.to_owned())
        });
        match text {
            Ok(text) => return Ok(text),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(source) => return Err(ThemeError::Unreadable { path, source }),
        }
    }
    let known = || Theme::list(folder).into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
    EMBEDDED
        .iter()
        .find(|(embedded, _)| *embedded == name)
        .map(|(_, text)| (*text).to_owned())
        .ok_or_else(|| ThemeError::NotFound { name: name.to_owned(), known: known() })
}

fn role_of(theme: &str, name: &str) -> Result<Role, ThemeError> {
    let found = Role::ALL.iter().find(|role| role.name() == name);
    found.copied().ok_or_else(|| {
        let distance = |role: &&Role| strsim::damerau_levenshtein(role.name(), name);
        let nearest = Role::ALL.iter().min_by_key(distance).map_or("text", |role| role.name());
        ThemeError::UnknownRole { name: theme.to_owned(), role: name.to_owned(), nearest }
    })
}

fn style_of(
    theme: &str,
    role: &str,
    text: &StyleText,
    palette: &BTreeMap<String, String>,
    depth: Depth,
) -> Result<Style, ThemeError> {
    let color = |written: &String| {
        let color = palette.get(written).unwrap_or(written);
        color.parse::<Color>().map(|color| color::fit(color, depth)).map_err(|_| ThemeError::Color {
            name: theme.to_owned(),
            role: role.to_owned(),
            color: written.clone(),
        })
    };
    let mut style = Style::new();
    style.fg = text.fg.as_ref().map(color).transpose()?.flatten();
    style.bg = text.bg.as_ref().map(color).transpose()?.flatten();
    for modifier in &text.modifiers {
        style = style.add_modifier(match modifier.as_str() {
            "bold" => Modifier::BOLD,
            "dim" => Modifier::DIM,
            "italic" => Modifier::ITALIC,
            "underlined" => Modifier::UNDERLINED,
            "reversed" => Modifier::REVERSED,
            "crossed-out" => Modifier::CROSSED_OUT,
            _ => {
                return Err(ThemeError::Modifier {
                    name: theme.to_owned(),
                    role: role.to_owned(),
                    modifier: modifier.clone(),
                });
            }
        });
    }
    Ok(style)
}
