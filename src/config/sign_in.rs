//! `[servers.NAME.sign-in]`: as which client, and where, one signs in to a server.

use super::error::ConfigError;
use super::expand::{Dialect, Surroundings, Text, Unexpanded};
use super::toml_source::Section;
use crate::oauth::{Given, Secret, checked, place, split};
use std::collections::BTreeSet;
use url::Url;

pub(super) const SIGN_IN: [&str; 7] =
    ["client-id", "client-secret", "client-document", "authorization-server", "scopes", "redirect-port", "grant"];
const GRANTS: [&str; 2] = ["authorization-code", "client-credentials"];

/// The section as it is written. No `Debug`: what is written may be a secret.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct WrittenSignIn {
    client_id: Option<Text>,
    client_secret: Option<Text>,
    document: Option<Url>,
    server: Option<Url>,
    scopes: Option<BTreeSet<String>>,
    port: Option<u16>,
    is_machine: bool,
}

/// The section of a server's own section.
pub(super) fn read(server: &Section<'_>) -> Result<Option<WrittenSignIn>, ConfigError> {
    let Some(section) = server.section("sign-in")? else { return Ok(None) };
    section.only(&SIGN_IN)?;
    let text = |key| Ok::<_, ConfigError>(section.text(key)?.map(|text| Text::new(&text.value, Dialect::Ours)));
    let address = |key: &'static str| match section.text(key)? {
        None => Ok(None),
        Some(text) => {
            let fault = || section.bad_value(key, "must be an https URL, or one of this machine");
            checked(&text.value, key, true).map(Some).map_err(|_| fault())
        }
    };
    let is_machine = match section.text("grant")? {
        None => false,
        Some(word) if word.value == GRANTS[0] => false,
        Some(word) if word.value == GRANTS[1] => true,
        Some(word) => return Err(section.unknown(word.line, "grant", &word.value, &GRANTS)),
    };
    let scopes = section.texts("scopes")?.map(|scopes| {
        let scopes: Vec<_> = scopes.into_iter().map(|scope| scope.value).collect();
        split(&scopes.join(" ")).map_err(|reason| section.bad_value("scopes", reason.text))
    });
    let written = WrittenSignIn {
        client_id: text("client-id")?,
        client_secret: text("client-secret")?,
        document: address("client-document")?,
        server: address("authorization-server")?,
        scopes: scopes.transpose()?,
        port: section.port("redirect-port")?,
        is_machine,
    };
    if written.client_id.is_none() && (written.client_secret.is_some() || is_machine) {
        return Err(section.incomplete("needs a `client-id`, which the secret or the grant belongs to"));
    }
    if is_machine && written.client_secret.is_none() {
        return Err(section.incomplete("needs a `client-secret`, such as \"${SECRET}\", to sign in without a person"));
    }
    Ok(Some(written))
}

impl WrittenSignIn {
    /// Its texts in which variables may stand.
    pub(super) fn texts(&self) -> impl Iterator<Item = &Text> {
        self.client_id.iter().chain(&self.client_secret)
    }

    /// The same with every variable put in; where that fails, the field and why.
    pub(super) fn expand(&self, around: &Surroundings<'_>) -> Result<Given, (String, Unexpanded)> {
        let put = |key: &str, text: &Option<Text>| {
            let expanded = text.as_ref().map(|text| text.expand(around, false)).transpose();
            let expanded = match expanded {
                Ok(Some(empty)) if empty.trim().is_empty() => Err(Unexpanded::Fault("it is empty".to_owned())),
                expanded => expanded,
            };
            expanded.map_err(|unexpanded| (format!("sign-in.{key}"), unexpanded))
        };
        Ok(Given {
            client_id: put("client-id", &self.client_id)?,
            client_secret: put("client-secret", &self.client_secret)?.map(Secret),
            document: self.document.clone(),
            server: self.server.clone(),
            scopes: self.scopes.clone(),
            port: self.port,
            is_machine: self.is_machine,
        })
    }

    /// What consent binds to, one text a member: a rotated secret asks nothing again.
    pub(super) fn parts(&self) -> Vec<String> {
        let shown = |text: &Option<Text>| text.as_ref().map(|text| text.shown.clone()).unwrap_or_default();
        let url = |url: &Option<Url>| url.as_ref().map(Url::to_string).unwrap_or_default();
        vec![
            shown(&self.client_id),
            shown(&self.client_secret),
            url(&self.document),
            url(&self.server),
            self.scopes.iter().flatten().cloned().collect::<Vec<_>>().join(" "),
            self.port.map(|port| port.to_string()).unwrap_or_default(),
            self.is_machine.to_string(),
        ]
    }

    /// What a person agrees to with a launch. Not escaped.
    pub(super) fn sentence(&self) -> String {
        let client = self.client_id.as_ref().map(|id| format!(" as the client `{}`", id.shown)).unwrap_or_default();
        let at = self.server.as_ref().map(|url| format!(" at {}", place(url))).unwrap_or_default();
        if self.is_machine {
            format!("it is signed in to without asking{client}{at}, with a client secret")
        } else {
            format!("it is signed in to{client}{at}")
        }
    }
}
