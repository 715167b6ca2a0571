//! Extras as JSON. What this crate adds stands under one name; the crate's documentation lists it.

use std::borrow::Cow;

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, Extras, Value};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::codes;

/// Under which name this crate adds to extras.
pub(crate) const NAMESPACE: &str = "anim_formats";
/// Readers of JSON commonly stop at 128 levels; objects around the extras take some of them.
const DEEPEST: usize = 64;
/// Up to here every whole number is an f64.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Extras of one object, ready to be written.
#[derive(Clone, Debug)]
pub(crate) struct JsonExtras<'a>(Cow<'a, Extras>);

/// Puts what this crate has to say beside what the scene says. `None` where neither says anything.
pub(crate) fn extras<'a>(
    scene: &'a Extras,
    ours: Vec<(&str, Value)>,
    losses: &mut Diagnostics,
    whose: impl Fn() -> String,
) -> Option<JsonExtras<'a>> {
    let deep = |value: &Value| is_deeper(value, DEEPEST);
    if ours.is_empty() && !scene.values().any(deep) {
        return (!scene.is_empty()).then_some(JsonExtras(Cow::Borrowed(scene)));
    }
    let mut merged = shallow(scene, losses, whose);
    if !ours.is_empty() {
        let ours = ours.into_iter().map(|(name, value)| (name.to_owned(), value));
        match merged.get_mut(NAMESPACE) {
            // A scene that was read from such a file may bring the name along.
            Some(Value::Map(map)) => map.extend(ours),
            _ => {
                merged.insert(NAMESPACE.to_owned(), Value::Map(ours.collect()));
            }
        }
    }
    (!merged.is_empty()).then_some(JsonExtras(Cow::Owned(merged)))
}

/// A copy of the entries that are not nested too deeply.
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
                    "extra {} of {} is nested more than {DEEPEST} deep",
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

impl<'a> JsonExtras<'a> {
    /// The same with a list of texts beside the scene's own entries: some names are prescribed by
    /// custom, such as `targetNames`.
    pub(crate) fn with_list(
        extras: Option<JsonExtras<'a>>,
        name: &str,
        texts: impl Iterator<Item = &'a str>,
    ) -> JsonExtras<'a> {
        let mut all = extras.map_or_else(Extras::new, |extras| extras.0.into_owned());
        all.insert(name.to_owned(), texts.collect());
        JsonExtras(Cow::Owned(all))
    }
}

/// Whether lists and maps nest deeper than so many levels. Without recursion, since that is what it
/// guards.
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

impl Serialize for JsonExtras<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, Json(value))))
    }
}

struct Json<'a>(&'a Value);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Bool(value) => serializer.serialize_bool(*value),
            // Counts and indices look like such. What is not finite, JSON has no number for: the
            // serialiser writes null.
            Value::Number(number) if number.fract() == 0.0 && number.abs() <= LARGEST_WHOLE => {
                match format!("{number:.0}").parse::<i64>() {
                    Ok(whole) => serializer.serialize_i64(whole),
                    Err(_) => serializer.serialize_f64(*number),
                }
            }
            Value::Number(number) => serializer.serialize_f64(*number),
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(values) => serializer.collect_seq(values.iter().map(Json)),
            Value::Map(map) => {
                let mut entries = serializer.serialize_map(Some(map.len()))?;
                for (name, value) in map {
                    entries.serialize_entry(name, &Json(value))?;
                }
                entries.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(extras: Option<JsonExtras<'_>>) -> String {
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
        insta::assert_snapshot!(json(plain), @r#"{"amo":{"a":5,"b":0.1,"c":[true,false]},"nan":null}"#);
        let merged = extras(&scene, vec![("role", "rest".into())], &mut losses, String::new);
        insta::assert_snapshot!(json(merged), @r#"{"amo":{"a":5,"b":0.1,"c":[true,false]},"anim_formats":{"role":"rest"},"nan":null}"#);
        assert_eq!(json(extras(&Extras::new(), vec![], &mut losses, String::new)), "null");
        assert!(losses.is_empty());
    }

    #[test]
    fn what_is_too_deep_is_left_out() {
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
