//! How a server is reached, as far as a baseline may share it: no secret value, no absolute path of this machine.

use serde::{Deserialize, Serialize};

/// The masked launch: what `launch_changed` compares and a snapshot records.
///
/// Secret values are already gone when one is built; variables stand unexpanded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// Command or URL.
    #[serde(flatten)]
    pub transport: Transport,
}

/// The two ways to reach a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Transport {
    /// A process that speaks over its standard streams.
    Stdio {
        /// The command as written.
        command: String,
        /// Its arguments as written, secrets masked.
        args: Vec<String>,
        /// Working folder, relative to the root where it lies inside; `.` for the root itself.
        cwd: String,
        /// Names of the variables that the config sets, sorted.
        env: Vec<String>,
    },
    /// A streamable HTTP endpoint.
    Http {
        /// URL without user info and without secret query values.
        url: String,
        /// Names of the headers that the config sets, lower case, sorted.
        headers: Vec<String>,
    },
}

impl Launch {
    /// The launch as the JSON text of its surface item.
    pub fn to_json(&self) -> String {
        // Only strings and lists of strings: writing them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// `stdio` or `http`.
    pub fn transport_word(&self) -> &'static str {
        match self.transport {
            Transport::Stdio { .. } => "stdio",
            Transport::Http { .. } => "http",
        }
    }

    /// One line for a person: the command with its arguments, or the URL. Not escaped for the screen.
    pub fn line(&self) -> String {
        match &self.transport {
            Transport::Stdio { command, args, .. } => {
                std::iter::once(command).chain(args).map(|word| shell_word(word)).collect::<Vec<_>>().join(" ")
            }
            Transport::Http { url, .. } => url.clone(),
        }
    }
}

/// A word as a POSIX shell takes it back, so that an argument with a blank is not read as two.
fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "@%+=:,./-_${}".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
