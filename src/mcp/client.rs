//! The HTTP client that all sessions share: one pool, no redirects, no compression, and what its errors are called.

use crate::oauth::is_local;
use crate::surface::Reason;
use reqwest::{Client, Url};
use std::error::Error;
use std::sync::OnceLock;
use std::time::Duration;

/// The clients, built when first needed: reading the certificates takes a while.
static DIRECT: OnceLock<Result<Client, String>> = OnceLock::new();
static GENERAL: OnceLock<Result<Client, String>> = OnceLock::new();
/// The same with connections that stay: calls of a person's client come seconds apart.
static DIRECT_KEPT: OnceLock<Result<Client, String>> = OnceLock::new();
static GENERAL_KEPT: OnceLock<Result<Client, String>> = OnceLock::new();

/// A look's requests follow at once; between looks a connection would hold the size of the largest answer.
const BETWEEN_REQUESTS: Duration = Duration::from_secs(1);
/// What browsers and clients in node keep a connection for; servers close theirs after five seconds.
const BETWEEN_CALLS: Duration = Duration::from_secs(4);

/// The client for `url`. This machine is never reached through a proxy: that would carry the request off it.
pub(super) fn client(url: &Url) -> Result<Client, Reason> {
    built(url, [&DIRECT, &GENERAL], BETWEEN_REQUESTS)
}

/// The same for who carries another's requests.
pub(super) fn kept_client(url: &Url) -> Result<Client, Reason> {
    built(url, [&DIRECT_KEPT, &GENERAL_KEPT], BETWEEN_CALLS)
}

fn built(
    url: &Url,
    [direct, general]: [&OnceLock<Result<Client, String>>; 2],
    idle: Duration,
) -> Result<Client, Reason> {
    let built = if is_local(url) {
        direct.get_or_init(|| build(reqwest::ClientBuilder::no_proxy, idle))
    } else {
        general.get_or_init(|| build(|builder| builder, idle))
    };
    built.clone().map_err(|error| Reason::new("tls-failed", format!("no HTTP client could be set up: {error}")))
}

fn build(adapt: impl Fn(reqwest::ClientBuilder) -> reqwest::ClientBuilder, idle: Duration) -> Result<Client, String> {
    // A second install fails, and one is enough.
    let _ = rustls::crypto::CryptoProvider::install_default(rustls::crypto::ring::default_provider());
    let builder = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .retry(reqwest::retry::never())
        .connect_timeout(Duration::from_secs(10))
        .pool_idle_timeout(idle)
        .user_agent(concat!("pinwatch/", env!("CARGO_PKG_VERSION")));
    adapt(builder).build().map_err(|error| chain(&error))
}

/// The reason for an error of the client. It never names the URL, which may hold a secret.
pub(super) fn failed(error: reqwest::Error) -> Reason {
    let error = error.without_url();
    let mut source: Option<&(dyn Error + 'static)> = Some(&error);
    let mut tls = false;
    while let Some(inner) = source {
        tls |= is_tls(inner);
        source = inner.source();
    }
    match (tls, error.is_connect()) {
        (true, true) => Reason::new("tls-failed", format!("no secure connection: {}", cause(&error))),
        (false, true) => Reason::new("connect-failed", format!("cannot connect: {}", cause(&error))),
        _ => Reason::new("connection-lost", format!("connection lost: {}", cause(&error))),
    }
}

/// Certificate and handshake errors come wrapped in I/O errors, once or twice; a peer that hangs up meanwhile is an early
/// end, which connecting without TLS does not know.
fn is_tls(error: &(dyn Error + 'static)) -> bool {
    let Some(io) = error.downcast_ref::<std::io::Error>() else { return error.is::<rustls::Error>() };
    io.kind() == std::io::ErrorKind::UnexpectedEof || io.get_ref().is_some_and(|inner| is_tls(inner))
}

/// Why a request failed: its causes without the client's own layers, which say the same of every failure.
fn cause(error: &reqwest::Error) -> String {
    let mut inner: &dyn Error = error;
    while let Some(source) = inner.source() {
        let text = inner.to_string();
        if !text.starts_with("error sending request") && !text.starts_with("client error (") {
            break;
        }
        inner = source;
    }
    chain(inner)
}

/// An error and its causes on one line, each said once.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let more = inner.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        source = inner.source();
    }
    text
}
