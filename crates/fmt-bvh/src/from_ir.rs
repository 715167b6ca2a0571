//! Converts a scene to a document by sampling the clip.

mod angles;
mod bones;
mod ends;
mod local;
mod losses;
mod sample;
mod source;

use std::borrow::Cow;

use anim_ir::format::SeveralClips;
use anim_ir::number::narrow;
use anim_ir::{
    Axes, Bake, Budget, Converted, Diagnostics, EulerOrder, LimitError, Scene, require_valid,
};

use crate::document::Document;
use crate::error::FromIrError;
use crate::writer::{Decimals, NewMotion};
use bones::Bones;
use sample::Sampling;
use source::Source;

anim_ir::options! {
    /// Options for writing a scene.
    pub struct FromIr {
        /// Frames per second; `None` for the rate of the clip's timeline, or 30 if it has none.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("fps", None,
                "Sampling rate, for targets that cannot store the source's keys exactly. glTF \
                 and X3D keys keep their times unless a rate is given");
        /// The order in which a joint's rotations are written and applied; `None` for the joint's
        /// order in the BVH input, otherwise z, x, y.
        order (with_order): Option<EulerOrder> = None,
            choice("bvh-order", EulerOrder::NAMES, None,
                "Order of rotation channels; defaults to that of the BVH input, otherwise zxy");
        /// Number of decimal places.
        decimals (with_decimals): u32 = 6,
            integer("bvh-decimals", (0, 9), Some("6"), "Number of decimal places");
        /// Whether to write as many decimal places as needed to preserve exact values, regardless
        /// of [`decimals`](Self::decimals).
        exact (with_exact): bool = false,
            flag("bvh-exact", "Write as many decimal places as needed to preserve exact values")
                .conflicts("bvh-decimals");
    }
}

/// Writes the scene's clip and its skeleton, and reports what the format cannot store. Without a
/// clip, the rest pose is written as a single frame.
///
/// Rest poses in the format have no rotations: a joint's OFFSET is its rest translation, and its
/// rest rotation is part of each frame. Roots have position channels; other joints have them only
/// if they move away from their OFFSET. An End Site is added to each joint without children: at the
/// farthest vertex attached to the joint, otherwise at a tenth of the joint's own OFFSET, or at 0 1
/// 0 if that is zero.
///
/// # Errors
///
/// Returns a [`FromIrError`] if the scene is invalid ([`anim_ir::validate`]), has several clips or
/// no joints, if the frame rate is invalid, or if the samples exceed the budget.
pub fn from_ir(
    scene: &Scene,
    options: &FromIr,
) -> Result<Converted<Document<'static>>, FromIrError> {
    require_valid(scene)?;
    SeveralClips::check(scene)?;
    let scene = &*one_clip(scene, options)?;
    let source = Source::of(scene)?;
    let mut losses = Diagnostics::new();
    let rate = rate(&source, options)?;
    let sampling = Sampling::new(&source, rate);
    let budget = Budget::for_scene(&options.limits, scene);
    budget.charge("the sampled frames", sampling.samples().saturating_mul(SAMPLE_BYTES))?;
    let mut bones = Bones::new(&source, options.order, &mut losses);
    sampling.run(&mut bones);
    losses::report(&source, &sampling, &mut losses);
    let decimals = if options.exact { Decimals::Exact } else { Decimals::Fixed(options.decimals) };
    let (joints, values) = bones.finish(decimals);
    let motion = NewMotion { frame_time: 1.0 / rate, frames: sampling.frames(), values };
    Ok(Converted { value: Document::build(&joints, Some(&motion), decimals)?, losses })
}

/// The memory charged for the pose of a joint in a frame: its values, and their text.
const SAMPLE_BYTES: usize = 128;

/// Returns the scene with y up. If it has state machines, keeps only the first state, as a clip.
fn one_clip<'a>(scene: &'a Scene, options: &FromIr) -> Result<Cow<'a, Scene>, LimitError> {
    let mut scene = scene.in_axes(Axes::YUp);
    if !scene.machines.is_empty() {
        let playable = scene.playables().first().map(|(_, playable)| *playable);
        if let Some(playable) = playable {
            let bake = Bake::default().with_limits(options.limits);
            scene.to_mut().keep(playable, &bake)?;
        }
    }
    Ok(scene)
}

fn rate(source: &Source<'_>, options: &FromIr) -> Result<f64, FromIrError> {
    let own = source.clip.and_then(|(_, timeline)| timeline.time_base.frames_per_second());
    let rate = options.frames_per_second.or(own).unwrap_or(30.0);
    let is_rate = rate.is_finite() && narrow(rate) > 0.0;
    if is_rate { Ok(rate) } else { Err(FromIrError::Rate(rate)) }
}
