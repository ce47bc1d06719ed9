//! What the screen starts with: theme, keys, colours and signs for this person's terminal.

use crate::cli::Global;
use crate::config::Place;
use crate::desktop::{Background, Clipboard, editor, on_path, theme_on, variable};
use crate::monitor::ServerLook;
use crate::project::Project;
use crate::tui::{Depth, Glyphs, Keymap, Setup, Switches, Theme};
use anyhow::Context as _;
use jiff::{Timestamp, tz::TimeZone};

/// What of the screen the config says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Looks {
    theme: String,
    keys: std::collections::BTreeMap<String, Vec<String>>,
    switches: Switches,
}

impl Looks {
    pub(super) fn of(project: &Project, global: &Global) -> Self {
        Self {
            theme: theme_name(project, global).to_owned(),
            keys: project.config.ui.keys.clone(),
            switches: switches(project),
        }
    }
}

pub(super) fn setup(
    project: &Project,
    global: &Global,
    background: Option<Background>,
    servers: Vec<ServerLook>,
    demo: bool,
) -> anyhow::Result<Setup> {
    let config = &project.config;
    let searched = config.searched.iter().filter(|searched| searched.client.is_none() || searched.is_there());
    let searched = searched.map(|searched| format!("{}  {}", searched.file.display(), searched.found()));
    let missing = config.searched.iter().filter(|searched| searched.client.is_some() && !searched.is_there()).count();
    let missing = (missing > 0).then(|| {
        format!("{missing} files of clients (.mcp.json, .vscode/mcp.json, …)  not there; `pinwatch servers --explain` lists them")
    });
    let problems = config.problems.iter().map(|problem| format!("not usable: {problem}"));
    Ok(Setup {
        demo,
        switches: switches(project),
        reader: editor(),
        clipboard: Clipboard::of(&variable, &|program| on_path(program).is_some()),
        theme: theme(project, global, background)?,
        keymap: keymap(project)?,
        glyphs: Glyphs::of(&variable),
        zone: TimeZone::system(),
        now: Timestamp::now(),
        servers,
        searched: searched.chain(missing).chain(problems).collect(),
    })
}

/// What the config turns on and off.
pub(super) fn switches(project: &Project) -> Switches {
    let ui = &project.config.ui;
    Switches { mouse: ui.mouse, bell: ui.bell, title: ui.title }
}

/// The terminal's background, where the config's theme depends on it. To be asked before its input is read.
pub(super) fn background(project: &Project, global: &Global) -> Option<Background> {
    Background::of(theme_name(project, global), &variable)
}

/// The theme that the config names, in the colours that this terminal has.
pub(super) fn theme(project: &Project, global: &Global, background: Option<Background>) -> anyhow::Result<Theme> {
    let folder = project.desk.store.places().config.join("themes");
    let name = theme_on(theme_name(project, global), background);
    Theme::load(name, Some(&folder), depth(global))
        .with_context(|| format!("{}theme `{name}`", at(project.config.ui.theme_place.as_ref())))
}

/// Without colours the modifiers carry the meaning, and one theme is made for that.
fn theme_name<'a>(project: &'a Project, global: &Global) -> &'a str {
    if depth(global) == Depth::None { "mono" } else { &project.config.ui.theme }
}

/// The keys that the config binds.
pub(super) fn keymap(project: &Project) -> anyhow::Result<Keymap> {
    let ui = &project.config.ui;
    Keymap::with(&ui.keys).with_context(|| format!("{}[ui.keys]", at(ui.key_places.values().next())))
}

fn at(place: Option<&Place>) -> String {
    place.map(|place| format!("{place}: ")).unwrap_or_default()
}

fn depth(global: &Global) -> Depth {
    Depth::of(global.color.choice(), &variable)
}
