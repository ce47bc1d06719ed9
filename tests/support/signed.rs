//! An MCP server that wants somebody to sign in, and the authorization server that it names, both in the test's own process.
//! They follow the specification but for what a test's plan changes, and keep what they were asked.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use url::form_urlencoded;

/// What is otherwise than the specification has it, and what the servers want.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Changes the document of the server.
    pub resource: fn(&mut Value),
    /// Changes the document of the authorization server.
    pub issuer: fn(&mut Value),
    /// Changes what the browser brings back.
    pub answer: fn(&mut BTreeMap<String, String>),
    /// Changes the answer with a token.
    pub token: fn(&mut Value),
    /// The address that the server names for its document; its own where there is none.
    pub metadata: Option<String>,
    /// Whole responses that stand at paths of either.
    pub pages: BTreeMap<&'static str, Vec<u8>>,
    /// The scope that the server wants.
    pub scope: &'static str,
    /// Whose account it is.
    pub account: &'static str,
    /// Seconds that a token lasts.
    pub lasts: u64,
    /// Which methods need a token.
    pub needs_token: fn(&str) -> bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            resource: |_| (),
            issuer: |_| (),
            answer: |_| (),
            token: |_| (),
            metadata: None,
            pages: BTreeMap::new(),
            scope: "read",
            account: "ana",
            lasts: 3_600,
            needs_token: |_| true,
        }
    }
}

/// A request that came.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Whether the authorization server was asked.
    pub of_issuer: bool,
    /// `METHOD /path?query`.
    pub line: String,
    /// Its headers, names in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Asked {
    /// What its form says.
    pub fn form(&self) -> BTreeMap<String, String> {
        form_urlencoded::parse(self.body.as_bytes()).into_owned().collect()
    }
}

#[derive(Debug, Default)]
struct State {
    plan: Plan,
    asked: Vec<Asked>,
    /// What a code was given for: challenge, redirect address, scope, resource.
    codes: BTreeMap<String, [String; 4]>,
    /// The scopes of each token that is taken.
    tokens: BTreeMap<String, BTreeSet<String>>,
    renewals: BTreeMap<String, String>,
    /// Every token that was ever given.
    given: Vec<String>,
}

/// The two servers; their threads end with the test's process.
#[derive(Clone, Debug)]
pub struct Signed {
    server: u16,
    issuer: u16,
    state: Arc<Mutex<State>>,
}

impl Signed {
    pub fn start() -> Self {
        let listen = || TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = |listener: &TcpListener| listener.local_addr().expect("an address").port();
        let [server, issuer] = [listen(), listen()];
        let both = Self { server: port(&server), issuer: port(&issuer), state: Arc::default() };
        for (listener, of_issuer) in [(server, false), (issuer, true)] {
            let both = both.clone();
            thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    let both = both.clone();
                    thread::spawn(move || while both.serve_one(&stream, of_issuer).is_some() {});
                }
            });
        }
        both
    }

    pub fn plan(&self, plan: Plan) {
        self.state().plan = plan;
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.server)
    }

    pub fn issuer(&self) -> String {
        format!("http://127.0.0.1:{}", self.issuer)
    }

    /// The authorization server's host, as a person agrees to it.
    pub fn issuer_host(&self) -> String {
        format!("127.0.0.1:{}", self.issuer)
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.state().asked.clone()
    }

    /// The requests for a token, as their forms.
    pub fn token_forms(&self) -> Vec<BTreeMap<String, String>> {
        let asked = self.asked().into_iter();
        asked.filter(|asked| asked.line == "POST /token").map(|asked| asked.form()).collect()
    }

    /// Every token that was ever given.
    pub fn given(&self) -> Vec<String> {
        self.state().given.clone()
    }

    /// Takes no token any more that was given so far.
    pub fn revoke(&self) {
        self.state().tokens.clear();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve_one(&self, stream: &TcpStream, of_issuer: bool) -> Option<()> {
        let asked = read(stream, of_issuer)?;
        self.state().asked.push(asked.clone());
        let response = self.respond(&asked);
        let mut stream = stream;
        stream.write_all(&response).ok()
    }

    fn respond(&self, asked: &Asked) -> Vec<u8> {
        let plan = self.state().plan.clone();
        let (method, target) = asked.line.split_once(' ').unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        if let Some(page) = plan.pages.get(path) {
            return page.clone();
        }
        match (method, path) {
            ("GET", "/.well-known/oauth-protected-resource/mcp") if !asked.of_issuer => {
                let mut document = json!({
                    "resource": self.url(), "authorization_servers": [self.issuer()], "scopes_supported": ["all"],
                });
                (plan.resource)(&mut document);
                response("200 OK", "", Some(&document))
            }
            ("GET", "/.well-known/oauth-authorization-server") if asked.of_issuer => {
                let at = |path: &str| format!("{}{path}", self.issuer());
                let mut document = json!({
                    "issuer": self.issuer(), "authorization_endpoint": at("/authorize"), "token_endpoint": at("/token"),
                    "registration_endpoint": at("/register"), "code_challenge_methods_supported": ["S256"],
                    "response_types_supported": ["code"], "authorization_response_iss_parameter_supported": true,
                });
                (plan.issuer)(&mut document);
                response("200 OK", "", Some(&document))
            }
            ("POST", "/register") => {
                let asked: Value = serde_json::from_str(&asked.body).unwrap_or_default();
                let client = json!({"client_id": "registered", "redirect_uris": asked["redirect_uris"]});
                response("201 Created", "", Some(&client))
            }
            ("GET", "/authorize") => self.authorize(&plan, query),
            ("POST", "/token") => self.token(&plan, asked),
            ("POST", "/mcp") => self.message(&plan, asked),
            ("DELETE", "/mcp") => response("204 No Content", "", None),
            _ => response("404 Not Found", "", None),
        }
    }

    fn authorize(&self, plan: &Plan, query: &str) -> Vec<u8> {
        let asked: BTreeMap<String, String> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let of = |name: &str| asked.get(name).cloned().unwrap_or_default();
        let mut state = self.state();
        let code = format!("code-{}", state.codes.len());
        let grant = [of("code_challenge"), of("redirect_uri"), of("scope"), of("resource")];
        state.codes.insert(code.clone(), grant);
        let mut answer = BTreeMap::from([("code".to_owned(), code), ("iss".to_owned(), self.issuer())]);
        answer.insert("state".to_owned(), of("state"));
        (plan.answer)(&mut answer);
        let query: String = form_urlencoded::Serializer::new(String::new()).extend_pairs(&answer).finish();
        response("302 Found", &format!("location: {}?{query}\r\n", of("redirect_uri")), None)
    }

    fn token(&self, plan: &Plan, asked: &Asked) -> Vec<u8> {
        let form = asked.form();
        let of = |name: &str| form.get(name).cloned().unwrap_or_default();
        let mut state = self.state();
        let scope = match of("grant_type").as_str() {
            "authorization_code" => {
                let digest = URL_SAFE_NO_PAD.encode(Sha256::digest(of("code_verifier")));
                let grant = state.codes.remove(&of("code"));
                let fits = |grant: &[String; 4]| {
                    let [challenge, redirect, _, resource] = grant;
                    *challenge == digest && *redirect == of("redirect_uri") && *resource == of("resource")
                };
                grant.filter(fits).map(|[_, _, scope, _]| scope)
            }
            "refresh_token" => state.renewals.remove(&of("refresh_token")),
            "client_credentials"
                if asked.headers.get("authorization").is_some_and(|basic| basic.starts_with("Basic ")) =>
            {
                Some(of("scope"))
            }
            _ => None,
        };
        let Some(scope) = scope else {
            return response("400 Bad Request", "", Some(&json!({"error": "invalid_grant"})));
        };
        let number = state.given.len();
        let [access, refresh] = ["access", "refresh"].map(|kind| format!("{kind}-Zq8wLmT4xVb2sRc1-{number}"));
        state.given.extend([access.clone(), refresh.clone()]);
        state.tokens.insert(access.clone(), scope.split(' ').map(str::to_owned).collect());
        state.renewals.insert(refresh.clone(), scope.clone());
        let claims = URL_SAFE_NO_PAD.encode(json!({"sub": plan.account}).to_string());
        let mut answer = json!({
            "access_token": access, "token_type": "Bearer", "expires_in": plan.lasts, "refresh_token": refresh,
            "scope": scope, "id_token": format!("e30.{claims}.x"),
        });
        (plan.token)(&mut answer);
        response("200 OK", "cache-control: no-store\r\n", Some(&answer))
    }

    fn message(&self, plan: &Plan, asked: &Asked) -> Vec<u8> {
        let message: Value = serde_json::from_str(&asked.body).unwrap_or_default();
        let method = message["method"].as_str().unwrap_or_default();
        let token =
            asked.headers.get("authorization").and_then(|value| value.strip_prefix("Bearer ")).map(str::to_owned);
        let scopes = token.and_then(|token| self.state().tokens.get(&token).cloned());
        let own = format!("http://127.0.0.1:{}/.well-known/oauth-protected-resource/mcp", self.server);
        let place = plan.metadata.clone().unwrap_or(own);
        let challenge = |more: &str| {
            format!("www-authenticate: Bearer resource_metadata=\"{place}\", scope=\"{}\"{more}\r\n", plan.scope)
        };
        match scopes {
            _ if !(plan.needs_token)(method) => {}
            None => return response("401 Unauthorized", &challenge(""), None),
            Some(scopes) if !scopes.contains(plan.scope) => {
                return response("403 Forbidden", &challenge(", error=\"insufficient_scope\""), None);
            }
            Some(_) => {}
        }
        let result = match method {
            "initialize" => json!({
                "protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                "serverInfo": {"name": "signed", "version": "1"},
            }),
            "tools/list" => json!({"tools": [{"name": "forecast", "inputSchema": {"type": "object"}}]}),
            _ if message.get("id").is_none() => return response("202 Accepted", "", None),
            _ => {
                let error = json!({"code": -32601, "message": "no such method"});
                return response("200 OK", "", Some(&json!({"jsonrpc": "2.0", "id": message["id"], "error": error})));
            }
        };
        response("200 OK", "", Some(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result})))
    }
}

/// A whole response.
pub fn response(status: &str, headers: &str, body: Option<&Value>) -> Vec<u8> {
    let (kind, body) = match body {
        Some(body) => ("content-type: application/json\r\n", body.to_string()),
        None => ("", String::new()),
    };
    format!("HTTP/1.1 {status}\r\n{headers}{kind}content-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn read(stream: &TcpStream, of_issuer: bool) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        match line.trim() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let line = lines.first()?.strip_suffix(" HTTP/1.1")?.to_owned();
    let header =
        |line: &String| line.split_once(':').map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()));
    let headers: BTreeMap<_, _> = lines.iter().skip(1).filter_map(header).collect();
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Asked { of_issuer, line, headers, body: String::from_utf8_lossy(&body).into_owned() })
}

/// What a browser gets that opens a URL of this machine, its head and its body.
pub fn get(url: &str) -> String {
    let (host, path) =
        url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("a URL of this machine");
    let mut stream = TcpStream::connect(host).expect("somebody listens");
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("it is sent");
    let mut head = String::new();
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).expect("an answer") > 0 {
        let last = head.lines().last().unwrap_or_default().to_lowercase();
        length = last.strip_prefix("content-length:").and_then(|value| value.trim().parse().ok()).unwrap_or(length);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    head + &String::from_utf8_lossy(&body)
}

/// What a person sees who opens the URL of a sign-in and agrees there.
pub fn agree(url: &str) -> String {
    let answer = get(url);
    let back = answer.lines().find_map(|line| line.strip_prefix("location: ")).expect("a redirect").to_owned();
    get(&back)
}
