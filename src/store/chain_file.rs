//! Verifying a file of the audit chain, its own or another's, without having all of it in memory.
//!
//! Lines are read in pieces; what a line says of itself is worked out side by side, then each is held against the one before.

use crate::audit::{Chain, Checked, Fault, check};
use std::io::{self, Read};
use std::thread;

/// Bytes that are read at once; one line may be longer.
const PIECE: usize = 1 << 20;
/// Threads that check lines.
const THREADS: usize = 8;

/// What came of verifying a file.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// The records that hold, up to the first that does not.
    pub chain: Chain,
    /// The number of the first record that does not hold, and why.
    pub broken: Option<(usize, Fault)>,
    /// What was written last was cut off half-way: it was never reported as written.
    pub torn: bool,
}

/// Verifies a chain line by line.
pub fn verify(mut file: impl Read) -> io::Result<Verified> {
    let mut verified = Verified::default();
    let mut bytes = Vec::new();
    loop {
        let begun = bytes.len();
        let read = file.by_ref().take(PIECE as u64).read_to_end(&mut bytes)?;
        let whole = match memchr::memrchr(b'\n', &bytes[begun..]) {
            Some(end) => begun + end + 1,
            None if read > 0 => continue,
            None => 0,
        };
        let mut lines = Vec::new();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', &bytes[..whole]) {
            lines.extend(Some(&bytes[start..end]).filter(|line| !line.is_empty()));
            start = end + 1;
        }
        if !verified.add(check_all(&lines)) {
            return Ok(verified);
        }
        bytes.drain(..whole);
        if read == 0 {
            break;
        }
    }
    if !bytes.is_empty() {
        // Files of other systems may end without a line break.
        match check(&bytes) {
            Err(Fault::Unreadable(_)) => verified.torn = true,
            checked => drop(verified.add([checked])),
        }
    }
    Ok(verified)
}

impl Verified {
    fn add(&mut self, checked: impl IntoIterator<Item = Result<Checked, Fault>>) -> bool {
        for record in checked {
            if let Err(fault) = record.and_then(|record| self.chain.add(record)) {
                self.broken = Some((self.chain.len() + 1, fault));
                return false;
            }
        }
        true
    }
}

fn check_all(lines: &[&[u8]]) -> Vec<Result<Checked, Fault>> {
    let threads = thread::available_parallelism().map_or(1, |many| many.get().min(THREADS));
    let share = lines.len().div_ceil(threads).max(64);
    if lines.len() <= share {
        return lines.iter().map(|line| check(line)).collect();
    }
    thread::scope(|scope| {
        let check_share = |lines: &[&[u8]]| lines.iter().map(|line| check(line)).collect::<Vec<_>>();
        let shares: Vec<_> = lines.chunks(share).map(|lines| scope.spawn(move || check_share(lines))).collect();
        let panicked = || vec![Err(Fault::Unreadable("checking it failed; please report this".to_owned()))];
        shares.into_iter().flat_map(|share| share.join().unwrap_or_else(|_| panicked())).collect()
    })
}
