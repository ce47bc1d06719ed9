//! The one loop of a guard: reads both sides, has the session judge, writes what passes.

use super::client::Client;
use super::door::{Door, Files, Open, State};
use super::evidence::Evidence;
use super::line::{FromServer, Said};
use super::outgoing::Outgoing;
use super::teller::Teller;
use crate::guard::{Output, Session, Told, client_in, closed_answers};
use crate::mcp::{Behind, Limits};
use crate::monitor::Folders;
use crate::signals::{Signals, received};
use crate::surface::Reason;
use bytes::Bytes;
use std::future::pending;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncReadExt as _;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout};

/// Time between two looks at why the guard is closed.
const AGAIN: Duration = Duration::from_millis(200);

/// How a guard ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The client closed its side.
    Client,
    /// The server ended by itself.
    Server(Option<ExitStatus>),
}

/// Stands before a server until one side ends. `tell` takes a line for whoever reads the client's log.
pub async fn relay(door: Door, token: String, tell: &dyn Fn(&str)) -> Ended {
    let door = Arc::new(door);
    let mut client = Client::start();
    let mut teller = Teller::new(tell).writing(door.running.clone());
    let Some((line, open, files, started)) = start(&door, &mut client, &mut teller).await else {
        client.output.finish().await;
        return Ended::Client;
    };
    let (behind, server_in, server_out) = started;
    let evidence = Evidence::start(&door.evidence, &door.id, &open.desk, open.signing_key.clone());
    let witness = evidence.as_ref().map(Evidence::witness);
    let mut pump = Pump {
        session: Session::new(token, open.bounds(), Ok(Arc::clone(&open.approvals))).witnessed(witness),
        evidence,
        door,
        files,
        client,
        from_server: FromServer::new(open.limits.list_bytes),
        to_server: Outgoing::default(),
        server_in: Some(server_in),
        limits: open.limits,
        begun: Instant::now(),
        teller,
    };
    let now = pump.now();
    let output = pump.session.client_said(&line, now);
    pump.absorb(output);
    let ended = pump.run(behind, server_out).await;
    let Pump { mut client, limits, teller, .. } = pump;
    // A client that reads no more keeps nobody.
    let last = async {
        client.hand_over().await;
        client.output.finish().await;
    };
    let _ = timeout(limits.close_last, last).await;
    teller.sum_up();
    ended
}

type Started = (Behind, ChildStdin, ChildStdout);

/// Answers the client until the guard may open, and starts the server then; with the line that opened it.
async fn start(
    door: &Arc<Door>,
    client: &mut Client,
    teller: &mut Teller<'_>,
) -> Option<(Bytes, Open, Files, Started)> {
    let mut closed: Option<(Instant, Arc<str>)> = None;
    loop {
        while let Some(line) = client.from.take() {
            if closed_answers(&line, &Arc::from("")).is_empty() {
                continue;
            }
            if let Some(client) = client_in(&line) {
                teller.told(&Told::Met(client));
            }
            let known = closed.as_ref().filter(|(at, _)| at.elapsed() < AGAIN).map(|(_, why)| Arc::clone(why));
            let why = match known {
                Some(why) => why,
                None => match state(door).await {
                    State { open: Ok(open), files } => match Behind::start(door.argv(), &open.limits) {
                        Ok(started) => {
                            teller.closed(None);
                            return Some((line, open, files, started));
                        }
                        Err(Reason { text, .. }) => text.into(),
                    },
                    State { open: Err(why), .. } => why,
                },
            };
            teller.closed(Some(&why));
            for answer in closed_answers(&line, &why) {
                client.to.line(answer);
            }
            closed = Some((Instant::now(), why));
            if !client.hand_over().await {
                return None;
            }
        }
        let read = client.input.recv().await;
        client.take(read);
        if !client.is_open {
            return None;
        }
    }
}

async fn state(door: &Arc<Door>) -> State {
    let door = Arc::clone(door);
    let read = tokio::task::spawn_blocking(move || door.state()).await;
    read.unwrap_or_else(|_| State::unreadable())
}

struct Pump<'a> {
    session: Session,
    evidence: Option<Evidence>,
    door: Arc<Door>,
    files: Files,
    client: Client,
    from_server: FromServer,
    to_server: Outgoing,
    server_in: Option<ChildStdin>,
    limits: Limits,
    begun: Instant,
    teller: Teller<'a>,
}

impl Pump<'_> {
    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    fn absorb(&mut self, output: Output) {
        output.to_client.into_iter().for_each(|line| self.client.to.line(line.text));
        output.to_server.into_iter().for_each(|line| self.to_server.line(line.text));
        output.told.iter().for_each(|told| self.teller.told(told));
        self.tell_evidence();
    }

    fn tell_evidence(&mut self) {
        let told = self.evidence.as_ref().map(Evidence::told);
        told.into_iter().flatten().for_each(|text| self.teller.count(text));
    }

    /// The end of every call, and the last record of the audit log.
    fn finish_evidence(&mut self) -> Option<JoinHandle<()>> {
        self.session.close();
        let evidence = self.evidence.clone()?;
        Some(tokio::task::spawn_blocking(move || evidence.finish()))
    }

    /// Has everything judged that was read, as long as there is room for what comes of it.
    fn judge(&mut self, reloading: &mut Option<JoinHandle<State>>) {
        while !self.client.to.is_much() {
            let now = self.now();
            match self.from_server.take(&mut self.session, now) {
                Some(Said::Line(output)) => self.absorb(output),
                Some(Said::Part(part)) => self.client.to.part(part),
                None => break,
            }
        }
        if reloading.is_none() && self.client.from.has_line() && self.files.moved() {
            *reloading = Some(self.reload());
        }
        while reloading.is_none() && !self.to_server.is_much() && !self.client.to.is_much() {
            let Some(line) = self.client.from.take() else { break };
            let now = self.now();
            let output = self.session.client_said(&line, now);
            self.absorb(output);
        }
    }

    fn reload(&self) -> JoinHandle<State> {
        let door = Arc::clone(&self.door);
        tokio::task::spawn_blocking(move || door.state())
    }

    /// Takes a reading of what is approved.
    fn take(&mut self, read: Result<State, tokio::task::JoinError>) {
        let approvals = match read {
            Ok(state) => {
                if let (Some(evidence), Ok(open)) = (&self.evidence, &state.open) {
                    evidence.renew(&open.desk);
                }
                let approvals = state.approvals();
                // Where not even these could be told, each message looks again.
                if !state.files.is_empty() {
                    self.files = state.files;
                }
                approvals
            }
            Err(_) => Err("reading what is approved failed; please report this".into()),
        };
        self.teller.closed(approvals.as_ref().err().map(AsRef::as_ref));
        let now = self.now();
        let output = self.session.take(approvals, now);
        self.absorb(output);
    }

    async fn run(&mut self, mut behind: Behind, mut server_out: ChildStdout) -> Ended {
        let (sign, mut signs) = mpsc::channel(1);
        let mut folders = Folders::new(sign);
        folders.renew(&self.files.folders());
        let mut reloading: Option<JoinHandle<State>> = None;
        let (mut status, mut is_server_open) = (None, true);
        // Until when what an ended server left in its pipes is read, or what a leaving client said last is written.
        let mut leaving: Option<Instant> = None;
        // A client ends what it started by them, too.
        let mut signals = Signals::listen().ok();
        loop {
            self.judge(&mut reloading);
            if !self.client.is_open && self.to_server.is_empty() && self.server_in.take().is_some() {
                leaving = Some(Instant::now() + self.limits.close_stdin);
            }
            let done = !is_server_open && self.client.to.is_empty();
            if done && (status.is_some() || !self.client.is_open) {
                break;
            }
            let due = self.session.due().map(|due| self.begun + due);
            let can_read = self.client.is_open && reloading.is_none() && !self.to_server.is_much();
            let Self { client, to_server, server_in, from_server, .. } = self;
            let Client { input, output, to, .. } = client;
            let (writes_client, writes_server) = (!to.is_empty(), !to_server.is_empty() && server_in.is_some());
            let reads_server = is_server_open && !to.is_much();
            tokio::select! {
                read = input.recv(), if can_read => self.client.take(read),
                read = server_out.read_buf(from_server.room()), if reads_server => {
                    if !matches!(read, Ok(1..)) {
                        is_server_open = false;
                        from_server.end();
                        leaving.get_or_insert(Instant::now() + self.limits.leftovers);
                    }
                }
                room = output.parts.clone().reserve_owned(), if writes_client => {
                    let Ok(room) = room else { break };
                    if let Some(part) = to.pop() {
                        room.send(part);
                    }
                }
                wrote = write_server(to_server, server_in), if writes_server => {
                    if wrote.is_err() {
                        // It reads no more; how it ends tells more than this error.
                        *server_in = None;
                        *to_server = Outgoing::default();
                    }
                }
                ended = behind.ended(), if status.is_none() => {
                    status = Some(ended);
                    leaving.get_or_insert(Instant::now() + self.limits.leftovers);
                }
                () = sleep_until(leaving.unwrap_or_else(Instant::now)), if leaving.is_some() => break,
                () = received(&mut signals) => break,
                read = joined(&mut reloading), if reloading.is_some() => {
                    reloading = None;
                    self.take(read);
                    folders.renew(&self.files.folders());
                }
                Some(()) = signs.recv(), if reloading.is_none() => {
                    if self.files.moved() {
                        reloading = Some(self.reload());
                    }
                }
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    let now = self.now();
                    let output = self.session.tick(now);
                    self.absorb(output);
                }
            }
        }
        self.server_in = None;
        let ended = match status {
            Some(status) if self.client.is_open => Ended::Server(status),
            _ => Ended::Client,
        };
        let finishing = self.finish_evidence();
        behind.end().await;
        if let Some(finishing) = finishing {
            let _ = finishing.await;
            self.tell_evidence();
        }
        ended
    }
}

async fn write_server(to_server: &mut Outgoing, server_in: &mut Option<ChildStdin>) -> std::io::Result<()> {
    match server_in {
        Some(pipe) => to_server.write_to(pipe).await,
        None => pending().await,
    }
}

async fn joined(reading: &mut Option<JoinHandle<State>>) -> Result<State, tokio::task::JoinError> {
    match reading {
        Some(reading) => reading.await,
        None => pending().await,
    }
}
