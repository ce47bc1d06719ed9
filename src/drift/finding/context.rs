//! What the model was told by others is asked for: the conversation, the system prompt, other tools' results.

use super::lexicon::{Class, Set};
use super::place::Place;
use super::reading::Reading;
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "asks-for-conversation", title: "asks for the conversation" };

const GIVE: Set = Class::Pass.set().and(Class::Send).and(Class::Read).and(Class::Encode);

/// Looks for it.
pub(super) fn find(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, context) in reading.of_class(Class::Context.set()) {
        let verb = reading.around(at, GIVE, 60);
        let given = verb.is_some_and(|verb| reading.is_order(verb));
        let whole = reading.near(at, Class::Whole.set(), 24);
        let to_address = reading.near(at, Class::Url.set().and(Class::Email), 120);
        let encoded = reading.near(at, Class::Encode.set(), 60);
        let put = reading.around(at, Class::Pass.set().and(Class::Send), 60).is_some();
        let own = ["system", "your"].iter().any(|word| reading.between(context.start, context.end).starts_with(word));
        let (strength, why) = match (given, whole || encoded, to_address) {
            (true, _, true) => (Strength::Sure, "and sends it to an address"),
            (_, true, false) if own && whole && put => (Strength::Sure, "what it was told by its makers, whole"),
            (true, true, false) => (Strength::Strong, "whole, or encoded"),
            (true, false, false) => (Strength::Some, "as input"),
            (false, ..) if reading.place == Place::Name => (Strength::Some, "by a name"),
            (false, true, _) => (Strength::Some, "whole"),
            (false, false, _) => continue,
        };
        found.push(Signal::folded(&RULE, strength, reading, context.start..context.end, why));
    }
}
