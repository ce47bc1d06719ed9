//! Rules over a server as MCPTrust's `policy check` states them: its presets, the document that an expression sees, and
//! what came of each rule (interop/FORMATS.md, 3.5).
//!
//! Data in, data out. An expression has no bound on its cost, so [`evaluate`] is called only in a process that can be ended.

use super::input::input_digest;
use cel::objects::Key;
use cel::{Context, Program, Value as CelValue};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use strum::{EnumString, IntoStaticStr, VariantNames};

/// What a rule that fails does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Mode {
    /// `check` exits 1.
    #[default]
    Fail,
    /// It is told.
    Warn,
}

word!(Mode);

/// A set of rules that MCPTrust has built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Preset {
    /// Its `baseline`: all but critical drift is told only.
    McptrustBaseline,
    /// Its `strict`: each rule fails the check.
    McptrustStrict,
}

word!(Preset);

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Unique in a policy.
    pub name: String,
    /// CEL over `input`; true passes.
    pub expr: String,
    /// What a failure does.
    pub mode: Mode,
    /// What to tell where it fails; may be empty.
    pub message: String,
}

/// Lets one rule fail on exactly one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiver {
    /// The server's id.
    pub server: String,
    /// The rule's name.
    pub rule: String,
    /// [`input_digest`], `sha256:` and hex.
    pub digest: String,
    /// Why, in the person's words.
    pub reason: String,
}

/// The rules in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The preset's first.
    pub rules: Vec<Rule>,
    /// What is let be.
    pub waivers: Vec<Waiver>,
}

/// Why the drift is not visible where nothing was approved yet.
pub const NO_BASELINE: &str = "there is no baseline";

/// What came of a rule.
#[derive(Clone, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Ruled {
    /// The expression is true.
    Passed,
    /// The expression is false.
    Failed,
    /// What it asks about could not be seen; counts as failed.
    NotVisible(String),
    /// It could not be evaluated, whatever its mode: the check fails.
    Error(String),
}

/// What came of an expression, and what it asks about that may not be visible ([`super::asked_by`]).
pub type Came = (Ruled, BTreeSet<String>);

/// A rule and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The rule's name.
    pub rule: String,
    /// What its failure does.
    pub mode: Mode,
    /// What came of it.
    pub ruled: Ruled,
    /// The rule's own message.
    pub message: String,
    /// Why its failure is let be; none where nothing lets it be.
    pub waived: Option<String>,
}

/// The rules of a policy over one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// What a waiver names.
    pub digest: String,
    /// In the order of the policy.
    pub rules: Vec<Verdict>,
}

impl Preset {
    /// Its rules. What they ask of the artifact comes from a lock: without one it is not visible.
    pub fn rules(self) -> Vec<Rule> {
        // An image has a digest and no integrity: there, too, it does not count as pinned.
        const PINNED: &str = "has(input.artifact) && size(input.artifact.integrity) > 0";
        const PROVEN: &str =
            "has(input.artifact) && has(input.artifact.provenance) && input.artifact.provenance.verified";
        const CALM: &str = "!input.tools.exists(t, t.risk_level == 'HIGH')";
        const UNCHANGED: &str = "!input.drift.items.exists(d, d.severity == 'critical')";
        const NOT_PINNED: &str = "the lock holds no integrity hash of the package";
        const NO_FILES: &str = "!input.resources.schemes.exists(s, s == 'file')";
        let rule = |name: &str, expr: &str, mode, message: &str| Rule {
            name: name.to_owned(),
            expr: expr.to_owned(),
            mode,
            message: message.to_owned(),
        };
        let unchanged = rule("no_critical_drift", UNCHANGED, Mode::Fail, "a change that MCPTrust rates critical");
        match self {
            Self::McptrustBaseline => vec![
                rule("artifact_pinned", PINNED, Mode::Warn, NOT_PINNED),
                rule("provenance_present", PROVEN, Mode::Warn, "the lock holds no verified provenance"),
                rule("no_high_risk_tools", CALM, Mode::Warn, "a tool's keyword risk level is HIGH"),
                unchanged,
            ],
            Self::McptrustStrict => vec![
                rule("artifact_pinned_required", PINNED, Mode::Fail, NOT_PINNED),
                rule("provenance_required", PROVEN, Mode::Fail, "the lock holds no verified provenance"),
                rule("no_high_risk_tools", CALM, Mode::Fail, "a tool's keyword risk level is HIGH"),
                rule("tools_exist", "input.tools.size() > 0", Mode::Fail, "the server has no tools"),
                unchanged,
                rule("no_file_scheme", NO_FILES, Mode::Fail, "a resource template has the scheme file"),
            ],
        }
    }
}

impl Rules {
    /// As the policy's digest has them.
    pub fn to_json(&self) -> Value {
        let rule = |rule: &Rule| json!([rule.name, rule.expr, rule.mode.word(), rule.message]);
        let waiver = |one: &Waiver| json!([one.server, one.rule, one.digest, one.reason]);
        json!({
            "rules": self.rules.iter().map(rule).collect::<Vec<_>>(),
            "waivers": self.waivers.iter().map(waiver).collect::<Vec<_>>(),
        })
    }

    /// Each rule with what came of it, in the same order. `unseen`: members of the input that are not known, each with the
    /// reason; the empty name is what was not read of the server, on which no rule passes.
    pub fn judge(&self, server: &str, input: &Value, outcomes: Vec<Came>, unseen: &[(&str, String)]) -> Verdicts {
        let digest = input_digest(input);
        let mut outcomes = outcomes.into_iter();
        let verdict = |rule: &Rule| {
            let lost = || (Ruled::Error("it was not evaluated".to_owned()), BTreeSet::new());
            let (came, asked) = outcomes.next().unwrap_or_else(lost);
            let passed = came == Ruled::Passed;
            let asks = |member: &str| if member.is_empty() { passed } else { asked.contains(member) };
            let ruled = match unseen.iter().find(|(member, _)| asks(member)) {
                Some((_, why)) if !matches!(came, Ruled::Error(_)) => Ruled::NotVisible(why.clone()),
                Some(_) | None => came,
            };
            let fits = |one: &&Waiver| one.server == server && one.rule == rule.name && one.digest == digest;
            let waived = self.waivers.iter().find(fits).map(|one| one.reason.clone());
            let waived = waived.filter(|_| !matches!(ruled, Ruled::Passed | Ruled::Error(_)));
            Verdict { rule: rule.name.clone(), mode: rule.mode, ruled, message: rule.message.clone(), waived }
        };
        let rules = self.rules.iter().map(verdict).collect();
        Verdicts { digest, rules }
    }
}

word!(ref Ruled);

impl Verdict {
    /// Whether it is to be told: it did not pass, and nothing lets it be.
    pub fn stands(&self) -> bool {
        self.ruled != Ruled::Passed && self.waived.is_none()
    }

    /// Whether it waits for nothing but a first record.
    pub fn waits_for_baseline(&self) -> bool {
        matches!(&self.ruled, Ruled::NotVisible(why) if why == NO_BASELINE)
    }

    /// Whether the check fails by it.
    pub fn fails(&self) -> bool {
        self.stands() && (self.mode == Mode::Fail || matches!(self.ruled, Ruled::Error(_)))
    }

    /// `fail`, `warn`, `pass` or `waived`: the word in front of its line.
    pub fn level(&self) -> &'static str {
        match (&self.ruled, self.waived.is_some()) {
            (Ruled::Passed, _) => "pass",
            (_, true) => "waived",
            _ if self.fails() => "fail",
            _ => "warn",
        }
    }

    /// What came of it, as a sentence. May quote the config and the server.
    pub fn sentence(&self) -> String {
        let message = if self.message.is_empty() { "its expression is false" } else { &self.message };
        let came = match &self.ruled {
            Ruled::Passed => return "it holds".to_owned(),
            Ruled::Failed => message.to_owned(),
            Ruled::NotVisible(why) => format!("not visible: {why}"),
            Ruled::Error(why) => format!("not evaluated: {why}"),
        };
        self.waived.as_ref().map_or(came.clone(), |reason| format!("{came}; suppressed: {reason}"))
    }
}

impl Verdicts {
    /// What is to be told.
    pub fn standing(&self) -> impl Iterator<Item = &Verdict> {
        self.rules.iter().filter(|verdict| verdict.stands())
    }

    /// Whether the check fails.
    pub fn fails(&self) -> bool {
        self.rules.iter().any(Verdict::fails)
    }
}

/// Characters of an error that are kept: it quotes values of any size.
const MOST_OF_ERROR: usize = 300;

/// Evaluates one expression. It can take any time and memory, and end the process.
pub fn evaluate(expr: &str, input: &Value) -> Ruled {
    let short = |error: String| Ruled::Error(error.chars().take(MOST_OF_ERROR).collect());
    let program = match Program::compile(expr) {
        Ok(program) => program,
        Err(error) => return short(error.to_string()),
    };
    let mut context = Context::default();
    context.add_variable_from_value("input", of_json(input));
    match program.execute(&context) {
        Ok(CelValue::Bool(true)) => Ruled::Passed,
        Ok(CelValue::Bool(false)) => Ruled::Failed,
        Ok(other) => short(format!("it gives {}, and a rule is true or false", other.type_of())),
        Err(error) => short(error.to_string()),
    }
}

/// JSON as Go reads it for CEL: each number a double.
fn of_json(value: &Value) -> CelValue {
    match value {
        Value::Null => CelValue::Null,
        Value::Bool(flag) => CelValue::Bool(*flag),
        Value::Number(number) => CelValue::Float(number.as_f64().unwrap_or(f64::NAN)),
        Value::String(text) => CelValue::String(Arc::new(text.clone())),
        Value::Array(items) => CelValue::List(Arc::new(items.iter().map(of_json).collect())),
        Value::Object(members) => {
            let members: HashMap<Key, CelValue> =
                members.iter().map(|(name, value)| (Key::from(name.as_str()), of_json(value))).collect();
            members.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Shown, input};
    use super::*;

    fn of(tools: Value, templates: Value) -> Value {
        let list = |value: Value| value.as_array().cloned().unwrap_or_default();
        let shown = Shown { tools: list(tools), prompts: Vec::new(), templates: list(templates) };
        input(Some("a"), None, &shown, &[])
    }

    fn words(preset: Preset, input: &Value) -> Vec<(String, &'static str)> {
        let rules = Rules { rules: preset.rules(), waivers: Vec::new() };
        let outcomes =
            rules.rules.iter().map(|rule| (evaluate(&rule.expr, input), super::super::asked_by(&rule.expr))).collect();
        rules
            .judge("a", input, outcomes, &[("artifact", "no lock".into())])
            .rules
            .iter()
            .map(|one| (one.rule.clone(), one.level()))
            .collect()
    }

    /// FORMATS.md, 7: baseline passes an unpinned server with warnings.
    #[test]
    fn baseline_warns_of_an_unpinned_server() {
        let found = words(Preset::McptrustBaseline, &of(json!([{"name": "exec_shell"}]), json!([])));
        let words: Vec<_> = found.iter().map(|(_, word)| *word).collect();
        assert_eq!(words, ["warn", "warn", "warn", "pass"]);
    }

    /// FORMATS.md, 7: strict fails unpinned, HIGH, `file://` and no tools, each by its name.
    #[test]
    fn strict_fails_each_by_its_name() {
        let failed = |input: &Value| {
            let found = words(Preset::McptrustStrict, input);
            found.into_iter().filter(|(_, word)| *word == "fail").map(|(name, _)| name).collect::<Vec<_>>()
        };
        let file = of(json!([{"name": "exec_shell"}]), json!([{"uriTemplate": "file:///{+path}"}]));
        let unpinned = ["artifact_pinned_required", "provenance_required"];
        assert_eq!(failed(&file), [&unpinned[..], &["no_high_risk_tools", "no_file_scheme"]].concat());
        assert_eq!(failed(&of(json!([]), json!([]))), [&unpinned[..], &["tools_exist"]].concat());
    }

    /// What an expression may name of a lock that its own documentation shows, in its types.
    #[test]
    fn a_documented_expression_is_evaluated() {
        let lock = |method: &str| {
            let artifact = json!({"type": "npm", "integrity": "sha512-AA==", "provenance": {
                "method": method, "verified": true, "source_repo": "https://github.com/modelcontextprotocol/servers"}});
            super::super::Locked::read(
                json!({"lockFileVersion": "3.0", "server": {"artifact": artifact}}).to_string().as_bytes(),
            )
        };
        let template = json!({"uriTemplate": "demo://{id}", "mimeType": "text/plain"});
        let shown = Shown { templates: vec![template], ..Shown::default() };
        let of = |lock: Option<&_>| input(None, lock, &shown, &[]);
        let [slsa, npm] = ["cosign_slsa", "npm_audit_signatures"].map(|method| of(lock(method).ok().as_ref()));
        let proven = "has(input.provenance) && input.provenance.source_repo.matches('^https://github.com/model.*')";
        assert_eq!(evaluate(proven, &slsa), Ruled::Passed);
        assert_eq!([evaluate(proven, &npm), evaluate(proven, &of(None))], [Ruled::Failed, Ruled::Failed]);
        assert_eq!(evaluate("has(input.artifact) && input.artifact.integrity != ''", &npm), Ruled::Passed);
        assert_eq!(evaluate("has(input.artifact)", &of(None)), Ruled::Failed);
        let typed = "input.resources.templates.all(t, t.mimeType == 'text/plain' && t.uriTemplate.startsWith('demo'))";
        assert_eq!(evaluate(typed, &npm), Ruled::Passed);
    }

    /// The conditions that the two failures of its repository's check_fail_policy.json name; that file has no expressions.
    #[test]
    fn a_scheme_and_a_prefix_can_be_ruled_out() {
        let input = of(json!([{"name": "read"}]), json!([{"uriTemplate": "FILE:///{path}"}]));
        assert_eq!(evaluate("!('file' in input.resources.schemes)", &input), Ruled::Failed);
        assert_eq!(evaluate("input.tools.all(t, t.name.startsWith('myapp_'))", &input), Ruled::Failed);
    }

    #[test]
    fn what_is_no_answer_is_an_error() {
        let input = of(json!([]), json!([]));
        for expr in ["", "input.", "1 + 1", "nothing", "input.absent == 1", "input.tools[3].name == 'a'", "1 / 0 == 1"]
        {
            assert!(matches!(evaluate(expr, &input), Ruled::Error(_)), "{expr}");
        }
    }

    #[test]
    fn a_part_passes_nothing_and_an_error_fails() {
        let input = of(json!([{"name": "a"}]), json!([]));
        let rule = Rule { name: "r".into(), expr: "true".into(), mode: Mode::Warn, message: String::new() };
        let waiver = |digest: String| Waiver { server: "a".into(), rule: "r".into(), digest, reason: "why".into() };
        let mut rules = Rules { rules: vec![rule], waivers: vec![waiver("sha256:0".into())] };
        let cut = [("", "cut".to_owned())];
        let level = |rules: &Rules, ruled: Ruled, unseen: &[_]| {
            rules.judge("a", &input, vec![(ruled, BTreeSet::new())], unseen).rules[0].level()
        };
        assert_eq!(level(&rules, Ruled::Passed, &cut), "warn");
        assert_eq!(level(&rules, Ruled::Error("e".into()), &[]), "fail");
        assert_eq!(level(&rules, Ruled::Failed, &[]), "warn");
        rules.waivers.push(waiver(input_digest(&input)));
        assert_eq!(level(&rules, Ruled::Failed, &[]), "waived");
        assert_eq!(level(&rules, Ruled::Error("e".into()), &[]), "fail");
    }
}
