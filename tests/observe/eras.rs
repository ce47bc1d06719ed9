//! Which era is tried, and what is tried next.

use super::kit::*;
use pinwatch::mcp::{Limits, Options, Session, Target};
use pinwatch::surface::{Era, Overall};
use std::time::Duration;

fn knowing(known_era: Option<Era>) -> Options {
    Options { known_era, ..options() }
}

/// What the server was asked before its lists.
fn opening(bench: &Bench) -> Vec<String> {
    bench.log().into_iter().take_while(|line| !line.ends_with("/list")).filter(|line| !line.contains(':')).collect()
}

#[tokio::test]
async fn known_era_is_tried_first_then_the_other() {
    use Era::{Discover, Initialize};
    let cases: &[(&str, Option<Era>, Era, &[&str])] = &[
        ("initialize", None, Initialize, &["server/discover", "initialize", "notifications/initialized"]),
        ("initialize", Some(Initialize), Initialize, &["initialize", "notifications/initialized"]),
        ("initialize", Some(Discover), Initialize, &["server/discover", "initialize", "notifications/initialized"]),
        ("discover", None, Discover, &["server/discover"]),
        ("discover", Some(Discover), Discover, &["server/discover"]),
        ("discover", Some(Initialize), Discover, &["initialize", "server/discover"]),
        ("both", None, Discover, &["server/discover"]),
        ("both", Some(Initialize), Initialize, &["initialize", "notifications/initialized"]),
    ];
    for (server, known, expected, asked) in cases {
        let how = format!("--era {server}");
        let stdio = Bench::new(PLAIN);
        let observation = observe(&stdio.stdio(&how), &knowing(*known)).await;
        assert_eq!(observation.overall(), Overall::Complete, "{server} {known:?}");
        assert_eq!(observation.observed_as.map(|seen| seen.era), Some(*expected), "{server} {known:?}");
        assert_eq!(opening(&stdio), *asked, "{server} {known:?}");
        let http = Bench::new(PLAIN);
        let observation = observe(&http.http(&how).target(), &knowing(*known)).await;
        assert_eq!(observation.overall(), Overall::Complete, "{server} {known:?}");
        assert_eq!(observation.observed_as.map(|seen| seen.era), Some(*expected), "{server} {known:?} over HTTP");
    }
}

#[tokio::test]
async fn server_killed_by_a_question_is_restarted() {
    let bench = Bench::new(PLAIN);
    let observation = observe(&bench.stdio("die-at-discover"), &options()).await;
    assert_eq!(observation.overall(), Overall::Complete);
    assert_eq!(opening(&bench), ["server/discover", "initialize", "notifications/initialized"]);
}

/// A short silence is enough to be asked the other question, too.
fn brisk() -> Limits {
    Limits { probe: Duration::from_millis(300), ..Limits::default() }
}

#[tokio::test]
async fn ignored_question_is_followed_in_the_same_process() {
    let bench = Bench::new(PLAIN);
    let opened = soon(Session::open(&bench.stdio("ignore-discover"), &options(), &brisk())).await;
    let mut session = opened.expect("a session");
    let observation = see(&mut session).await;
    assert_eq!((observation.overall(), observation.notices), (Overall::Complete, Vec::new()));
    assert_eq!(opening(&bench), ["server/discover", "initialize", "notifications/initialized"]);
    soon(session.close()).await;
}

#[tokio::test]
async fn server_silenced_by_a_question_is_restarted() {
    let bench = Bench::new(PLAIN);
    let hurried = Options { start_timeout: Duration::from_secs(2), ..options() };
    let observation = observe(&bench.stdio("wedge-at-discover"), &hurried).await;
    assert_eq!(observation.overall(), Overall::Complete);
    let asked = opening(&bench);
    assert_eq!(asked.iter().filter(|line| *line == "initialize").count(), 2, "{asked:?}");
}

/// A server that reads nothing for a second, and then both questions at once.
fn slow(bench: &Bench, how: &str) -> Target {
    let Target::Stdio { command: program, args, .. } = bench.stdio(how) else { panic!("a command") };
    let script = "sleep 1; exec \"$0\" \"$@\"".to_owned();
    command("sh", ["-c".to_owned(), script, program].into_iter().chain(args).collect())
}

#[tokio::test]
async fn slow_server_is_not_taken_for_the_other_era() {
    let cases = [
        ("--era discover", None, Era::Discover),
        ("--era initialize", None, Era::Initialize),
        // It takes both questions, and goes on in the era of the second.
        ("--era both", None, Era::Initialize),
        // What is known is waited for.
        ("--era both", Some(Era::Discover), Era::Discover),
        ("--era both", Some(Era::Initialize), Era::Initialize),
    ];
    for (how, known, expected) in cases {
        let bench = Bench::new(PLAIN);
        let opened = soon(Session::open(&slow(&bench, how), &knowing(known), &brisk())).await;
        let mut session = opened.expect("a session");
        let observation = see(&mut session).await;
        assert_eq!(observation.observed_as.as_ref().map(|seen| seen.era), Some(expected), "{how} {known:?}");
        assert_eq!((observation.overall(), observation.notices), (Overall::Complete, Vec::new()), "{how} {known:?}");
        see_nothing(&mut session).await;
        soon(session.close()).await;
    }
}

#[tokio::test]
async fn an_unknown_revision_is_named() {
    for era in ["initialize", "discover"] {
        let bench = Bench::new(r#"{"capabilities": {}, "protocol_version": "2031-01-01"}"#);
        let how = format!("--era {era}");
        for (code, text) in
            [refused(&bench.stdio(&how), &options()).await, refused(&bench.http(&how).target(), &options()).await]
        {
            assert_eq!(code, "unsupported-protocol");
            assert!(text.contains("2031-01-01"), "{text}");
        }
    }
}

#[tokio::test]
async fn each_revision_of_the_initialize_era_works() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let bench = Bench::new(PLAIN.replacen('{', &format!("{{\"protocol_version\": \"{version}\", "), 1));
        let observation = observe(&bench.stdio(""), &knowing(Some(Era::Initialize))).await;
        assert_eq!(observation.observed_as.map(|seen| seen.protocol_version).as_deref(), Some(version));
    }
}

/// A server in a shell. `discover` and `initialize` are what it does then, in words of a shell: `refuse ERROR`, `accept`
/// or anything else; `$VERSION` is what it was asked for. Each start and each `initialize` is a line of the log.
fn shell(bench: &Bench, discover: &str, initialize: &str) -> Target {
    let log = bench.file().with_extension("starts");
    let script = format!(
        r#"LOG='{}'; echo start >> "$LOG"
        refuse() {{ echo "{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":$1}}"; }}
        result() {{ echo "{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":$1}}"; }}
        accept() {{ result "{{\"protocolVersion\":\"$VERSION\",\"capabilities\":{{\"tools\":{{}}}},\"serverInfo\":{{\"name\":\"a\"}}}}"; }}
        REFUSED=
        while read -r LINE; do
            ID=${{LINE#*\"id\":}}; ID=${{ID%%,*}}; VERSION=${{LINE#*\"protocolVersion\":\"}}; VERSION=${{VERSION%%\"*}}
            case "$LINE" in
            *server/discover*) {discover} ;;
            *\"initialize\"*) echo "$VERSION" >> "$LOG"; {initialize} ;;
            *tools/list*) result '{{"tools":[{{"name":"read"}}]}}' ;;
            esac
        done"#,
        log.display()
    );
    command("sh", vec!["-c".to_owned(), script])
}

/// What a server in a shell was asked for.
fn asked_for(bench: &Bench) -> String {
    let log = std::fs::read_to_string(bench.file().with_extension("starts")).unwrap_or_default();
    log.split_whitespace().collect::<Vec<_>>().join(" ")
}

const UNKNOWN: &str = r#"refuse '{"code":-32601,"message":"Method not found"}'"#;
const OLD: &str = r"[ $VERSION = 2024-11-05 ] && accept";

#[tokio::test]
async fn refused_revision_leads_to_named_then_oldest() {
    let words =
        r#"refuse "{\"code\":-32602,\"message\":\"Unsupported: $VERSION. Supported: 2024-11-05, 2025-06-18\"}""#;
    let data = r#"refuse '{"code":-32602,"message":"no","data":{"supported":["2025-03-26"],"requested":"x"}}'"#;
    let mute = r#"refuse '{"code":-32000,"message":"protocol version not supported"}'"#;
    let bare = "refuse '\"no\"'";
    let failed = r#"refuse '{"code":-32600,"message":"already failed"}'"#;
    let spoilt = format!("if [ \"$REFUSED\" ]; then {failed}; elif {OLD}; then :; else REFUSED=1; {mute}; fi");
    let exits = "{ echo 'unsupported protocol version' >&2; exit 1; }";
    let named = r#"refuse '{"code":-32022,"message":"speaks 2025-06-18 only"}'"#;
    // How it takes the two questions, what it is asked for from one start to the next, and what is agreed on.
    let cases = [
        (UNKNOWN, format!("[ $VERSION = 2025-06-18 ] && accept || {words}"), "start 2025-11-25 2025-06-18"),
        (UNKNOWN, format!("[ $VERSION = 2025-03-26 ] && accept || {data}"), "start 2025-11-25 2025-03-26"),
        (UNKNOWN, format!("{OLD} || {mute}"), "start 2025-11-25 2024-11-05"),
        (UNKNOWN, format!("{OLD} || {bare}"), "start 2025-11-25 2024-11-05"),
        (named, format!("[ $VERSION = 2025-06-18 ] && accept || {bare}"), "start 2025-11-25 2025-06-18"),
        // Nothing that comes after the first refusal is taken.
        (UNKNOWN, spoilt, "start 2025-11-25 2024-11-05 start 2024-11-05"),
        // It ends, and says why, or not, or only closes its output.
        (UNKNOWN, format!("{OLD} || {exits}"), "start 2025-11-25 start 2024-11-05"),
        (UNKNOWN, format!("{OLD} || exit 0"), "start 2025-11-25 start 2025-11-25 start 2024-11-05"),
        ("exit 0", format!("{OLD} || {exits}"), "start start 2025-11-25 start 2024-11-05"),
        (UNKNOWN, format!("{OLD} || {{ exec >&-; sleep 60; }}"), "start 2025-11-25 start 2025-11-25 start 2024-11-05"),
    ];
    for (discover, initialize, asked) in cases {
        let bench = Bench::new(PLAIN);
        let observation = observe(&shell(&bench, discover, &initialize), &options()).await;
        assert_eq!(observation.overall(), Overall::Complete, "{initialize}");
        assert_eq!(asked_for(&bench), asked, "{discover} {initialize}");
        let agreed = asked.rsplit(' ').next().expect("a revision");
        assert_eq!(observation.observed_as.map(|seen| seen.protocol_version).as_deref(), Some(agreed));
    }
}

#[tokio::test]
async fn earlier_revision_is_tried_before_the_oldest() {
    let june = "[ $VERSION = 2025-06-18 ] && accept";
    for (initialize, asked) in [
        (format!("{june} || refuse '\"no\"'"), "start 2025-11-25 2025-06-18"),
        (format!("{june} || exit 1"), "start 2025-11-25 start 2025-06-18"),
    ] {
        let bench = Bench::new(PLAIN);
        let known_revision = Some("2025-06-18".to_owned());
        let known = Options { known_revision, ..knowing(Some(Era::Initialize)) };
        let observation = observe(&shell(&bench, UNKNOWN, &initialize), &known).await;
        assert_eq!((observation.overall(), asked_for(&bench)), (Overall::Complete, asked.to_owned()));
    }
}

#[tokio::test]
async fn other_failures_start_no_revision_retries() {
    let known_revision = Some("2025-11-25".to_owned());
    let known = Options { known_revision, ..knowing(Some(Era::Initialize)) };
    let crashes = command("sh", vec!["-c".to_owned(), "echo start >> \"$0\"; echo 'no module' >&2; exit 3".to_owned()]);
    let Target::Stdio { command, mut args, cwd, env } = crashes else { panic!("a command") };
    let bench = Bench::new(PLAIN);
    args.push(bench.file().with_extension("starts").display().to_string());
    let crashes = Target::Stdio { command, args, cwd, env };
    for (options, starts) in [(options(), 2), (known.clone(), 1)] {
        let before = asked_for(&bench).len();
        let (code, text) = refused(&crashes, &options).await;
        assert_eq!((code.as_str(), text.as_str()), ("exited", "exit status 3"));
        assert_eq!(asked_for(&bench)[before..].matches("start").count(), starts);
    }
    let bench = Bench::new(PLAIN);
    let denies = shell(&bench, UNKNOWN, r#"refuse '{"code":-32001,"message":"sign in first"}'"#);
    let (code, text) = refused(&denies, &options()).await;
    let expected = "initialize was answered with error -32001: sign in first";
    assert_eq!((code.as_str(), text.as_str()), ("error-answer", expected));
    assert_eq!(asked_for(&bench), "start 2025-11-25 2024-11-05");
}

#[tokio::test]
async fn every_refusal_of_a_revision_is_told() {
    let bench = Bench::new(PLAIN);
    let refuses = r#"refuse "{\"code\":-32602,\"message\":\"protocol $VERSION is not for me, 2031-01-01 is\"}""#;
    let (code, text) = refused(&shell(&bench, UNKNOWN, refuses), &options()).await;
    assert_eq!(code, "error-answer");
    assert_eq!(
        text,
        "initialize was answered with error -32602: protocol 2025-11-25 is not for me, 2031-01-01 is; asked for \
         2024-11-05: initialize was answered with error -32602: protocol 2024-11-05 is not for me, 2031-01-01 is"
    );
    // The process is not at fault, and neither is another one.
    assert_eq!(asked_for(&bench), "start 2025-11-25 2024-11-05 start 2024-11-05");
}
