//! Signing in to a server that wants it: the whole flow, what renews it, what is refused, and that no token is anywhere else
//! than where sign-ins are kept.

use super::project::{Done, Project};
use super::signed::{Plan, Signed, agree, response};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub fn project_of(server: &Signed, more: &str) -> Project {
    let project = Project::new();
    project.write("pinwatch.toml", &format!("[servers.weather]\nurl = \"{}\"\n{more}", server.url()));
    project
}

fn project(server: &Signed, more: &str) -> Project {
    project_of(server, more)
}

/// Signs in to a server, with a person who agrees to the authorization server's host and in the browser. What the browser
/// showed, and how the command ended.
fn sign_in(project: &Project, server: &Signed) -> (String, Done) {
    sign_in_with(server, &|words| project.command(words))
}

/// The same by a command that is made of these words.
pub fn sign_in_with(server: &Signed, command: &dyn Fn(&[&str]) -> Command) -> (String, Done) {
    let host = server.issuer_host();
    let mut command = command(&["sign-in", "weather", "--yes", "--agree", &host]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut out = Vec::new();
    let mut page = String::new();
    for line in lines {
        if line.contains("/authorize?") {
            page = agree(&line);
        }
        out.push(line);
    }
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    let code = child.wait().unwrap().code().unwrap_or(-1);
    (page, Done { code, out: out.join("\n"), err })
}

fn signed_in(project: &Project, server: &Signed) -> Done {
    let (page, done) = sign_in(project, server);
    assert_eq!(done.code, 0, "{page} {done:?}");
    done
}

/// A sign-in that is refused by this name.
fn refused(plan: Plan, more: &str, name: &str) -> (String, Done) {
    let server = Signed::start();
    server.plan(plan);
    let project = project(&server, more);
    let (page, done) = sign_in(&project, &server);
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.err.contains(&format!("({name})")), "{name}: {done:?}");
    assert!(!project.home().join("state/pinwatch/sign-ins").exists(), "something was kept: {done:?}");
    (page, done)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(files(&path)),
            path => found.push(path),
        }
    }
    found
}

fn kept(project: &Project) -> Vec<PathBuf> {
    files(&project.home().join("state/pinwatch/sign-ins"))
}

#[test]
fn a_whole_sign_in_records_and_checks() {
    let server = Signed::start();
    let project = project(&server, "");
    let done = project.expect(2, &["check", "--yes"]);
    assert!(done.out.contains("sign in with `pinwatch sign-in weather`"), "{done:?}");

    let asks = project.expect(2, &["sign-in", "weather", "--yes"]);
    let host = server.issuer_host();
    assert!(asks.out.contains(&format!("pinwatch sign-in weather --agree {host}")), "{asks:?}");
    assert!(server.asked().iter().all(|asked| !asked.of_issuer), "asked before anybody agreed");

    let (page, done) = sign_in(&project, &server);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(page.contains("200 OK") && page.contains("You can close this page."), "{page}");
    let account = format!("account ana at {}; scopes: read", server.issuer());
    assert!(done.out.contains(&account), "{done:?}");

    project.expect(0, &["record", "--yes"]);
    project.expect(0, &["check", "--yes"]);
    assert_eq!(project.baseline("weather")["anchor"]["auth_scope"], json!(account));

    project.expect(0, &["sign-out", "weather"]);
    assert_eq!(kept(&project), Vec::<PathBuf>::new());
    project.expect(2, &["sign-out", "weather"]);
    project.expect(2, &["check", "--yes"]);

    let log = fs::read_to_string(project.home().join("state/pinwatch/audit.jsonl")).unwrap();
    let records = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let told: Vec<_> = records
        .filter(|record| record["event_type"].as_str().is_some_and(|word| word.starts_with("signed")))
        .map(|record| format!("{} {}", record["event_type"], record["evidence"]["note"]))
        .collect();
    assert_eq!(told, [format!("\"signed_in\" \"{account}\""), "\"signed_out\" \"\"".to_owned()]);
    assert!(server.given().iter().all(|token| !log.contains(token.as_str())), "{log}");
}

#[test]
fn a_token_is_asked_for_by_the_rules() {
    let server = Signed::start();
    signed_in(&project(&server, ""), &server);
    let asked = server.asked();
    let line = asked.iter().find(|asked| asked.line.starts_with("GET /authorize?")).unwrap().line.clone();
    for part in ["response_type=code", "code_challenge_method=S256", "resource=http%3A%2F%2F127.0.0.1", "scope=read"] {
        assert!(line.contains(part), "{part}: {line}");
    }
    let form = server.token_forms().pop().unwrap();
    assert_eq!(form["grant_type"], "authorization_code");
    assert_eq!((form["client_id"].as_str(), form["resource"].as_str()), ("registered", server.url().as_str()));
    let register = asked.iter().find(|asked| asked.line == "POST /register").unwrap();
    let register: Value = serde_json::from_str(&register.body).unwrap();
    assert_eq!(register["token_endpoint_auth_method"], "none");
    assert_eq!(register["application_type"], "native");
    // Neither document was asked for with anything of anybody's.
    for asked in asked.iter().filter(|asked| asked.line.contains("/.well-known/")) {
        let names: Vec<_> = asked.headers.keys().map(String::as_str).collect();
        assert_eq!(names, ["accept", "accept-encoding", "host", "user-agent"], "{asked:?}");
    }
}

#[test]
fn a_token_is_in_no_place_but_its_own() {
    let server = Signed::start();
    let project = project(&server, "");
    let mut told = vec![signed_in(&project, &server)];
    for words in [["record", "--yes"], ["check", "--yes"], ["check", "--format=json"], ["show", "weather"]] {
        told.push(project.run(&words));
    }
    let own = kept(&project);
    assert_eq!(own.len(), 1);
    assert_eq!(fs::metadata(&own[0]).unwrap().permissions().mode() & 0o777, 0o600);
    let given = server.given();
    assert!(given.len() >= 2);
    let places = files(project.whole()).into_iter().filter(|path| !own.contains(path));
    let texts = places.map(|path| (path.display().to_string(), fs::read(path).unwrap()));
    let told = told.iter().map(|done| ("a command".to_owned(), format!("{done:?}").into_bytes()));
    for (place, text) in texts.chain(told) {
        let text = String::from_utf8_lossy(&text).into_owned();
        assert!(given.iter().all(|token| !text.contains(token.as_str())), "{place} holds a token: {text}");
    }
}

#[test]
fn a_sign_in_that_others_can_read_is_refused() {
    let server = Signed::start();
    let project = project(&server, "");
    signed_in(&project, &server);
    let own = kept(&project).remove(0);
    fs::set_permissions(&own, fs::Permissions::from_mode(0o644)).unwrap();
    let done = project.expect(2, &["check", "--yes"]);
    assert!(done.out.contains("can be read by others (mode 644)"), "{done:?}");
    fs::remove_file(&own).unwrap();
    signed_in(&project, &server);
    assert_eq!(fs::metadata(own).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_token_that_ends_is_renewed() {
    let server = Signed::start();
    server.plan(Plan { lasts: 5, ..Plan::default() });
    let project = project(&server, "");
    signed_in(&project, &server);
    project.expect(0, &["record", "--yes"]);
    project.expect(0, &["check", "--yes"]);
    let renewals = server.token_forms().into_iter().filter(|form| form["grant_type"] == "refresh_token");
    let renewals: Vec<_> = renewals.map(|form| form["refresh_token"].clone()).collect();
    assert_eq!(renewals.len(), 2);
    assert_ne!(renewals[0], renewals[1], "one that was used up was sent again");
}

#[test]
fn a_token_that_is_not_taken_is_renewed_once() {
    let server = Signed::start();
    let project = project(&server, "");
    signed_in(&project, &server);
    project.expect(0, &["record", "--yes"]);
    server.revoke();
    project.expect(0, &["check", "--yes"]);
    assert_eq!(server.token_forms().len(), 2);
    server.plan(Plan { token: |answer| answer["access_token"] = json!("nobody-knows-this"), ..Plan::default() });
    server.revoke();
    let done = project.expect(2, &["check", "--yes"]);
    assert!(done.out.contains("pinwatch sign-in weather"), "{done:?}");
    assert_eq!(server.token_forms().len(), 3);
}

#[test]
fn another_account_is_another_anchor() {
    let server = Signed::start();
    let project = project(&server, "");
    signed_in(&project, &server);
    project.expect(0, &["record", "--yes"]);
    project.expect(0, &["sign-out", "weather"]);
    server.plan(Plan { account: "eve", ..Plan::default() });
    signed_in(&project, &server);
    let done = project.expect(1, &["check", "--yes"]);
    assert!(done.out.contains("Another account or scopes of the sign-in"), "{done:?}");
    assert!(done.out.contains("account eve") && done.out.contains("critical"), "{done:?}");
}

#[test]
fn a_sign_in_that_is_gone_is_another_anchor() {
    let server = Signed::start();
    let project = project(&server, "");
    signed_in(&project, &server);
    project.expect(0, &["record", "--yes"]);
    project.expect(0, &["sign-out", "weather"]);
    // The server asks nobody any more.
    server.plan(Plan { needs_token: |_| false, ..Plan::default() });
    let done = project.run(&["check", "--yes"]);
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.out.contains("nobody is signed in now"), "{done:?}");
}

#[test]
fn a_server_may_want_a_sign_in_for_its_lists_alone() {
    let server = Signed::start();
    server.plan(Plan { needs_token: |method| method == "tools/list", ..Plan::default() });
    let project = project(&server, "");
    let done = project.expect(2, &["check", "--yes"]);
    assert!(done.out.contains("pinwatch sign-in weather"), "{done:?}");
    signed_in(&project, &server);
    project.expect(0, &["record", "--yes"]);
    assert_eq!(project.baseline("weather")["pins"].as_array().unwrap().len(), 4);
}

#[test]
fn credentials_of_the_entry_are_not_looked_into() {
    let server = Signed::start();
    let project = project(&server, "");
    signed_in(&project, &server);
    project.expect(0, &["record", "--yes"]);
    let token = server.given()[0].clone();
    let config = project.read("pinwatch.toml") + "headers = { Authorization = \"Bearer ${TOKEN}\" }\n";
    project.write("pinwatch.toml", &config);
    let done = super::project::done(project.command(&["check", "--yes", "--fail-on", "never"]).env("TOKEN", token));
    assert!(done.out.contains("anchor not checked"), "{done:?}");
    assert!(done.out.contains("its entry sends credentials of its own"), "{done:?}");
    let done = project.expect(2, &["sign-in", "weather", "--yes"]);
    assert!(done.err.contains("sends an `Authorization` of its own") || done.err.contains("TOKEN"), "{done:?}");
}

#[test]
fn more_scopes_are_asked_for_with_what_there_was() {
    let server = Signed::start();
    let project = project(&server, "");
    signed_in(&project, &server);
    server.plan(Plan { scope: "write", ..Plan::default() });
    let done = project.expect(2, &["check", "--yes"]);
    assert!(done.out.contains("pinwatch sign-in weather") && done.out.contains("`write`"), "{done:?}");
    let done = signed_in(&project, &server);
    assert!(done.out.contains("scopes: read write"), "{done:?}");
    project.expect(0, &["record", "--yes"]);
}

#[test]
fn a_given_client_goes_first_then_its_document() {
    let client = |more: &str, issuer: fn(&mut Value)| {
        let server = Signed::start();
        server.plan(Plan { issuer, ..Plan::default() });
        let project = project(&server, more);
        signed_in(&project, &server);
        let registered = server.asked().iter().any(|asked| asked.line == "POST /register");
        (server.token_forms().pop().unwrap()["client_id"].clone(), registered)
    };
    let document = "[servers.weather.sign-in]\nclient-document = \"https://me.example/client.json\"\n";
    let both = format!("{document}client-id = \"mine\"\n");
    let takes = |issuer: &mut Value| issuer["client_id_metadata_document_supported"] = json!(true);
    assert_eq!(client(&both, takes), ("mine".to_owned(), false));
    assert_eq!(client(document, takes), ("https://me.example/client.json".to_owned(), false));
    assert_eq!(client(document, |_| ()), ("registered".to_owned(), true));
}

#[test]
fn a_machine_signs_in_from_the_environment() {
    let server = Signed::start();
    let section = format!(
        "[servers.weather.sign-in]\nclient-id = \"ci\"\nclient-secret = \"${{SECRET}}\"\ngrant = \"client-credentials\"\n\
         authorization-server = \"{}\"\n",
        server.issuer()
    );
    let project = project(&server, &section);
    let run = |words: &[&str]| super::project::done(project.command(words).env("SECRET", "s3cr3t-of-ci-Zq8wLm"));
    let done = run(&["record", "--yes"]);
    assert_eq!(done.code, 0, "{done:?}");
    let done = run(&["check", "--yes"]);
    assert_eq!(done.code, 0, "{done:?}");
    // Asked for what the server's document names, then for what it wants as well.
    let account = format!("account client ci at {}; scopes: all read", server.issuer());
    assert_eq!(project.baseline("weather")["anchor"]["auth_scope"], json!(account));
    assert_eq!(kept(&project), Vec::<PathBuf>::new());
    for path in files(project.whole()) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        assert!(!text.contains("s3cr3t-of-ci"), "{}: {text}", path.display());
    }

    let without = section.lines().filter(|line| !line.starts_with("authorization-server"));
    let config = format!("[servers.weather]\nurl = \"{}\"\n{}\n", server.url(), without.collect::<Vec<_>>().join("\n"));
    project.write("pinwatch.toml", &config);
    let before = server.token_forms().len();
    let done = run(&["check", "--yes"]);
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.out.contains("which nobody agreed to"), "{done:?}");
    assert_eq!(server.token_forms().len(), before, "the secret was sent to a host that nobody agreed to");
}

#[test]
fn a_document_of_another_origin_is_refused() {
    let elsewhere = Signed::start();
    let metadata = Some(format!("{}/document", elsewhere.issuer()));
    refused(Plan { metadata, ..Plan::default() }, "", "resource-metadata-elsewhere");
    assert!(elsewhere.asked().is_empty());
}

#[test]
fn a_document_about_another_resource_is_refused() {
    refused(
        Plan { resource: |document| document["resource"] = json!("https://bank.example/mcp"), ..Plan::default() },
        "",
        "resource-mismatch",
    );
}

#[test]
fn another_issuer_is_refused() {
    refused(
        Plan { issuer: |document| document["issuer"] = json!("https://login.example"), ..Plan::default() },
        "",
        "issuer-mismatch",
    );
    let answer = |answer: &mut std::collections::BTreeMap<String, String>| {
        answer.insert("iss".to_owned(), "https://login.example".to_owned());
    };
    let (page, _) = refused(Plan { answer, ..Plan::default() }, "", "issuer-mismatch");
    assert!(page.contains("400 Bad Request"), "{page}");
    refused(
        Plan {
            answer: |answer| {
                answer.remove("iss");
            },
            ..Plan::default()
        },
        "",
        "issuer-mismatch",
    );
}

#[test]
fn another_state_is_refused() {
    let answer = |answer: &mut std::collections::BTreeMap<String, String>| {
        answer.insert("state".to_owned(), "another".to_owned());
    };
    let (page, done) = refused(Plan { answer, ..Plan::default() }, "", "state-mismatch");
    assert!(page.contains("400 Bad Request") && !page.contains("another"), "{page} {done:?}");
}

#[test]
fn a_token_in_a_redirect_is_refused() {
    let answer = |answer: &mut std::collections::BTreeMap<String, String>| {
        answer.insert("access_token".to_owned(), "t0k3n-in-an-address".to_owned());
    };
    let (page, done) = refused(Plan { answer, ..Plan::default() }, "", "token-in-redirect");
    assert!(!format!("{page}{done:?}").contains("t0k3n"), "{page} {done:?}");
}

#[test]
fn a_port_that_another_process_has_is_refused() {
    let grabber = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = grabber.local_addr().unwrap().port();
    let section = format!("[servers.weather.sign-in]\nclient-id = \"mine\"\nredirect-port = {port}\n");
    let (page, done) = refused(Plan::default(), &section, "redirect-port-taken");
    assert!(page.is_empty() && !done.out.contains("/authorize"), "a URL was shown: {done:?}");
    drop(grabber);
}

#[test]
fn redirects_in_place_of_answers_are_refused() {
    let elsewhere = Signed::start();
    let place = format!("location: {}/x\r\n", elsewhere.issuer());
    for path in
        ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server", "/register", "/token"]
    {
        let pages = [(path, response("302 Found", &place, None))].into();
        refused(Plan { pages, ..Plan::default() }, "", "redirect-refused");
    }
    assert!(elsewhere.asked().is_empty(), "a redirect was followed");
}

#[test]
fn a_place_that_is_no_safe_address_is_refused() {
    type Change = fn(&mut Value);
    let cases: [(Change, &str); 4] = [
        (|one| one["authorization_endpoint"] = json!("javascript:alert(1)"), "insecure-address"),
        (|one| one["authorization_endpoint"] = json!("http://login.example/a"), "insecure-address"),
        (|one| one["token_endpoint"] = json!("file:///etc/passwd"), "insecure-address"),
        (|one| one["code_challenge_methods_supported"] = json!(["plain"]), "no-pkce"),
    ];
    for (issuer, name) in cases {
        refused(Plan { issuer, ..Plan::default() }, "", name);
    }
}

#[test]
fn a_person_who_is_refused_is_told_why() {
    let answer = |answer: &mut std::collections::BTreeMap<String, String>| {
        answer.remove("code");
        answer.insert("error".to_owned(), "access_denied".to_owned());
        answer.insert("error_description".to_owned(), "not you\u{1b}[2J".to_owned());
    };
    let (_, done) = refused(Plan { answer, ..Plan::default() }, "", "authorization-refused");
    assert!(done.err.contains("access_denied): not you<U+001B>[2J"), "{done:?}");
}

#[test]
fn a_document_that_is_too_large_is_refused() {
    let large = response("200 OK", "", Some(&json!("x".repeat(1 << 20))));
    let pages = [("/.well-known/oauth-protected-resource/mcp", large)].into();
    refused(Plan { pages, ..Plan::default() }, "", "answer-too-large");
}

#[test]
fn a_token_of_another_type_is_refused() {
    refused(Plan { token: |answer| answer["token_type"] = json!("mac"), ..Plan::default() }, "", "not-a-bearer-token");
    let (_, done) = refused(
        Plan { token: |answer| answer["access_token"] = json!("t0k3n\u{7}"), ..Plan::default() },
        "",
        "bad-token-answer",
    );
    assert!(!format!("{done:?}").contains("t0k3n"), "{done:?}");
}
