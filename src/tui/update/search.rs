//! `ctrl-f`: a search in every definition of every server: names, texts, parameters.

use super::select;
use crate::finding::texts;
use crate::tui::action::Action;
use crate::tui::model::{EntryId, Hit, Model, Screen};
use serde_json::Value;

/// Rows at most; a search that finds more is too wide to be read.
const MOST: usize = 500;
/// Characters of all definitions up to which every key searches; past it enter does.
const LIVE: usize = 4_000_000;
/// Characters of a text around what was found.
const AROUND: usize = 30;

/// Opens the search with what was searched for last.
pub fn open(model: &mut Model) {
    model.open(Screen::Search);
    model.search.list.typing = true;
}

pub fn act(model: &mut Model, action: Action) {
    match action {
        Action::Search => model.search.list.typing = true,
        Action::Open => go(model),
        Action::Back => model.back(),
        _ => {}
    }
}

fn go(model: &mut Model) {
    let Some(Hit { server, row, .. }) = model.search.hits.get(model.search.at).cloned() else { return };
    select::go(model, &server, EntryId::Row(row));
    model.open(Screen::Change);
}

/// Searches where the words or the definitions moved. `asked`: enter was pressed.
pub fn settle(model: &mut Model, asked: bool) {
    if model.screen() != Screen::Search {
        return;
    }
    let key = (model.revision, model.search.list.filter.text().to_lowercase());
    if model.search.key.as_ref() == Some(&key) {
        return;
    }
    let rows = || model.servers.iter().flat_map(|server| server.look.review.iter()).flat_map(|review| &review.rows);
    let size = |row: &crate::review::Row| row.now.as_ref().map_or(0, |item| item.received.len());
    if !asked && model.search.list.typing && rows().map(size).sum::<usize>() > LIVE {
        return;
    }
    let words: Vec<&str> = key.1.split_whitespace().collect();
    let before = model.search.hits.get(model.search.at).cloned();
    let hits = if words.is_empty() { Vec::new() } else { find(model, &words) };
    // What is selected stays so where it is still found.
    model.search.at = before
        .and_then(|before| hits.iter().position(|hit| (&hit.server, &hit.row) == (&before.server, &before.row)))
        .unwrap_or(0);
    model.search.hits = hits;
    model.search.key = Some(key);
}

fn find(model: &Model, words: &[&str]) -> Vec<Hit> {
    let mut hits = Vec::new();
    for server in &model.servers {
        for row in server.look.review.iter().flat_map(|review| &review.rows) {
            let Some(item) = row.now.as_ref().or(row.pin.as_ref().map(|pin| &pin.item)) else { continue };
            let text = format!("{}/{} {}", item.id.kind, item.id.key, item.definition.characters()).to_lowercase();
            if !words.iter().all(|word| text.contains(word)) {
                continue;
            }
            let (place, excerpt) = place(&item.definition.as_read(), words[0]).unwrap_or_default();
            hits.push(Hit { server: server.look.id.clone(), row: row.id.clone(), place, excerpt });
            if hits.len() >= MOST {
                return hits;
            }
        }
    }
    hits
}

/// Where in a definition a word stands first: the path, and the text around it.
fn place(definition: &Value, word: &str) -> Option<(String, String)> {
    texts(definition).into_iter().find_map(|text| {
        let found = around(text.characters, word)?;
        // A name stands in the path.
        let named = text.path.tokens().last().is_some_and(|last| last == text.characters);
        Some((text.path.to_string(), if named { String::new() } else { found }))
    })
}

/// The text around a word, on one line.
fn around(text: &str, word: &str) -> Option<String> {
    let flat = text.replace(['\n', '\r', '\t'], " ");
    let lower = flat.to_lowercase();
    let at = lower.find(word)?;
    // Lower case may be longer: the place is looked up by characters, and only for eyes.
    let before = lower[..at].chars().count().saturating_sub(AROUND);
    let shown: String = flat.chars().skip(before).take(2 * AROUND + word.chars().count() + 40).collect();
    Some(if before > 0 { format!("…{shown}") } else { shown })
}
