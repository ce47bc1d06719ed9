//! The rings of the crate hold: each module uses only what stands above it (HOUSE.md).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Core, innermost first: each knows only those before it.
const CORE: [&str; 10] =
    ["surface", "canon", "digest", "signature", "text", "schema", "pin", "drift", "review", "interop"];
const EDGE: [&str; 4] = ["config", "mcp", "store", "monitor"];
const FACE: [&str; 3] = ["tui", "report", "cli"];
/// Core does without these.
const NOT_IN_CORE: [&str; 7] =
    ["tokio", "ratatui", "crossterm", "std::fs", "std::process", "std::net", "std::time::SystemTime"];

fn allowed(module: &str, used: &str) -> bool {
    let place = |list: &[&str], name: &str| list.iter().position(|entry| *entry == name);
    match (place(&CORE, module), place(&CORE, used)) {
        (Some(own), Some(other)) => other <= own,
        (Some(_), None) => false,
        (None, Some(_)) => true,
        (None, None) => {
            let (edge, face) = (place(&EDGE, module).is_some(), place(&FACE, module).is_some());
            let same = module == used;
            match module {
                "app" | "main" | "lib" | "demo" => true,
                // The top error names what the rings below it raise; the faces report it.
                "error" => place(&EDGE, used).is_some() || same,
                _ if edge => place(&EDGE, used).is_some(),
                _ if face => place(&EDGE, used).is_some() || place(&FACE, used).is_some() || used == "error",
                _ => false,
            }
        }
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src is readable").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn each_module_uses_only_the_rings_above_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    assert!(files.len() > 20, "the sources were not found");
    let mut wrong = BTreeMap::new();
    for file in files {
        let relative = file.strip_prefix(&src).expect("inside src");
        let first = relative.components().next().expect("a name").as_os_str().to_string_lossy();
        let module = first.trim_end_matches(".rs").to_owned();
        let text = fs::read_to_string(&file).expect("a source is text");
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
            for used in line.split("crate::").skip(1) {
                let used: String = used.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
                if !used.is_empty() && !allowed(&module, &used) {
                    wrong.insert(format!("{} uses {used}", relative.display()), line.to_owned());
                }
            }
            let core = CORE.contains(&module.as_str());
            for word in NOT_IN_CORE.iter().filter(|word| core && line.starts_with("use ") && line.contains(**word)) {
                wrong.insert(format!("{} uses {word}", relative.display()), line.to_owned());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
