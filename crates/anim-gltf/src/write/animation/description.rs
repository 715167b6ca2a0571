//! Clip descriptions in the extras of animations.

use std::collections::BTreeMap;

use anim_ir::diag::quote;
use anim_ir::number::narrow;
use anim_ir::{Diagnostics, Event, TimeBase, Timeline, Value, Wrap};

use super::window::Window;
use crate::write::extras::shallow;

/// Returns the entries that describe a clip, which is read back under `name`. Times are relative to
/// the animation.
pub(crate) fn description(
    window: &Window<'_>,
    name: &str,
    timeline: &Timeline,
    offset: f32,
    events: &[&Event],
    losses: &mut Diagnostics,
) -> Vec<(&'static str, Value)> {
    let moved = |time: f32| Value::from(narrow(f64::from(time) - f64::from(offset)));
    let mut ours: Vec<(&'static str, Value)> =
        vec![("start", moved(window.start)), ("end", moved(window.end))];
    if !timeline.name.is_empty() && timeline.name != name {
        ours.push(("timeline", timeline.name.as_str().into()));
    }
    if window.wrap != Wrap::Unspecified {
        ours.push(("wrap", window.wrap.name().into()));
    }
    if let Some(group) = window.group {
        ours.push(("group", group.into()));
    }
    match timeline.time_base {
        TimeBase::Frames { per_second } if per_second.is_finite() => {
            ours.push(("time_base", Value::from([("frames_per_second", per_second.into())])))
        }
        TimeBase::Progress { duration } if duration.is_finite() => {
            ours.push(("time_base", Value::from([("progress_seconds", duration.into())])))
        }
        _ => {}
    }
    if offset != 0.0 {
        ours.push(("time_offset", offset.into()));
    }
    if !events.is_empty() {
        let mut event = |event: &&Event| {
            let mut map = BTreeMap::from([
                ("time".to_owned(), moved(event.time)),
                ("name".to_owned(), event.name.as_str().into()),
            ]);
            if let Some(group) = &event.group {
                map.insert("group".to_owned(), group.as_str().into());
            }
            if !event.payload.is_empty() {
                map.insert(
                    "payload".to_owned(),
                    Value::Map(shallow(&event.payload, losses, || {
                        format!("event {}", quote(event.name.as_bytes()))
                    })),
                );
            }
            Value::Map(map)
        };
        ours.push(("events", Value::List(events.iter().map(&mut event).collect())));
    }
    ours
}
