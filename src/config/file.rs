//! `pinwatch.toml` and the person's own `config.toml`: which keys there are and what they mean.

use super::Ui;
use super::entry::{Entry, OffKey, Pairs, Settings, Written};
use super::error::{ConfigError, Place};
use super::evidence::{self, Evidence};
use super::exceptions;
use super::expand::{Dialect, Text};
use super::find;
use super::findings::{self, Findings};
use super::otlp::{self, WrittenOtlp};
use super::policy::Policy;
use super::toml_source::{At, Section, TomlText};
use super::trust::{self, Trust};
use super::{rules as checks, sign_in, signatures};
use crate::drift::{self, Admissions, Ignore, Profile};
use crate::finding;
use crate::guard::Mode;
use crate::signature::Keyring;
use crate::surface::{Kind, folder_name};
use crate::text::is_hidden;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use strum::VariantNames as _;

const TOP: [&str; 12] = [
    "include",
    "decided-by",
    "digest-scope",
    "assay",
    "evidence",
    "findings",
    "otlp",
    "policy",
    "poll",
    "trust",
    "ui",
    "servers",
];
const PERSONAL: [&str; 3] = ["decided-by", "otlp", "ui"];
const POLL: [&str; 1] = ["interval"];
const POLICY: [&str; 5] = ["profile", "override", "suppress", "preset", "rule"];
const UI: [&str; 5] = ["theme", "mouse", "bell", "title", "keys"];
const STDIO: [&str; 4] = ["command", "args", "env", "cwd"];
const HTTP: [&str; 4] = ["url", "headers", "allow-plain", "sign-in"];
const BOTH: [&str; 9] = [
    "start-timeout",
    "request-timeout",
    "poll-interval",
    "keep-open",
    "declare",
    "ignore-kinds",
    "ignore",
    "disabled",
    "guard",
];

/// The client capabilities that `declare` takes: what comes of each is answered as by a user who shares and allows nothing.
const DECLARED: [&str; 3] = ["roots", "sampling", "elicitation"];

/// The kinds that `ignore-kinds` takes. The handshake's own members come with every session.
const IGNORABLE: [(&str, Kind); 4] = [
    ("tools", Kind::Tool),
    ("prompts", Kind::Prompt),
    ("resources", Kind::Resource),
    ("resource-templates", Kind::ResourceTemplate),
];

/// Every key that a project's file may hold, with its section: `[ui] theme`, `[servers.NAME] command`. Sections with keys of
/// their own stand for themselves by these; `[ui.keys]` takes the names of actions.
pub fn keys() -> Vec<String> {
    let sections = ["assay", "evidence", "findings", "otlp", "policy", "poll", "trust", "ui", "servers"];
    let of = |section: &str, keys: &[&str]| keys.iter().map(|key| format!("{section} {key}")).collect::<Vec<_>>();
    let top = TOP.iter().filter(|key| !sections.contains(key)).map(|key| (*key).to_owned());
    let policy: Vec<_> = POLICY.iter().copied().filter(|key| !["override", "suppress", "rule"].contains(key)).collect();
    let ui: Vec<_> = UI.iter().copied().filter(|key| *key != "keys").collect();
    let server = STDIO.iter().chain(&HTTP).chain(&BOTH).chain(&trust::OF_SERVER).copied();
    let server: Vec<_> = server.filter(|key| *key != "sign-in").collect();
    let assay: Vec<_> = signatures::ASSAY.iter().copied().filter(|key| *key != "trusted-keys").collect();
    top.chain(of("[assay]", &assay))
        .chain(["[assay.trusted-keys] NAME".to_owned()])
        .chain(of("[evidence]", &evidence::EVIDENCE))
        .chain(of("[findings]", &findings::FINDINGS))
        .chain(of("[otlp]", &otlp::OTLP))
        .chain(of("[policy]", &policy))
        .chain(of("[[policy.override]]", &exceptions::OVERRIDE))
        .chain(of("[[policy.suppress]]", &exceptions::SUPPRESS))
        .chain(of("[[policy.suppress]]", &[checks::OF_RULE]))
        .chain(of("[[policy.rule]]", &checks::RULE))
        .chain(of("[poll]", &POLL))
        .chain(of("[trust]", &trust::TRUST))
        .chain(of("[ui]", &ui))
        .chain(["[ui.keys] ACTION".to_owned()])
        .chain(of("[servers.NAME]", &server))
        .chain(of("[servers.NAME.sign-in]", &sign_in::SIGN_IN))
        .collect()
}

/// What one file of ours says; nothing is filled in.
#[derive(Default)]
pub(super) struct FileConfig {
    pub(super) include: Vec<At<String>>,
    pub(super) decided_by: Option<String>,
    pub(super) scoped_digests: bool,
    pub(super) policy: Policy,
    /// The files of its own rules, and their folders.
    pub(super) rule_files: Vec<PathBuf>,
    /// The launch of another scanner.
    pub(super) scanner: Option<Entry>,
    /// Servers that the policy's exceptions name; whether there are such is known once all are read.
    pub(super) excepted: Vec<At<String>>,
    pub(super) interval: Option<Duration>,
    /// What servers are held to.
    pub(super) trust: Option<Trust>,
    pub(super) evidence: Evidence,
    /// Who is told numbers and events.
    pub(super) otlp: Option<WrittenOtlp>,
    pub(super) ui: UiKeys,
    pub(super) servers: Vec<Entry>,
}

/// The `[ui]` of one file.
#[derive(Default)]
pub(super) struct UiKeys {
    theme: Option<(String, Place)>,
    mouse: Option<bool>,
    bell: Option<bool>,
    title: Option<bool>,
    keys: BTreeMap<String, (Vec<String>, Place)>,
}

impl UiKeys {
    /// Lays this file's keys over `ui`.
    pub(super) fn lay_over(self, ui: &mut Ui) {
        if let Some((theme, place)) = self.theme {
            ui.theme = theme;
            ui.theme_place = Some(place);
        }
        ui.mouse = self.mouse.unwrap_or(ui.mouse);
        ui.bell = self.bell.unwrap_or(ui.bell);
        ui.title = self.title.unwrap_or(ui.title);
        for (action, (keys, place)) in self.keys {
            ui.keys.insert(action.clone(), keys);
            ui.key_places.insert(action, place);
        }
    }
}

/// Reads a project's `pinwatch.toml`, and the rule files that it names. Messages show paths from `cwd`.
pub(super) fn project(file: &Path, cwd: &Path, text: &str) -> Result<FileConfig, ConfigError> {
    let shown = find::shown(cwd, file);
    let source = TomlText::new(&shown, text);
    let document = source.parse()?;
    let top = source.top(&document);
    top.only(&TOP)?;
    let Findings { settings, files, scanner } = findings::read(&top, file, cwd)?;
    let mut config = FileConfig {
        include: top.texts("include")?.unwrap_or_default(),
        decided_by: decided_by(&top)?,
        scoped_digests: scoped_digests(&top)?,
        policy: policy(&top, &settings.rules)?,
        rule_files: files,
        scanner,
        excepted: excepted(&top)?,
        interval: None,
        trust: None,
        evidence: evidence::read(&top, file)?,
        otlp: otlp::read(&top, &shown)?,
        ui: ui(&top)?,
        servers: Vec::new(),
    };
    let mut admissions = Admissions::default();
    if let Some((trust, path)) = trust::read(&top, file, cwd)? {
        admissions.root = Some(format!("sha256:{}", trust.held_to.root.digest));
        admissions.required.clone_from(&trust.held_to.required);
        config.rule_files.push(path);
        config.trust = Some(trust);
    }
    if let Some(poll) = top.section("poll")? {
        poll.only(&POLL)?;
        config.interval = poll.duration("interval")?;
    }
    let mut ignored = Vec::new();
    if let Some(servers) = top.section("servers")? {
        for key in servers.keys() {
            if let Some(section) = servers.section(key.value)? {
                let patterns = section.texts("ignore")?.unwrap_or_default().into_iter();
                let read = |text: At<String>| {
                    Ignore::parse(key.value, &text.value).map_err(|fault| section.bad_value("ignore", fault))
                };
                ignored.extend(patterns.map(read).collect::<Result<Vec<_>, _>>()?);
                folder_name(key.value).map_err(|fault| servers.bad_value(key.value, fault.to_string()))?;
                trust::of_server(&section, key.value, config.trust.as_ref(), &mut admissions)?;
                let clearance = admissions.clearances.get(key.value).cloned();
                config.servers.push(server(&section, &key, clearance)?);
            }
        }
    }
    let keyring = signatures::read(&top)?;
    let is_plain = ignored.is_empty() && keyring == Keyring::default() && settings == finding::Settings::default();
    if !is_plain || admissions != Admissions::default() {
        let mut rules = config.policy.rules.clone();
        Arc::make_mut(&mut rules.exceptions).ignored = ignored;
        rules.signatures = Arc::new(keyring);
        rules.findings = Arc::new(settings);
        rules.admissions = Arc::new(admissions);
        config.policy = Policy::new(rules, Arc::clone(&config.policy.checks));
    }
    Ok(config)
}

/// Reads the person's own `config.toml`, which is about the person only.
pub(super) fn personal(file: &Path, text: &str) -> Result<FileConfig, ConfigError> {
    let source = TomlText::new(file, text);
    let document = source.parse()?;
    let top = source.top(&document);
    if let Some(key) = top.keys().into_iter().find(|key| TOP.contains(&key.value) && !PERSONAL.contains(&key.value)) {
        return Err(top.bad_value(key.value, "belongs in a project's pinwatch.toml, not in your own config"));
    }
    top.only(&PERSONAL)?;
    let otlp = otlp::read(&top, file)?;
    Ok(FileConfig { decided_by: decided_by(&top)?, otlp, ui: ui(&top)?, ..FileConfig::default() })
}

fn decided_by(top: &Section<'_>) -> Result<Option<String>, ConfigError> {
    let Some(name) = top.text("decided-by")? else { return Ok(None) };
    if name.value.trim().is_empty() || name.value.contains(is_hidden) {
        return Err(top.bad_value("decided-by", "the name must contain a visible character"));
    }
    Ok(Some(name.value))
}

fn scoped_digests(top: &Section<'_>) -> Result<bool, ConfigError> {
    match top.text("digest-scope")? {
        None => Ok(false),
        Some(scope) if scope.value == "none" => Ok(false),
        Some(scope) if scope.value == "server" => Ok(true),
        Some(scope) => Err(top.unknown(scope.line, "digest-scope", &scope.value, &["none", "server"])),
    }
}

fn policy(top: &Section<'_>, own: &[finding::Rule]) -> Result<Policy, ConfigError> {
    let Some(section) = top.section("policy")? else { return Ok(Policy::default()) };
    section.only(&POLICY)?;
    let profile = section.word("profile", Profile::VARIANTS)?.unwrap_or_default();
    let exceptions = Arc::new(exceptions::read(&section, own)?);
    let rules = drift::Policy { profile, exceptions, ..drift::Policy::default() };
    Ok(Policy::new(rules, Arc::new(checks::read(&section)?)))
}

fn excepted(top: &Section<'_>) -> Result<Vec<At<String>>, ConfigError> {
    let Some(section) = top.section("policy")? else { return Ok(Vec::new()) };
    let lists = [section.sections("override")?, section.sections("suppress")?];
    let named = lists.iter().flatten().map(|one| one.text("server"));
    named.filter_map(Result::transpose).collect()
}

fn ui(top: &Section<'_>) -> Result<UiKeys, ConfigError> {
    let Some(section) = top.section("ui")? else { return Ok(UiKeys::default()) };
    section.only(&UI)?;
    let mut ui = UiKeys {
        theme: section.text("theme")?.map(|theme| (theme.value, section.place_of("theme"))),
        mouse: section.flag("mouse")?.map(|flag| flag.value),
        bell: section.flag("bell")?.map(|flag| flag.value),
        title: section.flag("title")?.map(|flag| flag.value),
        keys: BTreeMap::new(),
    };
    if let Some(keys) = section.section("keys")? {
        for action in keys.keys() {
            let bound = keys.text_or_texts(action.value)?.unwrap_or_default();
            ui.keys.insert(action.value.to_owned(), (bound, keys.place_of(action.value)));
        }
    }
    Ok(ui)
}

fn server(section: &Section<'_>, key: &At<&str>, clearance: Option<String>) -> Result<Entry, ConfigError> {
    let known: Vec<_> = STDIO.iter().chain(&HTTP).chain(&BOTH).chain(&trust::OF_SERVER).copied().collect();
    section.only(&known)?;
    let mut lines = Lines::new();
    let disabled = section.flag("disabled")?.is_some_and(|disabled| disabled.value);
    let written = transport(section, &mut lines)?;
    Ok(Entry {
        id: key.value.to_owned(),
        line: section.line(),
        written: Ok(written),
        off: disabled.then_some(OffKey { name: "disabled", plain: true }).into_iter().collect(),
        lines,
        settings: Settings {
            start_timeout: section.duration("start-timeout")?,
            request_timeout: section.duration("request-timeout")?,
            poll_interval: section.duration("poll-interval")?,
            close_between_polls: section.flag("keep-open")?.is_some_and(|keep_open| !keep_open.value),
            ignore_kinds: section.texts("ignore-kinds")?.map_or(Ok([].into()), |words| {
                words.iter().map(|word| ignorable(section, word)).collect::<Result<_, _>>()
            })?,
            declare: section
                .texts("declare")?
                .map_or(Ok(Vec::new()), |words| words.iter().map(|word| declared(section, word)).collect())?,
            allow_plain: section.flag("allow-plain")?.is_some_and(|allowed| allowed.value),
            clearance,
            guard: guard(section)?,
            ignore: section.texts("ignore")?.unwrap_or_default().into_iter().map(|text| text.value).collect(),
            sign_in: sign_in::read(section)?,
        },
    })
}

fn declared(section: &Section<'_>, word: &At<String>) -> Result<&'static str, ConfigError> {
    let known = DECLARED.into_iter().find(|known| *known == word.value);
    known.ok_or_else(|| section.unknown(word.line, "capability", &word.value, &DECLARED))
}

fn guard(section: &Section<'_>) -> Result<Mode, ConfigError> {
    Ok(section.word("guard", Mode::VARIANTS)?.unwrap_or_default())
}

fn transport(section: &Section<'_>, lines: &mut Lines) -> Result<Written, ConfigError> {
    let foreign = |of: &[&'static str]| of.iter().copied().find(|key| section.has(key));
    for key in STDIO.iter().chain(&HTTP).filter(|key| section.has(key)) {
        lines.insert((*key).to_owned(), section.line_of(key));
    }
    match (section.text("command")?, section.text("url")?) {
        (Some(_), Some(_)) => Err(section.bad_value("url", "a server has a command or a url, not both")),
        (None, None) => Err(section.incomplete("needs a `command` to run or a `url` to open")),
        (Some(command), None) => match foreign(&HTTP) {
            Some(key) => Err(section.bad_value(key, "belongs to a server with a `url`; this one has a `command`")),
            None => Ok(Written::Stdio {
                command: ours(&command.value),
                args: args(section, lines)?,
                cwd: section.text("cwd")?.map(|cwd| ours(&cwd.value)),
                env: pairs(section, "env", lines)?,
                env_file: None,
            }),
        },
        (None, Some(url)) => match foreign(&STDIO) {
            Some(key) => Err(section.bad_value(key, "belongs to a server with a `command`; this one has a `url`")),
            None => Ok(Written::Http { url: ours(&url.value), headers: pairs(section, "headers", lines)? }),
        },
    }
}

fn ours(text: &str) -> Text {
    Text::new(text, Dialect::Ours)
}

/// Where fields of a launch stand.
type Lines = BTreeMap<String, usize>;

fn args(section: &Section<'_>, lines: &mut Lines) -> Result<Vec<Text>, ConfigError> {
    let args = section.texts("args")?.unwrap_or_default().into_iter().enumerate();
    Ok(args
        .map(|(index, arg)| {
            lines.insert(format!("args[{index}]"), arg.line);
            ours(&arg.value)
        })
        .collect())
}

fn pairs(section: &Section<'_>, key: &str, lines: &mut Lines) -> Result<Pairs, ConfigError> {
    let pairs = section.pairs(key)?.unwrap_or_default().into_iter();
    Ok(pairs
        .map(|(name, text)| {
            lines.insert(format!("{key}.{name}"), text.line);
            (name, ours(&text.value))
        })
        .collect())
}

fn ignorable(section: &Section<'_>, word: &At<String>) -> Result<Kind, ConfigError> {
    let known = IGNORABLE.map(|(name, _)| name);
    let kind = IGNORABLE.into_iter().find_map(|(name, kind)| (name == word.value).then_some(kind));
    kind.ok_or_else(|| section.unknown(word.line, "kind", &word.value, &known))
}
