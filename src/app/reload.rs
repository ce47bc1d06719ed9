//! Follows the files of the config and of the themes: an edited config adds, removes or starts again just the servers that
//! it touches; an edited theme shows at once. A file that cannot be used changes nothing, and is told.

use super::setup::{self, Looks};
use crate::aside::aside;
use crate::cli::{Global, open};
use crate::config::{AdHoc, Answer, Answers, Asked, Problem, Reach, ServerConfig};
use crate::desktop::Background;
use crate::error::describe;
use crate::monitor::{DEBOUNCE, Fleet, Folders, Happening, Now, Stamp, WITHOUT_A_SIGN, stamp};
use crate::project::Project;
use crate::text::count;
use crate::tui::{Msg, Theme};
use notify::RecursiveMode;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::mpsc;

pub(super) struct Reading {
    /// The options of this run.
    pub(super) global: Global,
    /// The server that was typed.
    pub(super) ad_hoc: Option<AdHoc>,
    /// The servers that were named; all where none was.
    pub(super) names: Vec<String>,
    /// The screen as the config had it.
    pub(super) looks: Looks,
    pub(super) theme: Theme,
    /// The terminal's background as it was told at the start.
    pub(super) background: Option<Background>,
    /// What of the files could not be used.
    pub(super) problems: Vec<Problem>,
}

/// Follows until the screen is gone.
pub(super) async fn follow(
    mut reading: Reading,
    mut files: Watched,
    fleet: Arc<Fleet<Msg>>,
    messages: mpsc::Sender<Msg>,
    mut answers: mpsc::Receiver<(Asked, Answer)>,
) {
    let mut known = Answers::default();
    let (sign, mut signs) = mpsc::channel(1);
    let mut folders = Folders::new(sign);
    let mut stamps = files.stamps();
    let mut fault = String::new();
    loop {
        folders.renew(&files.folders());
        let mut answered = false;
        tokio::select! {
            Some((asked, answer)) = answers.recv() => {
                known.keep(&asked.file, &asked.id, answer);
                answered = true;
            }
            _ = signs.recv() => tokio::time::sleep(DEBOUNCE).await,
            () = tokio::time::sleep(WITHOUT_A_SIGN) => {}
            () = messages.closed() => return,
        }
        while signs.try_recv().is_ok() {}
        let fresh = files.stamps();
        let edited = fresh != stamps;
        if !edited && !answered {
            continue;
        }
        stamps = fresh;
        let (global, ad_hoc) = (reading.global.clone(), reading.ad_hoc.clone());
        // What is removed now was passed, and may still come back.
        let (with, passed) = (known.clone(), Arc::clone(&fleet.now().project.redactor));
        let read = aside("reading the config", move || {
            let project = open::read(&global, ad_hoc.as_ref(), Reach::Everything, (&with, &passed));
            project.map_err(|error| describe(&error))
        });
        let told = match read.await.flatten() {
            Err(why) => Err(why),
            Ok(project) => {
                files = Watched::of(&project);
                stamps = files.stamps();
                take(&mut reading, project, edited, &fleet, &messages).await
            }
        };
        match told {
            Ok(()) => fault.clear(),
            Err(why) if why == fault => {}
            Err(why) => {
                let text = format!("the running servers are unchanged: {why}");
                fault = why;
                if messages.send(Msg::Warning(text)).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Takes another reading of the config. `edited`: a file of it changed, not only what a person answered.
async fn take(
    reading: &mut Reading,
    project: Project,
    edited: bool,
    fleet: &Fleet<Msg>,
    messages: &mpsc::Sender<Msg>,
) -> Result<(), String> {
    let looks = Looks::of(&project, &reading.global);
    let theme = setup::theme(&project, &reading.global, reading.background).map_err(|error| describe(&error))?;
    let keymap = setup::keymap(&project).map_err(|error| describe(&error))?;
    if theme != reading.theme {
        reading.theme = theme.clone();
        let _ = messages.send(Msg::ThemeChanged(Ok(theme))).await;
    }
    if looks != reading.looks {
        reading.looks = looks;
        let _ = messages.send(Msg::ScreenChanged(Box::new(keymap), setup::switches(&project))).await;
    }
    let problems = std::mem::replace(&mut reading.problems, project.config.problems.clone());
    for problem in reading.problems.iter().filter(|problem| !problems.contains(problem)) {
        let _ = messages.send(Msg::Happened(Happening::not_usable(problem))).await;
    }
    let wanted =
        |server: &ServerConfig| reading.names.is_empty() || reading.names.iter().any(|name| **name == *server.id);
    let mut servers = project.select_with_unwatched(&[]).map_err(|error| error.to_string())?;
    servers.retain(wanted);
    let [added, removed, again, unwatched] = fleet.take(Now { project: Arc::new(project), servers }).await;
    let told = [(added, "added"), (removed, "removed"), (again, "restarted"), (unwatched, "no longer watched")];
    let parts: Vec<_> = told
        .into_iter()
        .filter(|(many, _)| *many > 0)
        .map(|(many, what)| format!("{} {what}", count(many, "server")))
        .collect();
    if edited && !parts.is_empty() {
        let _ = messages.send(Msg::Notice(format!("config changed: {}", parts.join(", ")))).await;
    }
    Ok(())
}

/// The files that say what is watched and how it looks.
pub(super) struct Watched {
    files: Vec<PathBuf>,
    themes: PathBuf,
}

impl Watched {
    /// Of a reading of the config: found or not, since a file may come.
    pub(super) fn of(project: &Project) -> Self {
        let folder = &project.desk.store.places().config;
        let mut files: Vec<_> = project.config.searched.iter().map(|searched| searched.file.clone()).collect();
        files.extend(project.config.rule_files.iter().cloned());
        files.push(folder.join("config.toml"));
        Self { files, themes: folder.join("themes") }
    }

    fn folders(&self) -> BTreeMap<PathBuf, RecursiveMode> {
        let parents = self.files.iter().filter_map(|file| file.parent());
        let themes = [Some(self.themes.as_path()), self.themes.parent()].into_iter().flatten();
        parents.chain(themes).map(|folder| (folder.to_owned(), RecursiveMode::NonRecursive)).collect()
    }

    fn stamps(&self) -> BTreeMap<PathBuf, Stamp> {
        let themes = fs::read_dir(&self.themes).into_iter().flatten().flatten().map(|entry| entry.path());
        self.files.iter().cloned().chain(themes).map(|file| (file.clone(), stamp(&file))).collect()
    }
}
