//! Tokens: for a code, for a refresh token, for a client itself.

use super::fetch;
use super::known::AuthorizationServer;
use crate::mcp::client::client as http;
use crate::mcp::limits::Limits;
use crate::oauth::{AuthMethod, Client, Secret, SignedIn, account, refusal, split};
use crate::surface::Reason;
use jiff::Timestamp;
use oauth2::basic::{
    BasicErrorResponse, BasicRevocationErrorResponse, BasicTokenIntrospectionResponse, BasicTokenType,
};
use oauth2::{
    AsyncHttpClient, AuthType, AuthorizationCode, ClientId, ClientSecret, EndpointNotSet, EndpointSet,
    ExtraTokenFields, HttpRequest, HttpResponse, PkceCodeVerifier, RedirectUrl, RefreshToken, RequestTokenError, Scope,
    StandardRevocableToken, StandardTokenResponse, TokenResponse as _, TokenUrl,
};
use reqwest::{RequestBuilder, Url};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::pin::Pin;

/// Bytes of the longest token: it is sent with each request.
const MOST_TOKEN: usize = 32 << 10;

/// What an answer may bring beside the tokens.
#[derive(Debug, Serialize, Deserialize)]
struct Extra {
    id_token: Option<Secret>,
}

impl ExtraTokenFields for Extra {}

type Answer = StandardTokenResponse<Extra, BasicTokenType>;
type At = oauth2::Client<
    BasicErrorResponse,
    Answer,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointSet,
>;

/// A reason on its way through the crate, which wants an error.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.text)]
struct Failed(Reason);

type Refused = RequestTokenError<Failed, BasicErrorResponse>;

/// For whom a token is asked, and what for.
struct Asked<'a> {
    server: &'a str,
    resource: &'a str,
    issuer: &'a str,
    token: &'a Url,
    client: Client,
    scopes: &'a BTreeSet<String>,
}

/// The token for a code that the browser brought.
pub(super) async fn of_code(
    server: &str,
    known: &AuthorizationServer,
    client: Client,
    scopes: &BTreeSet<String>,
    (code, verifier, redirect): (Secret, PkceCodeVerifier, String),
    limits: &Limits,
) -> Result<SignedIn, Reason> {
    let asked = Asked::of(server, known, client, scopes);
    let redirect = RedirectUrl::new(redirect).map_err(|_| Reason::internal("no redirect address"))?;
    let at = at(&asked.client, asked.token);
    let request = at.exchange_code(AuthorizationCode::new(code.0)).set_pkce_verifier(verifier);
    let request = request.set_redirect_uri(Cow::Owned(redirect)).add_extra_param("resource", asked.resource);
    let answer = request.request_async(&Http { limits }).await;
    signed_in(asked, answer, None)
}

/// The token of a client that signs in for itself.
pub(super) async fn as_machine(
    server: &str,
    known: &AuthorizationServer,
    client: Client,
    scopes: &BTreeSet<String>,
    limits: &Limits,
) -> Result<SignedIn, Reason> {
    let asked = Asked::of(server, known, client, scopes);
    let at = at(&asked.client, asked.token);
    let request = at.exchange_client_credentials().add_scopes(scopes.iter().cloned().map(Scope::new));
    let request = request.add_extra_param("resource", asked.resource);
    let answer = request.request_async(&Http { limits }).await;
    let id = asked.client.id.clone();
    let mut signed_in = signed_in(asked, answer, None)?;
    // It is the client's own, whatever else is said.
    signed_in.account = Some(format!("client {id}"));
    signed_in.refresh_token = None;
    Ok(signed_in)
}

/// The same sign-in with another access token; none where it has nothing to renew itself with.
pub async fn renewed(before: &SignedIn, limits: &Limits) -> Result<Option<SignedIn>, Reason> {
    let Some(refresh) = &before.refresh_token else { return Ok(None) };
    let token = Url::parse(&before.token_endpoint);
    let token = token.map_err(|_| Reason::new("bad-address", "the address where the token is renewed is not a URL"))?;
    let asked = Asked {
        server: &before.server,
        resource: &before.resource,
        issuer: &before.issuer,
        token: &token,
        client: before.client.clone(),
        scopes: &before.scopes,
    };
    let refresh = RefreshToken::new(refresh.0.clone());
    let at = at(&asked.client, asked.token);
    let request = at.exchange_refresh_token(&refresh).add_extra_param("resource", asked.resource);
    let answer = request.request_async(&Http { limits }).await;
    signed_in(asked, answer, Some(before)).map(Some)
}

impl<'a> Asked<'a> {
    fn of(server: &'a str, known: &'a AuthorizationServer, client: Client, scopes: &'a BTreeSet<String>) -> Self {
        let AuthorizationServer { resource, issuer } = known;
        Self { server, resource: &resource.resource, issuer: &issuer.issuer, token: &issuer.token, client, scopes }
    }
}

fn at(client: &Client, token: &Url) -> At {
    let at = oauth2::Client::new(ClientId::new(client.id.clone())).set_token_uri(TokenUrl::from_url(token.clone()));
    let at = match client.method {
        AuthMethod::None | AuthMethod::Post => at.set_auth_type(AuthType::RequestBody),
        AuthMethod::Basic => at.set_auth_type(AuthType::BasicAuth),
    };
    match client.secret.as_ref().filter(|_| client.method != AuthMethod::None) {
        Some(secret) => at.set_client_secret(ClientSecret::new(secret.0.clone())),
        None => at,
    }
}

/// How requests for tokens are sent.
struct Http<'a> {
    limits: &'a Limits,
}

impl<'c> AsyncHttpClient<'c> for Http<'_> {
    type Error = Failed;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Failed>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(exchange(request, self.limits))
    }
}

async fn exchange(request: HttpRequest, limits: &Limits) -> Result<HttpResponse, Failed> {
    let (head, body) = request.into_parts();
    let sent = async {
        let url = Url::parse(&head.uri.to_string()).map_err(|_| Reason::new("bad-address", "not a URL"))?;
        let request: RequestBuilder = http(&url)?.post(url).headers(head.headers).body(body);
        let request = request.header(reqwest::header::ACCEPT_ENCODING, "identity");
        fetch::send(request, "the request for a token", limits).await
    };
    let (status, body) = sent.await.map_err(Failed)?;
    let mut response = HttpResponse::new(body.to_vec());
    *response.status_mut() = status;
    Ok(response)
}

/// What an answer brought. No text of it is quoted but the code and the words of a refusal: the rest are tokens.
fn signed_in(asked: Asked<'_>, answer: Result<Answer, Refused>, before: Option<&SignedIn>) -> Result<SignedIn, Reason> {
    let answer = answer.map_err(|error| match error {
        RequestTokenError::Request(Failed(reason)) => reason,
        RequestTokenError::ServerResponse(refused) => {
            let why = refusal(refused.error().as_ref(), refused.error_description().map(String::as_str));
            Reason::new("token-refused", format!("the authorization server gives no token {why}"))
        }
        RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
            Reason::new("bad-token-answer", "the authorization server's answer with the token cannot be read")
        }
    })?;
    if *answer.token_type() != BasicTokenType::Bearer {
        return Err(Reason::new(
            "not-a-bearer-token",
            "the authorization server gave a token of another type than bearer",
        ));
    }
    let access_token = answer.access_token().secret().clone();
    let sendable = access_token.bytes().all(|byte| byte.is_ascii_graphic());
    if access_token.is_empty() || access_token.len() > MOST_TOKEN || !sendable {
        return Err(Reason::new("bad-token-answer", "the authorization server gave a token that cannot be sent"));
    }
    let scopes = match answer.scopes() {
        // RFC 6749, 5.1: those that were asked for.
        None => asked.scopes.clone(),
        Some(granted) => split(&granted.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" "))?,
    };
    let id_token = answer.extra_fields().id_token.as_ref();
    let told = id_token.and_then(|token| account(&token.0)).or_else(|| account(&access_token));
    let lasts = answer.expires_in().and_then(|span| i64::try_from(span.as_secs()).ok());
    let refresh = answer.refresh_token().map(|token| Secret(token.secret().clone()));
    Ok(SignedIn {
        server: asked.server.to_owned(),
        resource: asked.resource.to_owned(),
        issuer: asked.issuer.to_owned(),
        token_endpoint: asked.token.to_string(),
        client: asked.client,
        account: told.or_else(|| before?.account.clone()),
        access_token: Secret(access_token),
        refresh_token: refresh.or_else(|| before?.refresh_token.clone()),
        expires: lasts.map(|lasts| Timestamp::now().as_second().saturating_add(lasts)),
        scopes,
    })
}
