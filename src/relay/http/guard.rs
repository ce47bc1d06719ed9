//! What all exchanges of a guard share: how its door stands, the secret, the conversations, and the way to the server.

use super::account::Account;
use super::conversation::{Conversation, Key, Rest};
use crate::guard::{Output, Session, Told};
use crate::held::held;
use crate::mcp::{Reply, ReplyForm, is_of_protocol};
use crate::relay::door::{Door, Files, Open, State};
use crate::relay::evidence::Evidence;
use crate::store::disk::Disk;
use crate::store::{GuardSecret, Places, StoreError};
use crate::surface::Reason;
use crate::text::visible;
use bytes::Bytes;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, StatusCode};
use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::time::timeout;

pub(super) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
pub(super) const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub(super) const METHOD: HeaderName = HeaderName::from_static("mcp-method");
pub(super) const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// Conversations that are kept at once; the one that rested longest makes room.
const CONVERSATIONS: usize = 64;
/// Time between two looks at why the guard is closed.
const AGAIN: Duration = Duration::from_millis(200);

/// What is told to whoever reads the guard's own log.
#[derive(Debug)]
pub(super) enum News {
    Told(Told),
    /// A line that is told once, and counted.
    Line(String),
}

struct Standing {
    open: Result<Arc<Open>, Arc<str>>,
    files: Files,
    at: Instant,
}

pub(super) struct Guard {
    /// Where it listens.
    pub own: SocketAddr,
    door: Arc<Door>,
    token: String,
    disk: Disk,
    places: Places,
    news: mpsc::Sender<News>,
    standing: Mutex<Standing>,
    reading: tokio::sync::Mutex<()>,
    conversations: Mutex<HashMap<Key, Arc<Conversation>>>,
    account: Account,
    /// Begins once the door was open.
    evidence: Mutex<Option<Evidence>>,
}

impl Guard {
    pub fn new(own: SocketAddr, door: Door, token: String, places: Places, news: mpsc::Sender<News>) -> Self {
        let standing =
            Standing { open: Err("it was not looked at yet".into()), files: Files::default(), at: Instant::now() };
        Self {
            own,
            door: Arc::new(door),
            token,
            disk: Disk::default(),
            places,
            news,
            standing: Mutex::new(standing),
            reading: tokio::sync::Mutex::default(),
            conversations: Mutex::default(),
            account: Account::default(),
            evidence: Mutex::default(),
        }
    }

    /// Makes the secret of this install where it has none yet.
    pub fn make_secret(&self) -> Result<(), StoreError> {
        GuardSecret::make(&self.disk, &self.places).map(drop)
    }

    /// The secret as its file has it now, or why there is none.
    pub fn secret(&self) -> Result<GuardSecret, String> {
        let read = GuardSecret::known(&self.disk, &self.places).map_err(|error| error.to_string());
        let missing = || {
            let path = GuardSecret::path(&self.places);
            format!("{} is gone: start the guard anew, which makes another secret for its clients", path.display())
        };
        read.and_then(|secret| secret.ok_or_else(missing))
    }

    /// How the door stands now; its files are read again where one moved.
    pub async fn standing(self: &Arc<Self>) -> Result<Arc<Open>, Arc<str>> {
        if let Some(known) = self.known() {
            return known;
        }
        let _one = self.reading.lock().await;
        if let Some(known) = self.known() {
            return known;
        }
        let door = Arc::clone(&self.door);
        let read = tokio::task::spawn_blocking(move || door.state()).await;
        let State { open, files } = read.unwrap_or_else(|_| State::unreadable());
        let open = open.map(Arc::new);
        self.door.running.closed(open.as_ref().err().map(AsRef::as_ref));
        if let Err(why) = &open {
            self.tell(News::Line(format!("closed: {why}")));
        }
        let before = {
            let mut standing = held(&self.standing);
            // Where not even the files could be told, each request looks again.
            let files = if files.is_empty() { std::mem::take(&mut standing.files) } else { files };
            std::mem::replace(&mut *standing, Standing { open: open.clone(), files, at: Instant::now() }).open
        };
        if let (Ok(before), Ok(now)) = (&before, &open)
            && before.server.target != now.server.target
        {
            // Their sessions are those of another server.
            held(&self.conversations).clear();
        }
        if let Ok(open) = &open {
            self.write_down(open);
        }
        self.take(&open);
        open
    }

    fn known(&self) -> Option<Result<Arc<Open>, Arc<str>>> {
        let standing = held(&self.standing);
        let holds = match &standing.open {
            Ok(_) => !standing.files.moved(),
            Err(_) => !standing.files.is_empty() && standing.at.elapsed() < AGAIN && !standing.files.moved(),
        };
        holds.then(|| standing.open.clone())
    }

    /// Evidence is written from the first time on that the door is open.
    fn write_down(&self, open: &Open) {
        let mut evidence = held(&self.evidence);
        match &*evidence {
            Some(evidence) => evidence.renew(&open.desk),
            None => {
                *evidence = Evidence::start(&self.door.evidence, &self.door.id, &open.desk, open.signing_key.clone());
            }
        }
    }

    /// Ends every conversation, and the evidence with them. Blocks on the disk.
    pub fn finish(&self) -> Vec<String> {
        held(&self.conversations).clear();
        let Some(evidence) = held(&self.evidence).take() else { return Vec::new() };
        evidence.finish();
        evidence.told()
    }

    /// Tells the conversations what is approved now; their clients hear that their lists changed.
    fn take(self: &Arc<Self>, open: &Result<Arc<Open>, Arc<str>>) {
        let approvals = open.as_ref().map(|open| Arc::clone(&open.approvals)).map_err(Arc::clone);
        let all: Vec<_> = held(&self.conversations).values().cloned().collect();
        for conversation in all {
            let rest = conversation.take(&approvals);
            self.rest(&conversation, rest);
        }
    }

    /// The folders whose files say how the door stands.
    pub fn folders(&self) -> BTreeMap<PathBuf, notify::RecursiveMode> {
        held(&self.standing).files.folders()
    }

    pub fn tell(&self, news: News) {
        // What is not read in time is lost; it is told, not acted on.
        let _ = self.news.try_send(news);
    }

    /// A conversation that nobody had before.
    pub fn fresh(&self, open: &Open, apart: bool) -> Arc<Conversation> {
        let witness = held(&self.evidence).as_ref().map(Evidence::witness);
        let session =
            Session::new(self.token.clone(), open.bounds(), Ok(Arc::clone(&open.approvals))).witnessed(witness);
        Conversation::new(if apart { session.apart() } else { session })
    }

    /// The conversation of a key. A session that is not known, as after a new start of the guard, is taken up: whether it
    /// is one, the server says. None where too many are under way.
    pub fn conversation(&self, key: Key, open: &Open) -> Option<Arc<Conversation>> {
        let mut all = held(&self.conversations);
        if let Some(known) = all.get(&key) {
            return Some(Arc::clone(known));
        }
        let new = self.fresh(open, matches!(key, Key::Alone(..)));
        room(&mut all)?;
        all.insert(key, Arc::clone(&new));
        Some(new)
    }

    /// A conversation got its session.
    pub fn named(self: &Arc<Self>, id: HeaderValue, conversation: &Arc<Conversation>) {
        {
            let mut all = held(&self.conversations);
            if room(&mut all).is_none() {
                return;
            }
            all.insert(Key::Session(id), Arc::clone(conversation));
        }
        // What was approved may be another since it began.
        let open = held(&self.standing).open.clone();
        let rest = conversation.take(&open.map(|open| Arc::clone(&open.approvals)));
        self.rest(conversation, rest);
    }

    /// A session is over.
    pub fn forget(&self, id: &HeaderValue) {
        held(&self.conversations).remove(&Key::Session(id.clone()));
    }

    /// Has a conversation judge something, and does what is left to do.
    pub fn say(
        self: &Arc<Self>,
        conversation: &Arc<Conversation>,
        judge: impl FnOnce(&mut Session, Duration) -> Output,
    ) {
        let rest = conversation.say(judge);
        self.rest(conversation, rest);
    }

    fn rest(self: &Arc<Self>, conversation: &Arc<Conversation>, rest: Rest) {
        for told in rest.told {
            self.tell(News::Told(told));
        }
        for line in held(&self.evidence).as_ref().map(Evidence::told).unwrap_or_default() {
            self.tell(News::Line(line));
        }
        for request in rest.own {
            let (guard, conversation) = (Arc::clone(self), Arc::clone(conversation));
            tokio::spawn(async move { guard.ask(&conversation, request).await });
        }
    }

    /// Asks a request of the guard's own.
    async fn ask(self: Arc<Self>, conversation: &Arc<Conversation>, request: Bytes) {
        let open = held(&self.standing).open.clone();
        let why = match open {
            Ok(open) => {
                let asked = timeout(open.patience, self.asked(conversation, request.clone(), &open)).await;
                match asked {
                    Ok(Ok(())) => "no answer came".to_owned(),
                    Ok(Err(reason)) => visible(&reason.text).to_string(),
                    Err(_) => format!("no answer within {} s", open.patience.as_secs()),
                }
            }
            Err(why) => why.to_string(),
        };
        self.say(conversation, |session, _| session.unanswered(&request, &why));
    }

    async fn asked(self: &Arc<Self>, conversation: &Arc<Conversation>, text: Bytes, open: &Open) -> Result<(), Reason> {
        let mut headers = conversation.headers();
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let method = crate::guard::About::of(&text).method.and_then(|method| HeaderValue::from_str(&method).ok());
        if let Some(method) = method.filter(|_| headers.contains_key(METHOD)) {
            headers.insert(METHOD, method);
        }
        headers.remove(NAME);
        let reply = self.send(open, Method::POST, &headers, text).await?;
        let status = reply.status();
        if let Some(id) = headers.get(SESSION).filter(|_| is_lost(status)) {
            self.forget(id);
            conversation.lose();
        }
        if !status.is_success() && reply.form() != ReplyForm::Json {
            return Err(Reason::new("http-status", format!("HTTP status {}", status.as_u16())));
        }
        let said = |message: Bytes| {
            self.say(conversation, |session, now| {
                session.within(crate::guard::Exchange::Unasked).server_said(&message, now)
            });
            true
        };
        reply.each(open.limits.list_bytes, said).await
    }

    /// Sends a request of a client, or one of the guard's own.
    pub async fn send(&self, open: &Open, method: Method, headers: &HeaderMap, body: Bytes) -> Result<Reply, Reason> {
        let sent = self.account.send(open, method, headers, body).await;
        // What the server was sent by way of credentials is not the client's to know.
        sent.map_err(|reason| Reason::new(reason.code, open.masked(&reason.text)))
    }
}

/// Whether a status says that the server does not know the session.
pub(super) fn is_lost(status: StatusCode) -> bool {
    matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE)
}

/// Makes room for one more conversation.
fn room(all: &mut HashMap<Key, Arc<Conversation>>) -> Option<()> {
    if all.len() < CONVERSATIONS {
        return Some(());
    }
    let idle = all.iter().filter_map(|(key, one)| Some((one.idle_since()?, key.clone())));
    let (_, key) = idle.min_by_key(|(since, _)| *since)?;
    all.remove(&key);
    Some(())
}

/// What of a client's headers goes to the server.
pub(super) fn carried(headers: &HeaderMap) -> HeaderMap {
    const OTHERS: [HeaderName; 4] =
        [header::ACCEPT, header::CONTENT_TYPE, header::USER_AGENT, HeaderName::from_static("last-event-id")];
    only(headers, |name| is_of_protocol(name) || OTHERS.contains(name))
}

/// What of a server's headers goes to the client.
pub(super) fn returned(headers: &HeaderMap) -> HeaderMap {
    const OTHERS: [HeaderName; 2] = [header::CACHE_CONTROL, header::RETRY_AFTER];
    only(headers, |name| is_of_protocol(name) || OTHERS.contains(name))
}

/// The headers whose names pass, each as often as it stands there.
pub(super) fn only(headers: &HeaderMap, passes: impl Fn(&HeaderName) -> bool) -> HeaderMap {
    headers.iter().filter(|(name, _)| passes(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
}
