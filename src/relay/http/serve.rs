//! Listens until somebody ends the guard: connections in, and what is told out.

use super::exchange::respond;
use super::guard::{Guard, News};
use crate::monitor::Folders;
use crate::relay::door::Door;
use crate::relay::teller::Teller;
use crate::signals::{Signals, received};
use crate::store::Places;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::future::pending;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinSet;

/// Connections at once; more wait to be taken.
const CONNECTIONS: usize = 256;
/// Time for the head of a request, and for the next one on a connection.
const HEAD: Duration = Duration::from_secs(30);
/// Bytes of the head of a request.
const HEAD_BYTES: usize = 64 << 10;
/// News that wait to be told.
const NEWS: usize = 1_024;

/// Stands before a server until it is ended. `tell` takes a line for whoever reads the guard's own log.
pub async fn serve(
    door: Door,
    token: String,
    places: Places,
    listen: SocketAddr,
    tell: &dyn Fn(&str),
) -> io::Result<()> {
    let listener = TcpListener::bind(listen).await?;
    let own = listener.local_addr()?;
    let (news, mut told) = mpsc::channel(NEWS);
    let mut teller = Teller::new(tell).writing(door.running.clone());
    let guard = Arc::new(Guard::new(own, door, token, places, news));
    let mut signals = Signals::listen().ok();
    let (sign, mut signs) = mpsc::channel(1);
    let mut folders = Folders::new(sign);
    let _ = guard.standing().await;
    folders.renew(&guard.folders());
    // What keeps it from being made is told to each client, too.
    if let Err(error) = guard.make_secret() {
        teller.once(&format!("closed: {error}"));
    }
    teller.once(&format!("listening on http://{own}{}", super::entrance::PATH));
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    // Dropped at the end, it ends every connection.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            (stream, permit) = accepted(&listener, &room) => {
                connections.spawn(connection(stream, permit, Arc::clone(&guard)));
            }
            Some(_) = connections.join_next() => {}
            Some(news) = told.recv() => match news {
                News::Told(told) => teller.told(&told),
                News::Line(line) => teller.count(line),
            },
            Some(()) = signs.recv() => {
                let _ = guard.standing().await;
                folders.renew(&guard.folders());
            }
            () = received(&mut signals) => break,
        }
    }
    connections.shutdown().await;
    let finished = tokio::task::spawn_blocking(move || guard.finish()).await;
    finished.unwrap_or_default().into_iter().for_each(|line| teller.count(line));
    teller.sum_up();
    Ok(())
}

async fn accepted(listener: &TcpListener, room: &Arc<Semaphore>) -> (TcpStream, OwnedSemaphorePermit) {
    loop {
        let Ok(permit) = Arc::clone(room).acquire_owned().await else { return pending().await };
        match listener.accept().await {
            Ok((stream, _)) => return (stream, permit),
            // Too many files are open, or the client has left already.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

async fn connection(stream: TcpStream, _permit: OwnedSemaphorePermit, guard: Arc<Guard>) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| {
        let guard = Arc::clone(&guard);
        async move { Ok::<_, Infallible>(respond(&guard, request).await) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(HEAD_BYTES);
    // How a connection ends is its client's business.
    let _ = http.serve_connection(TokioIo::new(stream), service).await;
}
