//! What the session tells of each call of a tool, and that it asks before it passes one on.

use super::*;
use pinwatch::digest::{Hasher, Sha256};
use pinwatch::guard::{Decided, Ending, Witness};
use std::sync::Mutex;

/// Writes down what it is told; without room it says so.
#[derive(Clone, Debug, Default)]
struct Scribe {
    said: Arc<Mutex<Vec<String>>>,
    is_full: bool,
}

impl Scribe {
    fn say(&self, text: String) {
        self.said.lock().unwrap().push(text);
    }

    fn take(&self) -> String {
        self.said.lock().unwrap().drain(..).collect::<Vec<_>>().join("\n")
    }
}

impl Witness for Scribe {
    fn decided(&mut self, call: &Decided<'_>) -> Result<(), Arc<str>> {
        if self.is_full {
            return Err("the disk is full".into());
        }
        let Decided { number, tool, arguments, definition, ruling } = call;
        let arguments = arguments.map_or("-".into(), String::from_utf8_lossy);
        let bound = definition.map_or("-".to_owned(), |definition| definition.digest());
        let passes = if ruling.passes() { "passes" } else { "stops" };
        self.say(format!(
            "{number} {tool} {passes} {} {arguments} {}",
            ruling.ground().word(),
            &bound[..bound.len().min(15)]
        ));
        Ok(())
    }

    fn ended(&mut self, number: u64, ending: Ending<'_>) {
        let text = match ending {
            Ending::Answered { is_error, text } => {
                format!("{} {}", if is_error { "error" } else { "result" }, String::from_utf8_lossy(text))
            }
            Ending::Long { is_error, digest } => format!("long {is_error} {}", digest.expect("a digest")),
            other => format!("{other:?}"),
        };
        self.say(format!("{number} ended: {text}"));
    }

    fn hasher(&self) -> Option<Hasher> {
        let mut hasher = Sha256::hasher();
        hasher.update(b"label|");
        Some(hasher)
    }

    fn introduced(&mut self, version: &str) {
        self.say(format!("version {version}"));
    }
}

fn witnessed(pinned: &Pinned) -> (Session, Scribe) {
    let scribe = Scribe::default();
    (pinned.session().witnessed(Some(Box::new(scribe.clone()))), scribe)
}

#[test]
fn each_call_is_told_with_its_definition_and_end() {
    let (mut session, scribe) = witnessed(&pinned(&[(Kind::Tool, READ)]));
    client(&mut session, 0, r#"{"id":"i","method":"initialize"}"#);
    server(&mut session, 0, r#"{"id":"i","result":{"serverInfo":{"name":"x","version":"1.2.3"}}}"#);
    assert_eq!(scribe.take(), "version 1.2.3");
    list(&mut session, 0, &[READ, SEND]);
    let asked = r#"{"id":1,"method":"tools/call","params":{"arguments":{"p":[1]},"name":"read"}}"#;
    assert_eq!(client(&mut session, 1, asked), format!("server {asked}\n"));
    client(&mut session, 1, &call(2, "send"));
    client(&mut session, 1, &call(3, "gone"));
    client(&mut session, 1, r#"{"id":4,"method":"tools/call","params":{"name":"read","name":"send"}}"#);
    client(&mut session, 1, r#"{"id":5,"method":"tools/list","params":{"name":"read"}}"#);
    server(&mut session, 1, r#"{"id":1,"result": {"content":[]} }"#);
    assert_eq!(
        scribe.take(),
        "1 read passes approved {\"p\":[1]} sha256:fe4cd98a\n\
         2 send stops new {} sha256:85f1cce8\n\
         3 gone stops not_listed {} -\n\
         4 #unnamed stops unreadable - -\n\
         1 ended: result {\"content\":[]}"
    );
}

#[test]
fn a_rug_pull_is_told_with_what_is_served() {
    let (mut session, scribe) = witnessed(&pinned(&[(Kind::Tool, READ)]));
    list(&mut session, 0, &[READ]);
    client(&mut session, 1, &call(1, "read"));
    let before = scribe.take();
    server(&mut session, 1, r#"{"method":"notifications/tools/list_changed"}"#);
    client(&mut session, 2, &call(2, "read"));
    assert_eq!(scribe.take(), "", "it waits for the list");
    server(&mut session, 2, &tools("\"own-1\"", &[READ_PULLED]));
    let after = scribe.take();
    assert!(before.starts_with("1 read passes approved {} sha256:"), "{before}");
    assert!(after.starts_with("2 read stops changed {} sha256:"), "{after}");
    assert_ne!(before[before.len() - 8..], after[after.len() - 8..]);
}

#[test]
fn without_evidence_nothing_passes() {
    let scribe = Scribe { is_full: true, ..Scribe::default() };
    let mut session = pinned(&[(Kind::Tool, READ)]).session().witnessed(Some(Box::new(scribe)));
    list(&mut session, 0, &[READ]);
    let batch = format!("[{},{}]", call(1, "read"), r#"{"id":2,"method":"ping"}"#);
    let said = client(&mut session, 1, &batch);
    let (to_server, to_client) = said.split_once('\n').unwrap();
    assert_eq!(to_server, r#"server [{"id":2,"method":"ping"}]"#);
    assert!(to_client.contains(r#""id":1,"error""#) && to_client.contains("the disk is full"), "{to_client}");
    assert!(to_client.contains(r#""state":"no_evidence""#), "{to_client}");
}

#[test]
fn a_warned_call_is_told_as_one_that_passed() {
    let mut warning = pinned(&[(Kind::Tool, READ)]);
    warning.mode = Mode::Warn;
    let (mut session, scribe) = witnessed(&warning);
    list(&mut session, 0, &[READ_PULLED]);
    client(&mut session, 1, &call(1, "read"));
    assert!(scribe.take().starts_with("1 read passes changed {} sha256:"));
    // A list that cannot be read binds nothing.
    server(&mut session, 1, r#"{"method":"notifications/tools/list_changed"}"#);
    client(&mut session, 2, &call(2, "read"));
    server(&mut session, 2, r#"{"id":"own-1","error":{"code":-32000,"message":"no"}}"#);
    assert_eq!(scribe.take(), "2 read passes list_unread {} -");
}

#[test]
fn what_never_ends_is_told_too() {
    let (mut session, scribe) = witnessed(&pinned(&[(Kind::Tool, READ)]));
    client(&mut session, 0, &call(1, "read"));
    client(&mut session, 0, r#"{"method":"notifications/cancelled","params":{"requestId":1}}"#);
    assert_eq!(scribe.take(), "1 read stops cancelled {} -");
    server(&mut session, 0, &tools("\"own-1\"", &[READ]));
    for id in 2..=4 {
        client(&mut session, 1, &call(id, "read"));
    }
    scribe.take();
    client(&mut session, 1, r#"{"method":"notifications/cancelled","params":{"requestId":2}}"#);
    server(&mut session, 1, r#"{"id":3,"result":{},"error":{}}"#);
    session.close();
    assert_eq!(scribe.take(), "2 ended: CalledOff\n3 ended: Unreadable\n4 ended: Unanswered");
}

#[test]
fn a_long_answer_is_digested_wherever_it_is_cut() {
    for value in [r#"{"content":[{"a":"}\\\""}] , "x":[]}"#, r#""te\"xt""#, "-12.5e3", "null", "[[1],2]"] {
        let message = format!("{{ \"jsonrpc\":\"2.0\",\"id\":1 , \"result\" :  {value} ,\"z\":{{\"q\":1}}}}");
        let expected = Sha256::of(format!("label|{value}"));
        for size in 1..message.len() {
            let (mut session, scribe) = witnessed(&pinned(&[(Kind::Tool, READ)]));
            list(&mut session, 0, &[READ]);
            client(&mut session, 0, &call(1, "read"));
            scribe.take();
            let mut skim = session.skim();
            message.as_bytes().chunks(size).for_each(|piece| skim.feed(piece));
            assert!(session.may_end(&skim));
            assert_eq!(scribe.take(), format!("1 ended: long false {expected}"), "{value} {size}");
        }
    }
}
