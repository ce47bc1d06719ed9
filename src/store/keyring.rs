//! The keyring of this user's session, where there is one: the Secret Service on the session bus (freedesktop.org), spoken to in
//! Rust alone. Each exchange has its time, and none but keeping asks a person to unlock it.

use crate::text::shortened;
use secret_service::{EncryptionType, Error, Item, SecretService};
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;
use tokio::runtime::{Builder, Handle};
use tokio::time::timeout;

/// Time for one exchange, a service that the bus starts first included.
const PATIENCE: Duration = Duration::from_secs(5);
/// Time for a person to unlock it.
const UNLOCKING: Duration = Duration::from_secs(30);
/// Characters of the service's own words that are told.
const MOST: usize = 200;

/// Why the keyring did not do it.
#[derive(Debug)]
pub(super) enum Fault {
    /// A person must unlock it.
    Locked,
    /// There is none, or it does not answer: why.
    Gone(String),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::Locked | Error::Prompt | Error::PromptDisconnected => Self::Locked,
            error => Self::Gone(shortened(&error.to_string(), MOST)),
        }
    }
}

/// Whether there is a session bus that could have one. Without it nothing is asked.
pub(super) fn may_be_there(lookup: impl Fn(&str) -> Option<String>) -> bool {
    lookup("DBUS_SESSION_BUS_ADDRESS").is_some_and(|address| !address.is_empty())
        || lookup("XDG_RUNTIME_DIR").is_some_and(|folder| Path::new(&folder).join("bus").exists())
}

/// Waits until the keyring can keep something: it answers, and is unlocked, for which a person may be asked.
pub(super) fn ready() -> Result<(), Fault> {
    block_on(async {
        let service = connected().await?;
        let collection = within(PATIENCE, service.get_default_collection()).await?;
        if within(PATIENCE, collection.is_locked()).await? {
            within(UNLOCKING, collection.unlock()).await?;
            within(PATIENCE, collection.ensure_unlocked()).await?;
        }
        Ok(())
    })
}

/// Keeps a secret under a name, in the place of the one before. `label`: what a person sees it as.
pub(super) fn keep(name: &str, label: &str, secret: &str) -> Result<(), Fault> {
    block_on(async {
        let service = connected().await?;
        let collection = within(PATIENCE, service.get_default_collection()).await?;
        within(PATIENCE, collection.ensure_unlocked()).await?;
        let item = collection.create_item(label, attributes(name), secret.as_bytes(), true, "application/json");
        within(PATIENCE, item).await?;
        Ok(())
    })
}

/// The secret under a name.
pub(super) fn load(name: &str) -> Result<Option<Vec<u8>>, Fault> {
    block_on(async {
        let service = connected().await?;
        let found = within(PATIENCE, service.search_items(attributes(name))).await?;
        match (found.unlocked.first(), found.locked.is_empty()) {
            (Some(item), _) => Ok(Some(within(PATIENCE, item.get_secret()).await?)),
            (None, true) => Ok(None),
            (None, false) => Err(Fault::Locked),
        }
    })
}

/// Forgets what is kept under a name; whether there was something.
pub(super) fn forget(name: &str) -> Result<bool, Fault> {
    block_on(async {
        let service = connected().await?;
        let found = within(PATIENCE, service.search_items(attributes(name))).await?;
        if !found.locked.is_empty() {
            return Err(Fault::Locked);
        }
        for item in &found.unlocked {
            within(PATIENCE, Item::delete(item)).await?;
        }
        Ok(!found.unlocked.is_empty())
    })
}

/// As other programs that use the crate `keyring` name theirs.
fn attributes(name: &str) -> HashMap<&str, &str> {
    HashMap::from([("service", "pinwatch"), ("username", name)])
}

async fn connected() -> Result<SecretService<'static>, Fault> {
    within(PATIENCE, SecretService::connect(EncryptionType::Dh)).await
}

async fn within<T>(time: Duration, work: impl Future<Output = Result<T, Error>>) -> Result<T, Fault> {
    let done = timeout(time, work).await;
    done.map_err(|_| Fault::Gone(format!("no answer within {} s", time.as_secs())))?.map_err(Fault::from)
}

/// Does it to its end. The store is called on threads that may block.
fn block_on<T>(work: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
    if let Ok(handle) = Handle::try_current() {
        return handle.block_on(work);
    }
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| Fault::Gone(error.to_string()))?.block_on(work)
}
