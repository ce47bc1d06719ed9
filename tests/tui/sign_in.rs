//! Signing in from the screen: what each step shows, what `y` does in it, and that nothing agrees to what was not shown.

use super::driver::Ui;
use super::looks;
use pinwatch::monitor::{Command, Phase, ServerLook, SigningIn};
use pinwatch::surface::Reason;
use pinwatch::tui::Effect;
use std::sync::Arc;

const URL: &str = "https://login.example.com/authorize?response_type=code&client_id=registered&redirect_uri=http%3A%2F%2F\
                   127.0.0.1%3A43211%2Fcallback&state=q7ZkT2mVx9LbW4sRcY1NfG&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8\
                   URWbuGJSstw-cM&code_challenge_method=S256&resource=https%3A%2F%2Fsearch.example.com%2Fmcp&scope=read";

fn at(stage: SigningIn) -> ServerLook {
    let mut look = looks::waiting("search");
    look.phase = Phase::NeedsSignIn(Arc::new(stage));
    look
}

fn wanted(refused: Option<Reason>) -> SigningIn {
    let asked =
        Reason::new("unauthorized", "the server requires credentials (401); it asks for the scope `read` (Bearer)");
    SigningIn::Wanted { asked, refused }
}

fn agree(host: &str) -> SigningIn {
    SigningIn::Agree([host.to_owned()].into())
}

fn screen(stage: SigningIn, keys: &str) -> String {
    let mut ui = Ui::home(vec![at(stage)], (80, 24));
    if !keys.is_empty() {
        ui.press(keys);
    }
    ui.screen()
}

fn reviewed(name: &str, screen: &str) {
    insta::with_settings!({ snapshot_path => "../snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, screen);
    });
}

#[test]
fn the_row_says_that_a_server_needs_a_sign_in() {
    reviewed("sign_in__row", &screen(wanted(None), ""));
    let refused = Reason::new("state-mismatch", "the answer in the browser does not belong to this sign-in");
    reviewed("sign_in__row_refused", &screen(wanted(Some(refused)), ""));
}

#[test]
fn each_step_of_a_sign_in_is_shown() {
    reviewed("sign_in__hosts", &screen(agree("login.example.com"), "open"));
    reviewed("sign_in__url", &screen(SigningIn::Open(URL.to_owned()), "open"));
    reviewed("sign_in__asking", &screen(SigningIn::Asking, "open"));
}

#[test]
fn enter_begins_and_what_comes_next_is_shown() {
    let mut ui = Ui::home(vec![at(wanted(None))], (80, 24));
    ui.press("open");
    let begun = Effect::Tell("search".into(), Command::SignIn(Arc::new(wanted(None))));
    assert_eq!(ui.asked(), [begun]);
    ui.look(at(agree("login.example.com")));
    assert!(ui.screen().contains("login.example.com"), "{}", ui.screen());
    ui.look(at(SigningIn::Open(URL.to_owned())));
    assert!(ui.screen().contains("Open this URL in your browser"), "{}", ui.screen());
    ui.look(looks::waiting("search"));
    assert!(ui.model.dialog.is_none());
}

#[test]
fn only_the_hosts_that_were_shown_are_agreed_to() {
    let mut ui = Ui::home(vec![at(agree("login.example.com"))], (80, 24));
    ui.press("open").press("open");
    assert!(ui.model.dialog.is_none() && ui.asked().is_empty(), "enter agreed");
    ui.press("open, confirm");
    let agreed = |host| Effect::Tell("search".into(), Command::SignIn(Arc::new(agree(host))));
    assert_eq!(ui.asked(), [agreed("login.example.com")]);
    // What is sent names what was shown: a later question is not answered by it.
    ui.look(at(agree("evil.example.com")));
    ui.press("confirm");
    assert_eq!(ui.asked(), [agreed("evil.example.com")]);
}

#[test]
fn the_url_is_copied_and_never_opened() {
    let mut ui = Ui::home(vec![at(SigningIn::Open(URL.to_owned()))], (80, 24));
    ui.press("open, confirm");
    assert_eq!(ui.asked(), [Effect::SendToClipboard(URL.to_owned())]);
    assert!(ui.model.dialog.is_some(), "the wait goes on");
}

#[test]
fn a_frozen_display_signs_in_nowhere() {
    let mut ui = Ui::home(vec![at(wanted(None))], (80, 24));
    ui.press("freeze, open");
    assert!(ui.asked().is_empty() && ui.model.dialog.is_none());
}
