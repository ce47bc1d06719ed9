//! What is different between the launch agreed to and the one that asks, as sentences.

use super::identity::{Identity, Part, PartKind};
use super::loaders::loads_code;
use std::collections::BTreeSet;

/// One sentence a difference, the command first. Not escaped.
pub(super) fn sentences(before: &Identity, now: &Identity) -> Vec<String> {
    let names: BTreeSet<_> =
        before.parts.iter().chain(&now.parts).map(|part| (part.kind, part.name.as_str())).collect();
    let of = |identity: &'_ Identity, name| {
        identity.parts.iter().find(|part| (part.kind, part.name.as_str()) == name).cloned()
    };
    names.into_iter().filter_map(|name| sentence(name, of(before, name).as_ref(), of(now, name).as_ref())).collect()
}

fn sentence((kind, name): (PartKind, &str), before: Option<&Part>, now: Option<&Part>) -> Option<String> {
    let sentence = match (before, now) {
        (Some(before), Some(now)) if before.seal == now.seal => return None,
        (Some(before), Some(now)) => changed(kind, name, before, now),
        (None, Some(now)) => match kind {
            PartKind::Command => format!("it runs a command now: `{}`", now.shown),
            PartKind::Url => format!("it opens a URL now: `{}`", now.shown),
            PartKind::Folder => format!("it runs in `{}`", now.shown),
            PartKind::Variable => format!("it sets the variable `{name}` now"),
            PartKind::Header => format!("it sends the header `{name}` now"),
            PartKind::File => format!("it uses the file `{name}` of this project now"),
            PartKind::Plain => "credentials may go over plain HTTP now".to_owned(),
            PartKind::OffKey => format!("its entry says that it is off now: {name}"),
            PartKind::Trust => format!("its attestation is held to the trust root `{name}` now"),
            PartKind::Unguarded => format!("a guard lets {name} pass without an approval now"),
            PartKind::SignIn => "its entry says how one signs in now".to_owned(),
            PartKind::Collector => format!("the collector `{}` is told of it now", now.shown),
        },
        (Some(before), None) => match kind {
            PartKind::Command => format!("it ran a command before: `{}`", before.shown),
            PartKind::Url => format!("it opened a URL before: `{}`", before.shown),
            PartKind::Folder | PartKind::OffKey => return None,
            PartKind::Variable => format!("it no longer sets the variable `{name}`"),
            PartKind::Header => format!("it no longer sends the header `{name}`"),
            PartKind::File => format!("it no longer names the file `{name}`, or that file is gone"),
            PartKind::Plain => "credentials no longer go over plain HTTP".to_owned(),
            PartKind::Trust => format!("its attestation is no longer held to the trust root `{name}`"),
            PartKind::Unguarded => format!("a guard no longer lets {name} pass without an approval"),
            PartKind::SignIn => "its entry no longer says how one signs in".to_owned(),
            PartKind::Collector => format!("the collector `{}` is no longer told of it", before.shown),
        },
        (None, None) => return None,
    };
    Some(sentence)
}

fn changed(kind: PartKind, name: &str, before: &Part, now: &Part) -> String {
    let same = before.shown == now.shown;
    match kind {
        PartKind::Command | PartKind::Url if same => {
            format!("`{}` reads the same, but a variable or a masked value in it is another", now.shown)
        }
        PartKind::Command => format!("it ran `{}` and runs `{}` now", before.shown, now.shown),
        PartKind::Url => format!("it opened `{}` and opens `{}` now", before.shown, now.shown),
        PartKind::Folder if same => format!("the folder `{}` leads elsewhere now", now.shown),
        PartKind::Folder => format!("it ran in `{}` and runs in `{}` now", before.shown, now.shown),
        PartKind::Variable if loads_code(name) => {
            format!("the variable `{name}`, which decides what code is run, has another value")
        }
        PartKind::Variable => format!("the variable `{name}` is written otherwise"),
        PartKind::Header => format!("the header `{name}` is written otherwise"),
        PartKind::File => format!("`{name}` changed"),
        PartKind::Trust => format!("the trust root `{name}`, or the level that it must reach, is another"),
        PartKind::Unguarded => format!("what a guard lets pass without an approval is another: {name}"),
        PartKind::SignIn => "the client that signs in, or where it does, is another".to_owned(),
        PartKind::Collector if same => format!("what the collector `{}` is sent, or how, is another", now.shown),
        PartKind::Collector => format!("it is the collector `{}` that is told of it now", now.shown),
        PartKind::Plain | PartKind::OffKey => "what may go over plain HTTP is another".to_owned(),
    }
}
