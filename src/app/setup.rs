//! What the screen starts with: theme, keys, colours and signs for this person's terminal.

use crate::cli::{Color, Context, Global};
use crate::monitor::Handle;
use crate::tui::{Choice, Depth, Glyphs, Keymap, Setup, Theme};
use anyhow::Context as _;
use jiff::{Timestamp, tz::TimeZone};

/// The setup of this run.
pub(super) fn setup(context: &Context, global: &Global, handles: &[Handle], demo: bool) -> anyhow::Result<Setup> {
    let config = &context.config;
    let variable = |name: &str| std::env::var(name).ok();
    let depth = Depth::of(choice(global.color), &variable);
    let folder = context.desk.store.places().config.join("themes");
    // Without colours the modifiers carry the meaning, and one theme is made for that.
    let name = if depth == Depth::None { "mono" } else { config.ui.theme.as_str() };
    let at =
        |place: &Option<crate::config::Place>| place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
    let theme = Theme::load(name, Some(&folder), depth)
        .with_context(|| format!("{}theme `{name}`", at(&config.ui.theme_place)))?;
    let keymap = Keymap::with(&config.ui.keys).with_context(|| {
        let first = config.ui.key_places.values().next();
        format!("{}[ui.keys]", at(&first.cloned()))
    })?;
    let searched = config.searched.iter().map(|searched| {
        let found = searched.servers.map_or_else(|| "not there".to_owned(), |count| format!("{count} servers"));
        format!("{}  {found}", searched.file.display())
    });
    let problems = config.problems.iter().map(|problem| format!("not usable: {problem}"));
    Ok(Setup {
        root: config.root.path().display().to_string(),
        demo,
        theme,
        keymap,
        glyphs: Glyphs::of(&variable),
        zone: TimeZone::system(),
        now: Timestamp::now(),
        servers: handles.iter().map(|handle| handle.slot.borrow().as_ref().clone()).collect(),
        searched: searched.chain(problems).collect(),
    })
}

fn choice(color: Color) -> Choice {
    match color {
        Color::Auto => Choice::Auto,
        Color::Never => Choice::Depth(Depth::None),
        Color::Sixteen => Choice::Depth(Depth::Sixteen),
        Color::Palette => Choice::Depth(Depth::TwoHundredFiftySix),
        Color::True => Choice::Depth(Depth::True),
    }
}
