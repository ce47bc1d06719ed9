//! `pinwatch admit`: whether a server's attestation document admits it, one line a rule.

use super::{Admit, input, out};
use crate::error::Exit;
use crate::interop::atsa::{Admission, Asked, Document, Origin, Rule, TrustRoot, admit};
use anyhow::{Context as _, bail};
use jiff::Timestamp;
use std::path::Path;

/// Holds a document in a file to a trust root in another. Nothing is opened but the two.
pub fn run(wanted: &Admit) -> anyhow::Result<Exit> {
    let (Some(document), Some(trust)) = (&wanted.document, &wanted.trust) else {
        bail!("a document needs the trust root that it is held to: --document FILE --trust FILE");
    };
    let root = trust_root(trust)?;
    let origin = wanted.origin.as_deref().map(|text| {
        let origin = Origin::of(text);
        origin.with_context(|| format!("--origin `{text}` is no origin: one is like https://tools.example.com"))
    });
    let origin = origin.transpose()?;
    let document = Document::read(&input::read(document)?);
    let asked = Asked {
        root: &root,
        origin: origin.as_ref(),
        required: wanted.required.as_deref(),
        now: wanted.now.unwrap_or_else(Timestamp::now),
    };
    let admission = admit(document.as_ref(), asked);
    tell(&admission);
    Ok(if admission.outcome.is_ok() { Exit::Fine } else { Exit::Drift })
}

/// A trust root from its file.
fn trust_root(path: &Path) -> anyhow::Result<TrustRoot> {
    let bytes = input::read(path)?;
    TrustRoot::read(&bytes).with_context(|| format!("{} is no trust root", path.display()))
}

/// One line a rule, and what came of them.
fn tell(admission: &Admission) {
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
            out::line(&format!("admitted: {} at `{}`, by `{}`", admitted.id, admitted.level, admitted.signer_key_id));
        }
        Err(denial) => out::line(&format!("refused: {denial}")),
    }
}

fn is_unasked(rule: Rule, admission: &Admission) -> bool {
    let failed = admission.outcome.as_ref().err().map(|denial| denial.rule);
    failed != Some(rule) && !admission.held.iter().any(|(held, _)| *held == rule)
}

fn line(rule: Rule, came: &str, found: &str) {
    out::line(&format!("{}  {came:5}  {}: {found}", rule.code(), rule.asks()));
}
