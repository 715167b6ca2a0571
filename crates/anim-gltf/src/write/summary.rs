//! The summary of animations in the scene's extras.
//!
//! Blender, Bevy and gltfpack drop the extras of animations but keep the scene's extras, so events
//! and wrap modes are written to both. In the scene's extras, animations with identical events
//! share a list.

use std::collections::{BTreeMap, HashMap};

use anim_ir::Value;

use crate::json;

/// Returns the entries for the scene's extras; empty if no animation has events or a wrap mode.
pub(crate) fn summary(animations: &[json::Animation<'_>]) -> Vec<(&'static str, Value)> {
    let mut lists: Vec<Value> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut entries: Vec<Value> = Vec::new();
    for (index, animation) in animations.iter().enumerate() {
        let ours = &animation.extras.ours;
        let mut entry = BTreeMap::new();
        if let Some(wrap) = ours.get("wrap") {
            entry.insert("wrap".to_owned(), wrap.clone());
        }
        if let Some(events) = ours.get("events") {
            let list = *known.entry(format!("{events:?}")).or_insert_with(|| {
                lists.push(events.clone());
                lists.len().saturating_sub(1)
            });
            entry.insert("events".to_owned(), number(list));
        }
        if !entry.is_empty() {
            entry.insert("animation".to_owned(), number(index));
            entry.insert("name".to_owned(), (*animation.name).into());
            entries.push(Value::Map(entry));
        }
    }
    let mut summary = Vec::new();
    if !entries.is_empty() {
        summary.push(("animations", Value::List(entries)));
    }
    if !lists.is_empty() {
        summary.push(("events", Value::List(lists)));
    }
    summary
}

fn number(index: usize) -> Value {
    u32::try_from(index).map_or(Value::Number(0.0), |index| f64::from(index).into())
}
