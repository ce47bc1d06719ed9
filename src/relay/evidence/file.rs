//! One file of evidence: lines are added at its end, also by several guards at once, and one that was moved away is made anew.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// A file that lines are added to.
#[derive(Debug)]
pub(super) struct EvidenceFile {
    path: PathBuf,
    open: Option<(File, [u64; 2])>,
    /// What was written last has no end: a line of another program, or half of one of ours.
    is_torn: bool,
}

/// What a file is known by.
fn identity(about: &Metadata) -> [u64; 2] {
    [about.dev(), about.ino()]
}

impl EvidenceFile {
    pub fn new(path: PathBuf) -> Self {
        Self { path, open: None, is_torn: false }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens it, unless it is open and still stands under its name.
    pub fn ready(&mut self) -> io::Result<()> {
        let stands = std::fs::metadata(&self.path).map(|about| identity(&about)).ok();
        if self.open.as_ref().is_some_and(|(_, known)| Some(*known) == stands) {
            return Ok(());
        }
        self.open = None;
        // Opening a fifo would wait for its reader.
        let flags = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true).mode(0o600).custom_flags(flags);
        let mut file = options.open(&self.path)?;
        let about = file.metadata()?;
        if !about.is_file() {
            return Err(io::Error::other("it is not a regular file"));
        }
        self.is_torn = false;
        if about.len() > 0 {
            let mut last = [0];
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
            self.is_torn = last != *b"\n";
        }
        self.open = Some((file, identity(&about)));
        Ok(())
    }

    /// Adds a line, which has its end. What fails half-way is no line, and the next one begins a new one.
    pub fn add(&mut self, line: &str) -> io::Result<()> {
        self.ready()?;
        let Some((file, _)) = &mut self.open else { return Err(io::ErrorKind::NotFound.into()) };
        if self.is_torn {
            file.write_all(b"\n")?;
            self.is_torn = false;
        }
        // One write a line: other guards may write to the same file.
        match file.write(line.as_bytes()) {
            Ok(written) if written == line.len() => Ok(()),
            Ok(written) => {
                self.is_torn = written > 0;
                Err(io::Error::other("only a part of the line was written: is the disk full?"))
            }
            Err(error) => Err(error),
        }
    }

    /// Another handle of it, to flush it with.
    pub fn handle(&self) -> Option<File> {
        self.open.as_ref().and_then(|(file, _)| file.try_clone().ok())
    }
}
