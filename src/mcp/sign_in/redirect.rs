//! Waits on this machine for the answer that the browser brings: for one, from whoever comes first with it.
//!
//! Anything on this machine, and any page in a browser, can connect. So little is read of each connection, other paths and
//! other hosts get nothing, and what the page says never quotes anybody.

use crate::mcp::limits::Limits;
use crate::mcp::reason::seconds;
use crate::oauth::Secret;
use crate::surface::Reason;
use std::io::ErrorKind;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;

const PATH: &str = "/callback";
/// Bytes of the longest request that is read.
const MOST_BYTES: usize = 16 << 10;
/// Connections that are listened to at one moment, and in all.
const AT_ONCE: usize = 16;
const MOST: usize = 1_000;

/// An address that a browser is sent back to.
#[derive(Debug)]
pub(super) struct Redirect {
    listener: TcpListener,
    /// As the authorization server is told.
    pub address: String,
    /// Host and port, as a browser asks for them.
    host: String,
}

impl Redirect {
    /// Takes a port of the loopback address, before anybody is told of it. Where one was configured it must be free: who
    /// has it would get the answer.
    pub async fn bind(port: Option<u16>) -> Result<Self, Reason> {
        let listener = TcpListener::bind(("127.0.0.1", port.unwrap_or(0))).await.map_err(|error| {
            let port = port.map_or_else(|| "a port".to_owned(), |port| format!("port {port}"));
            match error.kind() {
                ErrorKind::AddrInUse => Reason::new(
                    "redirect-port-taken",
                    format!("another process has {port} of 127.0.0.1 and would get the answer of the sign-in"),
                ),
                _ => Reason::new("redirect-port-refused", format!("{port} of 127.0.0.1 cannot be used: {error}")),
            }
        })?;
        let address = listener.local_addr();
        let address =
            address.map_err(|error| Reason::new("redirect-port-refused", format!("a port cannot be used: {error}")))?;
        let host = address.to_string();
        Ok(Self { listener, address: format!("http://{host}{PATH}"), host })
    }

    /// Waits for the answer and judges its query. The browser is told whether it was taken.
    pub async fn answer(
        self,
        judge: impl Fn(&str) -> Result<Secret, Reason>,
        limits: &Limits,
    ) -> Result<Secret, Reason> {
        let waited = timeout(limits.browser, self.first()).await.unwrap_or_else(|_| {
            let text = format!("no answer came from the browser within {}", seconds(limits.browser));
            Err(Reason::new("sign-in-timeout", text))
        });
        let (mut stream, query) = waited?;
        let judged = judge(&query);
        let (status, text) = match &judged {
            Ok(_) => ("200 OK", "pinwatch has its answer. You can close this page."),
            Err(_) => ("400 Bad Request", "pinwatch refused this answer. See its screen for the reason."),
        };
        // Who does not read the page has told us all that was needed.
        let _ = timeout(limits.tell, respond(&mut stream, status, text)).await;
        judged
    }

    /// The first connection that asks for the path, and its query.
    async fn first(&self) -> Result<(TcpStream, String), Reason> {
        let mut asking = JoinSet::new();
        let mut came = 0;
        loop {
            tokio::select! {
                accepted = self.listener.accept(), if asking.len() < AT_ONCE => {
                    came += 1;
                    if came > MOST {
                        let text = format!("more than {MOST} connections came, and none with the answer");
                        return Err(Reason::new("redirect-flood", text));
                    }
                    if let Ok((stream, _)) = accepted {
                        asking.spawn(asked(stream, self.host.clone()));
                    }
                }
                Some(asked) = asking.join_next() => {
                    if let Ok(Some(answer)) = asked {
                        return Ok(answer);
                    }
                }
            }
        }
    }
}

/// What a connection asks for; none where that is nothing of ours, which it is told.
async fn asked(mut stream: TcpStream, host: String) -> Option<(TcpStream, String)> {
    let head = timeout(Limits::default().document, head(&mut stream)).await.ok()??;
    match query(&head, &host) {
        Ok(query) => Some((stream, query.to_owned())),
        Err(status) => {
            let _ = timeout(Limits::default().tell, respond(&mut stream, status, "Nothing is here.")).await;
            None
        }
    }
}

/// The head of a request, up to its empty line.
async fn head(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    let mut chunk = [0; 1 << 10];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = stream.read(&mut chunk).await.ok()?;
        head.extend_from_slice(&chunk[..read]);
        if read == 0 || head.len() > MOST_BYTES {
            return None;
        }
    }
    String::from_utf8(head).ok()
}

/// The query of a request for the path, or the status that says why it is none.
fn query<'a>(head: &'a str, host: &str) -> Result<&'a str, &'static str> {
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return Err("400 Bad Request") };
    if method != "GET" {
        return Err("405 Method Not Allowed");
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    if path != PATH {
        return Err("404 Not Found");
    }
    // A page of another name that was pointed at this address would have another one.
    let named = lines.filter_map(|line| line.split_once(':')).find(|(name, _)| name.eq_ignore_ascii_case("host"));
    match named {
        Some((_, value)) if value.trim() == host => Ok(query),
        _ => Err("400 Bad Request"),
    }
}

async fn respond(stream: &mut TcpStream, status: &str, text: &str) {
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         Referrer-Policy: no-referrer\r\nConnection: close\r\n\r\n{text}",
        text.len()
    );
    let _ = stream.write_all(answer.as_bytes()).await;
    let _ = stream.shutdown().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_path_and_the_host_are_answered() {
        let told = |head: &'static str| query(head, "127.0.0.1:7");
        assert_eq!(told("GET /callback?code=c HTTP/1.1\r\nhost: 127.0.0.1:7\r\n\r\n"), Ok("code=c"));
        assert_eq!(told("GET /callback HTTP/1.1\r\nHost: 127.0.0.1:7\r\n\r\n"), Ok(""));
        assert_eq!(told("GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1:7\r\n\r\n"), Err("404 Not Found"));
        assert_eq!(told("POST /callback HTTP/1.1\r\nHost: 127.0.0.1:7\r\n\r\n"), Err("405 Method Not Allowed"));
        assert_eq!(told("GET /callback?code=c HTTP/1.1\r\nHost: evil.example\r\n\r\n"), Err("400 Bad Request"));
        assert_eq!(told("GET /callback?code=c HTTP/1.1\r\n\r\n"), Err("400 Bad Request"));
        assert_eq!(told("\r\n\r\n"), Err("400 Bad Request"));
    }
}
