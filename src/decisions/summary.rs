//! A message for the commit of the baselines that changed.

use crate::pin::DecisionState;
use crate::surface::{ItemId, ServerId};

/// What was decided on which items of a server.
pub(crate) type Decided = (ServerId, DecisionState, Vec<ItemId>);

/// Names of items in a sentence; more are counted.
const MOST: usize = 3;

/// `Record the baseline of azure; approve create_issue and 2 more on github; reject run_shell on search`; none where nothing
/// was recorded or decided, or all of it was taken back.
pub(crate) fn commit_message(recorded: &[ServerId], made: &[Decided]) -> Option<String> {
    let mut sums: Vec<(DecisionState, &ServerId, Vec<&ItemId>)> = Vec::new();
    for (server, verdict, items) in made {
        match sums.iter_mut().find(|(known, of, _)| known == verdict && *of == server) {
            Some((.., known)) => known.extend(items),
            None => sums.push((*verdict, server, items.iter().collect())),
        }
    }
    let named = |server: &str| if is_plain(server) { server.to_owned() } else { "a server".to_owned() };
    let mut baselines: Vec<_> = recorded.iter().map(|server| named(server)).collect();
    baselines.dedup();
    let baselines = match baselines.as_slice() {
        [] => None,
        [one] => Some(format!("record the baseline of {one}")),
        many => Some(format!("record the baselines of {}", many.join(", "))),
    };
    let decided = sums.into_iter().map(|(verdict, server, items)| part(verdict, server, items));
    let parts: Vec<_> = baselines.into_iter().chain(decided).collect();
    let text = parts.join("; ");
    let mut letters = text.chars();
    let first = letters.next()?;
    Some(first.to_uppercase().chain(letters).collect())
}

fn part(verdict: DecisionState, server: &str, mut items: Vec<&ItemId>) -> String {
    let verb = match verdict {
        DecisionState::Approved => "approve",
        DecisionState::Rejected => "reject",
    };
    items.sort();
    items.dedup();
    let names: Vec<_> = items.iter().map(|item| plain(item)).collect();
    let known = names.iter().take(MOST).flatten().cloned().collect::<Vec<_>>();
    let more = items.len() - known.len();
    let what = match (known.as_slice(), more) {
        ([], 1) => "1 item".to_owned(),
        ([], many) => format!("{many} items"),
        (known, 0) => known.join(", "),
        (known, more) => format!("{} and {more} more", known.join(", ")),
    };
    format!("{verb} {what} on {}", if is_plain(server) { server } else { "a server" })
}

/// A name that can stand in a message whatever quotes it: a server chose it.
fn plain(item: &ItemId) -> Option<String> {
    let name = if item.key.is_empty() { item.kind.word() } else { item.key.as_ref() };
    is_plain(name).then(|| name.to_owned())
}

fn is_plain(name: &str) -> bool {
    (1..=60).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::Kind;

    fn made(server: &str, verdict: DecisionState, names: &[&str]) -> Decided {
        (server.into(), verdict, names.iter().map(|name| ItemId::new(Kind::Tool, *name)).collect())
    }

    #[test]
    fn summary_quotes_no_hostile_name() {
        use DecisionState::{Approved, Rejected};
        assert_eq!(commit_message(&[], &[]), None);
        let all = [
            made("github", Approved, &["a", "b"]),
            made("search", Rejected, &["run_shell", "x'; rm -rf ~ #"]),
            made("github", Approved, &["c", "d"]),
        ];
        let told = commit_message(&[], &all);
        assert_eq!(
            told.as_deref(),
            Some("Approve a, b, c and 1 more on github; reject run_shell and 1 more on search")
        );
        let both = commit_message(&["azure".into(), "notes".into()], &all[..1]);
        assert_eq!(both.as_deref(), Some("Record the baselines of azure, notes; approve a, b on github"));
        assert_eq!(
            commit_message(&[], &[made("g\u{1b}", Rejected, &["\u{7}"])]).as_deref(),
            Some("Reject 1 item on a server")
        );
    }
}
