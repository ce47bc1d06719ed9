//! Follows the sign-ins that are kept: who signs in or out in another terminal is noticed by the files, and the supervisors
//! hear of it. Where no server can be signed in to, nothing is followed.

use super::{Fleet, News};
use crate::config::ServerConfig;
use crate::decisions::takes_sign_in;
use crate::monitor::Command;
use crate::monitor::folder::{DEBOUNCE, Folders, Stamp, stamp};
use crate::surface::ServerId;
use notify::RecursiveMode;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Tells each change, until the screen is gone.
pub(super) async fn follow<M: From<News> + Send + 'static>(fleet: &Fleet<M>) {
    let mut changes = fleet.changes();
    let (sign, mut signs) = mpsc::channel(1);
    let mut folders = Folders::new(sign);
    let mut stamps: HashMap<(ServerId, PathBuf), Stamp> = HashMap::new();
    loop {
        let now = Arc::clone(&changes.borrow_and_update());
        let servers: Vec<ServerConfig> = now.servers.iter().filter(|server| takes_sign_in(server)).cloned().collect();
        let sign_ins = &now.project.sign_ins;
        if !servers.is_empty()
            && let Some(folder) = sign_ins.folder().await
        {
            folders.renew(&BTreeMap::from([(folder, RecursiveMode::NonRecursive)]));
        }
        for server in &servers {
            let Some(file) = sign_ins.file(server) else { continue };
            let now = stamp(&file);
            let before = stamps.insert((server.id.clone(), file), now);
            // What was kept before the first look, the supervisor finds by itself.
            if before.is_none_or(|before| before == now) {
                continue;
            }
            // What cannot be read now is found out at the next session.
            if let Ok(signed_in) = sign_ins.kept(server).await {
                fleet.tell(&server.id, Command::Account(signed_in.map(Box::new)));
            }
        }
        tokio::select! {
            _ = signs.recv() => tokio::time::sleep(DEBOUNCE).await,
            more = changes.changed() => if more.is_err() { return },
            () = fleet.messages.closed() => return,
        }
        while signs.try_recv().is_ok() {}
    }
}
