//! `pinwatch admit`: whether a server's attestation document admits it, one line a rule. The document is a file's, or that of a
//! server, which is looked at once.

use super::look::{Looked, Opinions, finish, look_at};
use super::{Admit, Global, input, open, out};
use crate::error::Exit;
use crate::interop::atsa::{Admission, Asked, Assertion, Document, Origin, Rule, TrustRoot, admit};
use crate::mcp::Target;
use crate::project::Project;
use crate::surface::{Overall, Reason};
use anyhow::{Context as _, bail};
use jiff::Timestamp;
use std::path::Path;

/// Asks the rules and prints what came of them.
pub async fn run(global: &Global, wanted: &Admit) -> anyhow::Result<Exit> {
    match (&wanted.server, &wanted.document, &wanted.trust) {
        (Some(server), ..) => live(global, server).await,
        (None, Some(document), Some(trust)) => offline(wanted, document, trust),
        (None, ..) => bail!("name a server, or a document and the trust root that it is held to"),
    }
}

/// Holds a document in a file to a trust root in another. Nothing is opened but the two.
fn offline(wanted: &Admit, document: &Path, trust: &Path) -> anyhow::Result<Exit> {
    let root = trust_root(trust)?;
    let origin = wanted.origin.as_deref().map(|text| {
        let origin = Origin::of(text);
        origin
            .with_context(|| format!("--origin `{text}` is not an origin; expected one like https://tools.example.com"))
    });
    let origin = origin.transpose()?;
    let document = Document::read(&input::read(document)?);
    let asked = Asked {
        root: &root,
        origin: origin.as_ref(),
        required: wanted.required.as_deref(),
        now: wanted.now.unwrap_or_else(Timestamp::now),
    };
    Ok(told(&admit(document.as_ref(), asked), str::to_owned))
}

/// A trust root from its file.
fn trust_root(path: &Path) -> anyhow::Result<TrustRoot> {
    let bytes = input::read(path)?;
    TrustRoot::read(&bytes).with_context(|| format!("{} is not a trust root", path.display()))
}

/// Holds what a configured server shows to the project's own trust root.
async fn live(global: &Global, server: &String) -> anyhow::Result<Exit> {
    let project = open::open(global, None)?;
    let servers = project.select(std::slice::from_ref(server))?;
    let Some(trust) = servers.first().and_then(|config| config.trust.clone()) else {
        bail!("pinwatch.toml has no [trust] root that {server} could be held to");
    };
    let looked = look_at(&project, servers, Opinions::NotAsked).await;
    let Some(live) = looked.first() else { bail!("{server} could not be read") };
    let exit = match admission(&trust.held_to, live) {
        Ok(admission) => told(&admission, |text| project.redactor.mask_log(text)),
        Err(reason) => untold(&project, server, &reason),
    };
    finish(looked).await;
    Ok(exit)
}

fn admission(trust: &crate::interop::atsa::Trust, live: &Looked) -> Result<Admission, Reason> {
    if let Overall::Failed(reason) = live.overall() {
        return Err(reason);
    }
    let origin = match &live.config.target {
        Target::Http { url, .. } => Origin::of(url),
        Target::Stdio { .. } | Target::Unusable(_) | Target::Unwatched(_) => None,
    };
    let assertion = Assertion::of(&live.observation);
    match assertion.admission(trust, origin.as_ref(), Timestamp::now()) {
        Some(admission) => Ok(admission),
        None => Err(match assertion {
            Assertion::Unread(reason) => reason,
            Assertion::Absent | Assertion::Shown(_) => Reason::internal("the rules were not asked"),
        }),
    }
}

fn untold(project: &Project, server: &str, reason: &Reason) -> Exit {
    out::line(&format!("{server}: not checked: {} ({})", project.redactor.mask_log(&reason.text), reason.code));
    Exit::Unknown
}

/// One line a rule, and what came of them. `shown` masks what a server wrote.
fn told(admission: &Admission, shown: impl Fn(&str) -> String) -> Exit {
    let line = |rule: Rule, came: &str, found: &str| {
        out::line(&shown(&format!("{}  {came:5}  {}: {found}", rule.code(), rule.asks())));
    };
    for (rule, found) in &admission.held {
        line(*rule, "holds", found);
    }
    if let Err(denial) = &admission.outcome {
        line(denial.rule, "FAILS", &denial.why);
        for rule in Rule::DOCUMENT.into_iter().filter(|rule| is_unasked(*rule, admission)) {
            line(rule, "-", "not asked");
        }
    }
    match &admission.outcome {
        Ok(admitted) => {
            let said = format!("admitted: {} at `{}`, by `{}`", admitted.id, admitted.level, admitted.signer_key_id);
            out::line(&shown(&said));
            Exit::Fine
        }
        Err(denial) => {
            out::line(&shown(&format!("refused: {denial}")));
            Exit::Drift
        }
    }
}

fn is_unasked(rule: Rule, admission: &Admission) -> bool {
    let failed = admission.outcome.as_ref().err().map(|denial| denial.rule);
    failed != Some(rule) && !admission.held.iter().any(|(held, _)| *held == rule)
}
