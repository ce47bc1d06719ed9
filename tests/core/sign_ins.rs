//! Where sign-ins are kept: by the server's URL, in a file of this user's alone, whole or not at all.

use crate::house::House;
use pinwatch::oauth::{AuthMethod, Client, Secret, SignedIn};
use pinwatch::store::disk::Disk;
use pinwatch::store::{GuardSecret, KeptIn, SignIns};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

fn signed_in(server: &str, token: &str) -> SignedIn {
    SignedIn {
        server: server.to_owned(),
        resource: server.to_owned(),
        issuer: "https://login.example".to_owned(),
        token_endpoint: "https://login.example/token".to_owned(),
        client: Client { id: "c".to_owned(), secret: None, method: AuthMethod::None },
        access_token: Secret(token.to_owned()),
        refresh_token: None,
        expires: Some(1_800_000_000),
        scopes: ["read".to_owned()].into(),
        account: Some("ana".to_owned()),
    }
}

fn file(kept: KeptIn) -> PathBuf {
    match kept {
        KeptIn::File(path) => path,
        KeptIn::Keyring => panic!("this test needs a session without a keyring"),
    }
}

#[test]
fn a_sign_in_is_found_by_its_url_alone() {
    let house = House::with("");
    let kept = SignIns::new(house.places());
    let one = signed_in("https://a.example/mcp", "t1");
    assert_eq!(kept.load(&one.server).unwrap(), None);
    let path = file(kept.keep(&one).unwrap());
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(kept.load(&one.server).unwrap(), Some(one.clone()));
    assert_eq!(kept.load("https://a.example/mcp2").unwrap(), None);
    // A file under another server's name is nobody's sign-in.
    let other = signed_in("https://b.example/mcp", "t2");
    let of_other = file(kept.keep(&other).unwrap());
    std::fs::copy(&path, &of_other).unwrap();
    assert_eq!(kept.load(&other.server).unwrap(), None);
    assert!(kept.forget(&one.server).unwrap());
    assert!(!kept.forget(&one.server).unwrap());
    assert_eq!(kept.load(&one.server).unwrap(), None);
}

#[test]
fn a_sign_in_shows_no_secret_when_debugged() {
    let one = SignedIn {
        refresh_token: Some(Secret("r3fresh".to_owned())),
        client: Client { id: "c".to_owned(), secret: Some(Secret("s3cret".to_owned())), method: AuthMethod::Basic },
        ..signed_in("https://a.example/mcp", "acc3ss")
    };
    let shown = format!("{one:?}");
    assert!(["r3fresh", "s3cret", "acc3ss"].iter().all(|secret| !shown.contains(secret)), "{shown}");
    assert_eq!(one.secrets().len(), 3);
}

#[test]
fn a_token_is_over_a_little_early() {
    let one = signed_in("https://a.example/mcp", "t");
    assert!(!one.is_over(1_800_000_000 - 31));
    assert!(one.is_over(1_800_000_000 - 30));
    assert!(!SignedIn { expires: None, ..one }.is_over(i64::MAX));
}

#[test]
fn a_guard_has_one_secret_that_only_it_reads() {
    let house = House::with("");
    let (disk, places) = (Disk::default(), house.places());
    assert_eq!(GuardSecret::known(&disk, &places).unwrap(), None);
    let secret = GuardSecret::make(&disk, &places).unwrap();
    assert_eq!(GuardSecret::make(&disk, &places).unwrap(), secret);
    assert_eq!(GuardSecret::known(&disk, &places).unwrap(), Some(secret.clone()));
    let text = secret.text().to_owned();
    assert_eq!(text.len(), 47);
    assert!(secret.is(text.as_bytes()));
    for other in ["", &text[..46], &format!("{text} "), &text.to_uppercase()] {
        assert!(!secret.is(other.as_bytes()), "{other}");
    }
    assert_eq!(format!("{secret:?}"), "GuardSecret");
    let path = GuardSecret::path(&places);
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    // One that others can read, or that says something else, is none.
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    assert!(GuardSecret::known(&disk, &places).unwrap_err().to_string().contains("can be read by others (mode 640)"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::fs::write(&path, "hunter2").unwrap();
    assert!(GuardSecret::known(&disk, &places).is_err());
}
