//! Every recording of ../shared/corpus, served again: each item's bytes come back as they were recorded.

use super::kit::*;
use super::needs::shared;
use super::recording::Surface;
use pinwatch::surface::{Kind, Overall};
use std::path::PathBuf;

fn recordings(corpus: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![corpus];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "json") && !path.ends_with("manifest.json") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[tokio::test]
async fn recordings_come_back_byte_for_byte() {
    let Some(corpus) = shared("recordings_come_back_byte_for_byte", "corpus") else { return };
    let recordings = recordings(corpus);
    for path in &recordings {
        let bench = Bench::new(std::fs::read(path).expect("a recording"));
        let recorded = Surface::read(path).expect("a recording");
        let capabilities = String::from_utf8_lossy(recorded.text("capabilities").unwrap_or_default()).into_owned();
        let observation = observe(&bench.stdio(""), &options()).await;
        assert_eq!(observation.overall(), Overall::Complete, "{}", path.display());
        for (kind, name, capability) in [
            (Kind::Tool, "tools", "tools"),
            (Kind::Prompt, "prompts", "prompts"),
            (Kind::Resource, "resources", "resources"),
            (Kind::ResourceTemplate, "resource_templates", "resources"),
        ] {
            let promised = kind == Kind::Tool || capabilities.contains(&format!("\"{capability}\""));
            let entries = if promised { recorded.entries(name) } else { Vec::new() };
            let items = observation.items.iter().filter(|item| item.kind == kind);
            assert!(items.map(|item| item.bytes.as_ref()).eq(entries), "{} {kind}", path.display());
        }
        for (kind, name) in [
            (Kind::Instructions, "instructions"),
            (Kind::Capabilities, "capabilities"),
            (Kind::ServerInfo, "server_info"),
        ] {
            let items: Vec<&[u8]> =
                observation.items.iter().filter(|item| item.kind == kind).map(|item| item.bytes.as_ref()).collect();
            assert_eq!(items, recorded.text(name).into_iter().collect::<Vec<_>>(), "{} {kind}", path.display());
        }
    }
}
