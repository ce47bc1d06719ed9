//! What an expression asks about, by its syntax tree: a word in a string or in another name is no question.

use cel::common::ast::{EntryExpr, Expr, LiteralValue, operators};
use cel::{IdedExpr, Program};
use std::collections::BTreeSet;

/// The members of `input` that may not be visible.
const UNSEEN: [&str; 2] = ["artifact", "drift"];

/// Which members of `input` that may not be visible an expression asks about; all where it takes `input` as a whole, or a
/// member whose name is computed. Parsing can take a deep stack.
pub fn asked_by(expr: &str) -> BTreeSet<String> {
    let mut asked = BTreeSet::new();
    // What cannot be parsed is not evaluated either.
    if let Ok(program) = Program::compile(expr) {
        walk(program.expression(), &mut asked);
    }
    asked
}

fn walk(expr: &IdedExpr, asked: &mut BTreeSet<String>) {
    if let Some(path) = path_in_input(expr) {
        // The artifact stands in the server, too, and its provenance beside it.
        let names: &[&str] = match path.as_slice() {
            [] => &UNSEEN,
            ["server"] | ["server", "artifact", ..] | ["artifact" | "provenance", ..] => &["artifact"],
            ["drift", ..] => &["drift"],
            _ => &[],
        };
        asked.extend(names.iter().map(|name| (*name).to_owned()));
        return;
    }
    match &expr.expr {
        Expr::Unspecified | Expr::Ident(_) | Expr::Literal(_) => {}
        Expr::Call(call) => call.target.as_deref().into_iter().chain(&call.args).for_each(|part| walk(part, asked)),
        Expr::Comprehension(one) => {
            let parts = [&one.iter_range, &one.accu_init, &one.loop_cond, &one.loop_step, &one.result];
            for part in parts {
                walk(part, asked);
            }
        }
        Expr::List(list) => list.elements.iter().for_each(|part| walk(part, asked)),
        Expr::Select(select) => walk(&select.operand, asked),
        Expr::Map(map) => map.entries.iter().for_each(|entry| walk_entry(&entry.expr, asked)),
        Expr::Struct(of) => of.entries.iter().for_each(|entry| walk_entry(&entry.expr, asked)),
    }
}

fn walk_entry(entry: &EntryExpr, asked: &mut BTreeSet<String>) {
    match entry {
        EntryExpr::StructField(field) => walk(&field.value, asked),
        EntryExpr::MapEntry(entry) => [&entry.key, &entry.value].into_iter().for_each(|part| walk(part, asked)),
    }
}

/// The names that lead from `input` to what an expression is: `input.a.b`, `input["a"].b`.
fn path_in_input(expr: &IdedExpr) -> Option<Vec<&str>> {
    match &expr.expr {
        Expr::Ident(name) => (name == "input").then(Vec::new),
        Expr::Select(select) => {
            let mut path = path_in_input(&select.operand)?;
            path.push(&select.field);
            Some(path)
        }
        Expr::Call(call)
            if [operators::INDEX, operators::OPT_INDEX, operators::OPT_SELECT].contains(&&*call.func_name) =>
        {
            let [of, IdedExpr { expr: Expr::Literal(LiteralValue::String(name)), .. }] = call.args.as_slice() else {
                return None;
            };
            let mut path = path_in_input(of)?;
            path.push(name.inner());
            Some(path)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_told_by_its_syntax() {
        for (expr, asks) in [
            ("input.artifact != null", &["artifact"][..]),
            ("input.server.artifact == null", &["artifact"]),
            ("has(input.artifact.provenance)", &["artifact"]),
            ("has(input.provenance) && input.provenance.method == 'cosign_slsa'", &["artifact"]),
            ("input['drift'].hasDrift", &["drift"]),
            (
                "!input.drift.items.exists(d, d.severity == 'critical') && input.artifact == null",
                &["artifact", "drift"],
            ),
            ("input == input", &["artifact", "drift"]),
            ("size(input) > 2", &["artifact", "drift"]),
            ("input[input.tools[0].name] == null", &["artifact", "drift"]),
            ("[{'a': input.drift}].size() == 1", &["drift"]),
            ("input.tools.all(t, t.name != 'artifact')", &[]),
            ("input.tools.all(t, t.description.contains('drift'))", &[]),
            ("input.tools.all(drift, drift.name != '')", &[]),
            ("input.server.name == 'a'", &[]),
            ("input.tools.exists(t, t.artifact == 1)", &[]),
        ] {
            assert_eq!(asked_by(expr).iter().map(String::as_str).collect::<Vec<_>>(), asks, "{expr}");
        }
    }
}
