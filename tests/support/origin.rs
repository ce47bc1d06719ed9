//! A small MCP server over HTTP in the test's own process: it shows one tool, says of itself what a test wants, and keeps what
//! it was asked.

use super::spoken;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What it says beside its tool.
#[derive(Clone, Debug, Default)]
pub struct Says {
    /// Further headers of each answer to a message, a line each.
    pub headers: String,
    /// `_meta` of the handshake.
    pub meta: Value,
    /// What stands at other paths.
    pub pages: BTreeMap<&'static str, Page>,
}

/// An answer to GET.
#[derive(Clone, Debug)]
pub enum Page {
    /// A whole response.
    Raw(Vec<u8>),
    /// The beginning of one that never goes on.
    Hangs(Vec<u8>),
}

impl Page {
    /// JSON with status 200.
    pub fn json(body: &Value) -> Self {
        Self::text("200 OK", "content-type: application/json\r\n", &body.to_string())
    }

    pub fn text(status: &str, headers: &str, body: &str) -> Self {
        let length = body.len();
        Self::Raw(format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n{body}").into_bytes())
    }
}

/// The server; its threads end with the test's process.
#[derive(Debug)]
pub struct OriginServer {
    port: u16,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    says: Mutex<Says>,
    /// The head of each request, lower case.
    asked: Mutex<Vec<String>>,
}

impl OriginServer {
    pub fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let serving = Arc::clone(&shared);
        let port = spoken::listen(move |stream| serving.serve_one(stream));
        Self { port, shared }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }

    pub fn says(&self, says: Says) {
        *self.shared.says.lock().unwrap_or_else(PoisonError::into_inner) = says;
    }

    /// The heads of the requests so far.
    pub fn asked(&self) -> Vec<String> {
        self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Shared {
    fn serve_one(&self, stream: &TcpStream) -> Option<()> {
        let (head, body) = spoken::request(stream)?;
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(head.clone());
        let says = self.says.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut words = head.split(' ');
        let (method, path) = (words.next()?, words.next()?);
        let page = match method {
            "post" => says.answer(&serde_json::from_slice(&body).ok()?),
            "get" => says.pages.get(path).cloned().unwrap_or_else(|| Page::text("404 Not Found", "", "")),
            _ => Page::text("204 No Content", "", ""),
        };
        let mut stream = stream;
        match page {
            Page::Raw(bytes) => stream.write_all(&bytes).ok(),
            Page::Hangs(bytes) => {
                stream.write_all(&bytes).ok()?;
                // Until the client hangs up.
                stream.set_read_timeout(Some(Duration::from_mins(1))).ok()?;
                stream.read_exact(&mut [0]).ok();
                None
            }
        }
    }
}

impl Says {
    fn answer(&self, message: &Value) -> Page {
        let result = match message["method"].as_str().unwrap_or_default() {
            "initialize" => json!({
                "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "_meta": self.meta,
                "serverInfo": {"name": "origin", "version": "1"},
            }),
            "tools/list" => json!({"tools": [{"name": "forecast", "inputSchema": {"type": "object"}}]}),
            _ if message.get("id").is_none() => return Page::text("202 Accepted", "", ""),
            _ => {
                let error = json!({"code": -32601, "message": "no such method"});
                return self.json(&json!({"jsonrpc": "2.0", "id": message["id"], "error": error}));
            }
        };
        self.json(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}))
    }

    fn json(&self, body: &Value) -> Page {
        Page::text("200 OK", &format!("{}content-type: application/json\r\n", self.headers), &body.to_string())
    }
}
