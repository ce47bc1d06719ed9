//! The picture of the README: made from a real run of the demo, by `PINWATCH_PICTURE=write cargo test --test terminal picture`.

use super::project::Project;
use super::start::pinwatch;
use super::svg::{svg, words};
use std::fs;
use std::path::Path;

const COLUMNS: u16 = 100;
const ROWS: u16 = 32;
const PICTURE: &str = "src/cli/help/demo.svg";

/// The demo when all of its script has happened, with the worst item open.
fn picture() -> String {
    let project = Project::new();
    let mut screen = pinwatch(&project, &["demo"], COLUMNS, ROWS);
    screen.until("the last of the script", |screen| {
        let contents = screen.contents();
        (contents.contains("Needs you  5") && contents.contains("✓ weather OK")).then_some(())
    });
    screen.until_shows("▸▲ send_mail");
    let picture = screen.look(svg);
    screen.press("quit 2");
    picture
}

#[test]
fn the_readme_shows_a_screen_of_the_demo() {
    let house = Path::new(env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("PINWATCH_PICTURE").is_some_and(|wish| wish == "write") {
        fs::write(house.join(PICTURE), picture()).expect("the picture can be written");
        return;
    }
    let readme = fs::read_to_string(house.join("README.md")).expect("the README");
    assert!(readme.contains(&format!("]({PICTURE})")), "the README shows {PICTURE}");
    let shown = words(&fs::read_to_string(house.join(PICTURE)).expect("the picture"));
    assert!(shown.starts_with(" pinwatch demo  4 servers"), "{shown}");
    assert_eq!(shown.lines().count(), usize::from(ROWS));
    assert!(shown.lines().all(|line| line.chars().count() <= usize::from(COLUMNS)), "{shown}");
    for part in ["put it into `headers`", "approved by demo (in the file)", "enter read", "? help"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    // The two worst are the first two, with digest and approval beside the headline.
    let rows: Vec<_> = shown.lines().skip(2).take(2).collect();
    assert!(rows[0].starts_with("▸▲ send_mail") && rows[0].contains("3d5881b0 → 8f6ab347 file: 11-27"), "{shown}");
    assert!(rows[1].starts_with(" ▲ run_command") && rows[1].ends_with("never"), "{shown}");
}
