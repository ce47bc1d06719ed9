//! Faults that strike at one step of the disk after the other, for tests of all that writes.

use crate::power::{Durable, Names};
use pinwatch::store::disk::{Disk, Fault, Step, Verdict};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Where a fault strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strike {
    /// This step and all after it fail: the process is as good as dead.
    DeadFrom(usize),
    /// The same, and a write that the death meets is half done.
    HalfDeadFrom(usize),
    /// The power is cut before this step; what was not flushed is lost, names included.
    CutLosingNames(usize),
    /// The same, but names are there ahead of the bytes that they name.
    CutKeepingNames(usize),
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
    durable: Option<Mutex<Durable>>,
}

/// The ways in which everything ends at one step.
pub const ENDS: [fn(usize) -> Strike; 4] =
    [Strike::DeadFrom, Strike::HalfDeadFrom, Strike::CutLosingNames, Strike::CutKeepingNames];

/// Ground that a power cut can be tried on.
pub trait Ground {
    /// The folder that everything is below.
    fn whole(&self) -> PathBuf;
}

impl Striking {
    pub fn disk(strike: Strike) -> (Disk, Arc<Self>) {
        Self::with(strike, None)
    }

    /// The same over a folder, for power cuts.
    pub fn disk_of(strike: Strike, ground: &impl Ground) -> (Disk, Arc<Self>) {
        Self::with(strike, Some(Mutex::new(Durable::of(&ground.whole()))))
    }

    fn with(strike: Strike, durable: Option<Mutex<Durable>>) -> (Disk, Arc<Self>) {
        let fault = Arc::new(Self { strike, steps: AtomicUsize::new(0), durable });
        (Disk::with_fault(fault.clone()), fault)
    }

    /// Cuts the power, if that is the strike: also after the last step.
    pub fn end(&self) {
        let names = match self.strike {
            Strike::CutLosingNames(_) => Names::Lost,
            Strike::CutKeepingNames(_) => Names::Kept,
            _ => return,
        };
        self.durable.as_ref().unwrap().lock().unwrap().cut(names);
    }

    pub fn steps(&self) -> usize {
        self.steps.load(Ordering::SeqCst)
    }
}

pub fn dead() -> Verdict {
    Verdict::Fail(io::Error::other("dead"))
}

impl Fault for Striking {
    fn before(&self, step: Step, path: &Path) -> Verdict {
        let now = self.steps.fetch_add(1, Ordering::SeqCst);
        match self.strike {
            Strike::CutLosingNames(from) | Strike::CutKeepingNames(from) => {
                if now >= from {
                    return dead();
                }
                self.durable.as_ref().unwrap().lock().unwrap().before(step, path);
                Verdict::Go
            }
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
pub fn at_every_step<G: Ground, T>(
    strike: impl Fn(usize) -> Strike,
    ground: impl Fn() -> G,
    act: impl Fn(&G, Disk) -> T,
    mut check: impl FnMut(&G, Strike, T),
) -> usize {
    let mut at = 0;
    loop {
        let ground = ground();
        let (disk, fault) = Striking::disk_of(strike(at), &ground);
        let result = act(&ground, disk);
        fault.end();
        check(&ground, strike(at), result);
        if fault.steps() <= at {
            return at;
        }
        at += 1;
    }
}
