//! Conversion of documents to scenes, limited to the animations and their times.

use anim_ir::{
    Clip, Converted, Diagnostics, Extras, Scene, TimelineBuilder, Value, Wrap, diag::plural,
    diag::quote, insert_all,
};

use crate::codes;
use crate::content::{Animation, Content, Frame, UNNAMED};
use crate::document::Document;

/// The extras entry for the name of the file that a clip is named after.
const NAMED_AFTER: &str = "named_after_file";

anim_ir::options! {
    /// Options for converting a document to a scene.
    pub struct ToIr {
        /// Appends the reversed frames to animations that play forwards and then backwards, for
        /// players without support for ping-pong clips. This option is for code that converts
        /// frames to motion; [`to_ir`] ignores it.
        bake_backwards (with_bake_backwards): bool = false,
            flag("bake-backwards",
                "Append the reversed frames to animations that play forwards and then backwards");
        /// Applies [`Animation::equality_epsilon`]: what changes by at most that much from one
        /// frame to the next does not change. Castle Game Engine has ignored it since 2017, and
        /// its default freezes slow motion. This option is for code that converts frames to
        /// motion; [`to_ir`] ignores it.
        equality_epsilon (with_equality_epsilon): bool = false,
            flag("equality-epsilon",
                "Ignore changes between frames that are smaller than the file's equality_epsilon");
    }
}

/// Converts each animation of the document to a clip and an empty timeline.
///
/// This crate does not read the content of frames, so the missing geometry is reported as a loss.
/// To read geometry, combine [`clip`] with an X3D reader.
pub fn to_ir(document: &Document<'_>, _: &ToIr) -> Converted<Scene> {
    let mut scene = Scene::default();
    let mut losses = Diagnostics::new();
    for animation in document.animations() {
        let timeline = scene.add_timeline(TimelineBuilder::new(&animation.name).finish());
        scene.add_clip(Clip { timeline, ..clip(animation) });
        losses.push(&codes::LOSS_FRAMES, document.source_span(animation.span), || {
            format!(
                "the geometry of {} of {} is not read",
                plural(animation.frames.len(), "frame"),
                quote(animation.name.as_bytes())
            )
        });
    }
    Converted { value: scene, losses }
}

/// Converts an animation to a clip, with the times of the file. Properties without a counterpart in
/// the IR are stored in its extras, under `castle`.
///
/// | `loop` | `backwards` | [`Clip::wrap`] |
/// |---|---|---|
/// | false | false | once |
/// | true | false | loop |
/// | true | true | ping-pong |
/// | false | true | ping-pong once |
pub fn clip(animation: &Animation) -> Clip {
    let (start, end) = animation.range();
    let wrap = match (animation.loops, animation.backwards) {
        (true, true) => Wrap::PingPong,
        (true, false) => Wrap::Loop,
        (false, true) => Wrap::PingPongOnce,
        (false, false) => Wrap::Once,
    };
    let castle = Value::from([
        ("scenes_per_time", Value::from(animation.scenes_per_time)),
        ("equality_epsilon", Value::from(animation.equality_epsilon)),
        ("loop", Value::from(animation.loops)),
        ("backwards", Value::from(animation.backwards)),
        ("frames", animation.frames.iter().map(frame).collect()),
    ]);
    Clip {
        name: animation.name.clone(),
        start,
        end,
        wrap,
        extras: Extras::from([("castle".to_owned(), castle)]),
        ..Clip::default()
    }
}

/// Converts the only animation of a file to a clip. If the animation has no name, the clip is named
/// after the file. The extras record this so that [`from_ir`](crate::from_ir()) omits the name
/// again.
pub fn clip_of_file(animation: &Animation, file: &str) -> Clip {
    let mut clip = clip(animation);
    if animation.name == UNNAMED && !file.is_empty() && file != UNNAMED {
        file.clone_into(&mut clip.name);
        if let Some(Value::Map(castle)) = clip.extras.get_mut("castle") {
            castle.insert(NAMED_AFTER.to_owned(), file.into());
        }
    }
    clip
}

/// Whether a clip is named after its file and has not been renamed since.
pub(crate) fn is_named_after_file(clip: &Clip) -> bool {
    matches!(clip.extras.get("castle"), Some(Value::Map(castle))
        if castle.get(NAMED_AFTER) == Some(&Value::from(clip.name.as_str())))
}

fn frame(frame: &Frame) -> Value {
    let mut entries = vec![("time".to_owned(), Value::from(frame.time))];
    if let Content::Url(url) = &frame.content {
        entries.push(("url".to_owned(), Value::from(url.as_str())));
    }
    if let Some(found) = frame.bounding_box {
        entries.push(("bounding_box_center".to_owned(), found.center.into_iter().collect()));
        entries.push(("bounding_box_size".to_owned(), found.size.into_iter().collect()));
    }
    Value::Map(insert_all(entries))
}
