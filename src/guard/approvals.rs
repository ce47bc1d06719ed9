//! What a person approved on this machine, and what that says of an item that is served.

use crate::canon::Pointer;
use crate::digest::{DefinitionCluster, DigestScope, Item, SurfaceDigest, surface_varying};
use crate::drift::Policy;
use crate::pin::Baseline;
use crate::surface::{ItemId, Kind, ServerId};
use std::collections::{BTreeSet, HashMap, HashSet};
use strum::{EnumString, IntoStaticStr, VariantNames};

/// What becomes of what is not approved; the words are those of `pinwatch.toml`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Mode {
    /// It does not pass.
    #[default]
    Block,
    /// It passes, and is told.
    Warn,
}

word!(Mode);

/// Whether an item may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Verdict {
    /// Equal to a pin that was decided on in this machine's log.
    Approved,
    /// The config leaves it out of every comparison.
    Ignored,
    /// Equal to a pin of the file whose decision is not in this machine's log.
    ApprovedElsewhere,
    /// Pinned, and another definition now.
    Changed,
    /// Not pinned.
    New,
    /// Exactly this definition was rejected.
    Rejected,
    /// Outside of the server's closed list of tools.
    NotAdmitted,
}

word!(Verdict);

impl Verdict {
    /// Whether it passes.
    pub fn passes(self) -> bool {
        matches!(self, Self::Approved | Self::Ignored)
    }
}

/// A pin as far as the guard needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Approval {
    binds_to: SurfaceDigest,
    varies: Vec<Pointer>,
    here: bool,
}

impl Approval {
    fn covers(&self, item: &Item) -> bool {
        let digest = match self.varies.as_slice() {
            [] => item.digests.surface,
            varies => surface_varying(item.id.kind, &item.definition, varies),
        };
        digest == self.binds_to
    }
}

/// What was approved of one server, and what its config says of the guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approvals {
    server: ServerId,
    pins: HashMap<ItemId, Vec<Approval>>,
    rejected: HashSet<(ItemId, SurfaceDigest)>,
    policy: Policy,
    ignore_kinds: BTreeSet<Kind>,
    mode: Mode,
    scope: DigestScope,
}

impl Approvals {
    /// The approvals of a baseline. `decided_here` are the pins whose decision is in this machine's log: what binds to
    /// nothing there opens nothing.
    pub fn of(
        server: &ServerId,
        baseline: &Baseline,
        decided_here: &BTreeSet<(ItemId, SurfaceDigest)>,
        policy: &Policy,
        ignore_kinds: &BTreeSet<Kind>,
        mode: Mode,
    ) -> Self {
        let mut pins: HashMap<ItemId, Vec<Approval>> = HashMap::new();
        for pin in &baseline.pins {
            let (id, binds_to) = (pin.item.id.clone(), pin.binds_to());
            let here = decided_here.contains(&(id.clone(), binds_to));
            pins.entry(id).or_default().push(Approval { binds_to, varies: pin.varies.clone(), here });
        }
        let rejections = baseline.rejections.iter();
        Self {
            server: ServerId::clone(server),
            pins,
            rejected: rejections.map(|one| (one.item.id.clone(), one.item.digests.surface)).collect(),
            policy: policy.clone(),
            ignore_kinds: ignore_kinds.clone(),
            mode,
            scope: baseline.digest_scope.clone(),
        }
    }

    /// What becomes of what is not approved.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The definition digest of an item in the scope that its baseline has; the guard reads items without one.
    pub fn definition(&self, item: &Item) -> Option<DefinitionCluster> {
        let unscoped = item.digests.definition?;
        match self.scope {
            DigestScope::None => Some(unscoped),
            DigestScope::Server(_) => DefinitionCluster::of(&item.definition.as_read(), &self.scope).ok(),
        }
    }

    /// Whether the config says not to look at this kind.
    pub fn ignores(&self, kind: Kind) -> bool {
        self.ignore_kinds.contains(&kind)
    }

    /// Whether the config says not to compare this item.
    pub fn ignores_item(&self, id: &ItemId) -> bool {
        self.ignores(id.kind) || self.policy.exceptions.ignored(&self.server, id).is_some()
    }

    /// Whether an item that is served may pass. A rejection counts whoever decided it: what comes from outside can close.
    pub fn verdict(&self, item: &Item) -> Verdict {
        if !self.policy.admissions.admits(&self.server, &item.id) {
            return Verdict::NotAdmitted;
        }
        if self.ignores_item(&item.id) {
            return Verdict::Ignored;
        }
        if self.rejected.contains(&(item.id.clone(), item.digests.surface)) {
            return Verdict::Rejected;
        }
        let pins = self.pins.get(&item.id).map(Vec::as_slice).unwrap_or_default();
        let mut covering = pins.iter().filter(|pin| pin.covers(item)).peekable();
        match (pins, covering.peek().is_some(), covering.any(|pin| pin.here)) {
            (_, _, true) => Verdict::Approved,
            (_, true, false) => Verdict::ApprovedElsewhere,
            ([], ..) => Verdict::New,
            _ => Verdict::Changed,
        }
    }
}
