//! The same values the UI shows, as text and as JSON (`pinwatch.report.v1`). Every other format is a view of these.
//!
//! Pure: a report is built from reviews and written to a string; `cli` decides where it goes. Text from a server passes the
//! escaping seam first and the format's own escaping then.

mod command;
mod digests;
pub mod explain;
mod fail_on;
mod github;
mod json;
mod junit;
mod markdown;
mod sarif;
mod text;
mod told;

pub use command::Again;
pub use digests::beside_lines;
pub use fail_on::{FailOn, FailWord};
pub use github::github;
pub use json::{digests as digests_json, json, of_drift as drift_json, signature_json};
pub use junit::junit;
pub use markdown::markdown;
pub use sarif::sarif;
pub use text::{body_lines, drift_line, group_line, member_lines, text};

use crate::config::OTHER_PROJECT;
use crate::digest::{DigestScope, Sha256};
use crate::drift::{Drift, SplitView};
use crate::finding::Rule;
use crate::identity::ServerIdentity;
use crate::interop::mcptrust::Verdicts;
use crate::pin::Decision;
use crate::project::at_ref::JudgedBy;
use crate::review::{ApprovalState, Review};
use crate::signature::Keyring;
use crate::surface::{ItemId, Notice, Overall, Reason, ServerId};
use std::collections::BTreeMap;
use std::sync::Arc;
use strum::IntoStaticStr;

/// Servers that the line on digest scopes names.
const MOST_SCOPED: usize = 10;

/// What is known of one server's baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaselineWord {
    /// Read and verified.
    Present,
    /// There is none.
    Absent,
    /// There is a file that is not taken; the sentence says why.
    Refused(String),
}

/// Why a server is not watched, and whether that may stay so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwatched {
    /// Why.
    pub reason: Reason,
    /// Whether its client starts it all the same.
    pub starts_anyway: bool,
    /// Who accepted it; none where nobody did.
    pub accepted: Option<Decision>,
}

/// One server's part of a report.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ServerReport {
    pub id: ServerId,
    pub baseline: BaselineWord,
    /// The baseline's file, there or not, from the repository's root, with `/`.
    pub file: String,
    /// The lines of that file that name items, where they are known.
    pub places: BTreeMap<ItemId, usize>,
    /// How a command reaches it again.
    pub again: Again,
    /// `none` or `server`: whether its definition digests cover the server's id.
    pub digest_scope: &'static str,
    /// Assay's manifest digest of its tools, as pinned and as served; none where there is none to claim.
    pub manifest: [Option<Sha256>; 2],
    /// The keys that the project trusts to sign tools.
    pub keyring: Arc<Keyring>,
    /// What came of the policy's rules; none without rules, or where it is not watched.
    pub policy: Option<Verdicts>,
    /// How much was observed.
    pub overall: Overall,
    /// Why it is not watched; none where it is.
    pub unwatched: Option<Unwatched>,
    /// What was odd.
    pub notices: Vec<Notice>,
    /// Who it is, as far as that was checked.
    pub identity: ServerIdentity,
    /// Whether the project holds its attestation to a trust root.
    pub is_held_to_trust: bool,
    /// What other clients are shown; none where that was not asked.
    pub split: Option<SplitView>,
    /// The surface against the baseline; none where nothing could be compared.
    pub review: Option<Arc<Review>>,
}

/// All that `check` found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The policy's profile.
    pub profile: &'static str,
    /// The policy's digest, `sha256:` and hex.
    pub policy_digest: String,
    /// The git ref whose baselines and policy judged, where that is not the work tree's.
    pub judged_by: Option<JudgedBy>,
    /// The file that states the policy, as its repository's host names it; empty where there is none.
    pub policy_file: String,
    /// The rules of findings of the project's own.
    pub own_rules: Vec<Rule>,
    /// The servers in the order of the config.
    pub servers: Vec<ServerReport>,
    /// Files that should name servers and could not be read, each with its place and what is wrong: a printable line.
    pub problems: Vec<String>,
}

/// A report in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Outcome {
    /// Every server was observed whole and equals its baseline.
    Clean,
    /// Something drifted.
    Drift,
    /// Nothing drifted, and a rule of the policy fails the check.
    Policy,
    /// Nothing drifted as far as could be told, and something could not be told.
    Unknown,
}

word!(Outcome);

impl ServerReport {
    /// Whether something about this server could not be told.
    pub fn is_undecided(&self) -> bool {
        match &self.unwatched {
            None => self.baseline != BaselineWord::Present || self.unknowns().next().is_some(),
            Some(unwatched) => {
                // Without a baseline nobody relies on it, unless its client starts it.
                unwatched.accepted.is_none() && (unwatched.starts_anyway || self.baseline != BaselineWord::Absent)
            }
        }
    }

    /// Why something about a watched server could not be told, each with what that is.
    pub fn unknowns(&self) -> impl Iterator<Item = (&'static str, &Reason)> {
        let unread = self.overall.reason().map(|reason| ("could not be read completely", reason));
        let present = self.review.as_deref().filter(|_| self.baseline == BaselineWord::Present);
        let unchecked = present.and_then(|review| review.unchecked.as_ref());
        unread.into_iter().chain(unchecked.map(|reason| ("is not fully checked", reason)))
    }

    /// Whether it is configured for another project and has nothing to do with this one: counted where people read.
    pub fn is_elsewhere(&self) -> bool {
        let elsewhere = self.unwatched.as_ref().is_some_and(|unwatched| unwatched.reason.code == OTHER_PROJECT);
        elsewhere && self.baseline == BaselineWord::Absent
    }

    /// What drifted from the baseline. Without one everything is new, and nothing has drifted; two faces are told all the same.
    pub fn drifts(&self) -> &[Drift] {
        match (&self.baseline, &self.review) {
            (BaselineWord::Present | BaselineWord::Absent, Some(review)) => &review.drifts,
            _ => &[],
        }
    }
}

impl Report {
    /// What judged, and what the work tree has otherwise, in one line; none where the work tree did.
    pub fn judged(&self) -> Option<String> {
        let JudgedBy { name, commit, differs } = self.judged_by.as_ref()?;
        let short = commit.get(..12).unwrap_or(commit);
        let otherwise = if differs.is_empty() {
            "the work tree has the same".to_owned()
        } else {
            format!("not by the work tree's, which differs: {}", differs.join(", "))
        };
        Some(format!("judged by the baselines and the policy of {name} ({short}); {otherwise}"))
    }

    /// Whether something could not be told.
    pub fn is_undecided(&self) -> bool {
        let looked_at = self.servers.iter().any(|server| server.unwatched.is_none());
        !looked_at || !self.problems.is_empty() || self.servers.iter().any(ServerReport::is_undecided)
    }

    /// The servers that are not watched.
    pub fn unwatched(&self) -> impl Iterator<Item = (&ServerReport, &Unwatched)> {
        self.servers.iter().filter_map(|server| Some((server, server.unwatched.as_ref()?)))
    }

    /// A line that counts what is configured for other projects; none without any.
    fn elsewhere(&self) -> Option<String> {
        let many = self.servers.iter().filter(|server| server.is_elsewhere()).count();
        (many > 0).then(|| format!("configured for other projects: {many} (`pinwatch servers` lists them)"))
    }

    /// Whether definition digests cover the server's id, in one line for all servers; none without a server. `name` writes a
    /// server's name as the format needs it.
    fn digest_scope(&self, name: impl Fn(&str) -> String) -> Option<String> {
        let servers: Vec<_> = self.servers.iter().filter(|server| !server.is_elsewhere()).collect();
        let scoped: Vec<_> = servers.iter().filter(|server| server.digest_scope != DigestScope::None.word()).collect();
        let names = || scoped.iter().take(MOST_SCOPED).map(|server| name(&server.id)).collect::<Vec<_>>().join(", ");
        match scoped.len() {
            _ if servers.is_empty() => None,
            0 => Some("digest scope none: definition digests do not cover the server's id".to_owned()),
            all if all == servers.len() => {
                Some("digest scope server: definition digests cover the server's id".to_owned())
            }
            some if some > MOST_SCOPED => Some(format!(
                "digest scope server for {} and {} more, none for the others",
                names(),
                some - MOST_SCOPED
            )),
            _ => Some(format!("digest scope server for {}, none for the others", names())),
        }
    }

    /// The report in one sentence: what equals its pin, and what nobody looked at.
    pub fn summary(&self) -> String {
        let (unwatched, all) = (self.unwatched().count(), self.servers.len());
        let not = match unwatched {
            0 => String::new(),
            1 => "; 1 entry is not watched".to_owned(),
            many => format!("; {many} entries are not watched"),
        };
        let policy = match self.servers.iter().flat_map(|server| &server.policy).filter(|policy| policy.fails()).count()
        {
            0 => String::new(),
            1 => "; 1 server fails the policy".to_owned(),
            many => format!("; {many} servers fail the policy"),
        };
        match (self.outcome(), unwatched) {
            (Outcome::Clean, 0) => "clean: every definition equals its pin".to_owned(),
            (Outcome::Clean, _) => {
                let watched = all - unwatched;
                let servers = if watched == 1 { "1 server".to_owned() } else { format!("{watched} servers") };
                format!("clean as far as watched: every definition of {servers} equals its pin{not}")
            }
            (Outcome::Drift, _) => format!("drift{policy}{not}"),
            (Outcome::Policy, _) => format!("policy: nothing drifted{policy}{not}"),
            (Outcome::Unknown, _) => format!("unknown: not everything could be checked{not}"),
        }
    }

    /// Whether a rule fails the check, whatever `--fail-on` says.
    fn fails_policy(&self) -> bool {
        self.servers.iter().flat_map(|server| &server.policy).any(Verdicts::fails)
    }

    /// The report in one word.
    pub fn outcome(&self) -> Outcome {
        if self.servers.iter().any(|server| !server.drifts().is_empty()) {
            Outcome::Drift
        } else if self.fails_policy() {
            Outcome::Policy
        } else if self.is_undecided() {
            Outcome::Unknown
        } else {
            Outcome::Clean
        }
    }

    /// 1 where something is that `fail_on` names or a rule of the policy fails, else 2 where something could not be told, else 0.
    pub fn exit_code(&self, fail_on: &FailOn) -> u8 {
        let drifts = || self.servers.iter().flat_map(ServerReport::drifts);
        let unwatched = self.unwatched().any(|(_, unwatched)| unwatched.accepted.is_none());
        if drifts().any(|drift| fail_on.counts(drift))
            || self.fails_policy()
            || (fail_on.counts_unknown() && self.is_undecided())
            || (fail_on.counts_unwatched() && unwatched)
        {
            1
        } else if self.is_undecided() {
            2
        } else {
            0
        }
    }
}

/// The state of the row that a drift is shown at.
fn state_of(review: &Review, index: usize) -> ApprovalState {
    review.row_of(index).map_or(ApprovalState::Drifted, |row| row.state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drift::Severity;
    use crate::pin::DecisionState;

    fn server(baseline: BaselineWord, overall: Overall) -> ServerReport {
        let (file, places) = (String::new(), BTreeMap::new());
        let (again, notices, unwatched, digest_scope) = (Again::default(), Vec::new(), None, "none");
        let id = "a".into();
        ServerReport {
            id,
            baseline,
            file,
            places,
            again,
            digest_scope,
            manifest: [None, None],
            keyring: Arc::default(),
            policy: None,
            overall,
            unwatched,
            notices,
            identity: ServerIdentity::default(),
            is_held_to_trust: false,
            split: None,
            review: None,
        }
    }

    fn report(servers: Vec<ServerReport>) -> Report {
        Report {
            profile: "balanced",
            policy_digest: String::new(),
            judged_by: None,
            servers,
            problems: Vec::new(),
            policy_file: String::new(),
            own_rules: Vec::new(),
        }
    }

    #[test]
    fn unknown_is_never_clean() {
        let failed = Overall::Failed(Reason::new("exited", "exit status 1"));
        for (servers, outcome, code) in [
            (vec![], Outcome::Unknown, 2),
            (vec![server(BaselineWord::Present, Overall::Complete)], Outcome::Clean, 0),
            (vec![server(BaselineWord::Absent, Overall::Complete)], Outcome::Unknown, 2),
            (vec![server(BaselineWord::Refused(String::new()), Overall::Complete)], Outcome::Unknown, 2),
            (vec![server(BaselineWord::Present, failed)], Outcome::Unknown, 2),
        ] {
            let fails = |words: &[FailWord]| FailOn::new(words.to_vec()).unwrap_or_default();
            let (safe, unknown) = (fails(&[FailWord::Severity(Severity::Safe)]), fails(&[FailWord::Unknown]));
            let mut report = report(servers);
            assert_eq!((report.outcome(), report.exit_code(&safe)), (outcome, code));
            assert_eq!(report.exit_code(&unknown), code.min(1));
            report.problems.push(".mcp.json: not valid JSON".to_owned());
            assert_eq!((report.outcome(), report.exit_code(&safe)), (Outcome::Unknown, 2));
            assert_eq!(report.exit_code(&unknown), 1);
        }
    }

    #[test]
    fn one_line_tells_the_digest_scopes_of_all_servers() {
        let line = |scopes: &[(&str, &'static str)]| {
            let one = |(id, digest_scope): &(&str, &'static str)| ServerReport {
                id: (*id).into(),
                digest_scope,
                ..server(BaselineWord::Present, Overall::Complete)
            };
            report(scopes.iter().map(one).collect()).digest_scope(|name| format!("<{name}>")).unwrap_or_default()
        };
        assert_eq!(line(&[]), "");
        let none = line(&[("a", "none"), ("b", "none")]);
        assert_eq!(none, "digest scope none: definition digests do not cover the server's id");
        assert_eq!(line(&[("a", "server")]), "digest scope server: definition digests cover the server's id");
        let mixed = line(&[("a", "none"), ("b", "server"), ("c", "server")]);
        assert_eq!(mixed, "digest scope server for <b>, <c>, none for the others");
        let many = line(&[&[("a", "none")][..], &[("b", "server"); 12]].concat());
        assert!(many.ends_with("<b>, <b> and 2 more, none for the others"), "{many}");
        assert_eq!(many.matches("<b>").count(), 10);
    }

    fn unwatched(baseline: BaselineWord, starts_anyway: bool, accepted: bool) -> ServerReport {
        let decision = || Decision {
            state: DecisionState::Approved,
            by: "ana".to_owned(),
            at: "2026-11-02T09:10:00Z".to_owned(),
            note: String::new(),
        };
        let reason = Reason::new("switched-off", "its entry is switched off");
        let unwatched = Unwatched { reason: reason.clone(), starts_anyway, accepted: accepted.then(decision) };
        ServerReport { unwatched: Some(unwatched), ..server(baseline, Overall::Failed(reason)) }
    }

    #[test]
    fn what_nobody_looked_at_is_never_passed_over() {
        use BaselineWord::{Absent, Present};
        let watched = || server(Present, Overall::Complete);
        let refused = || BaselineWord::Refused(String::new());
        let fails = |word: FailWord| FailOn::new(vec![word]).unwrap_or_default();
        for (entry, code, failing) in [
            (unwatched(Absent, false, false), 0, 1),
            (unwatched(Present, false, false), 2, 1),
            (unwatched(refused(), false, false), 2, 1),
            (unwatched(Absent, true, false), 2, 1),
            (unwatched(Present, true, false), 2, 1),
            (unwatched(Present, false, true), 0, 0),
        ] {
            let report = report(vec![watched(), entry]);
            assert_eq!(report.exit_code(&fails(FailWord::Severity(Severity::Safe))), code);
            assert_eq!(report.exit_code(&fails(FailWord::Unwatched)), failing);
            assert!(report.summary().ends_with("; 1 entry is not watched"), "{}", report.summary());
            assert!(!report.summary().contains("clean: every definition"), "{}", report.summary());
        }
        // Where nothing was looked at nothing is clean.
        let nothing = report(vec![unwatched(Absent, false, false)]);
        assert_eq!((nothing.outcome(), nothing.exit_code(&fails(FailWord::Never))), (Outcome::Unknown, 2));
    }
}
