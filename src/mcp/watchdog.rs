//! A second process of ours that ends the servers when this one cannot: killed with SIGKILL, it ends nothing itself.
//!
//! It holds the reading end of a pipe whose only other end is here, and is told which process groups there are. When the
//! pipe ends it sends them SIGTERM, then SIGKILL. It is started beside what goes on, and sleeps; a server that is started
//! in the very moment in which pinwatch is killed can be missed. Without [`enable`] there is none, so that a program that
//! uses the library is not started twice.

#[cfg(unix)]
pub use unix::{enable, prepare, run};

#[cfg(unix)]
pub(super) use unix::{forget, guard};

#[cfg(unix)]
mod unix {
    use crate::held::held;
    use crate::mcp::own_program;
    use rustix::io::Errno;
    use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
    use std::collections::BTreeSet;
    use std::ffi::OsString;
    use std::io::{self, BufRead as _, BufReader, Write as _};
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, Command, Stdio};
    use std::sync::{Mutex, MutexGuard, OnceLock};
    use std::thread;
    use std::time::{Duration, Instant};

    /// Time that groups have to end after SIGTERM; as for a session that is closed.
    const TERM: Duration = Duration::from_secs(1);
    /// Groups that are remembered, far more than a machine runs servers.
    const MOST: usize = 100_000;
    /// Groups that a command line names.
    const FIRST: usize = 4_096;

    /// How the watchdog is started.
    static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();
    static KEPT: Mutex<Kept> = Mutex::new(Kept { groups: BTreeSet::new(), watchdog: Watchdog::Absent });

    /// What is known here.
    struct Kept {
        groups: BTreeSet<i32>,
        watchdog: Watchdog,
    }

    enum Watchdog {
        Absent,
        /// A thread starts it, since that takes longer than a server may be kept waiting for.
        Starting,
        Running(Child),
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Word {
        /// The group is there.
        Guard(i32),
        Forget(i32),
    }

    /// From now on servers are watched over, by this program started again with `words`, which calls [`run`].
    pub fn enable(words: Vec<OsString>) {
        // The first say counts; it is always the same.
        let _ = WORDS.set(words);
    }

    /// Servers will be started: the watchdog is to be there by then.
    pub fn prepare() {
        if WORDS.get().is_some() {
            let mut kept = lock();
            if matches!(kept.watchdog, Watchdog::Absent) {
                launch(&mut kept);
            }
        }
    }

    /// A group was started.
    pub(in super::super) fn guard(leader: Pid) {
        tell(Word::Guard(leader.as_raw_nonzero().get()));
    }

    /// A group was ended; its id may mean another one soon.
    pub(in super::super) fn forget(leader: Pid) {
        tell(Word::Forget(leader.as_raw_nonzero().get()));
    }

    fn lock() -> MutexGuard<'static, Kept> {
        held(&KEPT)
    }

    /// Takes a word in, and passes it on at once where somebody listens.
    fn tell(word: Word) {
        if WORDS.get().is_none() {
            return;
        }
        let mut kept = lock();
        match word {
            Word::Guard(leader) => kept.groups.insert(leader),
            Word::Forget(leader) => kept.groups.remove(&leader),
        };
        let kept = &mut *kept;
        match &mut kept.watchdog {
            Watchdog::Running(child) => {
                if write(child, &[word]).is_err() {
                    // It took no word: it has ended, or will when its pipe does.
                    launch(kept);
                }
            }
            Watchdog::Absent if !kept.groups.is_empty() => launch(kept),
            Watchdog::Absent | Watchdog::Starting => {}
        }
    }

    /// Starts a watchdog beside what goes on, which knows everything from its first moment.
    fn launch(kept: &mut Kept) {
        let before = std::mem::replace(&mut kept.watchdog, Watchdog::Starting);
        let groups: BTreeSet<i32> = kept.groups.iter().copied().take(FIRST).collect();
        let launching = move || {
            if let Watchdog::Running(mut gone) = before {
                drop(gone.stdin.take());
                let _ = gone.wait();
            }
            let started = start(&groups);
            let mut kept = lock();
            let new = kept.groups.difference(&groups).copied().map(Word::Guard);
            let gone = groups.difference(&kept.groups).copied().map(Word::Forget);
            let words: Vec<_> = new.chain(gone).collect();
            let told = started.and_then(|mut child| write(&mut child, &words).map(|()| child));
            // Another try comes with the next word.
            kept.watchdog = told.map_or(Watchdog::Absent, Watchdog::Running);
        };
        if thread::Builder::new().name("watchdog".to_owned()).spawn(launching).is_err() {
            kept.watchdog = Watchdog::Absent;
        }
    }

    /// Starts the watchdog over these groups: in a group of its own, which no key of the terminal reaches, and holding
    /// nothing of ours. It is given them as words, so that it guards them even where this process is killed now.
    fn start(groups: &BTreeSet<i32>) -> io::Result<Child> {
        Command::new(own_program()?)
            .args(WORDS.get().into_iter().flatten())
            .args(groups.iter().map(ToString::to_string))
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
    }

    fn write(child: &mut Child, words: &[Word]) -> io::Result<()> {
        let line = |word: &Word| match word {
            Word::Guard(leader) => format!("+{leader}\n"),
            Word::Forget(leader) => format!("-{leader}\n"),
        };
        let text: String = words.iter().map(line).collect();
        child.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.write_all(text.as_bytes())
    }

    fn read(line: &str) -> Option<Word> {
        match line.split_at_checked(1)? {
            ("+", id) => Some(Word::Guard(group(id)?)),
            ("-", id) => Some(Word::Forget(group(id)?)),
            _ => None,
        }
    }

    /// A group by its leader. 0 is the own one, 1 everything: neither was ever meant.
    fn group(leader: &str) -> Option<i32> {
        leader.parse().ok().filter(|leader| *leader > 1)
    }

    /// What the watchdog of these groups does: waits for the end of standard input, and ends what is left then.
    pub fn run(words: impl Iterator<Item = OsString>) {
        let mut groups: BTreeSet<i32> = words.filter_map(|word| group(word.to_str()?)).collect();
        for line in BufReader::new(io::stdin()).lines() {
            let Ok(line) = line else { break };
            match read(&line) {
                Some(Word::Guard(leader)) if groups.len() < MOST => groups.insert(leader),
                Some(Word::Forget(leader)) => groups.remove(&leader),
                _ => false,
            };
        }
        end(groups.into_iter().filter_map(Pid::from_raw).collect());
    }

    fn end(mut groups: Vec<Pid>) {
        let deadline = Instant::now() + TERM;
        for group in &groups {
            // It may be gone by now, which is what was wanted.
            let _ = kill_process_group(*group, Signal::TERM);
        }
        loop {
            groups.retain(|group| test_kill_process_group(*group) != Err(Errno::SRCH));
            if groups.is_empty() || Instant::now() >= deadline {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        for group in groups {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn only_groups_of_servers_are_words() {
            assert_eq!(read("+4711"), Some(Word::Guard(4711)));
            assert_eq!(read("-4711"), Some(Word::Forget(4711)));
            for line in ["", "+", "+0", "+1", "-1", "+-5", "+4711x", "4711", "é1", "+99999999999"] {
                assert_eq!(read(line), None, "{line}");
            }
        }
    }
}
