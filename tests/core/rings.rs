//! The rings of the crate hold: each module uses only what stands above it, and no file imports one that imports it
//! (HOUSE.md).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Core, innermost first: each knows only those before it.
const CORE: [&str; 17] = [
    "surface",
    "identity",
    "oauth",
    "canon",
    "digest",
    "signature",
    "text",
    "schema",
    "pin",
    "finding",
    "opinion",
    "drift",
    "review",
    "interop",
    "audit",
    "evidence",
    "guard",
];
/// Edge, likewise.
const EDGE: [&str; 12] = [
    "aside",
    "held",
    "signals",
    "desktop",
    "store",
    "mcp",
    "config",
    "decisions",
    "project",
    "monitor",
    "otlp",
    "relay",
];
const FACE: [&str; 3] = ["tui", "report", "cli"];
/// Core does without these.
const NOT_IN_CORE: [&str; 7] =
    ["tokio", "ratatui", "crossterm", "std::fs", "std::process", "std::net", "std::time::SystemTime"];

/// A file of the crate as the module that it is, by its path: `drift::judge::text`.
struct File {
    /// Without comments and without its tests.
    text: String,
    /// The paths of its `use` lines and those written in full, as written.
    uses: Vec<String>,
    /// What it re-exports, by name, as a path from the crate's root.
    exports: BTreeMap<String, Vec<String>>,
}

type Files = BTreeMap<Vec<String>, File>;

fn read(folder: &Path, module: &[String], found: &mut Files) {
    for entry in fs::read_dir(folder).expect("src is readable").flatten() {
        let path = entry.path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let module: Vec<String> = module.iter().cloned().chain([name]).collect();
        if path.is_dir() {
            read(&path, &module, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let source = fs::read_to_string(&path).expect("a source is text");
            found.insert(module, file(&source));
        }
    }
}

fn file(source: &str) -> File {
    let own = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = own.lines().map(|line| line.split("//").next().unwrap_or_default());
    let text = lines.collect::<Vec<_>>().join("\n");
    let (mut uses, mut exports) = (Vec::new(), BTreeMap::new());
    for (at, _) in text.match_indices("use ") {
        let line = text[..at].rsplit('\n').next().unwrap_or_default().trim_start();
        let is_export = line.starts_with("pub");
        if !(line.is_empty() || is_export) {
            continue;
        }
        let tree = text[at + "use ".len()..].split(';').next().unwrap_or_default();
        for path in paths(tree) {
            // Who passes a name on does not need what it stands for.
            if is_export {
                exports.insert(path.rsplit("::").next().unwrap_or_default().to_owned(), parts(&path));
            } else {
                uses.push(path);
            }
        }
    }
    // Paths in full. What goes on with a brace is a `use` tree, which is told above.
    let is_of_a_name = |c: char| c.is_alphanumeric() || "_:".contains(c);
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start).filter(|(at, _)| !text[..*at].ends_with(is_of_a_name)) {
            let path: String = text[at..].chars().take_while(|c| is_of_a_name(*c)).collect();
            uses.extend((!path.ends_with(':')).then_some(path));
        }
    }
    File { text, uses, exports }
}

/// The paths of a `use` tree: `a::{b, c::{d, e}}` is `a::b`, `a::c::d`, `a::c::e`. A name that it is given is left out.
fn paths(tree: &str) -> Vec<String> {
    let Some((before, inside)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap_or_default().trim().to_owned()];
    };
    let inside = &inside[..inside.rfind('}').unwrap_or(inside.len())];
    let (mut branches, mut depth) = (vec![String::new()], 0);
    for letter in inside.chars() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if letter == ',' && depth == 0 {
            branches.push(String::new());
        } else if let Some(branch) = branches.last_mut() {
            branch.push(letter);
        }
    }
    let branches = branches.iter().filter(|branch| !branch.trim().is_empty());
    branches.flat_map(|branch| paths(&format!("{}{}", before.trim(), branch.trim()))).collect()
}

fn parts(path: &str) -> Vec<String> {
    path.split("::").map(str::to_owned).collect()
}

/// The file that defines what `path` names, as written in `from`; none where it is of another crate.
fn defined_in(files: &Files, from: &[String], path: &[String]) -> Option<Vec<String>> {
    let mut base = from.to_vec();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => {
            base.clear();
            rest = &path[1..];
        }
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|part| part == "super") {
                base.pop();
                rest = &rest[1..];
            }
        }
        first if files.contains_key(&[from, &[first.to_owned()]].concat()) => {}
        _ => return None,
    }
    // The deepest module on the way, then what it exports under the next name.
    let deepest = (0..=rest.len()).rev().map(|many| ([base.as_slice(), &rest[..many]].concat(), &rest[many..]));
    let (module, rest) = deepest.into_iter().find(|(module, _)| files.contains_key(module))?;
    match rest.first().and_then(|name| files[&module].exports.get(name)) {
        Some(export) => defined_in(files, &module, export),
        None => Some(module),
    }
}

/// Which files each file imports.
fn imports(files: &Files) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let of = |module: &Vec<String>, file: &File| {
        let used = file.uses.iter().filter_map(|path| defined_in(files, module, &parts(path)));
        used.filter(|used| used != module).collect()
    };
    files.iter().map(|(module, file)| (module.clone(), of(module, file))).collect()
}

fn sources() -> Files {
    let mut files = Files::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &[], &mut files);
    files.retain(|module, _| !["lib", "main"].contains(&module.join("::").as_str()));
    assert!(files.len() > 20, "the sources were not found");
    files
}

fn allowed(module: &str, used: &str) -> bool {
    let place = |list: &[&str], name: &str| list.iter().position(|entry| *entry == name);
    match (place(&CORE, module), place(&CORE, used)) {
        (Some(own), Some(other)) => other <= own,
        (Some(_), None) => false,
        (None, Some(_)) => true,
        (None, None) => {
            let (edge, other) = (place(&EDGE, module), place(&EDGE, used));
            match module {
                "app" | "demo" => true,
                // The top error names what the rings below it raise; the faces report it.
                "error" => other.is_some() || module == used,
                _ if edge.is_some() => other.is_some() && other <= edge,
                _ if FACE.contains(&module) => other.is_some() || FACE.contains(&used) || used == "error",
                _ => false,
            }
        }
    }
}

#[test]
fn each_module_uses_only_the_rings_above_it() {
    let files = sources();
    let mut wrong = BTreeSet::new();
    for (module, file) in &files {
        for path in &file.uses {
            let path = parts(path);
            let used = path.get(1).filter(|used| path[0] == "crate" && files.contains_key(&vec![(*used).clone()]));
            if let Some(used) = used.filter(|used| !allowed(&module[0], used)) {
                wrong.insert(format!("{} uses {used}", module.join("::")));
            }
        }
        let core = CORE.contains(&module[0].as_str());
        let lines = || file.text.lines().map(str::trim).filter(|line| line.starts_with("use "));
        for word in NOT_IN_CORE.iter().filter(|word| core && lines().any(|line| line.contains(**word))) {
            wrong.insert(format!("{} uses {word}", module.join("::")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_file_imports_one_that_imports_it() {
    let imports = imports(&sources());
    assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 500, "the imports were not found");
    // What a file reaches by its imports, in any number of steps.
    let reached = |from: &Vec<String>| {
        let mut open: Vec<&Vec<String>> = imports[from].iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(module) = open.pop() {
            if seen.insert(module) {
                open.extend(&imports[module]);
            }
        }
        seen
    };
    let files = imports.keys();
    let circles: Vec<_> = files.filter(|module| reached(module).contains(module)).map(|name| name.join("::")).collect();
    assert!(circles.is_empty(), "these import themselves by others: {circles:#?}");
}

#[test]
fn imports_are_followed_to_their_defining_file() {
    let mut files = Files::new();
    for (module, source) in [
        ("a", "mod b;\npub use b::{Deep as Other, Name};\n"),
        ("a::b", "use super::super::c::{self, d::{E, F}};\npub struct Name; // crate::nothing\n"),
        ("c", "use crate::a::Name;\nuse std::fs;\n#[cfg(test)]\nmod tests { use crate::a::b; }\n"),
        ("c::d", "fn f() { crate::a::b::g() }\n"),
    ] {
        files.insert(parts(module), file(source));
    }
    let imports = imports(&files);
    let told = |module: &str| imports[&parts(module)].iter().map(|used| used.join("::")).collect::<Vec<_>>().join(" ");
    assert_eq!(told("a"), "");
    assert_eq!(told("a::b"), "c c::d");
    assert_eq!(told("c"), "a::b");
    assert_eq!(told("c::d"), "a::b");
}
