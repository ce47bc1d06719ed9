//! Every screen and dialog at three sizes: rows and roles under snapshot, and the same cells under both themes.

use super::driver::{Ui, by_role, dump, frame, roles_of};
use super::looks;
use pinwatch::tui::{Depth, Msg, Role, Theme};
use ratatui::buffer::Cell;
use ratatui::style::Modifier;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (40, 12)];

type Scene = (&'static str, fn((u16, u16)) -> Ui);

fn live(size: (u16, u16)) -> Ui {
    let mut ui = Ui::new(looks::all(), size);
    for event in looks::events() {
        ui.msg(Msg::Happened(event));
    }
    ui
}

fn with(words: &str, size: (u16, u16)) -> Ui {
    let mut ui = live(size);
    ui.press(words);
    ui
}

/// The moved definition of the rug pull, as if it changed once more.
fn moved_on(size: (u16, u16)) -> Ui {
    let mut ui = with("pane-items, open, bottom, approve", size);
    ui.look(looks::github_again());
    ui
}

/// A server that is not watched beside one that is.
fn unwatched(words: &str, size: (u16, u16)) -> Ui {
    let mut ui = Ui::new(vec![looks::notes(), looks::retired(), looks::off_and_started()], size);
    ui.press(words);
    ui
}

const SCENES: [Scene; 56] = [
    ("unwatched", |size| unwatched("next-server, pane-items", size)),
    ("unwatched-queue", |size| unwatched("home", size)),
    ("unwatched-accept", |size| unwatched("next-server, pane-items, approve", size)),
    ("consent-off", |size| unwatched("next-server 2, pane-items, open", size)),
    ("servers", live),
    ("items", |size| with("pane-items", size)),
    ("items-filter", |size| with("pane-items, filter, type 'drift issue'", size)),
    ("items-nothing-fits", |size| with("pane-items, filter 'zzz'", size)),
    ("items-stale", |size| with("next-server 2, pane-items", size)),
    ("items-first-contact", |size| with("next-server 3, pane-items", size)),
    ("items-to-start", |size| with("previous-server, pane-items", size)),
    ("items-server-wide", |size| Ui::new(vec![looks::upgraded()], size)),
    ("change-pane", |size| with("pane-change, next-change", size)),
    ("change", |size| with("pane-items, open", size)),
    ("change-end", |size| with("pane-items, open, bottom", size)),
    ("change-beside", |size| with("pane-items, open, side-by-side, next-change 4", size)),
    ("change-json", |size| with("pane-items, open, json 2, next-change 3", size)),
    ("change-opened", |size| with("pane-items, open, json", size)),
    ("change-cut", |size| with("pane-items, open, wrap, next-change 4", size)),
    ("change-calm", |size| {
        let mut ui = live(size);
        ui.select("merge_pr").press("open");
        ui
    }),
    ("change-approved-by-file", |size| {
        let mut ui = live(size);
        ui.msg(Msg::DecidedElsewhere { server: "github".into(), pins: looks::pins_of(&looks::github()) });
        ui.select("list_issues").press("open");
        ui
    }),
    ("digests", |size| with("pane-items, digests", size)),
    ("group", |size| Ui::new(vec![looks::sdk_bump(Some("move"))], size)),
    ("group-open", |size| {
        let mut ui = Ui::new(vec![looks::sdk_bump(Some("move"))], size);
        ui.press("pane-items, down, open, down");
        ui
    }),
    ("group-approve", |size| {
        let mut ui = Ui::new(vec![looks::sdk_bump(None)], size);
        ui.press("pane-items, approve, bottom, approve");
        ui
    }),
    ("events", |size| with("events, down 2", size)),
    ("help", |size| with("pane-items, help", size)),
    ("approve", |size| with("pane-items, open, bottom, approve", size)),
    ("reject-note", |size| with("pane-items, open, bottom, reject, note, type 'no shells: y'", size)),
    ("approve-moved", moved_on),
    ("consent", |size| with("previous-server, open", size)),
    ("input", |size| {
        let mut ui = Ui::new(vec![looks::asking()], size);
        ui.press("open, type 's3cret-y'");
        ui
    }),
    ("snapshots", |size| {
        let mut ui = with("snapshots", size);
        ui.msg(Msg::Versions { server: "github".into(), item: None, result: Ok(looks::snapshots()) });
        ui.press("top, down 2, mark, down");
        ui
    }),
    ("history", |size| {
        let mut ui = with("pane-items, history", size);
        let item = ui.model.selected_entry().map(|entry| entry.about.clone());
        ui.msg(Msg::Versions { server: "github".into(), item, result: Ok(looks::history()) });
        ui
    }),
    ("snapshots-preview", |size| {
        let mut ui = with("snapshots", size);
        ui.msg(Msg::Versions { server: "github".into(), item: None, result: Ok(looks::snapshots()) });
        let review = looks::github().review.expect("a review");
        let versions = [looks::snapshots()[2].id.clone(), pinwatch::tui::VersionId::Now];
        ui.press("top, down").msg(Msg::Compared { server: "github".into(), versions, result: Ok(review) });
        ui
    }),
    ("compared", |size| {
        let mut ui = with("snapshots", size);
        ui.msg(Msg::Versions { server: "github".into(), item: None, result: Ok(looks::snapshots()) });
        let review = looks::github().review.expect("a review");
        let versions = [looks::snapshots()[2].id.clone(), pinwatch::tui::VersionId::Now];
        ui.press("top, down")
            .msg(Msg::Compared { server: "github".into(), versions, result: Ok(review) })
            .press("open");
        ui
    }),
    ("search", |size| with("search, type 'repo'", size)),
    ("search-nothing", |size| with("search 'zzz'", size)),
    ("details", |size| with("details", size)),
    ("details-stale", |size| with("next-server 2, details", size)),
    ("copy", |size| with("pane-items, copy, down", size)),
    ("frozen", |size| {
        let mut ui = with("pane-items, freeze", size);
        ui.look(looks::github_again());
        ui
    }),
    ("home", |size| Ui::home(looks::all(), size)),
    ("home-second", |size| with("home, down", size)),
    ("home-calm", |size| Ui::home(vec![looks::calm()], size)),
    ("home-group", |size| Ui::home(vec![looks::sdk_bump(Some("move"))], size)),
    ("look-as", |size| with("details, look-as", size)),
    ("faces-home", |size| {
        let mut ui = Ui::new(vec![looks::two_faced(), looks::calm(), looks::notes()], size);
        ui.press("home");
        ui
    }),
    ("faces-change", |size| {
        let mut ui = Ui::new(vec![looks::two_faced()], size);
        ui.press("open");
        ui
    }),
    ("faces-details", |size| {
        let mut ui = Ui::new(vec![looks::two_faced()], size);
        ui.press("details");
        ui
    }),
    ("home-consents", |size| Ui::home(vec![looks::deploy(), looks::asking()], size)),
    ("items-marked", |size| with("pane-items, mark 2", size)),
    ("approve-marked", |size| {
        let mut ui = with("home, open, bottom, mark, next-undecided, bottom, mark", size);
        ui.press("next-undecided, mark, next-undecided, mark, quit, approve-marked, type '2'");
        ui
    }),
    ("undo", |size| {
        let mut ui = with("pane-items, open, bottom, approve, bottom, confirm", size);
        ui.msg(Msg::Decided {
            server: "github".into(),
            result: Ok(vec!["approved tool/create_issue of github 299088d4".to_owned()]),
        });
        ui.press("undo");
        ui
    }),
    ("baseline", |size| with("next-server 3, pane-items, record-baseline", size)),
    ("first-run", |size| Ui::new(Vec::new(), size)),
];

#[test]
fn every_screen_at_every_size() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (name, scene) in SCENES {
            for (width, height) in SIZES {
                let ui = scene((width, height));
                insta::assert_snapshot!(format!("tui__{name}@{width}x{height}"), dump(&ui.model));
            }
        }
    });
}

#[test]
fn a_cell_looks_as_its_role_says_under_every_theme() {
    for name in ["ansi", "mono", "light"] {
        let theme = Theme::load(name, None, Depth::Sixteen).expect("an embedded theme");
        for (scene_name, scene) in SCENES {
            for size in SIZES {
                let mut ui = scene(size);
                ui.model.setup.theme = by_role();
                let roles = frame(&ui.model);
                ui.model.setup.theme = theme.clone();
                let drawn = frame(&ui.model);
                let mut wide = false;
                for (role_cell, cell) in roles.content.iter().zip(&drawn.content) {
                    // The second half of a wide character is not drawn.
                    let second_half =
                        std::mem::replace(&mut wide, unicode_width::UnicodeWidthStr::width(cell.symbol()) > 1);
                    if second_half {
                        continue;
                    }
                    // The name of the theme stands in the header: only there do symbols differ.
                    if role_cell.symbol() != cell.symbol() {
                        continue;
                    }
                    let (role, over) = roles_of(role_cell);
                    let mut expected = Cell::EMPTY;
                    expected.set_symbol(cell.symbol()).set_style(theme.style(Role::Text)).set_style(theme.style(role));
                    // What has a background of its own keeps it in a bar that is a background.
                    let bar = over.map(|over| theme.style(over));
                    let stays = theme.style(role).bg.is_some_and(|bg| Some(bg) != theme.style(Role::Text).bg)
                        && bar.is_some_and(|bar| !bar.add_modifier.contains(Modifier::REVERSED));
                    if let Some(over) = over.filter(|_| !stays) {
                        expected.set_style(theme.style(over).remove_modifier(Modifier::DIM));
                    }
                    assert_eq!(
                        cell.style(),
                        expected.style(),
                        "{scene_name} {size:?} {name}: {role:?} {over:?} `{}`",
                        cell.symbol()
                    );
                }
            }
        }
    }
}

#[test]
fn ansi_theme_sets_no_background_and_mono_no_colour() {
    use ratatui::style::Color;
    for (name, scene) in SCENES {
        let mut ui = scene((120, 40));
        assert!(frame(&ui.model).content.iter().all(|cell| cell.bg == Color::Reset), "{name}");
        ui.model.setup.theme = Theme::load("mono", None, Depth::None).expect("an embedded theme");
        assert!(
            frame(&ui.model).content.iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset)),
            "{name}"
        );
    }
}

#[test]
fn without_colour_the_selection_is_still_seen() {
    let mut ui = live((80, 24));
    ui.press("pane-items, down");
    ui.model.setup.theme = Theme::load("ansi", None, Depth::None).expect("an embedded theme");
    let frame = frame(&ui.model);
    let reversed: Vec<u16> = (0..24).filter(|y| frame[(79, *y)].modifier.contains(Modifier::REVERSED)).collect();
    assert_eq!(reversed.len(), 1, "one bar");
}

#[test]
fn too_small_a_terminal_is_told_what_it_needs() {
    for size in [(39, 12), (40, 9), (12, 3), (1, 1), (0, 0)] {
        let ui = live(size);
        let text = ui.screen().replace('\n', "");
        let wanted = format!("terminal too small ({}x{}, need 40x10)", size.0, size.1);
        let fits = usize::from(size.0) * usize::from(size.1) >= 60;
        assert!(!fits || text == wanted, "{size:?}: {text}");
    }
    assert!(Ui::new(looks::all(), (40, 10)).screen().contains("pinwatch"));
}

#[test]
fn hints_are_whole_or_absent() {
    let keymap = pinwatch::tui::Keymap::default();
    let words: Vec<_> = keymap.rows(pinwatch::tui::Context::ALL).map(|row| row.hint).collect();
    for width in (40..160).step_by(3) {
        let mut ui = live((width, 24));
        for action in ["pane-items", "open", "bottom", "approve", "back", "quit", "events", "quit"] {
            ui.press(action);
            if ui.model.notice.is_some() {
                continue;
            }
            // Hints are written ` KEY WORDS `, so that two blanks stand between two of them.
            for hint in ui.bottom().split("  ") {
                let (_, word) = hint.split_once(' ').expect("a key and its words");
                assert!(words.contains(&word) || word == "back", "{width}: `{hint}`");
            }
        }
    }
}

#[test]
fn wide_characters_keep_the_columns() {
    let mut ui = live((120, 40));
    ui.press("next-server, pane-items");
    let screen = ui.screen();
    let column = |name: &str| {
        let row = screen.lines().find(|row| row.contains(name)).expect("the row");
        unicode_width::UnicodeWidthStr::width(&row[..row.find("approved 11-02").expect("its decision")])
    };
    assert_eq!(column("検索_全文"), column("explain"));
}

#[test]
fn a_failure_is_told_once_reason_first() {
    let mut look = looks::billing();
    look.stderr_tail = vec!["starting up".to_owned(), "Error: connect ECONNREFUSED 127.0.0.1:5432".to_owned()];
    for size in [(80, 24), (120, 40)] {
        let mut ui = Ui::new(vec![look.clone()], size);
        ui.press("pane-servers");
        let screen = ui.screen();
        let once = screen.matches("ECONNREFUSED").count();
        let pane = screen.split("─ charge ").next().expect("what stands over the change");
        assert_eq!((once, pane.matches("exit status 1").count()), (1, 1), "{screen}");
    }
    let mut ui = Ui::new(vec![look], (120, 40));
    ui.press("details");
    let screen = ui.screen();
    let at = |text: &str| screen.find(text).unwrap_or_else(|| panic!("{text} is not there:\n{screen}"));
    let order = ["exit status 1", "starting up", "ECONNREFUSED", "last answer", "runs"].map(at);
    assert!(order.is_sorted(), "{screen}");
    for text in ["exit status 1", "ECONNREFUSED"] {
        assert_eq!(screen.matches(text).count(), 1, "{text}: {screen}");
    }
    // Its last words are no small print.
    let frame = frame(&super::driver::with_roles(&ui.model));
    let row = screen.lines().position(|row| row.contains("ECONNREFUSED")).and_then(|row| u16::try_from(row).ok());
    let cell = &frame[(30, row.expect("a row"))];
    assert_eq!(super::driver::roles_of(cell).0, pinwatch::tui::Role::Warning);
}
