//! `pinwatch guard install` and `uninstall`: guards in a client's own files. What would change is printed first, and written
//! only where that is asked for.

mod tell;

use crate::cli::open::open_at_root;
use crate::cli::{Global, GuardFiles, out};
use crate::config::{Config, EntryAt, Guarding, Level, Listener, Problem, ServerConfig, Wanted, client_files};
use crate::desktop::{on_path, variable};
use crate::error::{Exit, Printable};
use crate::project::Project;
use crate::store::disk::Disk;
use crate::store::{ClientConfigs, FoundBy, GuardSecret, Places, Root};
use crate::surface::program_name;
use crate::text::{shell_word, visible};
use anyhow::{Context as _, bail};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// What is to be done with the guards of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// They are put in.
    Install,
    /// They are taken out.
    Uninstall,
}

/// The files of a client, and where guards stand for them.
struct Setup {
    project: Project,
    global: Global,
    configs: ClientConfigs,
    act: Act,
    /// The server that is meant; all where none is.
    named: Option<String>,
    /// Where its guard listens.
    listen: Option<SocketAddr>,
}

/// Shows what would become of the client's files, and writes them where that was asked for.
pub fn run(global: &Global, wanted: &GuardFiles, act: Act) -> anyhow::Result<Exit> {
    if global.config.is_some() {
        bail!("--config has no part in this: the client's own files are changed, and its guards search for theirs");
    }
    let listen = wanted.listen();
    match listen {
        Some(_) if act == Act::Uninstall => bail!("--listen has no part in this: guards are taken away"),
        Some(_) if wanted.named.is_none() => bail!("--listen needs a SERVER: each guard has an address of its own"),
        Some(address) if address.port() == 0 => bail!("--listen needs a port: the client's file names it"),
        _ => {}
    }
    let cwd = std::env::current_dir().context("the current folder cannot be found")?;
    let walk = Root::walk(&cwd)?;
    // As the guard itself will see it, wherever a client starts it.
    let found = crate::cli::open::open(global, None)?;
    let root = found.config.root.path().to_owned();
    let global = Global { root: Some(root), ..global.clone() };
    let project = if found.config.root.found_by() == FoundBy::Nothing { found } else { open_at_root(&global, None)? };
    let configs = ClientConfigs::new(project.desk.store.places().clone());
    let setup = Setup { project, global, configs, act, named: wanted.named.clone(), listen };
    let client = wanted.client.as_deref().unwrap_or_default();
    let read = client_files(client, &walk, &variable)?;
    let mut outcome = Told::default();
    for problem in &read.problems {
        outcome.problem(problem);
    }
    for mut file in read.files {
        setup.prepare(&mut file, wanted.write)?;
        setup.tell(&file, wanted.write, &mut outcome)?;
    }
    outcome.conclude(client, wanted, act, &read.tried)
}

/// What was told, as far as the end of it depends on it.
#[derive(Default)]
struct Told {
    /// Servers that are changed, and those that nothing was to be done for.
    changed: usize,
    settled: usize,
    /// Servers that stay as they are though they were meant, and files that cannot be read.
    left: usize,
}

impl Told {
    fn problem(&mut self, problem: &Problem) {
        out::print(&format!("{problem}\n"));
        self.left += 1;
    }

    fn conclude(&self, client: &str, wanted: &GuardFiles, act: Act, tried: &[PathBuf]) -> anyhow::Result<Exit> {
        let Self { changed, settled, left } = *self;
        if changed + settled + left == 0 {
            let what = if act == Act::Install { "server" } else { "guard" };
            let name = wanted.named.as_ref().map(|name| format!(" `{}`", visible(name))).unwrap_or_default();
            let tried: Vec<_> = tried.iter().map(|path| format!("\n  {}", visible(&path.to_string_lossy()))).collect();
            return Err(Printable(format!("{client} has no {what}{name} in any of:{}", tried.concat())).into());
        }
        if changed > 0 && !wanted.write {
            let word = if act == Act::Install { "install" } else { "uninstall" };
            let name = wanted.named.as_ref().map(|name| format!(" {}", shell_word(name))).unwrap_or_default();
            let listen = wanted.listen().map(|address| format!(" --listen {address}")).unwrap_or_default();
            out::print(&format!(
                "nothing was written; to write it: pinwatch guard {word} {client}{name}{listen} --write\n"
            ));
        }
        Ok(if left > 0 { Exit::Unknown } else { Exit::Fine })
    }
}

impl Setup {
    /// Works out what the file shall say.
    fn prepare(&self, file: &mut Guarding, write: bool) -> anyhow::Result<()> {
        match self.act {
            Act::Install => {
                let (program, root) = (program()?, self.root()?);
                let path = file.path.clone();
                let level = file.level;
                let is_meant = |name| self.named.as_deref().is_none_or(|named| is_meant(named, name));
                let meant = file.names().any(is_meant);
                let listener = self.listen.map(|address| self.listener(address, write && meant)).transpose()?;
                file.wrap((&program, &root), listener.as_ref(), |entry| self.wanted(&path, level, entry));
            }
            Act::Uninstall => {
                let added = self.configs.known(&file.real)?.added;
                file.unwrap(&added, |name| self.named.as_deref().is_none_or(|named| is_meant(named, name)));
            }
        }
        Ok(())
    }

    /// The guard at an address. Its secret is made where there is none and something is written.
    fn listener(&self, address: SocketAddr, write: bool) -> anyhow::Result<Listener> {
        let (disk, places) = (Disk::default(), self.places());
        let secret = if write {
            GuardSecret::make(&disk, places)?
        } else {
            GuardSecret::known(&disk, places)?.unwrap_or_else(GuardSecret::stand_in)
        };
        Ok(Listener { url: format!("http://{address}/mcp"), secret: secret.text().to_owned() })
    }

    fn places(&self) -> &Places {
        self.project.desk.store.places()
    }

    /// What is wanted of an entry, by what a guard at this root would make of it.
    fn wanted(&self, file: &Path, level: Level, entry: EntryAt<'_>) -> Wanted {
        let EntryAt { name, line, project } = entry;
        let is_it = |server: &&ServerConfig| {
            let mut origins = server.origins();
            server.name == name && origins.any(|origin| origin.file.as_deref() == Some(file) && origin.line == line)
        };
        let Config { servers, unwatched, root, .. } = &self.project.config;
        let known = servers.iter().find(is_it);
        let id = known.map_or(name, |server| &*server.id);
        if self.named.as_deref().is_some_and(|named| named != id && !is_meant(named, name)) {
            return Wanted::Nothing;
        }
        if let Some(project) = project.filter(|project| !self.is_here(project)) {
            return Wanted::Aside(format!("it is for the project {}", project.display()));
        }
        if let Some(reason) =
            unwatched.iter().find(is_it).filter(|_| known.is_none()).and_then(ServerConfig::unwatched_reason)
        {
            return Wanted::Aside(format!("pinwatch does not watch it: {}", reason.text));
        }
        if level == Level::Project && root.found_by() == FoundBy::Nothing {
            return Wanted::Leave(
                "this project has no folder of baselines yet: run `pinwatch record --root .` first".to_owned(),
            );
        }
        if self.listen.is_some() && !servers.iter().any(|server| *server.id == *id) {
            return Wanted::Leave(format!("no server `{id}` is watched from here: add it to pinwatch.toml first"));
        }
        Wanted::Guard(id.to_owned())
    }

    /// Whether the root belongs to a project.
    fn is_here(&self, project: &Path) -> bool {
        let project = project.canonicalize().unwrap_or_else(|_| project.to_owned());
        self.project.config.root.path().starts_with(project)
    }

    fn root(&self) -> anyhow::Result<String> {
        let root = self.project.config.root.path();
        root.to_str().map(str::to_owned).context("the root's path is no text, so no client's file can name it")
    }
}

/// Whether a typed name means an entry: by its own name, or by the id that pinwatch gives it where clients differ.
fn is_meant(named: &str, name: &str) -> bool {
    named == name || named.split_once('@').is_some_and(|(before, _)| before == name)
}

/// This program, as a client finds it in years to come: its name on the search path leads to what is installed then.
fn program() -> anyhow::Result<String> {
    let own = std::env::current_exe().context("this program's path cannot be found")?;
    let is_own = |path: &PathBuf| path.canonicalize().ok() == own.canonicalize().ok();
    let path = on_path("pinwatch").filter(is_own).filter(|path| path.is_absolute()).unwrap_or(own);
    let path = path.to_str().map(str::to_owned).context("this program's path is no text")?;
    if program_name(&path) != "pinwatch" {
        bail!("this program is called {}: a guard is known by the name `pinwatch`", program_name(&path));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_with_a_client_means_its_entry() {
        assert!(is_meant("files", "files") && is_meant("files@cursor", "files"));
        assert!(!is_meant("files", "files@cursor") && !is_meant("other", "files"));
    }
}
