//! The audit chain: what happened, as records of `audit-record-contract/1`, each bound to the one before by its hash.
//!
//! Pure: records and lines in, hashes and findings out. The store writes them; the command line reads files of them. A chain
//! has no key: who can write the file can compute all of it anew, so that only a head kept elsewhere tells that.

mod calls;
mod canonical;
mod chain;
mod checked;
mod clearance;
mod enclawed;
mod record;
mod sighting;

pub use calls::{Calls, Lines};
pub use canonical::{NotCanonical, preimage};
pub use chain::{Chain, Head, HeadFault, check, hash_of};
pub use checked::{Checked, Fault};
pub use clearance::Clearance;
pub use record::{
    CALLS_GUARDED, CONTINUED, DECIDED, Draft, DriftStatus, Outcome, Quarantine, RecordSeverity, SEEN, evidence_hash,
    sealed, spelled,
};
pub use sighting::{About, Passed, Sighting, Told};
