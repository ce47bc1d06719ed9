//! A collector (OTLP/HTTP) in the test's own process: it keeps what it was told, and answers as a test wants.

use super::spoken;
use serde_json::Value;
use std::io::Write as _;
use std::net::TcpStream;
use std::sync::{Arc, Mutex, PoisonError};

/// How it answers.
#[derive(Clone, Copy, Debug)]
pub enum Does {
    /// As it should.
    Take,
    /// With another place.
    Redirect,
    /// With this status.
    Status(u16),
    /// It says that it did not take one of them.
    NotTaken,
    /// Not at all.
    HangUp,
    /// With success, and a body that does not end.
    Flood,
    /// With success, and a body that is nothing.
    Garbage,
}

/// Head (lower case), path and body of a request.
pub type Told = (String, String, Value);

/// The collector; its threads end with the test's process.
#[derive(Debug)]
pub struct Collector {
    port: u16,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    does: Mutex<Does>,
    told: Mutex<Vec<Told>>,
}

impl Collector {
    pub fn start(does: Does) -> Self {
        let shared = Arc::new(Shared { does: Mutex::new(does), told: Mutex::default() });
        let serving = Arc::clone(&shared);
        let port = spoken::listen(move |stream| serving.serve_one(stream));
        Self { port, shared }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// How it answers from now on.
    pub fn does(&self, does: Does) {
        *self.shared.does.lock().unwrap_or_else(PoisonError::into_inner) = does;
    }

    /// What it was told so far.
    pub fn told(&self) -> Vec<Told> {
        self.shared.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Shared {
    fn serve_one(&self, stream: &TcpStream) -> Option<()> {
        let (head, body) = spoken::request(stream)?;
        let path = head.split(' ').nth(1)?.to_owned();
        let body = serde_json::from_slice(&body).unwrap_or_default();
        self.told.lock().unwrap_or_else(PoisonError::into_inner).push((head, path, body));
        let does = *self.does.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stream = stream;
        let mut answer = |status: &str, headers: &str, body: &str| {
            let length = body.len();
            let text = format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n{body}");
            stream.write_all(text.as_bytes()).ok()
        };
        match does {
            Does::Take => answer("200 OK", "content-type: application/json\r\n", "{}"),
            Does::Redirect => answer("307 Temporary Redirect", "location: /elsewhere\r\n", ""),
            Does::Status(status) => answer(&format!("{status} No"), "", "<html>"),
            Does::NotTaken => {
                let partial = r#"{"partialSuccess":{"rejectedLogRecords":"1","rejectedDataPoints":"1"}}"#;
                answer("200 OK", "content-type: application/json\r\n", partial)
            }
            Does::HangUp => None,
            Does::Garbage => answer("200 OK", "content-type: text/html\r\n", "\u{1b}[31m<html>"),
            Does::Flood => {
                stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n").ok()?;
                // Until the client hangs up.
                while stream.write_all(&[b' '; 4096]).is_ok() {}
                None
            }
        }
    }
}
