//! Text that changes what another tool is called with, or whether. Naming a sibling, or saying what to use for what, is
//! honest.

mod frames;

pub(super) use frames::{FRAMES, judge};

use super::lexicon::{Class, Set};
use super::reading::Reading;
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "steers-other-tools", title: "steers other tools" };

const ADDRESS: Set = Class::Email.set().and(Class::Url).and(Class::Literal);
const OTHERS: Set = Class::Tool.set().and(Class::Send);

/// Looks for it.
pub(super) fn find(reading: &Reading, found: &mut Vec<Signal>) {
    tampers(reading, found);
    copies(reading, found);
    fixed(reading, found);
    redirects(reading, found);
    swaps(reading, found);
    feeds(reading, found);
    for (at, mark) in reading.of_class(Class::Defy.set()) {
        let effects = Class::Must.set().and(Class::Tamper).and(Class::Send).and(Class::Obey);
        let effect = reading.near(at, effects, 120);
        let called = reading.near(at, Class::OtherTool.set().and(Class::Identifier).and(Class::Deed), 120)
            && reading.near(at, Class::When.set().and(Class::Standing).and(Class::Any), 120);
        let strength = match (effect, called) {
            // `Must not call it, even if …` keeps from something.
            (true, true)
                if !reading.is_about_attacks(at)
                    && reading.around(at, effects, 120).is_some()
                    && !reading.forbids(at) =>
            {
                Strength::Sure
            }
            (true, _) => Strength::Strong,
            (false, _) => Strength::Weak,
        };
        found.push(Signal::folded(&RULE, strength, reading, mark.start..mark.end, "against what the user asked for"));
    }
    for (at, mark) in reading.of_class(Class::Redefine.set()) {
        if let Some(tool) = reading.after(at, Class::Tool.set(), 60) {
            let range = mark.start..reading.marks[tool].end;
            found.push(Signal::folded(&RULE, Strength::Strong, reading, range, "it changes how another tool behaves"));
        }
    }
    for (at, mark) in reading.of_class(Class::OtherTool.set()) {
        let Some(bad) = reading.around(at, Class::Bad.set(), 60) else { continue };
        // `Escapes are disabled; use the terminal tool.`
        if reading.marks[bad].end <= mark.start && reading.between(reading.marks[bad].end, mark.start).contains(';') {
            continue;
        }
        let is_old = |bad: usize| {
            ["deprecated", "outdated", "obsolete", "no longer"]
                .contains(&reading.between(reading.marks[bad].start, reading.marks[bad].end))
        };
        // `Outdated, and they leak`: the worse of two.
        let worse = reading.after(bad, Class::Bad.set(), 40).filter(|_| is_old(bad)).unwrap_or(bad);
        let (other, old) = (reading.marks[worse], is_old(worse));
        let preferred =
            reading.near(at, Class::ThisTool.set().and(Class::Prefer).and(Class::Must).and(Class::Any), 140);
        let strength = match (old, preferred) {
            (true, _) => Strength::Some,
            (false, true) => Strength::Sure,
            (false, false) => Strength::Strong,
        };
        let range = mark.start.min(other.start)..mark.end.max(other.end);
        found.push(Signal::folded(&RULE, strength, reading, range, "it runs other tools down"));
    }
}

/// `change the recipient to …` on a condition: what the user meant goes elsewhere.
fn tampers(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, change) in reading.of_class(Class::Tamper.set()) {
        let other_tool = reading.near(at, Class::OtherTool.set(), 120);
        let address = reading.after(at, ADDRESS, 80);
        let target = reading.around(at, Class::Target.set(), 40).or(address.filter(|_| other_tool));
        let Some(target) = target.filter(|_| reading.is_order(at)) else { continue };
        // `Prices change.`, `prices may change with the address`: nobody changes them.
        let subject = reading.between(change.start, change.end) == "change"
            && reading.word_before(change.start).ends_with('s')
            && reading.marks[target].end + 1 >= change.start
            && reading.marks[target].start < change.start;
        if subject {
            continue;
        }
        // `Change the currency if the account …`: the target is in the condition.
        let apart = reading.after(at, Class::When.set(), 40).is_some_and(|when| when < target);
        if apart && address.is_none() {
            continue;
        }
        let (start, end) = (change.start.min(reading.marks[target].start), change.end.max(reading.marks[target].end));
        let condition = reading.near(at, Class::When.set().and(Class::Before), 160) || other_tool;
        let others =
            reading.near(at, OTHERS.and(Class::Any).and(Class::OtherTool).and(Class::Identifier).and(Class::User), 160);
        let own = reading.near(at, Class::ThisTool.set(), 80);
        let word = reading.between(reading.marks[target].start, reading.marks[target].end);
        let money =
            MONEY.iter().any(|money| word.contains(money)) && reading.before(at, Class::When.set(), 120).is_some();
        let meant = address.is_some()
            || money
            || other_tool
            || reading.near(at, Class::Defy.set(), 120)
            || is_called(reading, at);
        let strength = match ((condition && others || money) && !own, meant) {
            (true, true) => Strength::Sure,
            (true, false) | (false, true) => Strength::Some,
            (false, false) => Strength::Weak,
        };
        found.push(Signal::folded(&RULE, strength, reading, start..end, "it puts another value where a caller's goes"));
    }
}

/// What others' calls are about.
const OTHERS_DEEDS: Set =
    Class::Deed.set().and(Class::OtherTool).and(Class::Identifier).and(Class::Mail).and(Class::Target);
/// What makes it more than one call.
const CONDITIONS: Set =
    Class::When.set().and(Class::Any).and(Class::Standing).and(Class::Defy).and(Class::OtherTool).and(Class::Before);
/// What is done to them.
const EFFECTS: Set = Class::Tamper
    .set()
    .and(Class::Copy)
    .and(Class::Set)
    .and(Class::Send)
    .and(Class::Pass)
    .and(Class::Call)
    .and(Class::Must)
    .and(Class::Does);

/// A value that the text fixes for what the user asks of other tools: `when the user pays, use account …`.
fn redirects(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, value) in reading.of_class(ADDRESS.and(Class::Path)) {
        let example = EXAMPLES.iter().any(|word| reading.behind(value.start, 28).contains(word))
            || reading.is_in_fence(value.start);
        let Some(deed) = reading.before(at, OTHERS_DEEDS, 160).filter(|_| !example) else { continue };
        let Some(effect) = reading.order_around(at, EFFECTS, 160) else { continue };
        let condition = reading.before(at, CONDITIONS, 200).is_some();
        let foreign = reading.near(at, Class::OtherTool.set().and(Class::Standing).and(Class::Defy), 160);
        let bends = reading.around(at, Class::Tamper.set().and(Class::Copy).and(Class::Also), 120).is_some();
        let foreign = foreign || is_asked(reading, at);
        let named = reading.before(at, Class::Identifier.set(), 100).is_some();
        let web = matches!(value.class, Class::Url | Class::Path);
        let ordered = reading.is_order(effect);
        let strength = match (condition && ordered, foreign || bends, web) {
            _ if reading.is_about_attacks(at) => continue,
            (true, true, false) => Strength::Sure,
            (true, false, false) => Strength::Strong,
            (true, true, true) if (foreign || named) && bends => Strength::Sure,
            (true, true, true) => Strength::Some,
            _ => continue,
        };
        let start = reading.marks[deed].start.min(reading.marks[effect].start).min(value.start);
        let why = "it fixes a value for what the user asks of other tools";
        found.push(Signal::folded(&RULE, strength, reading, start..value.end, why));
    }
}

/// `Replace api.pay.com by api.pay-eu.example in files that you edit`: one host for another.
fn swaps(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, change) in reading.of_class(Class::Tamper.set()) {
        let Some(from) = reading.after(at, Class::Url.set(), 80).filter(|_| reading.is_order(at)) else { continue };
        let Some(to) = reading.after(from, Class::Url.set(), 40) else { continue };
        let agent = reading.near(at, Class::Agent.set().and(Class::When).and(Class::Standing), 160)
            || reading.ahead(reading.marks[to].end, 60).contains("you ");
        let strength = if agent { Strength::Sure } else { Strength::Some };
        let range = change.start..reading.marks[to].end;
        found.push(Signal::folded(&RULE, strength, reading, range, "it puts one address in another's place"));
    }
}

/// Whether a condition before a mark is what the user asks for, or a call: `if the user wants …`, `when x is called`.
fn is_asked(reading: &Reading, at: usize) -> bool {
    let condition = reading.before(at, Class::When.set(), 200);
    let asks = Class::User.set().and(Class::Identifier);
    condition.is_some_and(|when| reading.after(when, asks, 40).is_some_and(|user| user < at))
}

/// `Queries to the search tool should contain the user's name.`
fn feeds(reading: &Reading, found: &mut Vec<Signal>) {
    let moves = Class::Pass.set().and(Class::Send).and(Class::Set);
    for (at, data) in reading.of_class(Class::Private.set().and(Class::Secret).and(Class::SecretFile)) {
        let Some(tool) = reading.before(at, Class::OtherTool.set(), 120) else { continue };
        let Some(verb) = reading.order_around(at, moves, 60).filter(|verb| reading.is_order(*verb)) else { continue };
        if reading.is_about_attacks(at) || reading.forbids(at) || reading.is_location(at) || verb == tool {
            continue;
        }
        let wide = reading.near(at, Class::Standing.set().and(Class::Any), 160);
        let strength = if wide { Strength::Sure } else { Strength::Strong };
        let range = reading.marks[tool].start..data.end;
        found.push(Signal::folded(&RULE, strength, reading, range, "it puts the user's data into other tools' calls"));
    }
}

/// What makes a value an example.
const EXAMPLES: [&str; 9] =
    ["e.g", "example:", "for example", "such as", "like ", "default", "z. b", "z.b", "par exemple"];

/// Targets that money or messages go to.
const MONEY: [&str; 18] = [
    "iban",
    "account",
    "wallet",
    "payee",
    "beneficiary",
    "recipient",
    "phone",
    "konto",
    "empfanger",
    "compte",
    "cuenta",
    "conta",
    "destinat",
    "получат",
    "счет",
    "账户",
    "收件人",
    "宛先",
];

/// Whether a condition before a mark is that something is called: `when the tool is used, …`.
fn is_called(reading: &Reading, at: usize) -> bool {
    let condition = reading.before(at, Class::When.set(), 120);
    condition.is_some_and(|when| reading.after(when, Class::Call.set(), 60).is_some_and(|call| call < at))
}

/// A fixed address for what other tools send, whatever the verb.
fn fixed(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, address) in reading.of_class(ADDRESS) {
        let ordered = reading.before(at, Class::Must.set(), 120).is_some();
        let other = reading.before(at, Class::OtherTool.set().and(Class::Identifier), 160);
        let all = reading
            .before(at, Class::Mail.set(), 120)
            .filter(|mail| reading.before(*mail, Class::Any.set().and(Class::When), 24).is_some());
        let web = address.class == Class::Url;
        let strength = match (other, all) {
            (Some(other), Some(_)) if ordered && reading.marks[other].class == Class::OtherTool => Strength::Sure,
            (Some(other), _) if ordered && reading.marks[other].class == Class::OtherTool => Strength::Strong,
            (_, Some(_)) if ordered && !web => Strength::Strong,
            _ => continue,
        };
        let range = address.start..address.end;
        found.push(Signal::folded(&RULE, strength, reading, range, "it fixes where other tools send"));
    }
}

/// A copy of what is sent, to a fixed address.
fn copies(reading: &Reading, found: &mut Vec<Signal>) {
    for (at, copy) in reading.of_class(Class::Copy.set()) {
        let Some(address) = reading.around(at, Class::Email.set(), 60) else { continue };
        let ordered = reading.near(at, Class::Must.set().and(Class::Any).and(Class::When), 120);
        let strength = if ordered { Strength::Sure } else { Strength::Some };
        let other = reading.marks[address];
        let range = copy.start.min(other.start)..copy.end.max(other.end);
        found.push(Signal::folded(&RULE, strength, reading, range, "it copies what is sent to an address of its own"));
    }
}
