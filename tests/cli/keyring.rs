//! Where the session has a keyring, a token is there and in no file; a keyring that is locked or gone is a state with a name.
//! Tried with gnome-keyring on a session bus of the test's own.

use super::needs::skipped;
use super::project::{Done, Project, done};
use super::sign_in::{project_of, sign_in_with};
use super::signed::Signed;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A session bus with a keyring that is unlocked; both end with the value.
struct Session {
    bus: Child,
    keyring: Child,
    address: String,
}

impl Drop for Session {
    fn drop(&mut self) {
        for child in [&mut self.keyring, &mut self.bus] {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Session {
    /// None, said by name, where this machine has no such programs.
    fn start(test: &str, project: &Project) -> Option<Self> {
        let bus = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address"])
            .env_clear()
            .envs(project.environment())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut bus) = bus else {
            skipped(test, "there is no dbus-daemon here (Debian's package `dbus`)");
            return None;
        };
        let mut address = String::new();
        BufReader::new(bus.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let address = address.trim().to_owned();
        let keyring = Command::new("gnome-keyring-daemon")
            .args(["--foreground", "--unlock", "--components=secrets"])
            .env_clear()
            .envs(project.environment())
            .env("XDG_RUNTIME_DIR", project.home())
            .env("DBUS_SESSION_BUS_ADDRESS", &address)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut keyring) = keyring else {
            let _ = (bus.kill(), bus.wait());
            skipped(test, "there is no gnome-keyring-daemon here (Debian's package `gnome-keyring`)");
            return None;
        };
        keyring.stdin.take().unwrap().write_all(b"a password\n").unwrap();
        let session = Self { bus, keyring, address };
        let deadline = Instant::now() + Duration::from_mins(1);
        // Asked of the bus, which would start another one, locked, for a call to it.
        while !session
            .send("org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner", &["string:org.freedesktop.secrets"])
            .contains("boolean true")
        {
            assert!(Instant::now() < deadline, "the keyring does not come");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(session)
    }

    /// What a call of the Secret Service says.
    fn call(&self, path: &str, method: &str, arguments: &[&str]) -> String {
        self.send("org.freedesktop.secrets", path, method, arguments)
    }

    fn send(&self, to: &str, path: &str, method: &str, arguments: &[&str]) -> String {
        let output = Command::new("dbus-send")
            .args(["--session", "--print-reply", &format!("--dest={to}"), path, method])
            .args(arguments)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The items of pinwatch.
    fn items(&self) -> usize {
        let found = self.call(
            "/org/freedesktop/secrets",
            "org.freedesktop.Secret.Service.SearchItems",
            &["dict:string:string:service,pinwatch"],
        );
        found.matches("object path").count()
    }

    fn command(&self, project: &Project, words: &[&str]) -> Command {
        let mut command = project.command(words);
        command.env("DBUS_SESSION_BUS_ADDRESS", &self.address);
        command
    }

    fn run(&self, project: &Project, words: &[&str]) -> Done {
        done(&mut self.command(project, words))
    }
}

/// Every file of the test as one text.
fn everything(project: &Project) -> String {
    let mut text = String::new();
    let mut folders = vec![project.home().join("state"), project.path("")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => text.push_str(&String::from_utf8_lossy(&fs::read(path).unwrap_or_default())),
            }
        }
    }
    text
}

#[test]
fn a_token_is_in_the_keyring_and_in_no_file() {
    let server = Signed::start();
    let project = project_of(&server, "");
    let Some(session) = Session::start("a_token_is_in_the_keyring_and_in_no_file", &project) else { return };
    let (page, done) = sign_in_with(&server, &|words| session.command(&project, words));
    assert_eq!(done.code, 0, "{page} {done:?}");
    assert!(done.out.contains("kept in the keyring of your session"), "{done:?}");
    assert_eq!(session.items(), 1);
    let everywhere = everything(&project);
    assert!(everywhere.contains("pinwatch.sign-in-elsewhere.v1"));
    assert!(server.given().iter().all(|token| !everywhere.contains(token.as_str())), "a token is in a file");
    assert_eq!(session.run(&project, &["record", "--yes"]).code, 0);
    assert_eq!(session.run(&project, &["check", "--yes"]).code, 0);

    // Locked: nobody is asked, and nothing is clean.
    let login = "array:objpath:/org/freedesktop/secrets/collection/login";
    session.call("/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock", &[login]);
    let locked = session.run(&project, &["check", "--yes"]);
    assert_eq!(locked.code, 2, "{locked:?}");
    assert!(locked.out.contains("keyring-locked") && locked.out.contains("unlock it"), "{locked:?}");
    let out = session.run(&project, &["sign-out", "weather"]);
    assert!(out.code == 2 && out.err.contains("(keyring-locked)"), "{out:?}");

    // Gone.
    let gone = project.run(&["check", "--yes"]);
    assert!(gone.code == 2 && gone.out.contains("keyring-unavailable"), "{gone:?}");
}

#[test]
fn a_sign_out_leaves_nothing_in_the_keyring() {
    let server = Signed::start();
    let project = project_of(&server, "");
    let Some(session) = Session::start("a_sign_out_leaves_nothing_in_the_keyring", &project) else { return };
    // What was in a file before is no longer there.
    let (_, done) = sign_in_with(&server, &|words| project.command(words));
    assert!(done.code == 0 && done.out.contains("sign-ins"), "{done:?}");
    server.revoke();
    let (_, done) = sign_in_with(&server, &|words| session.command(&project, words));
    assert!(done.code == 0 && done.out.contains("keyring"), "{done:?}");
    let everywhere = everything(&project);
    assert!(server.given().iter().all(|token| !everywhere.contains(token.as_str())), "a token is in a file");
    assert_eq!(session.run(&project, &["sign-out", "weather"]).code, 0);
    assert_eq!(session.items(), 0);
    assert!(!everything(&project).contains("pinwatch.sign-in"));
}
