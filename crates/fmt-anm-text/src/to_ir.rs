//! Converts a document to a scene, without a model.

use anim_ir::diag::plural;
use anim_ir::number::narrow;
use anim_ir::{Clip, Converted, Diagnostics, Extras, Scene, TimeBase, TimelineBuilder, Value};

use crate::bind::{EventScope, clip_name, events};
use crate::codes;
use crate::document::{Document, Set};
use crate::frames::{FRAMES_PER_SECOND, RATE, rate, seconds};

/// The key for this format in extras.
pub(crate) const ANM_TEXT: &str = "anm-text";

anim_ir::options! {
    /// Options for converting a document to a scene.
    pub struct ToIr {
        /// The file's frame rate, greater than 0. `None` means 24, as specified.
        frames_per_second (with_frames_per_second): Option<f64> = Some(FRAMES_PER_SECOND),
            positive("rate", Some("24"), RATE);
    }
}

/// Converts a document to a scene with a timeline without keys: animations become named ranges,
/// events are kept, and bone names are stored in the scene's extras. Use [`crate::bind()`] to bind
/// the document to a model.
pub fn to_ir(document: &Document<'_>, options: &ToIr) -> Converted<Scene> {
    let mut losses = Diagnostics::new();
    losses.push(&codes::NO_MODEL, None, || {
        let clips = document.sets().map(|set| set.clips().len()).sum();
        format!("{} without keys: no model was given", plural(clips, "animation"))
    });
    let frames_per_second = rate(options.frames_per_second);
    let mut builder = TimelineBuilder::new("")
        .with_time_base(TimeBase::Frames { per_second: narrow(frames_per_second) });
    events(document, EventScope::OwnSet, frames_per_second)
        .into_iter()
        .for_each(|event| builder.event(event));
    let clips = document.sets().flat_map(|set| {
        let group = set.name();
        set.clips().map(move |clip| Clip {
            name: clip_name(&group, &clip.name()),
            start: seconds(clip.start(), frames_per_second),
            end: seconds(clip.end(), frames_per_second),
            group: Some(group.clone().into_owned()),
            ..Clip::default()
        })
    });
    let set = |set: Set<'_>| {
        Value::from([("name", set.name().as_ref().into()), ("bones", bones_value(&set))])
    };
    let sets = document.sets().map(set).collect();
    let extras = Extras::from([(ANM_TEXT.to_owned(), Value::from([("sets", sets)]))]);
    let scene = Scene {
        clips: clips.collect(),
        timelines: vec![builder.finish()],
        extras,
        ..Scene::default()
    };
    Converted { value: scene, losses }
}

/// Returns the bones of a set in the form used in extras.
pub(crate) fn bones_value(set: &Set<'_>) -> Value {
    let bone = |bone: crate::Bone<'_>| {
        Value::from([
            ("name", bone.name().as_ref().into()),
            ("children", bone.with_children().into()),
            ("parent", bone.with_parent().into()),
        ])
    };
    set.bones().map(bone).collect()
}
