//! Weak signals that stand together. Each has an honest reason; all in one place have none.

use super::signal::{Rule, Signal, Strength};
use std::collections::BTreeMap;

/// The rule of what adds up.
pub(super) static RULE: Rule = Rule { name: "signals-together", title: "several signals together" };

/// Bytes within which signals stand together.
const REACH: usize = 160;
/// Bytes of a signal that have to lie within them: what a long one begins with.
const HEAD: usize = 80;
/// The sum of strengths, one a rule, from which on they are critical.
const CRITICAL: usize = 5;

/// Rules for what steers a model.
const STEERS: [&str; 4] = ["conceals-from-user", "comes-before-others", "poses-as-system", "steers-other-tools"];
/// Rules for what leaves the machine, or is done unasked: beside something that steers, less is needed.
const TAKES: [&str; 3] = ["asks-for-secrets", "lifts-consent", "sends-data-out"];
/// A rule for what servers ask for with good reason, unless they want it whole.
const ASKS: &str = "asks-for-conversation";

/// The first stretch in which signals of different rules add up, unless one of them suffices alone. `signals` are sorted
/// by their start.
pub(super) fn find(signals: &[Signal], found: &mut Vec<Signal>) {
    if signals.iter().any(|signal| signal.strength == Strength::Sure) {
        return;
    }
    let mut first = 0;
    // Per rule the strengths in the window, counted, so that leaving the window is as cheap as entering it.
    let mut window: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for (last, signal) in signals.iter().enumerate() {
        window.entry(signal.rule.name).or_default()[signal.strength as usize - 1] += 1;
        while first < last && signals[first].start + REACH < signal.end.min(signal.start + HEAD) {
            let gone = &signals[first];
            if let Some(counts) = window.get_mut(gone.rule.name) {
                counts[gone.strength as usize - 1] -= 1;
            }
            first += 1;
        }
        let best = |counts: &[usize; 4]| counts.iter().rposition(|count| *count > 0).map_or(0, |at| at + 1);
        let strengths: Vec<usize> = window.values().map(best).collect();
        let several = strengths.iter().filter(|strength| **strength >= 2).count() >= 2;
        let has = |names: &[&str]| names.iter().any(|name| window.get(name).is_some_and(|counts| best(counts) >= 2));
        let whole = window.get(ASKS).is_some_and(|counts| best(counts) >= 3);
        let least = if has(&STEERS) && (has(&TAKES) || whole) { CRITICAL - 1 } else { CRITICAL };
        if several && strengths.iter().sum::<usize>() >= least {
            found.push(together(&signals[first..=last]));
            return;
        }
    }
}

fn together(signals: &[Signal]) -> Signal {
    let mut whys: Vec<String> = Vec::new();
    for signal in signals.iter().filter(|signal| signal.strength > Strength::Weak) {
        let why = format!("{} ({})", signal.rule.title, signal.why);
        if !whys.contains(&why) && whys.len() < 4 {
            whys.push(why);
        }
    }
    let start = signals.iter().map(|signal| signal.start).min().unwrap_or_default();
    let end = signals.iter().map(|signal| signal.end).max().unwrap_or_default();
    Signal { rule: &RULE, strength: Strength::Sure, start, end, why: whys.join("; ") }
}
