//! No launch that a found file names runs before a person has seen it, nor again once anything in it has changed.

use crate::house::House;
use pinwatch::config::consent::{Asked, Consent, Consents};
use pinwatch::config::{AdHoc, AdHocLaunch};
use std::fs;
use std::path::Path;

/// A house with what is agreed to in it.
struct Scene {
    house: House,
    consents: Consents,
}

impl Scene {
    fn with(toml: &str) -> Self {
        let house = House::with(toml);
        let consents = Consents::new(house.places());
        Self { house, consents }
    }

    /// What is asked about the only server; none where nothing is.
    fn asked(&self) -> Option<Asked> {
        let config = self.house.load().unwrap();
        let environment = |name: &str| self.house.environment.get(name).cloned();
        match self.consents.check(&config.servers[0], &environment).unwrap() {
            Consent::Given => None,
            Consent::Needed(asked) => Some(asked),
        }
    }

    fn agree(&self) {
        let asked = self.asked().unwrap();
        self.consents.grant(&asked, "ana", "2026-11-27T20:31:00Z".parse().unwrap()).unwrap();
        assert!(self.asked().is_none(), "what was agreed to is not asked about again");
    }

    /// Agrees, changes the config, and says what is asked then.
    fn after(self, toml: &str) -> Vec<String> {
        self.agree();
        self.house.write("pinwatch.toml", toml);
        self.changed()
    }

    fn changed(&self) -> Vec<String> {
        self.asked().map(|asked| asked.request.changed.clone()).unwrap()
    }
}

/// A second opinion is agreed to like a launch, by what its command says and by the content of the files that it names.
#[test]
fn a_scanner_is_asked_about_like_a_launch() {
    let scene = Scene::with("[findings]\ncommand = [\"python3\", \"scan.py\", \"--mode=${MODE:-all}\"]\n");
    scene.house.write("scan.py", "print('one')");
    let asked = || {
        let config = scene.house.load().unwrap();
        let scanner = config.scanner.unwrap();
        let environment = |name: &str| scene.house.environment.get(name).cloned();
        match scene.consents.check(&scanner, &environment).unwrap() {
            Consent::Given => None,
            Consent::Needed(asked) => Some(asked),
        }
    };
    let first = asked().unwrap();
    assert!(first.request.is_of_scanner());
    assert_eq!(first.request.argv, ["python3", "scan.py", "--mode=${MODE:-all}"]);
    scene.consents.grant(&first, "ana", "2026-11-27T20:31:00Z".parse().unwrap()).unwrap();
    assert!(asked().is_none());
    scene.house.write("scan.py", "print('two')");
    assert_eq!(asked().unwrap().request.changed, ["`scan.py` changed"]);
    scene.house.write("scan.py", "print('one')");
    assert!(asked().is_none());
    // Programs of the machine count, too, where they do not only run others.
    let tool = scene.house.folder().join("elsewhere/tool");
    fs::create_dir_all(tool.parent().unwrap()).unwrap();
    fs::write(&tool, "one").unwrap();
    scene.house.write("pinwatch.toml", format!("[findings]\ncommand = [{:?}]\n", tool.display().to_string()));
    let second = asked().unwrap();
    scene.consents.grant(&second, "ana", "2026-11-27T20:31:00Z".parse().unwrap()).unwrap();
    fs::write(&tool, "two").unwrap();
    assert_eq!(asked().unwrap().request.changed, [format!("`{}` changed", tool.display())]);
}

const FILES: &str = "[servers.files]\ncommand = \"npx\"\nargs = [\"-y\", \"server@1\"]\nenv = { LOG = \"info\" }\n";

#[test]
fn found_launch_is_shown_with_secrets_masked() {
    let scene = Scene::with(
        r#"
[servers.files]
command = "npx"
args = ["-y", "server@1", "--token", "hunter2", "--log", "${LOG:-info}"]
cwd = "sub"
env = { API_KEY = "${TOKEN}", PASSWORD = "hunter2" }
"#,
    );
    let request = scene.asked().unwrap().request;
    assert_eq!(&*request.server, "files");
    assert_eq!(request.origin, scene.house.project().join("pinwatch.toml"));
    assert_eq!(request.argv, ["npx", "-y", "server@1", "--token", "<redacted token>", "--log", "${LOG:-info}"]);
    assert_eq!(request.cwd, Some(scene.house.project().join("sub")));
    assert_eq!(request.names, ["API_KEY", "PASSWORD"]);
    assert_eq!(request.variables, ["LOG", "TOKEN"]);
    assert!(request.changed.is_empty(), "nothing was agreed to before");
    assert!(!format!("{request:?}").contains("hunter2"));
}

#[test]
fn a_url_is_shown_with_its_host_and_header_names() {
    let scene = Scene::with(
        "[servers.r]\nurl = \"https://u:hunter2@host.example/mcp?key=hunter2\"\nheaders = { Authorization = \"Bearer ${TOKEN}\" }",
    );
    let request = scene.asked().unwrap().request;
    assert_eq!(request.argv, ["https://host.example/mcp?key=<redacted key>"]);
    assert_eq!((request.cwd.clone(), request.names.as_slice()), (None, &["authorization".to_owned()][..]));
    assert_eq!(request.variables, ["TOKEN"]);
}

#[test]
fn each_change_of_a_launch_is_asked_about_and_named() {
    let edit = |from: &str, to: &str| Scene::with(FILES).after(&FILES.replace(from, to));
    assert_eq!(edit("server@1", "server@2"), ["it ran `npx -y server@1` and runs `npx -y server@2` now"]);
    assert_eq!(edit("\"npx\"", "\"bunx\""), ["it ran `npx -y server@1` and runs `bunx -y server@1` now"]);
    assert_eq!(edit("LOG = \"info\"", "LOG = \"debug\""), ["the variable `LOG` is written otherwise"]);
    assert_eq!(edit("LOG =", "LEVEL ="), ["it sets the variable `LEVEL` now", "it no longer sets the variable `LOG`"]);
    assert_eq!(edit("{ LOG", "{ NODE_OPTIONS = \"-r x\", LOG"), ["it sets the variable `NODE_OPTIONS` now"]);
    let folder = edit("env =", "cwd = \"sub\"\nenv =");
    assert!(folder[0].starts_with("it ran in `") && folder[0].ends_with("/project/sub` now"), "{folder:?}");
    let url = Scene::with(FILES).after("[servers.files]\nurl = \"http://127.0.0.1/\"");
    assert!(url.contains(&"it ran a command before: `npx -y server@1`".to_owned()), "{url:?}");
    assert!(url.contains(&"it opens a URL now: `http://127.0.0.1/`".to_owned()), "{url:?}");
}

#[test]
fn each_endpoint_change_is_asked_and_named() {
    const REMOTE: &str = "[servers.r]\nurl = \"https://a.example/mcp\"\nheaders = { X-Team = \"blue\" }\n";
    let edit = |from: &str, to: &str| Scene::with(REMOTE).after(&REMOTE.replace(from, to));
    assert_eq!(edit("a.ex", "b.ex"), ["it opened `https://a.example/mcp` and opens `https://b.example/mcp` now"]);
    assert_eq!(edit("\"blue\"", "\"${TOKEN}\""), ["the header `X-Team` is written otherwise"]);
    assert_eq!(
        edit("X-Team", "X-Other"),
        ["it sends the header `X-Other` now", "it no longer sends the header `X-Team`"]
    );
    assert_eq!(edit("headers", "allow-plain = true\nheaders"), ["credentials may go over plain HTTP now"]);
}

#[test]
fn what_does_not_decide_what_runs_is_not_asked_about() {
    let scene = Scene::with(FILES);
    scene.agree();
    scene
        .house
        .write("pinwatch.toml", format!("# a comment\n{FILES}poll-interval = \"2m\"\n[servers.b]\ncommand = \"b\""));
    assert!(scene.asked().is_none());
}

#[test]
fn changed_argument_asks_but_rotated_token_does_not() {
    let mut scene = Scene::with(
        "[servers.r]\nurl = \"https://h.example/${SET}\"\nheaders = { Authorization = \"Bearer ${TOKEN}\" }\n",
    );
    scene.agree();
    scene.house.environment.insert("TOKEN".to_owned(), "another-token".to_owned());
    assert!(scene.asked().is_none(), "only the token is another");
    scene.house.environment.insert("SET".to_owned(), "elsewhere".to_owned());
    assert_eq!(
        scene.changed(),
        ["`https://h.example/${SET}` reads the same, but a variable or a masked value in it is another"]
    );

    let mut scene = Scene::with("[servers.f]\ncommand = \"npx\"\nargs = [\"${SET}\"]\nenv = { KEY = \"${TOKEN}\" }\n");
    scene.agree();
    scene.house.environment.insert("TOKEN".to_owned(), "another-token".to_owned());
    assert!(scene.asked().is_none(), "only the token is another");
    scene.house.environment.insert("SET".to_owned(), "elsewhere".to_owned());
    assert!(scene.asked().is_some());
}

#[test]
fn variable_that_picks_code_counts_by_value() {
    for name in ["PATH", "LD_PRELOAD", "NODE_OPTIONS", "PYTHONPATH", "npm_config_registry", "BASH_ENV"] {
        let mut scene = Scene::with(&format!("[servers.f]\ncommand = \"npx\"\nenv = {{ {name} = \"${{SET}}\" }}\n"));
        scene.agree();
        scene.house.environment.insert("SET".to_owned(), "/elsewhere".to_owned());
        let said = format!("the variable `{name}`, which decides what code is run, has another value");
        assert_eq!(scene.changed(), [said]);
    }
}

#[test]
fn our_own_path_may_change() {
    let mut scene = Scene::with(FILES);
    scene.house.environment.insert("PATH".to_owned(), "/usr/bin".to_owned());
    scene.agree();
    scene.house.environment.insert("PATH".to_owned(), "/opt/bin:/usr/bin".to_owned());
    assert!(scene.asked().is_none());
}

#[test]
fn consent_covers_a_local_scripts_content() {
    let launches = [
        "command = \"node\"\nargs = [\"server/main.js\"]",
        "command = \"./server/main.js\"",
        "command = \"server/main.js\"",
        "command = \"node\"\nargs = [\"--require=./server/main.js\"]",
        "command = \"node\"\nargs = [\"main.js\"]\ncwd = \"server\"",
        "command = \"node\"\nargs = [\"--import\", \"file://${HOME}/project/server/main.js\"]",
        "command = \"main.js\"\nenv = { PATH = \"server:/usr/bin\" }",
        "command = \"node\"\nenv = { NODE_OPTIONS = \"--require ./server/main.js\" }",
    ];
    for launch in launches {
        let scene = Scene::with(&format!("[servers.f]\n{launch}\n"));
        scene.house.write("server/main.js", "one");
        scene.agree();
        scene.house.write("server/other.js", "not named");
        assert!(scene.asked().is_none(), "{launch}");
        scene.house.write("server/main.js", "two");
        assert_eq!(scene.changed(), ["`server/main.js` changed"], "{launch}");
        fs::remove_file(scene.house.project().join("server/main.js")).unwrap();
        assert_eq!(scene.changed(), ["it no longer names the file `server/main.js`, or that file is gone"], "{launch}");
    }
}

#[test]
fn file_appearing_under_an_argument_is_asked() {
    let scene = Scene::with("[servers.f]\ncommand = \"npx\"\nargs = [\"-y\", \"thing\"]\n");
    scene.agree();
    scene.house.write("thing", "now npx would take this one");
    assert_eq!(scene.changed(), ["it uses the file `thing` of this project now"]);
}

#[cfg(unix)]
#[test]
fn link_out_of_the_project_counts_by_its_target() {
    let scene = Scene::with("[servers.f]\ncommand = \"sh\"\nargs = [\"run.sh\"]\n");
    let outside = scene.house.project().join("../run.sh");
    fs::write(&outside, "one").unwrap();
    std::os::unix::fs::symlink(&outside, scene.house.project().join("run.sh")).unwrap();
    scene.agree();
    fs::write(&outside, "two").unwrap();
    assert_eq!(scene.changed(), ["`run.sh` changed"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_leads_elsewhere_is_asked_about() {
    let scene = Scene::with("[servers.f]\ncommand = \"npx\"\ncwd = \"current\"\n");
    let link = scene.house.project().join("current");
    scene.house.write("one/x", "");
    scene.house.write("two/x", "");
    std::os::unix::fs::symlink("one", &link).unwrap();
    scene.agree();
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("two", &link).unwrap();
    let changed = scene.changed();
    assert!(changed[0].starts_with("the folder `") && changed[0].ends_with("` leads elsewhere now"), "{changed:?}");
}

#[test]
fn a_file_outside_the_project_is_the_persons_own() {
    let scene = Scene::with("[servers.f]\ncommand = \"sh\"\nargs = [\"../run.sh\"]\n");
    let outside = scene.house.project().join("../run.sh");
    fs::write(&outside, "one").unwrap();
    scene.agree();
    fs::write(&outside, "two").unwrap();
    assert!(scene.asked().is_none());
}

#[test]
fn other_project_or_name_is_asked_again() {
    let scene = Scene::with(FILES);
    scene.agree();
    let next = Scene { consents: Consents::new(scene.house.places()), ..scene };
    assert!(next.asked().is_none(), "the next run knows it");
    let other = Scene { house: House::with(FILES), consents: next.consents.clone() };
    assert!(other.asked().unwrap().request.changed.is_empty(), "nothing was agreed to in this project");
    next.house.write("pinwatch.toml", FILES.replace("servers.files", "servers.other"));
    assert!(next.asked().is_some());
}

#[test]
fn return_to_an_agreed_launch_asks_nothing() {
    let scene = Scene::with(FILES);
    scene.agree();
    scene.house.write("pinwatch.toml", FILES.replace("server@1", "server@2"));
    scene.agree();
    scene.house.write("pinwatch.toml", FILES);
    assert!(scene.asked().is_none());
    let server = &scene.house.load().unwrap().servers[0];
    scene.consents.withdraw(server).unwrap();
    assert!(scene.asked().is_some(), "withdrawn is withdrawn");
    scene.consents.withdraw(server).unwrap();
}

#[test]
fn what_is_agreed_to_is_what_was_shown() {
    let scene = Scene::with(FILES);
    let shown = scene.asked().unwrap();
    assert!(!scene.house.places().state.exists(), "asking writes nothing");
    scene.house.write("pinwatch.toml", FILES.replace("server@1", "evil@1"));
    scene.consents.grant(&shown, "ana", "2026-11-27T20:31:00Z".parse().unwrap()).unwrap();
    assert_eq!(scene.changed(), ["it ran `npx -y server@1` and runs `npx -y evil@1` now"]);
}

#[test]
fn named_config_agrees_only_to_its_own_servers() {
    let house = House::new();
    house.write(".mcp.json", r#"{"mcpServers": {"included": {"command": "x"}}}"#);
    house.write("ci.toml", "include = [\".mcp.json\"]\n[servers.own]\ncommand = \"x\"");
    let config = house.load_as("", |request| request.config = Some(Path::new("ci.toml"))).unwrap();
    let consents = Consents::new(house.places());
    let given = |consents: &Consents, index: usize| {
        consents.check(&config.servers[index], &|_| None).unwrap() == Consent::Given
    };
    assert_eq!(&*config.servers[0].id, "own");
    assert!(given(&consents, 0));
    assert!(!given(&consents, 1), "an included server runs unseen");
    let consents = consents.with_everything();
    assert!(given(&consents, 0) && given(&consents, 1));

    let json = house.load_as("", |request| request.config = Some(Path::new(".mcp.json"))).unwrap();
    let consents = Consents::new(house.places());
    assert_eq!(consents.check(&json.servers[0], &|_| None).unwrap(), Consent::Given);
}

#[test]
fn typing_a_server_agrees_to_it() {
    let house = House::new();
    let ad_hoc = AdHoc { name: "x".to_owned(), launch: AdHocLaunch::Command(vec!["server".to_owned()]) };
    let config = house.load_typed("", &ad_hoc).unwrap();
    let consents = Consents::new(house.places());
    assert_eq!(consents.check(&config.servers[0], &|_| None).unwrap(), Consent::Given);
}

#[test]
fn damaged_or_foreign_record_is_no_consent() {
    let scene = Scene::with(FILES);
    scene.agree();
    let folder = scene.house.places().state.join("consents");
    let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let text = fs::read_to_string(&files[0]).unwrap();
    assert_eq!(files.len(), 1, "one record and no leftover: {files:?}");

    fs::write(&files[0], text.replace("\"seal\": \"", "\"seal\": \"0")).unwrap();
    assert!(scene.asked().is_some(), "an edited seal");
    for damaged in ["", "{", "[]", &text.replace("consent.v1", "consent.v2"), &text.replace("\"by\"", "\"who\"")] {
        fs::write(&files[0], damaged).unwrap();
        assert!(scene.asked().unwrap().request.changed.is_empty(), "{damaged}");
    }
    fs::write(&files[0], &text).unwrap();
    assert!(scene.asked().is_none());
    fs::write(scene.house.places().state.join("machine.key"), [7; 32]).unwrap();
    let other = Scene { consents: Consents::new(scene.house.places()), house: scene.house };
    assert!(other.asked().is_some(), "another machine's key");
}

#[test]
fn no_value_is_kept() {
    let scene = Scene::with(
        r#"
[servers.f]
command = "npx"
args = ["--token", "hunter2-hunter2", "--url", "https://u:hunter2-hunter2@h.example/"]
env = { PASSWORD = "hunter2-hunter2", LOG = "some-plain-value" }
"#,
    );
    scene.agree();
    for entry in fs::read_dir(scene.house.places().state.join("consents")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(text.contains("--token"), "the masked command line is there");
        assert!(!text.contains("hunter2") && !text.contains("some-plain-value"), "{text}");
    }
}

#[test]
fn a_trust_root_is_agreed_to_with_the_launch() {
    let root = fs::read_to_string(crate::data("vectors/atsa/omcp-v1.0-string/_trust-root.json")).unwrap();
    let server = "[servers.s]\nurl = \"https://a.example/mcp\"\n";
    let held = format!("[trust]\nroot = \"root.json\"\nrequired = \"internal\"\n{server}");
    let scene = Scene::with(server);
    scene.house.write("root.json", &root);
    assert_eq!(scene.after(&held), ["its attestation is held to the trust root `root.json` now"]);
    let scene = Scene::with(server);
    scene.house.write("root.json", &root);
    scene.house.write("pinwatch.toml", &held);
    let notes = scene.asked().unwrap().request.notes.clone();
    let keys = "(keys: `key-prod-2026`, `key-expired`, `key-restricted`); it must be cleared for `internal`";
    assert_eq!(notes, [format!("its attestation is held to the trust root root.json {keys}")]);
    scene.agree();
    let other = ["the trust root `root.json`, or the level that it must reach, is another"];
    scene.house.write("root.json", root.replace("key-expired", "key-of-another"));
    assert_eq!(scene.changed(), other);
    scene.house.write("root.json", &root);
    assert!(scene.asked().is_none());
    scene.house.write("pinwatch.toml", held.replace("internal", "public"));
    assert_eq!(scene.changed(), other);
}
