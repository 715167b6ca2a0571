//! Structural differences between two trees, and interpolation between them.

use super::nodes::{Node, Value};
use crate::math::slerp;

/// Returns the first structural difference between two trees; `None` if they are structurally
/// equal.
pub(super) fn difference(a: &Node, b: &Node) -> Option<String> {
    let here = |what: &str, a: &dyn std::fmt::Debug, b: &dyn std::fmt::Debug| {
        Some(format!("{what} {a:?} and {b:?}"))
    };
    if a.kind != b.kind || a.vrml1 != b.vrml1 {
        return here("types", &a.kind, &b.kind);
    }
    if a.def != b.def {
        return here("names", &a.def, &b.def);
    }
    if a.base != b.base {
        return here("folders", &a.base, &b.base);
    }
    let names = |node: &Node| node.fields.keys().cloned().collect::<Vec<_>>();
    if names(a) != names(b) {
        return here("fields", &names(a), &names(b));
    }
    let in_field = |name: &String| {
        value_difference(&a.fields[name], &b.fields[name])
            .map(|what| format!("{}.{name}: {what}", a.kind))
    };
    a.fields.keys().filter(|name| !is_place(a, name)).find_map(in_field)
}

/// Whether a field only contains the URL of an Inline's content.
fn is_place(node: &Node, field: &str) -> bool {
    matches!((&*node.kind, field), ("Inline", "url") | ("WWWInline", "name"))
}

fn value_difference(a: &Value, b: &Value) -> Option<String> {
    let lengths = |a: usize, b: usize| (a != b).then(|| format!("{a} and {b} values"));
    match (a, b) {
        (Value::Numbers(a), Value::Numbers(b)) => lengths(a.len(), b.len()),
        (Value::Rotations(a), Value::Rotations(b)) => lengths(a.len(), b.len()),
        (Value::Nodes(a), Value::Nodes(b)) => lengths(a.len(), b.len())
            .or_else(|| a.iter().zip(b).find_map(|(a, b)| difference(a, b))),
        (a, b) => (a != b).then(|| "other values".to_owned()),
    }
}

/// Interpolates between two structurally equal trees; `u` is 0 to 1.
pub(super) fn between(a: &Node, b: &Node, u: f64) -> Node {
    let mut node = a.clone();
    for (name, value) in &mut node.fields {
        let to = &b.fields[name];
        match (value, to) {
            (Value::Numbers(from), Value::Numbers(to)) => {
                from.iter_mut().zip(to).for_each(|(x, to)| *x += (to - *x) * u)
            }
            (Value::Rotations(from), Value::Rotations(to)) => {
                from.iter_mut().zip(to).for_each(|(q, &to)| *q = slerp(*q, to, u))
            }
            (Value::Nodes(from), Value::Nodes(to)) => {
                from.iter_mut().zip(to).for_each(|(node, to)| *node = between(node, to, u))
            }
            _ => {}
        }
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let group = |children| {
            let mut node = Node::new("Group", false, "");
            node.fields.insert("children".to_owned(), Value::Nodes(children));
            node
        };
        let (a, b) =
            (group(vec![Node::new("Sphere", false, "")]), group(vec![Node::new("Box", false, "")]));
        assert_eq!(difference(&a, &b).unwrap(), "Group.children: types \"Sphere\" and \"Box\"");
        assert_eq!(difference(&a, &group(vec![])).unwrap(), "Group.children: 1 and 0 values");
        let elsewhere = group(vec![Node::new("Sphere", false, "sub/")]);
        assert!(difference(&a, &elsewhere).unwrap().contains("folders"));
    }
}
