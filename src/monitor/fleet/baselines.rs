//! Follows the baseline files: what a first sight or an outside change approved is an event, and the supervisors hear of it.

use super::{Fleet, News};
use crate::decisions::{BaselineState, Desk, mask_id};
use crate::monitor::folder::{DEBOUNCE, Folders, Stamp, WITHOUT_A_SIGN, stamp};
use crate::monitor::{Command, Happening, HappeningKind, MAX_LINES};
use crate::pin::Baseline;
use crate::store::redact::Redactor;
use crate::store::{Decided, Outside, Sight, utc};
use crate::surface::{ItemId, ServerId};
use jiff::Timestamp;
use notify::RecursiveMode;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use tokio::sync::mpsc;

/// Tells the first sight of each baseline, then every change from outside, until the screen is gone.
pub(super) async fn follow<M: From<News> + Send + 'static>(fleet: &Fleet<M>) {
    let desk = fleet.now().project.desk.clone();
    let settling = desk.clone();
    for happening in tokio::task::spawn_blocking(move || settle(&settling)).await.unwrap_or_default() {
        let _ = fleet.happenings.send(masked(happening, fleet)).await;
    }
    let (sign, mut signs) = mpsc::channel(1);
    let root = desk.store.root().path();
    // The snapshots, and the root for when they come and go.
    let wanted = BTreeMap::from([
        (root.to_owned(), RecursiveMode::NonRecursive),
        (root.join("snapshots"), RecursiveMode::Recursive),
    ]);
    let mut folders = Folders::new(sign);
    folders.renew(&wanted);
    let mut stamps = HashMap::new();
    loop {
        let mut all_verified = true;
        for (id, slot) in fleet.slots() {
            // A file with the time and length of the last look is the file of the last look.
            let stamp: Stamp = desk.store.path_of(&id).ok().and_then(|path| stamp(&path));
            if stamps.insert(Arc::clone(&id), stamp) == Some(stamp) {
                continue;
            }
            let known = slot.borrow().baseline.clone();
            if known == BaselineState::Verifying {
                // Its supervisor reads it at this moment; what it made of it is needed here.
                stamps.remove(&id);
                all_verified = false;
                continue;
            }
            let (own, server) = (desk.clone(), Arc::clone(&id));
            let looked = tokio::task::spawn_blocking(move || look(&own, &server, &known)).await;
            let Ok(looked) = looked else { continue };
            for happening in looked.happenings {
                let _ = fleet.happenings.send(masked(happening, fleet)).await;
            }
            if let Some(state) = looked.changed {
                fleet.tell(&id, Command::Baseline(state));
            }
            let pins = shown_pins(looked.decided_elsewhere, &fleet.now().project.redactor);
            let told = News::DecidedElsewhere { server: Arc::clone(&id), pins };
            if looked.told && fleet.messages.send(told.into()).await.is_err() {
                return;
            }
        }
        let pause = if all_verified { WITHOUT_A_SIGN } else { DEBOUNCE };
        tokio::select! {
            _ = signs.recv() => {}
            () = tokio::time::sleep(pause) => {}
            () = fleet.messages.closed() => return,
        }
        tokio::time::sleep(DEBOUNCE).await;
        folders.renew(&wanted);
        while signs.try_recv().is_ok() {}
    }
}

/// A happening as it may be shown: a baseline may hold a name that holds a secret.
fn masked<M: From<News> + Send + 'static>(happening: Happening, fleet: &Fleet<M>) -> Happening {
    let redactor = &fleet.now().project.redactor;
    let [item, text] = [&happening.item, &happening.text].map(|text| redactor.mask(text).into_owned());
    Happening { item, text, ..happening }
}

/// Pins under the names that they are shown by.
pub fn shown_pins(mut pins: BTreeSet<Decided>, redactor: &Redactor) -> BTreeSet<Decided> {
    if !redactor.is_empty() {
        let shown = pins.into_iter().map(|(mut id, digest)| {
            mask_id(&mut id, redactor);
            (id, digest)
        });
        pins = shown.collect();
    }
    pins
}

/// Says what became of decisions that were interrupted: the program was killed, the power went. Blocks on the disk.
fn settle(desk: &Desk) -> Vec<Happening> {
    let settled = match desk.store.settle() {
        Ok(settled) => settled,
        Err(error) => {
            let text = format!("what became of interrupted decisions is not known: {error}");
            return vec![Happening::notice(Timestamp::now(), text)];
        }
    };
    let mut told = Vec::new();
    for change in &settled {
        let Some(first) = change.records.first() else { continue };
        let server = first.server.as_ref().into();
        let what = if change.applied { "it is in force" } else { "it was not taken" };
        let words = format!("{} of {} was interrupted: {what}", first.entry.event.word(), utc(first.entry.at));
        let items = change.records.iter().filter_map(|record| record.entry.item.as_ref());
        let items: Vec<_> = items.map(ItemId::text).collect();
        if items.len() > MAX_LINES {
            told.push(Happening::of_many(&server, HappeningKind::Notice, &words, &items));
            continue;
        }
        for record in &change.records {
            let item = record.entry.item.as_ref().map(ItemId::text);
            let item = item.unwrap_or_default();
            told.push(Happening::of_server(&server, HappeningKind::Notice, &item, &words));
        }
    }
    told
}

struct Looked {
    happenings: Vec<Happening>,
    changed: Option<BaselineState>,
    decided_elsewhere: BTreeSet<Decided>,
    told: bool,
}

/// One baseline file against what is known of it. Blocks on the disk.
fn look(desk: &Desk, id: &ServerId, known: &BaselineState) -> Looked {
    let state = desk.baseline(id);
    let baseline = state.present().map(Arc::as_ref);
    let happen = |kind, item: String, text: String| Happening { item, text, ..Happening::of_server(id, kind, "", "") };
    let mut happenings = Vec::new();
    match (&state, desk.store.seen(id, baseline)) {
        (BaselineState::Refused(why), _) => {
            if state != *known {
                happenings.push(happen(HappeningKind::BaselineChanged, String::new(), format!("refused: {why}")));
            }
        }
        (_, Ok(sight)) => happenings = told(sight, baseline, &happen),
        (_, Err(error)) => {
            happenings.push(happen(HappeningKind::Notice, String::new(), error.to_string()));
        }
    }
    if !happenings.is_empty() && !matches!(state, BaselineState::Refused(_)) {
        // What cannot be remembered is told again at the next start; nothing is lost.
        let _ = desk.store.remember(id, baseline);
    }
    let decided_elsewhere = baseline.map(|baseline| desk.store.decided_elsewhere(baseline)).unwrap_or_default();
    let told = baseline.is_some();
    Looked { happenings, changed: (state != *known).then_some(state), decided_elsewhere, told }
}

/// What a sight is told as: one event that lists what the file changed, so that nothing becomes approved in silence.
fn told(
    sight: Sight,
    baseline: Option<&Baseline>,
    happen: &dyn Fn(HappeningKind, String, String) -> Happening,
) -> Vec<Happening> {
    let names = |entries: &[Decided]| entries.iter().map(|(item, _)| item.text()).collect::<Vec<_>>().join(", ");
    match sight {
        Sight::Unchanged => Vec::new(),
        Sight::First(approved) => {
            let rejections = baseline.map_or(0, |baseline| baseline.rejections.len());
            let (count, list) = (approved.len(), names(&approved));
            let text = format!("first sight: the file approves {count} items and rejects {rejections}: {list}");
            vec![happen(HappeningKind::BaselineSeen, String::new(), text)]
        }
        Sight::Outside(outside) if outside == Outside::default() => {
            let text =
                "changed from outside: who decided, a time, a note, the anchor, the handshake or whether it may stay \
                        unwatched"
                    .to_owned();
            vec![happen(HappeningKind::BaselineChanged, String::new(), text)]
        }
        Sight::Outside(outside) => [
            (outside.approved, "approved"),
            (outside.dropped, "no longer pinned"),
            (outside.rejected, "rejected"),
            (outside.unrejected, "no longer rejected"),
        ]
        .into_iter()
        .filter(|(entries, _)| !entries.is_empty())
        .map(|(entries, word)| {
            let text = format!("changed from outside: {} {word}: {}", entries.len(), names(&entries));
            happen(HappeningKind::BaselineChanged, String::new(), text)
        })
        .collect(),
    }
}
