//! Document to scene, without the model that it is about.

use anim_ir::diag::plural;
use anim_ir::number::narrow;
use anim_ir::{
    Clip, Converted, Diagnostics, Extras, Scene, TimeBase, TimelineBuilder, Value, Wrap,
};

use crate::bind::{EventScope, events, of_set, seconds};
use crate::codes;
use crate::document::{Document, Set};

/// The name of this format in extras.
pub(crate) const ANM_TEXT: &str = "anm-text";

/// Frames in a second (the EV line of the specification).
pub const FRAMES_PER_SECOND: f64 = 24.0;

/// How to turn a document into a scene.
#[derive(Clone, Copy, Debug)]
pub struct ToIr {
    /// Frames of the file in a second, greater than 0.
    pub frames_per_second: f64,
}

impl Default for ToIr {
    fn default() -> ToIr {
        ToIr { frames_per_second: FRAMES_PER_SECOND }
    }
}

/// The animations as named ranges of a timeline that has no keys, only the events. Bones stay
/// names, in the scene's extras. [`crate::bind()`] puts them on a model.
pub fn to_ir(document: &Document<'_>, options: &ToIr) -> Converted<Scene> {
    let mut losses = Diagnostics::new();
    losses.push(&codes::NO_MODEL, None, || {
        let clips = document.sets().map(|set| set.clips().len()).sum();
        format!("{} of a model that is not there: ranges without keys", plural(clips, "animation"))
    });
    let frames_per_second = options.frames_per_second;
    let mut builder = TimelineBuilder::new("")
        .time_base(TimeBase::Frames { per_second: narrow(frames_per_second) });
    events(document, EventScope::OwnSet, frames_per_second)
        .into_iter()
        .for_each(|event| builder.event(event));
    let clips = document.sets().flat_map(|set| {
        let (set_name, extras) = (set.name(), of_set(&set.name()));
        set.clips()
            .map(move |clip| Clip {
                name: clip_name(&set_name, &clip.name()),
                timeline: 0,
                start: seconds(clip.start(), frames_per_second),
                end: seconds(clip.end(), frames_per_second),
                wrap: Wrap::Unspecified,
                joints: None,
                extras: extras.clone(),
            })
            .collect::<Vec<Clip>>()
    });
    let sets = document.sets().map(|set| set_value(&set)).collect();
    let extras = Extras::from([(ANM_TEXT.to_owned(), Value::from([("sets", sets)]))]);
    let scene = Scene {
        clips: clips.collect(),
        timelines: vec![builder.finish()],
        extras,
        ..Scene::default()
    };
    Converted { value: scene, losses }
}

/// A set's animation in formats that have one list for all: two sets may each have a `walk`.
pub(crate) fn clip_name(set: &str, clip: &str) -> String {
    format!("{set}/{clip}")
}

fn set_value(set: &Set<'_>) -> Value {
    let bone = |bone: crate::Bone<'_>| {
        Value::from([
            ("name", bone.name().as_ref().into()),
            ("children", bone.with_children().into()),
            ("parent", bone.with_parent().into()),
        ])
    };
    Value::from([("name", set.name().as_ref().into()), ("bones", set.bones().map(bone).collect())])
}
