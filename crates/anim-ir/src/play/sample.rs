//! The pose at a time.

use crate::file::number::narrow;
use crate::math::linear::{Mat4, Quat, Transform, Vec3};
use crate::model::clip::Clip;
use crate::model::skeleton::{Joint, Skeleton};
use crate::model::timeline::{
    Channel, Curve, Interpolation, KeyTable, PoseSpace, Target, Timeline, Track,
};
use crate::model::wave::Wave;

/// What a timeline says at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// For each joint of the skeleton, the transform in the timeline's pose space: relative to the
    /// parent, or before the rest pose.
    pub transforms: Vec<Transform>,
    /// What [`Pose::transforms`] are relative to.
    pub space: PoseSpace,
    /// For each joint whether it is seen as far as it has a say, its ancestors aside; empty where
    /// all are.
    pub visible: Vec<bool>,
    /// Morph weights of the nodes that the timeline moves.
    pub morph_weights: Vec<(usize, Vec<f32>)>,
}

impl Pose {
    /// The matrix from a joint's space to its parent's.
    pub fn local_matrix(&self, joint: &Joint, index: usize) -> Mat4 {
        let value = self.transforms.get(index).copied();
        match self.space {
            // A joint left at rest keeps the exact matrix, shear and all.
            PoseSpace::ParentRelative => value
                .filter(|value| *value != joint.rest)
                .map_or_else(|| joint.rest_matrix(), Transform::to_matrix),
            PoseSpace::DeltaFromRest => joint.rest_matrix() * value.unwrap_or_default().to_matrix(),
        }
    }

    /// For each joint of the skeleton whether it is seen: it and all its ancestors are visible.
    pub fn seen(&self, skeleton: &Skeleton) -> Vec<bool> {
        let mut seen: Vec<bool> = Vec::with_capacity(skeleton.joints.len());
        for (index, joint) in skeleton.joints.iter().enumerate() {
            let above = joint.parent.and_then(|parent| seen.get(parent).copied());
            seen.push(above.unwrap_or(true) && self.visible.get(index).copied().unwrap_or(true));
        }
        seen
    }

    /// A joint's transform relative to its parent. Where rest poses have shear this is near
    /// [`Pose::local_matrix`], otherwise equal to it.
    pub fn local_transform(&self, joint: &Joint, index: usize) -> Transform {
        let value = self.transforms.get(index).copied();
        match self.space {
            PoseSpace::ParentRelative => value.unwrap_or(joint.rest),
            PoseSpace::DeltaFromRest => {
                let even = joint.rest.scale.x == joint.rest.scale.y
                    && joint.rest.scale.y == joint.rest.scale.z;
                match value {
                    Some(delta) if even && joint.exact_rest.is_none() => joint.rest.then(delta),
                    _ => self.local_matrix(joint, index).to_transform(),
                }
            }
        }
    }

    /// For each joint, the matrix from its space to the model's. Reuses the memory of `out`.
    pub fn model_matrices(&self, skeleton: &Skeleton, out: &mut Vec<Mat4>) {
        out.clear();
        for (index, joint) in skeleton.joints.iter().enumerate() {
            let local = self.local_matrix(joint, index);
            let parent = joint.parent.and_then(|parent| out.get(parent).copied());
            out.push(parent.map_or(local, |parent| parent * local));
        }
    }
}

/// Samples a timeline for a skeleton: remembers where it was, so that playing on costs no search.
///
/// Before the first key of a track its value holds, after the last one the last.
#[derive(Clone, Debug)]
pub struct Sampler<'a> {
    timeline: &'a Timeline,
    rest: Vec<Transform>,
    /// Empty where no joint is ever hidden.
    visible_at_rest: Vec<bool>,
    constants: Vec<(&'a Track, usize)>,
    waves: Vec<(&'a Wave, Channel, usize)>,
    /// Moves before the rotation, by joint: applied when the rotations are known.
    offsets: Offsets,
    tables: Vec<TablePlan<'a>>,
    /// Nodes whose weights the timeline moves, as the plans number them.
    morphing: Vec<usize>,
}

#[derive(Clone, Debug)]
struct TablePlan<'a> {
    table: &'a KeyTable,
    cursor: usize,
    tracks: Vec<TrackPlan>,
}

#[derive(Clone, Copy, Debug)]
struct TrackPlan {
    channel: Channel,
    /// Joint, or place in [`Pose::morph_weights`].
    target: usize,
    column: usize,
    width: usize,
}

impl<'a> Sampler<'a> {
    /// For all joints of the timeline.
    pub fn new(skeleton: &Skeleton, timeline: &'a Timeline) -> Sampler<'a> {
        Sampler::with(skeleton, timeline, |_| true)
    }

    /// For the joints of a clip; the others stay at rest.
    pub fn for_clip(skeleton: &Skeleton, timeline: &'a Timeline, clip: &Clip) -> Sampler<'a> {
        Sampler::with(skeleton, timeline, |joint| clip.has_joint(joint))
    }

    fn with(
        skeleton: &Skeleton,
        timeline: &'a Timeline,
        moves: impl Fn(usize) -> bool,
    ) -> Sampler<'a> {
        let rest = skeleton
            .joints
            .iter()
            .map(|joint| match timeline.pose_space {
                PoseSpace::ParentRelative => joint.rest,
                PoseSpace::DeltaFromRest => Transform::IDENTITY,
            })
            .collect();
        let mut tables: Vec<_> = timeline
            .tables()
            .iter()
            .map(|table| TablePlan { table, cursor: 0, tracks: Vec::new() })
            .collect();
        let (mut constants, mut waves) = (Vec::new(), Vec::new());
        let mut morphing = Vec::new();
        for track in timeline.tracks() {
            let target = match (track.target, track.channel) {
                (Target::Joint(joint), channel)
                    if channel != Channel::MorphWeights && moves(joint) =>
                {
                    joint
                }
                (Target::Node(node), Channel::MorphWeights) => {
                    morphing.push(node);
                    morphing.len().saturating_sub(1)
                }
                _ => continue,
            };
            match &track.curve {
                Curve::Constant(_) => constants.push((track, target)),
                Curve::Wave(wave) => waves.push((wave, track.channel, target)),
                Curve::Keys { table, column, width } => {
                    if let Some(plan) = tables.get_mut(*table) {
                        plan.tracks.push(TrackPlan {
                            channel: track.channel,
                            target,
                            column: *column,
                            width: *width,
                        });
                    }
                }
            }
        }
        let hides = timeline.tracks().iter().any(|track| track.channel == Channel::Visibility)
            || skeleton.joints.iter().any(|joint| !joint.visible);
        let visible_at_rest = if hides {
            skeleton.joints.iter().map(|joint| joint.visible).collect()
        } else {
            Vec::new()
        };
        Sampler {
            timeline,
            rest,
            visible_at_rest,
            constants,
            waves,
            offsets: Vec::new(),
            tables,
            morphing,
        }
    }

    /// The pose at `time` in seconds. Allocates on the first call for a pose only.
    pub fn sample(&mut self, time: f64, pose: &mut Pose) {
        let exact_time = if time.is_finite() { time } else { 0.0 };
        let time = narrow(time);
        pose.space = self.timeline.pose_space;
        pose.transforms.clone_from(&self.rest);
        pose.visible.clone_from(&self.visible_at_rest);
        self.offsets.clear();
        if !pose.morph_weights.iter().map(|(node, _)| node).eq(&self.morphing) {
            pose.morph_weights = self.morphing.iter().map(|node| (*node, Vec::new())).collect();
        }
        for (track, target) in &self.constants {
            let Curve::Constant(value) = &track.curve else { continue };
            put(pose, &mut self.offsets, track.channel, *target, value);
        }
        for (wave, channel, target) in &self.waves {
            put_exact(pose, &mut self.offsets, *channel, *target, wave.at(exact_time));
        }
        for plan in &mut self.tables {
            let (before, after, fraction) = plan.table.locate(time, plan.cursor);
            plan.cursor = before;
            let (a, b) = (plan.table.row(before), plan.table.row(after));
            match plan.table.interpolation() {
                Interpolation::Linear if fraction > 0.0 => {
                    blend_rows(&plan.tracks, a, b, fraction, pose, &mut self.offsets)
                }
                Interpolation::Step | Interpolation::Linear => {
                    copy_row(&plan.tracks, a, 0, pose, &mut self.offsets)
                }
                Interpolation::Cubic if fraction > 0.0 => {
                    let times = plan.table.times();
                    let span = times
                        .get(after)
                        .zip(times.get(before))
                        .map_or(0.0, |(end, start)| end - start);
                    spline_rows(&plan.tracks, a, b, fraction, span, pose, &mut self.offsets);
                }
                Interpolation::Cubic => copy_row(&plan.tracks, a, 1, pose, &mut self.offsets),
            }
        }
        for (joint, offset) in &self.offsets {
            if let Some(Transform { translation, rotation, .. }) = pose.transforms.get_mut(*joint) {
                let moved = rotation.rotate(Vec3::from(offset.map(narrow)));
                *translation = Vec3::new(
                    translation.x + moved.x,
                    translation.y + moved.y,
                    translation.z + moved.z,
                );
            }
        }
    }
}

/// Moves before the rotation, by joint.
type Offsets = Vec<(usize, [f64; 3])>;

fn set_weights(pose: &mut Pose, place: usize, values: impl Iterator<Item = f32>) {
    if let Some((_, weights)) = pose.morph_weights.get_mut(place) {
        weights.clear();
        weights.extend(values);
    }
}

/// A value as it stands.
fn put(pose: &mut Pose, offsets: &mut Offsets, channel: Channel, target: usize, value: &[f32]) {
    match channel {
        Channel::MorphWeights => set_weights(pose, target, value.iter().copied()),
        Channel::Visibility => {
            if let Some(visible) = pose.visible.get_mut(target) {
                *visible = value.first().is_none_or(|value| *value != 0.0);
            }
        }
        Channel::Translation | Channel::Rotation | Channel::Scale => {
            if let Some(transform) = pose.transforms.get_mut(target) {
                assign(transform, channel, value);
            }
        }
        Channel::Euler(_) | Channel::Offset => {
            if let [x, y, z] = *value {
                put_exact(pose, offsets, channel, target, [x, y, z].map(f64::from));
            }
        }
    }
}

/// A value of three numbers. Angles are turned into a rotation before anything is rounded.
fn put_exact(
    pose: &mut Pose,
    offsets: &mut Offsets,
    channel: Channel,
    target: usize,
    value: [f64; 3],
) {
    let Some(transform) = pose.transforms.get_mut(target) else { return };
    match channel {
        Channel::Translation => transform.translation = value.map(narrow).into(),
        Channel::Scale => transform.scale = value.map(narrow).into(),
        Channel::Euler(order) => transform.rotation = Quat::from_euler(value, order),
        Channel::Offset => offsets.push((target, value)),
        Channel::Rotation | Channel::MorphWeights | Channel::Visibility => {}
    }
}

fn assign(transform: &mut Transform, channel: Channel, value: &[f32]) {
    match (channel, value) {
        (Channel::Translation, [x, y, z]) => transform.translation = Vec3::new(*x, *y, *z),
        (Channel::Rotation, [x, y, z, w]) => transform.rotation = Quat::new(*x, *y, *z, *w),
        (Channel::Scale, [x, y, z]) => transform.scale = Vec3::new(*x, *y, *z),
        _ => {}
    }
}

/// The values of one row; `part` is 1 for the middle of a cubic key.
fn copy_row(
    tracks: &[TrackPlan],
    row: &[f32],
    part: usize,
    pose: &mut Pose,
    offsets: &mut Offsets,
) {
    for track in tracks {
        let start = track.column.saturating_add(part.saturating_mul(track.width));
        let value = row.get(start..start.saturating_add(track.width)).unwrap_or_default();
        put(pose, offsets, track.channel, track.target, value);
    }
}

fn blend_rows(
    tracks: &[TrackPlan],
    a: &[f32],
    b: &[f32],
    t: f32,
    pose: &mut Pose,
    offsets: &mut Offsets,
) {
    let weights = SlerpWeights::at(t);
    for track in tracks {
        match track.channel {
            Channel::Rotation => {
                if let (Some(a), Some(b), Some(transform)) = (
                    chunk(a, track.column),
                    chunk(b, track.column),
                    pose.transforms.get_mut(track.target),
                ) {
                    transform.rotation = weights.blend(a, b);
                }
            }
            Channel::Translation | Channel::Scale => {
                if let (Some(a), Some(b), Some(transform)) = (
                    chunk::<3>(a, track.column),
                    chunk::<3>(b, track.column),
                    pose.transforms.get_mut(track.target),
                ) {
                    let value = Vec3::new(
                        a[0] + (b[0] - a[0]) * t,
                        a[1] + (b[1] - a[1]) * t,
                        a[2] + (b[2] - a[2]) * t,
                    );
                    if track.channel == Channel::Translation {
                        transform.translation = value;
                    } else {
                        transform.scale = value;
                    }
                }
            }
            Channel::MorphWeights => {
                let range = track.column..track.column.saturating_add(track.width);
                if let (Some(a), Some(b)) = (a.get(range.clone()), b.get(range)) {
                    set_weights(pose, track.target, a.iter().zip(b).map(|(a, b)| a + (b - a) * t));
                }
            }
            Channel::Euler(_) | Channel::Offset => {
                if let (Some(a), Some(b)) =
                    (chunk::<3>(a, track.column), chunk::<3>(b, track.column))
                {
                    let at = |a: f32, b: f32| {
                        f64::from(a) + (f64::from(b) - f64::from(a)) * f64::from(t)
                    };
                    put_exact(
                        pose,
                        offsets,
                        track.channel,
                        track.target,
                        [at(a[0], b[0]), at(a[1], b[1]), at(a[2], b[2])],
                    );
                }
            }
            // Its tracks are steps: the timeline's builder sees to that.
            Channel::Visibility => {}
        }
    }
}

/// Hermite spline as glTF defines it: tangents scaled by the time between the keys, rotations
/// normalised afterwards.
fn spline_rows(
    tracks: &[TrackPlan],
    a: &[f32],
    b: &[f32],
    t: f32,
    span: f32,
    pose: &mut Pose,
    offsets: &mut Offsets,
) {
    let (t2, t3) = (t * t, t * t * t);
    let (at_a, out_a, at_b, in_b) = (
        2.0 * t3 - 3.0 * t2 + 1.0,
        (t3 - 2.0 * t2 + t) * span,
        -2.0 * t3 + 3.0 * t2,
        (t3 - t2) * span,
    );
    for track in tracks {
        let part = |row: &'_ [f32], index: usize, component: usize| {
            let at = track
                .column
                .saturating_add(index.saturating_mul(track.width))
                .saturating_add(component);
            row.get(at).copied().unwrap_or_default()
        };
        let value = |i: usize| {
            at_a * part(a, 1, i)
                + out_a * part(a, 2, i)
                + at_b * part(b, 1, i)
                + in_b * part(b, 0, i)
        };
        match track.channel {
            Channel::MorphWeights => set_weights(pose, track.target, (0..track.width).map(value)),
            Channel::Visibility => {}
            Channel::Euler(_) | Channel::Offset => {
                put_exact(
                    pose,
                    offsets,
                    track.channel,
                    track.target,
                    [value(0), value(1), value(2)].map(f64::from),
                );
            }
            channel => {
                if let Some(transform) = pose.transforms.get_mut(track.target) {
                    match channel {
                        Channel::Rotation => {
                            transform.rotation =
                                Quat::new(value(0), value(1), value(2), value(3)).normalized()
                        }
                        Channel::Translation => {
                            transform.translation = Vec3::new(value(0), value(1), value(2))
                        }
                        _ => transform.scale = Vec3::new(value(0), value(1), value(2)),
                    }
                }
            }
        }
    }
}

#[inline]
fn chunk<const N: usize>(row: &[f32], column: usize) -> Option<&[f32; N]> {
    row.get(column..)?.first_chunk()
}

/// Spherical interpolation at one fraction for many pairs of unit quaternions, without
/// trigonometry.
///
/// The middle m of the arc from a to b is their sum, normalised; what is asked for lies on one of
/// the two halves. On a half the angle θ is 45° at most (the shorter way is 90° at most between
/// four-vectors), and sin(tθ)/sin θ is a series in cos θ − 1 that converges quickly, with
/// coefficients that depend on t only (D. Eberly, "A Fast and Accurate Algorithm for Computing
/// SLERP", 2011): with six terms the error is about that of f32.
#[derive(Clone, Copy, Debug)]
struct SlerpWeights {
    /// How far along the half, from its outer end to the middle.
    to_middle: f32,
    factors_middle: [f32; Self::TERMS],
    factors_end: [f32; Self::TERMS],
    second_half: bool,
}

impl SlerpWeights {
    const TERMS: usize = 6;

    fn at(t: f32) -> SlerpWeights {
        let factors = |t: f32| {
            let square = t * t;
            [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0].map(|n| (square / n - n) / (2.0 * n + 1.0))
        };
        let second_half = t > 0.5;
        let to_middle = 2.0 * if second_half { 1.0 - t } else { t };
        SlerpWeights {
            to_middle,
            factors_middle: factors(to_middle),
            factors_end: factors(1.0 - to_middle),
            second_half,
        }
    }

    #[inline]
    fn blend(&self, a: &[f32; 4], b: &[f32; 4]) -> Quat {
        let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        let half_cosine = ((1.0 + dot.abs().min(1.0)) * 0.5).sqrt();
        let x = half_cosine - 1.0;
        let series = |factors: &[f32; Self::TERMS]| {
            factors.iter().rev().fold(1.0_f32, |sum, factor| 1.0 + factor * x * sum)
        };
        // The middle is (a + b) / (2 · half_cosine): its weight goes to both ends.
        let middle = self.to_middle * series(&self.factors_middle) / (2.0 * half_cosine);
        let end = middle + (1.0 - self.to_middle) * series(&self.factors_end);
        let (weight_a, weight_b) = if self.second_half { (middle, end) } else { (end, middle) };
        let weight_b = weight_b.copysign(dot);
        let [[ax, ay, az, aw], [bx, by, bz, bw]] = [a, b];
        Quat::new(
            ax * weight_a + bx * weight_b,
            ay * weight_a + by * weight_b,
            az * weight_a + bz * weight_b,
            aw * weight_a + bw * weight_b,
        )
    }
}

impl Quat {
    /// Along the shorter great arc to another rotation; both of length 1. `t` from 0 to 1.
    #[must_use]
    pub fn slerp(self, other: Quat, t: f32) -> Quat {
        SlerpWeights::at(t).blend(&self.to_array(), &other.to_array())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::euler::EulerOrder;
    use crate::model::timeline::TimelineBuilder;
    use crate::model::wave::WaveShape;
    use proptest::prelude::*;

    fn one_joint(keys: impl FnOnce(&mut TimelineBuilder)) -> (Skeleton, Timeline) {
        let mut skeleton = Skeleton::new("s");
        skeleton.joints.push(Joint::new("j", None));
        let mut builder = TimelineBuilder::new("t");
        keys(&mut builder);
        (skeleton, builder.finish())
    }

    fn at(skeleton: &Skeleton, timeline: &Timeline, time: f64) -> Transform {
        let mut pose = Pose::default();
        Sampler::new(skeleton, timeline).sample(time, &mut pose);
        pose.transforms[0]
    }

    #[test]
    fn clamps_outside_and_interpolates_between() {
        let (skeleton, timeline) = one_joint(|builder| {
            builder
                .keys(
                    Target::Joint(0),
                    Channel::Translation,
                    Interpolation::Linear,
                    &[1.0, 3.0],
                    &[0., 0., 0., 4., 0., 0.],
                )
                .unwrap();
            builder
                .keys(
                    Target::Joint(0),
                    Channel::Scale,
                    Interpolation::Step,
                    &[0.0, 2.0],
                    &[1., 1., 1., 2., 2., 2.],
                )
                .unwrap();
        });
        let xs =
            [f64::NAN, -1.0, 1.0, 2.0, 3.0, 9.0].map(|t| at(&skeleton, &timeline, t).translation.x);
        assert_eq!(xs, [0.0, 0.0, 0.0, 2.0, 4.0, 4.0]);
        assert_eq!([1.999, 2.0, 5.0].map(|t| at(&skeleton, &timeline, t).scale.x), [1.0, 2.0, 2.0]);
    }

    #[test]
    fn cubic_passes_through_its_keys_and_bends_between() {
        let (skeleton, timeline) = one_joint(|builder| {
            let keys =
                [[0.; 3], [0.; 3], [2., 0., 0.], [2., 0., 0.], [2., 0., 0.], [0.; 3]].concat();
            builder
                .keys(
                    Target::Joint(0),
                    Channel::Translation,
                    Interpolation::Cubic,
                    &[0.0, 2.0],
                    &keys,
                )
                .unwrap();
        });
        // Value 0 and 2, tangents 2 a second at both ends, two seconds: 2t³ − 3t² … by hand 1 in
        // the middle, 0.75 + 0.0625·… at a quarter.
        let hermite = |t: f64| {
            (t.powi(3) - 2. * t * t + t) * 4.
                + (-2. * t.powi(3) + 3. * t * t) * 2.
                + (t.powi(3) - t * t) * 4.
        };
        for t in [0.0, 0.25, 0.5, 0.75, 1.0] {
            assert!(
                (f64::from(at(&skeleton, &timeline, t * 2.0).translation.x) - hermite(t)).abs()
                    < 1e-5
            );
        }
    }

    #[test]
    fn constants_and_morph_weights() {
        let (skeleton, timeline) = one_joint(|builder| {
            builder.constant(Target::Node(5), Channel::MorphWeights, &[0.5]).unwrap();
            builder
                .keys(
                    Target::Node(3),
                    Channel::MorphWeights,
                    Interpolation::Linear,
                    &[0.0, 1.0],
                    &[0., 1., 1., 0.],
                )
                .unwrap();
            builder.constant(Target::Joint(0), Channel::Scale, &[2., 3., 4.]).unwrap();
        });
        let mut pose = Pose::default();
        Sampler::new(&skeleton, &timeline).sample(0.25, &mut pose);
        assert_eq!(pose.morph_weights, [(5, vec![0.5]), (3, vec![0.25, 0.75])]);
        assert_eq!(pose.transforms[0].scale, Vec3::new(2., 3., 4.));
    }

    #[test]
    fn deltas_go_before_the_rest_pose() {
        let (mut skeleton, mut timeline) = one_joint(|builder| {
            builder
                .keys(
                    Target::Joint(0),
                    Channel::Translation,
                    Interpolation::Linear,
                    &[0.0],
                    &[1., 0., 0.],
                )
                .unwrap();
        });
        skeleton.joints[0].rest = Transform {
            rotation: Quat::from_axis_angle(Vec3::new(0., 0., 1.), std::f64::consts::FRAC_PI_2),
            ..Transform::IDENTITY
        };
        skeleton.joints[0].rest.translation.z = 5.0;
        timeline.pose_space = PoseSpace::DeltaFromRest;
        let mut pose = Pose::default();
        Sampler::new(&skeleton, &timeline).sample(0.0, &mut pose);
        let local = pose.local_transform(&skeleton.joints[0], 0);
        assert!(
            (local.translation.y - 1.0).abs() < 1e-6 && local.translation.z == 5.0,
            "{local:?}"
        );
        let mut model = Vec::new();
        pose.model_matrices(&skeleton, &mut model);
        assert!(model[0].is_near(local.to_matrix(), 1e-6));
    }

    /// The three numbers of a sine in f64, as [`WaveShape::Sine`] has it.
    fn sine(wave: &Wave, time: f64) -> [f64; 3] {
        let turns = (time + f64::from(wave.offset)) / f64::from(wave.period);
        let part = 0.5 + 0.5 * (std::f64::consts::TAU * turns.rem_euclid(1.0)).sin();
        std::array::from_fn(|i| {
            f64::from(wave.start[i]) * (1.0 - part) + f64::from(wave.end[i]) * part
        })
    }

    proptest! {
        #[test]
        fn waves_are_composed_exact_to_f32(
            numbers in prop::array::uniform3(prop::array::uniform6(-10.0f32..10.0)), period in 0.1f32..10.0, time in -1e6_f64..1e6,
        ) {
            let [place, angles, offset] = numbers.map(|[a, b, c, d, e, f]| Wave {
                shape: WaveShape::Sine, start: [a, b, c], end: [d, e, f], period, offset: a, ..Wave::default()
            });
            let (skeleton, timeline) = one_joint(|builder| {
                builder.wave(Target::Joint(0), Channel::Translation, place).unwrap();
                builder.wave(Target::Joint(0), Channel::Euler(EulerOrder::Zyx), angles).unwrap();
                builder.wave(Target::Joint(0), Channel::Offset, offset).unwrap();
            });
            let found = at(&skeleton, &timeline, time);
            // About x first, then y, then z, each in its plane.
            let ([tx, ty, tz], [ax, ay, az]) = (sine(&place, time), sine(&angles, time));
            let turned = |[x, y, z]: [f64; 3]| {
                let (y, z) = (y * ax.cos() - z * ax.sin(), y * ax.sin() + z * ax.cos());
                let (z, x) = (z * ay.cos() - x * ay.sin(), z * ay.sin() + x * ay.cos());
                [x * az.cos() - y * az.sin(), x * az.sin() + y * az.cos(), z]
            };
            let [ox, oy, oz] = turned(sine(&offset, time));
            for (found, expected) in found.translation.to_array().into_iter().zip([tx + ox, ty + oy, tz + oz]) {
                prop_assert!((f64::from(found) - expected).abs() < 1e-5, "{found} {expected}");
            }
            let arrow = found.rotation.rotate(Vec3::new(1.0, -2.0, 3.0)).to_array();
            for (found, expected) in arrow.into_iter().zip(turned([1.0, -2.0, 3.0])) {
                prop_assert!((f64::from(found) - expected).abs() < 2e-6, "{found} {expected}");
            }
        }

        #[test]
        fn slerp_is_exact_to_f32(a in prop::array::uniform4(-1.0f32..1.0), b in prop::array::uniform4(-1.0f32..1.0), t in 0.0f32..=1.0) {
            let (a, b) = (Quat::from(a).normalized().to_array(), Quat::from(b).normalized().to_array());
            let found = SlerpWeights::at(t).blend(&a, &b).to_array();
            // Textbook slerp in f64.
            let (fa, mut fb) = (a.map(f64::from), b.map(f64::from));
            let mut dot: f64 = fa.iter().zip(fb).map(|(a, b)| a * b).sum();
            if dot < 0.0 {
                dot = -dot;
                fb = fb.map(|c| -c);
            }
            let (angle, t) = (dot.min(1.0).acos(), f64::from(t));
            let (wa, wb) = if angle < 1e-6 { (1.0 - t, t) } else { (((1.0 - t) * angle).sin() / angle.sin(), (t * angle).sin() / angle.sin()) };
            for i in 0..4 {
                prop_assert!((f64::from(found[i]) - (fa[i] * wa + fb[i] * wb)).abs() < 2e-6);
            }
        }
    }
}
