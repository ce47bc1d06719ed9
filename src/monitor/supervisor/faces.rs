//! What a supervised server shows to other clients: looked at beside its own session, because a person asked for it.

use super::Supervisor;
use crate::drift::{SplitView, split_view_id};
use crate::monitor::derived::Derived;
use crate::monitor::event::{Faces, HappeningKind};
use crate::monitor::faces::Looking;
use crate::surface::ClientIdentity;
use jiff::Timestamp;
use std::sync::Arc;

impl Supervisor {
    /// Looks at the server as these clients, unless that is going on.
    pub(super) fn look_as(&mut self, clients: Vec<Arc<ClientIdentity>>) {
        if self.looking.is_some() {
            return;
        }
        let looking = Looking {
            config: self.setup.config.clone(),
            baseline: self.look.baseline.clone(),
            limits: self.setup.limits.clone(),
            policy: self.setup.policy.clone(),
            redactor: self.redactor(),
            gate: self.setup.gate.clone(),
            sign_ins: self.setup.sign_ins.clone(),
        };
        self.look.faces = Some(Faces::Running(clients.clone()));
        self.looking = Some(tokio::spawn(async move { looking.split_view(&clients, None).await }));
        self.publish(self.look.phase.clone());
    }

    /// Takes in what came of it; none where that was lost.
    pub(super) fn take_faces(&mut self, split: Option<SplitView>) {
        let split = split.unwrap_or_else(SplitView::failed);
        let kind = if split.word() == "differs" { HappeningKind::Drifted } else { HappeningKind::Notice };
        let item = if split.drift.is_some() { split_view_id().text() } else { String::new() };
        let text = self.redactor().mask_log(&split.sentence());
        self.happen(kind, &item, &text);
        self.saw_faces(&split);
        self.with_faces = Derived::default();
        self.look.faces = Some(Faces::Told(Timestamp::now(), Arc::new(split)));
        self.publish(self.look.phase.clone());
    }

    /// Ends the looks, and the servers that were started for them.
    pub(super) async fn stop_looking(&mut self) {
        if let Some(looking) = self.looking.take() {
            looking.abort();
            // A session that is dropped ends its process.
            let _ = looking.await;
        }
    }
}
