//! What the findings say of real servers (../shared/corpus): the figures by which a change of the rules is judged.
//!
//! Counted are bumps (one version of a server against the one before) with a finding that they bring, and items of every
//! recorded version as they are met for the first time. All of these servers are honest.

#![expect(clippy::print_stderr, reason = "the list is for a person")]

use crate::drift_corpus::packages;
use crate::needs::shared;
use crate::reviewed::reviewed;
use crate::surfaces::{around, recorded};
use pinwatch::drift::{Policy, compare};
use pinwatch::finding::{Asking, Finding, Settings, Severity, findings};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How many there are, how many have a finding, and how many have a critical one.
type Figures = (usize, usize, usize);

fn count(figures: &mut Figures, worst: Option<Severity>) {
    figures.0 += 1;
    figures.1 += usize::from(worst >= Some(Severity::Moderate));
    figures.2 += usize::from(worst == Some(Severity::Critical));
}

/// The worst of the findings that read prose or promises: what form says is of another kind.
fn worst<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Option<&'a Finding> {
    findings.into_iter().max_by_key(|finding| finding.severity)
}

#[test]
fn figures_on_real_servers() {
    let Some(corpus) = shared("figures_on_real_servers", "corpus") else { return };
    let (mut bumps, mut items) = (Figures::default(), Figures::default());
    let mut official: BTreeMap<String, usize> = BTreeMap::new();
    // Names and rules; what the servers say is not ours to print.
    let mut list = "Bumps\n".to_owned();
    let mut first: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (package, versions) in packages(&corpus) {
        for (version, surface) in &versions {
            let (around, settings) = (around(surface), Settings::default());
            for item in &surface.items {
                let found = findings(item, Asking { around: &around, settings: &settings });
                let worst = worst(&found);
                count(&mut items, worst.map(|finding| finding.severity));
                if is_official(&package) && worst.is_some_and(|worst| worst.severity >= Severity::Moderate) {
                    *official.entry(package.clone()).or_default() += 1;
                }
                if let Some(worst) = worst.filter(|worst| worst.severity >= Severity::Moderate) {
                    let line = format!("{} {package} {} {}", worst.severity, item.id.text(), worst.rule);
                    first.entry(line).or_default().push(version.clone());
                }
            }
        }
        for pair in versions.windows(2) {
            let drifts = compare(&recorded(&pair[0].1), &pair[1].1, &Policy::default()).drifts;
            let added = drifts.iter().flat_map(|drift| &drift.findings).filter(|finding| {
                let is_form = ["refused-by-clients", "dangling-reference"].contains(&&*finding.rule);
                finding.added && !is_form
            });
            let worst = worst(added);
            count(&mut bumps, worst.map(|finding| finding.severity));
            if let Some(worst) = worst.filter(|worst| worst.severity >= Severity::Moderate) {
                let (from, to) = (&pair[0].0, &pair[1].0);
                writeln!(list, "{} {package} {from} -> {to} {}", worst.severity, worst.rule).expect("a text");
                eprintln!("{package} {from} -> {to}: {}", worst.text);
            }
        }
    }
    list.push_str("\nFirst contact, with the count of versions\n");
    for (line, versions) in &first {
        writeln!(list, "{line} {}", versions.len()).expect("a text");
    }
    reviewed("finding_corpus", &list);
    eprintln!("bumps, with a finding, critical: {bumps:?}; items at first contact: {items:?}; official: {official:?}");
    // The rules of words that went before had ((199, 31, 0), (5608, 1205, 0)). FINDINGS.md asks for at most 2 % of the bumps
    // critical and at most 8 % with a finding, and for none on the official servers.
    assert!(official.is_empty(), "{official:?}");
    assert_eq!((bumps, items), ((199, 14, 0), (5608, 121, 0)));
}

/// The servers that the protocol's own repository publishes.
fn is_official(package: &str) -> bool {
    package.starts_with("@modelcontextprotocol/server-")
        || ["mcp-server-fetch", "mcp-server-git", "mcp-server-time"].contains(&package)
}
