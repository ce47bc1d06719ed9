//! Reading a chain: each line by itself, then each against the one before it.

use super::canonical::preimage;
use super::checked::{Checked, Fault, hash_at};
use super::enclawed;
use super::record::{CONTINUED, POLICY, is_evidence};
use crate::canon::read_plain;
use crate::digest::Sha256;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;

/// What one line of a chain says of itself. Records of enclawed are known by their `recordHash`.
pub fn check(line: &[u8]) -> Result<Checked, Fault> {
    let record = read_plain(line).map_err(Fault::Unreadable)?;
    if record.get("recordHash").is_some() {
        return enclawed::check(&record);
    }
    let hash = hash_at(&record, "event_hash")?.ok_or(Fault::NoHash("event_hash"))?;
    let previous = hash_at(&record, "previous_hash")?;
    if Sha256::of(preimage(&record)?) != hash {
        return Err(Fault::Edited);
    }
    let security = record.pointer("/extensions/runtime-security");
    let text = |name: &str| security.and_then(|security| security.get(name)).and_then(Value::as_str);
    let digest = text("evidence_hash").and_then(Sha256::from_text);
    let continues = record.get("event_type").and_then(Value::as_str) == Some(CONTINUED);
    match (record.get("evidence"), digest) {
        (Some(evidence), Some(digest)) if !is_evidence(evidence, &digest) => return Err(Fault::EvidenceEdited),
        (Some(_), None) => return Err(Fault::EvidenceEdited),
        // Other systems keep theirs elsewhere.
        (None, _) if !continues && text("policy_id").is_some_and(|policy| policy.starts_with(POLICY)) => {
            return Err(Fault::NoEvidence);
        }
        _ => {}
    }
    Ok(Checked { hash, previous, continues: digest.filter(|_| continues) })
}

/// The hash that a record names as its own, whether it holds or not: what the next one follows.
pub fn hash_of(line: &[u8]) -> Option<Sha256> {
    let record = read_plain(line).ok()?;
    hash_at(&record, "event_hash").ok().flatten()
}

/// A chain that is being read, record by record.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    /// The hashes of its records, the first one first.
    hashes: Vec<Sha256>,
    continues: Option<Sha256>,
}

impl Chain {
    /// Takes the next record; a fault says why it does not hold where it stands.
    pub fn add(&mut self, record: Checked) -> Result<(), Fault> {
        if record.previous.as_ref() != self.hashes.last() {
            return Err(match record.previous {
                None => Fault::Begins,
                Some(_) if self.hashes.is_empty() => Fault::Headless,
                Some(previous) => match self.hashes.iter().position(|hash| *hash == previous) {
                    Some(at) => Fault::Moved(at + 1),
                    None => Fault::Follows,
                },
            });
        }
        if self.hashes.is_empty() {
            self.continues = record.continues;
        }
        self.hashes.push(record.hash);
        Ok(())
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The hash of the last record.
    pub fn last(&self) -> Option<&Sha256> {
        self.hashes.last()
    }

    /// The digest of the log that it follows, where it follows one.
    pub fn continues(&self) -> Option<&Sha256> {
        self.continues.as_ref()
    }

    /// Whether each of these heads is in its place.
    pub fn holds(&self, heads: &[Head]) -> Result<(), HeadFault> {
        let places: HashMap<_, _> = self.hashes.iter().enumerate().map(|(at, hash)| (*hash, at + 1)).collect();
        for head in heads {
            let fault = |how| Err(HeadFault { record: head.record, last: self.len(), how });
            match self.hashes.get(head.record.wrapping_sub(1)) {
                Some(hash) if *hash == head.hash => {}
                Some(_) => match places.get(&head.hash) {
                    Some(at) => return fault(How::Elsewhere(*at)),
                    None => return fault(How::Replaced),
                },
                None => return fault(How::CutOff),
            }
        }
        Ok(())
    }
}

/// A record that was written down elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Which machine's chain it is of.
    pub machine: String,
    /// The number of the record, from 1.
    pub record: usize,
    /// Its hash.
    pub hash: Sha256,
}

/// A head that is not in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadFault {
    /// The record that the head names.
    pub record: usize,
    /// How many there are.
    last: usize,
    how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    CutOff,
    Replaced,
    Elsewhere(usize),
}

impl fmt::Display for HeadFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { record, last, how } = self;
        match how {
            How::CutOff => write!(f, "it was cut off: a committed head names it, and the log ends at record {last}"),
            How::Replaced => {
                write!(f, "it is not the one that was committed: the log was computed anew up to record {record}")
            }
            How::Elsewhere(at) => write!(f, "what was committed as this record stands as record {at}"),
        }
    }
}

impl Head {
    /// The line to be committed.
    pub fn to_json(&self) -> Value {
        serde_json::json!({"machine": self.machine, "record": self.record, "hash": self.hash.to_string()})
    }

    /// A line that was committed.
    pub fn read(line: &[u8]) -> Option<Self> {
        let value = read_plain(line).ok()?;
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let record = value.get("record").and_then(Value::as_u64).and_then(|record| usize::try_from(record).ok());
        Some(Self {
            machine: text("machine")?.to_owned(),
            record: record.filter(|record| *record > 0)?,
            hash: Sha256::from_hex(text("hash")?)?,
        })
    }
}
