//! Follows the baseline files: what a first sight or an outside change approved is an event, and the supervisors hear of it.
//!
//! Folders are watched, not files: editors and git replace files. Where watching fails, each full minute looks.

use crate::monitor::{BaselineState, Command, Desk, Handle, Happening, HappeningKind};
use crate::pin::Baseline;
use crate::store::{Decided, Sight};
use crate::surface::ServerId;
use crate::tui::Msg;
use jiff::Timestamp;
use notify::{RecursiveMode, Watcher as _};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Several writes of one act come together.
const DEBOUNCE: Duration = Duration::from_millis(150);
/// How often a look comes without a sign of change, for disks that give none.
const WITHOUT_A_SIGN: Duration = Duration::from_mins(1);

/// Tells the first sight of each baseline, then every change from outside, until the screen is gone.
pub(super) async fn follow(
    desk: Desk,
    handles: Arc<Vec<Handle>>,
    happenings: mpsc::Sender<Happening>,
    messages: mpsc::Sender<Msg>,
) {
    let (sign, mut signs) = mpsc::channel(1);
    let _watcher = watch(&desk, sign);
    loop {
        for handle in handles.iter() {
            let known = handle.slot.borrow().baseline.clone();
            let (desk, id) = (desk.clone(), Arc::clone(&handle.id));
            let looked = tokio::task::spawn_blocking(move || look(&desk, &id, &known)).await;
            let Ok(looked) = looked else { continue };
            for happening in looked.happenings {
                let _ = happenings.send(happening).await;
            }
            if let Some(state) = looked.changed {
                handle.tell(Command::Baseline(state));
            }
            let told = Msg::DecidedHere { server: Arc::clone(&handle.id), pins: looked.decided_here };
            if looked.told && messages.send(told).await.is_err() {
                return;
            }
        }
        tokio::select! {
            _ = signs.recv() => {}
            () = tokio::time::sleep(WITHOUT_A_SIGN) => {}
            () = messages.closed() => return,
        }
        tokio::time::sleep(DEBOUNCE).await;
        while signs.try_recv().is_ok() {}
    }
}

/// Watches the snapshots folder, or the root while there is none. None where this system cannot.
fn watch(desk: &Desk, sign: mpsc::Sender<()>) -> Option<notify::RecommendedWatcher> {
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let concerns = event.is_ok_and(|event| !event.kind.is_access());
        if concerns {
            // A full channel holds a sign already.
            let _ = sign.try_send(());
        }
    })
    .ok()?;
    let root = desk.store.root().path();
    let snapshots = root.join("snapshots");
    let begun = if snapshots.is_dir() {
        watcher.watch(&snapshots, RecursiveMode::Recursive)
    } else {
        watcher.watch(root, RecursiveMode::NonRecursive)
    };
    begun.ok().map(|()| watcher)
}

struct Looked {
    happenings: Vec<Happening>,
    changed: Option<BaselineState>,
    decided_here: std::collections::BTreeSet<Decided>,
    told: bool,
}

/// One baseline file against what is known of it. Blocks on the disk.
fn look(desk: &Desk, id: &ServerId, known: &BaselineState) -> Looked {
    let state = desk.baseline(id);
    let baseline = match &state {
        BaselineState::Present(baseline) => Some(baseline.as_ref()),
        BaselineState::Absent | BaselineState::Refused(_) => None,
    };
    let happen =
        |kind, item: String, text: String| Happening { at: Timestamp::now(), server: Arc::clone(id), kind, item, text };
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
    let decided_here = baseline.and_then(|baseline| desk.store.decided_here(baseline).ok()).unwrap_or_default();
    let told = baseline.is_some();
    Looked { happenings, changed: (state != *known).then_some(state), decided_here, told }
}

/// The events of a sight: one line for the file, one for each item whose standing it changed.
fn told(
    sight: Sight,
    baseline: Option<&Baseline>,
    happen: &dyn Fn(HappeningKind, String, String) -> Happening,
) -> Vec<Happening> {
    let name = |(item, _): &Decided| format!("{}/{}", item.kind, item.key);
    let each = |entries: &[Decided], word: &str| {
        let line = |entry: &Decided| {
            happen(HappeningKind::BaselineChanged, name(entry), format!("{} {word} by file", entry.1.short()))
        };
        entries.iter().map(line).collect::<Vec<_>>()
    };
    match sight {
        Sight::Unchanged => Vec::new(),
        Sight::First(approved) => {
            let rejections = baseline.map_or(0, |baseline| baseline.rejections.len());
            let text = format!("first sight: the file approves {} items and rejects {rejections}", approved.len());
            std::iter::once(happen(HappeningKind::BaselineSeen, String::new(), text))
                .chain(each(&approved, "approved"))
                .collect()
        }
        Sight::Outside(outside) => {
            let count =
                outside.approved.len() + outside.dropped.len() + outside.rejected.len() + outside.unrejected.len();
            let text = format!("changed from outside: {count} items stand otherwise");
            std::iter::once(happen(HappeningKind::BaselineChanged, String::new(), text))
                .chain(each(&outside.approved, "approved"))
                .chain(each(&outside.dropped, "pin dropped"))
                .chain(each(&outside.rejected, "rejected"))
                .chain(each(&outside.unrejected, "rejection dropped"))
                .collect()
        }
    }
}
