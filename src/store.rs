//! Baselines, snapshots, the decision log and locks on disk; every write is atomic, every secret masked.

pub mod redact;
