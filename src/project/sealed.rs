//! Whether the lines that a guard wrote are those that the audit log binds, and its statements those that were signed.

use super::Project;
use super::calls::Told;
use crate::audit::Calls;
use crate::digest::{Hasher, Sha256};
use crate::interop::call::LogFormat;
use crate::interop::sealedproof::{digest, key_of, verify};
use crate::signature::PublicKey;
use crate::store::{StoreError, signing_key};
use std::collections::BTreeMap;
use std::path::Path;

/// The lines of one run in one format.
struct Lines {
    count: u64,
    hasher: Hasher,
    /// What the audit log says of them, the earliest first: so many have this digest.
    bound: Vec<(u64, Sha256)>,
    checked: usize,
    is_broken: bool,
    /// The digest of the last statement.
    previous: Option<Sha256>,
}

impl Default for Lines {
    fn default() -> Self {
        Self { count: 0, hasher: Sha256::hasher(), bound: Vec::new(), checked: 0, is_broken: false, previous: None }
    }
}

/// Lines held against what is known of them.
pub struct Seals {
    runs: BTreeMap<(String, LogFormat), Lines>,
    /// The files of each run, as the audit log names them.
    files: Vec<(String, (String, LogFormat))>,
    key: Option<PublicKey>,
    faults: Vec<String>,
}

impl Seals {
    /// What this machine's audit log says of its guards' lines. Where the log does not hold, it says nothing.
    pub fn of(project: &Project) -> Result<Self, StoreError> {
        let key = project.config.evidence.signing_key.as_ref();
        let key = key.and_then(|file| signing_key(file).ok()).map(|key| *key.public());
        let mut seals = Self { runs: BTreeMap::new(), files: Vec::new(), key, faults: Vec::new() };
        let log = project.desk.store.log();
        if log.verify()?.broken.is_none() {
            log.calls()?.into_iter().for_each(|calls| seals.bind(calls));
        }
        Ok(seals)
    }

    fn bind(&mut self, calls: Calls) {
        for lines in calls.lines {
            let Ok(format) = lines.format.parse::<LogFormat>() else { continue };
            let run = (calls.run.clone(), format);
            self.runs.entry(run.clone()).or_default().bound.push((lines.count, lines.digest));
            self.files.push((lines.file, run));
        }
    }

    /// Takes the next line; `place` says where it stands.
    pub fn take(&mut self, place: &str, text: &[u8], told: &Told) {
        let Some(run) = told.call.run.clone() else { return };
        let lines = self.runs.entry((run, told.format)).or_default();
        lines.count += 1;
        lines.hasher.update(text);
        lines.hasher.update(b"\n");
        while let Some((count, digest)) = lines.bound.get(lines.checked).filter(|(count, _)| *count <= lines.count) {
            lines.checked += 1;
            if *count == lines.count && lines.hasher.clone().done() != *digest && !lines.is_broken {
                lines.is_broken = true;
                self.faults.push(format!(
                    "{place}: the lines of its guard up to here are not those that the audit log binds: one was edited, \
                     removed or added"
                ));
            }
        }
        if told.format == LogFormat::Sealedproof {
            let before = told.event.pointer("/chain/prev_evidence_digest").and_then(serde_json::Value::as_str);
            if before.and_then(Sha256::from_text) != lines.previous {
                self.faults.push(format!("{place}: the statement before it is missing, or was edited (E401)"));
            }
            lines.previous = digest(&told.event).ok();
            if let Some(key) = self.key.filter(|key| key_of(&told.event) == Some(key.id().as_str()))
                && let Err(fault) = verify(&told.event, &key)
            {
                self.faults.push(format!("{place}: {fault}"));
            }
        }
    }

    /// What does not hold, once every line of these files was taken.
    pub fn faults(mut self, files: &[impl AsRef<Path>]) -> Vec<String> {
        let absolute = |file: &Path| std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        let named: Vec<String> = files.iter().map(|file| absolute(file.as_ref()).display().to_string()).collect();
        for (run, lines) in &self.runs {
            let most = lines.bound.iter().map(|(count, _)| *count).max().unwrap_or(0);
            let is_here = lines.count > 0 || self.files.iter().any(|(file, of)| of == run && named.contains(file));
            if is_here && lines.count < most {
                self.faults.push(format!(
                    "lines of {} are missing: the audit log binds {most} of run {}, and {} are here",
                    run.1.word(),
                    run.0,
                    lines.count
                ));
            }
        }
        self.faults
    }
}
