//! From an observation to a review: the one way, for the UI and for `check`.

use super::event::{Happening, HappeningKind, MAX_LINES};
use super::opinion::{SecondOpinion, question};
use crate::canon::Pointer;
use crate::config::ServerConfig;
use crate::decisions::{BaselineState, SignIns, account_of, takes_sign_in, with_sign_in};
use crate::digest::{Item, Short, Surface};
use crate::drift::Policy;
use crate::finding::{Finding, PASSED_SECRET, Severity};
use crate::identity::{Attestation, NO_TRUST_ROOT};
use crate::interop;
use crate::mcp::{Identify, Limits, Look, Options, Session, Target};
use crate::oauth::{Challenge, SignedIn};
use crate::opinion::Question;
use crate::pin::{Anchor, Baseline};
use crate::review::{self, Review, Transition, TransitionKind};
use crate::store::redact::Redactor;
use crate::surface::{
    Completeness, ItemId, Kind, Launch, Notice, Observation, ObservedAs, Overall, RawItem, Reason, ServerId,
};
use crate::text::{count, shell_word};
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

/// Servers register tools late: a watched one gets this long before its first list.
const SETTLE: Duration = Duration::from_millis(300);

/// An observation on its way to being compared.
pub(super) struct Received {
    pub(super) observation: Observation,
    pub(super) last: Option<Arc<Surface>>,
    pub(super) config: ServerConfig,
    pub(super) limits: Limits,
    pub(super) policy: Policy,
    pub(super) redactor: Arc<Redactor>,
    /// What another scanner said so far.
    pub(super) second: Arc<SecondOpinion>,
}

pub(super) struct Compared {
    pub(super) surface: Arc<Surface>,
    /// The baseline compared with; its pins are the surface's items where they are equal.
    pub(super) baseline: BaselineState,
    pub(super) review: Option<Arc<Review>>,
    /// What another scanner is to be asked.
    pub(super) question: Option<Question>,
}

impl Received {
    pub(super) fn compare(self, baseline: BaselineState) -> Compared {
        let scope = baseline.scope(&self.config.digest_scope);
        let surface = Surface::read(&self.observation, self.last.as_deref(), &scope, self.limits.depth);
        let surface = identified(without_ignored(surface, &self.config.id, &self.policy), &self.config);
        let surface = Arc::new(surface);
        let baseline = baseline.sharing(&surface);
        let seen = (&self.config.id, &*surface, &baseline);
        let (review, question) = reviewed(seen, &self.policy, &self.redactor, &self.second);
        Compared { surface, baseline, review, question }
    }
}

/// A surface against a baseline, and what another scanner is to be asked of it. `second` is what that said so far.
pub(super) fn reviewed(
    (id, surface, baseline): (&ServerId, &Surface, &BaselineState),
    policy: &Policy,
    redactor: &Redactor,
    second: &SecondOpinion,
) -> (Option<Arc<Review>>, Option<Question>) {
    let question = question(id, surface, baseline.present().map(AsRef::as_ref), policy, redactor);
    let review = compare(id, surface, baseline, policy, redactor, &second.of(question.as_ref()));
    (review, question)
}

/// A surface without the items that the policy leaves out, and a notice that counts them.
pub fn without_ignored(mut surface: Surface, server: &str, policy: &Policy) -> Surface {
    let exceptions = &policy.exceptions;
    if exceptions.ignored.is_empty() {
        return surface;
    }
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    surface.items.retain(|item| {
        let ignore = exceptions.ignored(server, &item.id);
        ignore.inspect(|ignore| *counts.entry(ignore.shown()).or_default() += 1).is_none()
    });
    surface.notices.extend(counts.into_iter().map(|(pattern, count)| Notice {
        code: "ignored",
        count,
        text: format!("not compared, by `ignore` in pinwatch.toml: {pattern}"),
    }));
    surface
}

/// A baseline without the pins that the policy leaves out.
pub(super) fn pins_without_ignored<'a>(baseline: &'a Baseline, server: &str, policy: &Policy) -> Cow<'a, Baseline> {
    let ignored = |id: &ItemId| policy.exceptions.ignored(server, id).is_some();
    if !baseline.pins.iter().any(|pin| ignored(&pin.item.id)) {
        return Cow::Borrowed(baseline);
    }
    let mut compared = baseline.clone();
    compared.pins.retain(|pin| !ignored(&pin.item.id));
    Cow::Owned(compared)
}

/// A surface against a baseline, with what another scanner said of it. None where the baseline is refused, or not read yet:
/// nothing can be said then.
pub fn compare(
    id: &ServerId,
    surface: &Surface,
    baseline: &BaselineState,
    policy: &Policy,
    redactor: &Redactor,
    second: &SecondOpinion,
) -> Option<Arc<Review>> {
    let baseline = match baseline {
        BaselineState::Present(baseline) => Some(baseline.as_ref()),
        BaselineState::Absent => None,
        BaselineState::Verifying | BaselineState::Refused(_) => return None,
    };
    let others = |item: &Item| {
        let mut found = passed_secret(item, redactor);
        found.extend(second.findings(item));
        found
    };
    let baseline = baseline.map(|baseline| pins_without_ignored(baseline, id, policy));
    let mut review = review::review_knowing(Arc::clone(id), baseline.as_deref(), surface, policy, &others);
    second.tell(&mut review, baseline.is_some());
    Some(Arc::new(review))
}

/// A value that was passed to a server as a secret, in what it shows: by its name, never by its value.
fn passed_secret(item: &Item, redactor: &Redactor) -> Vec<Finding> {
    let found = if item.id.kind == Kind::Launch || redactor.is_empty() {
        None
    } else {
        redactor.find(item.definition.characters().as_bytes())
    };
    let finding = found.map(|name| {
        let text = format!("Contains the value of `{name}`, a secret that was passed to the server");
        Finding::at(PASSED_SECRET, Pointer::root(), Severity::Critical, text)
    });
    finding.into_iter().collect()
}

/// How a server's session is opened. `listen`: it stays open and hears of changes, and may settle before the first list.
pub(super) fn options(
    config: &ServerConfig,
    baseline: &BaselineState,
    known: Option<&ObservedAs>,
    listen: bool,
) -> Options {
    Options {
        start_timeout: config.start_timeout,
        request_timeout: config.request_timeout,
        ignore: config.ignore_kinds.clone(),
        known_era: known.map(|known| known.era),
        known_revision: known.map(|known| known.protocol_version.clone()),
        settle: if listen { SETTLE } else { Duration::ZERO },
        listen,
        identify: identify(config, baseline.present().map(AsRef::as_ref)),
        client: Arc::clone(&config.client),
    }
}

/// What is asked again of who the server is: what the project demands, and what the baseline is tied to.
fn identify(config: &ServerConfig, baseline: Option<&Baseline>) -> Identify {
    let tied = |of: &dyn Fn(&Anchor) -> bool| baseline.is_some_and(|known| of(&known.anchor));
    let attestation = tied(&|anchor| anchor.clearance_id.is_some() || anchor.signer_key_id.is_some());
    let (attestation, principal) = (attestation || config.trust.is_some(), tied(&|anchor| anchor.server_did.is_some()));
    if attestation || principal { Identify::Again { attestation, principal } } else { Identify::Once }
}

/// A surface that knows who its server is. `surface` is what was read of one look at the server of this config.
pub fn identified(mut surface: Surface, config: &ServerConfig) -> Surface {
    let url = match &config.target {
        Target::Http { url, .. } => Some(url.as_str()),
        Target::Stdio { .. } | Target::Unusable(_) | Target::Unwatched(_) => None,
    };
    let trust = config.trust.as_ref().map(|trust| &trust.held_to);
    surface.identity = interop::identify(&surface.observation(), trust, url, Timestamp::now());
    if let Attestation::NotChecked(reason) = &mut surface.identity.attestation
        && reason.code == NO_TRUST_ROOT
        && config.origin.file.is_none()
    {
        reason.text.push_str("; the root of a found file counts for a typed server with --yes or --config");
    }
    surface
}

/// An observation with the launch as one more item: what was asked belongs to what was seen.
fn with_launch(mut observation: Observation, launch: &Launch) -> Observation {
    observation.items.push(RawItem { kind: Kind::Launch, bytes: launch.to_json().into() });
    observation.completeness.insert(Kind::Launch, Completeness::Complete);
    observation
}

/// A server that was looked at once.
#[derive(Debug)]
pub struct Observed {
    /// What was seen.
    pub observation: Observation,
    /// The server's end, which goes on while the observation is used; to be awaited before the program ends, since a
    /// server that is left alone is killed.
    pub ending: Option<JoinHandle<()>>,
}

/// Starts a server, looks once and ends it: what `record` and `check` do. A failure is an observation, too. Where it does not
/// take the sign-in that is kept for it, it is asked once more with another one.
pub async fn observe_once(
    config: &ServerConfig,
    baseline: &BaselineState,
    limits: &Limits,
    redactor: &Redactor,
    sign_ins: &SignIns,
) -> Observed {
    let options = options(config, baseline, baseline.observed_as(), false);
    observe(config, &options, limits, redactor, sign_ins).await
}

/// The same with these options.
pub(super) async fn observe(
    config: &ServerConfig,
    options: &Options,
    limits: &Limits,
    redactor: &Redactor,
    sign_ins: &SignIns,
) -> Observed {
    let mut signed_in = match sign_ins.of(config).await {
        Ok(signed_in) => signed_in,
        Err(reason) => {
            let observation = Observation::failed(&reason, Vec::new());
            return Observed { observation: observed(observation, config, redactor, None), ending: None };
        }
    };
    let mut looked = look_once(&with_sign_in(&config.target, signed_in.as_ref()), options, limits).await;
    if let (Some(challenge), Some(used)) = (&looked.challenge, &signed_in)
        && let Ok(Some(renewed)) = sign_ins.again(config, used, challenge).await
    {
        looked = look_once(&with_sign_in(&config.target, Some(&renewed)), options, limits).await;
        signed_in = Some(renewed);
    }
    let mut observation = looked.observation;
    if looked.challenge.is_some() && takes_sign_in(config) {
        for state in observation.completeness.values_mut() {
            if let Completeness::Partial(reason) | Completeness::Failed(reason) = state {
                *reason = needs_sign_in(&config.id, reason);
            }
        }
    }
    Observed { observation: observed(observation, config, redactor, signed_in.as_ref()), ending: looked.ending }
}

/// What a server asks for that wants somebody to sign in, and the sign-in that was not enough; none where it takes what there
/// is.
pub async fn asks_to_sign_in(
    config: &ServerConfig,
    baseline: &BaselineState,
    limits: &Limits,
    sign_ins: &SignIns,
) -> Result<Option<(Challenge, Option<SignedIn>)>, Reason> {
    let before = sign_ins.of(config).await?;
    let options = options(config, baseline, baseline.observed_as(), false);
    let looked = look_once(&with_sign_in(&config.target, before.as_ref()), &options, limits).await;
    if let Some(ending) = looked.ending {
        // A closing that panicked has nothing left to wait for.
        let _ = ending.await;
    }
    match (looked.challenge, looked.observation.overall()) {
        (Some(challenge), _) => Ok(Some((challenge, before))),
        (None, Overall::Failed(reason)) => Err(reason),
        (None, _) => Ok(None),
    }
}

/// One start, look and end.
struct LookedOnce {
    observation: Observation,
    /// What it asks for where it wants a bearer token, or one that reaches further.
    challenge: Option<Challenge>,
    ending: Option<JoinHandle<()>>,
}

async fn look_once(target: &Target, options: &Options, limits: &Limits) -> LookedOnce {
    match Session::open(target, options, limits).await {
        Err(failure) => {
            let observation = Observation::failed(&failure.reason, failure.notices);
            LookedOnce { observation, challenge: failure.challenge, ending: None }
        }
        Ok(mut session) => {
            let observation = match session.look().await {
                Look::Seen(observation) => observation,
                // A first look has nothing to be equal to.
                Look::Unchanged { notices } => {
                    Observation::failed(&Reason::internal("the first look said unchanged"), notices)
                }
            };
            let challenge = session.challenge().cloned();
            LookedOnce { observation, challenge, ending: Some(tokio::spawn(session.close())) }
        }
    }
}

/// Why a server that turned us away was not read, with what to do about it.
pub(super) fn needs_sign_in(id: &str, reason: &Reason) -> Reason {
    match reason.code {
        "unauthorized" | "forbidden" => {
            Reason::new(reason.code, format!("sign in with `pinwatch sign-in {}`: {}", shell_word(id), reason.text))
        }
        _ => reason.clone(),
    }
}

/// An observation as it is compared and shown: with the launch, and with no secret in its reasons and notices. Items are
/// never rewritten.
pub(super) fn observed(
    observation: Observation,
    config: &ServerConfig,
    redactor: &Redactor,
    signed_in: Option<&SignedIn>,
) -> Observation {
    let mut observation = with_launch(observation, &config.shared);
    observation.presented.account = account_of(config, signed_in);
    for state in observation.completeness.values_mut() {
        if let Completeness::Partial(reason) | Completeness::Failed(reason) = state {
            *reason = mask_reason(redactor, reason);
        }
    }
    observation.notices = mask_notices(redactor, observation.notices);
    observation
}

/// A reason without the secrets that it may quote.
pub(super) fn mask_reason(redactor: &Redactor, reason: &Reason) -> Reason {
    Reason { code: reason.code, text: redactor.mask_log(&reason.text) }
}

/// Notices without the secrets that they may quote.
pub(super) fn mask_notices(redactor: &Redactor, notices: Vec<Notice>) -> Vec<Notice> {
    notices.into_iter().map(|notice| Notice { text: redactor.mask_log(&notice.text), ..notice }).collect()
}

/// What a server did, as lines of the event log: the same that happened to many items of a kind is one line, and what is
/// critical stands apart from the rest. Names are masked.
pub(super) fn tell(server: &ServerId, transitions: &[Transition], redactor: &Redactor) -> Vec<Happening> {
    let mut alike: BTreeMap<_, Vec<&Transition>> = BTreeMap::new();
    for one in transitions {
        let critical = one.severity == Some(Severity::Critical);
        alike.entry((one.kind, one.id.item.kind, critical)).or_default().push(one);
    }
    let lines = alike.into_values().flat_map(|alike| match alike.as_slice() {
        few if few.len() <= MAX_LINES => few.iter().map(|one| describe(server, one, redactor)).collect(),
        many => vec![describe_many(server, many, redactor)],
    });
    lines.collect()
}

fn happening_kind(kind: TransitionKind) -> HappeningKind {
    match kind {
        TransitionKind::Drifted => HappeningKind::Drifted,
        TransitionKind::New => HappeningKind::New,
        TransitionKind::Gone => HappeningKind::Gone,
        TransitionKind::Returned => HappeningKind::Returned,
        TransitionKind::Changed => HappeningKind::Changed,
    }
}

/// A transition as a line of the event log.
fn describe(server: &ServerId, transition: &Transition, redactor: &Redactor) -> Happening {
    let short = |digest: Option<Short>, none: &str| digest.map_or_else(|| none.to_owned(), |digest| digest.to_string());
    let text = match short(transition.to, "gone") {
        // What moved is no part of the definition digest.
        to if transition.from.is_some() && transition.from == transition.to => format!("{to} unchanged"),
        to => format!("{} → {to}", short(transition.from, "new")),
    };
    let item = transition.id.item.text();
    let happening = Happening::of_server(server, happening_kind(transition.kind), &redactor.mask(&item), &text);
    Happening { severity: transition.severity, ..happening }
}

/// Transitions of one kind, of items of one kind.
fn describe_many(server: &ServerId, alike: &[&Transition], redactor: &Redactor) -> Happening {
    let first = alike[0];
    let what = match first.kind {
        TransitionKind::Drifted => "changed",
        TransitionKind::New => "not approved",
        TransitionKind::Gone => "no longer served",
        TransitionKind::Returned => "back to the approved definition",
        TransitionKind::Changed => "changed again",
    };
    let severity = alike.iter().filter_map(|one| one.severity).max();
    let many = count(alike.len(), &first.id.item.kind.word().replace('_', " "));
    let names: Vec<_> = alike.iter().map(|one| redactor.mask(&one.id.item.key)).collect();
    let happening = Happening::of_many(server, happening_kind(first.kind), &format!("{many}: {what}"), &names);
    Happening { severity, ..happening }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::RowId;

    fn went(kind: TransitionKind, name: &str, severity: Severity) -> Transition {
        let id = RowId { item: ItemId::new(Kind::Tool, name), copy: 0 };
        Transition { id, kind, from: None, to: None, severity: Some(severity) }
    }

    #[test]
    fn consolidation_is_one_line_unless_critical() {
        let gone = (0..76).map(|at| went(TransitionKind::Gone, &format!("old_{at:02}"), Severity::Info));
        let new = (0..2).map(|at| went(TransitionKind::New, &format!("new_{at}"), Severity::Moderate));
        let bad = went(TransitionKind::New, "run_command", Severity::Critical);
        let all: Vec<_> = gone.chain(new).chain([bad]).collect();
        let lines = tell(&"azure".into(), &all, &Redactor::default());
        let told: Vec<_> =
            lines.iter().map(|line| (line.kind.word(), line.item.as_str(), line.text.as_str())).collect();
        assert_eq!(told.len(), 4, "{told:?}");
        assert_eq!(told[0], ("NEW", "tool/new_0", "new → gone"));
        let severities: Vec<_> = lines.iter().map(|line| line.severity).collect();
        let [moderate, critical, info] = [Severity::Moderate, Severity::Critical, Severity::Info].map(Some);
        assert_eq!(severities, [moderate, moderate, critical, info]);
        assert_eq!(told[2], ("NEW", "tool/run_command", "new → gone"));
        let (word, item, text) = told[3];
        assert_eq!((word, item), ("GONE", ""));
        assert!(text.starts_with("76 tools: no longer served: old_00, old_01, ") && text.ends_with("old_75"));
    }
}
