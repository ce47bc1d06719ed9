//! Standard input and output of this process, each on a thread of its own: what a client gives as either may be a pipe, a
//! socket or a file, and none of these is changed for others that hold it.

use bytes::Bytes;
use rustix::io::Errno;
use std::io::Read as _;
use std::thread;
use tokio::sync::{mpsc, oneshot};

/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;
/// Parts that are on their way.
const PARTS: usize = 8;

/// What comes in on standard input; it is over when nothing more is received.
pub(super) fn input() -> mpsc::Receiver<Bytes> {
    let (send, receive) = mpsc::channel(PARTS);
    let read = move || {
        let mut chunk = vec![0; CHUNK];
        let mut stdin = std::io::stdin().lock();
        loop {
            match stdin.read(&mut chunk) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Ok(length @ 1..) => {
                    if send.blocking_send(Bytes::copy_from_slice(&chunk[..length])).is_err() {
                        return;
                    }
                }
                Ok(_) | Err(_) => return,
            }
        }
    };
    // Without a thread there is no input, and the guard ends.
    let _ = thread::Builder::new().name("input".to_owned()).spawn(read);
    receive
}

/// What goes out on standard output.
#[derive(Debug)]
pub(super) struct Stdout {
    pub parts: mpsc::Sender<Bytes>,
    done: oneshot::Receiver<()>,
}

impl Stdout {
    pub fn start() -> Self {
        let (parts, mut receive) = mpsc::channel::<Bytes>(PARTS);
        let (tell, done) = oneshot::channel();
        let write = move || {
            while let Some(part) = receive.blocking_recv() {
                if write_all(&part).is_err() {
                    break;
                }
            }
            let _ = tell.send(());
        };
        let _ = thread::Builder::new().name("output".to_owned()).spawn(write);
        Self { parts, done }
    }

    /// Waits until everything is written, or nobody reads any more.
    pub async fn finish(self) {
        drop(self.parts);
        let _ = self.done.await;
    }
}

fn write_all(mut part: &[u8]) -> Result<(), Errno> {
    while !part.is_empty() {
        match rustix::io::write(rustix::stdio::stdout(), part) {
            Ok(written) => part = &part[written..],
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
