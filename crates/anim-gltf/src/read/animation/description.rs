//! Clip descriptions in extras.

use anim_ir::number::narrow;
use anim_ir::{Clip, Event, Extras, TimeBase, Value, sort_by};

use crate::json::extras::{JsonExtras, Ours};
use crate::math::finite;

/// A clip as described by an animation's extras or by an entry of the scene's `clips`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Description {
    /// The clip, without its timeline.
    pub(crate) clip: Clip,
    /// Name of the timeline.
    pub(crate) timeline: String,
    pub(crate) time_base: TimeBase,
    pub(crate) events: Vec<Event>,
}

impl Description {
    /// Reads a description. `range` is the range of the keys in timeline seconds.
    pub(crate) fn of(
        extras: &JsonExtras<'_>,
        in_file: &str,
        offset: f32,
        range: (f32, f32),
    ) -> Description {
        let name = extras.name(in_file);
        let mut description = Description::of_entries(&extras.ours, name, offset, range);
        description.clip.extras.clone_from(&extras.own);
        old_group(&mut description.clip.group, &mut description.clip.extras);
        description
    }

    pub(crate) fn of_entries(
        ours: &Ours,
        name: String,
        offset: f32,
        range: (f32, f32),
    ) -> Description {
        let moved = |time: f32| finite(f64::from(time) + f64::from(offset));
        let time = |name: &str| ours.number(name).map(moved);
        let start = time("start").unwrap_or(range.0);
        let end = time("end").unwrap_or(range.1).max(start);
        let wrap = ours.text("wrap").and_then(|name| name.parse().ok()).unwrap_or_default();
        let group = ours.text("group").map(str::to_owned);
        let base = |unit: &str| match ours.map("time_base")?.get(unit)? {
            Value::Number(number) => {
                Some(narrow(*number)).filter(|number| number.is_finite() && *number > 0.0)
            }
            _ => None,
        };
        let time_base = match (base("frames_per_second"), base("progress_seconds")) {
            (Some(per_second), _) => TimeBase::Frames { per_second },
            (None, Some(duration)) => TimeBase::Progress { duration },
            (None, None) => TimeBase::Seconds,
        };
        let mut events: Vec<Event> =
            ours.list("events").iter().filter_map(|event| event_of(event, offset)).collect();
        sort_by(&mut events, Event::by_time);
        let timeline = ours.text("timeline").unwrap_or(&name).to_owned();
        Description {
            clip: Clip { name, start, end, wrap, group, ..Clip::default() },
            timeline,
            time_base,
            events,
        }
    }
}

fn event_of(event: &Value, offset: f32) -> Option<Event> {
    let Value::Map(event) = event else { return None };
    let event = Ours::of(event.clone());
    let mut group = event.text("group").map(str::to_owned);
    let mut payload = event.map("payload").cloned().unwrap_or_default();
    old_group(&mut group, &mut payload);
    Some(Event {
        time: finite(f64::from(event.number("time")?) + f64::from(offset)),
        name: event.text("name")?.to_owned(),
        group,
        payload,
    })
}

/// Reads the group in the form that older versions wrote: as the animation set of an ANM text file,
/// in the extras of that format.
pub(crate) fn old_group(group: &mut Option<String>, extras: &mut Extras) {
    const FORMAT: &str = "anm-text";
    if let Some(Value::Map(of_format)) = extras.get_mut(FORMAT)
        && let Some(Value::Text(set)) = of_format.remove("set")
    {
        group.get_or_insert(set);
        if of_format.is_empty() {
            extras.remove(FORMAT);
        }
    }
}
