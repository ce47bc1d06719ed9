//! As whom a server is asked what it shows to other clients than pinwatch.

use super::clients::word_of;
use super::server::Origin;
use crate::surface::ClientIdentity;
use std::sync::Arc;

/// The clients whose files name it, then those that declare most, at most `most`.
pub fn likely_clients(origins: &[Origin], most: usize) -> Vec<Arc<ClientIdentity>> {
    let of_files = origins.iter().filter_map(|origin| origin.client).filter_map(word_of);
    let mut found: Vec<Arc<ClientIdentity>> = Vec::new();
    for client in of_files.chain(["cursor", "claude-code", "vscode"]).filter_map(ClientIdentity::named) {
        if found.len() < most && !found.contains(&client) {
            found.push(client);
        }
    }
    found
}
