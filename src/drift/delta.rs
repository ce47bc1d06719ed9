//! Where two values differ: one delta a leaf that changed, or a member or element that is new or gone.
//!
//! An array of scalars is one leaf (`required`, `enum`); arrays of objects are aligned by their `name` where each has
//! one, else by what their ends have in common.

use crate::canon::Pointer;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};

/// One difference. At least one side is there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Delta<'a> {
    pub(super) path: Pointer,
    pub(super) before: Option<&'a Value>,
    pub(super) after: Option<&'a Value>,
}

/// All differences below `root`, in the order of their paths as walked. Empty where the two are equal.
pub(super) fn deltas<'a>(root: &Pointer, before: Option<&'a Value>, after: Option<&'a Value>) -> Vec<Delta<'a>> {
    let mut found = Vec::new();
    walk(&mut found, root, before, after);
    found
}

/// Whether the two sides are arrays of the same elements in another order.
pub(super) fn only_order(delta: &Delta) -> bool {
    let (Some(Value::Array(before)), Some(Value::Array(after))) = (delta.before, delta.after) else { return false };
    let sorted = |elements: &[Value]| {
        let mut texts: Vec<_> = elements.iter().map(Value::to_string).collect();
        texts.sort();
        texts
    };
    before.len() == after.len() && sorted(before) == sorted(after)
}

fn walk<'a>(found: &mut Vec<Delta<'a>>, path: &Pointer, before: Option<&'a Value>, after: Option<&'a Value>) {
    match (before, after) {
        (Some(old), Some(new)) if old == new => {}
        (Some(Value::Object(old)), Some(Value::Object(new))) => objects(found, path, old, new),
        (Some(Value::Array(old)), Some(Value::Array(new))) if !(scalars(old) && scalars(new)) => {
            let known = found.len();
            arrays(found, path, old, new);
            // Nothing inside differs: the order does.
            if found.len() == known {
                found.push(Delta { path: path.clone(), before, after });
            }
        }
        (None, None) => {}
        _ => found.push(Delta { path: path.clone(), before, after }),
    }
}

fn objects<'a>(
    found: &mut Vec<Delta<'a>>,
    path: &Pointer,
    before: &'a Map<String, Value>,
    after: &'a Map<String, Value>,
) {
    let members: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    for member in members {
        walk(found, &path.child(member), before.get(member), after.get(member));
    }
}

/// Elements by their names where both sides have distinct ones: a path is the place now, or the place that was.
fn arrays<'a>(found: &mut Vec<Delta<'a>>, path: &Pointer, before: &'a [Value], after: &'a [Value]) {
    if let (Some(old), Some(new)) = (by_name(before), by_name(after)) {
        for (at, element) in before.iter().enumerate() {
            if name(element).is_some_and(|name| !new.contains_key(name)) {
                walk(found, &path.child(at), Some(element), None);
            }
        }
        for (at, element) in after.iter().enumerate() {
            let counterpart = name(element).and_then(|name| old.get(name)).map(|at| &before[*at]);
            walk(found, &path.child(at), counterpart, Some(element));
        }
        return;
    }
    let start = before.iter().zip(after).take_while(|(old, new)| old == new).count();
    let (old, new) = (&before[start..], &after[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    for at in 0..old.len().max(new.len()) {
        walk(found, &path.child(start + at), old.get(at), new.get(at));
    }
}

fn name(element: &Value) -> Option<&str> {
    element.get("name").and_then(Value::as_str)
}

fn by_name(elements: &[Value]) -> Option<HashMap<&str, usize>> {
    let named: HashMap<_, _> = elements.iter().enumerate().filter_map(|(at, value)| Some((name(value)?, at))).collect();
    (named.len() == elements.len()).then_some(named)
}

fn scalars(elements: &[Value]) -> bool {
    !elements.iter().any(|element| element.is_object() || element.is_array())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn paths(before: &Value, after: &Value) -> Vec<String> {
        let side = |delta: &Delta| match (delta.before, delta.after) {
            (None, _) => '+',
            (_, None) => '-',
            _ => '~',
        };
        deltas(&Pointer::root(), Some(before), Some(after))
            .iter()
            .map(|delta| format!("{}{}", side(delta), delta.path))
            .collect()
    }

    #[test]
    fn every_difference_has_its_own_path() {
        let before = json!({"a": 1, "b": {"c": [1, 2], "d/e": true}, "gone": {}});
        let after = json!({"a": 2, "b": {"c": [2, 1], "d/e": false}, "new": null});
        assert_eq!(paths(&before, &after), ["~/a", "~/b/c", "~/b/d~1e", "-/gone", "+/new"]);
        assert_eq!(paths(&before, &before), [""; 0]);
    }

    #[test]
    fn arrays_of_objects_are_aligned() {
        let before = json!([{"name": "x", "a": 1}, {"name": "y"}]);
        assert_eq!(paths(&before, &json!([{"name": "y"}, {"name": "x", "a": 2}])), ["~/1/a"]);
        assert_eq!(paths(&before, &json!([{"name": "y"}, {"name": "x", "a": 1}])), ["~"]);
        assert_eq!(paths(&before, &json!([{"name": "y"}])), ["-/0"]);
        let unnamed = json!([{"a": 1}, {"b": 1}, {"c": 1}]);
        assert_eq!(paths(&unnamed, &json!([{"a": 1}, {"c": 1}])), ["-/1"]);
        assert_eq!(paths(&unnamed, &json!([{"a": 1}, {"x": 1}, {"b": 1}, {"c": 1}])), ["+/1"]);
    }

    #[test]
    fn an_order_is_told_from_a_content() {
        let order = |before: &Value, after: &Value| {
            only_order(&Delta { path: Pointer::root(), before: Some(before), after: Some(after) })
        };
        assert!(order(&json!(["a", "b"]), &json!(["b", "a"])));
        assert!(!order(&json!(["a", "a", "b"]), &json!(["a", "b", "b"])));
        assert!(!order(&json!(["1"]), &json!([1])));
    }
}
