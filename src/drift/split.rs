//! Whether a server shows the same to every client. What differs between clients is told only where each of them was shown
//! the same at every look: a server that changes by itself, or is another one at each start, is not called two-faced.

use super::delta::deltas;
use super::judge::shortened;
use super::of_the_server::{id_of_the_server, item_of_the_server};
use super::presence::bare;
use super::{Change, ChangeKind, Drift, DriftType, Effect, Finding, Policy, Severity, Side};
use crate::canon::Pointer;
use crate::digest::{Item, Surface, SurfaceDigest, surface_varying};
use crate::finding::{self, Around, Asking};
use crate::pin::Baseline;
use crate::surface::{ClientIdentity, ItemId, Reason};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The stable code of what could not be told of the faces of a server.
pub const SPLIT_NOT_DECIDED: &str = "split-view-not-decided";

/// Looks as one client before what it is shown counts.
const FEWEST: usize = 2;
/// Reasons, and members of a definition, that a sentence names.
const MOST: usize = 3;
/// Findings that are reasons; all of them stand beside the drift.
const MOST_SAID: usize = 10;

/// What a server showed to one client.
#[derive(Clone, Debug)]
pub struct Face {
    /// Who asked.
    pub client: Arc<ClientIdentity>,
    /// What it was shown, look by look.
    pub looks: Vec<Arc<Surface>>,
}

/// What a server shows to several clients, compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SplitView {
    /// Who asked, and how often; pinwatch itself first.
    pub clients: Vec<(Arc<ClientIdentity>, usize)>,
    /// What differs between them.
    pub drift: Option<Drift>,
    /// Why it is not known whether anything else does.
    pub undecided: Option<Reason>,
}

impl SplitView {
    /// Nothing could be told.
    pub fn failed() -> Self {
        let text = "comparing what clients are shown failed; please report this";
        Self { undecided: Some(Reason::new(SPLIT_NOT_DECIDED, text)), ..Self::default() }
    }

    /// Its stable word: `same`, `more` where clients with more capabilities are shown more, `differs`, `not_decided`.
    pub fn word(&self) -> &'static str {
        match (&self.drift, &self.undecided) {
            (Some(drift), _) if drift.severity > Severity::Info => "differs",
            (_, Some(_)) => "not_decided",
            (Some(_), None) => "more",
            (None, None) => "same",
        }
    }

    /// What came of it, without a full stop. May quote the server.
    pub fn sentence(&self) -> String {
        let clients: Vec<_> = self.clients.iter().map(|(client, _)| client.word.clone()).collect();
        let clients = and(&clients);
        match (self.word(), &self.undecided) {
            ("differs", _) => format!("{clients} are not shown the same"),
            ("more", _) => format!("{clients} are shown the same, but for what more capabilities bring"),
            (_, Some(why)) => format!("{clients}: {}", why.text),
            (_, None) => format!("{clients} are shown the same"),
        }
    }

    /// As reports have it.
    pub fn to_json(&self) -> Value {
        let client = |(client, looks): &(Arc<ClientIdentity>, usize)| {
            let ClientIdentity { word, name, version, capabilities } = client.as_ref();
            json!({"client": word, "name": name, "version": version, "capabilities": capabilities, "looks": looks})
        };
        json!({
            "result": self.word(),
            "clients": self.clients.iter().map(client).collect::<Vec<_>>(),
            "source": ClientIdentity::source(),
            "undecided": self.undecided.as_ref().map(|why| &why.text),
        })
    }
}

/// The definitions of one item at one look; none where it is not shown.
type View = Vec<SurfaceDigest>;

/// What a client was shown of an item.
enum Shown {
    /// The same at every look.
    Always(View),
    /// Not the same at every look.
    Varying,
    /// Its list was not read whole at some look.
    Unread,
}

/// A view, and the faces that show it.
type Group<'a> = (View, Vec<&'a Face>);

/// The id of the row that stands for what differs between clients. No server has such an item.
pub fn split_view_id() -> ItemId {
    id_of_the_server("split_view")
}

/// The looks at a server, by item.
struct Looks<'a> {
    faces: &'a [Face],
    /// A face's looks.
    views: Vec<Vec<BTreeMap<&'a ItemId, View>>>,
}

impl<'a> Looks<'a> {
    /// Values that a pin lets vary do not count.
    fn of(faces: &'a [Face], baseline: Option<&Baseline>) -> Self {
        let pins = baseline.into_iter().flat_map(|known| &known.pins).filter(|pin| !pin.varies.is_empty());
        let varies: HashMap<&ItemId, &[Pointer]> = pins.map(|pin| (&pin.item.id, pin.varies.as_slice())).collect();
        let digest = |item: &Item| match varies.get(&item.id) {
            Some(varies) => surface_varying(item.id.kind, &item.definition, varies),
            None => item.digests.surface,
        };
        let view = |surface: &'a Arc<Surface>| {
            let mut views: BTreeMap<&ItemId, View> = BTreeMap::new();
            for item in &surface.items {
                views.entry(&item.id).or_default().push(digest(item));
            }
            for view in views.values_mut() {
                view.sort_unstable();
            }
            views
        };
        let views = faces.iter().map(|face| face.looks.iter().map(view).collect()).collect();
        Self { faces, views }
    }

    fn ids(&self) -> BTreeSet<&'a ItemId> {
        self.views.iter().flatten().flat_map(BTreeMap::keys).copied().collect()
    }

    /// What each face shows of an item.
    fn shown(&self, id: &ItemId) -> Vec<Shown> {
        let of_face = |(face, views): (&Face, &Vec<BTreeMap<&ItemId, View>>)| {
            let mut seen: BTreeSet<&[SurfaceDigest]> = BTreeSet::new();
            for (surface, view) in face.looks.iter().zip(views) {
                match view.get(id) {
                    Some(view) => seen.insert(view),
                    None if surface.is_complete(id.kind) => seen.insert(&[]),
                    None => return Shown::Unread,
                };
            }
            match (seen.pop_first(), seen.is_empty()) {
                (Some(only), true) => Shown::Always(only.to_vec()),
                (Some(_), false) => Shown::Varying,
                (None, _) => Shown::Unread,
            }
        };
        self.faces.iter().zip(&self.views).map(of_face).collect()
    }

    /// The faces that show one and the same of an item at every look, by what they show, in the order of the faces.
    fn groups(&self, shown: Vec<Shown>) -> Vec<Group<'a>> {
        let mut groups: Vec<Group<'a>> = Vec::new();
        for (face, shown) in self.faces.iter().zip(shown) {
            let Shown::Always(view) = shown else { continue };
            match groups.iter_mut().find(|(known, _)| *known == view) {
                Some((_, faces)) => faces.push(face),
                None => groups.push((view, vec![face])),
            }
        }
        groups
    }
}

/// Whether another round of looks may tell more: something differs between clients, and is not known to do so by itself.
pub fn wants_more_looks(faces: &[Face], baseline: Option<&Baseline>) -> bool {
    let looks = Looks::of(faces, baseline);
    looks.ids().into_iter().any(|id| {
        let shown = looks.shown(id);
        !shown.iter().any(|shown| matches!(shown, Shown::Varying)) && looks.groups(shown).len() > 1
    })
}

/// Compares what a server showed to clients.
pub fn split_view(server: &str, faces: &[Face], baseline: Option<&Baseline>, policy: &Policy) -> SplitView {
    let looks = Looks::of(faces, baseline);
    let (mut untold, mut told) = (unread(faces), Told::default());
    for id in looks.ids() {
        let shown = looks.shown(id);
        let varying = faces.iter().zip(&shown).filter(|(_, shown)| matches!(shown, Shown::Varying));
        let varying: Vec<_> = varying.map(|(face, _)| face).collect();
        if !varying.is_empty() {
            // What differs by itself for one client may differ by itself for each.
            untold.push(format!("{} differs from look to look as {}", name(id), names(&varying)));
            continue;
        }
        let mut groups = looks.groups(shown);
        let many = groups.len();
        for (_, faces) in &mut groups {
            faces.retain(|face| face.looks.len() >= FEWEST);
        }
        groups.retain(|(_, faces)| !faces.is_empty());
        if groups.len() > 1 {
            told.item(id, &groups, policy);
        } else if many > 1 {
            untold.push(format!("{} differs at a single look as each client", name(id)));
        }
    }
    let more = untold.len().saturating_sub(MOST);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    untold.truncate(MOST);
    let text = format!("not decided whether it shows all clients the same: {}{more}", untold.join("; "));
    let undecided = (!untold.is_empty()).then(|| Reason::new(SPLIT_NOT_DECIDED, text));
    let clients = faces.iter().map(|face| (Arc::clone(&face.client), face.looks.len())).collect();
    SplitView { clients, drift: told.drift(server, policy), undecided }
}

/// What was not read whole, a sentence a face.
fn unread(faces: &[Face]) -> Vec<String> {
    let of_face = |face: &Face| {
        let overall = face.looks.iter().map(|look| look.overall()).find(|overall| overall.reason().is_some())?;
        Some(format!("as {} it was not read whole ({})", face.client.word, overall.reason()?.text))
    };
    faces.iter().filter_map(of_face).collect()
}

/// What is told of the items that differ.
#[derive(Default)]
struct Told {
    changes: Vec<Change>,
    findings: Vec<Finding>,
    /// The items as the two sides show them.
    sides: [Map<String, Value>; 2],
}

impl Told {
    fn item(&mut self, id: &ItemId, groups: &[Group<'_>], policy: &Policy) {
        let shown: Vec<_> = groups.iter().filter(|(view, _)| !view.is_empty()).collect();
        let sides = match shown.as_slice() {
            [one, other, ..] => [*one, *other],
            _ => [&groups[0], &groups[1]],
        };
        let [before, after] = sides.map(|(_, faces)| definition(id, faces));
        let (severity, headline, why) = match shown.as_slice() {
            [_, _, ..] => another(id, sides, [&before, &after]),
            _ => only_to(id, sides),
        };
        let path = Pointer::root().child(member(id));
        for (side, ((_, faces), definition)) in self.sides.iter_mut().zip(sides.into_iter().zip([&before, &after])) {
            if let Some(definition) = definition {
                side.insert(member(id), json!({"shown to": words(faces), "definition": definition}));
            }
        }
        let known = found(id, &groups[0], policy);
        for group in &groups[1..] {
            for finding in found(id, group, policy) {
                if known.iter().any(|old| (&old.rule, &old.text) == (&finding.rule, &finding.text)) {
                    continue;
                }
                let inside = format!("{}{}", path.child("definition"), finding.path);
                let path = Pointer::parse(&inside).unwrap_or_default();
                let text = format!("{} (shown to {})", finding.text, names(&group.1));
                self.findings.push(Finding { path, text, tool: None, ..finding });
            }
        }
        let change = ChangeKind::ShownOtherwise;
        let reason = format!("{headline}. {why}");
        self.changes.push(Change { path, change, before, after, severity, headline, reason });
    }

    fn drift(mut self, server: &str, policy: &Policy) -> Option<Drift> {
        let worst = self.changes.iter().map(|change| change.severity).max()?;
        self.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        let [pinned, now] = self.sides.map(|side| Some(Arc::new(item_of_the_server(split_view_id(), &side.into()))));
        let side = Side { pinned, now };
        let mut drift = bare(DriftType::SplitView, split_view_id(), worst, Effect::Unknown, side);
        (drift.changes, drift.findings) = (self.changes, self.findings);
        let otherwise = policy.exceptions.rate_findings(server, &mut drift);
        let findings = drift.findings.iter().filter(|finding| finding.severity > Severity::Safe);
        drift.severity = drift.severity.max(findings.map(|finding| finding.severity).max().unwrap_or(worst));
        policy.apply(server, &mut drift);
        if let [first, rest @ ..] = drift.changes.as_mut_slice()
            && !rest.is_empty()
        {
            first.headline = format!("{}; and {} more", first.headline, rest.len());
        }
        let said = drift.findings.iter().filter(|finding| finding.severity > Severity::Safe);
        drift.reasons.extend(said.take(MOST_SAID).map(|finding| format!("! {}", finding.text)));
        drift.reasons.extend(otherwise);
        drift.reasons.extend(drift.changes.iter().map(|change| change.reason.clone()));
        Some(drift)
    }
}

/// Two definitions of one item.
fn another(id: &ItemId, [one, other]: [&Group<'_>; 2], sides: [&Option<Value>; 2]) -> (Severity, String, String) {
    let [before, after] = sides.map(Option::as_ref);
    let mut members: Vec<String> = Vec::new();
    for delta in deltas(&Pointer::root(), before, after) {
        let member = delta.path.tokens().next().map(|member| shortened(&member)).unwrap_or_default();
        if !members.contains(&member) {
            members.push(member);
        }
    }
    let what = match members.len() {
        1..=MOST if !members.contains(&String::new()) => {
            and(&members.iter().map(|member| format!("`{member}`")).collect::<Vec<_>>())
        }
        _ => "definition".to_owned(),
    };
    let looks = one.1.iter().chain(&other.1).map(|face| face.looks.len()).min().unwrap_or_default();
    let headline = format!("Shows {} another {what} of {} than {}", names(&other.1), name(id), names(&one.1));
    (Severity::Critical, headline, format!("Each was shown the same at each of {looks} looks"))
}

/// An item that only some clients are shown: those that declare more may see more.
fn only_to(id: &ItemId, [one, other]: [&Group<'_>; 2]) -> (Severity, String, String) {
    let [with, without] = if one.0.is_empty() { [&other.1, &one.1] } else { [&one.1, &other.1] };
    let mut pairs = with.iter().flat_map(|with| without.iter().map(move |without| [&with.client, &without.client]));
    let (item, to, from) = (name(id), names(with), names(without));
    if let Some([with, without]) = pairs.find(|[with, without]| with.declares_no_more_than(without)) {
        let headline = format!("Shows {item} to {to}, and hides it from {from}");
        return (Severity::Critical, headline, format!("{} declares no less than {}", without.word, with.word));
    }
    let declares = |face: &Face| format!("{} declares {}", face.client.word, face.client.declared());
    let why: Vec<_> = with.first().into_iter().chain(without.first()).map(|face| declares(face)).collect();
    (Severity::Info, format!("Shows {item} only to {to}"), why.join("; "))
}

/// What is suspicious in what the faces of a group were shown of an item.
fn found(id: &ItemId, (_, faces): &Group<'_>, policy: &Policy) -> Vec<Finding> {
    let Some(surface) = faces.first().and_then(|face| face.looks.last()) else { return Vec::new() };
    let around = Around::of(surface.items.iter().map(AsRef::as_ref));
    let asking = Asking { around: &around, settings: &policy.findings };
    items(id, surface).flat_map(|item| finding::findings(item, asking)).collect()
}

/// The definition of an item as a group of faces was last shown it; of several under one name a list.
fn definition(id: &ItemId, faces: &[&Face]) -> Option<Value> {
    let surface = faces.first()?.looks.last()?;
    let mut all: Vec<_> = items(id, surface).map(|item| item.definition.as_read()).collect();
    if all.len() > 1 { Some(all.into()) } else { all.pop() }
}

fn items<'a>(id: &'a ItemId, surface: &'a Surface) -> impl Iterator<Item = &'a Arc<Item>> {
    surface.items.iter().filter(move |item| item.id == *id)
}

/// An item as a sentence names it.
fn name(id: &ItemId) -> String {
    if id.key.is_empty() { id.kind.word().to_owned() } else { shortened(&id.text()) }
}

/// The member of the row's own definition in which an item stands: a pointer to it can be read.
fn member(id: &ItemId) -> String {
    format!("{} {}", id.kind, id.key).trim_end().to_owned()
}

fn words(faces: &[&Face]) -> Vec<String> {
    faces.iter().map(|face| face.client.word.clone()).collect()
}

fn names(faces: &[&Face]) -> String {
    and(&words(faces))
}

/// `a`, `a and b`, `a, b and c`.
fn and(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::DigestScope;
    use crate::surface::{Completeness, Kind, Observation, Presented, RawItem};

    /// A surface of one tool with this description; of none where that is empty.
    fn surface(description: &str) -> Arc<Surface> {
        let bytes = json!({"name": "t", "description": description}).to_string().into();
        let items = if description.is_empty() { Vec::new() } else { vec![RawItem { kind: Kind::Tool, bytes }] };
        let completeness = Kind::ALL.into_iter().map(|kind| (kind, Completeness::Complete)).collect();
        let (notices, presented) = (Vec::new(), Presented::default());
        let observation = Observation { observed_as: None, items, completeness, notices, presented };
        Arc::new(Surface::read(&observation, None, &DigestScope::None, 100))
    }

    /// Faces by their words, each with what it was shown look by look, a letter each; `-` is nothing.
    fn told(faces: &[(&str, &str)]) -> (&'static str, bool) {
        let face = |(word, looks): &(&str, &str)| Face {
            client: ClientIdentity::named(word).unwrap_or_else(ClientIdentity::own),
            looks: looks.chars().map(|look| surface(look.to_string().trim_matches('-'))).collect(),
        };
        let faces: Vec<_> = faces.iter().map(face).collect();
        (split_view("s", &faces, None, &Policy::default()).word(), wants_more_looks(&faces, None))
    }

    #[test]
    fn only_what_each_client_is_always_shown_is_told() {
        for (faces, expected) in [
            ([("pinwatch", "a"), ("cursor", "a"), ("zed", "a")], ("same", false)),
            // A single look proves nothing.
            ([("pinwatch", "a"), ("cursor", "b"), ("zed", "a")], ("not_decided", true)),
            ([("pinwatch", "aaa"), ("cursor", "bbb"), ("zed", "aaa")], ("differs", true)),
            // It changed, alternates, or changes for one.
            ([("pinwatch", "ab"), ("cursor", "bb"), ("zed", "bb")], ("not_decided", false)),
            ([("pinwatch", "ab"), ("cursor", "ba"), ("zed", "ab")], ("not_decided", false)),
            ([("pinwatch", "aa"), ("cursor", "bb"), ("zed", "ab")], ("not_decided", false)),
            // More for who declares more, and for who does not.
            ([("pinwatch", "--"), ("cursor", "aa"), ("zed", "--")], ("more", true)),
            ([("pinwatch", "--"), ("cursor", "--"), ("zed", "aa")], ("differs", true)),
            ([("pinwatch", "aa"), ("cursor", "--"), ("zed", "aa")], ("differs", true)),
            // Of clients of which neither declares all of the other's.
            ([("pinwatch", "--"), ("amp", "aa"), ("cursor", "--")], ("more", true)),
        ] {
            assert_eq!(told(&faces), expected, "{faces:?}");
        }
    }
}
