//! Conversion from documents to scenes.

use anim_ir::diag::{plural, quote};
use anim_ir::{
    Axes, Budget, Clip, Converted, Diagnostics, Joint, Scene, Skeleton, TimeBase, TimelineBuilder,
};

use crate::codes;
use crate::document::Document;
use crate::options::{ToIr, asked_rate};
use crate::rows::{KeyValues, Rows};
use crate::times::Times;

/// Converts a document to a clip of its frames. Equivalent to [`parts_to_ir`] with one part.
pub fn to_ir(document: &Document<'_>, options: &ToIr) -> Converted<Scene> {
    parts_to_ir(&[document], options)
}

/// Converts several documents to one clip, in order. The game splits long animations across several
/// files.
///
/// Object n becomes joint n, `object_n`, without a parent; the rest pose is that of the model. Keys
/// are placed at the start of each frame, and the last key is repeated at the end of the clip, so
/// that the last frame is shown for as long as all other frames. Objects that a frame does not draw
/// are hidden.
pub fn parts_to_ir(parts: &[&Document<'_>], options: &ToIr) -> Converted<Scene> {
    let mut losses = Diagnostics::new();
    let (objects, times) = collect(parts, options, &mut losses);
    let mut skeleton = Skeleton::nodes("objects");
    for index in 0..objects.len() {
        let joint = Joint::new(format!("object_{index}"), None);
        skeleton.add_joint(Joint { source_index: index, ..joint });
    }
    let per_second = parts.first().map_or(30.0, |document| rate(document, options));
    let mut builder =
        TimelineBuilder::new(&options.name).with_time_base(TimeBase::Frames { per_second });
    for ((joint, _), rows) in skeleton.enumerate_joints().zip(objects) {
        // Cannot fail: times ascend, numbers are finite, and each property is only added once.
        let added = rows.add_tracks(joint.into(), &times, options, &mut builder);
        debug_assert_eq!(added, Ok(()));
    }
    let clip = Clip { name: options.name.clone(), end: times.end(), ..Clip::default() };
    let scene = Scene {
        name: options.name.clone(),
        axes: Axes::YDown,
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips: vec![clip],
        ..Scene::default()
    };
    Converted { value: scene, losses }
}

fn rate(document: &Document<'_>, options: &ToIr) -> f32 {
    asked_rate(options.frames_per_second).unwrap_or(document.frames_per_second())
}

/// The memory charged for a key: its row, and its entries in three tracks.
const KEY_BYTES: usize = 64;

/// Collects the keys of each object and the times of the frames.
fn collect(
    documents: &[&Document<'_>],
    options: &ToIr,
    losses: &mut Diagnostics,
) -> (Vec<Rows>, Times) {
    let mut objects: Vec<Rows> = vec![Rows::default(); options.objects.unwrap_or(0)];
    let values = KeyValues::new(options);
    // The objects that the model lacks, and the number of frames with keys for any of them.
    let (mut missing, mut frames_missing) = ([false; 256], 0_usize);
    let mut times = Times::default();
    let input = documents.iter().map(|document| document.source.len());
    let budget = Budget::new(&options.limits, input.fold(0, usize::saturating_add));
    let mut unknown = Unknown::default();
    let mut is_full = false;
    for document in documents {
        let per_second = rate(document, options);
        unknown.bytes += document.gap().len() + document.trailing().len();
        for frame in document.frames() {
            let (mut lacks_any, mut count) = (false, 0_usize);
            let at = (times.frames(), times.end());
            let mut keys = frame.keys();
            for key in keys.by_ref() {
                unknown.flags += usize::from(key.unknown_flags != 0);
                if is_full {
                    continue;
                }
                let object = usize::from(key.object);
                if options.objects.is_none() && object >= objects.len() {
                    objects.resize(object + 1, Rows::default());
                }
                match (objects.get_mut(object), missing.get_mut(object)) {
                    (Some(rows), _) => {
                        rows.reserve(document.frames().len());
                        rows.add(at, &key, &values);
                    }
                    (None, Some(missing)) => (*missing, lacks_any) = (true, true),
                    (None, None) => {}
                }
                count = count.saturating_add(1);
            }
            unknown.bytes += keys.rest().len();
            if is_full {
                continue;
            }
            frames_missing += usize::from(lacks_any);
            times.add_frame(per_second);
            if let Err(error) = budget.charge("the keys", count.saturating_mul(KEY_BYTES)) {
                losses.push(&codes::SCENE_LIMIT, None, || {
                    format!("{error}; frames from {} on are dropped", times.frames())
                });
                is_full = true;
            }
        }
    }
    let mut missing = (0_u16..).zip(missing).filter(|(_, is_missing)| *is_missing);
    if let Some((first, _)) = missing.next() {
        let (others, last) = missing.fold((0_u16, first), |(count, _), (at, _)| (count + 1, at));
        losses.push(&codes::OBJECT, None, || {
            let name = match options.name.as_str() {
                "" => String::new(),
                name => format!("{}: ", quote(name.as_bytes())),
            };
            let which = match others {
                0 => format!("object {first} has"),
                others if last - first == others => format!("objects {first} to {last} have"),
                others => format!("{} of objects {first} to {last} have", others + 1),
            };
            let frames = plural(frames_missing, "frame");
            let has = match objects.len() {
                0 => "the model has no objects".to_owned(),
                1 => "the model has only object 0".to_owned(),
                count => format!("the model has only objects 0 to {}", count.saturating_sub(1)),
            };
            format!("{name}{which} keys in {frames}, but {has}")
        });
    }
    unknown.report(losses);
    (objects, times)
}

/// What the documents have that has no known meaning.
#[derive(Default)]
struct Unknown {
    /// The number of bytes outside of keys.
    bytes: usize,
    /// The number of keys with unknown bits in their flags.
    flags: usize,
}

impl Unknown {
    fn report(self, losses: &mut Diagnostics) {
        let Unknown { bytes, flags } = self;
        losses.lost(&codes::LOSS_UNKNOWN, bytes > 0, || {
            format!("{} outside of keys", plural(bytes, "byte"))
        });
        losses.lost(&codes::LOSS_UNKNOWN, flags > 0, || {
            format!("unknown bits in the flags of {}", plural(flags, "key"))
        });
    }
}
