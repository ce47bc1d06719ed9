//! A server that wants somebody to sign in: renews what there is, else waits for a person and takes the steps with them.

use super::{Interrupt, Supervisor};
use crate::mcp::SignIn;
use crate::monitor::event::{Command, HappeningKind, Phase};
use crate::monitor::look::mask_reason;
use crate::monitor::signing_in::SigningIn;
use crate::oauth::{Challenge, SignedIn};
use crate::surface::Reason;
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Why a sign-in came to nothing.
enum Stopped {
    Interrupted(Interrupt),
    Refused(Reason),
}

impl From<Interrupt> for Stopped {
    fn from(interrupt: Interrupt) -> Self {
        Self::Interrupted(interrupt)
    }
}

impl From<Reason> for Stopped {
    fn from(reason: Reason) -> Self {
        Self::Refused(reason)
    }
}

impl Supervisor {
    /// The server turned us away for want of a token. None: another session may be opened.
    pub(super) async fn turned_away(&mut self, reason: &Reason, challenge: &Challenge) -> Option<Interrupt> {
        // Once: a server that takes no token at all would have them renewed for ever.
        if !std::mem::replace(&mut self.account.renewed, true) {
            let (sign_ins, config) = (self.setup.sign_ins.clone(), self.setup.config.clone());
            let used = self.account.signed_in.clone();
            let another = async {
                match &used {
                    Some(used) => sign_ins.again(&config, used, challenge).await,
                    // Somebody may have signed in while the server was asked.
                    None => sign_ins.kept(&config).await,
                }
            };
            match self.during(another, false).await {
                Err(interrupt) => return Some(interrupt),
                Ok(Ok(Some(_))) => return None,
                Ok(Ok(None) | Err(_)) => {}
            }
        }
        self.account.renewed = false;
        if self.setup.config.sign_in.is_machine {
            return self.fail(reason.clone()).await;
        }
        let asked = self.unread(reason);
        let mut refused = None;
        loop {
            self.look.next_poll = None;
            self.turn = None;
            let wanted = SigningIn::Wanted { asked: asked.clone(), refused: refused.take() };
            if let Err(interrupt) = self.wait_for_sign_in(wanted).await {
                return (interrupt == Interrupt::Stop).then_some(interrupt);
            }
            match self.steps(challenge).await {
                // Here, or elsewhere meanwhile; or another session is asked for.
                Ok(()) | Err(Stopped::Interrupted(Interrupt::Restart)) => return None,
                Err(Stopped::Interrupted(Interrupt::Stop)) => return Some(Interrupt::Stop),
                Err(Stopped::Interrupted(Interrupt::Poll)) => {}
                Err(Stopped::Refused(reason)) => {
                    let reason = mask_reason(&self.redactor(), &reason);
                    self.happen(HappeningKind::SignInRefused, "", &format!("{}: {}", reason.code, reason.text));
                    refused = Some(reason);
                }
            }
        }
    }

    /// From the server's own document to a token that is kept.
    async fn steps(&mut self, challenge: &Challenge) -> Result<(), Stopped> {
        let before = self.account.signed_in.clone();
        let flow = self.setup.sign_ins.flow(&self.setup.config, challenge, before.as_ref())?;
        self.signing_in(SigningIn::Asking);
        let located = self.during(flow.locate(), false).await??;
        let mut agreed = BTreeSet::new();
        self.agree_to(&flow, located.hosts(), &mut agreed).await?;
        let known = self.during(flow.meet(located), false).await??;
        self.agree_to(&flow, known.hosts(), &mut agreed).await?;
        let begun = self.during(flow.begin(known), false).await??;
        self.signing_in(SigningIn::Open(begun.url.clone()));
        let signed_in = self.during(begun.finish(), false).await??;
        self.signing_in(SigningIn::Asking);
        self.kept(signed_in).await
    }

    /// Takes in what another terminal made of the sign-in, and says whether another session is to be opened.
    pub(super) fn take_account(&mut self, now: Option<&SignedIn>) -> Option<Interrupt> {
        let waits = matches!(self.look.phase, Phase::NeedsSignIn(_));
        let text = match (&self.account.signed_in, now) {
            // One that was renewed meanwhile is met when the old one is no longer taken.
            (Some(had), Some(now)) if !waits || had.access_token == now.access_token => return None,
            (None, None) => return None,
            (None, Some(_)) if !waits && self.look.phase != Phase::Idle => return None,
            (_, Some(now)) => format!("in another terminal: {}", now.scope_text()),
            (Some(_), None) if waits => return None,
            (Some(_), None) => {
                self.happen(HappeningKind::Notice, "", "signed out in another terminal");
                return Some(Interrupt::Restart);
            }
        };
        self.happen(HappeningKind::SignedIn, "", &text);
        Some(Interrupt::Restart)
    }

    async fn kept(&mut self, signed_in: SignedIn) -> Result<(), Stopped> {
        // The file's change is no news then.
        self.account.signed_in = Some(signed_in.clone());
        let sign_ins = self.setup.sign_ins.clone();
        self.during(sign_ins.keep(&signed_in), false).await??;
        let (desk, server, told) = (self.setup.desk.clone(), Arc::clone(&self.look.id), signed_in.clone());
        let told = tokio::task::spawn_blocking(move || desk.signed_in(&server, &told, Timestamp::now())).await;
        if let Ok(Err(error)) = told {
            self.happen(HappeningKind::Notice, "", &format!("the audit log could not be written: {error}"));
        }
        self.happen(HappeningKind::SignedIn, "", &signed_in.scope_text());
        Ok(())
    }

    /// Waits until a person agreed to the hosts that are not the server's own.
    async fn agree_to(
        &mut self,
        flow: &SignIn,
        hosts: BTreeSet<String>,
        agreed: &mut BTreeSet<String>,
    ) -> Result<(), Stopped> {
        let strangers: BTreeSet<_> = flow.strangers(hosts).difference(agreed).cloned().collect();
        if !strangers.is_empty() {
            self.wait_for_sign_in(SigningIn::Agree(strangers.clone())).await?;
            self.signing_in(SigningIn::Asking);
            agreed.extend(strangers);
        }
        Ok(())
    }

    /// Shows where it stands, and waits until a person goes on.
    async fn wait_for_sign_in(&mut self, stage: SigningIn) -> Result<(), Interrupt> {
        let stage = self.signing_in(stage);
        loop {
            let Some(command) = self.inbox.recv().await else { return Err(Interrupt::Stop) };
            // To what was shown, and to nothing that came after it.
            let goes_on = matches!(&command, Command::SignIn(shown) if *shown == stage);
            if let Some(interrupt) = self.hear(command) {
                return Err(interrupt);
            }
            if goes_on {
                return Ok(());
            }
        }
    }

    fn signing_in(&mut self, stage: SigningIn) -> Arc<SigningIn> {
        let stage = Arc::new(stage);
        self.publish(Phase::NeedsSignIn(Arc::clone(&stage)));
        stage
    }
}
