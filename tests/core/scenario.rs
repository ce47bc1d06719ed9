//! One server over time: looks, decisions, and the states, drifts and events that follow. A new case is a new file in
//! `tests/scenario/`; `tests/scenario/README.md` says what may stand in one.

use crate::surfaces::{decision, observation, recorded, surface};
use pinwatch::digest::{DigestScope, Surface};
use pinwatch::drift::{Policy, Severity};
use pinwatch::pin::{Baseline, DecisionState};
use pinwatch::review::{
    ApprovalState, Refusal, Review, RowId, Sightings, Subject, approve, record, reject, review, undo,
};
use pinwatch::surface::{Completeness, ItemId, Kind, Reason};
use serde::Deserialize;
use std::fs;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    rule: String,
    look: Vec<Look>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Look {
    #[serde(default)]
    tools: Option<Vec<String>>,
    #[serde(default)]
    prompts: Vec<String>,
    #[serde(default)]
    resources: Vec<String>,
    #[serde(default)]
    server_info: Option<String>,
    #[serde(default)]
    version: Option<String>,
    #[serde(default)]
    partial: Vec<Kind>,
    #[serde(default)]
    failed: Vec<Kind>,
    #[serde(default)]
    ignored: Vec<Kind>,
    states: Vec<String>,
    #[serde(default)]
    drifts: Option<Vec<String>>,
    #[serde(default)]
    events: Option<Vec<String>>,
    #[serde(default)]
    worst: Option<String>,
    #[serde(default)]
    elsewhere_approve: Vec<String>,
    #[serde(default)]
    record: bool,
    #[serde(default)]
    apart: Vec<String>,
    #[serde(default)]
    approve: Vec<String>,
    #[serde(default)]
    reject: Vec<String>,
    #[serde(default)]
    as_shown_before: bool,
    #[serde(default)]
    undo: bool,
    #[serde(default)]
    refused: Option<String>,
}

/// What is carried from look to look.
#[derive(Default)]
struct World {
    surface: Option<Surface>,
    baseline: Option<Baseline>,
    /// The baselines on both sides of the last decision.
    last: Option<(Baseline, Baseline)>,
    review: Option<Review>,
    sightings: Sightings,
}

impl Look {
    /// What is served in this look; none where it is what was served before.
    fn served(&self) -> Option<Surface> {
        let tools = self.tools.as_ref()?;
        let initialize = self.server_info.as_ref().map_or_else(String::new, |info| format!(r#","serverInfo":{info}"#));
        let version = self.version.as_deref().unwrap_or("2025-11-25");
        let document = format!(
            r#"{{"initialize":{{"protocolVersion":"{version}"{initialize}}},"tools":[{}],"prompts":[{}],"resources":[{}]}}"#,
            tools.join(","),
            self.prompts.join(","),
            self.resources.join(","),
        );
        let mut observation = observation(document.as_bytes());
        let reason = || Reason::new("test", "a page was not answered");
        for kind in &self.partial {
            observation.completeness.insert(*kind, Completeness::Partial(reason()));
        }
        for kind in &self.failed {
            observation.completeness.insert(*kind, Completeness::Failed(reason()));
        }
        for kind in &self.ignored {
            observation.completeness.insert(*kind, Completeness::Ignored);
        }
        Some(surface(&observation))
    }
}

fn shown(id: &RowId) -> String {
    let ItemId { kind, key } = &id.item;
    if id.copy == 0 { format!("{kind}/{key}") } else { format!("{kind}/{key}#{}", id.copy) }
}

fn subjects(names: &[String], review: &Review, shown_in: &Review) -> Vec<Subject> {
    let row = |review: &Review, name: &str| review.rows.iter().find(|row| shown(&row.id) == name).cloned();
    let subject = |name: &String| {
        let now = row(review, name).unwrap_or_else(|| panic!("no row {name}"));
        let expect = row(shown_in, name).unwrap_or_else(|| panic!("{name} was not shown")).decides_on();
        Subject::of(&now, expect.expect("a row has a digest"))
    };
    names.iter().map(subject).collect()
}

fn word(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Moved { .. } => "moved",
        Refusal::BaselineMoved(_) => "baseline-moved",
        Refusal::OneByOne(_) => "one-by-one",
        Refusal::NothingToReject(_) => "nothing-to-reject",
        Refusal::NotFirstContact => "not-first-contact",
        Refusal::NotByApproval(_) => "not-by-approval",
        Refusal::NoValue { .. } => "no-value",
        Refusal::AcceptedElsewhere => "accepted-elsewhere",
        Refusal::NoBaseline => "no-baseline",
    }
}

fn play(world: &mut World, look: &Look, at: &str) {
    if let Some(served) = look.served() {
        world.surface = Some(served);
    }
    let surface = world.surface.as_ref().expect("something was served");
    let now = review("s".into(), world.baseline.as_ref(), surface, &Policy::default());
    let states: Vec<_> = now.rows.iter().map(|row| format!("{} {}", row.state.word(), shown(&row.id))).collect();
    assert_eq!(states, look.states, "states, {at}");
    if let Some(expected) = &look.drifts {
        let found: Vec<_> = now
            .drifts
            .iter()
            .map(|drift| format!("{} {} {}/{}", drift.drift_type, drift.severity, drift.id.kind, drift.id.key))
            .collect();
        assert_eq!(&found, expected, "drifts, {at}");
    }
    let told = world.sightings.next(&now, false);
    if let Some(expected) = &look.events {
        let found: Vec<_> = told
            .iter()
            .map(|event| format!("{} {}", format!("{:?}", event.kind).to_lowercase(), shown(&event.id)))
            .collect();
        assert_eq!(&found, expected, "events, {at}");
    }
    if let Some(expected) = &look.worst {
        assert_eq!(worst(&now).map_or("none", Severity::word), expected, "worst, {at}");
    }
    let before = world.review.replace(now.clone());
    decide(world, look, &now, before.as_ref(), at);
}

fn decide(world: &mut World, look: &Look, now: &Review, before: Option<&Review>, at: &str) {
    let surface = world.surface.as_ref().expect("something was served");
    let fresh = Baseline::empty("s", DigestScope::None, surface.observed_as.clone());
    let shown_in = if look.as_shown_before { before.expect("a look before") } else { now };
    let approved = decision(DecisionState::Approved);
    if !look.elsewhere_approve.is_empty() {
        let elsewhere = subjects(&look.elsewhere_approve, now, now);
        world.baseline = Some(approve(world.baseline.as_ref(), &fresh, &surface.items, &elsewhere, &approved).unwrap());
    }
    let old = world.baseline.clone().unwrap_or_else(|| fresh.clone());
    let outcome = if look.record {
        let recorded = record(world.baseline.as_ref(), (surface, now), &DigestScope::None, &[], &approved);
        if let Ok(recorded) = &recorded {
            let apart: Vec<_> =
                recorded.apart.iter().map(|apart| format!("{}/{}", apart.id.kind, apart.id.key)).collect();
            assert_eq!(apart, look.apart, "listed apart, {at}");
        }
        recorded.map(|recorded| recorded.baseline)
    } else if !look.approve.is_empty() {
        {
            let subjects = subjects(&look.approve, now, shown_in);
            approve(world.baseline.as_ref(), &fresh, &surface.items, &subjects, &approved)
        }
    } else if !look.reject.is_empty() {
        let rejected = decision(DecisionState::Rejected);
        reject(world.baseline.as_ref(), &fresh, &subjects(&look.reject, now, shown_in), &rejected)
    } else if look.undo {
        let (before, after) = world.last.as_ref().expect("a decision before");
        undo(&old, before, after, &surface.items)
    } else {
        return;
    };
    match (outcome, &look.refused) {
        (Ok(decided), None) => {
            world.last = Some((old, decided.clone()));
            world.sightings.decided(&review("s".into(), Some(&decided), surface, &Policy::default()));
            world.baseline = Some(decided);
        }
        (Err(refusal), Some(expected)) => assert_eq!(word(&refusal), expected, "{at}"),
        (outcome, expected) => panic!("{at}: {outcome:?}, expected {expected:?}"),
    }
}

/// The worst severity among the drifts that are not rejected already.
fn worst(review: &Review) -> Option<Severity> {
    let rejected = |drift: &usize| {
        let drifts = review.rows.iter().filter(|row| row.state == ApprovalState::Rejected);
        drifts.clone().any(|row| row.drift == Some(*drift))
            || review.rows.iter().all(|row| row.drift != Some(*drift))
                && drifts.clone().any(|row| row.id.item == review.drifts[*drift].id)
    };
    let open = (0..review.drifts.len()).filter(|drift| !rejected(drift));
    open.map(|drift| review.drifts[drift].severity).max()
}

#[test]
fn every_scenario_goes_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenario");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    assert!(files.len() > 10, "the scenarios were not found");
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let scenario: Scenario =
            toml::from_str(&fs::read_to_string(&file).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut world = World::default();
        for (index, look) in scenario.look.iter().enumerate() {
            play(&mut world, look, &format!("{name}, look {}: {}", index + 1, scenario.rule));
        }
    }
}

#[test]
fn failed_look_makes_pins_unknown_and_none_gone() {
    let surface = surface(&observation(br#"{"tools": [{"name": "a"}, {"name": "b"}], "prompts": [{"name": "p"}]}"#));
    let baseline = recorded(&surface);
    let reason = Reason::new("exit", "exit status 1");
    let unread = pinwatch::review::unread("s".into(), Some(&baseline), &reason, &Policy::default());
    assert_eq!((unread.counts.unknown, unread.rows.len()), (3, 3));
    assert!(unread.drifts.is_empty());
}
