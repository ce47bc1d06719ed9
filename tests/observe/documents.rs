//! The documents that say who a server is: asked for when something calls for it, and not at each poll.

use super::kit::*;
use super::origin::OriginServer;
use pinwatch::mcp::{Identify, Limits, Options, Session, Target};
use std::time::Duration;

/// A session with the server, asking again for its attestation alone.
async fn session(server: &OriginServer, limits: &Limits, identify: Identify) -> Session {
    let target = Target::Http { url: server.url(), headers: Vec::new(), allow_plain: false };
    let options = Options { identify, ..options() };
    Session::open(&target, &options, limits).await.expect("a session")
}

/// How often the attestation and the principal were asked for.
fn asked(server: &OriginServer) -> [usize; 2] {
    let asked = server.asked();
    let of = |path: &str| asked.iter().filter(|head| head.contains(path)).count();
    [of("/.well-known/mcp-attestation"), of("/.well-known/capiscio/")]
}

#[tokio::test]
async fn polls_do_not_ask_for_documents_each_time() {
    let again = Identify::Again { attestation: true, principal: false };
    let long = Limits { document_age: Duration::from_hours(1), ..Limits::default() };
    let none = Limits { document_age: Duration::ZERO, ..Limits::default() };
    for (identify, limits, looks, expected) in [
        (Identify::Never, &none, 5, [0, 0]),
        (Identify::Once, &none, 5, [1, 1]),
        (again, &long, 20, [1, 1]),
        (again, &none, 5, [5, 1]),
        (Identify::Again { attestation: true, principal: true }, &none, 3, [3, 3]),
    ] {
        let server = OriginServer::start();
        let mut session = session(&server, limits, identify).await;
        for _ in 0..looks {
            session.look().await;
        }
        assert_eq!(asked(&server), expected, "{identify:?}");
        session.ask_who_it_is();
        session.look().await;
        let more = match identify {
            Identify::Again { attestation, principal } => [attestation, principal].map(usize::from),
            Identify::Never | Identify::Once => [0, 0],
        };
        assert_eq!(asked(&server), [expected[0] + more[0], expected[1] + more[1]], "{identify:?}");
        session.close().await;
    }
}
