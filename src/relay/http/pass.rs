//! What the server replied on its way to the client: messages are judged, and pass as they are or in the guard's words.

use super::answer::{Body, Severed, answer, json, parts};
use super::conversation::{Come, Visit};
use super::events::{Events, LONG, Part, event};
use super::guard::Guard;
use crate::guard::{Piece, Skim};
use crate::mcp::Reply;
use crate::relay::door::Open;
use crate::text::visible;
use bytes::{Bytes, BytesMut};
use hyper::header::HeaderMap;
use hyper::{Response, StatusCode};
use std::sync::Arc;
use tokio::sync::mpsc;

/// A reply, and what it is to.
pub(super) struct Passing {
    pub guard: Arc<Guard>,
    pub visit: Visit,
    pub open: Arc<Open>,
    /// What was sent; none of a request without a body.
    pub sent: Option<Bytes>,
    /// What the client is told beside the reply.
    pub refusals: Vec<Bytes>,
    pub status: StatusCode,
    pub headers: HeaderMap,
}

type Parts = mpsc::Sender<Result<Bytes, Severed>>;

impl Passing {
    fn may_pass(&self, skim: &Skim) -> Piece {
        let exchange = self.visit.exchange();
        self.visit.conversation.look(|session| session.within(exchange).may_pass(skim))
    }

    /// Judges a whole message; what of it is for this client.
    fn judged(&mut self, message: &Bytes) -> Vec<Bytes> {
        let exchange = self.visit.exchange();
        self.guard.say(&self.visit.conversation, |session, now| session.within(exchange).server_said(message, now));
        self.visit.for_client()
    }

    /// Whether the last piece of a message passes.
    fn may_end(&self, skim: &Skim) -> bool {
        let exchange = self.visit.exchange();
        self.visit.conversation.look(|session| session.within(exchange).may_end(skim))
    }

    /// A message does not pass as a whole; what this client hears of it.
    fn lost(&mut self, skim: &Skim) -> Vec<Bytes> {
        let exchange = self.visit.exchange();
        self.guard.say(&self.visit.conversation, |session, _| session.within(exchange).lost(skim));
        self.visit.for_client()
    }

    /// What was sent gets no answer any more; what this client hears of it.
    pub fn unanswered(&mut self, why: &str) -> Vec<Bytes> {
        if let Some(sent) = self.sent.clone() {
            let (exchange, why) = (self.visit.exchange(), visible(why).to_string());
            self.guard.say(&self.visit.conversation, |session, _| session.within(exchange).unanswered(&sent, &why));
        }
        self.visit.for_client()
    }

    fn answered(self, mut lines: Vec<Bytes>) -> Response<Body> {
        lines.extend(self.refusals);
        json(self.status, self.headers, lines)
    }

    /// A body of JSON: whole, or in pieces where it is long and may.
    pub async fn json(mut self, mut reply: Reply) -> Response<Body> {
        let mut body = BytesMut::new();
        let (mut skim, mut skimmed) = (self.visit.conversation.look(|session| session.skim()), 0);
        let limit = self.open.limits.list_bytes;
        loop {
            match reply.chunk().await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => break,
                Err(reason) => {
                    let lines = self.unanswered(&reason.text);
                    return self.answered(lines);
                }
            }
            if body.len() <= LONG || !self.refusals.is_empty() && body.len() <= limit {
                continue;
            }
            skim.feed(&body[skimmed..]);
            skimmed = body.len();
            match self.may_pass(&skim) {
                Piece::Pass if self.refusals.is_empty() => return self.in_pieces(reply, body.freeze(), skim),
                Piece::Wait if body.len() <= limit => {}
                Piece::Pass | Piece::Wait | Piece::Drop => {
                    let mut lines = self.lost(&skim);
                    if lines.is_empty() {
                        lines = self.unanswered("its answer is too large, or is to something else");
                    }
                    return self.answered(lines);
                }
            }
        }
        let mut lines = if body.is_empty() { Vec::new() } else { self.judged(&body.freeze()) };
        if lines.is_empty() {
            lines = self.unanswered("what came holds no answer to it");
        }
        self.answered(lines)
    }

    fn in_pieces(self, reply: Reply, first: Bytes, skim: Skim) -> Response<Body> {
        let (send, body) = parts();
        let (status, headers) = (self.status, self.headers.clone());
        tokio::spawn(self.pieces(reply, first, skim, send));
        answer(status, "application/json", headers, body)
    }

    /// The last piece stays here until it is known that it may end what passed.
    async fn pieces(mut self, mut reply: Reply, mut last: Bytes, mut skim: Skim, send: Parts) {
        let passes = loop {
            let chunk = tokio::select! {
                chunk = reply.chunk() => chunk,
                () = send.closed() => return,
            };
            match chunk {
                Ok(Some(chunk)) => {
                    skim.feed(&chunk);
                    if self.may_pass(&skim) != Piece::Pass {
                        break false;
                    }
                    if send.send(Ok(std::mem::replace(&mut last, chunk))).await.is_err() {
                        return;
                    }
                }
                Ok(None) => break self.may_end(&skim),
                Err(_) => break false,
            }
        };
        if !passes {
            self.lost(&skim);
        }
        let _ = send.send(if passes { Ok(last) } else { Err(Severed) }).await;
    }

    /// A stream of events.
    pub fn events(self, reply: Reply) -> Response<Body> {
        let (send, body) = parts();
        let (status, headers) = (self.status, self.headers.clone());
        tokio::spawn(async move {
            let mut passing = self;
            // A stream that broke is not one that ended: the client may take it up again.
            if let Err(severed) = passing.pump(reply, &send).await {
                let _ = send.send(Err(severed)).await;
            }
        });
        answer(status, "text/event-stream", headers, body)
    }

    async fn pump(&mut self, mut reply: Reply, send: &Parts) -> Result<(), Severed> {
        let mut events =
            Events::new(self.open.limits.list_bytes, self.visit.conversation.look(|session| session.skim()));
        for refusal in std::mem::take(&mut self.refusals) {
            pass(send, event(b"", &refusal)).await?;
        }
        loop {
            while let Some(part) = events.take(|skim| self.may_pass(skim)) {
                match part {
                    Part::Bytes(bytes) => pass(send, bytes).await?,
                    Part::Event(fields, data) if data.is_empty() => pass(send, event(&fields, b"")).await?,
                    Part::Event(fields, data) => {
                        let lines = self.judged(&data);
                        pass(send, together(&fields, &lines)).await?;
                    }
                    Part::End(bytes) if self.may_end(&events.skim) => pass(send, bytes).await?,
                    Part::Lost(fields) => {
                        let lines = self.lost(&events.skim);
                        pass(send, together(&fields, &lines)).await?;
                    }
                    Part::End(_) | Part::Cut => {
                        self.lost(&events.skim);
                        return Err(Severed);
                    }
                }
            }
            self.visit.is_resumable |= events.has_ids;
            tokio::select! {
                chunk = reply.chunk() => match chunk {
                    Ok(Some(chunk)) => events.feed(&chunk),
                    Ok(None) if events.is_inside() => return Err(Severed),
                    Ok(None) => break,
                    Err(_) => return Err(Severed),
                },
                come = self.visit.next(), if !events.is_inside() => match come {
                    Some(Come::ToClient(line)) => pass(send, event(b"", &line)).await?,
                    Some(Come::ToServer(_)) | None => {}
                },
                () = send.closed() => return Ok(()),
            }
        }
        for line in self.visit.for_client() {
            pass(send, event(b"", &line)).await?;
        }
        Ok(())
    }
}

/// The lines that came of an event: the last one is in its place, and where there is none its other fields are.
fn together(fields: &[u8], lines: &[Bytes]) -> Bytes {
    let Some((last, before)) = lines.split_last() else {
        return if fields.is_empty() { Bytes::new() } else { [fields, b"\n"].concat().into() };
    };
    if before.is_empty() {
        return event(fields, last);
    }
    let mut text: Vec<u8> = before.iter().flat_map(|line| event(b"", line)).collect();
    text.extend(event(fields, last));
    text.into()
}

async fn pass(send: &Parts, part: Bytes) -> Result<(), Severed> {
    if part.is_empty() {
        return Ok(());
    }
    // Who reads no more is told nothing.
    send.send(Ok(part)).await.map_err(|_| Severed)
}
