//! `ctrl-f`: a search in every definition of every server: names, texts, parameters.

use super::select;
use crate::review::Found;
use crate::tui::action::Action;
use crate::tui::model::{EntryId, Hit, Model, Screen};

/// Rows at most; a search that finds more is too wide to be read.
const MOST: usize = 500;
/// Characters of all definitions up to which every key searches; past it enter does.
const LIVE: usize = 4_000_000;

/// Opens the search with what was searched for last.
pub fn open(model: &mut Model) {
    model.open(Screen::Search);
    model.search.list.typing = true;
}

pub fn act(model: &mut Model, action: Action) {
    match action {
        Action::Search => model.search.list.typing = true,
        Action::Open => go(model),
        _ => {}
    }
}

fn go(model: &mut Model) {
    let Some(Hit { server, row, .. }) = model.search.hits.get(model.search.list.at).cloned() else { return };
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
    let before = model.search.hits.get(model.search.list.at).cloned();
    let hits = model.servers.iter().flat_map(|server| {
        let found = server.look.review.iter().flat_map(|review| review.search(&words));
        found.map(|Found { row, place, excerpt }| Hit { server: server.look.id.clone(), row, place, excerpt })
    });
    let hits: Vec<_> = hits.take(MOST).collect();
    // What is selected stays so where it is still found.
    model.search.list.at = before
        .and_then(|before| hits.iter().position(|hit| (&hit.server, &hit.row) == (&before.server, &before.row)))
        .unwrap_or(0);
    model.search.hits = hits;
    model.search.key = Some(key);
}
