//! HTTP spoken by hand, for servers in the test's own process: whole requests in, and each connection on a thread of its own.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// Serves connections at a free port of this machine, which comes back, until the process ends. `serve` answers one request of
/// a connection; none ends that one, and nothing else.
pub fn listen(serve: impl Fn(&TcpStream) -> Option<()> + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let serve = Arc::new(serve);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = Arc::clone(&serve);
            thread::spawn(move || while serve(&stream).is_some() {});
        }
    });
    port
}

/// The head of the next request in lower case, and its body; none where the client has left.
pub fn request(stream: &TcpStream) -> Option<(String, Vec<u8>)> {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line.to_lowercase());
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, body))
}
