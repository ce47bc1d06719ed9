//! The guards that run for this user before servers of this root: followed while somebody watches.

use crate::monitor::{DEBOUNCE, Fleet, Folders, WITHOUT_A_SIGN, blocked};
use crate::store::RunningGuards;
use crate::tui::Msg;
use notify::RecursiveMode;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Tells what the guards say of themselves, each time one says another thing, until the screen is gone.
pub(super) async fn follow(fleet: Arc<Fleet<Msg>>, messages: mpsc::Sender<Msg>) {
    let (sign, mut signs) = mpsc::channel(1);
    let mut folders = Folders::new(sign);
    let mut known = Vec::new();
    loop {
        let store = fleet.now().project.desk.store.clone();
        let guards = RunningGuards::new(store.places());
        let folder = guards.folder().to_owned();
        let read = tokio::task::spawn_blocking(move || {
            // A folder that is not there cannot be followed.
            let _ = guards.make();
            let root = store.root().name();
            guards.list().into_iter().filter(|guard| guard.root == root).collect::<Vec<_>>()
        });
        folders.renew(&BTreeMap::from([(folder.clone(), RecursiveMode::NonRecursive)]));
        let Ok(found) = read.await else { return };
        folders.renew(&BTreeMap::from([(folder, RecursiveMode::NonRecursive)]));
        if found != known {
            let news = blocked(&found, &known).into_iter().map(Msg::Happened);
            known.clone_from(&found);
            for msg in news.chain([Msg::Guards(found)]) {
                if messages.send(msg).await.is_err() {
                    return;
                }
            }
        }
        tokio::select! {
            _ = signs.recv() => tokio::time::sleep(DEBOUNCE).await,
            // A guard that was killed gives no sign.
            () = tokio::time::sleep(WITHOUT_A_SIGN) => {}
            () = messages.closed() => return,
        }
        while signs.try_recv().is_ok() {}
    }
}
