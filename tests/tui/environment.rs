//! What the environment says of the terminal: how many colours it has, and what it writes on.

use pinwatch::desktop::{Background, theme_on};
use pinwatch::tui::Depth;

/// Variables, to be read by name.
fn with(pairs: &'static [(&str, &str)]) -> impl Fn(&str) -> Option<String> {
    |name| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
}

#[test]
fn terminal_is_not_asked_through_tmux_or_ssh() {
    for (theme, variables, expected) in [
        ("auto", &[("TMUX", "/tmp/x"), ("COLORFGBG", "0;15")][..], Some(Background::Light)),
        ("auto", &[("SSH_CONNECTION", "a"), ("COLORFGBG", "15;default;0")], Some(Background::Dark)),
        ("auto", &[("STY", "1"), ("COLORFGBG", "15;default")], None),
        ("auto", &[("TMUX", "")], None),
        ("dark", &[("COLORFGBG", "0;15")], None),
    ] {
        assert_eq!(Background::of(theme, &with(variables)), expected, "{theme} {variables:?}");
    }
}

#[test]
fn unknown_background_gets_the_theme_without_one() {
    assert_eq!(theme_on("auto", None), "ansi");
    assert_eq!(theme_on("auto-always", Some(Background::Light)), "light");
    assert_eq!(theme_on("mine", Some(Background::Light)), "mine");
}

#[test]
fn the_environment_says_how_many_colours_there_are() {
    let depth = |pairs| Depth::of(None, &with(pairs));
    assert_eq!(depth(&[("TERM", "xterm-256color")]), Depth::TwoHundredFiftySix);
    assert_eq!(depth(&[("TERM", "tmux-256color"), ("COLORTERM", "truecolor")]), Depth::True);
    assert_eq!(depth(&[("TERM", "linux")]), Depth::Sixteen);
    assert_eq!(depth(&[("TERM", "xterm-256color"), ("NO_COLOR", "1")]), Depth::None);
    assert_eq!(depth(&[("TERM", "xterm-256color"), ("NO_COLOR", "")]), Depth::TwoHundredFiftySix);
}
