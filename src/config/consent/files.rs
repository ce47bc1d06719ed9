//! The files of the project that a command line names, and what is in them.

use super::loaders::loads_code;
use super::seal::{Key, Seal, finish};
use crate::config::{Lookup, ServerConfig, find};
use crate::mcp::Target;
use crate::surface::only_runs_others;
use hmac::Mac as _;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// So much of a file counts, beside its length: a launch may name a disk image.
const MAX_BYTES: u64 = 256 << 20;

/// The seals of the files inside `project` that a launch names: the command, wherever `PATH` finds it; each argument and
/// what stands after its `=`; and each path in a variable that decides what code is run. By their path in the project.
pub(super) fn contents(
    server: &ServerConfig,
    project: &Path,
    key: &Key,
    environment: Lookup<'_>,
) -> BTreeMap<String, Seal> {
    let Target::Stdio { command, args, cwd, env } = &server.target else { return BTreeMap::new() };
    let path = env.get("PATH").cloned().or_else(|| environment("PATH"));
    let mut named: Vec<PathBuf> = find::program(command, cwd, path.as_deref()).into_iter().collect();
    let after_equals = |word: &String| word.split_once('=').map(|(_, value)| value.to_owned());
    let words = args.iter().flat_map(|arg| [Some(arg.clone()), after_equals(arg)]).flatten();
    let loaded = env.iter().filter(|(name, _)| loads_code(name)).flat_map(|(_, value)| {
        value.split(|c: char| c.is_whitespace() || matches!(c, ':' | ';' | '=')).map(str::to_owned)
    });
    for word in words.chain(loaded).filter(|word| !word.is_empty()) {
        named.push(cwd.join(word.strip_prefix("file://").unwrap_or(&word)));
    }
    // By its text a path counts as inside the folder as written too: a link out of the project is the project's to
    // change, and a link into it leads to what the project holds.
    let inside = |path: &Path| find::inside(project, path).or_else(|| find::inside(server.project(), path));
    // Of a scanner it is the programs of the machine as well, unless they only run others: it judges what others serve.
    let counts = |path: &Path| {
        let outside = || server.is_scanner() && !only_runs_others(&path.to_string_lossy());
        inside(path).or_else(|| outside().then(|| path.to_string_lossy().into_owned()))
    };
    named.iter().filter_map(|path| Some((counts(path)?, content(path, key)?))).collect()
}

/// The seal of a regular file's content; none where there is no such file.
fn content(path: &Path, key: &Key) -> Option<Seal> {
    let length = path.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    let mut mac = key.start("content");
    mac.update(&length.to_be_bytes());
    let Ok(file) = File::open(path) else {
        mac.update(b"unreadable");
        return Some(finish(mac));
    };
    let mut file = file.take(MAX_BYTES);
    let mut block = vec![0; 64 << 10];
    loop {
        match file.read(&mut block) {
            Ok(0) => return Some(finish(mac)),
            Ok(read) => mac.update(&block[..read]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => {
                mac.update(b"unreadable");
                return Some(finish(mac));
            }
        }
    }
}
