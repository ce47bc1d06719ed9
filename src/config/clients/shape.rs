//! Reads the servers of a client's file by its shape. What is wrong with one entry is that entry's, and hides nothing else.

use super::found::{ClientFile, Found};
use super::input::inputs;
use super::spots::{SpotNames, Spots};
use super::switch::off_keys;
use crate::config::document::{Document, Form, Malformed, Member, Node, Syntax};
use crate::config::entry::{Entry, NoLaunch, Pairs, Settings, Written};
use crate::config::error::{Place, Problem};
use crate::config::expand::{Dialect, Text};
use crate::surface::folder_name;
use crate::text::visible;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How a client's file is made.
#[derive(Clone, Copy, Debug)]
pub(in crate::config) struct Shape {
    pub(super) syntax: Syntax,
    /// Where tables, or lists, of servers stand: keys on the way down, `*` for each. All that are there are read.
    pub(super) tables: &'static [&'static [&'static str]],
    /// Whether the servers are a list, each with its `name`.
    pub(super) list: bool,
    /// Whether it holds other things too, so that no table in it is no problem.
    pub(super) settings: bool,
    /// Whether, without a table, the file itself may be one.
    pub(super) flat: bool,
    pub(super) fields: Fields,
    pub(super) dialect: Dialect,
    /// A variable that stands for the folder of the plugin.
    pub(super) root_variable: Option<&'static str>,
}

/// What the fields of an entry are called.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    pub(super) command: &'static str,
    /// Whether the command is a list with its arguments in it.
    pub(super) argv: bool,
    pub(super) args: &'static str,
    pub(super) env: &'static str,
    /// A list of variables that are passed on from the environment.
    pub(super) env_names: Option<&'static str>,
    pub(super) env_file: Option<&'static str>,
    pub(super) cwd: &'static str,
    /// Names of the address, the one that counts first.
    pub(super) url: &'static [&'static str],
    /// The one of them that means HTTP+SSE where no type says otherwise.
    pub(super) sse_url: Option<&'static str>,
    pub(super) headers: &'static [&'static str],
    /// Headers by the variable that holds their value.
    pub(super) header_variables: Option<&'static str>,
    /// The variable that holds the token of the `Authorization` header.
    pub(super) bearer_variable: Option<&'static str>,
    /// Types, or members of an entry without a launch, of what the client runs inside itself.
    pub(super) inside: &'static [&'static str],
}

/// Entries that one file may have.
const MAX_SERVERS: usize = 1_000;

/// Types of a transport, as the clients spell them.
const STDIO: [&str; 2] = ["stdio", "local"];
const HTTP: [&str; 7] = ["http", "streamable-http", "streamableHttp", "streamable_http", "streamable", "sse", "remote"];

/// Reads a file's text. `shown` is its name in messages, `file` its path.
pub(super) fn read(shape: &Shape, shown: &Path, file: &Path, text: &[u8]) -> ClientFile {
    let mut found = ClientFile::default();
    if let Err(fault) = tables(shape, shown, file, text, &mut found) {
        let place = fault.line.map_or_else(|| Place::whole(shown), |line| Place::line(shown, line));
        found.problems.push(Problem { place, text: fault.text });
    }
    found
}

fn tables(shape: &Shape, shown: &Path, file: &Path, text: &[u8], found: &mut ClientFile) -> Result<(), Malformed> {
    let Some(document) = Document::read(text, shape.syntax)? else { return Ok(()) };
    let top = document.top();
    if top.form() != Form::Table {
        return Err(Malformed { line: Some(top.line()), text: "the file must be an object".to_owned() });
    }
    let mut reader = FileReader { shape, shown, root: plugin_folder(file), found };
    let mut read: Vec<&[&str]> = Vec::new();
    for path in shape.tables {
        // What lies around a table that was read is none itself.
        if read.iter().any(|inner| inner.starts_with(path)) {
            continue;
        }
        if reader.down(&top, path, &[], None)? {
            read.push(path);
        }
    }
    if read.is_empty() && shape.flat {
        let looks = |member: &Member<'_>| member.value.form() == Form::Table;
        let members: Vec<_> = top.members()?.into_iter().filter(looks).collect();
        reader.entries(members, None);
    } else if read.is_empty() && !shape.settings {
        let name = shape.tables.first().and_then(|path| path.last()).copied().unwrap_or_default();
        return Err(Malformed { line: None, text: format!("it has no `{name}`, so it names no server") });
    }
    found.inputs = inputs(&top)?;
    Ok(())
}

/// The folder of the plugin whose file this is.
fn plugin_folder(file: &Path) -> PathBuf {
    let folder = file.parent().unwrap_or(file);
    if folder.ends_with(".claude-plugin") { folder.parent().unwrap_or(folder) } else { folder }.to_owned()
}

struct FileReader<'a> {
    shape: &'a Shape,
    shown: &'a Path,
    root: PathBuf,
    found: &'a mut ClientFile,
}

impl FileReader<'_> {
    /// Goes down a path and reads what stands at its end; whether something did. `project` is the key that `*` stood for.
    fn down(
        &mut self,
        node: &Node<'_>,
        path: &[&str],
        passed: &[&str],
        project: Option<&str>,
    ) -> Result<bool, Malformed> {
        let Some((step, rest)) = path.split_first() else {
            self.table(node, passed, project)?;
            return Ok(true);
        };
        let passed: Vec<&str> = passed.iter().chain([step]).copied().collect();
        let mut any = false;
        if *step == "*" {
            for member in node.members()? {
                any |= self.down(&member.value, rest, &passed, Some(&member.name))?;
            }
            return Ok(any);
        }
        let members = node.members()?;
        let mut named = members.iter().filter(|member| member.name == *step);
        if let Some(member) = named.next() {
            if let Some(twice) = named.next() {
                let text = format!("`{step}` occurs twice; parsers disagree on which one counts");
                return Err(Malformed { line: Some(twice.line), text });
            }
            any = self.down(&member.value, rest, &passed, project)?;
        }
        Ok(any)
    }

    fn table(&mut self, node: &Node<'_>, path: &[&str], project: Option<&str>) -> Result<(), Malformed> {
        match node.form() {
            Form::Table => {
                let members = node.members()?;
                self.entries(members, project);
            }
            Form::List if self.shape.list => {
                for element in node.elements()? {
                    self.listed(&element);
                }
            }
            Form::Other if matches!(node.value(), Ok(Value::Null)) => {}
            Form::List | Form::Other => {
                let name = path.last().copied().unwrap_or_default();
                return Err(Malformed { line: Some(node.line()), text: format!("`{name}` must be an object") });
            }
        }
        Ok(())
    }

    fn spots(&self, entry: &Node<'_>) -> Spots {
        let Fields { command, args, url, sse_url, headers, header_variables, bearer_variable, .. } = self.shape.fields;
        let names = SpotNames { command, args, url, sse_url, headers, header_variables, bearer: bearer_variable };
        Spots::of(entry, &names)
    }

    fn entries(&mut self, members: Vec<Member<'_>>, project: Option<&str>) {
        let names: Vec<String> = members.iter().map(|member| member.name.clone()).collect();
        for Member { name, line, value, .. } in members {
            let twice = names.iter().filter(|other| **other == name).count() > 1;
            let spots = self.spots(&value);
            self.entry((name, line), if twice { Err(TWICE.to_owned()) } else { value.value() }, spots, project);
        }
    }

    /// An element of a list, which has its name in it.
    fn listed(&mut self, element: &Node<'_>) {
        let (line, value) = (element.line(), element.value());
        // By itself: what is wrong with the rest is the named entry's.
        let name = element.members().unwrap_or_default().into_iter().find(|member| member.name == "name");
        let name = name.and_then(|name| name.value.value().ok()?.as_str().map(str::to_owned));
        let Some(name) = name else {
            let text = "an entry of the list has no `name`".to_owned();
            self.found.problems.push(Problem { place: Place::line(self.shown, line), text });
            return;
        };
        let twice = self.found.entries.iter().any(|found| found.entry.id == name);
        let spots = self.spots(element);
        self.entry((name, line), if twice { Err(TWICE.to_owned()) } else { value }, spots, None);
    }

    fn entry(
        &mut self,
        (name, line): (String, usize),
        value: Result<Value, String>,
        spots: Spots,
        project: Option<&str>,
    ) {
        let place = || Place::line(self.shown, line);
        if self.found.entries.len() >= MAX_SERVERS {
            if self.found.entries.len() == MAX_SERVERS && !self.found.full {
                self.found.full = true;
                let text = format!("it names more than {MAX_SERVERS} servers: the rest is not read");
                self.found.problems.push(Problem { place: place(), text });
            }
            return;
        }
        if let Err(fault) = folder_name(&name) {
            let text = format!("server `{}`: {fault}", visible(&name));
            self.found.problems.push(Problem { place: place(), text });
            return;
        }
        let off = value.as_ref().ok().and_then(Value::as_object).map(off_keys).unwrap_or_default();
        let written = value.map_err(NoLaunch::Wrong).and_then(|value| {
            let fields = value.as_object().ok_or_else(|| NoLaunch::Wrong("it is not an object".to_owned()))?;
            Launch { fields, shape: self.shape, root: &self.root }.written()
        });
        let entry = Entry { id: name, line, lines: BTreeMap::new(), written, off, settings: Settings::default() };
        self.found.entries.push(Found { entry, project: project.map(PathBuf::from), spots });
    }
}

const TWICE: &str = "the id occurs twice; parsers disagree on which one counts";

/// One entry's members.
struct Launch<'a> {
    fields: &'a Map<String, Value>,
    shape: &'a Shape,
    root: &'a Path,
}

impl Launch<'_> {
    fn written(&self) -> Result<Written, NoLaunch> {
        let names = &self.shape.fields;
        let kind = self.fields.get("type").or_else(|| self.fields.get("transport")).and_then(Value::as_str);
        let has = |name: &str| self.fields.get(name).is_some_and(|value| !value.is_null());
        let launches = has(names.command) || names.url.iter().any(|url| has(url));
        if names.inside.iter().any(|inside| kind == Some(*inside) || !launches && has(inside)) {
            return Err(NoLaunch::Inside);
        }
        self.transport(kind).map_err(NoLaunch::Wrong)
    }

    fn transport(&self, kind: Option<&str>) -> Result<Written, String> {
        if self.fields.get("type").is_some_and(|kind| !kind.is_string() && !kind.is_null()) {
            return Err("`type` must be a string".to_owned());
        }
        let names = &self.shape.fields;
        let urls = || names.url.iter().filter(|url| self.fields.contains_key(**url));
        let stdio = match kind {
            Some(kind) if STDIO.contains(&kind) => true,
            // Whether an endpoint speaks the older of the two is found out on opening it.
            Some(kind) if HTTP.contains(&kind) => false,
            Some(kind) => {
                return Err(format!(
                    "the transport `{}` is not supported; `stdio`, `http`, `streamable-http` and `sse` are",
                    visible(kind)
                ));
            }
            None => self.fields.contains_key(names.command) || urls().next().is_none(),
        };
        if !stdio {
            let first = names.url.first().copied().unwrap_or_default();
            let url = urls().next().map_or(Ok(None), |name| self.text(name))?;
            let url = url.ok_or_else(|| format!("it has no `{first}` to open"))?;
            return Ok(Written::Http { url, headers: self.headers()? });
        }
        // The older shape of Zed: `{"command": {"path", "args", "env"}}`.
        if let Some(Value::Object(fields)) = self.fields.get(names.command) {
            let inner = Launch { fields, ..*self };
            return inner.command(inner.text("path")?.into_iter().collect());
        }
        self.command(if names.argv {
            self.texts(names.command)?
        } else {
            self.text(names.command)?.into_iter().collect()
        })
    }

    /// A command from the words that its own field holds.
    fn command(&self, words: Vec<Text>) -> Result<Written, String> {
        let names = &self.shape.fields;
        let mut words = words.into_iter();
        let without = || {
            let url = names.url.first().copied().unwrap_or_default();
            format!("it has neither a `{}` to run nor a `{url}` to open", names.command)
        };
        let command = words.next().ok_or_else(without)?;
        let mut args: Vec<Text> = words.collect();
        args.extend(self.texts(names.args)?);
        let mut env = self.pairs(names.env)?;
        for name in names.env_names.map_or(Ok(Vec::new()), |list| self.words(list))? {
            env.entry(name.clone()).or_insert_with(|| Text::variable("", &name));
        }
        let env_file = names.env_file.map_or(Ok(None), |name| self.text(name))?;
        Ok(Written::Stdio { command, args, cwd: self.text(names.cwd)?, env, env_file })
    }

    fn headers(&self) -> Result<Pairs, String> {
        let names = &self.shape.fields;
        let mut headers = Pairs::new();
        for name in names.headers {
            headers.extend(self.pairs(name)?);
        }
        if let Some(Value::Object(pairs)) = names.header_variables.and_then(|name| self.fields.get(name)) {
            for (header, variable) in pairs {
                let variable = variable.as_str().ok_or("a variable of a header must be a string")?;
                headers.insert(header.clone(), Text::variable("", variable));
            }
        }
        if let Some(Value::String(variable)) = names.bearer_variable.and_then(|name| self.fields.get(name)) {
            headers.insert("Authorization".to_owned(), Text::variable("Bearer ", variable));
        }
        Ok(headers)
    }

    fn read(&self, text: &str) -> Text {
        match self.shape.root_variable {
            Some(name) => {
                let root = self.root.to_string_lossy();
                Text::new(&text.replace(&format!("${{{name}}}"), &root), self.shape.dialect)
            }
            None => Text::new(text, self.shape.dialect),
        }
    }

    fn text(&self, member: &str) -> Result<Option<Text>, String> {
        match self.fields.get(member) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(self.read(text))),
            Some(_) => Err(format!("`{member}` must be a string")),
        }
    }

    fn words(&self, member: &str) -> Result<Vec<String>, String> {
        let wrong = || format!("`{member}` must be a list of strings");
        match self.fields.get(member) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(list)) => {
                list.iter().map(|entry| entry.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    fn texts(&self, member: &str) -> Result<Vec<Text>, String> {
        Ok(self.words(member)?.iter().map(|word| self.read(word)).collect())
    }

    fn pairs(&self, member: &str) -> Result<Pairs, String> {
        let wrong = || format!("`{member}` must be an object of strings");
        match self.fields.get(member) {
            None | Some(Value::Null) => Ok(Pairs::new()),
            Some(Value::Object(pairs)) => {
                let pair = |(name, value): (&String, &Value)| Some((name.clone(), self.read(value.as_str()?)));
                pairs.iter().map(|entry| pair(entry).ok_or_else(wrong)).collect()
            }
            Some(_) => Err(wrong()),
        }
    }
}
