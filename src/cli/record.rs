//! `pinwatch record`: a snapshot of what servers show; at first contact it becomes the baseline.

use super::first_contact::accepting;
use super::look::{Looked, Opinions, finish, look_at};
use super::open;
use super::tell::Telling;
use super::{Accepted, Global, Record, out};
use crate::decisions::{BaselineState, Basis};
use crate::digest::{Item, Surface, SurfaceDigest};
use crate::drift::{DANGLING, REFUSED};
use crate::error::{Exit, Printable, describe};
use crate::monitor::NO_SECOND_OPINION;
use crate::pin::DecisionState;
use crate::project::Project;
use crate::report::Again;
use crate::review::{Review, Subject};
use crate::store::{Snapshot, StoreError};
use crate::surface::{ItemId, Overall};
use crate::text::visible;
use anyhow::bail;
use jiff::Timestamp;
use std::sync::Arc;
use std::thread;

/// Servers that are recorded side by side: most of it is waiting for the disk, a dozen times each.
const AT_ONCE: usize = 8;

/// Looks at the named servers and records each.
pub async fn run(global: &Global, record: &Record) -> anyhow::Result<Exit> {
    let project = open::open(global, record.targets.ad_hoc().as_ref())?;
    let servers = project.select(&record.targets.servers)?;
    let mut exit = Exit::Fine;
    for problem in project.problems(&record.targets.servers) {
        out::complain(&format!("not usable: {problem}"));
        exit = Exit::Unknown;
    }
    if servers.is_empty() {
        bail!("no server is configured here: nothing to record");
    }
    if servers.len() > 1 && !record.accept.is_empty() {
        bail!("--accept names items of one server: name the server, too");
    }
    if record.targets.servers.is_empty() {
        for entry in project.select_with_unwatched(&[])?.iter().filter(|entry| entry.unwatched_reason().is_some()) {
            let why = entry.unwatched_reason().map(|reason| reason.text.as_str()).unwrap_or_default();
            out::line(&format!("{}: not watched, nothing was recorded: {why}", entry.id));
        }
    }
    let telling = Telling::of(&project);
    let again = global.again(record.targets.ad_hoc().as_ref(), &project.redactor);
    let looked = look_at(&project, servers, Opinions::Kept).await;
    for some in looked.chunks(AT_ONCE) {
        let done = thread::scope(|scope| {
            let record_one = |server| {
                let mut told = Told::default();
                let done = one(&project, server, record, &again, &mut told);
                (told, done)
            };
            let each: Vec<_> = some.iter().map(|server| scope.spawn(move || record_one(server))).collect();
            each.into_iter().filter_map(|one| one.join().ok()).collect::<Vec<_>>()
        });
        if done.len() < some.len() {
            // What panicked has printed its message.
            exit = worse(exit, Exit::Unknown);
        }
        for (Told(text), done) in done {
            out::print(&text);
            // What keeps one server from being recorded is said, and keeps no other from it.
            let done = done.unwrap_or_else(|error| {
                out::complain(&describe(&error));
                Exit::Unknown
            });
            exit = worse(exit, done);
        }
    }
    if let Some(telling) = telling {
        telling.tell(&project, &looked).await;
    }
    finish(looked).await;
    Ok(exit)
}

/// What is printed of a server, in its turn.
#[derive(Default)]
struct Told(String);

impl Told {
    /// One line, escaped.
    fn line(&mut self, text: &str) {
        self.print(&format!("{}\n", visible(text)));
    }

    /// What is printable already.
    fn print(&mut self, text: &str) {
        self.0.push_str(text);
    }
}

/// What could not be told outweighs nothing to report; what was left out outweighs both.
fn worse(a: Exit, b: Exit) -> Exit {
    let rank = |exit| match exit {
        Exit::Fine => 0,
        Exit::Unknown | Exit::Foreign(_) => 1,
        Exit::Drift => 2,
    };
    if rank(b) > rank(a) { b } else { a }
}

fn one(project: &Project, looked: &Looked, record: &Record, again: &Again, told: &mut Told) -> anyhow::Result<Exit> {
    let id = looked.config.id.as_ref();
    if let Overall::Failed(reason) = looked.overall() {
        told.line(&format!("{id}: nothing was recorded: {} ({})", reason.text, reason.code));
        return Ok(Exit::Unknown);
    }
    let at = Timestamp::now();
    let mut exit = Exit::Fine;
    if let Overall::Partial(reason) = looked.overall() {
        told.line(&format!("{id}: could not be read completely: {} ({})", reason.text, reason.code));
        exit = Exit::Unknown;
    }
    let label = record.label.as_deref().unwrap_or_default();
    let snapshot = Snapshot::of(id, label, at, &looked.config.shared, &looked.observation);
    let named = record.accept.iter();
    let named: Vec<(ItemId, SurfaceDigest)> =
        named.map(|Accepted { item, digest }| (meant(&looked.surface, item, *digest), *digest)).collect();
    let unnamed = !project.desk.without_secrets(&looked.surface, &named).1.is_empty();
    // What holds a secret and was named may be written.
    let desk = if unnamed { project.desk.clone() } else { project.desk.allowing_secrets() };
    match desk.snapshot(&snapshot) {
        Ok(path) => told.line(&format!("{id}: snapshot {}", path.display())),
        Err(error @ StoreError::Secret { .. }) => {
            told.line(&format!("{id}: no snapshot: {error}"));
            exit = Exit::Drift;
        }
        Err(error) => return Err(error.into()),
    }
    match &looked.baseline {
        BaselineState::Refused(why) => bail!("{id}: the baseline is refused: {why}"),
        BaselineState::Verifying | BaselineState::Absent => {
            Ok(worse(exit, first_contact(project, looked, &named, at, (again, told))?))
        }
        BaselineState::Present(baseline) if baseline.pins.is_empty() => {
            Ok(worse(exit, first_contact(project, looked, &named, at, (again, told))?))
        }
        BaselineState::Present(_) if named.is_empty() => {
            let (name, command) = (visible(id), again.review(id));
            told.print(&format!("{name}: the baseline is unchanged; `{command}` lists what differs from it\n"));
            Ok(exit)
        }
        BaselineState::Present(_) => {
            accept(project, looked, &named, at, told)?;
            Ok(exit)
        }
    }
}

fn first_contact(
    project: &Project,
    looked: &Looked,
    named: &[(ItemId, SurfaceDigest)],
    at: Timestamp,
    (again, told): (&Again, &mut Told),
) -> anyhow::Result<Exit> {
    let id = looked.config.id.as_ref();
    let scope = looked.scope();
    let seen = Basis { server: id, surface: &looked.surface, scope: &scope };
    let Some(review) = &looked.review else { bail!("{id}: nothing can be compared") };
    let kept = project.desk.record(&seen, review, named, None, at)?;
    project.desk.remember_origins(&looked.config);
    let path = project.desk.store.path_of(id)?;
    told.line(&format!("{id}: baseline of {} items in {}", kept.baseline.pins.len(), path.display()));
    let form = looked.review.iter().flat_map(|review| &review.notices);
    let mut exit = Exit::Fine;
    for notice in form.filter(|notice| [REFUSED, DANGLING, NO_SECOND_OPINION].contains(&notice.code)) {
        told.line(&format!("{id}: {} ({})", project.redactor.mask_log(&notice.text), notice.code));
        if notice.code == NO_SECOND_OPINION {
            exit = Exit::Unknown;
        }
    }
    for (kind, reason) in &kept.unread {
        told.line(&format!("{id}: no {kind} is pinned: {}", reason.text));
    }
    for apart in &kept.apart {
        let item = project.name(&apart.id);
        told.line(&format!("{id}: {item} stays new: {}", apart.reason));
        told.print(&format!("  pin it with: {}\n", accepting(again, id, &item, apart.digest)));
    }
    Ok(if kept.apart.is_empty() { exit } else { Exit::Drift })
}

/// The item that was named: one whose name holds a secret was shown with a mask in its place, and is known by its digest.
fn meant(surface: &Surface, named: &ItemId, digest: SurfaceDigest) -> ItemId {
    let has_it = |item: &&Arc<Item>| item.id.kind == named.kind && item.digests.surface == digest;
    if surface.items.iter().any(|item| item.id == *named) {
        return named.clone();
    }
    surface.items.iter().find(has_it).map_or_else(|| named.clone(), |item| item.id.clone())
}

/// Pins single items that an existing baseline lacks.
fn accept(
    project: &Project,
    looked: &Looked,
    named: &[(ItemId, SurfaceDigest)],
    at: Timestamp,
    told: &mut Told,
) -> anyhow::Result<()> {
    let id = looked.config.id.as_ref();
    let Some(review) = &looked.review else { bail!("{id}: nothing can be compared") };
    for (item, digest) in named {
        let subject = subject(project, review, item, *digest)?;
        let scope = looked.scope();
        let seen = Basis { server: id, surface: &looked.surface, scope: &scope };
        let desk = project.desk.allowing_secrets();
        desk.decide(&seen, DecisionState::Approved, &[subject], "accepted at record", at)?;
        told.line(&format!("{id}: approved {} {digest}", project.name(item)));
    }
    Ok(())
}

/// Says that an item is not there, and to whoever typed a name with an escape in it how names are read.
pub(super) fn absent(project: &Project, server: &str, item: &ItemId) -> Printable {
    let is_spelled = visible(&item.key).as_str() != &*item.key;
    let how = if is_spelled {
        "; in a name, <U+200B> is the character that is printed so, and a literal <U+ is written <U+003C>U+"
    } else {
        ""
    };
    Printable(format!("{} has no {}: nothing was decided{how}", visible(server), visible(&project.name(item))))
}

/// The row of an item whose digest is the one expected; without one, an error that says what is there.
pub(super) fn subject(
    project: &Project,
    review: &Review,
    item: &ItemId,
    expect: SurfaceDigest,
) -> anyhow::Result<Subject> {
    let rows: Vec<_> = review.rows.iter().filter(|row| row.id.item == *item).collect();
    let exact = rows.iter().copied().find(|row| row.decides_on() == Some(expect));
    if let Some(row) = exact.or_else(|| review.row_masked(item, expect)) {
        return Ok(Subject::of(row, expect));
    }
    let name = project.name(item);
    match rows.first().and_then(|row| row.decides_on()) {
        Some(now) => bail!("{name} is now {now}, not the expected digest: nothing was decided"),
        None => bail!(absent(project, &review.server, item)),
    }
}
