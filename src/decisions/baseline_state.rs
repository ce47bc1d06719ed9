//! What is known of a server's baseline file.

use crate::digest::{DigestScope, Surface};
use crate::pin::Baseline;
use crate::surface::ObservedAs;
use std::sync::Arc;

/// What stands in a server's baseline file.
#[derive(Clone, Debug, PartialEq)]
pub enum BaselineState {
    /// It is being read, and its digests recomputed: nothing is said of it before.
    Verifying,
    /// No file.
    Absent,
    /// Read and verified.
    Present(Arc<Baseline>),
    /// A file that is damaged, of a newer format, or not ours: never overwritten. The sentence says which and where.
    Refused(String),
}

impl BaselineState {
    /// The baseline, where it was read and verified.
    pub fn present(&self) -> Option<&Arc<Baseline>> {
        match self {
            Self::Present(baseline) => Some(baseline),
            Self::Verifying | Self::Absent | Self::Refused(_) => None,
        }
    }

    /// The same baseline, whose pins are items of `surface` where they are equal.
    #[must_use]
    pub(crate) fn sharing(self, surface: &Surface) -> Self {
        match self.present().and_then(|baseline| baseline.sharing(surface)) {
            Some(shared) => Self::Present(Arc::new(shared)),
            None => self,
        }
    }

    /// The scope of the definition digest: what the baseline fixed, or `configured`, which the first record will fix.
    pub fn scope(&self, configured: &DigestScope) -> DigestScope {
        self.present().map_or(configured, |baseline| &baseline.digest_scope).clone()
    }

    /// How the baseline saw its server.
    pub fn observed_as(&self) -> Option<&ObservedAs> {
        self.present()?.observed_as.as_ref()
    }
}
