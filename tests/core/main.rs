//! The pure rings, the store and the configuration: what each promises, by examples, properties, vectors and scenarios.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where it cannot go on")]

#[path = "../support/attest.rs"]
#[expect(dead_code, reason = "these tests sign documents of their own")]
mod attest;
#[path = "../support/house.rs"]
mod house;
#[path = "../common/needs.rs"]
mod needs;
#[path = "../support/reviewed.rs"]
mod reviewed;
#[path = "../support/signing.rs"]
mod signing;
#[path = "../support/stores.rs"]
#[expect(dead_code, reason = "these tests use the part of it that needs no faults")]
mod stores;
#[path = "../support/surfaces.rs"]
mod surfaces;
#[path = "../support/work.rs"]
mod work;

mod audit;
mod baseline_format;
mod clients;
mod config;
mod consent;
mod drift;
mod drift_corpus;
mod drift_properties;
mod evidence;
mod finding_figures;
mod findings;
mod groups;
mod guard;
mod interop_assay;
mod interop_atsa;
mod interop_mcptrust;
mod interop_sealedproof;
mod interop_signature;
mod mask;
mod names;
mod otlp;
mod redact;
mod rings;
mod scenario;
mod schema_cases;
mod schema_corpus;
mod schema_hostile;
mod schema_keywords;
mod schema_property;
mod schema_words;
mod sightings;
mod sign_ins;
mod store;
mod surface_sense;
mod validator;
mod vectors;

use std::path::{Path, PathBuf};

/// A file or folder of `tests/data/`.
fn data(part: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(part)
}
