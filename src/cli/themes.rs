//! `pinwatch themes`: the themes that can be asked for, where each is from, and what is wrong with it.

use super::open;
use super::{Global, out};
use crate::config::theme_files;
use crate::desktop::{AUTO, AUTO_ALWAYS};
use crate::error::Exit;
use crate::tui::{Depth, Theme};

/// Lists the themes. Exit 2 where one of them cannot be used.
pub fn run(global: &Global) -> anyhow::Result<Exit> {
    let project = open::open(global, None)?;
    let folder = project.desk.store.places().config.join("themes");
    let mut exit = Exit::Fine;
    for (name, file) in theme_files(Some(&folder)) {
        let current = if name == project.config.ui.theme { "  in use" } else { "" };
        let from = file.map_or_else(|| "built in".to_owned(), |file| file.display().to_string());
        out::line(&format!("{name}  {from}{current}"));
        match Theme::load(&name, Some(&folder), Depth::True) {
            Ok(theme) => {
                for warning in theme.warnings() {
                    out::line(&format!("  {warning}"));
                }
            }
            Err(error) => {
                out::line(&format!("  not usable: {error}"));
                exit = Exit::Unknown;
            }
        }
    }
    let auto = if [AUTO, AUTO_ALWAYS].contains(&project.config.ui.theme.as_str()) { "  in use" } else { "" };
    out::line(&format!(
        "{AUTO}  dark or light, by the terminal's background; `{AUTO_ALWAYS}` also asks through tmux and ssh{auto}"
    ));
    out::line(&format!("themes of your own: {}/NAME.toml; choose one by `theme = \"NAME\"` in [ui]", folder.display()));
    Ok(exit)
}
