//! Themes: complete, named in every fault, a user's file first.

use pinwatch::config::EMBEDDED;
use pinwatch::tui::{Depth, Role, Theme};
use ratatui::style::{Color, Modifier};
use std::fmt::Write as _;

fn load(files: &[(&str, &str)], name: &str) -> Result<Theme, String> {
    let folder = tempfile::tempdir().expect("a folder");
    for (file, text) in files {
        std::fs::write(folder.path().join(format!("{file}.toml")), text).expect("written");
    }
    Theme::load(name, Some(folder.path()), Depth::True).map_err(|error| error.to_string())
}

#[test]
fn every_theme_sets_every_role() {
    for (name, text) in EMBEDDED {
        let theme = Theme::load(name, None, Depth::Sixteen);
        assert!(theme.is_ok(), "{name}: {theme:?}");
        let own = text.contains("inherits");
        for role in Role::ALL.iter().filter(|_| !own) {
            assert!(text.contains(&format!("\n{} = ", role.name())), "{name} does not name {}", role.name());
        }
    }
}

/// A theme whose text is of a colour, as a terminal of a depth shows it.
fn ink(color: &str, depth: Depth) -> Option<Color> {
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!("inherits = \"ansi\"\n[roles]\ntext = {{ fg = \"{color}\" }}\n");
    std::fs::write(folder.path().join("inked.toml"), text).expect("written");
    Theme::load("inked", Some(folder.path()), depth).expect("a theme").style(Role::Text).fg
}

#[test]
fn hex_colour_never_vanishes_in_fewer_colours() {
    assert_eq!(ink("#ff8700", Depth::True), Some(Color::Rgb(255, 135, 0)));
    assert_eq!(ink("#ff8700", Depth::TwoHundredFiftySix), Some(Color::Indexed(208)));
    assert_eq!(ink("#ff8700", Depth::Sixteen), Some(Color::Indexed(3)));
    assert_eq!(ink("#ff8700", Depth::None), None);
    // Pale colours keep their meaning: red, green, blue, and no colour.
    for (pale, index) in [("#f07f78", 9), ("#7fc784", 10), ("#7fb2f5", 12), ("#9198a5", 8)] {
        assert_eq!(ink(pale, Depth::Sixteen), Some(Color::Indexed(index)), "{pale}");
    }
}

/// By the formula of WCAG 2.2 worked out elsewhere: #949494 on white has 3.03, #959595 has 2.995.
#[test]
fn least_contrast_is_that_of_the_guideline() {
    let warned = |ink: &str| {
        let text = format!("inherits = \"ansi\"\n[roles]\ntext = {{ fg = \"{ink}\", bg = \"#ffffff\" }}\n");
        let told = load(&[("grey", &text)], "grey").expect("a theme").warnings();
        told.iter().any(|warning| warning.starts_with("`text` can hardly be read"))
    };
    assert!(!warned("#949494") && warned("#959595"));
    assert!(!warned("red"), "the 16 are the terminal's own");
}

#[test]
fn how_each_role_looks() {
    let mut table = String::new();
    for role in Role::ALL {
        write!(table, "{:<20}", role.name()).expect("a string takes text");
        // The others bring a palette to these.
        for name in ["ansi", "mono", "dark"] {
            let style = Theme::load(name, None, Depth::Sixteen).expect("embedded").style(*role);
            let color = |color: Option<ratatui::style::Color>| color.map_or("-".to_owned(), |color| color.to_string());
            let modifiers = format!("{:?}", style.add_modifier).replace("NONE", "-");
            write!(table, " {name}: {:<12} {:<6} {modifiers:<20}", color(style.fg), color(style.bg)).expect("text");
        }
        table.truncate(table.trim_end().len());
        table.push('\n');
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("tui__roles", table));
}

#[test]
fn user_theme_wins_and_may_inherit_the_embedded() {
    let theme = load(
        &[("dusk", "inherits = \"ansi\"\n[palette]\nink = \"#ff8700\"\n[roles]\ntitle = { fg = \"ink\" }\n")],
        "dusk",
    );
    let theme = theme.expect("a theme");
    assert_eq!(theme.style(Role::Title).fg, Some(ratatui::style::Color::Rgb(255, 135, 0)));
    assert_eq!(theme.style(Role::Added), Theme::load("ansi", None, Depth::True).expect("embedded").style(Role::Added));
    let own = load(&[("mono", "[roles]\ntext = { modifiers = [\"bold\"] }\n")], "mono");
    assert!(own.expect_err("not complete").starts_with("theme `mono` leaves roles without a style: dim, "));
}

#[test]
fn a_fault_names_the_theme_the_role_and_the_nearest() {
    for (text, told) in [
        (
            "inherits = \"ansi\"\n[roles]\nstate-drfit = {}\n",
            "theme `t`: no role `state-drfit`; did you mean `state-drift`?",
        ),
        ("inherits = \"ansi\"\n[roles]\ntext = { fg = \"blurple\" }\n", "theme `t`, role `text`: no colour `blurple`"),
        (
            "inherits = \"ansi\"\n[roles]\ntext = { modifiers = [\"loud\"] }\n",
            "theme `t`, role `text`: no modifier `loud`",
        ),
        ("inherits = \"t\"\n", "theme `t` inherits from itself"),
        (
            "inherits = \"nowhere\"\n",
            "no theme `nowhere`; one of ansi, catppuccin, colour-blind, dark, gruvbox, light, mono, t",
        ),
        ("colour = 1\n", "theme `t`: "),
    ] {
        let error = load(&[("t", text)], "t").expect_err("refused");
        assert!(error.starts_with(told), "{error}");
    }
    assert!(load(&[], "../../etc/passwd").expect_err("no path").starts_with("no theme"));
}

/// Relative luminance (WCAG 2.2), worked out here, not by the code.
fn luminance(color: Color) -> f64 {
    let [r, g, b] = match color {
        Color::Rgb(r, g, b) => [r, g, b],
        Color::Indexed(index @ 232..) => [8 + 10 * (index - 232); 3],
        Color::Indexed(index @ 16..) => [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6]
            .map(|level| [0, 95, 135, 175, 215, 255][usize::from(level)]),
        other => panic!("{other:?} has no value of its own"),
    };
    let linear = |channel: u8| {
        let part = f64::from(channel) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

fn contrast(one: Color, other: Color) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn every_text_can_be_read_on_its_background() {
    for (name, _) in EMBEDDED.iter().filter(|(name, _)| !matches!(*name, "ansi" | "mono")) {
        for depth in [Depth::True, Depth::TwoHundredFiftySix] {
            let theme = Theme::load(name, None, depth).expect("embedded");
            let paper = theme.style(Role::Text).bg.expect("a background of its own");
            let bar = theme.style(Role::Selection).bg.expect("a bar");
            assert!(contrast(paper, bar) > 1.15, "{name} {depth:?}: the bar");
            for role in Role::ALL {
                let style = theme.style(*role);
                let Some(ink) = style.fg else { continue };
                let least = if *role == Role::Border { 1.5 } else { 4.5 };
                let on_paper = contrast(ink, style.bg.unwrap_or(paper));
                assert!(on_paper >= least, "{name} {depth:?} {}: {on_paper:.2}", role.name());
                let on_bar = if style.bg.is_none() && *role != Role::Border { contrast(ink, bar) } else { least };
                assert!(
                    on_bar >= 3.0 || *role == Role::Border,
                    "{name} {depth:?} {} in the bar: {on_bar:.2}",
                    role.name()
                );
            }
            assert_eq!(theme.warnings(), Vec::<String>::new(), "{name} {depth:?}");
        }
    }
}

#[test]
fn sixteen_colours_keep_every_selection_a_bar() {
    for (name, _) in EMBEDDED {
        let theme = Theme::load(name, None, Depth::Sixteen).expect("embedded");
        let (text, bar) = (theme.style(Role::Text), theme.style(Role::Selection));
        assert!(bar.bg != text.bg || bar.add_modifier.contains(Modifier::REVERSED), "{name}");
    }
}

#[test]
fn colour_blind_theme_is_blue_and_orange() {
    let theme = Theme::load("colour-blind", None, Depth::True).expect("embedded");
    let rgb = |role| match theme.style(role).fg {
        Some(Color::Rgb(r, g, b)) => [r, g, b],
        other => panic!("{other:?}"),
    };
    let ([r, _, b], [red, _, blue]) = (rgb(Role::Added), rgb(Role::Removed));
    assert!(b > r + 100 && red > blue + 100);
}

#[test]
fn a_palette_alone_is_a_theme() {
    let theme = load(&[("mine", "inherits = \"dark\"\n[palette]\nink = \"#010203\"\n")], "mine").expect("a theme");
    let dark = Theme::load("dark", None, Depth::True).expect("embedded");
    assert_eq!(theme.style(Role::Text).fg, Some(Color::Rgb(1, 2, 3)));
    assert_eq!(theme.style(Role::Text).bg, dark.style(Role::Text).bg);
    assert_eq!(theme.style(Role::Added), dark.style(Role::Added));
    let told = theme.warnings();
    assert!(told.iter().any(|warning| warning.starts_with("`text` can hardly be read: contrast 1.")), "{told:?}");
}

#[test]
fn reread_theme_shows_at_once_with_its_faults() {
    let mut ui = super::driver::Ui::new(super::looks::all(), (120, 40));
    let theme = load(&[("mine", "inherits = \"dark\"\n[palette]\nink = \"#010203\"\n")], "mine");
    ui.msg(pinwatch::tui::Msg::ThemeChanged(theme));
    assert_eq!(super::driver::frame(&ui.model)[(20, 5)].bg, Color::Rgb(0x15, 0x18, 0x1e));
    assert!(ui.bottom().starts_with("theme mine: `text` can hardly be read"), "{}", ui.bottom());
    ui.msg(pinwatch::tui::Msg::ThemeChanged(load(&[], "none")));
    assert_eq!(ui.model.setup.theme.name, "mine", "what is no theme changes nothing");
}
