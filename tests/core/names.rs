//! Each test is named by the rule that it holds, in under 50 characters (HOUSE.md): what is longer is not read.

use std::fs;
use std::path::Path;

const LONGEST: usize = 49;

/// The names of the functions that `#[test]`, or a twin of it such as `#[tokio::test]`, stands over.
fn tests_of(source: &str) -> Vec<&str> {
    let is_test = |line: &str| line.starts_with("#[") && (line.contains("[test]") || line.contains("::test"));
    let (mut names, mut under_test) = (Vec::new(), false);
    for line in source.lines().map(str::trim) {
        under_test |= is_test(line);
        if let Some((_, after)) = line.split_once("fn ").filter(|_| under_test && !line.starts_with("//")) {
            names.push(after.split(['(', '<']).next().unwrap_or_default());
            under_test = false;
        }
    }
    names
}

fn read(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("the sources are readable").flatten() {
        let path = entry.path();
        if path.is_dir() {
            read(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let source = fs::read_to_string(&path).expect("a source is text");
            found.extend(tests_of(&source).into_iter().map(str::to_owned));
        }
    }
}

#[test]
fn test_names_are_under_50_characters() {
    let mut names = Vec::new();
    for folder in ["src", "tests"] {
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut names);
    }
    assert!(names.len() > 500, "the tests were not found");
    names.retain(|name| name.len() > LONGEST);
    assert!(names.is_empty(), "too long to be read: {names:#?}");
}

#[test]
fn names_are_read_below_any_test_attribute() {
    let source = "#[test]\nfn one() {}\nfn helper() {}\n    #[tokio::test(start_paused = true)]\n    // A fn of no test\n    \
                  #[ignore = \"slow\"]\n    async fn two() {}\n";
    assert_eq!(tests_of(source), ["one", "two"]);
}
