//! Where a person's decisions are made, carried out and shown: what stands in a baseline, the desk that changes it, and the
//! masked copies that may be shown of what it decides on. The screen and the command line share it.

mod baseline_state;
mod desk;
mod gate;
mod mask;
mod sign_ins;
mod summary;

pub use baseline_state::BaselineState;
pub use desk::{Basis, Carried, Desk, Kept, Undecided};
pub use gate::{Environment, Gate};
pub use mask::{is_shown_as, mask_drift, mask_id, mask_identity, mask_item, mask_review};
pub use sign_ins::{SignIns, account_of, takes_sign_in, with_sign_in};
pub(crate) use summary::{Decided, commit_message};
