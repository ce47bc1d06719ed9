//! Faults that strike at one step of the disk after the other, for tests of all that writes.

use pinwatch::store::disk::{Disk, Fault, Step, Verdict};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Where a fault strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strike {
    /// This step and all after it fail: the process is as good as dead.
    DeadFrom(usize),
    /// The same, and a write that the death meets is half done.
    HalfDeadFrom(usize),
    /// This step alone fails.
    Once(usize, io::ErrorKind),
    /// This step alone is a write that stops half-way.
    Short(usize),
    /// The process is killed, in the middle of the write where it is one.
    Kill(usize),
    /// Nothing: steps are counted.
    Never,
}

/// A fault that strikes once the steps are counted up to it.
pub struct Striking {
    strike: Strike,
    steps: AtomicUsize,
}

impl Striking {
    pub fn disk(strike: Strike) -> (Disk, Arc<Self>) {
        let fault = Arc::new(Self { strike, steps: AtomicUsize::new(0) });
        (Disk::with_fault(fault.clone()), fault)
    }

    pub fn steps(&self) -> usize {
        self.steps.load(Ordering::SeqCst)
    }
}

pub fn dead() -> Verdict {
    Verdict::Fail(io::Error::other("dead"))
}

impl Fault for Striking {
    fn before(&self, step: Step, _path: &Path) -> Verdict {
        let now = self.steps.fetch_add(1, Ordering::SeqCst);
        match self.strike {
            Strike::HalfDeadFrom(from) if now == from && step == Step::Write => Verdict::Cut(40),
            Strike::DeadFrom(from) | Strike::HalfDeadFrom(from) if now >= from => dead(),
            Strike::Once(at, kind) if now == at => Verdict::Fail(kind.into()),
            Strike::Short(at) if now == at && step == Step::Write => Verdict::Cut(40),
            Strike::Short(at) if now == at + 1 && step == Step::WriteRest => {
                Verdict::Fail(io::ErrorKind::StorageFull.into())
            }
            Strike::Kill(at) if now == at && step == Step::Write => Verdict::Cut(40),
            Strike::Kill(at) if now >= at => {
                let myself = rustix::process::getpid();
                rustix::process::kill_process(myself, rustix::process::Signal::KILL).unwrap();
                dead()
            }
            _ => Verdict::Go,
        }
    }
}

/// Does `act` on fresh ground with a strike at each step in turn, until it is past the last one. Gives the number of steps.
pub fn at_every_step<G, T>(
    strike: impl Fn(usize) -> Strike,
    ground: impl Fn() -> G,
    act: impl Fn(&G, Disk) -> T,
    mut check: impl FnMut(&G, Strike, T),
) -> usize {
    let mut at = 0;
    loop {
        let ground = ground();
        let (disk, fault) = Striking::disk(strike(at));
        let result = act(&ground, disk);
        check(&ground, strike(at), result);
        if fault.steps() <= at {
            return at;
        }
        at += 1;
    }
}
