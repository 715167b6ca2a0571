//! Extras: the scene's own entries and the entries that this crate adds.

use std::borrow::Cow;

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, Extras, Value};

use crate::codes;
use crate::json::extras::{COPYRIGHT, GLTF, JsonExtras, Ours};

/// Maximum nesting depth. JSON parsers commonly stop at 128 levels, which include the objects that
/// contain the extras.
const DEEPEST: usize = 64;

/// Returns the scene's extras together with this crate's entries.
pub(crate) fn extras<'a>(
    scene: &'a Extras,
    ours: Vec<(&'static str, Value)>,
    losses: &mut Diagnostics,
    whose: impl Fn() -> String,
) -> JsonExtras<'a> {
    let own = if scene.values().any(|value| is_deeper(value, DEEPEST)) {
        Cow::Owned(shallow(scene, losses, whose))
    } else {
        Cow::Borrowed(scene)
    };
    JsonExtras { own, ours: Ours::new(ours), is_odd: false }
}

/// Moves the copyright notice out of the extras of the scene: glTF stores it in the asset.
pub(crate) fn take_copyright(extras: &mut Cow<'_, Extras>) -> Option<String> {
    let Some(Value::Map(entries)) = extras.get(GLTF) else { return None };
    let Some(Value::Text(notice)) = entries.get(COPYRIGHT) else { return None };
    let (notice, is_only) = (notice.clone(), entries.len() == 1);
    let extras = extras.to_mut();
    if is_only {
        extras.remove(GLTF);
    } else if let Some(Value::Map(entries)) = extras.get_mut(GLTF) {
        entries.remove(COPYRIGHT);
    }
    Some(notice)
}

/// Copies the entries that are not nested too deeply.
pub(crate) fn shallow(
    scene: &Extras,
    losses: &mut Diagnostics,
    whose: impl Fn() -> String,
) -> Extras {
    let mut kept = Extras::new();
    for (name, value) in scene {
        if is_deeper(value, DEEPEST) {
            losses.push(&codes::EXTRAS_DEPTH, None, || {
                format!(
                    "extra {} of {} is nested more than {DEEPEST} levels deep",
                    quote(name.as_bytes()),
                    whose()
                )
            });
        } else {
            kept.insert(name.clone(), value.clone());
        }
    }
    kept
}

/// Whether lists and maps are nested deeper than `levels`. This is iterative, since it guards
/// against deep recursion.
fn is_deeper(value: &Value, levels: usize) -> bool {
    let mut open = vec![(value, 1_usize)];
    while let Some((value, depth)) = open.pop() {
        if depth > levels {
            return true;
        }
        let below = depth.saturating_add(1);
        match value {
            Value::List(values) => open.extend(values.iter().map(|value| (value, below))),
            Value::Map(map) => open.extend(map.values().map(|value| (value, below))),
            Value::Bool(_) | Value::Number(_) | Value::Text(_) => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(extras: JsonExtras<'_>) -> String {
        serde_json::to_string(&extras).unwrap()
    }

    #[test]
    fn values_as_json() {
        let mut scene = Extras::new();
        scene.insert(
            "amo".into(),
            Value::from([
                ("a", 5.0.into()),
                ("b", 0.1_f32.into()),
                ("c", [true, false].into_iter().collect()),
            ]),
        );
        scene.insert("nan".into(), f64::NAN.into());
        let mut losses = Diagnostics::new();
        let plain = extras(&scene, vec![], &mut losses, String::new);
        insta::assert_snapshot!(
            json(plain),
            @r#"{"amo":{"a":5,"b":0.1,"c":[true,false]},"nan":null}"#
        );
        let merged = extras(&scene, vec![("role", "rest".into())], &mut losses, String::new);
        insta::assert_snapshot!(
            json(merged),
            @r#"{"amo":{"a":5,"b":0.1,"c":[true,false]},"anim_formats":{"role":"rest"},"nan":null}"#
        );
        assert_eq!(extras(&Extras::new(), vec![], &mut losses, String::new), JsonExtras::default());
        assert!(losses.is_empty());
    }

    #[test]
    fn entries_nested_too_deeply_are_omitted() {
        let mut value = Value::from(1.0);
        for _ in 0..5_000 {
            value = Value::List(vec![value]);
        }
        let scene = Extras::from([("deep".to_owned(), value), ("flat".to_owned(), 1.0.into())]);
        let mut losses = Diagnostics::new();
        let found = json(extras(&scene, vec![], &mut losses, || "scene".to_owned()));
        assert_eq!((found.as_str(), losses.count(&codes::EXTRAS_DEPTH)), (r#"{"flat":1}"#, 1));
    }
}
