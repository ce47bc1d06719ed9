//! Numbers: bounds, multiples and excluded values. Whole numbers are decided exactly where their range is short or open.

use super::{Found, Search};
use crate::schema::decimal::{Decimal, gcd};
use crate::schema::evaluate::{Literal, is_multiple};
use crate::schema::node::Node;
use serde_json::json;

/// Whole numbers of a range that are all tried.
const ALL_TRIED: i128 = 512;

/// A bound and whether it is itself outside.
type Bound = Option<(Decimal, bool)>;

#[derive(Default)]
struct Numbers {
    low: Bound,
    high: Bound,
    /// Steps that it must be a multiple of.
    steps: Vec<Decimal>,
    /// Steps that it must not be a multiple of.
    not_steps: Vec<Decimal>,
    excluded: Vec<Decimal>,
    /// Draft-04: the number must be written with a fraction or an exponent.
    written_as_fraction: bool,
}

impl Numbers {
    fn is_empty(&self) -> bool {
        match (self.low, self.high) {
            (Some((low, above)), Some((high, below))) => low > high || (low == high && (above || below)),
            _ => false,
        }
    }
}

fn raise(bound: &mut Bound, new: (Decimal, bool)) {
    if bound.is_none_or(|old| new.0 > old.0 || (new.0 == old.0 && new.1)) {
        *bound = Some(new);
    }
}

fn lower(bound: &mut Bound, new: (Decimal, bool)) {
    if bound.is_none_or(|old| new.0 < old.0 || (new.0 == old.0 && new.1)) {
        *bound = Some(new);
    }
}

impl Search<'_> {
    fn numbers(&self, atoms: &[Literal]) -> Numbers {
        let mut numbers = Numbers::default();
        for atom in atoms {
            match (self.arena.node(atom.node), atom.holds) {
                (Node::Minimum(bound, above), true) => raise(&mut numbers.low, (*bound, *above)),
                (Node::Minimum(bound, above), false) => lower(&mut numbers.high, (*bound, !above)),
                (Node::Maximum(bound, below), true) => lower(&mut numbers.high, (*bound, *below)),
                (Node::Maximum(bound, below), false) => raise(&mut numbers.low, (*bound, !below)),
                (Node::MultipleOf(step), true) => numbers.steps.push(*step),
                (Node::MultipleOf(step), false) => numbers.not_steps.push(*step),
                (Node::Enum(values), false) => {
                    let known = values.iter().filter_map(|value| self.arena.value(*value).as_number());
                    numbers.excluded.extend(known.filter_map(Decimal::of));
                }
                (Node::WrittenWhole, false) => numbers.written_as_fraction = true,
                _ => {}
            }
        }
        numbers
    }

    /// A whole number, as its bounds, steps and exclusions ask.
    pub(super) fn whole_number(&mut self, atoms: &[Literal]) -> Found {
        let numbers = self.numbers(atoms);
        if numbers.is_empty() {
            return Found::Nothing;
        }
        // A bound out of reach of 128 bits counts as none: that only widens what is searched, and every instance is checked.
        let low = numbers
            .low
            .and_then(|(low, above)| if above && low.is_whole() { low.to_whole()?.checked_add(1) } else { low.ceil() });
        let high = numbers.high.and_then(|(high, below)| {
            if below && high.is_whole() { high.to_whole()?.checked_sub(1) } else { high.floor() }
        });
        // Far-out bounds likewise, so that sums below cannot overflow.
        let reachable = |bound: &i128| bound.unsigned_abs() < 1 << 120;
        let (low, high) = (low.filter(reachable), high.filter(reachable));
        // A whole multiple of a/b in lowest terms is a multiple of a. Steps that no double holds exactly are left to validators.
        let mut step = 1_i128;
        let mut exact = true;
        for one in &numbers.steps {
            match one.fraction().filter(|(_, under)| is_power_of_two(*under)) {
                Some((over, _)) => match (over / gcd(step, over)).checked_mul(step).filter(|step| *step < 1 << 100) {
                    Some(both) => step = both,
                    None => exact = false,
                },
                None => exact = false,
            }
        }
        let never = numbers
            .not_steps
            .iter()
            .any(|one| one.fraction().is_some_and(|(over, under)| is_power_of_two(under) && step % over == 0));
        if never && step <= 1 << 53 {
            return Found::Nothing;
        }
        let first = low.map(|low| low.div_euclid(step) * step + if low.rem_euclid(step) == 0 { 0 } else { step });
        let last = high.map(|high| high.div_euclid(step) * step);
        if let (Some(first), Some(last)) = (first, last) {
            if first > last {
                return Found::Nothing;
            }
            let count = (last - first) / step + 1;
            if count <= ALL_TRIED && exact && step <= 1 << 53 {
                let every = (0..count).map(|at| first + at * step).collect::<Vec<_>>();
                return self.whole_among(&every, &numbers, atoms, true);
            }
        }
        let start = match (first, last) {
            _ if first.is_none_or(|first| first <= 0) && last.is_none_or(|last| last >= 0) => 0,
            (Some(first), _) if first > 0 => first,
            (_, Some(last)) => last,
            _ => 0,
        };
        let mut tried = Vec::new();
        for at in 0..64_i128 {
            tried.push(start + at * step);
            tried.push(start - at * step);
        }
        for edge in [first, last].into_iter().flatten() {
            tried.extend([edge, edge - step, edge + step]);
        }
        for number in numbers.excluded.iter().filter_map(|number| number.to_whole()) {
            tried.extend([number - step, number + step]);
        }
        self.whole_among(&tried, &numbers, atoms, false)
    }

    fn whole_among(&self, whole: &[i128], numbers: &Numbers, atoms: &[Literal], complete: bool) -> Found {
        let mut unknown = numbers.written_as_fraction;
        for number in whole {
            let Some(plain) = Decimal::whole(*number).to_value() else {
                unknown = true;
                continue;
            };
            let value = if numbers.written_as_fraction {
                #[expect(clippy::cast_precision_loss, reason = "the result is checked to be the same number")]
                let double = json!(*number as f64);
                double
            } else {
                plain
            };
            match self.evaluator().satisfies(atoms, &value) {
                Some(true) => return Found::Instance(value),
                Some(false) => {}
                None => unknown = true,
            }
        }
        if complete && !unknown { Found::Nothing } else { Found::Unknown(self.why(atoms)) }
    }

    /// A number with a fraction.
    pub(super) fn fraction(&mut self, atoms: &[Literal]) -> Found {
        let numbers = self.numbers(atoms);
        if numbers.is_empty() {
            return Found::Nothing;
        }
        if let (Some((low, _)), Some((high, _))) = (numbers.low, numbers.high)
            && low == high
            && low.is_whole()
        {
            return Found::Nothing;
        }
        if numbers.steps.iter().any(|step| step.is_whole()) {
            return Found::Nothing;
        }
        let dyadic = |step: &Decimal| step.fraction().is_some_and(|(_, under)| is_power_of_two(under));
        let implied = |not: &Decimal| {
            numbers.steps.iter().filter(|step| dyadic(step)).any(|step| is_multiple(*step, *not) == Some(true))
        };
        if numbers.not_steps.iter().filter(|step| dyadic(step)).any(implied) {
            return Found::Nothing;
        }
        let mut tried = Vec::new();
        let half = Decimal::new(5, -1);
        let edges = [numbers.low, numbers.high].into_iter().flatten().map(|(edge, _)| edge);
        let mut near: Vec<Decimal> = std::iter::once(Decimal::ZERO).chain(edges).collect();
        near.extend(&numbers.excluded);
        if let (Some((low, _)), Some((high, _))) = (numbers.low, numbers.high) {
            let middle = low.plus(high).and_then(Decimal::half);
            for part in [middle, middle.and_then(|middle| middle.plus(low)).and_then(Decimal::half)] {
                near.extend(part);
            }
        }
        let offsets = [half, Decimal::new(25, -2), Decimal::new(1, -1), Decimal::new(1, -3), Decimal::new(15, -1)];
        for start in near {
            tried.push(start);
            for offset in offsets.into_iter().chain(numbers.steps.iter().copied()) {
                tried.extend(start.plus(offset));
                tried.extend(start.plus(offset.negated()));
            }
        }
        let candidates = tried.into_iter().filter(|one| !one.is_whole()).filter_map(Decimal::to_value);
        let found = self.first_of(candidates, atoms);
        found.map_or_else(|| Found::Unknown(self.why(atoms)), Found::Instance)
    }
}

fn is_power_of_two(value: i128) -> bool {
    value > 0 && value & (value - 1) == 0
}
