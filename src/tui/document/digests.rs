//! The digests of an item, family by family, pinned → now. A digest that moved is a boundary crossed, not a judgement.

use super::page::Document;
use super::source::Source;
use crate::digest::{DigestScope, Item, ManifestDigests};
use crate::drift::Risk;
use crate::interop::families::{DEFINITION, Digest, FAMILIES, MANIFEST};
use crate::signature::Keyring;
use crate::surface::Kind;
use crate::tui::approval::digests;
use crate::tui::glyph::Glyphs;
use crate::tui::line::{Line, Role};
use crate::tui::words::clock_of;
use unicode_width::UnicodeWidthStr as _;

pub fn sides<'a>(source: &'a Source<'_>) -> (Option<&'a Item>, Option<&'a Item>) {
    let drift = source.drifts.first();
    let pinned = source.row.and_then(|row| row.pin.as_ref()).map(|pin| pin.item.as_ref());
    let now = source.row.and_then(|row| row.now.as_deref());
    (pinned.or_else(|| drift?.side.pinned.as_deref()), now.or_else(|| drift?.side.now.as_deref()))
}

/// `8e81cbe0 → f29d1d82`: the definition digest, pinned and now; where that is blind to the change, the surface digest, too.
pub fn moved(line: &mut Line, glyphs: &Glyphs, (pinned, now): (Option<&Item>, Option<&Item>), gone: bool) {
    let [long, _] = digests(pinned, now, gone, glyphs.arrow);
    line.join(long);
    if let (Some(pinned), Some(now)) = (pinned, now)
        && pinned.digests.short() == now.digests.short()
        && pinned.digests.surface != now.digests.surface
    {
        line.put(Role::Dim, "  surface ").put(Role::Digest, pinned.digests.surface.short());
        line.put(Role::Dim, format!(" {} ", glyphs.arrow)).put(Role::DigestMoved, now.digests.surface.short());
    }
}

/// Who decided what and when, with the note; and what another system's table says.
fn decisions(source: &Source<'_>, document: &mut Document) {
    let pin = source.row.and_then(|row| row.pin.as_ref()).map(|pin| (&*pin.decision, source.decided_by_file()));
    let rejected = source.row.and_then(|row| row.rejected.as_deref()).map(|decision| (decision, false));
    for (decision, by_file) in pin.into_iter().chain(rejected) {
        let mut line = Line::of(Role::Text, format!("{} by ", decision.state.word()));
        line.quote(Role::Text, &decision.by).put(Role::Dim, if by_file { " (in the file)" } else { "" });
        line.put(Role::Text, format!(", {}", clock_of(&decision.at, source.zone)));
        if !decision.note.is_empty() {
            line.put(Role::Dim, "  \"").quote(Role::Dim, &decision.note).put(Role::Dim, "\"");
        }
        document.say(&line, 2);
    }
    let table = source.drifts.first().map(|drift| drift.capability_identity.as_slice()).unwrap_or_default();
    let rows: Vec<_> =
        table.iter().map(|row| format!("{} {}", row.drift_type.replace('_', " "), row.severity)).collect();
    if !rows.is_empty() {
        let text = format!("By the capability-identity table: {}.", rows.join(", "));
        document.say(&Line::of(Role::Dim, text), 2);
    }
}

/// MCPTrust's risk level of a tool, and what it was where it moved.
fn risk(source: &Source<'_>, document: &mut Document, pinned: Option<&Item>, now: Option<&Item>) {
    let (before, after) = (pinned.and_then(Risk::of_item), now.and_then(Risk::of_item));
    let Some(level) = after.as_ref().or(before.as_ref()) else { return };
    let mut line = Line::of(Role::Dim, "risk level (MCPTrust's words): ");
    if let Some(before) = before.as_ref().filter(|before| *before != level) {
        line.put(Role::Digest, before.to_string()).put(Role::Dim, format!(" {} ", source.glyphs.arrow));
        line.put(Role::DigestMoved, level.to_string());
    } else {
        line.put(Role::Digest, level.to_string());
    }
    document.say(&line, 2);
}

/// Every family with what it covers, what it cannot see, and both digests in full.
pub fn full(source: &Source<'_>, document: &mut Document) {
    let (pinned, now) = sides(source);
    let kind = source.entry.about.kind;
    decisions(source, document);
    risk(source, document, pinned, now);
    document.gap();
    // One line at 120 columns, so that all families stand on one screen.
    let note = "A digest is a reviewed boundary; it never says that a tool is safe. Missing is \"not visible\", never \
                \"clean\".";
    document.words(Role::Dim, note);
    for family in FAMILIES.iter().filter(|family| kind == Kind::Tool || !family.tools) {
        let keyring = &source.server.look.policy.signatures;
        let side = |item, digest| Side::of(item, digest, keyring);
        let equal = family.parts.iter().all(|(_, digest)| side(pinned, *digest) == side(now, *digest));
        let mut heading = Line::of(Role::Heading, family.name);
        // Without a pin, or without what is served, nothing moved.
        match (pinned, now) {
            (None, _) => heading.put(Role::Digest, "  not pinned"),
            (_, None) => heading.put(Role::Digest, "  not served"),
            _ if equal => heading.put(Role::Digest, "  unchanged"),
            _ => heading.put(Role::DigestMoved, "  changed"),
        };
        let scope = if family.name == DEFINITION { format!(" {}", scope_words(source)) } else { String::new() };
        let over = format!("  {}{scope}", family.over);
        // One line where there is room, so that all families stand on one screen.
        if heading.width() + over.width() <= source.width {
            heading.put(Role::Text, over);
            document.part(heading);
        } else {
            document.part(heading);
            document.words(Role::Text, over.trim_start());
        }
        document.words(Role::Dim, family.blind);
        for (part, digest) in family.parts {
            pair(source, document, part, &side(pinned, *digest), &side(now, *digest));
        }
        if let (MANIFEST, Some(pinned), Some(now)) = (family.name, pinned, now) {
            moved_fields(document, pinned, now);
        }
        if pinned.or(now).is_some_and(|item| item.is_ambiguous() && family.tools) {
            let text = "Computed from an ambiguous definition, as that system reads it.";
            document.words(Role::Warning, text);
        }
    }
}

fn moved_fields(document: &mut Document, pinned: &Item, now: &Item) {
    let (Some(pinned), Some(now)) = (ManifestDigests::of_item(pinned), ManifestDigests::of_item(now)) else { return };
    let moved = pinned.fields().zip(now.fields()).filter(|(before, after)| before != after);
    let moved: Vec<_> = moved.map(|((field, _), _)| field.word()).collect();
    if !moved.is_empty() {
        let mut line = Line::of(Role::Dim, "fields ");
        line.put(Role::DigestMoved, moved.join(", "));
        document.say(&line, 7);
    }
}

fn scope_words(source: &Source<'_>) -> &'static str {
    match source.server.look.baseline.present().map(|baseline| &baseline.digest_scope) {
        Some(DigestScope::None) => "Unscoped, as this baseline says.",
        Some(DigestScope::Server(_)) => "With the server's id, as this baseline says.",
        // What the first record will fix.
        None => match &source.server.look.digest_scope {
            DigestScope::None => "Unscoped, as the config says.",
            DigestScope::Server(_) => "With the server's id, as the config says.",
        },
    }
}

fn pair(source: &Source<'_>, document: &mut Document, part: &str, before: &Side, after: &Side) {
    let role = Side::role(before, after);
    let inline = if part.is_empty() { String::new() } else { format!("{part:<12}") };
    // Seven cells beside the longest digest fit into 80 columns, and the part's name into 100.
    let is_inline = source.width >= 100;
    if !part.is_empty() && !is_inline {
        document.push(Line::of(Role::Text, part));
    }
    let both = [("pinned ", Role::Digest, before, "none"), ("now    ", role, after, "not served")];
    let equal = [("both   ", Role::Digest, after, "none")];
    for (label, role, side, absent) in if before == after { &equal[..] } else { &both } {
        let mut line = Line::of(Role::Text, if is_inline { inline.as_str() } else { "" });
        line.put(Role::Dim, *label).quote(*role, &side.text(absent));
        document.say(&line, label.len());
    }
}

#[derive(PartialEq)]
enum Side {
    /// There is no definition.
    Absent,
    /// There is one, and the digest's system sees nothing to digest: never "clean".
    NotVisible,
    Digest(String),
}

impl Side {
    fn of(item: Option<&Item>, digest: Digest, keyring: &Keyring) -> Self {
        item.map_or(Self::Absent, |item| digest(item, keyring).map_or(Self::NotVisible, Self::Digest))
    }

    /// How what is served now is shown. Without a pin, or without what is served, nothing moved.
    fn role(before: &Self, after: &Self) -> Role {
        let there = *before != Self::Absent && *after != Self::Absent;
        if there && before != after { Role::DigestMoved } else { Role::Digest }
    }

    fn text(&self, absent: &str) -> String {
        match self {
            Self::Absent => absent.to_owned(),
            Self::NotVisible => "not visible".to_owned(),
            Self::Digest(digest) => digest.clone(),
        }
    }
}
