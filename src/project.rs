//! What a command works on: the config, the root with its baselines, the policy, and whether servers may be started.

pub mod at_ref;
pub mod calls;
pub mod evidence;
pub mod git;
pub mod sealed;

use crate::config::consent::Consents;
use crate::config::{Config, FoundBy, OTHER_PROJECT, ServerConfig};
use crate::decisions::{BaselineState, Desk, Environment, Gate, SignIns};
use crate::mcp::Limits;
use crate::store::redact::{Redactor, Secrets};
use crate::store::{self, Places, Store, StoreError};
use crate::surface::ItemId;
use std::sync::Arc;

/// One root under one config.
#[derive(Debug)]
pub struct Project {
    /// What is configured.
    pub config: Config,
    /// Where decisions are carried out.
    pub desk: Desk,
    /// Whether servers may be started.
    pub gate: Gate,
    /// Who is signed in where.
    pub sign_ins: SignIns,
    /// The bounds on what a server may send.
    pub limits: Limits,
    /// Masks what servers send back of the secrets they were given.
    pub redactor: Arc<Redactor>,
    /// Whether it is judged by what a git ref holds, see [`at_ref`].
    pub is_at_ref: bool,
}

/// Why servers could not be selected.
#[derive(Debug, thiserror::Error)]
pub enum SelectError {
    /// It is configured, and not watched.
    #[error("`{name}` is not watched: {reason}")]
    NotWatched {
        /// As it was typed.
        name: String,
        /// One sentence.
        reason: String,
    },
    /// No server has that id.
    #[error(
        "no server `{name}`{}{known}",
        if known.is_empty() { ": none is configured here" } else { "; configured here: " }
    )]
    Unknown {
        /// As it was typed.
        name: String,
        /// The ids of those that are.
        known: String,
    },
    /// The baselines could not be listed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Project {
    /// The project of a config that was read. `passed` knows the secrets of what ran before.
    pub fn of(config: Config, places: Places, consents: Consents, environment: Environment, passed: &Redactor) -> Self {
        let mut secrets = Secrets::default();
        for server in &config.servers {
            secrets.extend(&server.secrets);
        }
        if let Some(collector) = &config.collector {
            secrets.extend(&collector.secrets());
        }
        let redactor = passed.and(&Redactor::new(&secrets));
        let limits = Limits::default();
        let sign_ins = SignIns::new(
            store::SignIns::new(places.clone()).of_session(&*environment),
            redactor.clone(),
            limits.clone(),
        );
        let store = Store::new(config.root.clone(), places, redactor.clone());
        let desk = Desk {
            store,
            by: config.decided_by.clone(),
            policy_digest: format!("sha256:{}", config.policy.digest).into(),
            rules: config.policy.rules.clone(),
        };
        let gate = Gate::new(consents, environment, desk.clone());
        Self { config, desk, gate, sign_ins, limits, redactor: Arc::new(redactor), is_at_ref: false }
    }

    /// The named servers in the order of the config; all where none is named.
    pub fn select(&self, names: &[String]) -> Result<Vec<ServerConfig>, SelectError> {
        for name in names {
            if let Some(reason) =
                self.config.unwatched.iter().find(|one| *one.id == **name).and_then(ServerConfig::unwatched_reason)
            {
                return Err(SelectError::NotWatched { name: name.clone(), reason: reason.text.clone() });
            }
            if !self.config.servers.iter().any(|server| *server.id == **name) {
                let known: Vec<_> = self.config.servers.iter().map(|server| server.id.as_ref()).collect();
                return Err(SelectError::Unknown { name: name.clone(), known: known.join(", ") });
            }
        }
        let wanted = |server: &&ServerConfig| names.is_empty() || names.iter().any(|name| **name == *server.id);
        Ok(self.config.servers.iter().filter(wanted).cloned().collect())
    }

    /// The same with every entry that is not watched, and every baseline that no entry is for, so that none is passed over
    /// in silence. What is configured for other projects is there where it has a baseline here.
    pub fn select_with_unwatched(&self, names: &[String]) -> Result<Vec<ServerConfig>, SelectError> {
        let mut selected = self.select_with_every_entry(names)?;
        let pinned = self.desk.store.servers()?;
        selected.retain(|entry| {
            let elsewhere = entry.unwatched_reason().is_some_and(|reason| reason.code == OTHER_PROJECT);
            !elsewhere || !names.is_empty() || pinned.iter().any(|id| **id == *entry.id)
        });
        Ok(selected)
    }

    /// The same with what is configured for other projects, too.
    pub fn select_with_every_entry(&self, names: &[String]) -> Result<Vec<ServerConfig>, SelectError> {
        let mut unwatched = self.config.unwatched.clone();
        unwatched.extend(self.not_configured()?);
        let (off, on): (Vec<_>, Vec<_>) =
            names.iter().cloned().partition(|name| unwatched.iter().any(|entry| *entry.id == **name));
        let mut selected = if off.is_empty() || !on.is_empty() { self.select(&on)? } else { Vec::new() };
        unwatched.retain(|entry| names.is_empty() || off.iter().any(|name| **name == *entry.id));
        selected.extend(unwatched);
        Ok(selected)
    }

    /// The servers that have a baseline here and stand in no file that was read.
    pub fn not_configured(&self) -> Result<Vec<ServerConfig>, SelectError> {
        let Config { servers, unwatched, searched, .. } = &self.config;
        if servers.iter().any(|server| server.origin.found_by == FoundBy::AdHoc) {
            return Ok(Vec::new());
        }
        let files: Vec<_> = searched.iter().map(|searched| searched.file.as_path()).collect();
        let store = &self.desk.store;
        let mut found = Vec::new();
        for id in store.servers()? {
            let configured = servers.iter().chain(unwatched).any(|server| *server.id == *id);
            if !configured && store.is_named_by(&id, &files)? {
                found.push(ServerConfig::not_configured(&id, store.root().path()));
            }
        }
        Ok(found)
    }

    /// The files that could not be read, as printable lines. Where servers are named, what else stands in other files
    /// does not matter.
    pub fn problems(&self, names: &[String]) -> Vec<String> {
        let problems = self.config.problems.iter().filter(|_| names.is_empty());
        problems.map(ToString::to_string).collect()
    }

    /// `KIND/KEY` of an item as it may be shown: a name may hold a secret, too.
    pub fn name(&self, item: &ItemId) -> String {
        format!("{}/{}", item.kind, self.redactor.mask(&item.key))
    }

    /// What stands in a server's baseline file now.
    pub fn baseline(&self, server: &str) -> BaselineState {
        self.desk.baseline(server)
    }
}
