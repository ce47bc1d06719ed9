//! Themes: complete, named in every fault, a user's file first.

use pinwatch::tui::{Depth, EMBEDDED, Role, Theme};
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

#[test]
fn how_each_role_looks() {
    let mut table = String::new();
    for role in Role::ALL {
        write!(table, "{:<20}", role.name()).expect("a string takes text");
        for (name, _) in EMBEDDED {
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
fn a_users_file_wins_and_may_inherit_the_embedded_one_under_another_name() {
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
            "theme `t`: no role `state-drfit`; the nearest is `state-drift`",
        ),
        ("inherits = \"ansi\"\n[roles]\ntext = { fg = \"blurple\" }\n", "theme `t`, role `text`: no colour `blurple`"),
        (
            "inherits = \"ansi\"\n[roles]\ntext = { modifiers = [\"loud\"] }\n",
            "theme `t`, role `text`: no modifier `loud`",
        ),
        ("inherits = \"t\"\n", "theme `t` inherits from itself"),
        ("inherits = \"nowhere\"\n", "no theme `nowhere`; one of ansi, mono"),
        ("colour = 1\n", "theme `t`: "),
    ] {
        let error = load(&[("t", text)], "t").expect_err("refused");
        assert!(error.starts_with(told), "{error}");
    }
    assert!(load(&[], "../../etc/passwd").expect_err("no path").starts_with("no theme"));
}
