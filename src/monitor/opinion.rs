//! Asks another scanner for a second opinion: `[findings] command`, agreed to like a launch, bounded in time and size. That it
//! says nothing is never taken for a good word.

use crate::config::ServerConfig;
use crate::config::consent::{Asked, ConsentRequest};
use crate::decisions::Gate;
use crate::digest::{Item, Sha256, Surface};
use crate::drift::Policy;
use crate::finding::Finding;
use crate::mcp::{Target, answer_of};
use crate::opinion::{Opinion, Question};
use crate::pin::Baseline;
use crate::project::Project;
use crate::review::Review;
use crate::store::disk::{Disk, PRIVATE};
use crate::store::redact::Redactor;
use crate::surface::{Notice, Reason};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{Semaphore, watch};

/// Bytes that a scanner is given, and that it answers.
const MOST_ASKED: usize = 8 << 20;
const MOST_ANSWERED: u64 = 1 << 20;
/// Scanners that run in one moment.
const AT_ONCE: usize = 2;
/// Answers that are kept on the disk; past that all of them go.
const MOST_KEPT: usize = 500;
/// The code of an opinion that there is none of.
pub const NO_SECOND_OPINION: &str = "no-second-opinion";

/// A scanner that may be asked.
#[derive(Clone, Debug)]
pub struct Scanner {
    config: Arc<ServerConfig>,
    gate: Gate,
    /// Counted up when somebody agreed to run it: whoever was refused may ask again.
    agreed: Arc<watch::Sender<u64>>,
    /// Where answers are kept; none where each question is asked anew.
    kept: Option<PathBuf>,
    turns: Arc<Semaphore>,
}

/// What a scanner said of what a server shows, or why that is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecondOpinion {
    /// The question that it answers; none where nothing was to be asked, or is being asked.
    pub question: Option<Sha256>,
    /// What it found. Of an earlier question it holds as long as the item is served.
    pub said: Opinion,
    /// Why it is not all that is to be known.
    pub missing: Option<Missing>,
}

/// Why there is no second opinion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The scanner is running.
    Running,
    /// Nobody agreed to run it.
    NotAgreed(Box<Asked>),
    /// It failed, as a sentence.
    Failed(String),
}

impl SecondOpinion {
    /// What is known of this question: of another one the findings, and that it is being asked.
    pub(super) fn of(&self, question: Option<&Question>) -> Self {
        match question {
            None => Self::default(),
            Some(question) if self.question == Some(question.digest) => self.clone(),
            Some(_) => Self { question: None, said: self.said.clone(), missing: Some(Missing::Running) },
        }
    }

    /// None to this question, and why, as a sentence.
    pub fn failed(question: &Question, why: String) -> Self {
        Self { question: Some(question.digest), said: Opinion::default(), missing: Some(Missing::Failed(why)) }
    }

    /// Its findings of an item.
    pub(super) fn findings(&self, item: &Item) -> Vec<Finding> {
        self.said.findings.get(&item.digests.surface).cloned().unwrap_or_default()
    }

    /// What a person must see before the scanner is run; none where that is not what is missing.
    pub fn request(&self) -> Option<&Arc<ConsentRequest>> {
        match &self.missing {
            Some(Missing::NotAgreed(asked)) => Some(&asked.request),
            _ => None,
        }
    }

    /// Why it is not all that is to be known, as a reason of a review.
    fn reason(&self) -> Option<Reason> {
        let why = match self.missing.as_ref()? {
            Missing::Running => "the scanner is running".to_owned(),
            Missing::NotAgreed(asked) => not_agreed(&asked.request),
            Missing::Failed(why) => why.clone(),
        };
        Some(Reason::new(NO_SECOND_OPINION, format!("second opinion: not available: {why}")))
    }

    /// Says in a review that it is missing: what is compared with a baseline is then not fully checked.
    pub(super) fn tell(&self, review: &mut Review, has_baseline: bool) {
        let Some(reason) = self.reason() else { return };
        if has_baseline {
            review.unchecked.get_or_insert(reason);
        } else {
            review.notices.push(Notice { code: reason.code, count: 1, text: reason.text });
        }
    }
}

fn not_agreed(request: &ConsentRequest) -> String {
    let changed = if request.changed.is_empty() {
        "nobody agreed to run".to_owned()
    } else {
        format!("it changed since you agreed ({}), so nobody agreed to run", request.changed.join("; "))
    };
    format!(
        "{changed} `{}`, from {}; agree on a server's page in `pinwatch watch`, or with --yes",
        request.argv.join(" "),
        request.origin.display()
    )
}

/// What a scanner is to be asked about a server; none without a scanner or without a text that nobody approved.
pub fn question(
    server: &str,
    surface: &Surface,
    baseline: Option<&Baseline>,
    policy: &Policy,
    redactor: &Redactor,
) -> Option<Question> {
    if policy.findings.command.is_empty() {
        return None;
    }
    let now: Vec<&Item> = surface.items.iter().map(AsRef::as_ref).collect();
    let pins: Vec<&Item> = baseline.into_iter().flat_map(|known| &known.pins).map(|pin| &*pin.item).collect();
    Question::of(server, &now, &pins, &|text| redactor.mask(text).into_owned())
}

impl Scanner {
    /// The scanner of a project, if it names one. `keeps`: what it answered is known the next time.
    pub fn of(project: &Project, keeps: bool) -> Option<Self> {
        let config = Arc::new(project.config.scanner.clone()?);
        let kept = keeps.then(|| project.desk.store.places().state.join("opinions"));
        Some(Self {
            config,
            gate: project.gate.clone(),
            agreed: Arc::default(),
            kept,
            turns: Arc::new(Semaphore::new(AT_ONCE)),
        })
    }

    /// The same where the config names it since the program runs: what the command line agreed to does not count.
    #[must_use]
    pub fn for_later(self) -> Self {
        Self { gate: self.gate.for_later(), ..self }
    }

    /// Whether another reading of the config names the same one.
    pub fn is_same(&self, other: &Self) -> bool {
        self.config.is_same(&other.config)
    }

    /// Keeps that exactly `asked` was agreed to.
    pub async fn agree(&self, asked: Asked) -> Result<(), Reason> {
        let agreed = self.gate.grant_aside(asked).await;
        self.agreed.send_modify(|times| *times += 1);
        agreed
    }

    /// Hears when somebody agreed to run it.
    pub fn agreed(&self) -> watch::Receiver<u64> {
        self.agreed.subscribe()
    }

    /// Asks it, once it is agreed to.
    pub async fn ask(&self, question: &Question, redactor: &Redactor) -> SecondOpinion {
        let (said, missing) = match self.answer(question, redactor).await {
            Ok(said) => {
                let unusable = said.unusable.clone().map(Missing::Failed);
                (said, unusable)
            }
            Err(missing) => (Opinion::default(), Some(missing)),
        };
        SecondOpinion { question: Some(question.digest), said, missing }
    }

    async fn answer(&self, question: &Question, redactor: &Redactor) -> Result<Opinion, Missing> {
        match self.gate.ask_aside(&self.config).await {
            Ok(None) => {}
            Ok(Some(asked)) => return Err(Missing::NotAgreed(Box::new(asked))),
            Err(reason) => return Err(Missing::Failed(reason.text)),
        }
        if question.document.len() > MOST_ASKED {
            return Err(Missing::Failed(format!("what it would be asked is larger than {} MiB", MOST_ASKED >> 20)));
        }
        let mask = |text: &str| redactor.mask(text).into_owned();
        let read = |answer: &str| question.answered(self.config.program(), answer, &mask);
        let name = self.kept_as(question).await;
        if let Some(known) = name.as_deref().and_then(|name| self.known(name)) {
            let said = read(&known);
            if said.unusable.is_none() {
                return Ok(said);
            }
        }
        // For as long as it takes, which is bounded. The semaphore is never closed.
        let _turn = self.turns.acquire().await;
        let answer =
            answer_of(&self.config.target, &question.document, MOST_ANSWERED, self.config.request_timeout).await;
        let answer = answer.map_err(|reason| Missing::Failed(redactor.mask_log(&reason.text)))?;
        let answer = String::from_utf8(answer).map_err(|_| Missing::Failed("its answer is not UTF-8".to_owned()))?;
        let answer = redactor.mask(&answer);
        let said = read(&answer);
        if let Some(name) = name.filter(|_| said.unusable.is_none()) {
            self.keep(&name, &answer);
        }
        Ok(said)
    }

    /// The name under which an answer is kept: of the question, of the command as it is expanded and of the files that it
    /// names. None where none is kept.
    async fn kept_as(&self, question: &Question) -> Option<String> {
        self.kept.as_ref()?;
        let Target::Stdio { command, args, cwd, .. } = &self.config.target else { return None };
        let files = self.gate.resolve_aside(&self.config).await.ok()?.files;
        let key = serde_json::json!([question.digest.to_string(), command, args, cwd.to_string_lossy(), files]);
        Some(format!("{}.json", Sha256::of(key.to_string().as_bytes())))
    }

    fn known(&self, name: &str) -> Option<String> {
        let folder = Disk::default().open(self.kept.as_ref()?).ok()??;
        let bytes = folder.read(name, MOST_ANSWERED * 2).ok()??;
        String::from_utf8(bytes).ok()
    }

    /// Keeps an answer. Where that fails it is asked again the next time, which is no loss.
    fn keep(&self, name: &str, answer: &str) {
        let Some(path) = &self.kept else { return };
        let Ok(folder) = Disk::default().make(path, PRIVATE) else { return };
        if let Ok(names) = folder.names()
            && names.len() >= MOST_KEPT
        {
            for (name, _) in names {
                let _ = folder.remove(&name);
            }
        }
        let _ = folder.replace(name, answer.as_bytes(), PRIVATE);
    }
}
