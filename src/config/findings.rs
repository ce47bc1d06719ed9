//! `[findings]`: rules that are left out, the project's own, and another scanner's command. A rule file is data, and of a found
//! file: it lies in the config's folder, is bounded, and says where it is wrong.

use super::entry::{self, Entry, Pairs, Written};
use super::error::{ConfigError, Fault, Place};
use super::expand::{Dialect, Text};
use super::find;
use super::read::read_regular;
use super::server::SCANNER;
use super::toml_source::Section;
use crate::drift::{DOES_NOT_HOLD, MALFORMED, NOT_ADMITTED, REQUIRED, rule_names};
use crate::finding::{Rule, Settings, renamed};
use crate::opinion::is_of_scanner;
use crate::text::visible;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

pub(super) const FINDINGS: [&str; 3] = ["disable", "rules", "command"];

/// Rule files of a project; each sentence of each text is held against each of their patterns.
const MOST_FILES: usize = 50;
/// Bytes of a rule file.
const MOST_BYTES: u64 = 64 << 10;

/// What the section says, and the files that it names.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) settings: Settings,
    /// The rule files and their folders: what changes there changes the rules.
    pub(super) files: Vec<PathBuf>,
    /// The command of another scanner.
    pub(super) scanner: Option<Entry>,
}

/// The section of the config file at `file`; what is shown of a path is shown from `cwd`.
pub(super) fn read(top: &Section<'_>, file: &Path, cwd: &Path) -> Result<Findings, ConfigError> {
    let Some(section) = top.section("findings")? else { return Ok(Findings::default()) };
    section.only(&FINDINGS)?;
    let mut found = Findings::default();
    let folder = file.parent().unwrap_or(Path::new(""));
    for pattern in section.texts("rules")?.unwrap_or_default() {
        let files = matching(folder, &pattern.value).map_err(|text| section.bad_value("rules", text))?;
        found.files.extend(files.iter().filter_map(|file| file.parent()).map(Path::to_owned));
        for file in files {
            if found.files.contains(&file) {
                continue;
            }
            if found.settings.rules.len() == MOST_FILES {
                return Err(section.bad_value("rules", format!("more than {MOST_FILES} rule files")));
            }
            let rule = rule(&file, &find::shown(cwd, &file), &found.settings.rules)?;
            found.settings.rules.push(rule);
            found.files.push(file);
        }
    }
    if let Some(words) = section.texts("command")? {
        found.settings.command = words.iter().map(|word| word.value.clone()).collect();
        let Some((command, args)) = found.settings.command.split_first() else {
            return Err(section.bad_value("command", "it names no program"));
        };
        found.scanner = Some(scanner(command, args, section.line_of("command")));
    }
    let own = found.settings.rules.iter().map(|rule| rule.name.as_str());
    let known: Vec<&str> = rule_names().into_iter().chain(own).collect();
    for word in section.texts("disable")?.unwrap_or_default() {
        if let Some(now) = renamed(&word.value) {
            return Err(section.bad_value("disable", format!("`{}` is called `{now}` now", word.value)));
        }
        if !known.contains(&word.value.as_str()) && !is_of_scanner(&word.value) {
            return Err(section.unknown(word.line, "rule", &word.value, &known));
        }
        if [DOES_NOT_HOLD, MALFORMED, REQUIRED].contains(&word.value.as_str()) {
            return Err(section.bad_value("disable", format!("`{}` goes with [assay], not here", word.value)));
        }
        if word.value == NOT_ADMITTED {
            return Err(
                section.bad_value("disable", format!("`{NOT_ADMITTED}` goes with `tools` of a server, not here"))
            );
        }
        found.settings.disable.insert(word.value);
    }
    Ok(found)
}

/// A scanner's launch as it is written. No server has its id.
fn scanner(command: &str, args: &[String], line: usize) -> Entry {
    let ours = |text: &String| Text::new(text, Dialect::Ours);
    let written = Written::Stdio {
        command: Text::new(command, Dialect::Ours),
        args: args.iter().map(ours).collect(),
        cwd: None,
        env: Pairs::new(),
        env_file: None,
    };
    Entry {
        id: SCANNER.to_owned(),
        line,
        lines: BTreeMap::new(),
        written: Ok(written),
        off: Vec::new(),
        settings: entry::Settings::default(),
    }
}

/// The files that an entry of `rules` names, by their names.
fn matching(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    let shown = visible(pattern);
    if Path::new(pattern).components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(format!("`{shown}` leaves the config's folder; rules lie beside it"));
    }
    let whole = format!("{}/{pattern}", glob::Pattern::escape(&folder.to_string_lossy()));
    let found = glob::glob(&whole).map_err(|error| format!("`{shown}`: {}", error.msg))?;
    // One more than may be read, so that too many are told.
    let files: Vec<_> = found.filter_map(Result::ok).filter(|path| path.is_file()).take(MOST_FILES + 1).collect();
    if files.is_empty() { Err(format!("`{shown}` names no file")) } else { Ok(files) }
}

fn rule(file: &Path, shown: &Path, before: &[Rule]) -> Result<Rule, ConfigError> {
    let rule = rule_of(file, shown)?;
    let taken = rule_names().contains(&rule.name.as_str()) || before.iter().any(|known| known.name == rule.name);
    if taken {
        let text = format!("there is a rule `{}` already; give this one a name of its own", rule.name);
        return Err(Fault::Malformed(text).at(Place::whole(shown)));
    }
    Ok(rule)
}

/// Reads a rule file, found or typed; messages call it `shown`.
pub fn rule_of(file: &Path, shown: &Path) -> Result<Rule, ConfigError> {
    let malformed = |text: String| Fault::Malformed(text).at(Place::whole(shown));
    let bytes = read_regular(file, MOST_BYTES).map_err(malformed)?;
    let text = String::from_utf8(bytes).map_err(|_| malformed("is not UTF-8".to_owned()))?;
    Rule::parse(&text).map_err(|error| {
        let (key, text) = (visible(&error.key).to_string(), visible(&error.fault).to_string());
        Fault::BadValue { key, section: String::new(), text }.at(Place::line(shown, error.line))
    })
}
