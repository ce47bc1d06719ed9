//! Digests of definitions: two systems' published forms, and the one that a decision binds to.
//!
//! A digest is a reviewed boundary, not a judgement. The other systems' digests stay as specified, blind spots
//! included; only the surface digest covers every field of an item.

mod definition;
mod identity;
mod item;
mod manifest;
mod sha;
mod surface;

pub use definition::{DefinitionCluster, DigestScope, NotBound};
pub use identity::ToolIdentity;
pub use item::{Digests, Item, Left, Surface};
pub use manifest::{MANIFEST_PROJECTION, ManifestDigests, ManifestField, manifest_digest, manifest_of};
pub use sha::{Hasher, Sha256, Short, SurfaceDigest};
pub use surface::{surface, surface_varying};
