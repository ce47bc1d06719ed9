//! As whom the guard reaches the server: with the headers of the config, and the sign-in that is kept for its URL, as our own
//! sessions do. What a client sends to the guard by way of credentials stays here.

use crate::decisions::{takes_sign_in, with_sign_in};
use crate::mcp::{NoReply, Reply, Target, Upstream};
use crate::oauth::{Challenge, SignedIn};
use crate::relay::door::Open;
use crate::surface::Reason;
use bytes::Bytes;
use hyper::Method;
use hyper::header::HeaderMap;
use jiff::Timestamp;
use tokio::sync::Mutex;

/// The way to a server.
#[derive(Clone)]
struct Way {
    target: Target,
    signed_in: Option<SignedIn>,
    upstream: Upstream,
}

#[derive(Default)]
pub(super) struct Account {
    known: Mutex<Option<Way>>,
}

impl Account {
    /// Sends a request; once more with another sign-in where the server wants one: it did nothing with the first.
    pub async fn send(&self, open: &Open, method: Method, headers: &HeaderMap, body: Bytes) -> Result<Reply, Reason> {
        let known = self.known(open).await?;
        let NoReply { reason, challenge } = match known.upstream.send(method.clone(), headers, body.clone()).await {
            Ok(reply) => return Ok(reply),
            Err(no_reply) => no_reply,
        };
        let Some(challenge) = challenge.filter(|_| takes_sign_in(&open.server)) else { return Err(reason) };
        let Some(known) = self.renewed(open, &known, &challenge).await? else {
            let id = &open.server.id;
            return Err(Reason::new(reason.code, format!("{}; sign in with `pinwatch sign-in {id}`", reason.text)));
        };
        known.upstream.send(method, headers, body).await.map_err(|no_reply| no_reply.reason)
    }

    async fn known(&self, open: &Open) -> Result<Way, Reason> {
        let mut known = self.known.lock().await;
        let now = Timestamp::now().as_second();
        let holds = |known: &&Way| {
            known.target == open.server.target
                && !known.signed_in.as_ref().is_some_and(|signed_in| signed_in.is_over(now))
        };
        if let Some(known) = known.as_ref().filter(holds) {
            return Ok(known.clone());
        }
        let signed_in = open.sign_ins.of(&open.server).await?;
        let found = of(open, signed_in)?;
        *known = Some(found.clone());
        Ok(found)
    }

    /// The way with another sign-in than the one that was not taken; none where a person has to sign in.
    async fn renewed(&self, open: &Open, used: &Way, challenge: &Challenge) -> Result<Option<Way>, Reason> {
        let mut known = self.known.lock().await;
        let token = |signed_in: &Option<SignedIn>| signed_in.as_ref().map(|signed_in| signed_in.access_token.0.clone());
        // Another request may have had it renewed meanwhile, or a person signed in.
        let mut kept = open.sign_ins.of(&open.server).await?;
        if token(&kept) == token(&used.signed_in) {
            let Some(used) = &used.signed_in else { return Ok(None) };
            kept = open.sign_ins.again(&open.server, used, challenge).await?;
        }
        let Some(signed_in) = kept else { return Ok(None) };
        let found = of(open, Some(signed_in))?;
        *known = Some(found.clone());
        Ok(Some(found))
    }
}

fn of(open: &Open, signed_in: Option<SignedIn>) -> Result<Way, Reason> {
    let target = with_sign_in(&open.server.target, signed_in.as_ref());
    let upstream = Upstream::new(&target, &open.limits)?;
    Ok(Way { target: open.server.target.clone(), signed_in, upstream })
}
