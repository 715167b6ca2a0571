//! The entries for animations in the scene's extras, used if a program has dropped the animations'
//! own extras.

use std::collections::{BTreeMap, HashMap};

use anim_ir::Value;

use crate::json;
use crate::json::extras::Ours;

/// Entries of the scene's extras, keyed by animation name or, if animations have lost their names,
/// by index.
#[derive(Debug, Default)]
pub(crate) struct Summary<'a> {
    by_name: HashMap<&'a str, &'a BTreeMap<String, Value>>,
    by_number: HashMap<u64, &'a BTreeMap<String, Value>>,
    events: &'a [Value],
}

impl<'a> Summary<'a> {
    pub(crate) fn of(scene: &'a Ours) -> Summary<'a> {
        let mut summary = Summary { events: scene.list("events"), ..Summary::default() };
        for entry in scene.list("animations") {
            let Value::Map(entry) = entry else { continue };
            if let Some(Value::Text(name)) = entry.get("name") {
                summary.by_name.entry(name).or_insert(entry);
            }
            if let Some(number) = entry.get("animation").and_then(whole) {
                summary.by_number.entry(number).or_insert(entry);
            }
        }
        summary
    }

    /// Returns the replacement for an animation's extras. `None` if the animation has its own
    /// extras or the scene has no entry for it.
    pub(crate) fn of_animation(
        &self,
        number: usize,
        animation: &json::Animation<'_>,
    ) -> Option<Ours> {
        if !animation.extras.ours.is_empty() {
            return None;
        }
        let number = u64::try_from(number).ok()?;
        let entry = match &*animation.name {
            "" => self.by_number.get(&number),
            name => self.by_name.get(name),
        }?;
        let mut found = BTreeMap::new();
        if let Some(wrap) = entry.get("wrap") {
            found.insert("wrap".to_owned(), wrap.clone());
        }
        let list = entry.get("events").and_then(whole).and_then(|at| usize::try_from(at).ok());
        if let Some(events) = list.and_then(|at| self.events.get(at)) {
            found.insert("events".to_owned(), events.clone());
        }
        Some(Ours::of(found))
    }
}

fn whole(value: &Value) -> Option<u64> {
    if let Value::Number(number) = value { format!("{number}").parse().ok() } else { None }
}
