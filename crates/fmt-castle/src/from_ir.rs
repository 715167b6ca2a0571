//! Conversion of scenes to documents: X3D stills sampled from the clips.

mod colors;
mod def_name;
mod geometry;
mod joints;
mod look;
mod number;
mod posed;
mod stills;

use std::borrow::Cow;

use anim_ir::diag::{plural, quote};
use anim_ir::number::{count, narrow};
use anim_ir::{
    Axes, Bake, Budget, Channel, Clip, Converted, Curve, Diagnostics, EventIndex, Interpolation,
    Pose, Sampler, Scene, Skeleton, SkeletonId, Timeline, Track, UniqueNames, Up, Wrap,
    require_valid,
};

use crate::codes;
use crate::content::UNNAMED;
use crate::document::Document;
use crate::error::FromIrError;
use crate::to_ir::is_named_after_file;
use crate::writer::{NewAnimation, NewContent, NewFrame};
use stills::{Stills, text_length};

anim_ir::options! {
    /// Options for writing a scene.
    pub struct FromIr {
        /// The axis that points up in the scene.
        up (with_up): Up = Up::Y,
            choice("up", Up::NAMES, Some("y"), Up::HELP);
        /// Frames per second; `None` means one frame per key if that is lossless, otherwise 25. A
        /// clip in which all tracks are stepped always gets one frame per key.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("fps", None,
                "Sampling rate, for targets that cannot store the source's keys exactly. glTF \
                 and X3D keys keep their times unless a rate is given");
        /// Whether to embed frames from separate files in the document
        /// ([`inline`](crate::inline)). [`from_ir`] and [`finish`](crate::finish) ignore this
        /// option; it is for callers that can read those files.
        inline (with_inline): bool = false,
            flag("inline", "Embed frames that are in separate files").conflicts("extract");
        /// Whether to write frames to separate files ([`extract`](crate::extract)).
        extract (with_extract): bool = false,
            flag("extract", "Write frames to separate files next to the output");
        /// Whether to minify the file ([`minify`](crate::minify)).
        minify (with_minify): bool = false,
            flag("minify",
                "Shrink the file: remove insignificant whitespace, excess decimals and redundant \
                 frames");
        /// Maximum decimal places of numbers when minifying.
        decimals (with_decimals): u32 = 4,
            integer("decimals", (0, 9), Some("4"),
                "With `--minify`: maximum decimal places of numbers")
                .requires("minify");
        /// When minifying, the maximum deviation of any number in a dropped frame from the
        /// straight line between the kept frames.
        epsilon (with_epsilon): f32 = 0.0005,
            non_negative("epsilon", Some("0.0005"),
                "With `--minify`: maximum deviation of dropped frames from the straight line \
                 between kept frames")
                .requires("minify");
    }
}

/// Converts the scene's clips to animations made of stills, and reports losses.
///
/// Meshes attached to a joint stay in a tree of `Transform` nodes, which preserves the
/// interpolation of rotations. Skinned meshes, and meshes attached to a joint whose transform is
/// not a combination of translation, rotation and scale, are written at their positions in model
/// space. A scene without clips becomes a single still.
///
/// # Errors
///
/// [`FromIrError`] if the scene is invalid ([`anim_ir::validate`]), has nothing to show, or exceeds
/// the limits when sampled, or if the frame rate is invalid.
pub fn from_ir(
    scene: &Scene,
    options: &FromIr,
) -> Result<Converted<Document<'static>>, FromIrError> {
    require_valid(scene)?;
    let rate = options.frames_per_second.unwrap_or(RATE);
    if !(rate.is_finite() && rate > 0.0) {
        return Err(FromIrError::Rate(rate));
    }
    if scene.clips.is_empty() && !scene.nodes.iter().any(|node| node.mesh.is_some()) {
        return Err(FromIrError::Empty);
    }
    let budget = Budget::for_scene(&options.limits, scene);
    let mut keyed = scene.in_keys(Axes::YUp, &Bake::default(), &budget)?;
    options.up.apply(&mut keyed.value);
    let (scene, mut losses) = (&*keyed.value, keyed.losses);
    // A mesh is written once per use. The first still is charged before it is prepared.
    let still_length = text_length(scene).saturating_mul(if options.minify { 2 } else { 1 });
    budget.charge(STILLS, still_length)?;
    let stills = Stills::new(scene, &mut losses);
    let mut maker = Maker {
        stills: &stills,
        rate,
        keeps_keys: options.frames_per_second.is_none(),
        budget: &budget,
        frame_bytes: if options.extract { FILE_BYTES } else { FRAME_BYTES },
        still_length,
        events: EventIndex::of(scene),
        names: UniqueNames::new(),
        losses,
    };
    let mut animations = Vec::with_capacity(scene.clips.len());
    for clip in &scene.clips {
        animations.push(maker.animation(clip)?);
    }
    if animations.is_empty() {
        let frames = vec![still(&stills, 0.0, &Pose::default(), None)];
        let name = maker.name(&scene.name);
        animations.push(NewAnimation { frames, ..NewAnimation::new(name) });
    }
    let mut losses = maker.losses;
    stills.losses(&mut losses);
    if !scene.cameras.is_empty() {
        losses.push(&codes::LOSS_CAMERA, None, || {
            format!("{} not written", plural(scene.cameras.len(), "camera"))
        });
    }
    Ok(Converted { value: Document::build(&animations)?, losses })
}

/// The memory charged for a frame in addition to its still: its attributes and its entry in the
/// document.
const FRAME_BYTES: usize = 640;
/// The memory charged for a frame that becomes a file, mostly for the time that writing it takes.
const FILE_BYTES: usize = 32 << 10;

/// Frames per second of clips that are sampled.
const RATE: f64 = 25.0;
/// The name of stills in error messages.
const STILLS: &str = "the stills";

/// Converts clips to animations.
struct Maker<'s> {
    stills: &'s Stills<'s>,
    /// Frames per second.
    rate: f64,
    /// Whether clips get one frame per key if that is lossless.
    keeps_keys: bool,
    budget: &'s Budget,
    /// The memory charged for a frame in addition to its still.
    frame_bytes: usize,
    /// The memory charged for a still: the length of its text, which is read again to minify it.
    still_length: usize,
    events: EventIndex<'s>,
    names: UniqueNames<'static>,
    losses: Diagnostics,
}

impl Maker<'_> {
    fn animation(&mut self, clip: &Clip) -> Result<NewAnimation<'static>, FromIrError> {
        let stills = self.stills;
        let name = self.name(if is_named_after_file(clip) { UNNAMED } else { &clip.name });
        // In a valid scene, the timeline exists, but it may have no skeleton. Then no joint moves.
        let timeline = stills.scene.timeline(clip.timeline).ok_or(FromIrError::Empty)?;
        let none = Skeleton::default();
        let skeleton = stills.scene.skeleton(timeline.skeleton).unwrap_or(&none);
        let bytes = self.still_length.saturating_add(self.frame_bytes);
        let of_keys = timeline.key_count().saturating_add(2);
        let steps = in_steps(timeline);
        let is_exact = steps
            || self.keeps_keys
                && in_lines(stills, timeline)
                && self.budget.check(STILLS, of_keys.saturating_mul(bytes)).is_ok();
        // Count the frames before building any.
        let is_still =
            timeline.tracks().iter().all(|track| matches!(track.curve, Curve::Constant(_)));
        let count = if is_exact {
            of_keys
        } else if is_still {
            // The first and the last frame, which are equal.
            2
        } else {
            frame_count(clip, self.rate)
        };
        self.budget.charge(STILLS, count.saturating_mul(bytes))?;
        let times =
            if is_exact { key_times(clip, timeline) } else { even_times(clip, self.rate, count) };
        let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
        let mut pose = Pose::default();
        let mut frames = Vec::with_capacity(times.len());
        for time in times {
            sampler.sample(f64::from(time), &mut pose);
            frames.push(still(stills, time, &pose, Some(timeline.skeleton)));
        }
        self.clip_losses(clip, timeline, is_exact, frames.len());
        Ok(NewAnimation {
            scenes_per_time: if steps { 0 } else { 30 },
            loops: matches!(clip.wrap, Wrap::Loop | Wrap::PingPong),
            backwards: matches!(clip.wrap, Wrap::PingPong | Wrap::PingPongOnce),
            frames,
            ..NewAnimation::new(name)
        })
    }

    fn clip_losses(&mut self, clip: &Clip, timeline: &Timeline, is_exact: bool, frames: usize) {
        if !is_exact && moving(timeline).next().is_some() {
            self.losses.push(&codes::LOSS_SAMPLED, None, || {
                let (name, stills) = (quote(clip.name.as_bytes()), plural(frames, "still"));
                format!("{name} is sampled: {stills}, {} per second", self.rate)
            });
        }
        let events = self.events.count_in(clip);
        if events > 0 {
            self.losses.push(&codes::LOSS_EVENTS, None, || {
                format!("{} has {}", quote(clip.name.as_bytes()), plural(events, "event"))
            });
        }
    }

    /// Returns a unique name that the format and the engine can store.
    fn name(&mut self, name: &str) -> Cow<'static, str> {
        let known = |c: char| if anim_ir::xml::is_character(c) { c } else { '_' };
        let possible: String = if name.is_empty() {
            "animation".to_owned()
        } else {
            name.chars().map(known).collect()
        };
        let unique = self.names.claim(possible);
        if unique != name {
            self.losses.push(&codes::LOSS_NAME, None, || {
                format!(
                    "the name {} is written as {}",
                    quote(name.as_bytes()),
                    quote(unique.as_bytes())
                )
            });
        }
        unique
    }
}

fn still(
    stills: &Stills<'_>,
    time: f32,
    pose: &Pose,
    skeleton: Option<SkeletonId>,
) -> NewFrame<'static> {
    let (document, bounding_box) = stills.at(pose, skeleton);
    NewFrame { bounding_box, ..NewFrame::new(time, NewContent::X3d(document.into())) }
}

/// Returns the tracks with keys.
fn moving(timeline: &Timeline) -> impl Iterator<Item = &Track> {
    timeline.tracks().iter().filter(|track| matches!(track.curve, Curve::Keys { .. }))
}

/// Whether there are tracks with keys, and all of them are stepped.
fn in_steps(timeline: &Timeline) -> bool {
    let is_step = |track: &Track| timeline.keys(track).interpolation == Interpolation::Step;
    moving(timeline).next().is_some() && moving(timeline).all(is_step)
}

/// Whether there are tracks with keys, and the interpolation between stills at their times is that
/// of the tracks: translations, scales and vertices along straight lines, rotations along arcs.
fn in_lines(stills: &Stills<'_>, timeline: &Timeline) -> bool {
    let is_line = |track: &Track| {
        let of_joint =
            matches!(track.channel, Channel::Translation | Channel::Rotation | Channel::Scale);
        timeline.keys(track).interpolation == Interpolation::Linear
            && (track.channel == Channel::MorphWeights
                || of_joint && stills.moves_in_nodes(timeline.skeleton))
    };
    let is_known = |track: &Track| matches!(track.curve, Curve::Keys { .. } | Curve::Constant(_));
    moving(timeline).next().is_some()
        && moving(timeline).all(is_line)
        && timeline.tracks().iter().all(is_known)
}

/// Returns the times of the clip's start, keys and end.
fn key_times(clip: &Clip, timeline: &Timeline) -> Vec<f32> {
    let keys = timeline.tables().iter().flat_map(|table| table.times()).copied();
    let mut times: Vec<f32> = keys
        .filter(|time| clip.start < *time && *time < clip.end)
        .chain([clip.start, clip.end])
        .collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

fn frame_count(clip: &Clip, rate: f64) -> usize {
    let steps = clip.duration() * rate;
    // If the clip is a whole number of frames long, its end may be slightly late because it was
    // rounded to 32 bits.
    count((steps - 1e-4).ceil()).saturating_add(1)
}

/// Returns times at regular intervals from the clip's start, followed by its end.
fn even_times(clip: &Clip, rate: f64, count: usize) -> Vec<f32> {
    let inner = count.saturating_sub(1);
    let time = |frame: usize| {
        let frame = f64::from(u32::try_from(frame).unwrap_or(u32::MAX));
        narrow(f64::from(clip.start) + frame / rate)
    };
    let mut times: Vec<f32> =
        (0..inner).map(time).filter(|time| *time < clip.end).chain([clip.end]).collect();
    times.dedup();
    times
}
